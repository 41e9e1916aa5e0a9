// Is a partitioned module the global one?
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
// these take as long for large arrays as for small ones. Modules are equal if
// every element of every result of every device is the same function of the
// parameters as GLOBAL's global element, whatever padding holds, where floats
// are real numbers: sums and products do not round, and no parameter is NaN or
// infinite. Numbers that GLOBAL draws are drawn by the devices that hold them
// (draws.h). A GLOBAL that says itself what each device computes has the
// devices as a dimension, too (stack_manual.cc).
//
// Effects of devices (an outfeed, a call with side effects) are not compared:
// the answer is then undecided where it would be equal.
//
// The modules are different if numbers of the parameters give another element.
// The witness has these numbers, and what one side alone reads there. If the
// terms are equal when equal summands of one sum over devices count once, it
// says that the sum was taken twice. Else the answer is undecided: two terms
// can be one function.
//
// Results of a model read everything, so that a difference in one does not say
// where it comes from. Values of small modules are compared on the way then:
// the answer names the instruction at which LOCAL parts from all values of
// GLOBAL (values_on_the_way.h).
//
// Shardings are never guessed from shapes. For each array the first of these
// that is stated counts, and the others must have the same map: options;
// GLOBAL's entry; LOCAL's entry; the calls at GLOBAL's root that make whole
// values.
//
// If both modules are what one device runs, as before and after a pass behind
// the partitioner, each result of each device is compared (local_modules.h).
//
// Law (tests/same/partitioned/random_partitioned_test.cc, manual_test.cc,
// typed_partitioned_test.cc, device_terms_test.cc): it never contradicts
// numbers that interpreters of all devices compute of random partitioned
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

/// The instruction that stands in the way of an answer, and where. GLOBAL is
/// the first module.
struct PartitionedObstacle : EqualityObstacle {
  int64_t device = 0;
};

struct PartitionedOptions {
  std::optional<int64_t> partitions, replicas;
  /// The number of an array (leaves of all parameters, or of the result) and
  /// its sharding.
  std::vector<std::pair<int64_t, std::string>> parameterShardings,
      resultShardings;
  /// For each parameter of GLOBAL, the number of LOCAL's. Empty: the same
  /// number.
  std::vector<int32_t> parameters;
  /// The steps of one question; nothing: as many as is usual.
  std::optional<int64_t> operations;
  /// Ends the comparison, which then is an error; null: nothing does.
  const Stop *stop = nullptr;
  /// Whether both modules are what one device runs (local_modules.h); nothing:
  /// if the first one has collectives and no whole values.
  std::optional<bool> areLocal;
  /// Of two local modules: the laws that floats are taken to have. Nothing:
  /// those of a partitioner, by which sums may be taken in any order.
  std::optional<FloatLaws> floats;
  /// Of two local modules: whether devices have the same parameter if its
  /// sharding in the first module says so.
  bool assumesCopies = true;
};

struct UsedSharding {
  bool isResult = false;
  int64_t array = 0;
  std::string text, source;  ///< as `indexical sharding` names sources
};

/// The answer for one array of the result.
struct PartitionedResult {
  LeafId result;
  /// The witness is of kind DeviceNumbers: of small arrays the first element,
  /// by device and index, that numbers are found for, else any. It names the
  /// array of the parameters and the first element that one side alone reads
  /// with these numbers, if there is one, and says whether LOCAL reads padding
  /// (one of the inputs stands for any number), and how often an equal summand
  /// is summed.
  Verdict verdict = {Level::Values};
  /// The instruction that stands in the way of an answer, if it is not equal:
  /// the first one of LOCAL that is not followed, if it is undecided; else the
  /// first one whose value is none of GLOBAL's, though its operands are, or is
  /// not known to be one; nothing if there is no such instruction.
  std::optional<PartitionedObstacle> because;
};

struct PartitionedEquality {
  /// Different if one result is, else Undecided if one is.
  Verdict verdict = {Level::Values};
  int64_t devices = 0, replicas = 1;
  /// Whether both are local: indices are then those of each device, and
  /// `shardings` are those by which devices have the same parameter.
  bool isLocal = false;
  /// What the number of devices is known from if no option and no header says
  /// it: `groups`; else empty.
  std::string countedFrom;
  std::vector<UsedSharding> shardings;
  std::vector<PartitionedResult> results;
  std::vector<std::string> forAny;  ///< random draws that it holds for any of
};

/// Returns an error if the modules do not fit each other: shardings that
/// contradict one another, or local shapes that do not follow from them. It is
/// about `global` if its payload has the place of that file, else about
/// `local`.
absl::StatusOr<PartitionedEquality> comparePartitioned(
    const Program &global, const Program &local,
    const PartitionedOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_PARTITIONED_EQUALITY_H
