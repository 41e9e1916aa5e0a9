// Encodings of Triton: how a tensor type says which thread holds an element,
// and how a type of memory says where it lies.
//
//   #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8],
//                 warpsPerCTA = [2, 1], order = [1, 0]}>    of 8 x 32
//     register in [0, 3], lane in [0, 31], warp in [0, 1], block in [0, 0]
//       dim0 = lane floordiv 8 + warp * 4
//       dim1 = register + (lane mod 8) * 4
//
// An encoding is a kind with parameters, as TTGIR writes it. A reader of text
// or of attributes makes one, and encodedTensor() and encodedMemory() give it
// its meaning, for a shape. A layout that is smaller than the shape takes more
// registers; one that is larger holds elements several times.
//
// Law (tests/layout/triton_test.cc, by enumeration): a register holds the
// element that nested loops over registers, lanes, warps and blocks give it.
//
// Source: Triton, TritonGPUAttrDefs.td and LinearLayoutConversions.cpp.
#ifndef INDEXICAL_LAYOUT_ENCODING_H
#define INDEXICAL_LAYOUT_ENCODING_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/layout/layout.h"

namespace indexical::layouts {

struct Encoding;

/// The value of a parameter: a number (`true` is 1), a list, or an encoding.
struct EncodingValue {
  std::optional<int64_t> number;
  std::vector<EncodingValue> list;
  std::vector<Encoding> encoding;  ///< one, or none
  /// Returns the numbers of a list of numbers.
  std::optional<Coordinates> numbers() const;
};

struct Encoding {
  std::string kind;  ///< without dialect: `blocked`
  std::map<std::string, EncodingValue> parameters;
  /// `[64:+8, 256:+4]` of a padded layout.
  std::vector<std::pair<int64_t, int64_t>> gaps;

  std::optional<int64_t> number(llvm::StringRef name) const;
  std::optional<Coordinates> numbers(llvm::StringRef name) const;
  bool isTrue(llvm::StringRef name) const { return number(name) == 1; }
};

/// Returns the layout of a tensor: from register, lane, warp and block to dim0,
/// dim1…. Returns an error in the words of the encoding if a parameter is
/// missing or out of its range.
absl::StatusOr<Layout> encodedTensor(const Encoding &encoding,
                                     llvm::ArrayRef<int64_t> shape,
                                     llvm::StringRef elementType);

/// Returns the layout of a tile in shared memory: from offset and block to
/// dim0, dim1…, or, with gaps, from dim0, dim1… to offset. A leading dimension
/// that the encoding does not have counts copies of the tile.
absl::StatusOr<Layout> encodedMemory(const Encoding &encoding,
                                     llvm::ArrayRef<int64_t> shape,
                                     llvm::StringRef elementType);

/// Returns the bits of an element of the type (`f16`, `bf16`, `f8E5M2`, `i1`,
/// `s8`, `pred`, `!tt.ptr<f32>`), or nothing if the name is not known.
std::optional<int64_t> bitsOfType(llvm::StringRef elementType);

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_ENCODING_H
