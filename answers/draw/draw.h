// Pictures of what a call names: what elements read, a warp, a tile, who holds
// what. The answer of `draw`.
//
//   e { p = f32[4,3] parameter(0)
//       ROOT t = f32[3,4] transpose(p), dimensions={1,0} }
//
//   PictureQuestion question;
//   question.element = {2, 1};
//   auto drawn = pictureOfProgram(*std::move(program), question);
//   writeSvg(*drawn, os);  // (2, 1) of t, and (1, 2) of p
//
//   element, or neither  what that element reads of each operand
//   tile                 of maps, what it reads; of a module, what it is in
//                        every instruction behind it
//   warp                 its lanes against sectors of memory
//   sharding             `stated`: who holds what of the instruction's result
//
// answers/pictures/pictures.h draws values that a compiler has: relations,
// kernels, tiles, shardings, layouts. Here a question names them. A picture
// keeps nothing of the program.
//
// Laws (tests/answers/pictures/draw_test.py): the marked cells are the elements
// that the library names for the same question.
#ifndef INDEXICAL_ANSWERS_DRAW_DRAW_H
#define INDEXICAL_ANSWERS_DRAW_DRAW_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/answers/inputs/read_program.h"
#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/pictures/picture.h"
#include "indexical/answers/sharding/given_sharding.h"
#include "indexical/answers/tiles/tiles.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/memory/device.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct PictureQuestion : ShardingWords {
  /// Empty: find_instruction.h. Of Triton the launch, and the function.
  std::string computation, instruction;
  std::optional<std::vector<int64_t>> element;  ///< nothing: the first one
  std::vector<int64_t> tile;                    ///< its sizes; empty: none
  /// Where the tile begins, or the element; behind that, with steps, where the
  /// turns begin. Empty: the first index.
  std::vector<int64_t> at;
  /// The dimensions that are shown, rows and columns, of the result and of the
  /// operands; empty: as of a PictureSpace.
  std::vector<int64_t> dims, operandDims;
  std::vector<StepQuestion> steps;  ///< of a tile of a module
  std::optional<size_t> warp;       ///< its number in the launch
  bool worstWarp = false;  ///< in place of the number: the one that wastes most
  /// Null: the one that the input was compiled for, else defaultDevice().
  const Device *device = nullptr;
  std::optional<LaunchModel> launch;  ///< nothing: the usual one
  /// Of maps by their names, of a module by the instruction that they come
  /// from.
  std::vector<std::pair<std::string, int64_t>> runtime;
  ReadAs readAs;          ///< of pictureOfInput
  KernelQuestion triton;  ///< how a kernel of Triton is launched

  /// Returns the device if there is one, else defaultDevice().
  const Device &on() const { return device ? *device : defaultDevice(); }
};

/// Returns a message if parts of the question contradict each other: the
/// functions below return it as an error.
std::optional<std::string> mistakeOfPicture(const PictureQuestion &question);

/// Returns the picture of what the input holds: maps, a kernel of Triton, of
/// which a warp is drawn, or a program. An error has its place in the input, if
/// it has one.
absl::StatusOr<Picture> pictureOfInput(const Input &input,
                                       const PictureQuestion &question,
                                       const Ask &ask = {});

/// Returns the picture of an instruction. Sizes that the program leaves open
/// are examples, which a note of the picture names.
absl::StatusOr<Picture> pictureOfProgram(Program program,
                                         const PictureQuestion &question,
                                         const Ask &ask = {});

/// Returns the picture of what the maps read at an index, or a tile of indices.
/// Returns an error if their dimensions differ in number, if a side has no end,
/// if there is nothing in them, or if the question is about an instruction.
absl::StatusOr<Picture> pictureOfMaps(llvm::ArrayRef<IndexingMap> maps,
                                      const PictureQuestion &question,
                                      const Ask &ask = {});

/// Returns the picture of who holds what of the given array over the given
/// sharding. Returns an error if the shape is a tuple.
absl::StatusOr<Picture> pictureOfGivenSharding(const ShardingWords &words);

/// Returns the dimensions that are shown of a space of this rank, which an
/// error calls `space`.
absl::StatusOr<llvm::SmallVector<size_t, 2>> shownOf(
    llvm::ArrayRef<int64_t> dims, size_t rank, llvm::StringRef space);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_DRAW_DRAW_H
