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
// For every leaf of the roots and of the parameters it is compared what the
// two modules read: a rewrite of reshapes, transposes, slices and layouts is
// refuted, with an element that shows it, or shown to read the same. What is
// computed of the elements is not compared.
//
// Terms (program/program_terms.h) come first: where both modules compute a leaf
// of the same things in the same way, no map is made. Else maps are composed
// (exact/) from the result down to the leaves that both modules have, and only
// where these differ, down to the parameters. So what the modules share is
// compared once.
//
// A runtime variable's source is a value, too: two are one where both come from
// one element of one value. A difference is said only where all sources are
// elements of parameters and all that is read is known exactly; else it is
// undecided, and the answer names the instruction that stands in the way.
//
// An op whose meaning is not known is one with another where target,
// configuration, called computations and operands are. An answer that rests on
// that holds for any meaning of it (`forAny`), as one that rests on literals
// that the text leaves out holds for any of them, and one that rests on what is
// new in every execution (rng, infeed) for whatever comes. A difference beside
// such ops holds for some meaning (`forSome`).
//
// Sizes that are open are compared where both modules can run: those that the
// ops of either one force to be equal, or to be a number, are (`where`).
//
// Law (tests/exact/module_equality_test.cc, equal_modules_test.cc): against
// enumeration of what random rewrites and mutations of them read; a module
// equals itself with other names, in another order.
#ifndef INDEXICAL_ANALYSIS_EQUALITY_MODULE_EQUALITY_H
#define INDEXICAL_ANALYSIS_EQUALITY_MODULE_EQUALITY_H

#include <cstdint>
#include <functional>
#include <optional>
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

/// The instruction that stands in the way of an answer.
struct Because {
  int32_t module = 0;  ///< 0: of the first
  std::string computation, instruction, opcode;
  int32_t line = 0;
  std::string reason;  ///< what is not known of it
};

/// Returns the place of an instruction of `in`, which is the first module (0)
/// or the second one (1), as what stands in the way.
Because becauseAt(const Module &in, int32_t module, int32_t computation,
                  int32_t instruction, std::string reason);

/// Where there are more pairs, those that neither module reads are not listed.
constexpr int64_t kMostUnreadPairs = 65'536;

/// What became of one leaf of the root and one of the parameters, both counted
/// as entries (formats.md): leaves, depth first.
struct LeafEquality {
  int64_t result = 0, parameter = 0;
  Decision decision;               ///< its reason is what exact/ says
  bool byTerms = false;            ///< decided without a map
  Doubt doubt = Doubt::None;       ///< why it is undecided, where exact/ is not
  std::optional<Because> because;  ///< of an undecided one
  /// The ops and literals for any, or for some, of whose meanings it holds; in
  /// forAny also what is new in every execution.
  std::vector<std::string> forAny, forSome;
  /// The way of a difference: instructions from the root to the parameter,
  /// along which the element is read or, on the other side, along which any is.
  /// Empty where there is no way.
  std::vector<std::string> paths[2];
};

struct ModuleEquality {
  /// No where one pair is different, else undecided where one is.
  Answer answer = Answer::Yes;
  Engine engine = Engine::ClosedForm;  ///< the strongest that was needed
  bool byTerms = false;                ///< all pairs are decided without a map
  /// By result, then by parameter. Where there are more than kMostUnreadPairs,
  /// those of which neither module reads anything are left out: they are equal,
  /// by terms.
  std::vector<LeafEquality> leaves;
  int64_t results = 1, parameters = 1;  ///< leaves: so many pairs there are
  bool listsAll() const {
    return parameters == 0 || results <= kMostUnreadPairs / parameters;
  }
  /// What the ops of either module force open sizes of parameters to be, in
  /// the names of the first: the modules are compared where all of it holds.
  std::vector<std::string> where;
};

struct EqualityOptions : ExactOptions {
  EqualityOptions() = default;
  explicit EqualityOptions(const Budget &budget) : ExactOptions(budget) {}
  /// Which parameter of the second module each of the first is; empty: that of
  /// the same number.
  std::vector<int32_t> parameters;
  /// Threads to work on; the answer is the same for every number.
  size_t jobs = 1;
  /// Called when a result is done, by one thread at a time.
  std::function<void(int64_t done, int64_t results)> progress;
};

/// Compares the entry computations. An error where the parameters or results
/// differ in number, element types or sizes.
absl::StatusOr<ModuleEquality> compareReads(
    const Module &first, const Module &second,
    const EqualityOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_EQUALITY_MODULE_EQUALITY_H
