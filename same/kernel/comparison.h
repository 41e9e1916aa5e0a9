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
// like. A kernel that was compiled may have one argument for several of them
// (call_arguments.h). Where it works in place, the elements that it does not
// store are those of the parameter, and have to be so in the fusion.
//
// The answer about *tiles* compares the sets of elements that programs touch.
// The stores have to write every element of the result. What a program then has
// to load follows from the elements that it stores: each way from the result to
// a parameter is a *use*, the set of elements that the program's elements read
// on it. Each load has to be a use, and each use a load, for every program: a
// set of all loads alone would hide a load that another one covers. So a right
// kernel may be different, too: one that loads once what the fusion reads on
// two ways, or loads again what it has stored. Loads of a kernel that was
// compiled are the pieces of vectors, and may be made before it is known
// whether they are needed: there all loads of an argument together have to be
// its uses or more.
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
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/exact/exact.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/program/module/program.h"
#include "indexical/same/verdict/verdict.h"

namespace indexical::kernels {

/// An argument of the kernel, with the parameter or the result of the fusion
/// that it stands for.
struct ArgumentPair {
  int64_t argument = 0;
  bool isResult = false;
  int64_t number = 0;  ///< of the parameter's leaf, or the result's
  /// About the elements that programs take, with a witness of kind Touched: a
  /// program and an element. No program: none stores the element.
  Verdict verdict = {Level::Tiles, Verdict::Same};
};

/// A use without a load.
struct UnmatchedUse {
  int64_t argument = 0;
  /// The instruction of the fusion that reads the parameter; of a parameter
  /// that is a result, itself.
  std::string instruction;
};

/// The first terms that differ of a result, or why they are not known.
struct ValueDifference {
  int64_t result = 0, line = 0;  ///< of the store
  std::string kernel, fusion;    ///< terms over the fusion's parameters
  std::string reason;
};

struct FusionComparison {
  std::string computation;
  /// The kernel's argument of each leaf of the parameters, then of the results.
  /// Two of them may be one: a kernel that works in place.
  std::vector<int64_t> arguments;
  /// What is known of the kernel against the fusion. The level Tiles means that
  /// the answer about tiles is Same or More, that nothing but results is
  /// stored, and that pointers and stored values have the arrays' element
  /// types. Reads means that it depends on the same elements of the arguments,
  /// and Values that each program stores what the fusion computes
  /// (fusion_values.h). Different has a witness of kind StoredOutside,
  /// StoredOther or NotStored. What the fusion takes for granted is from
  /// equality/hidden_effects.h.
  Verdict verdict;
  std::vector<ValueDifference> values;  ///< empty: all are the same
  /// Whether it is proved that all elements of all results are stored, and none
  /// outside of them. Of a result in the place of a parameter some may be left
  /// as they are: that the fusion does so, too, is for the values to show.
  bool isCovered = false;
  /// The worst verdict of the pairs. More: the kernel takes elements that
  /// nothing needs, which is legal. Less: elements are missing.
  Verdict tiles = {Level::Tiles, Verdict::Same};
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

/// Compares the kernel with the computation, which `caller` calls if that is
/// not null. Returns an error if the kernel has another number of arrays than
/// the computation has leaves, or if the budget's stop is reached.
absl::StatusOr<FusionComparison> compareWithFusion(
    const TritonKernel &kernel, const Module &module, ComputationId computation,
    const ExactOptions &options = {}, const Instruction *caller = nullptr);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_COMPARISON_H
