// The keys of a kernel that another kernel specifies.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/kernel/keys.h"

namespace indexical {

using Kind = Witness::Kind;

llvm::StringRef judgedWord(const JudgeFindings &judge) {
  const Verdict &verdict = judge.compared.verdict;
  if (verdict.isSame()) return "same";
  if (verdict.answer == Verdict::Different) return "different";
  return judge.where.empty() ? "undecided" : "same_where";
}

const kernels::KernelAccess *JudgeInput::load() const {
  const int64_t number = input.parameter - entry.judge.compared.maskedLanes;
  const auto &accesses = entry.found.kernel.accesses;
  return number >= 0 && number < static_cast<int64_t>(accesses.size())
             ? &accesses[number]
             : nullptr;
}

std::vector<JudgeViolation> violationsOf(const KernelFindings &found) {
  std::vector<JudgeViolation> all;
  auto add = [&](const char *what, const Check &check) {
    if (check.answer == Check::Violated)
      all.push_back({found, what, *check.witness});
  };
  add("never_written", found.judge->neverWritten);
  add("read_before_written", found.judge->readBeforeWritten);
  add("undefined", found.judge->compared.defined);
  return all;
}

std::string wordsOf(const JudgeViolation &violation) {
  const Witness &of = violation.witness;
  std::string text = absl::StrCat(
      absl::StrReplaceAll(violation.what, {{"_", " "}}), ": element ",
      of.element[0], " of ", violation.found.kernel.arguments[*of.array].name);
  if (of.first.program.empty()) return text;
  absl::StrAppend(&text, ", line ", of.first.line, ", program (",
                  absl::StrJoin(of.first.program, ", "), ")");
  if (of.second.line > 0)
    absl::StrAppend(&text, ", of a masked lane of line ", of.second.line);
  return text;
}

namespace {

/// The answer of a check of a pair.
template <Check JudgeFindings::*check>
void giveCheck(const JudgeSafety &of, KeyValue &to) {
  to.text(wordOf(((*of.found.judge).*check).answer));
}

llvm::StringRef kindOf(const Witness &witness) {
  switch (witness.kind) {
    case Kind::NotStored:
      return "not_stored";
    case Kind::OutOfBounds:
      return "out_of_bounds";
    case Kind::WrittenTwice:
      return "written_twice";
    case Kind::Overwritten:
    case Kind::SharedOverwritten:
      return "overwritten";
    default:
      return "value";
  }
}

/// Whether the witness is of what both kernels leave, not of the new one alone.
bool isOfBoth(const Witness &witness) {
  return witness.kind == Kind::StoredOther || witness.kind == Kind::NotStored;
}

const std::string &nameOfArray(const JudgeWitness &of) {
  return of.entry.found.kernel.arguments[*of.witness.array].name;
}

void giveSizes(llvm::ArrayRef<std::pair<std::string, int64_t>> sizes,
               KeyValue &to) {
  std::vector<std::string> names;
  std::vector<int64_t> numbers;
  for (const auto &[name, value] : sizes) {
    names.push_back(name);
    numbers.push_back(value);
  }
  to.integersByName(names, numbers);
}

/// Gives two numbers, new first, if both are known.
template <typename Number>
void giveBoth(const std::optional<Number> &first,
              const std::optional<Number> &second, KeyValue &to) {
  if (!first || !second) return;
  to.items([&](KeyValue &each) {
    for (const Number number : {*first, *second})
      if constexpr (std::is_integral_v<Number>)
        each.integer(number);
      else
        each.number(number, 3);
  });
}

}  // namespace

template <>
KeyList<JudgeEntry> keysOf<JudgeEntry>() {
  static constexpr Key<JudgeEntry> kKeys[] = {
      {"verdict",
       "`\"same\"`, `\"same_where\"`, `\"different\"` or `\"undecided\"`",
       "never",
       "`same`: it is proved that both leave the same in every array that "
       "counts, whatever the arrays held before. `same_where`: it is proved "
       "under the condition of `sizes`, and no other sizes are known at which "
       "they differ. `different`: `witness` shows it",
       [](const JudgeEntry &of, KeyValue &to) {
         to.text(judgedWord(of.judge));
       }},
      {"old", "string", "never", "the name of the kernel that specifies it",
       [](const JudgeEntry &of, KeyValue &to) { to.text(of.judge.function); }},
      {"grid_of", "list of integers",
       "the verdict is for all sizes, and has no witness",
       "programs of the old kernel along x, y and z",
       [](const JudgeEntry &of, KeyValue &to) {
         if (of.judge.hasSizes()) to.integers(of.judge.grid);
       }},
      {"sizes", "[sizes](#sizes-of-a-judged-kernel)", "never",
       "for which sizes the verdict is",
       [](const JudgeEntry &of, KeyValue &to) {
         to.object(JudgeSizes{of.judge});
       }},
      {"laws", "list of strings", "none is needed",
       "laws of floats by which the two are the same. If the verdict is "
       "`undecided`: laws that `--float-laws` does not name",
       [](const JudgeEntry &of, KeyValue &to) {
         to.textsIfAny(of.verdict().laws);
       }},
      {"decided_by", "list of strings",
       "the verdict is not `undecided`, or no option is known",
       "options with which the verdict would be `same`",
       [](const JudgeEntry &of, KeyValue &to) {
         to.textsIfAny(of.verdict().decidedBy);
       }},
      {"taken", "list of [what is taken](#what-is-taken)",
       "the old file is not in Python",
       "the assumptions of the verdict about the old kernel",
       [](const JudgeEntry &of, KeyValue &to) {
         if (of.judge.taken.empty()) return;
         to.list(of.judge.taken, [](const kernels::Taken &taken,
                                    KeyValue &each) { each.object(taken); });
       }},
      {"witness", "[witness](#a-witness-of-two-kernels)",
       "the verdict is not `different`", "",
       [](const JudgeEntry &of, KeyValue &to) {
         if (of.verdict().witness)
           to.object(JudgeWitness{of, *of.verdict().witness});
       }},
      {"reason", "string", "the verdict is decided", "why it is not",
       [](const JudgeEntry &of, KeyValue &to) {
         to.textIfAny(of.verdict().reason);
       }},
      {"line", "integer >= 1",
       "the verdict is decided, or no store is the reason",
       "the store of the new kernel that is not decided",
       [](const JudgeEntry &of, KeyValue &to) {
         for (const kernels::ValueDifference &value : of.judge.compared.values)
           if (value.line > 0 && !of.verdict().isDecided())
             return to.integer(value.line);
       }},
      {"side", "`\"new\"` or `\"old\"`", "the verdict is decided",
       "the kernel in which the reason lies: an `old` one specifies nothing",
       [](const JudgeEntry &of, KeyValue &to) {
         if (!of.verdict().isDecided())
           to.text(of.judge.compared.isOfOld ? "old" : "new");
       }},
      {"safety", "[safety](#safety-of-a-judged-kernel)", "never",
       "checks of the new kernel, in words",
       [](const JudgeEntry &of, KeyValue &to) {
         to.object(JudgeSafety{of.found});
       }},
      {"cost", "[cost](#cost-of-a-judged-kernel)", "never", "what both cost",
       [](const JudgeEntry &of, KeyValue &to) { to.object(JudgeCost{of}); }},
  };
  return {"A judged kernel", kKeys};
}

template <>
KeyList<RefusedKernel> keysOf<RefusedKernel>() {
  static constexpr Key<RefusedKernel> kKeys[] = {
      {kKeysOf, "[the head](#the-head) without `file`", "", "", nullptr},
      {"request", "integer >= 1", "never", "the line of the request",
       [](const RefusedKernel &of, KeyValue &to) { to.integer(of.request); }},
      {"id", "string", "the request has none", "the `id` of the request",
       [](const RefusedKernel &of, KeyValue &to) { to.textIfAny(of.id); }},
      {"refused", "string", "never",
       "why there is no answer: what is wrong with the request, or with a "
       "kernel, with the line and the column in its text",
       [](const RefusedKernel &of, KeyValue &to) { to.text(of.why); }},
  };
  return {"A refused request", kKeys};
}

template <>
KeyList<JudgeSizes> keysOf<JudgeSizes>() {
  static constexpr Key<JudgeSizes> kKeys[] = {
      {"for", "`\"these\"` or `\"all\"`", "never",
       "`these`: the verdict is for the values in `values`. `all`: `same` is "
       "for all values of the sizes that the call gives none, and `different` "
       "for those of `values`",
       [](const JudgeSizes &of, KeyValue &to) {
         to.text(of.judge.isForAll ? "all" : "these");
       }},
      {"values", "integers by name",
       "the verdict is for all sizes, and has no witness",
       "the integers of the call, or of the witness, by name",
       [](const JudgeSizes &of, KeyValue &to) {
         if (of.judge.hasSizes()) giveSizes(of.judge.sizes, to);
       }},
      {"assume", "list of strings",
       "the call has no `--assume`, or all sizes "
       "have values",
       "the conditions of the call",
       [](const JudgeSizes &of, KeyValue &to) {
         to.textsIfAny(of.judge.assumed);
       }},
      {"where", "string", "none is known, or none is needed",
       "a condition of sizes under which it is proved that both leave the same",
       [](const JudgeSizes &of, KeyValue &to) {
         to.textIfAny(of.judge.where);
       }},
      {"granted", "list of strings", "nothing is proved for all sizes",
       "the sizes for which the proof holds, in addition to `assume` and "
       "`where`",
       [](const JudgeSizes &of, KeyValue &to) {
         if (!of.judge.isForAll ||
             (of.judge.where.empty() && !of.judge.compared.verdict.isSame()))
           return;
         to.textsIfAny(std::vector<std::string>{
             "the old kernel stays in its arrays, and stores no element twice",
             "no integer of 32 bits of an address, a mask or a loop leaves its "
             "range"});
       }},
  };
  return {"Sizes of a judged kernel", kKeys};
}

template <>
KeyList<JudgeSafety> keysOf<JudgeSafety>() {
  static constexpr Key<JudgeSafety> kKeys[] = {
      {"out_of_bounds", "`\"proved\"`, `\"violated\"` or `\"undecided\"`",
       "never", "the answer of `in_bounds`: `violated` if an access is outside",
       [](const JudgeSafety &of, KeyValue &to) {
         to.text(wordOf(of.found.worstBounds().answer));
       }},
      {"written_twice", "`\"proved\"`, `\"violated\"` or `\"undecided\"`",
       "never",
       "the answer of `written_once`: `violated` if two stores of an element "
       "have no order",
       [](const JudgeSafety &of, KeyValue &to) {
         to.text(wordOf(of.found.once.answer));
       }},
      {"overwritten", "`\"proved\"`, `\"violated\"` or `\"undecided\"`",
       "no array is both loaded and stored",
       "the answer of `overwritten`: `violated` if a load may find what "
       "another "
       "access has overwritten",
       [](const JudgeSafety &of, KeyValue &to) {
         if (of.found.overwritten)
           to.text(wordOf(of.found.overwritten->answer));
       }},
      {"never_written", "`\"proved\"`, `\"violated\"` or `\"undecided\"`",
       "never",
       "`violated` if an element of an output stays as it was; without "
       "`--shape`, one that the old kernel stores. An output is an array that "
       "the old kernel stores, and does not load",
       giveCheck<&JudgeFindings::neverWritten>},
      {"read_before_written", "`\"proved\"`, `\"violated\"` or `\"undecided\"`",
       "never",
       "`violated` if a program loads an element of an output that it has not "
       "stored before. `--zero` gives an array its content",
       giveCheck<&JudgeFindings::readBeforeWritten>},
      {"undefined", "`\"proved\"`, `\"violated\"` or `\"undecided\"`", "never",
       "`violated` if an element that is stored is computed of a masked lane "
       "of a load without `other`, which holds anything. `proved` if none is",
       [](const JudgeSafety &of, KeyValue &to) {
         to.text(wordOf(of.found.judge->compared.defined.answer));
       }},
      {"violations", "list of [violations](#a-violation-of-a-judged-kernel)",
       "none of the last three is violated", "where they are",
       [](const JudgeSafety &of, KeyValue &to) {
         const auto all = violationsOf(of.found);
         if (all.empty()) return;
         to.list(all, [](const JudgeViolation &violation, KeyValue &each) {
           each.object(violation);
         });
       }},
  };
  return {"Safety of a judged kernel", kKeys};
}

template <>
KeyList<JudgeViolation> keysOf<JudgeViolation>() {
  static constexpr Key<JudgeViolation> kKeys[] = {
      {"what",
       "`\"never_written\"`, `\"read_before_written\"` or `\"undefined\"`",
       "never", "the check",
       [](const JudgeViolation &of, KeyValue &to) { to.text(of.what); }},
      {"argument", "string", "never", "the array",
       [](const JudgeViolation &of, KeyValue &to) {
         to.text(of.found.kernel.arguments[*of.witness.array].name);
       }},
      {"element", "integer", "never", "the number of the element in memory",
       [](const JudgeViolation &of, KeyValue &to) {
         to.integer(of.witness.element.front());
       }},
      {"program", "list of integers", "no program stores it",
       "the program that loads it, or stores it",
       [](const JudgeViolation &of, KeyValue &to) {
         if (!of.witness.first.program.empty())
           to.integers(of.witness.first.program);
       }},
      {"line", "integer >= 0", "no program stores it",
       "the line of that load, or store",
       [](const JudgeViolation &of, KeyValue &to) {
         if (!of.witness.first.program.empty())
           to.integer(of.witness.first.line);
       }},
      {"load", "integer >= 0", "`what` is not `undefined`",
       "the line of the load whose masked lane it is",
       [](const JudgeViolation &of, KeyValue &to) {
         if (of.witness.second.line > 0) to.integer(of.witness.second.line);
       }},
  };
  return {"A violation of a judged kernel", kKeys};
}

template <>
KeyList<JudgeCost> keysOf<JudgeCost>() {
  static constexpr Key<JudgeCost> kKeys[] = {
      {"moved_bytes", "list of integers",
       "it is not known of one of the kernels",
       "the bytes of the sectors that both move: the new kernel, the old one",
       [](const JudgeCost &of, KeyValue &to) {
         giveBoth(of.entry.found.moved(), of.entry.judge.movedByOld, to);
       }},
      {"predicted_us", "list of numbers",
       "it is not known of one of the kernels",
       "how long a launch of both takes, by "
       "[the model](report.md#predicted-times): the new kernel, the old one",
       [](const JudgeCost &of, KeyValue &to) {
         std::optional<double> own;
         if (of.entry.found.time) own = of.entry.found.time->total();
         giveBoth(own, of.entry.judge.timeOfOld, to);
       }},
  };
  return {"Cost of a judged kernel", kKeys};
}

template <>
KeyList<JudgeInput> keysOf<JudgeInput>() {
  static constexpr Key<JudgeInput> kKeys[] = {
      {"argument", "string", "it is of a masked lane",
       "the name of the argument",
       [](const JudgeInput &of, KeyValue &to) {
         if (!of.load()) to.text(of.input.name);
       }},
      {"element", "integer", "it is of a scalar or a masked lane",
       "the number of the element in memory",
       [](const JudgeInput &of, KeyValue &to) {
         if (!of.load() && !of.input.element.empty())
           to.integer(of.input.element[0]);
       }},
      {"lane", "[lane](#a-masked-lane)", "it is of an argument",
       "a lane of the new kernel that a mask leaves out, and no `other` gives "
       "a value",
       [](const JudgeInput &of, KeyValue &to) {
         if (const auto *load = of.load())
           to.object(JudgeLane{*load, of.input});
       }},
      {"value", "string", "never",
       "the number that it holds before the launch, or that the load gives the "
       "lane",
       [](const JudgeInput &of, KeyValue &to) { to.text(of.input.value); }},
  };
  return {"An input of two kernels", kKeys};
}

template <>
KeyList<JudgeLane> keysOf<JudgeLane>() {
  static constexpr Key<JudgeLane> kKeys[] = {
      {"line", "integer >= 0", "never", "of the load",
       [](const JudgeLane &of, KeyValue &to) {
         to.integer(of.load.place.line);
       }},
      {"program", "list of integers", "never", "that loads it",
       [](const JudgeLane &of, KeyValue &to) {
         to.integers(llvm::ArrayRef(of.input.element).take_front(3));
       }},
      {"turns", "list of integers", "the load is in no loop",
       "of the loops around it before, the outermost first",
       [](const JudgeLane &of, KeyValue &to) {
         const auto turns = llvm::ArrayRef(of.input.element)
                                .drop_front(3)
                                .drop_back(of.load.tile.size());
         if (!turns.empty()) to.integers(turns);
       }},
      {"tile", "list of integers", "it is a scalar",
       "the coordinates in the tile",
       [](const JudgeLane &of, KeyValue &to) {
         if (!of.load.tile.empty())
           to.integers(
               llvm::ArrayRef(of.input.element).take_back(of.load.tile.size()));
       }},
  };
  return {"A masked lane", kKeys};
}

template <>
KeyList<JudgeWitness> keysOf<JudgeWitness>() {
  static constexpr Key<JudgeWitness> kKeys[] = {
      {"kind",
       "`\"value\"`, `\"not_stored\"`, `\"out_of_bounds\"`, "
       "`\"written_twice\"` or `\"overwritten\"`",
       "never",
       "`value`: the new kernel leaves another number. `not_stored`: it does "
       "not store what the old one stores. The others: the behaviour of the "
       "new kernel is undefined, and the check of that name has the witness "
       "(`in_bounds`, `written_once`, `overwritten`)",
       [](const JudgeWitness &of, KeyValue &to) {
         to.text(kindOf(of.witness));
       }},
      {"sizes", "integers by name", "never",
       "the integers of the call, or of the witness, by name",
       [](const JudgeWitness &of, KeyValue &to) {
         giveSizes(of.entry.judge.sizes, to);
       }},
      {"grid", "list of integers", "never", "programs of the new kernel",
       [](const JudgeWitness &of, KeyValue &to) {
         to.integers(of.entry.found.kernel.grid);
       }},
      {"grid_of", "list of integers", "never", "programs of the old kernel",
       [](const JudgeWitness &of, KeyValue &to) {
         to.integers(of.entry.judge.grid);
       }},
      {"argument", "string", "it is out of bounds",
       "the array, by its name in the new kernel",
       [](const JudgeWitness &of, KeyValue &to) {
         if (of.witness.array) to.text(nameOfArray(of));
       }},
      {"element", "integer", "never", "the number of the element in memory",
       [](const JudgeWitness &of, KeyValue &to) {
         to.integer(of.witness.element.front());
       }},
      {"program", "list of integers", "the new kernel does not store it",
       "the program of the new kernel that stores it",
       [](const JudgeWitness &of, KeyValue &to) {
         if (!of.witness.first.program.empty())
           to.integers(of.witness.first.program);
       }},
      {"line", "integer >= 0", "the new kernel does not store it",
       "the line of that store",
       [](const JudgeWitness &of, KeyValue &to) {
         if (!of.witness.first.program.empty())
           to.integer(of.witness.first.line);
       }},
      {"program_of", "list of integers", "the old kernel does not store it",
       "the program of the old kernel that stores it",
       [](const JudgeWitness &of, KeyValue &to) {
         if (isOfBoth(of.witness) && !of.witness.second.program.empty())
           to.integers(of.witness.second.program);
       }},
      {"line_of", "integer >= 0", "the old kernel does not store it",
       "the line of that store",
       [](const JudgeWitness &of, KeyValue &to) {
         if (isOfBoth(of.witness) && !of.witness.second.program.empty())
           to.integer(of.witness.second.line);
       }},
      {"value", "string",
       "`kind` is of the new kernel alone, or any number will do",
       "what the new kernel leaves: a number, or its bounds",
       [](const JudgeWitness &of, KeyValue &to) {
         if (isOfBoth(of.witness)) to.textIfAny(of.witness.first.value);
       }},
      {"value_of", "string",
       "`kind` is of the new kernel alone, or any number will do",
       "what the old kernel leaves: a number, or its bounds",
       [](const JudgeWitness &of, KeyValue &to) {
         if (isOfBoth(of.witness)) to.textIfAny(of.witness.second.value);
       }},
      {"term", "string", "it is not known", "`value` as a term",
       [](const JudgeWitness &of, KeyValue &to) {
         if (isOfBoth(of.witness)) to.textIfAny(of.witness.first.term);
       }},
      {"term_of", "string", "it is not known", "`value_of` as a term",
       [](const JudgeWitness &of, KeyValue &to) {
         if (isOfBoth(of.witness)) to.textIfAny(of.witness.second.term);
       }},
      {"inputs", "list of [inputs](#an-input-of-two-kernels)",
       "the kernels differ whatever the arrays hold",
       "what the arrays hold before the launch",
       [](const JudgeWitness &of, KeyValue &to) {
         if (of.witness.inputs.empty()) return;
         to.list(of.witness.inputs,
                 [&](const Witness::Input &input, KeyValue &each) {
                   each.object(JudgeInput{of.entry, input});
                 });
       }},
      {"others", "integer", "all that is read is in `inputs`",
       "what all other elements hold",
       [](const JudgeWitness &of, KeyValue &to) {
         if (of.witness.others) to.integer(*of.witness.others);
       }},
  };
  return {"A witness of two kernels", kKeys};
}

}  // namespace indexical
