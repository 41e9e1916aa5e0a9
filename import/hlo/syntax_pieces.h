// One text read by several threads: in pieces, which are joined in their order.
//
//   %f (p: f32[4]) -> f32[4] {        piece 0, of a part
//     %p = f32[4] parameter(0)
//   --- - - - - - - - - - - - - -
//     ROOT %r = f32[4] negate(%p)     piece 1, of a body
//   }
//   --- - - - - - - - - - - - - -
//   ENTRY %e (q: f32[4]) -> f32[4] {  piece 2, of the top level
//
// A text is cut where a line looks as if a computation or an instruction began
// there. Whether one does depends on all that stands before: the line may be in
// a comment. So each piece is read as if the cuts were right. They were if each
// piece ends where the next one begins, and within a body if the next one
// begins within a body. Then the pieces together are what is read in one go. If
// the cuts were wrong, or if anything is wrong with the text, no error is
// noted: the text has to be read in one go.
#ifndef INDEXICAL_IMPORT_HLO_SYNTAX_PIECES_H
#define INDEXICAL_IMPORT_HLO_SYNTAX_PIECES_H

#include <cstddef>
#include <deque>
#include <vector>

#include "indexical/import/hlo/crew.h"
#include "indexical/import/hlo/source.h"
#include "indexical/import/hlo/syntax.h"
#include "indexical/import/hlo/written_shapes.h"

namespace indexical {

/// Reads the modules of the text with all threads of the crew, in pieces of at
/// least `leastPiece` bytes. Returns false, without an error, if the text has
/// to be read in one go. `shapes` must outlive `modules`.
bool parseSyntaxTogether(Source &source, Crew &crew, size_t leastPiece,
                         std::deque<WrittenShapes> &shapes,
                         std::vector<ModuleSyntax> &modules);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_SYNTAX_PIECES_H
