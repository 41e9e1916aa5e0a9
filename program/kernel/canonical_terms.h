// One way to write a term: terms that are the same sums of the same products
// become one.
//
//   add (mul (add x 1) 4) y        4 x + y + 4
//   add (add 4 (mul x 4)) y        4 x + y + 4, the same term
//
// Sums and products of integers that wrap are polynomials modulo a power of
// two, whatever the operands are. Other operations are kept, of operands that
// are written so. Equal terms have equal values wherever they have one.
#ifndef INDEXICAL_PROGRAM_KERNEL_CANONICAL_TERMS_H
#define INDEXICAL_PROGRAM_KERNEL_CANONICAL_TERMS_H

#include "indexical/program/kernel/terms.h"

namespace indexical::kernels {

/// Returns the term, written in the one way that its polynomial has. A term
/// whose polynomial has very many products stays as it is.
TermId canonical(Terms &terms, TermId term);

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_CANONICAL_TERMS_H
