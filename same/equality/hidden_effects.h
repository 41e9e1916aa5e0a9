// Ops that do more than to give their results, and what that leaves open.
//
//   store %v, %m[%i]
//   %w = load %m[%i]
//   return %w               reads %m[%i], says the map; it is %v
//
//   first   the module above        second   return %v
//   The maps differ: the second alone reads %v. But a load gives what a store
//   has left, which no map says. So no difference is known.
//
// An op may have effects if it is known to have some (infeed, a custom call
// with side effects, an op on memory), if nothing is known of it, or if it runs
// a computation that has such an op, or that is not in the file. To draw a
// random number is no such effect.
//
// An op that is not known, and a function that is not in the file, are taken to
// have no effects where modules are said to be equal. assumptionsOf() says so.
//
// Law (tests/same/equality/hidden_effects_test.cc): for random programs over a
// hidden memory, two that compute the same are never different.
#ifndef INDEXICAL_SAME_EQUALITY_HIDDEN_EFFECTS_H
#define INDEXICAL_SAME_EQUALITY_HIDDEN_EFFECTS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/module/computations_with.h"
#include "indexical/program/module/program.h"
#include "indexical/same/equality/module_equality.h"

namespace indexical {

/// The effects of one module, which must outlive the object.
class HiddenEffects {
 public:
  explicit HiddenEffects(const Module &module);

  /// Returns an instruction of the entry by which the leaf of the root may
  /// depend on a parameter in a way that no map says: it may have effects, and
  /// so may an instruction that the parameter reaches. Returns nothing if there
  /// is none.
  std::optional<InstructionId> between(LeafId result,
                                       InstructionId parameter) const;

 private:
  const Computation &entry_;
  std::vector<bool> acts_;  ///< by instruction of the entry
  bool anyActs_ = false;
  std::vector<bool> reach_;  ///< whether it reaches one that acts
};

/// Returns the pair without its difference, which the instruction of the entry
/// of that side may explain.
LeafEquality undecidedFor(const Module &module, int32_t side,
                          InstructionId instruction, LeafEquality different);

/// Returns what is taken for granted where the two are said to be equal, each
/// as a condition: "both draw the same numbers by `rng`", "`ring.rotate` has no
/// effects". Names stand once, in the order of the alphabet.
std::vector<std::string> assumptionsOf(const Module &first,
                                       const Module &second);
/// Returns what is taken for granted of one module: its ops without known
/// effects.
std::vector<std::string> assumptionsOf(const Module &module);

}  // namespace indexical

#endif  // INDEXICAL_SAME_EQUALITY_HIDDEN_EFFECTS_H
