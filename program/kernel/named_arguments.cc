#include "indexical/program/kernel/named_arguments.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/program/kernel/terms.h"

namespace indexical::kernels {
namespace {

class NamedArguments {
 public:
  NamedArguments(TritonKernel &kernel, Place place,
                 llvm::ArrayRef<Place> places)
      : kernel_(kernel), place_(place), places_(places) {}

  absl::Status setValue(const std::string &name, int64_t value) {
    INDEXICAL_ASSIGN_OR_RETURN(const size_t number, find(name, "argument"));
    KernelArgument &argument = kernel_.arguments[number];
    const Place place = placeOf(number);
    if (argument.isFloat) {
      argument.number = static_cast<double>(value);
      return absl::OkStatus();
    }
    if (argument.isPointer || argument.elementBits == 0)
      return errorAt(place, absl::StrCat("the argument `", name, "` is ",
                                         argument.type, " and no integer"));
    const auto bits = static_cast<int32_t>(argument.elementBits);
    if (value < leastOfBits(bits) || value > greatestOfBits(bits))
      return errorAt(place, absl::StrCat(value, " is no ", argument.type,
                                         ", the type of `", name, "`"));
    if (argument.divisibility && value % *argument.divisibility != 0)
      return errorAt(
          place, absl::StrCat("the kernel was compiled for values of `", name,
                              "` that ", *argument.divisibility,
                              " divides, and ", value, " is none"));
    argument.value = value;
    return absl::OkStatus();
  }

  absl::Status setNumber(const std::string &name, double value) {
    INDEXICAL_ASSIGN_OR_RETURN(const size_t number, find(name, "argument"));
    KernelArgument &argument = kernel_.arguments[number];
    if (!argument.isFloat)
      return errorAt(placeOf(number),
                     absl::StrCat("the argument `", name, "` is ",
                                  argument.type, ", and ", value, " is none"));
    argument.number = value;
    return absl::OkStatus();
  }

  absl::Status setAliases(llvm::ArrayRef<std::string> names) {
    int64_t first = -1;
    for (const std::string &name : names) {
      INDEXICAL_ASSIGN_OR_RETURN(const size_t found, find(name, "pointer"));
      const int64_t array = kernel_.arrayOf(static_cast<int64_t>(found));
      if (first < 0) first = array;
      for (size_t k = 0; array != first && k < kernel_.arguments.size(); ++k)
        if (kernel_.arrayOf(static_cast<int64_t>(k)) == array)
          kernel_.arguments[k].sameAs = first;
    }
    return absl::OkStatus();
  }

 private:
  Place placeOf(size_t number) const {
    return number < places_.size() ? places_[number] : Place();
  }

  /// Returns the number of the argument, or of the last pointer of that name.
  absl::StatusOr<size_t> find(const std::string &name, llvm::StringRef kind) {
    const bool arePointers = kind == "pointer";
    std::vector<llvm::StringRef> names;
    std::optional<size_t> found;
    for (auto [number, argument] : llvm::enumerate(kernel_.arguments)) {
      if (arePointers && !argument.isPointer) continue;
      names.push_back(argument.name);
      if (isNamed(kernel_, number, name) && (arePointers || !found))
        found = number;
    }
    if (found) return *found;
    return errorAt(place_,
                   absl::StrCat("there is no ", kind.str(), " `", name, "`"),
                   nearest(name, names));
  }

  TritonKernel &kernel_;
  const Place place_;
  const llvm::ArrayRef<Place> places_;
};

}  // namespace

bool isNamed(const TritonKernel &kernel, size_t number,
             const std::string &name) {
  return kernel.arguments[number].name == name ||
         std::to_string(number) == name || absl::StrCat("arg", number) == name;
}

absl::Status setGiven(const ReadOptions &options, TritonKernel &kernel,
                      Place place, llvm::ArrayRef<Place> places) {
  NamedArguments arguments(kernel, place, places);
  auto isOther = [&](const std::string &name) {
    if (!options.otherNames.count(name)) return false;
    for (size_t k = 0; k < kernel.arguments.size(); ++k)
      if (isNamed(kernel, k, name)) return false;
    return true;
  };
  for (const auto &[name, value] : options.arguments)
    if (!isOther(name))
      INDEXICAL_RETURN_IF_ERROR(arguments.setValue(name, value));
  for (const auto &[name, number] : options.numbers)
    if (!isOther(name))
      INDEXICAL_RETURN_IF_ERROR(arguments.setNumber(name, number));
  for (const auto &names : options.aliases)
    INDEXICAL_RETURN_IF_ERROR(arguments.setAliases(names));
  return absl::OkStatus();
}

}  // namespace indexical::kernels
