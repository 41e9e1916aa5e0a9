// Random valid op descriptors of every family.
//
// The seed determines an instance, so a failure can be repeated from the number
// that it prints:
//
//   Random random(17);
//   Op op = families()[3].make(random);  // some iota
//   OperandValues values = randomValues(op, random);
//   describe(op);  // "iota() -> s32[3,0,2]{0,2,1}, dimension=2"
//
// Shapes are small (ranks 0 to 5, sizes mostly 0 to 6, about 2000 elements at
// the most), have random layouts, and sizes 0 and 1 are common.
#ifndef INDEXICAL_TESTS_SUPPORT_RANDOM_OPS_H
#define INDEXICAL_TESTS_SUPPORT_RANDOM_OPS_H

#include <iosfwd>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/op.h"
#include "tests/oracle/oracle.h"
#include "tests/support/random_shapes.h"

namespace indexical::testing {

/// A family of ops: one alternative of `Op`, or a part of one that deserves as
/// many instances as the others.
struct Family {
  llvm::StringRef name;
  Op (*make)(Random &random);
};

/// Prints the family for GoogleTest.
void PrintTo(const Family &family, std::ostream *os);

llvm::ArrayRef<Family> families();

// The groups that `families` lists, one file each.
llvm::ArrayRef<Family> movingFamilies();       // random_ops.cc
llvm::ArrayRef<Family> controlFlowFamilies();  // random_control_flow.cc
llvm::ArrayRef<Family> contractingFamilies();  // random_contractions.cc
llvm::ArrayRef<Family> algorithmFamilies();    // random_algorithms.cc

/// Returns the op with some sizes of its shapes known by a bound only, or not
/// at all.
Op withOpenSizes(Op op, Random &random);

/// Returns values of every operand: indices, in and out of range, if the type
/// is integral, and no values otherwise.
OperandValues randomValues(const Op &op, Random &random);

/// The descriptor as readable text, in one line.
std::string describe(const Op &op);
/// Like describe(), with the numbers of operand and result leaves in place of
/// the shapes:
/// `1->1 transpose permutation={1,0}`.
std::string summary(const Op &op);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_RANDOM_OPS_H
