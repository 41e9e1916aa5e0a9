#include "llvm/ADT/STLExtras.h"

#include "tests/oracle/definitions.h"

namespace indexical::testing {
namespace {

/// Adds the reads of all inits to every element of every result.
void readInits(Tensors &results, const Tensors &operands) {
  for (Tensor &result : results)
    for (Reads &reads : result.elements)
      for (size_t k = operands.size() / 2; k < operands.size(); ++k)
        unite(reads, operands[k].at({}));
}

/// Returns, for each place of the dilated and padded base along one dimension,
/// the index of the operand that lies there, or -1 for padding.
std::vector<int64_t> paddedBase(const WindowDimension &window, int64_t size) {
  std::vector<int64_t> base;
  for (int64_t i = 0; i < size; ++i) {
    if (i > 0) base.resize(base.size() + window.baseDilation - 1, -1);
    base.push_back(i);
  }
  base.insert(base.end(), std::max<int64_t>(window.padHigh, 0), -1);
  base.insert(base.begin(), std::max<int64_t>(window.padLow, 0), -1);
  for (int64_t n = window.padHigh; n < 0 && !base.empty(); ++n) base.pop_back();
  for (int64_t n = window.padLow; n < 0 && !base.empty(); ++n)
    base.erase(base.begin());
  return base;
}

}  // namespace

Tensors define(const ReduceOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  const size_t inputs = operands.size() / 2;
  forEachIndex(operands[0].sizes, [&](const Index &from) {
    Index to;
    for (size_t k = 0; k < from.size(); ++k)
      if (!llvm::is_contained(op.dimensions, k)) to.push_back(from[k]);
    for (Tensor &result : results)
      for (size_t k = 0; k < inputs; ++k)
        unite(result.at(to), operands[k].at(from));
  });
  readInits(results, operands);
  return results;
}

Tensors define(const ReduceWindowOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  std::vector<std::vector<int64_t>> bases;
  Index windowSizes;
  for (size_t k = 0; k < op.window.size(); ++k) {
    bases.push_back(paddedBase(op.window[k], operands[0].sizes[k]));
    windowSizes.push_back(op.window[k].size);
  }
  const size_t inputs = operands.size() / 2;
  forEachIndex(results[0].sizes, [&](const Index &to) {
    forEachIndex(windowSizes, [&](const Index &within) {
      Index from;
      for (size_t k = 0; k < to.size(); ++k) {
        const WindowDimension &window = op.window[k];
        int64_t step =
            window.reversed ? window.size - 1 - within[k] : within[k];
        int64_t place = to[k] * window.stride + step * window.windowDilation;
        from.push_back(bases[k].at(place));
        if (from.back() < 0) return;
      }
      for (Tensor &result : results)
        for (size_t k = 0; k < inputs; ++k)
          unite(result.at(to), operands[k].at(from));
    });
  });
  readInits(results, operands);
  return results;
}

}  // namespace indexical::testing
