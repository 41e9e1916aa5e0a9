#include "indexical/answers/kernel/given_values.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/cost/memory/runtime_values.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Lets an access stand for one program alone.
absl::Status takeProgram(const std::array<int64_t, 3> &program,
                         kernels::KernelAccess &access) {
  std::vector<kernels::PointerMap> kept;
  for (kernels::PointerMap &map : access.maps) {
    IndexingMapBuilder b;
    bool isEmpty = map.map.isKnownEmpty();
    for (auto [k, variable] : llvm::enumerate(map.map.dimensions())) {
      Interval bounds = variable.bounds;
      if (k < program.size()) bounds = {program[k], program[k]};
      isEmpty |= !variable.bounds.contains(bounds.lower);
      b.result(b.dimension(bounds, variable.name));
    }
    if (isEmpty) continue;
    INDEXICAL_ASSIGN_OR_RETURN(auto those, b.build());
    INDEXICAL_ASSIGN_OR_RETURN(auto composed, compose(those, map.map));
    if (composed.isKnownEmpty()) continue;
    map.map = std::move(composed);
    kept.push_back(std::move(map));
  }
  access.maps = std::move(kept);
  return absl::OkStatus();
}

/// Returns the bounds that a text `LOW..HIGH` is, or nothing for other texts.
std::optional<Interval> boundsOfText(llvm::StringRef text) {
  if (!text.contains("..")) return std::nullopt;
  const auto [low, high] = text.split("..");
  Interval bounds;
  if (low.trim().getAsInteger(10, bounds.lower) ||
      high.trim().getAsInteger(10, bounds.upper))
    return std::nullopt;
  return bounds;
}

/// Whether a map of the access has a runtime variable of that name.
bool hasValue(const kernels::KernelAccess &access, llvm::StringRef name) {
  return llvm::any_of(access.maps, [&](const kernels::PointerMap &map) {
    return llvm::any_of(map.map.runtime(), [&](const RuntimeVariable &v) {
      return v.name == name;
    });
  });
}

/// Returns an error if the value is never within these bounds, by its type.
absl::Status checkBounds(const kernels::KernelAccess &access,
                         const std::string &name, Interval bounds) {
  const auto type = access.values.find(name);
  const Interval all =
      type == access.values.end() ? Interval::all() : type->second;
  if (!all.intersect(bounds).isEmpty()) return absl::OkStatus();
  return errorAt({}, absl::StrCat("--runtime: `", name, "` is in ", all.str(),
                                  ", and never in ", bounds.str()));
}

/// Puts in place of each map those that `change` makes of it. Those that are
/// empty are left out: no thread makes the access there.
absl::Status changeMaps(
    kernels::KernelAccess &access,
    llvm::function_ref<absl::StatusOr<IndexingRelation>(const IndexingMap &)>
        change) {
  std::vector<kernels::PointerMap> kept;
  for (const kernels::PointerMap &map : access.maps) {
    INDEXICAL_ASSIGN_OR_RETURN(const auto changed, change(map.map));
    for (const IndexingMap &piece : changed.pieces()) {
      INDEXICAL_ASSIGN_OR_RETURN(auto simple, simplify(piece));
      if (!simple.isKnownEmpty())
        kept.push_back({map.argument, std::move(simple)});
    }
  }
  access.maps = std::move(kept);
  return absl::OkStatus();
}

/// Gives the runtime variable of that name these bounds, in one access. Where a
/// mask lets the variable have none of these values, nothing is accessed.
absl::Status takeBounds(const std::string &name, Interval bounds,
                        kernels::KernelAccess &access) {
  INDEXICAL_RETURN_IF_ERROR(checkBounds(access, name, bounds));
  if (!llvm::is_contained(access.given, name)) access.given.push_back(name);
  return changeMaps(
      access, [&](const IndexingMap &map) -> absl::StatusOr<IndexingRelation> {
        bool isEmpty = false;
        INDEXICAL_ASSIGN_OR_RETURN(
            auto narrowed,
            withRuntime(map, [&](IndexingMapBuilder &, RuntimeVariable &v) {
              if (v.name != name) return;
              const Interval both = v.bounds.intersect(bounds);
              isEmpty |= both.isEmpty();
              if (!both.isEmpty()) v.bounds = both;
            }));
        if (isEmpty) return IndexingRelation();
        return IndexingRelation(std::move(narrowed));
      });
}

/// Gives the runtime variable of that name a value, in one access.
absl::Status takeValue(const std::pair<std::string, std::string> &value,
                       kernels::KernelAccess &access) {
  int64_t number = 0;
  if (!llvm::StringRef(value.second).trim().getAsInteger(10, number))
    INDEXICAL_RETURN_IF_ERROR(
        checkBounds(access, value.first, Interval::point(number)));
  return changeMaps(
      access, [&](const IndexingMap &map) -> absl::StatusOr<IndexingRelation> {
        if (llvm::none_of(map.runtime(), [&](const RuntimeVariable &v) {
              return v.name == value.first;
            }))
          return IndexingRelation(map);
        auto made = withRuntimeValues(IndexingRelation(map), {value});
        if (!made.ok())
          return errorAt({},
                         absl::StrCat("--runtime: ",
                                      std::string(made.status().message())));
        return made;
      });
}

/// Gives runtime variables the values, or the bounds, that the call says.
absl::Status takeValues(const KernelQuestion &question,
                        kernels::TritonKernel &kernel) {
  for (const auto &value : question.runtime) {
    const auto bounds = boundsOfText(value.second);
    bool isTaken = false;
    for (kernels::KernelAccess &access : kernel.accesses) {
      if (!hasValue(access, value.first)) continue;
      isTaken = true;
      INDEXICAL_RETURN_IF_ERROR(bounds
                                    ? takeBounds(value.first, *bounds, access)
                                    : takeValue(value, access));
    }
    if (!isTaken)
      return errorAt({}, absl::StrCat("--runtime: no access has a runtime "
                                      "variable `",
                                      value.first, "`"));
  }
  return absl::OkStatus();
}

}  // namespace

std::array<int64_t, 3> threeOf(llvm::ArrayRef<int64_t> numbers, int64_t rest) {
  std::array<int64_t, 3> all = {rest, rest, rest};
  std::copy(numbers.begin(), numbers.end(), all.begin());
  return all;
}

std::optional<kernels::ThreadPlace> threadPlaceOf(llvm::StringRef text) {
  auto readThree = [](llvm::StringRef part, std::array<int64_t, 3> &numbers) {
    llvm::SmallVector<llvm::StringRef, 3> parts;
    part.split(parts, ',');
    if (parts.size() > 3) return false;
    for (size_t k = 0; k < parts.size(); ++k)
      if (parts[k].trim().getAsInteger(10, numbers[k]) || numbers[k] < 0)
        return false;
    return true;
  };
  const auto [block, thread] = text.split(':');
  kernels::ThreadPlace place;
  if (!readThree(block, place.block) || !readThree(thread, place.thread))
    return std::nullopt;
  return place;
}

absl::Status takeAsked(const KernelQuestion &question,
                       kernels::TritonKernel &kernel) {
  INDEXICAL_RETURN_IF_ERROR(takeValues(question, kernel));
  if (question.program.empty()) return absl::OkStatus();
  const std::array<int64_t, 3> program = threeOf(question.program, 0);
  for (size_t k = 0; k < program.size(); ++k)
    if (program[k] >= kernel.grid[k])
      return errorAt({}, absl::StrCat("--program: there are ", kernel.grid[k],
                                      " programs along ",
                                      llvm::StringRef("xyz").substr(k, 1).str(),
                                      ", and no number ", program[k]));
  for (kernels::KernelAccess &access : kernel.accesses)
    INDEXICAL_RETURN_IF_ERROR(takeProgram(program, access));
  return absl::OkStatus();
}

}  // namespace indexical
