#include "indexical/same/kernel/fusion_grid.h"

#include <algorithm>
#include <map>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/same/kernel/comparison.h"

namespace indexical::kernels {

int64_t programsOf(const ArrayShape &root, llvm::ArrayRef<int64_t> tile) {
  int64_t programs = 1;
  for (auto [size, side] : llvm::zip(root.dimensions, tile))
    programs = checkedMul(programs, ceilDiv(size, std::max<int64_t>(1, side)))
                   .value_or(INT64_MAX);
  return programs;
}

namespace {

/// Returns the sides of the result that the tile of a store lies along, by the
/// steps that its coordinates take. Returns nothing unless each side of the
/// tile is one of the result's.
std::optional<std::vector<ViewSide>> viewBySteps(const KernelAccess &store,
                                                 const ArrayShape &shape) {
  if (store.maps.size() != 1 || store.maps[0].map.isKnownEmpty() ||
      static_cast<int64_t>(store.tile.size()) != shape.rank())
    return std::nullopt;
  const IndexingMap &map = store.maps[0].map;
  const ExpressionTable &table = map.expressions();
  const size_t first = map.dimensions().size() - store.tile.size();
  std::map<size_t, int64_t> steps;  // of the tile's coordinates
  for (const Term &term : table.terms(map.results()[0])) {
    const auto id = table.atom(term.atom).asVariable();
    if (!id || id->kind != VariableKind::Dimension) return std::nullopt;
    if (id->index >= first) steps[id->index - first] = term.coefficient;
  }
  std::vector<ViewSide> view;
  for (int64_t size : shape.dimensions) view.push_back({size, 1});
  for (auto [k, side] : llvm::enumerate(store.tile)) {
    if (side == 1) continue;
    int64_t below = 1;
    bool isFound = false;
    for (int64_t d : shape.minorToMajor()) {
      if (!isFound && shape.dimensions[d] > 1 && view[d].tile == 1 &&
          steps[k] == below) {
        view[d].tile = side;
        isFound = true;
      }
      below *= shape.dimensions[d];
    }
    if (!isFound) return std::nullopt;
  }
  return view;
}

}  // namespace

std::optional<int64_t> programsThatStore(const TritonKernel &kernel,
                                         const Computation &computation) {
  const std::vector<ArrayShape> shapes = argumentShapes(computation);
  const std::vector<int64_t> arguments = arrayArguments(kernel);
  if (shapes.size() != arguments.size()) return std::nullopt;
  const size_t results =
      shapesOf(computation.instructions[computation.root].op).results.size();
  const KernelAccess *last = nullptr;  // store of a result
  size_t number = 0;                   // of that result, among the shapes
  std::vector<size_t> stores(shapes.size(), 0);
  for (const KernelAccess &access : kernel.accesses) {
    if (access.kind != AccessKind::Store) continue;
    const size_t at =
        llvm::find(arguments, access.argument()) - arguments.begin();
    if (at + results < shapes.size() || at >= shapes.size()) continue;
    last = &access;
    number = at;
    ++stores[at];
  }
  if (!last || stores[number] != 1 || !last->loops.empty() ||
      !shapes[number].elementCount())
    return std::nullopt;
  std::optional<std::vector<ViewSide>> view = last->view;
  if (view->empty()) view = viewBySteps(*last, shapes[number]);
  if (!view) return std::nullopt;
  int64_t programs = 1;
  for (const ViewSide &side : *view)
    programs = checkedMul(programs,
                          ceilDiv(side.size, std::max<int64_t>(1, side.tile)))
                   .value_or(INT64_MAX);
  return programs;
}

}  // namespace indexical::kernels
