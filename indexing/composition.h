// Composition of maps, before any simplification.
//
//   first   (d0) -> (d0 floordiv 8, d0 mod 8), d0 in [0, 31]
//   second  (d0, d1) -> (d0 * 8 + d1), d0 in [0, 3], d1 in [0, 7]
//   product (d0) -> ((d0 floordiv 8) * 8 + d0 mod 8), d0 in [0, 31],
//           d0 floordiv 8 in [0, 3], d0 mod 8 in [0, 7]
//
// A result that the first map is known to keep inside (IndexingMap's
// resultBounds()) needs no constraint, because other constraints imply it.
//
// The product is returned in parts, whose expressions are still those of the
// two maps. A PartsImport writes them into an algebra, so that simplifier/
// makes canonical forms of them at once. Callers want its `compose`.
//
// Law (tests/simplifier/simplifier_test.cc, by enumeration): the product is the
// relational one, and every runtime variable keeps its own source, with the
// source's index composed.
#ifndef INDEXICAL_INDEXING_COMPOSITION_H
#define INDEXICAL_INDEXING_COMPOSITION_H

#include "absl/status/status.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// An expression of one of the maps.
struct PartForm {
  enum Map : uint32_t { kFirst, kSecond };
  Map map = kFirst;
  FormId form = 0;
};

/// A map, or the product of two, taken apart. Its variables are the product's;
/// the maps must outlive it.
struct MapParts {
  llvm::SmallVector<Variable, 4> dimensions;
  llvm::SmallVector<Variable, 2> ranges;
  /// Their source indices are in `indices`, with the members behind.
  llvm::SmallVector<RuntimeVariable, 0> runtime;
  llvm::SmallVector<llvm::SmallVector<PartForm, 2>, 0> indices;
  llvm::SmallVector<PartForm, 4> results;  // and, behind them, the members
  llvm::SmallVector<int64_t, 0> collectives;
  struct Bounded {
    PartForm form;
    Interval bounds;
  };
  llvm::SmallVector<Bounded, 8> constraints;

  const IndexingMap *first = nullptr, *second = nullptr;
};

/// Says which of two composed maps is on the result's side: the first, if maps
/// go from outputs to inputs, the second, if they go the other way. Members are
/// seen from there.
enum class ResultSide : uint8_t { First, Second };

/// Requires empty parts and a map that is not known to be empty.
void takeApart(const IndexingMap &map, MapParts &parts);

/// Puts the relational product into `parts`: `first` maps a to b, `second` b to
/// c, the product a to c. The ranges of `second` come first, then those of
/// `first`; runtime variables do so too. Returns an error if `first` has
/// another number of results than `second` has dimensions. Requires empty parts
/// and maps that are not known to be empty.
absl::Status composeParts(const IndexingMap &first, const IndexingMap &second,
                          ResultSide side, MapParts &parts);

/// Writes expressions of the parts into an algebra, each part once. `replace`
/// is asked for the product's variables.
class PartsImport {
 public:
  PartsImport(const MapParts &parts, ExpressionAlgebra &to,
              llvm::function_ref<FormId(VariableId)> replace);
  PartsImport(const PartsImport &) = delete;
  PartsImport &operator=(const PartsImport &) = delete;

  FormId operator()(PartForm part) {
    return part.map == PartForm::kFirst ? first_(part.form)
                                        : second_(part.form);
  }
  /// Copies all expressions of the first map into `to`, an empty pool, and
  /// takes the first map's forms from there. Forms and atoms keep their
  /// numbers; ranges and runtime variables get those of the product, behind the
  /// second map's. Requires that `replace` changes no variable of the first
  /// map.
  void adoptFirst(ExpressionPool &to);
  /// Copies the forms of the results and constraints of the first map into
  /// `to`, with all of their parts and without replacing variables, and takes
  /// those forms from there.
  void copyFirst(ExpressionPool &to);

 private:
  FormId ofFirst(VariableId id);
  FormId ofSecond(VariableId id);

  const MapParts &parts_;
  llvm::function_ref<FormId(VariableId)> replace_;
  struct {
    PartsImport *self;
    FormId operator()(VariableId id) const { return self->ofFirst(id); }
  } replaceFirst_{this};
  struct {
    PartsImport *self;
    FormId operator()(VariableId id) const { return self->ofSecond(id); }
  } replaceSecond_{this};
  ExpressionImport first_, second_;
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_COMPOSITION_H
