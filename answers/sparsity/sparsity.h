// The structural non-zeros of a program's Jacobian, and a colouring that
// recovers them with few Jacobian-vector products.
//
//   f { p = f32[6] parameter(0)
//       a = f32[5] slice(p), slice={[0:5]}, b = f32[5] slice(p), slice={[1:6]}
//       ROOT r = f32[5] subtract(a, b) }
//
//   SparsityQuestion question;
//   auto found = sparsityOf(*program, question);
//   int64_t entries = *found->jacobian.entries;  // 10 of 5 x 6
//   int64_t products = found->ofColumns->count;  // 2 in place of 6
//
// Entry (i, j) is a structural non-zero if a differentiable path leads from
// parameter element j to result element i
// (program/maps/derivative_reads.h: integers, predicates and steps such as
// `floor` carry none).
#ifndef INDEXICAL_ANSWERS_SPARSITY_SPARSITY_H
#define INDEXICAL_ANSWERS_SPARSITY_SPARSITY_H

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/cost/sparsity/coloring.h"
#include "indexical/cost/sparsity/jacobian.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct SparsityQuestion {
  std::string computation;  ///< empty: the entry
  /// The number of the root's array, and of the parameters' array, counted over
  /// all parameters. std::nullopt: the first array of floats.
  std::optional<int64_t> result, parameter;
};

/// The sparsity of one Jacobian. It refers to the program.
struct Sparsity {
  const Module *module;
  const Computation *computation;
  const Instruction *root, *parameter;
  int64_t resultNumber = 0, parameterNumber = 0;
  Jacobian jacobian;
  std::string reason;  ///< why it is a cover; empty: it is exact
  /// Present if the entries are listed.
  std::optional<BlockSize> blocks;
  std::optional<int64_t> parts;
  /// Present if colourings are found, too: of columns (products J * v), and of
  /// rows (products v * J).
  std::optional<Coloring> ofColumns, ofRows;

  ArrayShape resultShape() const;
  ArrayShape parameterShape() const;

 private:
  friend absl::StatusOr<Sparsity> sparsityOf(const Program &program,
                                             const SparsityQuestion &question,
                                             const Ask &ask);
  int64_t leaf_ = 0;  ///< of the parameter
};

/// Returns the sparsity. If several modules have the computation, the first one
/// is used, with a note. Returns an error if the computation or the array does
/// not exist, if an array holds integers, if a size is unknown, or if elements
/// of other devices are read.
absl::StatusOr<Sparsity> sparsityOf(const Program &program,
                                    const SparsityQuestion &question,
                                    const Ask &ask = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_SPARSITY_SPARSITY_H
