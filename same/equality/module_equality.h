// Whether two modules read the same elements.
//
//   before  ROOT t = f32[4,8] transpose(p), dimensions={1,0}
//   after   r = f32[4,8] reshape(p)
//
//   result 0, parameter 0: different
//     at index (0, 1) only the first reads (1, 0)
//     first    t, p
//     second   r, p
//
// For every leaf of the roots and of the parameters, the reads of the two
// modules are compared: a rewrite of reshapes, transposes, slices and layouts
// is refuted, with an element as the witness, or shown to read the same.
// Computed values are not compared.
//
// Terms (same/terms/program_terms.h) come first: if both modules compute a leaf
// of the same values in the same way, no map is made. Else maps are composed
// (exact/) from the result down to the leaves that both modules have, and down
// to the parameters only if these maps differ. So shared parts of the modules
// are compared once.
//
// A runtime variable's source is a value, too: two runtime variables are equal
// if their sources are one element of one value. A difference is reported only
// if all sources are elements of parameters and all reads are known exactly.
// Else the answer is undecided, and names the instruction that stands in the
// way.
//
// Two ops of unknown meaning are equal if their targets, configurations, called
// computations and operands are. An answer that rests on such an op holds for
// any meaning of the op (`forAny`). In the same way an answer can rest on
// literals that the text leaves out, or on values that are new in every
// execution (rng, infeed). A difference beside such ops holds for some meaning
// (`forSome`), unless what one may do besides giving its results may explain
// the difference (hidden_effects.h): then it is undecided.
//
// Modules with open sizes are compared for the sizes with which both can run:
// sizes that the ops of either module force to be equal, or to be a number, are
// taken to be so (`where`).
//
// Law (tests/exact/module_equality_test.cc, equal_modules_test.cc): answers for
// random rewrites and mutations agree with an enumeration of the reads; a
// module equals itself with other names, in another order.
#ifndef INDEXICAL_SAME_EQUALITY_MODULE_EQUALITY_H
#define INDEXICAL_SAME_EQUALITY_MODULE_EQUALITY_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/exact/exact.h"
#include "indexical/program/check/witness.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Why two reads that seem different may be equal.
enum class Doubt : uint8_t {
  None,
  UnknownOp,      ///< the meaning of an op is not known
  Cover,          ///< the reads of a module are known only as a cover
  Collective,     ///< the element is read through a collective
  UnknownSource,  ///< a runtime variable's source is not of a parameter
};

/// The instruction that prevents an answer. Not the Obstacle of
/// cost/memory/measured.h, which says why an access has no figures.
struct EqualityObstacle {
  int32_t module = 0;  ///< 0: of the first
  std::string computation, instruction, opcode;
  int32_t line = 0;
  std::string reason;  ///< what is not known of it
};

/// The answer for one leaf of the root and one of the parameters, both numbered
/// as entries (keys.md): leaves, depth first.
struct LeafEquality {
  LeafId result;
  int64_t parameter = 0;
  Decision decision;          ///< its reason is what exact/ says
  bool byTerms = false;       ///< decided without a map
  Doubt doubt = Doubt::None;  ///< why it is undecided, if exact/ is not
  std::optional<EqualityObstacle> because;  ///< of an undecided one
  /// For a different pair: whether the first module reads everything that the
  /// second one reads.
  bool isFewer = false;
  /// The ops and literals on whose meanings the answer rests: it holds for any
  /// meaning of forAny, and for some meaning of forSome. forAny also has the
  /// ops that are new in every execution.
  std::vector<std::string> forAny, forSome;
  /// The paths of a difference: the instructions from the root to the parameter
  /// along which one module reads the element, and those along which the other
  /// module reads any element. Empty if there is no path.
  std::vector<std::string> paths[2];
};

/// Returns the witness of a pair that is different, as one of its modules: of
/// kind Read. Requires that its decision has one.
Witness witnessOf(const LeafEquality &leaf);

struct ModuleEquality {
  /// No if one pair is different, else Undecided if one is undecided.
  Answer answer = Answer::Yes;
  Engine engine = Engine::ClosedForm;  ///< the strongest that was needed
  bool byTerms = false;                ///< all pairs are decided without a map
  /// By result, then by parameter. If there are more than 65,536 pairs, those
  /// that neither module reads are left out: they are equal, by terms.
  std::vector<LeafEquality> leaves;
  int64_t results = 1, parameters = 1;  ///< numbers of leaves
  /// Returns whether pairs that neither module reads are listed, too.
  bool listsAll() const;
  /// The equations that the ops of either module force on open sizes of
  /// parameters, in the names of the first. The modules are compared for sizes
  /// that meet all of them.
  std::vector<std::string> where;
};

struct EqualityOptions : ExactOptions {
  EqualityOptions() = default;
  explicit EqualityOptions(const Budget &budget) : ExactOptions(budget) {}
  /// For each parameter of the first module, the number of the second module's
  /// parameter that it is compared with. Empty: the same number.
  std::vector<int32_t> parameters;
  /// Threads to work on; the answer is the same for every number.
  size_t jobs = 1;
  /// Called when a result is done, by one thread at a time.
  std::function<void(int64_t done, int64_t results)> progress;
};

/// Returns, for each pair of a result and a parameter of the entry
/// computations, whether both modules read the same elements. Returns an error
/// if a module has no entry, or if the parameters or results differ in number,
/// element types or sizes.
absl::StatusOr<ModuleEquality> compareReads(
    const Module &first, const Module &second,
    const EqualityOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_SAME_EQUALITY_MODULE_EQUALITY_H
