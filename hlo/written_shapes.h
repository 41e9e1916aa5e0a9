// Shapes that a text writes many times, read once.
//
//   %a = f32[2,3]{1,0} negate(%p)    is read
//   %b = f32[2,3]{1,0} negate(%a)    is known: the text up to ` n`
//   %c = (f32[2], s32[]) tuple(…)    is read: a tuple is seldom written twice
//
// A model of a million instructions has a few hundred shapes.
#ifndef INDEXICAL_HLO_WRITTEN_SHAPES_H
#define INDEXICAL_HLO_WRITTEN_SHAPES_H

#include <deque>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/hlo/lexer.h"
#include "indexical/program/shared_shape.h"

namespace indexical {

class WrittenShapes {
 public:
  /// Reads a shape; null where that fails.
  const SharedShape *read(Lexer &lexer);

 private:
  std::deque<SharedShape> shapes_;
  llvm::DenseMap<llvm::StringRef, const SharedShape *>
      known_;  // by their texts
};

}  // namespace indexical

#endif  // INDEXICAL_HLO_WRITTEN_SHAPES_H
