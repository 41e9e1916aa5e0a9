// Scalars that torch_xla hands through an all-gather, so that collectives keep
// their order.
//
//   g = (f32[2,3], f32[]) all-gather(x, t), dimensions={0}, …
//
//   becomes   a = f32[2,3] all-gather(x), dimensions={0}, …
//             g = (f32[2,3], f32[]) tuple(a, t)
//
// A scalar has no dimension along which it could be gathered. It is a token in
// all but its type: the operand comes out unchanged.
#ifndef INDEXICAL_IMPORT_HLO_TOKEN_OPERANDS_H
#define INDEXICAL_IMPORT_HLO_TOKEN_OPERANDS_H

#include <deque>
#include <string>

#include "indexical/import/hlo/syntax.h"

namespace indexical {

/// Takes such scalars out of the all-gathers of the module whose types are
/// written. `kept` holds texts for as long as the program lives.
void passTokensBy(ModuleSyntax &module, std::deque<std::string> &kept);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_TOKEN_OPERANDS_H
