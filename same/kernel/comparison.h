// A kernel against the fusion that it was generated for: does it load and store
// what the fusion says?
//
//   fusion   f32[16,1024] add(param_0, broadcast(param_1)), param_1 f32[1024]
//   kernel   16 programs; program p stores p * 1024 + t, loads of argument 0
//            p * 1024 + t, of argument 1 t: equal, the same tiles
//   a kernel that loads argument 1 at t + 1: different at program 0, element 0
//            (the verdict is undecided)
//   15 programs of the first: less (the verdict is different: no program stores
//            element 15360)
//
// Arguments that are arrays are the fusion's parameters, then its results, each
// leaf by leaf. Other arguments, such as sizes, stand between them as they
// like.
//
// The *answer* is about the sets of elements that programs touch. The stores
// have to write every element of the result. What a program then has to load
// follows from the elements that it stores: each way from the result to a
// parameter is a *use*, the set of elements that the program's elements read on
// it. Each load has to be a use, and each use a load, for every program: a set
// of all loads alone would hide a load that another one covers. So a right
// kernel may be different, too: one that loads once what the fusion reads on
// two ways, or loads again what it has stored.
//
// The *verdict* claims no more than it knows. Values are not compared here: a
// reversed copy has the tiles of a copy. fusion_values.h does it.
//
// Laws (tests/import/triton/xla_kernels_test.cc,
// tests/answers/kernel/verdict_test.py): the kernels that XLA emitted have the
// same tiles as their fusions; a change of one number that changes what is
// loaded is seen. A kernel that an interpreter sees store all elements of the
// results, and no others, is never different; one that it sees miss an element,
// store outside or store into a parameter never has the same tiles.
#ifndef INDEXICAL_SAME_KERNEL_COMPARISON_H
#define INDEXICAL_SAME_KERNEL_COMPARISON_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/exact/exact.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/program/module/program.h"

namespace indexical::kernels {

/// The answer of a comparison. The worse of two answers is the greater. More
/// means that the kernel takes elements that nothing needs, which is legal.
/// Less means that elements are missing.
enum class FusionAnswer : uint8_t { Equal, More, Undecided, Less, Different };
/// Returns `equal`, `more`, `undecided`, `less` or `different`.
llvm::StringRef nameOf(FusionAnswer answer);

/// The verdict says what is known of a kernel against its fusion. Same tiles
/// means that the answer is equal or more, that nothing but results is stored,
/// and that pointers and stored values have the arrays' element types.
/// Different means that an element of a result is not stored, or one outside of
/// it is.
/// Same values means that each program stores what the fusion computes, as
/// fusion_values.h finds out, and same elements that it depends on the same
/// elements of the arguments.
enum class FusionVerdict : uint8_t {
  SameValues,
  SameElements,
  SameTiles,
  Undecided,
  Different
};
/// Returns `same values`, `same elements`, `same tiles`, `undecided` or
/// `different`.
llvm::StringRef nameOf(FusionVerdict verdict);

/// An argument of the kernel, with the parameter or the result of the fusion
/// that it stands for.
struct ArgumentPair {
  int64_t argument = 0;
  bool isResult = false;
  int64_t number = 0;  ///< of the parameter's leaf, or the result's
  FusionAnswer answer = FusionAnswer::Equal;
  std::string reason;  ///< of an undecided one
  struct Witness {
    std::vector<int64_t> program;
    int64_t element = 0;
    bool onlyInKernel = false;
  };
  std::optional<Witness> witness;
};

/// A use without a load.
struct UnmatchedUse {
  int64_t argument = 0;
  /// The instruction of the fusion that reads the parameter; of a parameter
  /// that is a result, itself.
  std::string instruction;
};

/// The number that an element of a parameter has in a witness.
struct WitnessInput {
  std::string parameter;
  std::vector<int64_t> element;  ///< its index
  std::string value;
};

/// A store of an element outside of its result, or of another value than the
/// fusion's.
struct OutsideStore {
  std::vector<int64_t> program;
  int64_t result = 0, element = 0, line = 0;
  // Of another value: both terms, and their numbers for those of the
  // parameters, at most 16 of these.
  std::string kernel = {}, fusion = {}, kernelValue = {}, fusionValue = {};
  std::vector<WitnessInput> inputs = {};
  std::optional<int> others = {};  ///< the number of all that are read besides
};

/// An element of a result that no program stores.
struct NotStored {
  int64_t result = 0, element = 0;
};

/// The first terms that differ of a result, or why they are not known.
struct ValueDifference {
  int64_t result = 0, line = 0;  ///< of the store
  std::string kernel, fusion;    ///< terms over the fusion's parameters
  std::string reason;
};

struct FusionComparison {
  std::string computation;
  FusionVerdict verdict = FusionVerdict::Undecided;
  std::string reason;  ///< of an undecided verdict
  // A verdict `different` has one of these.
  std::optional<OutsideStore> outside;
  std::optional<OutsideStore> otherValue;
  std::optional<NotStored> notStored;
  std::vector<ValueDifference> values;  ///< empty: all are the same
  std::vector<std::string> laws;        ///< of floats, that values rest on
  /// Of a verdict that both are the same: what it takes for granted of the
  /// fusion (equality/hidden_effects.h).
  std::vector<std::string> assumed;
  /// Whether it is proved that all elements of all results are stored, and none
  /// outside of them.
  bool isCovered = false;
  FusionAnswer answer = FusionAnswer::Equal;
  std::vector<ArgumentPair> pairs;
  std::vector<int64_t> unmatchedLines;  ///< of loads that are no use
  std::vector<UnmatchedUse> unmatchedUses;
};

/// Returns the shapes of the arguments that the kernel of a computation has:
/// the leaves of its parameters, then those of its root.
std::vector<ArrayShape> argumentShapes(const Computation &computation);

/// Returns the numbers of the kernel's arguments that are arrays: pointers, and
/// descriptors of tensors.
std::vector<int64_t> arrayArguments(const TritonKernel &kernel);

/// Returns the map from the number of an element in memory to its index. An
/// error says that the layout is not followed.
absl::StatusOr<IndexingMap> indexMap(const ArrayShape &shape);

/// Compares the kernel with the computation. Returns an error if the kernel has
/// another number of arrays than the computation has leaves, or if the budget's
/// stop is reached.
absl::StatusOr<FusionComparison> compareWithFusion(
    const TritonKernel &kernel, const Module &module, ComputationId computation,
    const ExactOptions &options = {});

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_COMPARISON_H
