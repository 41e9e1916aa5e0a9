// Elements as numbers: the value of a term at one index, for given numbers of
// the parameters.
//
//   element   add over s in [0, 3] of p[i, s], begun with 0
//   at (2)    p[2, 0] + p[2, 1] + p[2, 2] + p[2, 3]
//
// A term is computed at one index alone, so that sizes do not count. An unknown
// part of a term (a library call, a float that leaves its type) has no number.
// Two terms that have different numbers are different functions of the
// parameters; equal numbers mean nothing.
#ifndef INDEXICAL_SAME_VALUES_ELEMENT_NUMBERS_H
#define INDEXICAL_SAME_VALUES_ELEMENT_NUMBERS_H

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/check/witness.h"
#include "indexical/same/values/element_table.h"
#include "indexical/same/values/special_numbers.h"
#include "indexical/same/values/typed_numbers.h"

namespace indexical {

/// The configuration of an opaque op whose elements may be any numbers begins
/// so. No law takes them for real ones.
inline constexpr llvm::StringLiteral kAnyNumbers = "any numbers ";

/// A parameter's element, and its number.
struct NamedNumber {
  int64_t parameter = 0, leaf = 0;
  std::vector<int64_t> index;
  TypedNumber number;
};

/// Looks for numbers of the parameters, and an index of the region, with which
/// two elements are different: a witness of kind Numbers, whose accesses have
/// that index. Its inputs have no names. Returns nothing if none is found,
/// which means nothing. With specials, infinities and NaN are numbers
/// (special_numbers.h): so they are of kernels, whose ops are as they are
/// written.
std::optional<Witness> differentNumbers(const ElementTable &table,
                                        ElementId first, ElementId second,
                                        const IndexingMap &region,
                                        Specials specials = Specials::None);

/// The part of one of two elements' reads at an index that the other does not
/// read.
struct OneSidedRead {
  bool isOfFirst = false;
  /// An element of a parameter, the least one; nothing: any numbers.
  std::optional<NamedNumber> element;
  bool readsAny = false;  ///< one side alone reads any numbers
};

struct NumbersAt {
  Witness witness;
  std::optional<OneSidedRead> only;  ///< with these numbers
  /// The integers of parameters that decide what is read, in order.
  std::vector<int64_t> steering;
};

/// Like differentNumbers(), at one index.
std::optional<NumbersAt> differentNumbersAt(const ElementTable &table,
                                            ElementId first, ElementId second,
                                            llvm::ArrayRef<int64_t> point);

/// The numbers of elements, if the parameters have some of a family: small
/// ones, any, those at the edges of types, positive ones, negative ones, those
/// that are not exact in every type, and integers that are coordinates of the
/// index, where what is looked up or placed lands. Keeps a reference to the
/// table.
class TrialNumbers {
 public:
  static constexpr int kFamilies = 7;

  /// Takes at most so many steps.
  TrialNumbers(const ElementTable &table, int family, uint64_t seed,
               int64_t steps);
  ~TrialNumbers();

  std::optional<TypedNumber> at(ElementId element,
                                llvm::ArrayRef<int64_t> point);
  /// Returns the value of a runtime variable whose source is an element.
  std::optional<int64_t> valueOf(const RuntimeVariable &variable,
                                 llvm::ArrayRef<int64_t> point);
  /// Returns an element of a list of numbers.
  std::optional<TypedNumber> listed(ElementId list,
                                    llvm::ArrayRef<int64_t> index) const;
  bool isSpent() const;

 private:
  struct Trial;
  std::unique_ptr<Trial> trial_;
};

/// Returns whether numbers of the parameters show that an element depends on
/// one of a parameter's elements, or on any of them if `onAll`: two that differ
/// in nothing else give different numbers. Library calls are taken for any
/// functions of what they read. Conservative: false when unknown.
bool dependsOn(const ElementTable &table, ElementId element,
               llvm::ArrayRef<int64_t> point, const NamedNumber &on,
               bool onAll);

/// Returns whether the element may depend on any element of the parameter, by
/// its structure. Conservative: true when unknown.
bool mayDependOn(const ElementTable &table, ElementId element,
                 const NamedNumber &on);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_ELEMENT_NUMBERS_H
