// Shapes of tensors: element type, sizes, layout.
//
// A shape is an op descriptor's knowledge of a tensor: its element type, sizes
// and layout. Sizes are counted in elements; `kDynamicSize` stands for a size
// that is not known when the program is compiled (HLO's `?`). A size known only
// by its bound (HLO's `<=16`) is kept as the bound, with the dimension's
// `dynamic` flag set.
//
//   f32[2,65]{0,1:T(8,128)}      an ArrayShape: type F32, dimensions {2, 65},
//                                layout minorToMajor {0, 1}, one tile {8, 128}
//   (f32[2], (s32[], token[]))   a Shape tree: its array leaves, depth first,
//                                are f32[2] and s32[]; tokens are not leaves
//
// A layout lists dimensions from the fastest varying to the slowest. Without a
// layout a tensor is row major (the last dimension varies fastest).
//
// A program holds many copies of few shapes: a thousand get-tuple-elements of
// one tuple each know all of its leaves. So lists of leaves (ShapeList) and
// layouts (OptionalLayout) are shared by their copies.
#ifndef INDEXICAL_OPS_SHAPE_H
#define INDEXICAL_OPS_SHAPE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// The element types of HLO. `Unknown` is a type whose name has the form of one
/// but is not in the table (its size is then not known).
enum class ElementType : uint8_t {
  Pred,
  S1,
  S2,
  S4,
  S8,
  S16,
  S32,
  S64,
  U1,
  U2,
  U4,
  U8,
  U16,
  U32,
  U64,
  F4E2M1FN,
  F8E3M4,
  F8E4M3,
  F8E4M3FN,
  F8E4M3B11FNUZ,
  F8E4M3FNUZ,
  F8E5M2,
  F8E5M2FNUZ,
  F8E8M0FNU,
  F16,
  BF16,
  F32,
  F64,
  C64,
  C128,
  Unknown,
};

/// Returns HLO's spelling: `f32`, `bf16`, `s4`, `pred`, `f8e4m3fn`.
llvm::StringRef elementTypeName(ElementType type);
/// Returns the type of that spelling, or nothing if there is none.
std::optional<ElementType> parseElementType(llvm::StringRef name);
/// Returns the number of bits of one element as the type defines it (pred: 8,
/// s4: 4, c64: 64), not as a layout stores it. Returns 0 for `Unknown`.
int64_t bitsOf(ElementType type);
/// Returns whether values of the type are integers (pred counts as one).
bool isInteger(ElementType type);
bool isComplex(ElementType type);

constexpr int64_t kDynamicSize = INT64_MIN;

/// One level of tiling, sizes in elements, most major first. `kCombineWithNext`
/// (written `*`) merges a dimension with the next more minor one.
struct Tile {
  static constexpr int64_t kCombineWithNext = INT64_MIN;
  llvm::SmallVector<int64_t, 2> dimensions;
  bool operator==(const Tile &other) const {
    return dimensions == other.dimensions;
  }
};

/// The layout of an array in memory, as HLO states it. Not the layouts::Layout
/// of layout/layout.h, which is a function between index spaces.
struct Layout {
  llvm::SmallVector<int64_t, 6> minorToMajor;
  llvm::SmallVector<Tile, 0> tiles;
  int64_t elementBits = 0;  ///< `E(n)`: bits an element takes; 0: its type's.
  int64_t memorySpace = 0;  ///< `S(n)`.
  int64_t tailPaddingAlignment = 1;  ///< `L(n)`, in elements.
  bool operator==(const Layout &other) const;
};

/// A layout or none, with the interface of `std::optional<Layout>`. Copies
/// share the layout, so it is never changed, only replaced.
class OptionalLayout {
 public:
  OptionalLayout() = default;
  OptionalLayout(Layout layout);

  explicit operator bool() const { return layout_ != nullptr; }
  const Layout &operator*() const { return *layout_; }
  const Layout *operator->() const { return layout_.get(); }
  /// Returns a new layout, to be filled in before it is shared.
  Layout &emplace();
  void reset() { layout_.reset(); }
  /// Returns whether both have equal layouts, or none.
  bool operator==(const OptionalLayout &other) const;

 private:
  std::shared_ptr<Layout> layout_;
};

struct ArrayShape {
  ElementType type = ElementType::F32;
  llvm::SmallVector<int64_t, 6> dimensions;
  /// One flag for each dimension; empty if every size is static.
  llvm::SmallBitVector dynamic;
  OptionalLayout layout;

  ArrayShape() = default;
  ArrayShape(ElementType type, llvm::ArrayRef<int64_t> dimensions)
      : type(type), dimensions(dimensions.begin(), dimensions.end()) {}

  int64_t rank() const { return static_cast<int64_t>(dimensions.size()); }
  bool isScalar() const { return dimensions.empty(); }
  /// Returns whether dimension k has one size: neither `?` nor `<=8`.
  bool isFixed(int64_t k) const;
  /// Returns whether a size is unknown (`?`, without a bound).
  bool hasUnknownSize() const;
  /// Returns whether there is no element (a size is 0).
  bool isEmpty() const;
  /// Returns the number of elements, with bounds taken for sizes. Returns
  /// nothing if a size is unknown or the product leaves 64 bits.
  std::optional<int64_t> elementCount() const;
  /// Returns the layout's order, or row major if there is no layout.
  llvm::SmallVector<int64_t, 6> minorToMajor() const;
  /// Returns HLO's text, `f32[2,<=65]`, with `{0,1}` if `withLayout`.
  std::string str(bool withLayout = false) const;
};

/// A list of shapes. Copies share their elements until one is changed:
///
///   ShapeList a = {x, y}, b = a;   // one x, one y
///   b.mutableAt(0) = z;            // a: x, y   b: z, y
///
/// hash() and hasOpenSize() are computed once for all copies. Reading is safe
/// from many threads, as of a `std::vector`. A reference from mutableAt() must
/// be written to at once: it is valid up to the next call.
class ShapeList {
 public:
  using value_type = ArrayShape;
  using const_iterator = const ArrayShape *;

  ShapeList() = default;
  ShapeList(std::initializer_list<ArrayShape> shapes)
      : ShapeList(llvm::ArrayRef<ArrayShape>(shapes)) {}
  ShapeList(llvm::ArrayRef<ArrayShape> shapes) : ShapeList(shapes.vec()) {}
  ShapeList(std::vector<ArrayShape> shapes);

  size_t size() const { return kept_ ? kept_->shapes.size() : 0; }
  bool empty() const { return size() == 0; }
  const ArrayShape &operator[](size_t i) const { return kept_->shapes[i]; }
  const_iterator begin() const {
    return kept_ ? kept_->shapes.data() : nullptr;
  }
  const_iterator end() const { return begin() + size(); }
  operator llvm::ArrayRef<ArrayShape>() const { return {begin(), size()}; }

  /// Returns whether both are copies of one list, none of them changed since.
  bool sharesWith(const ShapeList &other) const { return kept_ == other.kept_; }
  /// Returns the hash of types, sizes, the flags that say which sizes are
  /// bounds, and layouts.
  size_t hash() const;
  /// Returns whether a size of a shape is not fixed.
  bool hasOpenSize() const;

  // These change the list. They copy a list that is shared first.
  ArrayShape &mutableAt(size_t i) { return own()[i]; }
  /// Drops the layouts. A list without layouts stays shared.
  void dropLayouts() {
    for (size_t i = 0; i < size(); ++i)
      if ((*this)[i].layout) mutableAt(i).layout.reset();
  }
  void push_back(ArrayShape shape) { own().push_back(std::move(shape)); }
  void pop_back() { own().pop_back(); }
  void clear() { kept_.reset(); }

 private:
  std::vector<ArrayShape> &own();

  /// The shapes, with results that are computed once: a tuple of thousands of
  /// shapes is an operand of thousands of ops, and each of these needs them.
  struct Kept {
    explicit Kept(std::vector<ArrayShape> shapes) : shapes(std::move(shapes)) {}
    std::vector<ArrayShape> shapes;
    std::atomic<size_t> hash{0};     // 0: not found yet
    std::atomic<int8_t> isOpen{-1};  // -1: not found yet
  };
  std::shared_ptr<Kept> kept_;  // null: no shape
};

/// An array, a token, an opaque value, or a tuple of shapes.
struct Shape {
  enum class Kind : uint8_t { Array, Tuple, Token, Opaque };
  Kind kind = Kind::Array;
  ArrayShape array;             ///< if kind is Array
  std::vector<Shape> elements;  ///< if kind is Tuple

  static Shape ofArray(ArrayShape array);
  static Shape ofTuple(std::vector<Shape> elements);
  static Shape token();
  static Shape opaque();

  bool isArray() const { return kind == Kind::Array; }
  bool isTuple() const { return kind == Kind::Tuple; }
  /// Returns the array leaves, depth first, without tokens and opaque values.
  ShapeList leaves() const;
  int64_t leafCount() const;
  /// Returns HLO's text: `(f32[2], token[])`.
  std::string str(bool withLayout = false) const;
};

/// Returns whether both have the same rank and sizes, dimension by dimension
/// (an unknown size equals any size). Types and layouts are not compared.
bool sameDimensions(const ArrayShape &a, const ArrayShape &b);

/// Returns whether both are the same tree, with arrays of the same element
/// types and dimensions (an unknown size equals any size). Layouts and flags
/// are not compared.
bool sameUpToLayout(const Shape &a, const Shape &b);

}  // namespace indexical

#endif  // INDEXICAL_OPS_SHAPE_H
