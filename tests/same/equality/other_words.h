// Writes a module in other words: with other names, instructions in another
// order, operands of additions and multiplications swapped, operands behind
// tuples, instructions in computations of their own.
//
//   a = add(p, q)                   x1 = reverse(x0)
//   ROOT r = reverse(a)     ->      x0 = add(x3, x2)
#ifndef INDEXICAL_TESTS_SAME_EQUALITY_OTHER_WORDS_H
#define INDEXICAL_TESTS_SAME_EQUALITY_OTHER_WORDS_H

#include "indexical/program/module/program.h"
#include "tests/support/random.h"

namespace indexical::testing {

/// Renames every computation and instruction of the program, but for literals
/// that the text leaves out.
void rename(Program &program);
/// Puts instructions and computations into a random order, which says no longer
/// when ops with effects take place.
void shuffle(Random &random, Module &module);
/// Swaps the operands of some additions and multiplications.
void commute(Random &random, Module &module);
/// Puts some operands into tuples and takes them out again.
void repack(Random &random, Module &module);
/// Replaces some instructions by calls of computations that do the same.
void outline(Random &random, Program &program, Module &module);

/// Changes one number of an instruction of the computation, and no shape: a
/// permutation, a slice's start, a padding, a literal, the order of operands.
/// Returns false if no instruction is found that can be changed.
bool mutate(Random &random, Module &module, int32_t computation);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SAME_EQUALITY_OTHER_WORDS_H
