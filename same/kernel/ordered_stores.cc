#include "indexical/same/kernel/ordered_stores.h"

#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/transforms.h"
#include "indexical/program/kernel/access_order.h"
#include "indexical/program/kernel/access_pairs.h"
#include "indexical/same/values/regions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

namespace {

/// Whether the store goes to the same element at each point at which the other
/// access is made.
bool goesThere(const PointerMap &store, const PointerMap &other) {
  if (store.map.dimensions().size() != other.map.dimensions().size())
    return false;
  const auto region = regionIn(other.map);
  if (!region) return false;
  auto there = compose(*region, store.map);
  return there.ok() && *there == other.map;
}

/// Whether a program makes an access behind the other one, at one coordinate of
/// their tile. A thread of a compiled kernel makes its own in order.
bool isLater(const TritonKernel &kernel, const KernelAccess &later,
             const KernelAccess &other) {
  return later.phase > other.phase ||
         (kernel.form == "llvm" && later.phase == other.phase &&
          later.number > other.number && later.tile == other.tile);
}

/// Whether it is known when a program makes the access, and which one element
/// each of its points has.
bool isKnown(const KernelAccess &access) {
  return access.phase >= 0 && access.reason.empty() && access.loops.empty() &&
         access.mask != MaskKind::Cover && access.maps.size() == 1 &&
         access.maps[0].map.runtime().empty() &&
         access.maps[0].map.ranges().empty();
}

/// Whether no element is stored at two points of the space.
bool isOnce(const PointerMap &store, const ExactOptions &options) {
  const auto once = isInjective(IndexingRelation(store.map), options);
  return once.ok() && once->answer == Answer::Yes;
}

}  // namespace

const KernelAccess *storeFoundBy(const TritonKernel &kernel,
                                 const KernelAccess &load,
                                 const PointerMap &element,
                                 const ExactOptions &options,
                                 std::string &reason) {
  reason = "what a load finds after a store is not followed";
  if (!isKnown(load) || kernel.incomplete) return nullptr;
  const KernelAccess *last = nullptr;
  for (const KernelAccess &access : kernel.accesses) {
    if (access.kind == AccessKind::Load) continue;
    if (!access.reason.empty()) return nullptr;
    const bool mayMeet = llvm::any_of(access.maps, [&](const PointerMap &map) {
      return map.argument == element.argument;
    });
    if (!mayMeet) continue;
    if (access.kind != AccessKind::Store || !isKnown(access) ||
        !goesThere(access.maps[0], element) || !isOnce(access.maps[0], options))
      return nullptr;
    if (isLater(kernel, access, load)) continue;
    if (!isLater(kernel, load, access)) {
      reason = "no barrier stands between a load and a store of its array";
      return nullptr;
    }
    if (last && !isLater(kernel, access, *last) &&
        !isLater(kernel, *last, access)) {
      reason = "no barrier stands between two stores to one array";
      return nullptr;
    }
    if (!last || isLater(kernel, access, *last)) last = &access;
  }
  if (!last) reason = "what a result holds before it is stored is not known";
  return last;
}

bool findsStart(const TritonKernel &kernel, const KernelAccess &load,
                const PointerMap &element, const ExactOptions &options) {
  auto isPlain = [](const KernelAccess &access) {
    return access.reason.empty() && access.loops.empty() &&
           access.mask != MaskKind::Cover &&
           llvm::all_of(access.maps, [](const PointerMap &map) {
             return map.map.runtime().empty() && map.map.ranges().empty();
           });
  };
  if (kernel.form != "llvm" || kernel.incomplete || !isPlain(load))
    return false;
  for (const KernelAccess &store : kernel.accesses) {
    if (store.kind == AccessKind::Load) continue;
    if (!store.reason.empty()) return false;
    const bool mayMeet = llvm::any_of(store.maps, [&](const PointerMap &map) {
      return kernel.arrayOf(map.argument) == kernel.arrayOf(element.argument);
    });
    if (!mayMeet) continue;
    if (store.kind != AccessKind::Store || !isPlain(store) ||
        store.maps.size() != 1 || store.number < load.number ||
        store.maps[0].argument != element.argument)
      return false;
    // At each point at which one is loaded the store goes there, too, and no
    // other point of its space does.
    const IndexingMap &to = store.maps[0].map;
    if (to.dimensions().size() != element.map.dimensions().size() ||
        store.tile != load.tile || !isOnce(store.maps[0], options))
      return false;
    const auto region = regionIn(element.map);
    if (!region) return false;
    auto there = compose(*region, to);
    if (!there.ok()) return false;
    const auto same = areEqual(IndexingRelation(*there),
                               IndexingRelation(element.map), options);
    if (!same.ok() || same->answer != Answer::Yes) return false;
  }
  return true;
}

bool isOverwritten(const TritonKernel &kernel, const KernelAccess &store,
                   const ExactOptions &options) {
  if (store.kind != AccessKind::Store || !isKnown(store)) return false;
  return llvm::any_of(kernel.accesses, [&](const KernelAccess &later) {
    return later.kind == AccessKind::Store && isKnown(later) &&
           isLater(kernel, later, store) &&
           later.maps[0].argument == store.maps[0].argument &&
           goesThere(later.maps[0], store.maps[0]) &&
           isOnce(later.maps[0], options);
  });
}

bool mayBeOverwritten(const TritonKernel &kernel, const KernelAccess &store,
                      const PointerMap &element, const ExactOptions &options) {
  const AccessPairs pairs(kernel);
  const Toucher own{size_t(&store - kernel.accesses.data()), &element};
  for (auto [number, later] : llvm::enumerate(kernel.accesses)) {
    const bool isBefore =
        later.phase >= 0 && store.phase >= 0 && later.phase != store.phase
            ? later.phase < store.phase
            : later.number < store.number && commonLoops(later, store) == 0;
    if (later.kind == AccessKind::Load || number == own.access || isBefore)
      continue;
    if (!later.reason.empty()) return true;
    for (const PointerMap &map : later.maps) {
      const Toucher other{number, &map};
      if (kernel.arrayOf(map.argument) != kernel.arrayOf(element.argument) ||
          map.map.isKnownEmpty() || element.map.isKnownEmpty() ||
          pairs.mayNotMeet(own, other))
        continue;
      const auto meeting = pairs.meeting(own, other, {});
      if (!meeting.ok()) return true;
      if (meeting->isKnownEmpty()) continue;
      const auto none = isEmpty(IndexingRelation(*meeting), options);
      if (!none.ok() || none->answer != Answer::Yes) return true;
    }
  }
  return false;
}

}  // namespace indexical::kernels
