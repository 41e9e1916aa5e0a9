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
// First terms are compared, in which the device is a dimension
// (device_terms.h): these take as long for large arrays as for small ones.
// Modules are equal if every element of every result of every device is the
// same function of the parameters as GLOBAL's global element, whatever padding
// holds, where sums and products of floats are those of real numbers. Numbers
// that GLOBAL draws are drawn by the devices that hold them (draws.h).
//
// What they leave open is run on cells (cells.h): GLOBAL on one device, LOCAL
// on all. A GLOBAL that says itself what each device computes runs on all, too
// (manual.cc). A parameter of a device holds the elements that its sharding
// says, and padding. Equal there means that both read the same elements, no
// padding among them, and are the same term of them (terms.h); a term counts
// each summand as often as it is summed. Integers that depend on no parameter
// are computed, so that offsets of devices and masks are known.
//
// The modules are different if a run of both on random numbers of the types
// gives different numbers (cell_values.h). Else the answer is undecided: two
// terms can be one function, and an element that is read need not count. Terms
// show a difference, too, whatever the sizes are; small modules are run all the
// same, for a run says where the modules part. If the
// terms are equal when equal summands of one sum over devices count once, a
// witness says that the sum was taken twice.
//
// Results of a model read everything, so that a difference in one does not say
// where it comes from. Values are compared on the way then, as terms: the
// answer names the instruction at which LOCAL parts from all values of GLOBAL.
//
// If an integer of a parameter steers what is read, the modules are compared
// for some of its values. A difference then holds for that value, and no answer
// is Equal.
//
// Shardings are never guessed from shapes. For each array the first of these
// that is stated counts, and the others must have the same map: options;
// GLOBAL's entry; LOCAL's entry; the calls at GLOBAL's root that make whole
// values.
//
// Law (tests/sharding/random_partitioned_test.cc, manual_test.cc,
// typed_partitioned_test.cc, device_terms_test.cc): it agrees with numbers that
// an interpreter of all devices computes of random partitioned programs and
// their mutants.
#ifndef INDEXICAL_ANALYSIS_PARTITIONED_PARTITIONED_EQUALITY_H
#define INDEXICAL_ANALYSIS_PARTITIONED_PARTITIONED_EQUALITY_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/analysis/equality/module_equality.h"
#include "indexical/analysis/values/element_numbers.h"
#include "indexical/module/program.h"
#include "indexical/sharding/sharding_text.h"

namespace indexical {

enum class PartitionedAnswer : uint8_t { Equal, Different, Undecided };

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
  /// Whether terms are compared, whose devices are a dimension, and whether
  /// what these leave open is run. Tests compare the two.
  bool asksTerms = true, asksRuns = true;
  /// Cells and elements of sets that one run may go through.
  int64_t operations = 1'000'000'000;
};

struct UsedSharding {
  bool isResult = false;
  int64_t array = 0;
  std::string text, source;  ///< as `indexical sharding` names sources
};

/// A difference: of terms, any; of a run, the least by result, device, index,
/// parameter, element.
struct PartitionedWitness {
  int64_t device = 0;
  Int64s index, globalIndex;
  std::vector<int64_t> runtime;  ///< values of parameters that steer
  bool onlyInGlobal = false;
  /// The array of a parameter and the element that one side reads and the other
  /// does not; nothing if the reads are equal, or if it is padding.
  std::optional<std::pair<int64_t, Int64s>> element;
  bool isPadding = false;
  std::optional<int64_t> counted;  ///< how often an equal summand is summed
  /// Numbers of parameters of GLOBAL, what it computes of them, and LOCAL.
  std::optional<NumberWitness> numbers;
};

/// The answer for one array of the result.
struct PartitionedResult {
  LeafId result;
  PartitionedAnswer answer = PartitionedAnswer::Undecided;
  std::optional<PartitionedWitness> witness;  ///< of a different one
  std::string reason;                         ///< of an undecided one
  /// The instruction that stands in the way of an answer, if it is undecided.
  /// If both modules ran, it is the first one of LOCAL whose value is none of
  /// GLOBAL's, though its operands are; nothing if there is no such
  /// instruction.
  std::optional<PartitionedObstacle> because;
};

struct PartitionedEquality {
  PartitionedAnswer answer = PartitionedAnswer::Undecided;
  int64_t devices = 0, replicas = 1;
  std::vector<UsedSharding> shardings;
  std::vector<PartitionedResult> results;
  std::vector<std::string> forAny;  ///< random draws that it holds for any of
  /// Whether terms alone say it, so that nothing was run.
  bool isByTerms = false;
};

/// Returns an error if the modules do not fit each other: shardings that
/// contradict one another, or local shapes that do not follow from them. It is
/// about `global` if its payload has the place of that file, else about
/// `local`.
absl::StatusOr<PartitionedEquality> comparePartitioned(
    const Program &global, const Program &local,
    const PartitionedOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_PARTITIONED_PARTITIONED_EQUALITY_H
