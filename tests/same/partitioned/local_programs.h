// Random programs that each device runs, with an interpreter of all devices:
// vectors of small integers, and the collectives between them.
//
//   a = s32[4] parameter(0)
//   b = s32[2] reduce-scatter(a), groups {0,1} {2,3}
//   c = s32[2] collective-permute(b), 0 -> 3, 3 -> 0
//
// A rewrite writes a collective as others that give the same. A mutant has
// another group, table, number, function or device somewhere.
#ifndef TESTS_SAME_PARTITIONED_LOCAL_PROGRAMS_H
#define TESTS_SAME_PARTITIONED_LOCAL_PROGRAMS_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/random.h"

namespace indexical::testing {

/// One instruction, which gives a vector on each device.
struct LocalStep {
  std::string op;  // of HLO, or a word of local_programs.cc
  std::vector<size_t> in;
  int64_t size = 1;
  int64_t number = 0;         // of a constant, a slice's start, a parameter
  bool isReplicated = false;  // of a parameter
  std::string function = "add";
  std::vector<std::vector<int64_t>> groups;
  std::vector<std::pair<int64_t, int64_t>> pairs;
  std::vector<int64_t> table;  // a number of each device
};

struct LocalProgram {
  std::string type;  // s32, s8 or f32
  int64_t devices = 4;
  std::vector<LocalStep> steps;  // the last one is the result
};

LocalProgram randomLocal(Random &random);
/// Writes one step as others. Returns false if no step has such a form.
bool rewriteLocal(LocalProgram &program, Random &random);
/// Changes one step. Returns false if nothing changes.
bool mutateLocal(LocalProgram &program, Random &random);
/// Returns the text of HLO.
std::string textOf(const LocalProgram &program);

using LocalVectors = std::vector<std::vector<int64_t>>;  // of each device
/// Returns the last step's vectors, given those of each parameter.
LocalVectors runLocal(const LocalProgram &program,
                      const std::vector<LocalVectors> &parameters);

}  // namespace indexical::testing

#endif  // TESTS_SAME_PARTITIONED_LOCAL_PROGRAMS_H
