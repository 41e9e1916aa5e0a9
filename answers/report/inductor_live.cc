#include "indexical/answers/report/inductor_live.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/shape.h"

namespace indexical {
namespace {

using python::HostTensor;

/// Returns the bytes of a memory, if they are known.
std::optional<int64_t> bytesOf(const HostTensor &whole) {
  const auto type = parseElementType(whole.element);
  if (!type || !whole.isKnown) return std::nullopt;
  return storedBytes(ArrayShape(*type, {whole.extent()}));
}

/// From the first step that has a memory to the last one.
struct Span {
  size_t first = SIZE_MAX, last = 0;

  bool isUsed() const { return first != SIZE_MAX; }
  void take(size_t step) {
    first = std::min(first, step);
    last = std::max(last, step);
  }
  bool has(size_t step) const { return first <= step && step <= last; }
};

std::vector<Span> spansOf(const python::OutputCode &code) {
  std::vector<Span> spans(code.memories.size());
  for (auto [number, step] : llvm::enumerate(code.steps)) {
    auto take = [&, at = number](const HostTensor &array) {
      if (array.memory < spans.size()) spans[array.memory].take(at);
    };
    for (const auto &[name, array] : step.arrays) take(array);
    for (const HostTensor &array : step.operands) take(array);
    for (const HostTensor &array : step.results) take(array);
  }
  const size_t end = code.steps.size() - 1;
  for (auto [span, memory] : llvm::zip_equal(spans, code.memories)) {
    if (memory.isInput) span = {0, end};
    if (memory.isResult && span.isUsed()) span.last = end;
  }
  return spans;
}

}  // namespace

std::optional<LivePeak> livePeakOf(const python::OutputCode &code,
                                   const InductorModule &text,
                                   const Module &module) {
  if (code.steps.empty()) return std::nullopt;
  const auto &instructions = module.entryComputation().instructions;
  std::map<llvm::StringRef, InstructionId> numbers;
  for (size_t k = 0; k < instructions.size(); ++k)
    numbers[instructions[k].name] = InstructionId(k);
  const std::vector<Span> spans = spansOf(code);
  LivePeak peak;
  peak.computation = module.entry;
  // What begins at a step less what ended before it.
  std::vector<int64_t> bytes(code.memories.size()),
      more(code.steps.size() + 1);
  int64_t all = 0;
  for (auto [k, memory] : llvm::enumerate(code.memories)) {
    if (!spans[k].isUsed()) continue;
    const auto known = text.arrays[k].empty() ? std::nullopt
                                              : bytesOf(memory.first);
    const auto sum = known ? checkedAdd(all, *known) : std::nullopt;
    if (!sum) return std::nullopt;
    all = *sum;
    bytes[k] = *known;
    more[spans[k].first] += bytes[k];
    more[spans[k].last + 1] -= bytes[k];
  }
  std::optional<size_t> worst;
  int64_t now = 0;
  for (size_t step = 0; step < code.steps.size(); ++step) {
    now += more[step];
    if (worst && now <= peak.bytes) continue;
    worst = step;
    peak.bytes = now;
  }
  peak.at = numbers.find(text.steps[*worst].name)->second;
  for (size_t k = 0; k < spans.size(); ++k)
    if (spans[k].has(*worst))
      peak.arrays.push_back(
          LiveArray{module.entry,
                    InstructionLeaf{numbers.find(text.arrays[k])->second, {}},
                    bytes[k]});
  llvm::stable_sort(peak.arrays, [](const LiveArray &a, const LiveArray &b) {
    return a.bytes > b.bytes;
  });
  return peak;
}

}  // namespace indexical
