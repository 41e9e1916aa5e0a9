// Compares a kernel with the fusion that it was generated for: does it load and
// store the elements that the fusion needs?
//
//   fusion   f32[16,1024] add(param_0, broadcast(param_1)), param_1 f32[1024]
//   kernel   16 programs; program p stores p * 1024 + t, loads of argument 0
//            p * 1024 + t, of argument 1 t: equal, the same tiles
//   a kernel that loads argument 1 at t + 1: different at program 0, element 0
//            (the verdict is undecided)
//   15 programs of the first: less (the verdict is different: no program stores
//            element 15360)
//
// The arguments that are arrays are the fusion's parameters, then its results,
// each leaf by leaf. Other arguments, such as sizes, may be anywhere between
// them. A compiled kernel may have one argument for several of them
// (call_arguments.h). If it works in place, the elements that it does not store
// are those of the parameter, and the fusion has to keep them.
//
// The answer about *tiles* compares the sets of elements that programs touch.
// The stores have to write every element of the result. The elements that a
// program stores determine those that it has to load: each path from the result
// to a parameter is a *use*, the set of elements that the program's elements
// read on it. Each load has to be a use, and each use a load, for every
// program: the set of all loads would hide a load that another one covers. So a
// correct kernel may be different in tiles: one that loads once what the fusion
// reads on two paths, or loads again what it has stored. Loads of a compiled
// kernel are pieces of vectors, and may be speculative: there all loads of an
// argument together have to cover its uses.
//
// The *verdict* is sound. Values are not compared here: a reversed copy has the
// tiles of a copy. fusion_values.h compares them.
//
// Laws (tests/import/triton/xla_kernels_test.cc,
// tests/answers/kernel/verdict_test.py): the kernels that XLA emitted have the
// same tiles as their fusions; a change of one number that changes the loads is
// detected. If an interpreter sees a kernel store all elements of the results,
// and no others, its verdict is never different; if it sees a kernel miss an
// element, store outside or store into a parameter, the tiles are never the
// same.
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

/// An argument of the kernel, with the fusion's parameter or result for which
/// it is passed.
struct ArgumentPair {
  int64_t argument = 0;
  bool isResult = false;
  int64_t number = 0;  ///< of the parameter's leaf, or the result's
  /// The verdict on the elements that programs access, with a witness of kind
  /// Touched: a program and an element. A witness without a program: no program
  /// stores the element.
  Verdict verdict = {Level::Tiles, Verdict::Same};
};

/// A use without a load.
struct UnmatchedUse {
  int64_t argument = 0;
  /// The instruction of the fusion that reads the parameter; for a parameter
  /// that is a result, the parameter itself.
  std::string instruction;
};

/// The first terms of a result that differ, or why they are unknown.
struct ValueDifference {
  int64_t result = 0, line = 0;  ///< of the store
  std::string kernel, fusion;    ///< terms over the fusion's parameters
  std::string reason;
};

struct FusionComparison {
  std::string computation;
  /// The kernel's argument for each leaf of the parameters, then of the
  /// results. Two leaves may have one argument: the kernel then works in place.
  std::vector<int64_t> arguments;
  /// The verdict on the kernel, compared with the fusion. The level Tiles means
  /// that the answer about tiles is Same or More, that only results are stored,
  /// and that pointers and stored values have the arrays' element types. Reads
  /// means that it depends on the same elements of the arguments, and Values
  /// that each program stores the fusion's values (fusion_values.h). Different
  /// has a witness of kind StoredOutside, StoredOther or NotStored. The
  /// assumptions of the fusion are from equality/hidden_effects.h.
  Verdict verdict;
  std::vector<ValueDifference> values;  ///< empty: all are the same
  /// Whether it is proved that all elements of all results are stored, and none
  /// outside of them. A result in the memory of a parameter may keep some
  /// elements: the comparison of values shows whether the fusion keeps them,
  /// too.
  bool isCovered = false;
  /// The worst verdict of the pairs. More: the kernel takes elements that
  /// nothing needs, which is legal. Less: elements are missing.
  Verdict tiles = {Level::Tiles, Verdict::Same};
  std::vector<ArgumentPair> pairs;
  std::vector<int64_t> unmatchedLines;  ///< of loads that do not match a use
  std::vector<UnmatchedUse> unmatchedUses;
};

/// Returns the shapes of the arguments of a computation's kernel: the leaves of
/// the parameters, then those of the root.
std::vector<ArrayShape> argumentShapes(const Computation &computation);

/// Returns the numbers of the kernel's arguments that are arrays: pointers, and
/// descriptors of tensors.
std::vector<int64_t> arrayArguments(const TritonKernel &kernel);

/// Returns the map from the number of an element in memory to its index.
/// Returns an error if the layout is not supported.
absl::StatusOr<IndexingMap> indexMap(const ArrayShape &shape);

/// Returns the comparison of the kernel with the computation, which `caller`
/// calls if that is not null. Returns an error if the number of the kernel's
/// arrays is not that of the computation's leaves, or if the budget's stop is
/// reached.
absl::StatusOr<FusionComparison> compareWithFusion(
    const TritonKernel &kernel, const Module &module, ComputationId computation,
    const ExactOptions &options = {}, const Instruction *caller = nullptr);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_COMPARISON_H
