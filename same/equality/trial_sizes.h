// Numbers for the sizes of two modules with which both can run.
//
//   first    add(x, y) : tensor<?xf32>     second   dynamic_reshape(x, n)
//     x and y have 3 elements, and n is {3}
//
// Sizes are drawn, but those that the ops force are not: sizes of parameters
// that must be equal, and elements that say a size that is known already. The
// elements of a reshape's sizes are factors of the number of its elements.
// Sizes that cannot run all the same are dropped (runnable.h).
#ifndef INDEXICAL_SAME_EQUALITY_TRIAL_SIZES_H
#define INDEXICAL_SAME_EQUALITY_TRIAL_SIZES_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/maps/refine.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// A sequence of numbers that is the same on every machine.
class Picks {
 public:
  /// Returns a number from 0 to `count` - 1.
  size_t below(size_t count) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % count;
  }

 private:
  uint64_t state_ = 1;
};

/// Two modules with the numbers with which they run.
struct Trial {
  Module first, second;
  /// The arguments of the first one, by leaf of its parameters.
  std::vector<KnownArgument> arguments;
  /// The numbers by the names of what they are (parameter_names.h): each size
  /// that is open, and each element that is given.
  std::vector<std::pair<std::string, int64_t>> numbers;
};

class TrialSizes {
 public:
  /// `parameters` are those of EqualityOptions. The modules must outlive the
  /// object.
  TrialSizes(const Module &first, const Module &second,
             llvm::ArrayRef<int32_t> parameters);

  /// Returns whether a size of either module is open.
  bool areOpen() const { return isOpen_; }

  /// Draws numbers, except those that are known by name. Returns nothing if
  /// the modules do not run with them, or are not known to.
  using Known = std::map<std::string, int64_t>;
  std::optional<Trial> draw(const Known &known, Picks &picks) const;

 private:
  class Draw;
  struct Side {
    const Module *module;
    std::vector<int32_t> numbers;  ///< of its parameters in the first module
  };

  const Side sides_[2];
  std::vector<bool> saysSizes_;  // by parameter of the first module
  bool isOpen_ = false;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_EQUALITY_TRIAL_SIZES_H
