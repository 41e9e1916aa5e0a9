// Which argument of one kernel stands for which of another.
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/program/kernel/named_arguments.h"
#include "indexical/same/kernel/kernel_pair.h"
#include "indexical/same/kernel/result_stores.h"

namespace indexical::kernels {

namespace {

bool isArray(const KernelArgument &argument) {
  return argument.isPointer || llvm::StringRef(argument.type).starts_with("!");
}

/// Whether an argument is an array that the kernel may access. A compiled
/// kernel has pointers to scratch memory that it does not use.
bool isArray(const TritonKernel &kernel, size_t number) {
  if (!isArray(kernel.arguments[number])) return false;
  return kernel.form != "llvm" ||
         llvm::any_of(kernel.accesses, [&](const KernelAccess &access) {
           return access.maps.empty() ||
                  llvm::any_of(access.maps, [&](const PointerMap &map) {
                    return map.argument == static_cast<int64_t>(number) ||
                           kernel.arrayOf(map.argument) ==
                               static_cast<int64_t>(number);
                  });
         });
}

absl::StatusOr<int64_t> numberOf(const TritonKernel &kernel,
                                 const std::string &name, const char *option,
                                 const char *which) {
  for (size_t k = 0; k < kernel.arguments.size(); ++k)
    if (isNamed(kernel, k, name)) return static_cast<int64_t>(k);
  return errorAt({}, absl::StrCat("--", option, ": the ", which,
                                  " kernel has no argument `", name, "`"));
}

/// Pairs those that have no partner yet, in their order, of one kind.
void pairInOrder(const TritonKernel &first, const TritonKernel &second,
                 bool areArrays, PairedArguments &paired) {
  std::vector<int64_t> ours, theirs;
  for (auto [k, argument] : llvm::enumerate(first.arguments))
    if (isArray(first, k) == areArrays && paired.oldOf[k] < 0 &&
        isArray(argument) == areArrays)
      ours.push_back(static_cast<int64_t>(k));
  for (auto [k, argument] : llvm::enumerate(second.arguments))
    if (isArray(second, k) == areArrays && isArray(argument) == areArrays &&
        paired.newOf(static_cast<int64_t>(k)) < 0)
      theirs.push_back(static_cast<int64_t>(k));
  // If some are left over, nothing says which.
  if (ours.size() != theirs.size()) return;
  for (auto [a, b] : llvm::zip(ours, theirs)) paired.oldOf[a] = b;
}

/// Whether an access may be of the array, if its pointer has no type.
bool isAccessed(const TritonKernel &kernel, int64_t array) {
  if (kernel.arguments[array].elementType.empty()) return true;
  return llvm::any_of(kernel.accesses, [&](const KernelAccess &access) {
    return !access.reason.empty() ||
           llvm::any_of(access.maps, [&](const PointerMap &map) {
             return kernel.arrayOf(map.argument) == kernel.arrayOf(array);
           });
  });
}

/// Returns the type as a message has it: LLVM's pointers are all `ptr`.
std::string shownType(const KernelArgument &argument) {
  return argument.type == "ptr" ? elementTypeOf(argument).str() + " elements"
                                : argument.type;
}

}  // namespace

int64_t PairedArguments::newOf(int64_t old) const {
  const auto found = llvm::find(oldOf, old);
  return found == oldOf.end() ? -1 : found - oldOf.begin();
}

absl::StatusOr<PairedArguments> pairArguments(const TritonKernel &first,
                                              const TritonKernel &second,
                                              const PairNames &names) {
  PairedArguments paired;
  paired.oldOf.assign(first.arguments.size(), -1);
  paired.counts.assign(first.arguments.size(), names.outputs.empty());
  for (const auto &[a, b] : names.pairs) {
    INDEXICAL_ASSIGN_OR_RETURN(const int64_t own,
                               numberOf(first, a, "pair", "new"));
    INDEXICAL_ASSIGN_OR_RETURN(const int64_t old,
                               numberOf(second, b, "pair", "old"));
    if (paired.oldOf[own] >= 0 || paired.newOf(old) >= 0)
      return errorAt(
          {}, absl::StrCat("--pair: `", a, "` or `", b, "` has two partners"));
    if (isArray(first.arguments[own]) != isArray(second.arguments[old]))
      return errorAt({}, absl::StrCat("--pair: one of `", a, "` and `", b,
                                      "` is an array"));
    paired.oldOf[own] = old;
  }
  for (const std::string &name : names.outputs) {
    INDEXICAL_ASSIGN_OR_RETURN(const int64_t own,
                               numberOf(first, name, "outputs", "new"));
    paired.counts[own] = true;
  }
  paired.areZero.assign(first.arguments.size(), false);
  for (const std::string &name : names.zeros) {
    INDEXICAL_ASSIGN_OR_RETURN(const int64_t own,
                               numberOf(first, name, "zero", "new"));
    if (!isArray(first.arguments[own]))
      return errorAt({}, absl::StrCat("--zero: `", name, "` is not an array"));
    paired.areZero[first.arrayOf(own)] = true;
  }
  for (auto [k, argument] : llvm::enumerate(first.arguments))
    for (auto [other, theirs] : llvm::enumerate(second.arguments))
      if (paired.oldOf[k] < 0 && !argument.name.empty() &&
          argument.name == theirs.name &&
          isArray(argument) == isArray(theirs) &&
          paired.newOf(static_cast<int64_t>(other)) < 0)
        paired.oldOf[k] = static_cast<int64_t>(other);
  for (const bool areArrays : {true, false})
    pairInOrder(first, second, areArrays, paired);
  for (auto [k, argument] : llvm::enumerate(first.arguments)) {
    if (!isArray(first, k)) continue;
    const int64_t old = paired.oldOf[k];
    if (old < 0 && paired.counts[k])
      return errorAt(
          {}, absl::StrCat("the array `", argument.name,
                           "` of the new kernel has no partner in the old "
                           "one; --pair=NEW=OLD names it, or --outputs=NAMES "
                           "the arrays that count"));
    if (old < 0) continue;
    const KernelArgument &theirs = second.arguments[old];
    // LLVM's pointers have no type, and only accesses give one.
    if (!isAccessed(first, k) || !isAccessed(second, old)) continue;
    const llvm::StringRef own = elementTypeOf(argument);
    if (!own.empty() && !elementTypeOf(theirs).empty() &&
        own != elementTypeOf(theirs))
      return errorAt(
          {}, absl::StrCat("`", argument.name, "` is ", shownType(argument),
                           ", and `", theirs.name, "` of the old kernel ",
                           shownType(theirs)));
  }
  if (names.outputs.empty())
    for (auto [k, argument] : llvm::enumerate(second.arguments))
      if (isArray(second, k) && paired.newOf(static_cast<int64_t>(k)) < 0)
        return errorAt(
            {}, absl::StrCat("the array `", argument.name,
                             "` of the old kernel has no partner in the new "
                             "one; --pair=NEW=OLD names it, or --outputs=NAMES "
                             "the arrays that count"));
  for (size_t a = 0; a < first.arguments.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      const int64_t x = paired.oldOf[a], y = paired.oldOf[b];
      if (x < 0 || y < 0 || !isArray(first.arguments[a])) continue;
      const bool isOne = first.arrayOf(static_cast<int64_t>(a)) ==
                         first.arrayOf(static_cast<int64_t>(b));
      if (isOne != (second.arrayOf(x) == second.arrayOf(y)))
        return errorAt({}, absl::StrCat("`", first.arguments[b].name, "` and `",
                                        first.arguments[a].name,
                                        "` are one array in one of the kernels "
                                        "alone"));
    }
  return paired;
}

}  // namespace indexical::kernels
