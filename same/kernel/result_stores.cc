#include "indexical/same/kernel/result_stores.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/address.h"
#include "indexical/program/kernel/checks.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/program/maps/merged_ranges.h"

namespace indexical::kernels {

namespace {

bool goesTo(const KernelAccess &access, int64_t argument) {
  return llvm::any_of(access.maps, [&](const PointerMap &map) {
    return map.argument == argument;
  });
}

/// Returns the part of the access that goes to the argument.
KernelAccess partTo(const KernelAccess &access, int64_t argument) {
  KernelAccess part = access;
  llvm::erase_if(part.maps, [&](const PointerMap &map) {
    return map.argument != argument;
  });
  return part;
}

/// Returns why it is not known which elements the accesses write, or an empty
/// text if it is.
std::string obstacleOf(const TritonKernel &kernel, int64_t argument) {
  for (const KernelAccess &access : kernel.accesses) {
    if (access.kind == AccessKind::Load) continue;
    const std::string line = absl::StrCat("line ", access.place.line, ": ");
    if (!access.reason.empty()) return line + access.reason;
    if (!goesTo(access, argument)) continue;
    if (access.kind == AccessKind::Atomic)
      return line + "an atomic operation writes the result";
    if (access.mask == MaskKind::Cover)
      return line + "a part of the mask is not known";
    for (const PointerMap &map : access.maps)
      if (!map.map.runtime().empty())
        return line +
               "what is stored depends on values of arguments or of "
               "memory";
  }
  return "";
}

/// Finds a store outside of the array.
Check findOutside(const TritonKernel &kernel, int64_t argument, int64_t count,
                  const ExactOptions &options) {
  BufferSizes sizes(kernel.arguments.size(), std::nullopt);
  sizes[argument] = count;
  Check check;
  for (const KernelAccess &access : kernel.accesses) {
    if (access.kind != AccessKind::Store || !goesTo(access, argument)) continue;
    Check bounds = inBounds(partTo(access, argument), sizes, options);
    if (bounds.answer == Check::Proved) continue;
    if (bounds.answer == Check::Undecided) {
      check = Check::undecided(
          absl::StrCat("line ", access.place.line, ": ", bounds.reason));
      continue;
    }
    Witness &witness = *bounds.witness;
    witness.kind = Witness::Kind::StoredOutside;
    witness.first.line = access.place.line;
    return bounds;
  }
  return check;
}

/// Finds an element that no program stores. Requires that what is stored is
/// known.
Check findNotStored(const TritonKernel &kernel, int64_t argument, int64_t count,
                    const ExactOptions &options) {
  if (count == 0) return {};
  auto without = [](int64_t element) {
    Witness witness;
    witness.kind = Witness::Kind::NotStored;
    witness.element = {element};
    return Check::violated(std::move(witness));
  };
  IndexingRelation stored;
  for (const KernelAccess &access : kernel.accesses)
    if (access.kind == AccessKind::Store)
      for (const PointerMap &map : access.maps)
        if (map.argument == argument)
          stored.add(withMergedDigits(withRanges(map.map, 0)));
  if (stored.pieces().empty()) return without(0);
  const auto all = isSurjective(stored, {{0, count - 1}}, options);
  if (!all.ok()) return Check::undecided(std::string(all.status().message()));
  if (all->answer == Answer::Undecided) return Check::undecided(all->reason);
  if (all->answer == Answer::Yes) return {};
  if (!all->witness)
    return Check::undecided("an element that no program stores");
  return without(all->witness->element[0]);
}

/// Whether both are one type, or integers, whose signs nobody knows. A truth
/// value is stored as a byte.
bool areAlike(llvm::StringRef a, llvm::StringRef b) {
  auto isInteger = [](llvm::StringRef type) {
    return type.consume_front("i") && llvm::all_of(type, llvm::isDigit);
  };
  return a == b || (isInteger(a) && isInteger(b));
}

}  // namespace

llvm::StringRef elementTypeOf(const KernelArgument &argument) {
  if (!argument.elementType.empty()) return argument.elementType;
  llvm::StringRef type = argument.type;
  const bool isDescriptor = type.consume_front("!tt.tensordesc<");
  if (!isDescriptor && !type.consume_front("!tt.ptr<")) return "";
  type.consume_front("tensor<");
  type = type.take_until([](char c) { return c == ',' || c == '>'; });
  // The sides of a box stand in front of its type.
  while (isDescriptor && !type.empty() && llvm::isDigit(type.front()))
    type = type.split('x').second;
  return type.trim();
}

Check checkStores(const TritonKernel &kernel, int64_t argument,
                  const ArrayShape &shape, const ExactOptions &options,
                  Stored stored) {
  if (const auto *open = kernel.openEnd())
    return Check::undecided(open->reason);
  const auto count = shape.elementCount();
  if (!count) return Check::undecided("the size of the result is not known");
  if (shape.layout && !shape.layout->tiles.empty())
    return Check::undecided(absl::StrCat(
        "where the elements of ", shape.str(true), " lie is not followed"));
  const int64_t bits = kernel.arguments[argument].elementBits;
  const llvm::StringRef type = elementTypeOf(kernel.arguments[argument]);
  const bool isAlike =
      llvm::all_of(kernel.accesses, [&](const KernelAccess &access) {
        return access.kind == AccessKind::Load || !goesTo(access, argument) ||
               (access.elementBits == bits &&
                areAlike(access.elementType, type));
      });
  const bool isPred = shape.type == ElementType::Pred && bits == 1;
  if (!isAlike || (bits != storedBits(shape) && !isPred))
    return Check::undecided(
        absl::StrCat("the elements of ",
                     kernel.arguments[argument].elementType.empty()
                         ? kernel.arguments[argument].type
                         : kernel.arguments[argument].name,
                     " have another size or type than those of ", shape.str(),
                     ", or than what is stored"));
  // An element outside is one, whatever else is stored.
  Check check = findOutside(kernel, argument, *count, options);
  if (check.answer != Check::Proved) return check;
  if (std::string reason = obstacleOf(kernel, argument); !reason.empty())
    return Check::undecided(std::move(reason));
  if (stored == Stored::Some) return {};
  return findNotStored(kernel, argument, *count, options);
}

bool hasElementsOf(const KernelArgument &argument, const ArrayShape &shape) {
  const llvm::StringRef type = elementTypeOf(argument);
  if (type.empty()) return false;
  const llvm::StringRef name = elementTypeName(shape.type);
  if (shape.type == ElementType::Pred) return type == "i1" || type == "i8";
  if (isInteger(shape.type))
    return type.front() == 'i' && type.drop_front() == name.drop_front();
  return type.equals_insensitive(name);
}

}  // namespace indexical::kernels
