#include "indexical/program/kernel/checks.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

namespace {

/// Returns the part of the map whose elements are in the interval.
absl::StatusOr<IndexingMap> partIn(const IndexingMap &map, Interval elements) {
  auto part =
      restricted(map, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> results) {
        b.constraint(results[0], elements);
      });
  return part.ok() ? simplify(*part) : part;
}

/// Returns whether each runtime variable of the map may have any value within
/// its bounds, whatever the others have: the call gives the bounds, and no two
/// are elements of one array.
bool areFree(const KernelAccess &access, const IndexingMap &map) {
  llvm::ArrayRef<RuntimeVariable> all = map.runtime();
  for (size_t k = 0; k < all.size(); ++k) {
    if (!llvm::is_contained(access.given, all[k].name)) return false;
    for (const RuntimeVariable &other : all.drop_front(k + 1))
      if (other.source.tensor == all[k].source.tensor) return false;
  }
  return true;
}

bool mayBeViolated(const KernelAccess &access, const IndexingMap &map) {
  return access.mask != MaskKind::Cover && access.mayNotCome.empty() &&
         areFree(access, map);
}

/// Checks that no point of the map has an element in the interval, which is
/// outside of the buffer.
Check outside(const KernelAccess &access, const PointerMap &map,
              Interval elements, std::optional<int64_t> size,
              const ExactOptions &options) {
  auto part = partIn(map.map, elements);
  if (!part.ok()) return Check::undecided(std::string(part.status().message()));
  if (part->isKnownEmpty()) return {};
  const auto answer = isEmpty(IndexingRelation(*part), options);
  if (!answer.ok())
    return Check::undecided(std::string(answer.status().message()));
  if (answer->answer == Answer::Yes) return {};
  if (answer->answer == Answer::Undecided)
    return Check::undecided(answer->reason);
  if (!areFree(access, map.map))
    return Check::undecided("it depends on values of arguments or of memory");
  if (access.mask == MaskKind::Cover)
    return Check::undecided("a part of the mask is not known");
  if (!access.mayNotCome.empty()) return Check::undecided(access.mayNotCome);
  Witness witness;
  witness.kind = Witness::Kind::OutOfBounds;
  for (auto [k, value] : llvm::enumerate(answer->witness->index))
    (k < 3                         ? witness.first.program
     : k < 3 + access.loops.size() ? witness.first.loops
                                   : witness.first.tile)
        .push_back(value);
  witness.element = {answer->witness->element[0]};
  witness.size = size;
  if (!map.map.runtime().empty()) {
    // A witness of a map with such values names all of them.
    witness.runtime = answer->witness->runtime;
    if (witness.runtime.size() != map.map.runtime().size())
      return Check::undecided("it depends on values of arguments or of memory");
  }
  return Check::violated(std::move(witness));
}

}  // namespace

Check inBounds(const KernelAccess &access, const BufferSizes &sizes,
               const ExactOptions &options) {
  if (!access.reason.empty()) return Check::undecided(access.reason);
  Check worst;
  for (const PointerMap &map : access.maps) {
    if (map.map.isKnownEmpty()) continue;
    const auto size = map.argument < static_cast<int64_t>(sizes.size())
                          ? sizes[map.argument]
                          : std::nullopt;
    // Past an undecided map, only one that may be violated changes the answer.
    if (worst.answer != Check::Proved && !mayBeViolated(access, map.map))
      continue;
    const Interval bounds = boundsOfResults(map.map)[0];
    if (bounds.lower < 0)
      worst.take(
          outside(access, map, {Interval::kMinusInfinity, -1}, size, options));
    if (!size)
      worst.take(Check::undecided("the size of the buffer is not known"));
    else if (bounds.upper >= *size)
      worst.take(
          outside(access, map, {*size, Interval::kInfinity}, *size, options));
  }
  return worst;
}

}  // namespace indexical::kernels
