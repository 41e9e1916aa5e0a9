// Terms of a kernel whose sizes have no values (open_sizes.h): sizes become the
// turns of loops, and addresses are taken apart.
//
//   add i32 (mul i32 r (argument C)) c       with C of loop 2^40
//     wide     r * (loop + 1) + c, of 64 bits
//     apart    c, and r of the product C
//
// Law (tests/program/kernel/sized_terms_test.cc, by enumeration): where no
// integer wraps, the value of a term at sizes is that of the rewritten term at
// their turns, and the sum of the factors times their products is the address.
#ifndef INDEXICAL_PROGRAM_KERNEL_SIZED_TERMS_H
#define INDEXICAL_PROGRAM_KERNEL_SIZED_TERMS_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/kernel/kernel.h"
#include "indexical/program/kernel/open_sizes.h"
#include "indexical/program/kernel/pieces.h"
#include "indexical/program/kernel/terms.h"

namespace indexical::kernels {

class SizedTerms {
 public:
  /// `names` has the name of each argument. The terms and the sizes have to
  /// outlive this.
  SizedTerms(Terms &terms, const OpenSizes &open,
             std::vector<std::string> names);

  /// Returns the term with sizes as turns. Its integers wrap as before. An
  /// error says which part cannot be written so.
  absl::StatusOr<TermId> exact(TermId term);
  /// Returns the term of integers that do not wrap: those of 32 bits have 64.
  /// Returns an error for what has another value then, or none: unsigned
  /// arithmetic, narrower integers, a value of memory.
  absl::StatusOr<TermId> wide(TermId term);
  /// Returns whether the argument is one of the sizes.
  bool isSize(int64_t argument) const;
  /// Returns how many programs there are along an axis, of 64 bits.
  absl::StatusOr<TermId> grid(size_t axis);
  /// Returns the most programs of each axis, or an error if one may have more
  /// than a launch.
  absl::StatusOr<std::array<int64_t, 3>> mostPrograms(const Stop *stop);
  /// Returns whether the program is one of the grid, and the conditions of the
  /// sizes hold; nothing if that is always so.
  absl::StatusOr<std::optional<TermId>> isInGrid();
  /// Returns the loops of the sizes, which are around all others.
  std::vector<PieceSpace::LoopCount> loops() const;

  /// An address as factors of products of sizes. That of the empty product is
  /// the rest.
  struct Address {
    int64_t argument = -1;
    std::map<SizeProduct, TermId> factors;
  };
  /// Takes a pointer apart. Returns an error for one of several arguments.
  absl::StatusOr<Address> apart(TermId pointer);
  /// Returns the products whose factors are not constants.
  static std::set<SizeProduct> productsOf(const Address &address,
                                          const Terms &terms);

  /// Returns the elements that the pointer names where the mask holds: maps to
  /// the rest, the factor of each product of the argument's in their order, and
  /// the turn of each size. `space` has the loops of the sizes. An error says
  /// what has no map. The pointer and the mask are as the kernel has them.
  absl::StatusOr<std::vector<PointerMap>> elements(const PieceSpace &space,
                                                   TermId pointer,
                                                   std::optional<TermId> mask,
                                                   const Stop *stop);

 private:
  struct Key {
    SizeProduct sizes;
    std::vector<TermId> others;  ///< in order
    bool operator<(const Key &o) const {
      return sizes != o.sizes ? sizes < o.sizes : others < o.others;
    }
  };
  using Sum = std::map<Key, int64_t>;

  std::optional<TermId> ofArgument(const TermNode &term);
  absl::StatusOr<TermId> ofName(const std::string &name);
  absl::StatusOr<TermId> ofSize(const SizeTerm &size);
  absl::StatusOr<TermId> widened(const TermNode &term,
                                 llvm::ArrayRef<TermId> operands);
  absl::StatusOr<TermId> isBelow(TermId number, const SizeTerm &size);
  absl::StatusOr<TermId> holds(const SizeCondition &condition);
  absl::StatusOr<Sum> sumOf(TermId term);
  TermId termOf(const Sum &sum);
  absl::StatusOr<bool> isDigit(const PieceSpace &space, TermId rest,
                               size_t size, std::optional<TermId> mask,
                               const Stop *stop);
  absl::Status normalize(const PieceSpace &space, std::optional<TermId> mask,
                         const std::set<SizeProduct> &products,
                         const Stop *stop, Address &address);

  Terms &terms_;
  const OpenSizes &open_;
  const std::vector<std::string> names_;
  std::vector<TermId> sizes_;  ///< 64 bits
  std::set<size_t> isSaid_;    ///< numbers of those that others say
  std::map<TermId, TermId> exact_, wide_;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_SIZED_TERMS_H
