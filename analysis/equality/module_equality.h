// Do two modules read the same elements?
//
//   before  ROOT t = f32[4,8] transpose(p), dimensions={1,0}
//   after   r = f32[4,8] reshape(p)
//
//   result 0, parameter 0: different
//     at index (0, 1) only the first reads (1, 0)
//     first    t, p
//     second   r, p
//
// For every leaf of the roots and of the parameters the composed relations of
// both modules are compared (exact/): a rewrite of reshapes, transposes, slices
// and layouts is refuted, with an element that shows it, or shown to read the
// same. What is computed of the elements is not compared.
//
// A runtime variable's source is followed behind ops that only move values; two
// are one where both come from one element of a parameter. Where a source
// cannot be followed so far, or an answer is a cover, a difference may be none:
// it is undecided, and so is what passes collectives.
//
// Law (tests/exact/module_equality_test.cc): against enumeration of what random
// rewrites and mutations of them read.
#ifndef INDEXICAL_ANALYSIS_EQUALITY_MODULE_EQUALITY_H
#define INDEXICAL_ANALYSIS_EQUALITY_MODULE_EQUALITY_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/exact/exact.h"
#include "indexical/program/program.h"

namespace indexical {

/// What keeps a difference from being one.
enum class Doubt : uint8_t {
  None,
  UnknownOp,      ///< what an op of a module means is not known
  Cover,          ///< what a module reads is known only as a cover
  Collective,     ///< the element is read through a collective
  UnknownSource,  ///< a runtime variable's is not traced to a parameter
};

/// What became of one leaf of the root and one of the parameters, both counted
/// as entries (formats.md): leaves, depth first.
struct LeafEquality {
  int64_t result = 0, parameter = 0;
  Decision decision;          ///< its reason is what exact/ says
  Doubt doubt = Doubt::None;  ///< why it is undecided, where exact/ is not
  /// The way of a difference: instructions from the root to the parameter,
  /// along which the element is read or, on the other side, along which any is.
  /// Empty where there is no way.
  std::vector<std::string> paths[2];
};

struct ModuleEquality {
  /// No where one pair is different, else undecided where one is.
  Answer answer = Answer::Yes;
  Engine engine = Engine::ClosedForm;  ///< the strongest that was needed
  std::vector<LeafEquality> leaves;    ///< by result, then by parameter
};

/// Compares the entry computations. An error where the parameters or results
/// differ in number, element types or sizes.
absl::StatusOr<ModuleEquality> compareReads(const Module &first,
                                            const Module &second,
                                            const ExactOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_EQUALITY_MODULE_EQUALITY_H
