#include "indexical/answers/report/live.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/report/keys.h"

namespace indexical {

std::vector<LiveAtPeak> livePeaksOf(const Program &program) {
  std::vector<LiveAtPeak> all;
  for (auto [number, module] : llvm::enumerate(program.modules))
    if (auto peak = livePeakOf(module))
      all.push_back({&program, number, *std::move(peak)});
  return all;
}

int64_t paddedBytes(const ArrayShape &shape) {
  const auto stored = storedBytes(shape);
  const auto elements = shape.elementCount();
  if (!stored || !elements) return 0;
  const int64_t bits = bitsOf(shape.type);
  if (bits == 0 || *elements > INT64_MAX / bits) return 0;
  return *stored - (*elements * bits + 7) / 8;
}

template <>
KeyList<LiveAtPeak> keysOf<LiveAtPeak>() {
  static constexpr Key<LiveAtPeak> kKeys[] = {
      {"module", "integer >= 0", "never", "the number of the module, from 0",
       [](const LiveAtPeak &of, KeyValue &to) {
         to.integer(static_cast<int64_t>(of.module));
       }},
      {"computation", "string", "never", "where the instruction is",
       [](const LiveAtPeak &of, KeyValue &to) {
         to.text(of.program->modules[of.module]
                     .computations[of.peak.computation]
                     .name);
       }},
      {"instruction", "string", "never", "what runs then",
       [](const LiveAtPeak &of, KeyValue &to) {
         to.text(of.nameOf(of.peak.computation, of.peak.at));
       }},
      {"bytes", "integer >= 0", "never", "the sum of `arrays`",
       [](const LiveAtPeak &of, KeyValue &to) { to.integer(of.peak.bytes); }},
      {"arrays", "list of [live arrays](#a-live-array)", "never",
       "the largest first",
       [](const LiveAtPeak &of, KeyValue &to) {
         to.list(of.peak.arrays, [&](const LiveArray &array, KeyValue &each) {
           each.object(LiveArrayEntry{of, array});
         });
       }},
  };
  return {"A peak of memory", kKeys};
}

template <>
KeyList<LiveArrayEntry> keysOf<LiveArrayEntry>() {
  static constexpr Key<LiveArrayEntry> kKeys[] = {
      {"computation", "string", "never", "where the array is made",
       [](const LiveArrayEntry &of, KeyValue &to) {
         to.text(of.in.program->modules[of.in.module]
                     .computations[of.array.computation]
                     .name);
       }},
      {"instruction", "string", "never", "what makes it",
       [](const LiveArrayEntry &of, KeyValue &to) {
         to.text(
             of.in.nameOf(of.array.computation, of.array.value.instruction));
       }},
      {"result", "integer >= 1", "it is the first array",
       "which of its arrays it is",
       [](const LiveArrayEntry &of, KeyValue &to) {
         if (of.array.value.leaf > 0) to.integer(int64_t{of.array.value.leaf});
       }},
      {"shape", "string", "never", "its shape, with its layout",
       [](const LiveArrayEntry &of, KeyValue &to) {
         to.text(of.shape().str(/*withLayout=*/true));
       }},
      {"bytes", "integer >= 0", "never",
       "what it takes in memory, padding included",
       [](const LiveArrayEntry &of, KeyValue &to) {
         to.integer(of.array.bytes);
       }},
      {"padded_bytes", "integer >= 1", "it has none",
       "the part of `bytes` that holds no element",
       [](const LiveArrayEntry &of, KeyValue &to) {
         const int64_t padded = paddedBytes(of.shape());
         if (padded > 0) to.integer(padded);
       }},
  };
  return {"A live array", kKeys};
}

}  // namespace indexical
