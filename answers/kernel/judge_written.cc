#include "indexical/answers/kernel/judge_written.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/program/kernel/access_order.h"
#include "indexical/program/kernel/open_sizes.h"
#include "indexical/program/kernel/overwritten.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/program/maps/merged_ranges.h"

namespace indexical {
namespace {

using kernels::AccessKind;
using kernels::KernelAccess;
using kernels::MaskKind;
using kernels::PointerMap;
using kernels::TritonKernel;

constexpr size_t kAxes = 3;

/// Whether an access has an element of the array, by its maps.
bool isOf(const TritonKernel &kernel, const KernelAccess &access,
          int64_t array) {
  return llvm::any_of(access.maps, [&](const PointerMap &map) {
    return kernel.arrayOf(map.argument) == array;
  });
}

bool loads(const TritonKernel &kernel, int64_t array) {
  return llvm::any_of(kernel.accesses, [&](const KernelAccess &access) {
    return access.kind != AccessKind::Store && isOf(kernel, access, array);
  });
}

bool stores(const TritonKernel &kernel, int64_t array) {
  return llvm::any_of(kernel.accesses, [&](const KernelAccess &access) {
    return access.kind != AccessKind::Load && isOf(kernel, access, array);
  });
}

/// Whether the maps have the elements of the access, and no others.
bool isExact(const KernelAccess &access) {
  return access.reason.empty() && access.mask != MaskKind::Cover &&
         llvm::all_of(access.maps, [](const PointerMap &map) {
           return map.map.runtime().empty();
         });
}

/// Elements that accesses have: by program, or of all programs.
struct Elements {
  IndexingRelation relation;
  bool isExact = true;  ///< else the relation may have too many
  std::string reason;   ///< why some may be missing; "": none is

  void add(const TritonKernel &kernel, const KernelAccess &access,
           int64_t array, size_t kept) {
    if (!access.reason.empty()) reason = access.reason;
    for (const PointerMap &map : access.maps) {
      if (kernel.arrayOf(map.argument) != array || map.map.isKnownEmpty())
        continue;
      isExact &= indexical::isExact(access);
      relation.add(withMergedDigits(withRanges(map.map, kept)));
    }
  }
};

class WrittenChecker {
 public:
  WrittenChecker(const TritonKernel &first, const TritonKernel &second,
                 const kernels::PairedArguments &arguments,
                 const kernels::BufferSizes &sizes, const Check &ordered,
                 const ExactOptions &options)
      : first_(first),
        second_(second),
        arguments_(arguments),
        sizes_(sizes),
        ordered_(ordered),
        options_(options) {}

  WrittenChecks run() {
    for (const TritonKernel *kernel : {&first_, &second_})
      if (const auto *open = kernel->openEnd()) return bothOpen(open->reason);
    for (const KernelAccess &access : second_.accesses)
      if (!access.reason.empty() && access.maps.empty())
        return bothOpen("old: " + access.reason);
    for (auto [k, argument] : llvm::enumerate(first_.arguments)) {
      const auto number = static_cast<int64_t>(k);
      if (!argument.isPointer || first_.arrayOf(number) != number) continue;
      const int64_t old = arguments_.oldOf[k];
      const bool counts = arguments_.counts[k];
      const bool isOutput = old >= 0 && stores(second_, second_.arrayOf(old)) &&
                            !loads(second_, second_.arrayOf(old));
      if (counts && isOutput) checkNever(number, second_.arrayOf(old));
      const bool isScratch = !counts && old < 0 && stores(first_, number);
      if ((isOutput || isScratch) && !arguments_.areZero[k])
        checkBefore(number);
    }
    return std::move(checks_);
  }

 private:
  static WrittenChecks bothOpen(const std::string &reason) {
    return {Check::undecided(reason), Check::undecided(reason)};
  }

  void checkNever(int64_t array, int64_t old) {
    Check &check = checks_.never;
    if (check.answer == Check::Violated) return;
    Elements all, own;
    if (sizes_[array]) {
      if (*sizes_[array] < 1) return;
      IndexingMapBuilder b;
      b.result(b.range({0, *sizes_[array] - 1}, ""));
      if (auto map = b.build(); map.ok()) all.relation.add(*std::move(map));
    } else {
      for (const KernelAccess &access : second_.accesses)
        if (access.kind != AccessKind::Load)
          all.add(second_, access, old, /*kept=*/0);
    }
    for (const KernelAccess &access : first_.accesses)
      if (access.kind != AccessKind::Load)
        own.add(first_, access, array, /*kept=*/0);
    if (!all.reason.empty()) return check.take(Check::undecided(all.reason));
    if (all.relation.pieces().empty()) return;
    const auto inside = isSubset(all.relation, own.relation, options_);
    if (!inside.ok() || inside->answer == Answer::Undecided)
      return check.take(Check::undecided(
          inside.ok() ? inside->reason
                      : std::string(inside.status().message())));
    if (inside->answer == Answer::Yes) {
      if (!own.isExact)
        check.take(
            Check::undecided("which elements are stored depends on values"));
      return;
    }
    if (!all.isExact || !own.reason.empty())
      return check.take(Check::undecided(
          own.reason.empty() ? "which elements old stores depends on values"
                             : own.reason));
    Witness witness;
    witness.kind = Witness::Kind::NotStored;
    witness.array = array;
    witness.element = {inside->witness->element[0]};
    check.take(Check::violated(std::move(witness)));
  }

  void checkBefore(int64_t array) {
    for (auto [number, access] : llvm::enumerate(first_.accesses)) {
      if (access.kind == AccessKind::Store) continue;
      if (access.maps.empty() && !access.reason.empty())
        checks_.before.take(Check::undecided(access.reason));
      for (const PointerMap &map : access.maps)
        if (first_.arrayOf(map.argument) == array && !map.map.isKnownEmpty())
          checkLoad(number, map, array);
    }
  }

  /// Whether a load finds only what its program has stored.
  void checkLoad(size_t load, const PointerMap &map, int64_t array) {
    Check &check = checks_.before;
    if (check.answer == Check::Violated) return;
    auto doubt = [&](std::string reason) {
      check.take(Check::undecided(std::move(reason)));
    };
    const KernelAccess &access = first_.accesses[load];
    Elements stored;
    // Whether all stores that may come before the load are among `stored`.
    bool areAll = true;
    if (access.kind == AccessKind::Atomic) {
      areAll = llvm::none_of(first_.accesses, [&](const KernelAccess &other) {
        return other.kind == AccessKind::Store && isOf(first_, other, array);
      });
    } else {
      if (ordered_.answer != Check::Proved)
        return doubt(ordered_.answer == Check::Undecided
                         ? ordered_.reason
                         : "what a load finds has no order");
      for (const size_t store :
           kernels::storesBefore(first_, load, map, options_)) {
        const KernelAccess &before = first_.accesses[store];
        const bool isSurelyBefore = store < load && isExact(before) &&
                                    kernels::commonLoops(before, access) <=
                                        kernels::sizesAround(access.loops);
        if (isSurelyBefore)
          stored.add(first_, before, array, kAxes);
        else
          areAll = false;
      }
    }
    IndexingRelation loaded;
    loaded.add(withMergedDigits(withRanges(map.map, kAxes)));
    const auto inside = stored.relation.pieces().empty()
                            ? isEmpty(loaded, options_)
                            : isSubset(loaded, stored.relation, options_);
    if (!inside.ok()) return doubt(std::string(inside.status().message()));
    if (inside->answer == Answer::Undecided) return doubt(inside->reason);
    if (inside->answer == Answer::Yes) return;
    if (!areAll || !isExact(access))
      return doubt(absl::StrCat("line ", access.place.line,
                                ": whether a load of `",
                                first_.arguments[array].name,
                                "` finds what the program has stored is not "
                                "known"));
    Witness witness;
    witness.kind = Witness::Kind::NotStored;
    witness.array = array;
    witness.element = {inside->witness->element[0]};
    const std::vector<int64_t> index(inside->witness->index.begin(),
                                     inside->witness->index.end());
    witness.first.program.assign(index.begin(), index.begin() + kAxes);
    witness.first.line = access.place.line;
    check.take(Check::violated(std::move(witness)));
  }

  const TritonKernel &first_, &second_;
  const kernels::PairedArguments &arguments_;
  const kernels::BufferSizes &sizes_;
  const Check &ordered_;
  const ExactOptions &options_;
  WrittenChecks checks_;
};

}  // namespace

WrittenChecks checkWrittenAtAll(
    const TritonKernel &first, const TritonKernel &second,
    const kernels::PairedArguments &arguments,
    const std::vector<std::pair<std::string, std::string>> &shapes,
    const Check &ordered, const ExactOptions &options) {
  const kernels::BufferSizes sizes(first.arguments.size());
  WrittenChecks written =
      checkWritten(first, second, arguments, sizes, ordered, options);
  for (Check *check : {&written.never, &written.before})
    if (check->answer == Check::Violated)
      *check = Check::undecided("there may be such elements at some sizes");
  for (const auto &[name, shape] : shapes)
    for (auto [k, argument] : llvm::enumerate(first.arguments))
      if (const int64_t old = arguments.oldOf[k];
          argument.name == name && old >= 0 &&
          stores(second, second.arrayOf(old)))
        written.never.take(
            Check::undecided("whether all elements of a shape are stored is "
                             "not known for all sizes; those are that old "
                             "stores"));
  return written;
}

WrittenChecks checkWritten(const TritonKernel &first,
                           const TritonKernel &second,
                           const kernels::PairedArguments &arguments,
                           const kernels::BufferSizes &sizes,
                           const Check &ordered, const ExactOptions &options) {
  return WrittenChecker(first, second, arguments, sizes, ordered, options)
      .run();
}

}  // namespace indexical
