// What a kernel finds in memory, and what it leaves there.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/kernel/access_order.h"
#include "indexical/program/kernel/open_sizes.h"
#include "indexical/program/kernel/overwritten.h"
#include "indexical/same/kernel/kernel_terms.h"
#include "indexical/same/kernel/ordered_stores.h"
#include "indexical/same/kernel/term_types.h"
#include "indexical/same/values/regions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

namespace {

/// Returns 0 of the type, as a function of the map's dimensions.
ElementId zeroAt(ElementTable &table, ElementType type,
                 const IndexingMap &elements) {
  if (classOf(type) != kIntegers)
    return table.literal(
        type, std::string(std::max<int64_t>(1, bitsOf(type) / 8), '\0'));
  IndexingMapBuilder b;
  for (const Variable &v : elements.dimensions()) b.dimension(v.bounds, v.name);
  b.result(b.constant(0));
  const auto zero = b.build();
  return zero.ok() ? table.index(type, *zero) : table.unknown();
}

/// Returns the atomic operation that changes the array, by its number, if there
/// is one.
std::optional<size_t> sumOf(const TritonKernel &kernel, int64_t argument) {
  for (auto [number, access] : llvm::enumerate(kernel.accesses))
    if (access.kind == AccessKind::Atomic &&
        llvm::any_of(access.maps, [&](const PointerMap &map) {
          return kernel.arrayOf(map.argument) == kernel.arrayOf(argument);
        }))
      return number;
  return std::nullopt;
}

}  // namespace

ElementId KernelTerms::loadAt(const KernelValue &value,
                              const IndexingMap &map) {
  const auto found = placesOf(value, map, "an address");
  if (!found) return table_.unknown();
  const std::vector<Place> &places = *found;
  if (places.empty()) return maskedAt(value, map);
  const auto whole = regionIn(map);
  if (!whole) return unknown("a region leaves 64 bits");
  if (places.size() == 1)
    if (const auto region = regionIn(places[0].product);
        region && *region == *whole) {
      const ElementId id = loadedFrom(value, map, places[0]);
      if (id != kParts && !isUnknown(id)) noteExcluded(value, id);
      return id;
    }
  // A mask, or a choice of pointers, cuts the region.
  return splitWithRest(places, *whole);
}

ElementId KernelTerms::maskedAt(const KernelValue &value,
                                const IndexingMap &map) {
  if (!value.operands.empty()) return operandAt(value, 0, map);
  const std::string reason =
      "line " + std::to_string(value.line) +
      ": a load has no other value where its mask is false";
  // Boxes have their padding there, and a compiled load what it was given.
  if (!pair_ || pair_->maskedLanes < 0 || value.text != "any")
    return unknown(reason);
  // A lane holds anything, and always the same: an input of its own.
  note(reason);
  Element lanes;
  lanes.kind = Element::Kind::Parameter;
  lanes.number = pair_->maskedLanes + value.axis;
  lanes.leaf = 0;
  return table_.read(table_.intern(std::move(lanes)), typeOf(value), map);
}

ElementId KernelTerms::loadedFrom(const KernelValue &value,
                                  const IndexingMap &map, const Place &place) {
  const int64_t argument = place.piece->argument;
  if (argument < 0 || argument >= static_cast<int64_t>(arrays_.size()) ||
      !arrays_[argument] || mayChangeAll_)
    return unknown("line " + std::to_string(value.line) +
                   ": what a load finds after a store is not followed");
  const bool isStored = changed_.count(kernel_.arrayOf(argument));
  if (isStored && pair_) return foundAfterStores(value, place);
  const bool isChanged =
      isStored && !findsStart(kernel_, kernel_.accesses[value.axis],
                              *place.piece, options_);
  if (isChanged || arrays_[argument]->parameter < 0)
    return storedBefore(value, map, *place.piece);
  return asLoaded(value, startOf(argument, place.product));
}

ElementId KernelTerms::startOf(int64_t argument, const IndexingMap &elements) {
  const ArgumentArray &array = *arrays_[argument];
  if (array.isZero) return zeroAt(table_, array.shape.type, elements);
  const auto whole = regionIn(elements);
  auto index = compose(elements, array.toIndex);
  if (!index.ok() || !whole) return unknown("an address leaves 64 bits");
  const auto inside = regionIn(*index);
  if (!inside || *inside != *whole)
    return unknown("a load reads outside of its argument");
  Element parameter;
  parameter.kind = Element::Kind::Parameter;
  parameter.number = array.parameter;
  parameter.leaf = array.leaf;
  return table_.read(table_.intern(std::move(parameter)), array.shape.type,
                     *index);
}

ElementId KernelTerms::asLoaded(const KernelValue &value, ElementId id) {
  if (id == kParts || isUnknown(id)) return id;
  // Bits of memory that the kernel takes for another type.
  const ElementType held = table_[id].type, own = typeOf(value);
  const bool isByte =
      held == ElementType::Pred && (value.type == "pred" || bitsOf(own) == 8);
  const bool isInteger = classOf(held) == kIntegers &&
                         classOf(own) == kIntegers &&
                         bitsOf(held) == bitsOf(own);
  if (held != own && !isByte && !isInteger)
    return unknown("line " + std::to_string(value.line) +
                   ": a load takes its argument for another type");
  // A byte of memory, which the kernel takes for an integer.
  if (held == ElementType::Pred && value.type != "pred")
    return table_.apply(
        elementwiseOp("convert", {ElementType::Pred}, typeOf(value)), {id});
  return id;
}

ElementId KernelTerms::foundAfterStores(const KernelValue &value,
                                        const Place &place) {
  auto fail = [&](const std::string &why) {
    return unknown("line " + std::to_string(value.line) + ": " + why);
  };
  if (!pair_->isOrdered) return fail(pair_->reason);
  if (sumOf(kernel_, place.piece->argument))
    return fail("an array is loaded, and changed by atomic operations");
  const auto load = static_cast<size_t>(value.axis);
  const auto key = std::make_pair(load, place.piece);
  auto found = before_.find(key);
  if (found == before_.end())
    found =
        before_
            .emplace(key, storesBefore(kernel_, load, *place.piece, options_))
            .first;
  std::vector<size_t> last(found->second.rbegin(), found->second.rend());
  for (const size_t store : last)
    if (store > load ||
        commonLoops(kernel_.accesses[store], kernel_.accesses[load]) >
            sizesAround(kernel_.accesses[load].loops))
      return fail("what a loop has stored in an earlier turn is not followed");
  return asLoaded(value, contentAt(place.piece->argument, place.product, last));
}

std::optional<ElementId> KernelTerms::leftAt(int64_t argument,
                                             const IndexingMap &elements) {
  parts_.clear();
  open_ = {{}};
  std::vector<size_t> last;
  for (size_t k = kernel_.accesses.size(); k-- > 0;) {
    const KernelAccess &access = kernel_.accesses[k];
    const bool isHere =
        access.kind != AccessKind::Load &&
        llvm::any_of(access.maps, [&](const PointerMap &map) {
          return kernel_.arrayOf(map.argument) == kernel_.arrayOf(argument);
        });
    if (isHere) last.push_back(k);
  }
  llvm::stable_sort(last, [&](size_t a, size_t b) {
    return kernel_.accesses[a].phase > kernel_.accesses[b].phase;
  });
  if (mayChangeAll_) return unknown("where a store goes is not known");
  const ElementId id = contentAt(argument, elements, last);
  if (id == kParts) return std::nullopt;
  return id;
}

ElementId KernelTerms::contentAt(int64_t argument, const IndexingMap &elements,
                                 llvm::ArrayRef<size_t> stores) {
  const auto whole = regionIn(elements);
  if (!whole) return unknown("a region leaves 64 bits");
  if (const auto number = sumOf(kernel_, argument))
    return stores.size() == 1
               ? afterSums(argument, *number, elements)
               : unknown(
                     "what an atomic operation leaves beside other stores "
                     "is not followed");
  for (const size_t number : stores) {
    const StorePlaces &places =
        inverses_.placesOf(number, kernel_.arrayOf(argument));
    if (!places.reason.empty()) return unknown(places.reason);
    std::vector<IndexingMap> regions;
    for (const IndexingMap &place : places.maps) {
      if (!meter_.spend(kProduct)) return unknown("the budget is spent");
      auto product = compose(elements, place);
      if (!product.ok()) return unknown("an address leaves 64 bits");
      if (product->isKnownEmpty()) continue;
      const auto region = regionIn(*product);
      if (!region) return unknown("a region leaves 64 bits");
      if (*region == *whole) return storedAt(argument, number, *product);
      regions.push_back(*region);
    }
    if (regions.empty()) continue;
    // The rest is of an earlier store, or what the array held before.
    if (!addRest(regions, *whole))
      return unknown("which elements a store has is not followed");
    parts_ = std::move(regions);
    return kParts;
  }
  return startOf(argument, elements);
}

ElementId KernelTerms::afterSums(int64_t argument, size_t number,
                                 const IndexingMap &elements) {
  const KernelAccess &access = kernel_.accesses[number];
  auto fail = [&](const char *why) {
    return unknown("line " + std::to_string(access.place.line) + ": " + why);
  };
  for (const KernelAccess &load : kernel_.accesses)
    if (load.kind == AccessKind::Load &&
        llvm::any_of(load.maps, [&](const PointerMap &map) {
          return kernel_.arrayOf(map.argument) == kernel_.arrayOf(argument);
        }))
      return fail("an array is loaded, and changed by atomic operations");
  if (access.value < 0 || !access.reason.empty() ||
      access.mask == MaskKind::Cover)
    return fail("what an atomic operation leaves is not followed");
  const ElementType type = arrays_[argument]->shape.type;
  if (typeOf(kernel_.values[access.value]) != type)
    return fail("an atomic operation adds another type");
  // From an element to the points that add to it.
  std::vector<IndexingMap> added;
  bool isOne = true;
  for (const PointerMap &map : access.maps) {
    if (map.map.isKnownEmpty()) continue;
    if (kernel_.arrayOf(map.argument) != kernel_.arrayOf(argument))
      return fail("an atomic operation has a choice of arrays");
    if (!map.map.runtime().empty())
      return fail("where an atomic operation adds is not known");
    const auto turned = inverse(IndexingRelation(map.map));
    if (!turned.ok() || turned->precision() != Precision::Exact)
      return fail("what an atomic operation leaves is not followed");
    for (const IndexingMap &each : turned->pieces()) {
      if (each.isKnownEmpty()) continue;
      isOne &= each.ranges().empty();
      added.push_back(each);
    }
  }
  const bool isOrdered =
      classOf(type) == kIntegers || (isOne && added.size() < 2);
  if (!isOrdered) {
    if (!has(table_.floats(), FloatLaws::Reassociate))
      return fail(
          "an atomic sum has no order, and no law says that it needs "
          "none");
    table_.noteLaw("reassociate");
  }
  const ElementId start = startOf(argument, elements);
  if (isUnknown(start)) return start;
  return reduceThrough(
      elementwiseOp("add", {type, type}, type), added, elements, start,
      [&](const IndexingMap &at) { return storedAt(argument, number, at); });
}

ElementId KernelTerms::storedAt(int64_t argument, size_t number,
                                const IndexingMap &at) {
  const KernelAccess &store = kernel_.accesses[number];
  if (store.value < 0) return unknown("what is stored is not followed");
  const auto outer = inOuterLoops(at, store.loops.size(),
                                  kernel_.values[store.value].loops.size());
  if (!outer) return unknown("what is stored is not followed");
  const ElementId id = elementAt(store.value, *outer);
  if (id == kParts) return id;
  return asStored(id, arrays_[argument]->shape.type);
}

ElementId KernelTerms::splitWithRest(llvm::ArrayRef<Place> places,
                                     const IndexingMap &whole) {
  std::vector<IndexingMap> regions;
  std::optional<std::vector<IndexingMap>> rest{{whole}};
  for (const Place &place : places) {
    auto region = regionIn(place.product);
    if (!region) return unknown("a region leaves 64 bits");
    regions.push_back(*region);
    // What is not in the region: for each of its bounds, what is below and
    // what is above.
    std::vector<IndexingMap> next;
    for (const IndexingMap &from : *rest) {
      auto cut = [&](llvm::function_ref<void(IndexingMapBuilder &,
                                             llvm::ArrayRef<Expr>)>
                         add) {
        auto part = restricted(from, add);
        if (part.ok()) part = simplify(*part);
        if (!part.ok()) return false;
        if (!part->isKnownEmpty())
          if (auto clean = regionIn(*part); clean && !clean->isKnownEmpty())
            next.push_back(*std::move(clean));
        return true;
      };
      struct Bound {
        std::optional<uint32_t> dimension;
        FormId form = 0;
        Interval within;
      };
      std::vector<Bound> bounds;
      for (uint32_t k = 0; k < region->dimensions().size(); ++k)
        bounds.push_back({k, 0, region->dimensions()[k].bounds});
      for (const Constraint &c : region->constraints())
        bounds.push_back({std::nullopt, c.form, c.bounds});
      for (size_t k = 0; k < bounds.size(); ++k)
        for (const bool isBelow : {true, false}) {
          const Bound &bound = bounds[k];
          if (isBelow ? !bound.within.hasLower() : !bound.within.hasUpper())
            continue;
          const bool ok =
              cut([&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> at) {
                auto same = [&](VariableId id) { return at[id.index].form(); };
                ExpressionImport import(region->expressions(), b.pool(), same);
                auto formOf = [&](const Bound &of) {
                  return of.dimension ? at[*of.dimension]
                                      : b.expression(import(of.form));
                };
                for (size_t before = 0; before < k; ++before)
                  b.constraint(formOf(bounds[before]), bounds[before].within);
                Interval outside = bound.within;
                if (isBelow) {
                  outside.upper = bound.within.lower - 1;
                  outside.lower = Interval::all().lower;
                } else {
                  outside.lower = bound.within.upper + 1;
                  outside.upper = Interval::all().upper;
                }
                b.constraint(formOf(bound), outside);
              });
          if (!ok || next.size() > kMostPieces)
            return unknown("a mask is not followed");
        }
    }
    rest = std::move(next);
  }
  parts_ = std::move(regions);
  parts_.insert(parts_.end(), rest->begin(), rest->end());
  if (parts_.size() == 1 && parts_[0] == whole)
    return unknown("a mask is not followed");
  return kParts;
}

ElementId KernelTerms::storedBefore(const KernelValue &value,
                                    const IndexingMap &map,
                                    const PointerMap &element) {
  std::string reason = "what a load finds after a store is not followed";
  const KernelAccess &load = kernel_.accesses[value.axis];
  const KernelAccess *store =
      storeFoundBy(kernel_, load, element, options_, reason);
  if (store && store->value >= 0) {
    const KernelValue &stored = kernel_.values[store->value];
    const auto at = inOuterLoops(map, 0, stored.loops.size());
    if (at && stored.type == value.type && stored.tile == value.tile)
      return elementAt(store->value, *at);
    reason = "a load takes what was stored for another type";
  }
  return unknown("line " + std::to_string(value.line) + ": " + reason);
}

}  // namespace indexical::kernels
