// The parts of random programs: arrays, and computations to be called.
//
//   std::string shape = Array{{2, 4}}.shape();  // f32[2,4]
//   std::string tuple = tupleShape({a, b});     // (f32[2,4], s32[])
#ifndef INDEXICAL_TESTS_SUPPORT_PROGRAM_PARTS_H
#define INDEXICAL_TESTS_SUPPORT_PROGRAM_PARTS_H

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "tests/support/op_trees.h"

namespace indexical::testing::programs {

/// The sizes of an array of f32, or of s32.
struct Array {
  Sizes sizes;
  bool integral = false;
  std::string shape() const {
    return (integral ? "s32[" : "f32[") + listOf(sizes) + "]";
  }
};

inline std::string tupleShape(llvm::ArrayRef<Array> leaves) {
  std::string text = "(";
  for (size_t i = 0; i < leaves.size(); ++i)
    text += (i ? ", " : "") + leaves[i].shape();
  return text + ")";
}

struct Callee {
  std::string name;
  std::vector<Array> parameters, results;
  bool isTuple = false;  ///< so are the results, even a single one
};

/// The branches of a conditional. Each has one tuple as its parameter, and all
/// have the same results.
struct Choice {
  std::vector<Callee> branches;
};

/// The body and the condition of a while, both on a tuple.
struct Loop {
  std::string body, condition;
  std::vector<Array> state;
};

/// The body of a scan, whose parameters are slices and then carries.
struct Step {
  std::string body;
  std::vector<Array> inputs, carries, outputs;  ///< slices; the carries
};

/// The computations that a computation may call.
struct Called {
  std::vector<Callee> functions;
  std::vector<Choice> choices;
  std::vector<Loop> loops;
  std::vector<Step> steps;
};

}  // namespace indexical::testing::programs

#endif  // INDEXICAL_TESTS_SUPPORT_PROGRAM_PARTS_H
