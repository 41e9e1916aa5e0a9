// The parts of random programs: arrays, and computations to be called.
//
//   std::string shape = Array{"v3", {2, 4}}.shape();  // f32[2,4]
//   std::string tuple = tupleShape({a, b});           // (f32[2,4], s32[])
#ifndef INDEXICAL_TESTS_SUPPORT_PROGRAM_PARTS_H
#define INDEXICAL_TESTS_SUPPORT_PROGRAM_PARTS_H

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "tests/support/random.h"

namespace indexical::testing::programs {

using Sizes = llvm::SmallVector<int64_t, 6>;

constexpr int64_t kMostElements = 36;

inline std::string list(llvm::ArrayRef<int64_t> values,
                        const char *between = ",") {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? between : "") + std::to_string(values[i]);
  return text;
}

inline std::string braces(llvm::ArrayRef<int64_t> values) {
  return "{" + list(values) + "}";
}

inline int64_t countOf(llvm::ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

struct Array {
  std::string name;
  Sizes sizes;
  bool integral = false;
  std::string shape() const {
    return (integral ? "s32[" : "f32[") + list(sizes) + "]";
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

inline Sizes randomSizes(Random &random, int64_t mostRank = 3) {
  Sizes sizes;
  for (int64_t rank = random.in(0, mostRank); rank > 0; --rank)
    sizes.push_back(random.in(1, 4));
  while (countOf(sizes) > kMostElements) sizes.pop_back();
  return sizes;
}

}  // namespace indexical::testing::programs

#endif  // INDEXICAL_TESTS_SUPPORT_PROGRAM_PARTS_H
