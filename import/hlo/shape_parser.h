// Shapes in HLO text.
//
//   f32[2,<=65]{0,1:T(8,128)(2,1)S(1)}   array, bounded size, layout
//   (s32[], (pred[?], token[]), b(f32[4]))   tuples nest; `b(…)` is a buffer,
//                                            whose shape is that of its content
//
// The parser keeps the parts of a layout that indexing needs: the order, `T`
// tiles, `L` tail padding, `E` bits an element, `S` memory space. It skips the
// others.
#ifndef INDEXICAL_IMPORT_HLO_SHAPE_PARSER_H
#define INDEXICAL_IMPORT_HLO_SHAPE_PARSER_H

#include "indexical/import/hlo/lexer.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// Returns whether a shape stands next (and not, say, an opcode). Looks only.
bool startsWithShape(Lexer &lexer);

/// Reads a shape into `shape`. Notes an error and returns false if there is
/// none.
bool parseShape(Lexer &lexer, Shape &shape);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_SHAPE_PARSER_H
