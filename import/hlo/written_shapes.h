// Shapes that a text writes many times, read once.
//
//   %a = f32[2,3]{1,0} negate(%p)    is read
//   %b = f32[2,3]{1,0} negate(%a)    is known: the text up to ` n`
//   %c = (f32[2], s32[]) tuple(…)    is read: a short tuple costs little
//   %d = (f32[2], …) opt-barrier(%e)  is known if the text behind `=` begins
//                                    with a long tuple that was read before
//
// A model of a million instructions has a few hundred shapes. A table that
// keeps all of them would grow with a text whose shapes all differ.
#ifndef INDEXICAL_IMPORT_HLO_WRITTEN_SHAPES_H
#define INDEXICAL_IMPORT_HLO_WRITTEN_SHAPES_H

#include <deque>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/lexer.h"
#include "indexical/program/module/shared_shape.h"

namespace indexical {

class WrittenShapes {
 public:
  /// Reads a shape and returns it, or null, with an error noted, if there is
  /// none.
  const SharedShape *read(Lexer &lexer);

 private:
  struct Tuple {
    llvm::StringRef text;
    const SharedShape *shape;
  };
  std::deque<SharedShape> shapes_;
  /// Long tuples by the begin of their texts, of each begin the last one: the
  /// state of a loop has thousands of leaves and is written five times.
  llvm::DenseMap<llvm::StringRef, Tuple> tuples_;
  /// By the hashes of their texts, the last two of each place.
  struct KnownShape {
    llvm::StringRef text;
    const SharedShape *shape = nullptr;
  };
  KnownShape &placeOf(llvm::StringRef text);
  void grow();
  std::vector<KnownShape> known_;
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_WRITTEN_SHAPES_H
