// Finds known sizes and elements of a module, and writes maps with them:
// private to program/.
//
//   i = s32[] constant(3)
//   r = f32[1,8] dynamic-slice(x, i, z)
//     of x     (d0, d1){rt0} -> (rt0, d1), rt0 the element of i
//     folded   (d0, d1) -> (3, d1)
#ifndef INDEXICAL_PROGRAM_MAPS_PROGRAM_FACTS_H
#define INDEXICAL_PROGRAM_MAPS_PROGRAM_FACTS_H

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "absl/status/statusor.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/program/maps/value_numbers.h"
#include "indexical/program/values/shapes.h"

namespace indexical {

class ProgramFacts {
 public:
  /// `module` and `values` must outlive the object.
  ProgramFacts(const Module &module, ValueNumbers &values)
      : module_(module), values_(values) {}

  /// Returns the sizes of a computation, followed through it.
  ProgramShapes &shapesOf(ComputationId c);

  enum class Known : uint8_t { Elements, ElementsAndSizes };
  /// Returns the relation with each runtime variable replaced that is a known
  /// element (fold_known.h). A variable that is a size is replaced too if a
  /// type says the size or it follows from others, unless only elements are
  /// asked for.
  absl::StatusOr<IndexingRelation> folded(const IndexingRelation &relation,
                                          Known what = Known::ElementsAndSizes);
  /// Returns all values that an element of the source can have, by its type.
  Interval valuesAt(int64_t tensor) const;

 private:
  ProgramShapes *shapesOfCallee(ComputationId c);
  /// Takes a copy, since the list of values may grow.
  std::optional<Expr> knownSize(Value value, int64_t dimension,
                                IndexingMapBuilder &b);

  const Module &module_;
  ValueNumbers &values_;
  std::map<ComputationId, std::unique_ptr<ProgramShapes>> shapes_;
  std::set<ComputationId> shapesInWork_;
  /// Scalars of which nothing is known, whatever map asks for them.
  std::set<int64_t> unknownScalars_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_PROGRAM_FACTS_H
