#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/report/keys.h"
#include "indexical/answers/saturated.h"
#include "indexical/answers/words.h"

namespace indexical {

void sourceOf(llvm::ArrayRef<StackFrame> stack, KeyValue &to) {
  if (!stack.empty()) to.text(stack.front().place());
}

void stackOf(llvm::ArrayRef<StackFrame> stack, KeyValue &to) {
  if (stack.empty()) return;
  to.list(stack, [](const StackFrame &frame, KeyValue &each) {
    each.text(frame.str());
  });
}

Figure movedOf(const AccessFigures &figures, const Device &device) {
  return {productOf(figures.sectors.least, device.sector),
          productOf(figures.sectors.most, device.sector)};
}

void figure(const Figure &figure, KeyValue &to) {
  if (figure.isKnown())
    to.integer(figure.least);
  else
    to.integers({figure.least, figure.most});
}

std::optional<IndexingRelation> threadsOf(const KernelCost &kernel,
                                          const MemoryAccess &access) {
  if (access.launch >= kernel.traffic().threads.size()) return std::nullopt;
  const IndexingMap &threads = kernel.traffic().threads[access.launch];
  if (threads.isKnownEmpty()) return std::nullopt;
  auto composed = threadsInArray(kernel.kernel(), access, threads);
  if (!composed.ok()) return std::nullopt;
  return *std::move(composed);
}

std::string reasonOf(const KernelCost &kernel, const Traffic &traffic) {
  return kernel.kernel().bytesOnly && !kernel.kernel().reason.empty()
             ? kernel.kernel().reason
             : wordsOf(traffic.why);
}

namespace {

//===-- What several keys ask ---------------------------------------------===//

// Maps share what they repeat, and texts do not: transposes and reshapes whose
// cuts do not align double the text at every step.
constexpr int64_t kMostTerms = 5'000;

/// Returns how many terms the largest expression of the maps has, written out.
int64_t termsOf(const IndexingRelation &relation) {
  int64_t most = 0;
  for (const IndexingMap &piece : relation.pieces()) {
    const ExpressionTable &table = piece.expressions();
    auto add = [&](FormId form) {
      most = std::max(most, table.writtenSize(form));
    };
    llvm::for_each(piece.resultsAndMembers(), add);
    for (const Constraint &constraint : piece.constraints())
      add(constraint.form);
    for (const RuntimeVariable &variable : piece.runtime())
      llvm::for_each(variable.index, add);
  }
  return most;
}

std::string mapsText(const IndexingRelation &relation) {
  std::string text;
  for (const IndexingMap &piece : relation.pieces())
    text += (text.empty() ? "" : "; ") + piece.strOneLine();
  return text;
}

// A text that is kept begins with a mark, and is not empty: a map follows, or
// the number of the terms of one that is not shown.
constexpr llvm::StringLiteral kShown(":"), kNotShown("#");

std::string markedText(const std::optional<IndexingRelation> &maps) {
  if (!maps) return "";
  const int64_t terms = termsOf(*maps);
  return terms > kMostTerms ? kNotShown.str() + std::to_string(terms)
                            : kShown.str() + mapsText(*maps);
}

std::string markedMap(const AccessEntry &of) {
  if (of.kernel().bytesOnly || !of.in.showsMaps) return "";
  const MemoryAccess &access = of.traffic.access;
  const KernelUser &user = of.kernel().userOf(access);
  return of.in.texts.of(of.cost, &access, [&] {
    return markedText(user.tile ? user.fromRoot : access.map);
  });
}

std::string markedThreadMap(const AccessEntry &of) {
  if (of.kernel().bytesOnly || !of.in.showsMaps) return "";
  return of.in.texts.of(of.cost, &of.traffic.figures, [&] {
    return markedText(threadsOf(of.cost, of.traffic.access));
  });
}

void textOf(llvm::StringRef marked, KeyValue &to) {
  if (marked.consume_front(kShown)) to.textIfAny(marked);
}

/// Gives the number of terms if a map is not shown.
void notShown(const AccessEntry &of, KeyValue &to) {
  int64_t most = 0;
  for (const std::string &marked : {markedMap(of), markedThreadMap(of)}) {
    llvm::StringRef digits = marked;
    int64_t terms = 0;
    if (digits.consume_front(kNotShown) && !digits.getAsInteger(10, terms))
      most = std::max(most, terms);
  }
  if (most > 0) to.integer(most);
}

void phaseOf(const AccessEntry &of, KeyValue &to) {
  if (of.kernel().model == LaunchModel::Xla && !of.kernel().bytesOnly)
    to.text(nameOf(of.kernel().userOf(of.traffic.access).phase));
}

/// The size of an array of a kernel of Triton may be open while the touched
/// part of it is known.
bool areBytesShown(const AccessEntry &of) {
  return areBytesKnown(of.row) &&
         !of.kernel().buffers[of.traffic.access.buffer].hasUnknownSize();
}

void figure(const std::optional<AccessFigures> &figures,
            Figure AccessFigures::*of, KeyValue &to) {
  if (figures) figure((*figures).*of, to);
}

bool hasRemedy(const Traffic &traffic) {
  return traffic.figures && traffic.finding.remedy.kind != RemedyKind::None;
}

}  // namespace

template <>
KeyList<AccessEntry> keysOf<AccessEntry>() {
  static constexpr Key<AccessEntry> kKeys[] = {
      {"shape", "string", "never",
       "the array, with its layout; of a kernel of Triton its elements as they "
       "lie in memory, `f32[98432]`",
       [](const AccessEntry &of, KeyValue &to) {
         to.text(of.kernel().buffers[of.traffic.access.buffer].str(
             /*withLayout=*/true));
       },
       Column{16}},
      {"map", "string",
       "`report` without `--maps`, but for CSV and pages; the kernel shows "
       "bytes "
       "only; of a kernel of Triton, it is not affine; it is `not_shown`",
       "from the index of the threads to the index of the array; several "
       "pieces stand one after another, with `; ` between them; of a kernel of "
       "Triton from the program, the loops and the coordinates of the tile to "
       "the number of the element in memory",
       [](const AccessEntry &of, KeyValue &to) { textOf(markedMap(of), to); },
       Column{41}},
      {"thread_map", "string",
       "`report` without `--maps`, but for CSV and pages; the kernel shows "
       "bytes "
       "only; the launch has no such map; it is `not_shown`",
       "from the ids of thread and block, and the loops, to the index of this "
       "array; loops on which that index does not depend may be left out, and "
       "the figures count their iterations all the same; of a fusion that XLA "
       "gives to Triton from `bl_x` and the loops over its tile",
       [](const AccessEntry &of, KeyValue &to) {
         textOf(markedThreadMap(of), to);
       },
       Column{42}},
      {"not_shown", "integer >= 5001",
       "no expression of these maps has more than 5000 terms; the maps are not "
       "asked for",
       "`map`, `thread_map` or both are left out, because one of their "
       "expressions has this many terms; the figures are computed from the "
       "maps all the same",
       [](const AccessEntry &of, KeyValue &to) { notShown(of, to); }},
      {"phase", "`\"read\"` or `\"write\"`",
       "the kernel's `launch` is not `xla`",
       "the part of the emitter in which the access is made",
       [](const AccessEntry &of, KeyValue &to) { phaseOf(of, to); },
       Column{43}},
      {"bytes", "integer >= 0 or null", "never",
       "the bytes of the whole array; `null`: a size is not known",
       [](const AccessEntry &of, KeyValue &to) {
         if (areBytesShown(of))
           to.integer(of.traffic.bytes);
         else
           to.null();
       },
       Column{17}},
      {"padded_bytes", "integer >= 1",
       "the array has none, or its layout is not known",
       "bytes in memory beyond those of its elements: tiles, `T(8,128)`, that "
       "stick out, and elements that are stored wider than their type, as s4 "
       "without `E(4)`",
       [](const AccessEntry &of, KeyValue &to) {
         const int64_t padded =
             paddedBytes(of.kernel().buffers[of.traffic.access.buffer]);
         if (padded > 0) to.integer(padded);
       }},
      {"moved_bytes", "[figure](#a-figure)", "with `reason`",
       "the bytes of the sectors",
       [](const AccessEntry &of, KeyValue &to) {
         if (of.traffic.figures)
           figure(movedOf(*of.traffic.figures, of.device), to);
       },
       Column{18}},
      {"accesses", "[figure](#a-figure)", "with `reason`",
       "accesses with an active lane",
       [](const AccessEntry &of, KeyValue &to) {
         figure(of.traffic.figures, &AccessFigures::accesses, to);
       },
       Column{19}},
      {"active_lanes", "[figure](#a-figure)", "with `reason`",
       "lanes that take part, summed over the accesses",
       [](const AccessEntry &of, KeyValue &to) {
         figure(of.traffic.figures, &AccessFigures::activeLanes, to);
       },
       Column{20}},
      {"bytes_used", "[figure](#a-figure)", "with `reason`",
       "the different bytes of each access, summed",
       [](const AccessEntry &of, KeyValue &to) {
         figure(of.traffic.figures, &AccessFigures::bytesUsed, to);
       },
       Column{21}},
      {"sectors", "[figure](#a-figure)", "with `reason`",
       "sectors that the accesses touch, summed",
       [](const AccessEntry &of, KeyValue &to) {
         figure(of.traffic.figures, &AccessFigures::sectors, to);
       },
       Column{22}},
      {"sectors_fewest", "[figure](#a-figure)", "with `reason`",
       "sectors that the bytes of each access need, summed",
       [](const AccessEntry &of, KeyValue &to) {
         figure(of.traffic.figures, &AccessFigures::sectorsFewest, to);
       },
       Column{23}},
      {"lines", "[figure](#a-figure)", "with `reason`",
       "cache lines that the accesses touch, summed",
       [](const AccessEntry &of, KeyValue &to) {
         figure(of.traffic.figures, &AccessFigures::lines, to);
       },
       Column{24}},
      {"distinct_sectors", "[figure](#a-figure)", "with `reason`",
       "different sectors in the whole launch",
       [](const AccessEntry &of, KeyValue &to) {
         figure(of.traffic.figures, &AccessFigures::distinctSectors, to);
       },
       Column{25}},
      {"wasted_bytes", "[figure](#a-figure)", "with `reason`",
       "the bytes of the sectors beyond the fewest",
       [](const AccessEntry &of, KeyValue &to) {
         figure(of.traffic.figures, &AccessFigures::wastedBytes, to);
       },
       Column{26}},
      {"exact", "boolean", "with `reason`",
       "whether the figures are attained; otherwise they are bounds",
       [](const AccessEntry &of, KeyValue &to) {
         if (of.traffic.figures) to.boolean(of.traffic.figures->exact);
       },
       Column{27}},
      {"vector", "integer >= 1", "with `reason`",
       "elements that a lane takes at once",
       [](const AccessEntry &of, KeyValue &to) {
         if (of.traffic.figures) to.integer(of.traffic.figures->vector);
       },
       Column{28}},
      {"coalesced", "boolean", "with `reason`",
       "whether the access touches less than twice the fewest sectors",
       [](const AccessEntry &of, KeyValue &to) {
         if (of.traffic.figures) to.boolean(of.traffic.figures->isCoalesced());
       },
       Column{29}},
      {"pattern", "string", "with `reason`",
       "what the lanes do, [in words](#patterns)",
       [](const AccessEntry &of, KeyValue &to) {
         if (of.traffic.figures) to.text(nameOf(of.traffic.finding.pattern));
       },
       Column{30}},
      {"pattern_bits", "integer >= 0",
       "with `reason`; the pattern has no figure", "the figure of the pattern",
       [](const AccessEntry &of, KeyValue &to) {
         if (of.traffic.figures && hasBits(of.traffic.finding.pattern))
           to.integer(of.traffic.finding.pattern.bits);
       },
       Column{31}},
      {"reversed", "`true`", "with `reason`; it does not hold",
       "the lanes access the elements in reverse order",
       [](const AccessEntry &of, KeyValue &to) {
         to.ifTrue(of.traffic.figures && of.traffic.finding.pattern.reversed);
       },
       Column{32}},
      {"unaligned", "`true`", "with `reason`; it does not hold",
       "the runs of lanes cut sectors",
       [](const AccessEntry &of, KeyValue &to) {
         to.ifTrue(of.traffic.figures && of.traffic.finding.pattern.unaligned);
       },
       Column{33}},
      {"halo", "`true`", "with `reason`; it does not hold",
       "the array is read in windows: what is around a window is read, too",
       [](const AccessEntry &of, KeyValue &to) {
         to.ifTrue(of.traffic.figures && of.traffic.finding.pattern.halo);
       },
       Column{34}},
      {"by_every_thread", "`true`", "with `reason`; it does not hold",
       "all threads of a block read one address",
       [](const AccessEntry &of, KeyValue &to) {
         to.ifTrue(of.traffic.figures &&
                   of.traffic.finding.pattern.byEveryThread);
       },
       Column{47}},
      {"requests", "[figure](#a-figure)",
       "with `reason`; all threads of a block do not read one address",
       "accesses of the warps, each of which loads the address that all "
       "threads "
       "of its block read, and touches one sector: `accesses`, `sectors` and "
       "the bytes count it once a block",
       [](const AccessEntry &of, KeyValue &to) {
         if (of.traffic.figures && of.traffic.figures->requests)
           indexical::figure(*of.traffic.figures->requests, to);
       },
       Column{67}},
      {"remedy", "string",
       "with `reason`; no remedy is plain; `wasted_bytes` has bounds",
       "the recommendation, [in words](#remedies)",
       [](const AccessEntry &of, KeyValue &to) {
         if (hasRemedy(of.traffic)) to.text(wordsOf(of.traffic.finding.remedy));
       },
       Column{35}},
      {"layout", "list of integers", "with `reason`; the remedy names none",
       "the recommended layout of the array: the dimensions from the "
       "most minor one, as in HLO",
       [](const AccessEntry &of, KeyValue &to) {
         if (hasRemedy(of.traffic) && !of.traffic.finding.remedy.layout.empty())
           to.integers(of.traffic.finding.remedy.layout);
       },
       Column{36}},
      {"reason", "string", "with `accesses`", "why there are no figures",
       [](const AccessEntry &of, KeyValue &to) {
         if (!of.traffic.figures) to.text(reasonOf(of.cost, of.traffic));
       },
       Column{37}},
      {"op_name", "string", "the metadata has none",
       "`op_name` of the instruction that reads or writes",
       [](const AccessEntry &of, KeyValue &to) {
         to.textIfAny(of.metadata.opName);
       },
       Column{38}},
      {"source", "string", "the metadata has none",
       "its source file and line: the innermost frame",
       [](const AccessEntry &of, KeyValue &to) { sourceOf(of.stack, to); },
       Column{39}},
      {"stack", "list of strings", "with no `source`",
       "all frames, the innermost first: `layer.py:80 in dense`; at most 1000",
       [](const AccessEntry &of, KeyValue &to) { stackOf(of.stack, to); },
       Column{40}},
  };
  return {"An access", kKeys};
}

template <>
KeyList<ReadEntry> keysOf<ReadEntry>() {
  static constexpr Key<ReadEntry> kKeys[] = {
      {"operand", "integer >= 0", "never", "the array of the operands",
       [](const ReadEntry &of, KeyValue &to) {
         to.integer(int64_t{of.kernel().leafOf(of.traffic.access)});
       },
       Column{13}},
      {"instruction", "string", "never", "the instruction that makes the array",
       [](const ReadEntry &of, KeyValue &to) {
         to.text(of.in.report.names().arrayOf(of.cost, of.traffic, true));
       },
       Column{15}},
      {kKeysOf, "[an access](#an-access)", "", "",
       [](const ReadEntry &of, KeyValue &to) { to.keys<AccessEntry>(of); }},
  };
  return {"A read", kKeys};
}

template <>
KeyList<WriteEntry> keysOf<WriteEntry>() {
  static constexpr Key<WriteEntry> kKeys[] = {
      {"result", "integer >= 0", "never", "the array of the result",
       [](const WriteEntry &of, KeyValue &to) {
         to.integer(int64_t{of.kernel().leafOf(of.traffic.access)});
       },
       Column{14}},
      {"instruction", "string", "never", "the kernel",
       [](const WriteEntry &of, KeyValue &to) {
         to.text(of.in.report.names().arrayOf(of.cost, of.traffic, false));
       },
       Column{15}},
      {kKeysOf,
       "[an access](#an-access) without `halo`, `by_every_thread` and "
       "`requests`",
       "", "",
       [](const WriteEntry &of, KeyValue &to) { to.keys<AccessEntry>(of); }},
  };
  return {"A write", kKeys};
}

}  // namespace indexical
