// Cuts at values that a whole module and its devices both have: private to
// same/partitioned/.
//
//   whole   d = dot(…)          each device   p = dot(…)
//           y = add(d, x)                     a = all-reduce(p)
//                                             y = add(a, x)
//
//   a equals d: both become one new array of which nothing is known. Then both
//   y are the same op of the same arrays, and become one new array, too.
//
// Terms of a module of many layers multiply. Downstream of a cut, terms are as
// small as those of one layer. Cuts are tried at the results of collectives,
// because a sum over devices is complete there, and then at sums, differences
// and products of arrays that are cut: without these, a chain of residuals has
// as many summands as layers.
#ifndef INDEXICAL_SAME_PARTITIONED_DEVICE_CUTS_H
#define INDEXICAL_SAME_PARTITIONED_DEVICE_CUTS_H

#include <climits>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "indexical/same/partitioned/cuts.h"
#include "indexical/same/partitioned/entry_arrays.h"
#include "indexical/same/partitioned/stacker.h"

namespace indexical {

/// More collectives make a module deep: it is cut before it is compared as a
/// whole.
constexpr size_t kMostCollectives = 8;

class DeviceCuts {
 public:
  /// Returns whether each number of an array of the whole module is known to be
  /// real, if the devices have this array by the relation; nothing if that is
  /// not known within so many steps.
  using Ask = std::function<std::optional<bool>(
      InstructionId whole, Stacked local, const ShardedRelation &relation,
      int64_t operations)>;
  struct Options : CutLimits {
    Ask ask;
  };

  /// `whole` is a copy of GLOBAL's module, `stacked` is the module that the
  /// stacker writes, and `parameters` is the number of parameters of both.
  DeviceCuts(const Program &global, const Program &local,
             const EntryArrays &entry, Module &whole, Module &stacked,
             Stacker &stacker, int32_t &parameters, Options options);

  /// States that devices have a parameter of GLOBAL by the relation.
  void pair(Stacked local, InstructionId whole,
            const ShardedRelation &relation);
  /// Cuts all values at which that is possible, in LOCAL's order.
  void cutAll();

  /// Returns how many questions were asked.
  int asked() const { return asked_; }
  /// Returns how many sums were cut.
  int sums() const { return sums_; }
  /// Returns the first collective that is not cut.
  const std::optional<Stacker::Cause> &uncut() const { return uncut_; }

 private:
  /// An array of GLOBAL that devices have by a relation.
  struct Whole {
    InstructionId at;
    ShardedRelation relation;
    bool isCut = false;
  };
  using Key = std::pair<InstructionId, int32_t>;
  static Key keyOf(Stacked value) { return {value.instruction, value.element}; }

  /// Each cut that fails takes the whole budget of one. If there are few
  /// collectives, all are tried.
  bool isDeep() const {
    return stacker_.collectives().size() > kMostCollectives;
  }
  bool mayAsk() const;
  void cutCollective(const Stacker::Written &local);
  /// Cuts at an op of known values, or notes which op of GLOBAL it is.
  void cutOp(const Stacker::Written &local);
  bool cut(Stacked local, InstructionId whole, const ShardedRelation &relation,
           int64_t operations);
  /// Takes one new array for both. Returns false if a device has no part of it:
  /// then the new array is the first module's alone.
  bool replace(InstructionId whole, Stacked local,
               const ShardedRelation &relation, bool isReal);

  const Computation &global_, &local_;
  const ComputationId localEntry_;
  const EntryArrays &entry_;
  Module &whole_, &stacked_;
  Stacker &stacker_;
  int32_t &parameters_;
  const Options options_;
  const ElementwiseOps ops_;
  const InstructionOrder order_;
  std::map<Key, Whole> known_;
  /// The values of LOCAL's entry.
  std::map<InstructionId, Key> values_;
  /// The new array of each array of GLOBAL that is cut.
  std::map<InstructionId, Stacked> made_;
  size_t next_ = 0;  ///< in the order, after the last array that is cut
  int asked_ = 0, sums_ = 0;
  int failed_ = 0;  ///< questions about collectives since the last that was cut
  std::optional<Stacker::Cause> uncut_;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_DEVICE_CUTS_H
