// Ops whose regions combine, select or compare elements.
#include <algorithm>
#include <map>

#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/ops/families.h"
#include "tests/import/stablehlo/op_run.h"

namespace indexical::testing {
namespace {

/// Returns the reads of `count` operands from `first` on. All results must read
/// the same of an operand.
absl::StatusOr<std::vector<const ElementReads *>> readsOfAll(OpRun &run,
                                                             size_t first,
                                                             size_t count) {
  std::vector<const ElementReads *> reads;
  for (size_t k = first; k < first + count; ++k) {
    auto of = run.reads(0, k);
    if (!of.ok()) return of.status();
    reads.push_back(*of);
    for (size_t r = 1; r < run.results.size(); ++r) {
      auto other = run.reads(r, k);
      if (!other.ok()) return other.status();
      if (**other != **of) return unequal(run, "results read differently");
    }
  }
  return reads;
}

void put(OpRun &run, size_t place, const ArrayValues &values) {
  for (size_t r = 0; r < run.results.size(); ++r)
    setValue(run.results[r], place, valueAt(values[r], 0));
}

}  // namespace

/// Inits, then inputs in their order.
absl::Status runReduction(OpRun &run) {
  const size_t inputs = run.results.size();
  auto read = readsOfAll(run, 0, inputs);
  if (!read.ok()) return read.status();
  auto init = readsOfAll(run, inputs, inputs);
  if (!init.ok()) return init.status();
  for (size_t place = 0; place < run.results[0].elements.size(); ++place) {
    ArrayValues into;
    for (size_t k = 0; k < inputs; ++k) {
      const auto &from = (*(*init)[k])[place];
      if (from.size() != 1) return unequal(run, "not one init is read");
      into.push_back(run.scalarAt(inputs + k, from[0]));
      if ((*(*read)[k])[place] != (*(*read)[0])[place])
        return unequal(run, "inputs are read differently");
    }
    for (int64_t element : (*(*read)[0])[place]) {
      ArrayValues with;
      for (size_t k = 0; k < inputs; ++k)
        with.push_back(run.scalarAt(k, element));
      if (auto s = run.combine(0, into, with); !s.ok()) return s;
    }
    put(run, place, into);
  }
  run.setComputed();
  return absl::OkStatus();
}

/// The input's element, then the updates' in their order.
absl::Status runScatter(OpRun &run) {
  const size_t inputs = run.results.size();
  std::vector<const ElementReads *> inputReads;
  for (size_t k = 0; k < inputs; ++k) {
    auto own = run.reads(k, k);
    if (!own.ok()) return own.status();
    inputReads.push_back(*own);
  }
  auto updates = readsOfAll(run, inputs + 1, inputs);
  if (!updates.ok()) return updates.status();
  for (size_t place = 0; place < run.results[0].elements.size(); ++place) {
    ArrayValues into;
    for (size_t k = 0; k < inputs; ++k) {
      const auto &from = (*inputReads[k])[place];
      if (from.size() != 1) return unequal(run, "not one element is scattered");
      into.push_back(run.scalarAt(k, from[0]));
    }
    for (int64_t element : (*(*updates)[0])[place]) {
      ArrayValues with;
      for (size_t k = 0; k < inputs; ++k)
        with.push_back(run.scalarAt(inputs + 1 + k, element));
      if (auto s = run.combine(0, into, with); !s.ok()) return s;
    }
    put(run, place, into);
  }
  run.setComputed();
  return absl::OkStatus();
}

//===-- Select and scatter ------------------------------------------------===//

namespace {

/// The element of the window that `select` prefers to all others.
absl::StatusOr<int64_t> selected(OpRun &run,
                                 const std::vector<int64_t> &window) {
  int64_t best = window[0];
  for (size_t i = 1; i < window.size(); ++i) {
    auto stays =
        run.runRegion(0, {run.scalarAt(0, best), run.scalarAt(0, window[i])});
    if (!stays.ok()) return stays.status();
    if (!(*stays)[0].elements[0].integer) best = window[i];
  }
  return best;
}

}  // namespace

/// The window of an element of the source are the elements of the result that
/// read it: what it may be scattered to.
absl::Status runSelectAndScatter(OpRun &run) {
  auto window = run.reads(0, 0), source = run.reads(0, 1),
       init = run.reads(0, 2);
  for (const auto &reads : {window, source, init})
    if (!reads.ok()) return reads.status();
  ArrayValue &result = run.results[0];
  std::vector<std::vector<int64_t>> windows(run.operands[1].elements.size());
  for (size_t place = 0; place < result.elements.size(); ++place)
    for (int64_t from : (**source)[place]) windows[from].push_back(place);
  std::vector<int64_t> chosen(windows.size());
  for (size_t from = 0; from < windows.size(); ++from) {
    if (windows[from].empty()) return unequal(run, "a source has no window");
    auto best = selected(run, windows[from]);
    if (!best.ok()) return best.status();
    chosen[from] = *best;
  }
  for (size_t place = 0; place < result.elements.size(); ++place) {
    std::vector<int64_t> wanted;
    ArrayValues into = {run.scalarAt(2, 0)};
    if ((**init)[place] != std::vector<int64_t>{0})
      return unequal(run, "the init is not read");
    for (int64_t from : (**source)[place]) {
      wanted.insert(wanted.end(), windows[from].begin(), windows[from].end());
      if (chosen[from] != static_cast<int64_t>(place)) continue;
      if (auto s = run.combine(1, into, {run.scalarAt(1, from)}); !s.ok())
        return s;
    }
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    if (wanted != (**window)[place])
      return unequal(run, "the windows read are not those of the sources");
    put(run, place, into);
  }
  run.setComputed();
  return absl::OkStatus();
}

//===-- Order -------------------------------------------------------------===//

namespace {

/// The places in that order; equal ones stay as they are. (Clang takes the
/// library's stable_sort for deprecated.)
template <typename IsBefore>
std::vector<int64_t> ordered(const std::vector<int64_t> &lane,
                             IsBefore isBefore) {
  std::vector<int64_t> order;
  for (int64_t place : lane)
    order.insert(std::upper_bound(order.begin(), order.end(), place, isBefore),
                 place);
  return order;
}

/// Elements of all operands at equal places, in the comparator's order.
absl::StatusOr<std::vector<int64_t>> sorted(OpRun &run,
                                            const std::vector<int64_t> &lane) {
  absl::Status status;
  auto order = ordered(lane, [&](int64_t a, int64_t b) {
    if (!status.ok()) return false;
    ArrayValues arguments;
    for (size_t k = 0; k < run.results.size(); ++k) {
      arguments.push_back(run.scalarAt(k, a));
      arguments.push_back(run.scalarAt(k, b));
    }
    auto before = run.runRegion(0, std::move(arguments));
    if (!before.ok()) status = before.status();
    return before.ok() && (*before)[0].elements[0].integer != 0;
  });
  if (!status.ok()) return status;
  return order;
}

}  // namespace

absl::Status runSort(OpRun &run) {
  const auto *sort = run.descriptor.as<SortOp>();
  if (!sort) return unequal(run, "is no sort");
  const size_t inputs = run.results.size();
  auto reads = readsOfAll(run, 0, inputs);
  if (!reads.ok()) return reads.status();
  std::map<std::vector<int64_t>, std::vector<int64_t>> known;
  for (size_t place = 0; place < run.results[0].elements.size(); ++place) {
    const auto &lane = (*(*reads)[0])[place];
    for (size_t k = 1; k < inputs; ++k)
      if ((*(*reads)[k])[place] != lane)
        return unequal(run, "inputs are read differently");
    auto &order = known[lane];
    if (order.empty()) {
      auto found = sorted(run, lane);
      if (!found.ok()) return found.status();
      order = *found;
    }
    const size_t at = indexAt(run.results[0].sizes, place)[sort->dimension];
    if (at >= order.size()) return unequal(run, "the lane is too short");
    for (size_t k = 0; k < inputs; ++k)
      run.results[k].elements[place] = run.operands[k].elements[order[at]];
  }
  run.setMoved();
  return absl::OkStatus();
}

/// Result 1 has the places of the elements along the dimension.
absl::Status runTopK(OpRun &run) {
  auto reads = readsOfAll(run, 0, 1);
  if (!reads.ok()) return reads.status();
  auto attribute = run.op->getAttrOfType<mlir::BoolAttr>("largest");
  const bool largest = !attribute || attribute.getValue();
  const ArrayValue &operand = run.operands[0];
  auto isBefore = [&](int64_t a, int64_t b) {
    const int64_t x = totalOrder(operand.kind, operand.elements[a]);
    const int64_t y = totalOrder(operand.kind, operand.elements[b]);
    return largest ? x > y : x < y;
  };
  ArrayValue &values = run.results[0], &places = run.results[1];
  for (size_t place = 0; place < values.elements.size(); ++place) {
    const auto lane = ordered((*(*reads)[0])[place], isBefore);
    const size_t at = indexAt(values.sizes, place).back();
    if (at >= lane.size()) return unequal(run, "the lane is too short");
    values.elements[place] = operand.elements[lane[at]];
    places.elements[place] =
        Scalar::integral(indexAt(operand.sizes, lane[at]).back());
  }
  run.setMoved();
  return absl::OkStatus();
}

}  // namespace indexical::testing
