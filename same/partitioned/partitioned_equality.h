// Does a partitioned module compute the same as the global one?
//
//   GLOBAL  x = f32[8] parameter(0), sharding={devices=[4]<=[4]}
//           ROOT r = f32[8] negate(x), sharding={devices=[4]<=[4]}
//   LOCAL   x = f32[2] parameter(0)
//           y = f32[2] collective-permute(x), source_target_pairs={{0,1},…}
//           ROOT r = f32[2] negate(y)
//
//   different: element (0) of device 0 is element (0) of the whole, which reads
//   x (0) in GLOBAL and x (6) in LOCAL
//
// Terms are compared, in which the device is a dimension (device_terms.h):
// large arrays take as long as small ones. Modules are equal if every element
// of every result of every device is the same function of the parameters as
// GLOBAL's element, for any padding, with floats as real numbers: sums and
// products do not round, and no parameter is NaN or infinite. Random numbers of
// GLOBAL are drawn by the devices that hold them (draws.h). A GLOBAL with
// manual computations has the devices as a dimension, too (stack_manual.cc).
//
// Effects of devices (an outfeed, a call with side effects) are not compared:
// the answer is then undecided where it would be equal.
//
// The modules are different if numbers of the parameters give a different
// element. The witness has these numbers, and the elements that only one side
// reads there. If the terms are equal when equal summands of one sum over
// devices count once, the witness states that the sum was taken twice. Else the
// answer is undecided: two terms can be one function.
//
// Results of a model read all parameters, so a difference in a result does not
// locate its cause. For small modules, intermediate values are compared, too:
// the answer names the instruction at which LOCAL diverges from all values of
// GLOBAL (values_on_the_way.h).
//
// Shardings are never guessed from shapes. For each array the first of these
// that is stated counts, and the others must have the same map: options;
// GLOBAL's entry; LOCAL's entry; the calls at GLOBAL's root that make whole
// values.
//
// If each device runs both modules, as before and after a pass that follows the
// partitioner, each result of each device is compared (local_modules.h).
//
// Law (tests/same/partitioned/random_partitioned_test.cc, manual_test.cc,
// typed_partitioned_test.cc, device_terms_test.cc): an answer never contradicts
// the numbers that interpreters of all devices compute for random partitioned
// programs and their mutants.
#ifndef INDEXICAL_SAME_PARTITIONED_PARTITIONED_EQUALITY_H
#define INDEXICAL_SAME_PARTITIONED_PARTITIONED_EQUALITY_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/indexing/budget.h"
#include "indexical/program/module/program.h"
#include "indexical/program/sharding/sharding_text.h"
#include "indexical/same/equality/module_equality.h"
#include "indexical/same/values/float_laws.h"
#include "indexical/same/verdict/verdict.h"

namespace indexical {

/// The instruction that prevents an answer, and its device. GLOBAL is the first
/// module. Not the EqualityObstacle of two whole modules, which has no device.
struct PartitionedObstacle : EqualityObstacle {
  int64_t device = 0;
};

struct PartitionedOptions {
  std::optional<int64_t> partitions, replicas;
  /// The number of an array (among the leaves of all parameters, or of the
  /// result) and its sharding.
  std::vector<std::pair<int64_t, std::string>> parameterShardings,
      resultShardings;
  /// For each parameter of GLOBAL, the number of LOCAL's parameter. Empty: the
  /// same number.
  std::vector<int32_t> parameters;
  /// The steps of one question; std::nullopt: the default number.
  std::optional<int64_t> operations;
  /// Ends the comparison with an error when reached; null: no stop.
  const Stop *stop = nullptr;
  /// Whether each device runs both modules (local_modules.h); std::nullopt:
  /// true if the first one has collectives and no whole values.
  std::optional<bool> areLocal;
  /// For two local modules: the laws of floats. std::nullopt: those of a
  /// partitioner, which allow sums in any order.
  std::optional<FloatLaws> floats;
  /// For two local modules: whether devices have the same parameter if its
  /// sharding in the first module states it.
  bool assumesCopies = true;
};

struct UsedSharding {
  bool isResult = false;
  int64_t array = 0;
  std::string text, source;  ///< named as by `indexical sharding`
};

/// The answer for one array of the result.
struct PartitionedResult {
  LeafId result;
  /// The witness is of kind DeviceNumbers: for small arrays the first element,
  /// by device and index, for which numbers are found, else any. It has the
  /// array of the parameters and the first element that only one side reads
  /// with these numbers, if there is one, whether LOCAL reads padding (one of
  /// the inputs is then any number), and how often an equal summand is summed.
  Verdict verdict = {Level::Values};
  /// If not equal, the instruction that prevents it. If undecided: the first
  /// one of LOCAL that is not followed. Else the first one whose value is not,
  /// or not known to be, one of GLOBAL's although its operands are.
  /// std::nullopt if there is no such instruction.
  std::optional<PartitionedObstacle> because;
};

struct PartitionedEquality {
  /// Different if one result is different, else Undecided if one is undecided.
  Verdict verdict = {Level::Values};
  int64_t devices = 0, replicas = 1;
  /// Whether both modules are local: indices are then those of each device, and
  /// `shardings` are those by which devices have the same parameter.
  bool isLocal = false;
  /// `groups` if the number of devices follows from collectives, because no
  /// option and no header states it; else empty.
  std::string countedFrom;
  std::vector<UsedSharding> shardings;
  std::vector<PartitionedResult> results;
  /// The random draws for any results of which the answer holds.
  std::vector<std::string> forAny;
};

/// Returns the comparison. Returns an error if the modules do not fit each
/// other: shardings that contradict one another, or local shapes that do not
/// follow from them. The error is about `global` if its payload has a place in
/// that file, else about `local`.
absl::StatusOr<PartitionedEquality> comparePartitioned(
    const Program &global, const Program &local,
    const PartitionedOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_PARTITIONED_EQUALITY_H
