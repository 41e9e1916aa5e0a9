// The oracle: what an op reads, by running its definition.
//
// Every family is written down once more, naively, from the definitions of
// HLO and StableHLO: pad fills a tensor with padding and puts the operand's
// elements into it, reshape counts along, gather follows the specification line
// by line. It is slow and takes static sizes only; tests/ops/ops_test.cc holds
// the maps of ops/ against it.
//
//   ReverseOp op;  // f32[3] -> f32[3], dimensions={0}
//   ...
//   std::vector<Tensor> results = evaluate(op, {});
//   results[0].at({0});  // {(operand 0, element 2)}
#ifndef INDEXICAL_TESTS_ORACLE_ORACLE_H
#define INDEXICAL_TESTS_ORACLE_ORACLE_H

#include <cstdint>
#include <vector>

#include "indexical/ops/op.h"
#include "tests/oracle/tensor.h"

namespace indexical::testing {

/// `values[k]`: the elements of operand leaf k in row major order. Only
/// operands whose values steer the reads (start indices) need to have any.
using OperandValues = std::vector<std::vector<int64_t>>;

/// Returns one tensor of reads for each result leaf. Each set is sorted and
/// free of duplicates. Requires a valid descriptor with static sizes.
std::vector<Tensor> evaluate(const Op &op, const OperandValues &values);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_ORACLE_ORACLE_H
