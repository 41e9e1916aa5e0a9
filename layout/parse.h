// Notations: texts of layouts, read and printed.
//
//   CuTe      (4,(2,2)):(1,(4,8))   _4 is 4; without strides the first mode is
//             the fastest; 1@0 is a stride along output 0
//   swizzle   Sw<3,3,3> o 0 o (8,64):(64,1)
//   Triton    tensor<16x32xf16, #ttg.blocked<{…}>>
//             !ttg.memdesc<16x32xf16, #ttg.swizzled_shared<{…}>, #smem>
//   bases     - register=1 -> (0, 1)
//               register=2 -> (8, 0)
//             - lane=1 -> (0, 2) …
//             where out dims are: [dim0 (size 16), dim1 (size 8)]
//   XLA       bf16[16,256]{1,0:T(8,128)(2,1)}
//   map       (d0, d1) -> (d0 * 8 + (d0 xor d1)), domain: d0 in [0, 7], d1 in …
//
// An expression is one of these, or an operation, with names as in CuTe:
//
//   composition(A, B), or A o B   complement(A, 24)    coalesce(A)
//   logical_divide(A, B)          logical_product(A, B)
//   zipped_divide(A, [B; _])      blocked_product(A, B)
//   tiled_divide, flat_divide     raked_product(A, B)
//   right_inverse(A), left_inverse(A), inverse(A)
//
// Behind any of them, `as (lane, register) -> (offset)` gives names.
//
// Law (tests/layout/notation_test.cc): parse(print(a)) equals a, for each
// notation in which it can be printed; strides do not name outputs at the end
// that are always 0.
#ifndef INDEXICAL_LAYOUT_PARSE_H
#define INDEXICAL_LAYOUT_PARSE_H

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/layout/encoding.h"
#include "indexical/layout/layout.h"

namespace indexical::layouts {

/// The encodings that a file names: `blocked` stands for `#blocked`.
using EncodingNames = std::map<std::string, Encoding>;

/// Returns the layout of one expression, which is the whole text. An error has
/// the place in the text.
absl::StatusOr<Layout> parseLayout(llvm::StringRef text,
                                   const EncodingNames &names = {});

/// Returns the encoding of a text, `#ttg.blocked<{…}>` or `#name`.
absl::StatusOr<Encoding> parseEncoding(llvm::StringRef text,
                                       const EncodingNames &names = {});

/// Returns the layout of an array in memory: `minorToMajor` begins with the
/// fastest dimension; tiles are applied in order.
absl::StatusOr<Layout> arrayLayout(llvm::StringRef elementType,
                                   llvm::ArrayRef<int64_t> shape,
                                   llvm::ArrayRef<int64_t> minorToMajor,
                                   llvm::ArrayRef<Coordinates> tiles);

enum class Notation : uint8_t { Cute, Linear, Bases, Xla, Map };
/// Returns the layout in that notation, or nothing if it has no equal there.
/// Types need an element type: the layout's own, or `elementType`.
std::optional<std::string> print(const Layout &layout, Notation notation,
                                 llvm::StringRef elementType = "");

/// Returns the text of one output: `lane mod 4 + warp * 8`.
std::string printSum(const Sum &sum, llvm::ArrayRef<Space> inputs);

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_PARSE_H
