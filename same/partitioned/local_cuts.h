// Cuts at values that two local modules share: private to same/partitioned/.
//
//   first   s = all-reduce(p)            second  q = reduce-scatter(p)
//           a = tanh(s)                          t = tanh(q)
//           y = add(a, x)                        a = all-gather(t)
//                                                y = add(a, x)
//
//   Both a are equal: they become one new array of which nothing is known. Then
//   both y do.
//
// Collectives of the second module are tried with values of the first, and
// values of the second with collectives of the first, each in order; then sums,
// differences and products of what is cut (device_cuts.h).
#ifndef INDEXICAL_SAME_PARTITIONED_LOCAL_CUTS_H
#define INDEXICAL_SAME_PARTITIONED_LOCAL_CUTS_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "indexical/same/partitioned/cuts.h"
#include "indexical/same/partitioned/stacker.h"

namespace indexical {

class LocalCuts {
 public:
  /// Returns whether each number of an array is known to be real, if an array
  /// of the first module and one of the second, both of one shape, are the
  /// same; nothing if that is not known within so many steps.
  using Ask = std::function<std::optional<bool>(Stacked first, Stacked second,
                                                int64_t operations)>;
  struct Options : CutLimits {
    Ask ask;
  };

  /// `parameters` is the number of parameters of both modules, which were
  /// written by these stackers.
  LocalCuts(const Program &first, const Program &second, Stacker &firstStacker,
            Stacker &secondStacker, int32_t parameters, Options options);

  /// States that a parameter of the second module is one of the first.
  void pair(InstructionId first, Stacked second);
  /// Cuts all values at which that is possible, in the second module's order.
  void cutAll();

  /// Returns how many questions were asked.
  int asked() const { return asked_; }
  /// Returns how many sums were cut.
  int sums() const { return sums_; }
  /// Returns the first collective of the second module that is not cut.
  const std::optional<Stacker::Cause> &uncut() const { return uncut_; }

 private:
  using Key = std::pair<InstructionId, int32_t>;
  static Key keyOf(Stacked value) { return {value.instruction, value.element}; }
  /// A value, what computed it, and its sizes on one device.
  struct Value {
    Stacker::Written written;
    llvm::StringRef by;
    Int64s sizes;
    bool isCollective = false, isOfEntry = false;
  };
  static std::vector<Value> valuesOf(const Program &program,
                                     const Stacker &stacker);
  bool mayAsk() const;
  bool mayBe(const Value &first, const Value &second) const;
  /// Returns whether the value was cut; nothing if there is no value of the
  /// first module to try it with.
  std::optional<bool> cutBehind(const Value &second);
  void cutOp(const Value &second);
  bool cut(const Stacker::Written &first, const Stacker::Written &second,
           int64_t operations);

  const Program &second_;
  Stacker *const stackers_[2];
  int32_t parameters_;
  const Options options_;
  const ElementwiseOps ops_;
  const std::vector<Value> firsts_, seconds_;
  const size_t collectives_;
  /// The values of the first module's entry, by instruction.
  std::map<InstructionId, const Value *> firstAt_;
  std::map<InstructionId, Key> secondAt_;
  /// For a value of the second module: the first's, and whether it is cut.
  std::map<Key, std::pair<InstructionId, bool>> known_;
  std::map<Key, Stacked> made_;  ///< by the first module's value
  size_t next_ = 0;
  int asked_ = 0, failed_ = 0, sums_ = 0;
  std::optional<Stacker::Cause> uncut_;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_LOCAL_CUTS_H
