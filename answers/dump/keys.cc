#include "indexical/answers/dump/keys.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

namespace indexical {
namespace {

//===-- What several keys ask ---------------------------------------------===//

void sizeOf(const ArrayShape &shape, size_t d, KeyValue &to) {
  const int64_t size = shape.dimensions[d];
  if (size == kDynamicSize)
    to.null();
  else if (!shape.dynamic.empty() && shape.dynamic[d])
    to.object(BoundEntry{size});
  else
    to.integer(size);
}

void answersOf(llvm::ArrayRef<LeafAnswer> answers, Direction direction,
               GiveMap in, KeyValue &to) {
  // From input to output, the operand stands before the result.
  static const auto kBackward = [] {
    const auto keys = keysOf<AnswerEntry>().keys;
    std::vector<Key<AnswerEntry>> all(keys.begin(), keys.end());
    std::swap(all[0], all[1]);
    return all;
  }();
  llvm::ArrayRef<Key<AnswerEntry>> keys = keysOf<AnswerEntry>().keys;
  if (direction == Direction::InputToOutput) keys = kBackward;
  to.list(answers, [&](const LeafAnswer &answer, KeyValue &each) {
    each.object(AnswerEntry{answer, in}, keys);
  });
}

void mapsOf(const IndexingRelation &relation, GiveMap in, KeyValue &to) {
  const auto isRead = [](const IndexingMap &map) {
    return !map.isKnownEmpty();
  };
  to.list(llvm::make_filter_range(relation.pieces(), isRead), in);
}

}  // namespace

//===-- The keys ----------------------------------------------------------===//

template <>
KeyList<DumpEntry> keysOf<DumpEntry>() {
  static constexpr Key<DumpEntry> kKeys[] = {
      {kKeysOf, "[the head](#the-head)", "", "", nullptr},
      {"source", "[input](#the-input)", "never", "what was read",
       [](const DumpEntry &of, KeyValue &to) {
         to.object(InputEntry{of.path, of.format});
       }},
      {"modules", "list of [modules](#a-module)", "never",
       "in file order; one input may hold several modules", nullptr},
  };
  return {"The document", kKeys};
}

template <>
KeyList<InputEntry> keysOf<InputEntry>() {
  static constexpr Key<InputEntry> kKeys[] = {
      {"path", "string", "never",
       "the path as it was given; `-` for standard input",
       [](const InputEntry &of, KeyValue &to) { to.text(of.path); }},
      {"format", "`\"hlo\"` or `\"stablehlo\"`", "never",
       "`stablehlo` is any MLIR",
       [](const InputEntry &of, KeyValue &to) { to.text(of.format); }},
  };
  return {"The input", kKeys};
}

template <>
KeyList<Module> keysOf<Module>() {
  static constexpr Key<Module> kKeys[] = {
      {"name", "string", "never", "empty for a snippet, which has no header",
       [](const Module &of, KeyValue &to) { to.text(of.name); }},
      {"computations", "list of [computations](#a-computation)", "never",
       "those that are shown, in file order", nullptr},
  };
  return {"A module", kKeys};
}

template <>
KeyList<ComputationEntry> keysOf<ComputationEntry>() {
  static constexpr Key<ComputationEntry> kKeys[] = {
      {"name", "string", "never", "without `%`", nullptr},
      {"entry", "boolean", "never",
       "HLO: whether it is marked `ENTRY`, else whether it is the last. MLIR: "
       "whether it is `main`, else whether it is a public function",
       nullptr},
      {"results", "list of [arrays](#an-array)",
       "its own maps are not shown: it has more than 500 instructions and was "
       "not asked for by name, or `--instruction` was given without "
       "`--computation`",
       "the arrays of the root",
       [](const ComputationEntry &of, KeyValue &to) {
         to.list(of.item.results, [](const ArrayShape &shape, KeyValue &each) {
           each.object(shape);
         });
       }},
      {"operands", "list of [operands](#an-operand)", "as `results`",
       "the arrays of the parameters",
       [](const ComputationEntry &of, KeyValue &to) {
         to.list(of.item.operands,
                 [](const OperandEntry &operand, KeyValue &each) {
                   each.object(operand);
                 });
       }},
      {"output_to_input", "list of [answers](#an-answer)",
       "as `results`; this direction was not asked for", "",
       [](const ComputationEntry &of, KeyValue &to) {
         if (of.item.outputToInput)
           answersOf(*of.item.outputToInput, Direction::OutputToInput, of.in,
                     to);
       }},
      {"input_to_output", "list of [answers](#an-answer)",
       "as `results`; this direction was not asked for", "",
       [](const ComputationEntry &of, KeyValue &to) {
         if (of.item.inputToOutput)
           answersOf(*of.item.inputToOutput, Direction::InputToOutput, of.in,
                     to);
       }},
      {"instructions", "list of [instructions](#an-instruction)", "never",
       "those that are shown, in file order", nullptr},
  };
  return {"A computation", kKeys};
}

template <>
KeyList<InstructionEntry> keysOf<InstructionEntry>() {
  static constexpr Key<InstructionEntry> kKeys[] = {
      {"name", "string", "never",
       "as in the file, without `%`; MLIR's `%a, %b = …` is the instruction "
       "`a`",
       [](const InstructionEntry &of, KeyValue &to) {
         to.text(of.instruction.name);
       }},
      {"opcode", "string", "never",
       "as in the file; MLIR's full name (`stablehlo.add`)",
       [](const InstructionEntry &of, KeyValue &to) {
         to.text(of.instruction.opcode);
       }},
      {"line", "integer >= 0", "never",
       "where the name (HLO) or the op's keyword (MLIR) stands, counted from 1",
       [](const InstructionEntry &of, KeyValue &to) {
         to.integer(of.instruction.place.line);
       }},
      {"column", "integer >= 0", "never",
       "where the name (HLO) or the op's keyword (MLIR) stands in its line, in "
       "bytes, counted from 1",
       [](const InstructionEntry &of, KeyValue &to) {
         to.integer(of.instruction.place.column);
       }},
      {"groups", "list of lists of integers",
       "no `--devices`; it is not a collective with groups",
       "the devices of each group, replica times partitions plus partition, in "
       "the order of their parts",
       [](const InstructionEntry &of, KeyValue &to) {
         if (of.item.devices && !of.item.devices->isPermute)
           to.list(
               of.item.devices->groups,
               [](const auto &group, KeyValue &each) { each.integers(group); });
       }},
      {"pairs", "list of lists of integers", "no `--devices`; it is not a "
                                             "permute",
       "the source and the target of each pair, as devices",
       [](const InstructionEntry &of, KeyValue &to) {
         if (of.item.devices && of.item.devices->isPermute)
           to.list(of.item.devices->pairs,
                   [](const auto &pair, KeyValue &each) {
                     each.integers({pair.first, pair.second});
                   });
       }},
      {"results", "list of [arrays](#an-array)", "never",
       "the arrays of the result; a tuple is taken apart into its arrays, "
       "depth first, and a token has none",
       [](const InstructionEntry &of, KeyValue &to) {
         to.list(of.item.results, [](const ArrayShape &shape, KeyValue &each) {
           each.object(shape);
         });
       }},
      {"operands", "list of [operands](#an-operand)", "never",
       "the arrays of the operands; a tuple is taken apart into its arrays, "
       "depth first, and a token has none",
       [](const InstructionEntry &of, KeyValue &to) {
         to.list(of.item.operands,
                 [](const OperandEntry &operand, KeyValue &each) {
                   each.object(operand);
                 });
       }},
      {"output_to_input", "list of [answers](#an-answer)",
       "this direction was not asked for", "",
       [](const InstructionEntry &of, KeyValue &to) {
         if (of.item.outputToInput)
           answersOf(*of.item.outputToInput, Direction::OutputToInput, of.in,
                     to);
       }},
      {"input_to_output", "list of [answers](#an-answer)",
       "this direction was not asked for", "",
       [](const InstructionEntry &of, KeyValue &to) {
         if (of.item.inputToOutput)
           answersOf(*of.item.inputToOutput, Direction::InputToOutput, of.in,
                     to);
       }},
  };
  return {"An instruction", kKeys};
}

template <>
KeyList<ArrayShape> keysOf<ArrayShape>() {
  static constexpr Key<ArrayShape> kKeys[] = {
      {"dtype", "string", "never",
       "the element type in HLO's spelling (`f32`, `bf16`, `s4`, `pred`, "
       "`f8e4m3fn`); `unknown` for a type that is not known",
       [](const ArrayShape &of, KeyValue &to) {
         to.text(elementTypeName(of.type));
       }},
      {"dimensions", "list of [sizes](#a-size)", "never", "",
       [](const ArrayShape &of, KeyValue &to) {
         to.list(llvm::seq(of.dimensions.size()),
                 [&](size_t d, KeyValue &each) { sizeOf(of, d, each); });
       }},
  };
  return {"An array", kKeys};
}

template <>
KeyList<BoundEntry> keysOf<BoundEntry>() {
  static constexpr Key<BoundEntry> kKeys[] = {
      {"bound", "integer >= 0", "never", "the size is at most this",
       [](const BoundEntry &of, KeyValue &to) { to.integer(of.size); }},
  };
  return {"A bound", kKeys};
}

template <>
KeyList<OperandEntry> keysOf<OperandEntry>() {
  static constexpr Key<OperandEntry> kKeys[] = {
      {"instruction", "string", "never", "the instruction that makes the array",
       [](const OperandEntry &of, KeyValue &to) { to.text(of.instruction); }},
      {"result", "integer >= 0", "never", "which of its arrays it is",
       [](const OperandEntry &of, KeyValue &to) {
         to.integer(int64_t{of.result});
       }},
      {"parameter", "integer >= 0", "never",
       "the number of the operand; in a computation, the number of the "
       "parameter",
       [](const OperandEntry &of, KeyValue &to) { to.integer(of.parameter); }},
      {"captured", "`true`", "the op lists the operand itself",
       "a region of the op uses this array, which is defined outside of the "
       "op. Captured arrays follow the op's own operands, in order of first "
       "use",
       [](const OperandEntry &of, KeyValue &to) { to.ifTrue(of.captured); }},
  };
  return {"An operand", kKeys};
}

template <>
KeyList<AnswerEntry> keysOf<AnswerEntry>() {
  static constexpr Key<AnswerEntry> kKeys[] = {
      {"result", "integer >= 0", "never", "an index into `results`",
       [](const AnswerEntry &of, KeyValue &to) {
         to.integer(int64_t{of.answer.result});
       }},
      {"operand", "integer >= 0", "never", "an index into `operands`",
       [](const AnswerEntry &of, KeyValue &to) {
         to.integer(int64_t{of.answer.operand});
       }},
      {"precision", "`\"exact\"`, `\"cover\"` or `\"opaque\"`", "never",
       "how far the maps go ([answers](maps.md#answers))",
       [](const AnswerEntry &of, KeyValue &to) {
         to.text(precisionName(of.answer.relation.precision()));
       }},
      {"maps", "list of [maps](#a-map)", "never",
       "the pieces: what is read is their union. An empty list is always "
       "`exact` and says that nothing is read",
       [](const AnswerEntry &of, KeyValue &to) {
         mapsOf(of.answer.relation, of.in, to);
       }},
      {"ways", "list of [ways](#a-way)",
       "no `--each-way`; the direction is `input_to_output`; nothing is read; "
       "an instruction that calls nothing, whose maps are one way",
       "one way for each chain of instructions from the result to the "
       "operand, also if two ways are equal; ways through earlier operands "
       "come first",
       [](const AnswerEntry &of, KeyValue &to) {
         if (of.answer.ways)
           to.list(of.answer.ways->ways, [&](const auto &way, KeyValue &each) {
             each.object(WayEntry{way, of.in});
           });
       }},
      {"more_ways", "integer >= 1", "with no `ways`; these are all",
       "an upper bound on the number of ways; `ways` has the first 256",
       [](const AnswerEntry &of, KeyValue &to) {
         if (of.answer.ways) to.integer(of.answer.ways->most);
       }},
  };
  return {"An answer", kKeys};
}

template <>
KeyList<WayEntry> keysOf<WayEntry>() {
  static constexpr Key<WayEntry> kKeys[] = {
      {"instructions", "list of strings", "never",
       "the instructions on the way, from the producer of the result to the "
       "producer of the operand. `fusion.1/exp.2` is in the computation that "
       "`fusion.1` calls",
       [](const WayEntry &of, KeyValue &to) { to.texts(of.way.instructions); }},
      {"precision", "`\"exact\"`, `\"cover\"` or `\"opaque\"`", "never",
       "as of an answer",
       [](const WayEntry &of, KeyValue &to) {
         to.text(precisionName(of.way.relation.precision()));
       }},
      {"maps", "list of [maps](#a-map)", "never",
       "the elements that are read along this way",
       [](const WayEntry &of, KeyValue &to) {
         mapsOf(of.way.relation, of.in, to);
       }},
      {"distinct", "integer >= 0", "it is not known",
       "elements of the operand that are read along this way",
       [](const WayEntry &of, KeyValue &to) {
         to.integer(of.way.footprint.distinct);
       }},
      {"reads", "integer >= 0", "it is not known",
       "different (element of the result, element of the operand) pairs",
       [](const WayEntry &of, KeyValue &to) {
         to.integer(of.way.footprint.reads);
       }},
      {"reuse", "number", "it is not known, or nothing is read",
       "how often each element is read along this way: `reads` divided by "
       "`distinct`",
       [](const WayEntry &of, KeyValue &to) {
         if (of.way.footprint.reuse) to.number(*of.way.footprint.reuse);
       }},
  };
  return {"A way", kKeys};
}

std::vector<Described> dumpTables() {
  return {described<DumpEntry>(),        described<InputEntry>(),
          described<Module>(),           described<ComputationEntry>(),
          described<InstructionEntry>(), described<ArrayShape>(),
          described<BoundEntry>(),       described<OperandEntry>(),
          described<AnswerEntry>(),      described<WayEntry>()};
}

}  // namespace indexical
