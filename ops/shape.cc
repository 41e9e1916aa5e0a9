#include "indexical/ops/shape.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

namespace indexical {
namespace {

struct ElementTypeInfo {
  llvm::StringLiteral name;
  int64_t bits;
  bool integer;
};

// In the order of the enumeration.
constexpr ElementTypeInfo kElementTypes[] = {
    {"pred", 8, true},        {"s1", 1, true},
    {"s2", 2, true},          {"s4", 4, true},
    {"s8", 8, true},          {"s16", 16, true},
    {"s32", 32, true},        {"s64", 64, true},
    {"u1", 1, true},          {"u2", 2, true},
    {"u4", 4, true},          {"u8", 8, true},
    {"u16", 16, true},        {"u32", 32, true},
    {"u64", 64, true},        {"f4e2m1fn", 4, false},
    {"f8e3m4", 8, false},     {"f8e4m3", 8, false},
    {"f8e4m3fn", 8, false},   {"f8e4m3b11fnuz", 8, false},
    {"f8e4m3fnuz", 8, false}, {"f8e5m2", 8, false},
    {"f8e5m2fnuz", 8, false}, {"f8e8m0fnu", 8, false},
    {"f16", 16, false},       {"bf16", 16, false},
    {"f32", 32, false},       {"f64", 64, false},
    {"c64", 64, false},       {"c128", 128, false},
    {"unknown", 0, false},
};
static_assert(std::size(kElementTypes) ==
                  static_cast<size_t>(ElementType::Unknown) + 1,
              "one row an element type");

const ElementTypeInfo &infoOf(ElementType type) {
  return kElementTypes[static_cast<size_t>(type)];
}

void appendTiles(std::string &out, llvm::ArrayRef<Tile> tiles) {
  if (tiles.empty()) return;
  out += 'T';
  for (const Tile &tile : tiles) {
    out += '(';
    for (size_t i = 0; i < tile.dimensions.size(); ++i) {
      if (i > 0) out += ',';
      out += tile.dimensions[i] == Tile::kCombineWithNext
                 ? "*"
                 : std::to_string(tile.dimensions[i]);
    }
    out += ')';
  }
}

/// `{0,1:T(8,128)L(16)E(4)S(1)}`, in the order in which XLA prints the parts.
void appendLayout(std::string &out, const Layout &layout) {
  out += '{';
  for (size_t i = 0; i < layout.minorToMajor.size(); ++i) {
    if (i > 0) out += ',';
    out += std::to_string(layout.minorToMajor[i]);
  }
  std::string parts;
  appendTiles(parts, layout.tiles);
  if (layout.tailPaddingAlignment != 1)
    parts += "L(" + std::to_string(layout.tailPaddingAlignment) + ')';
  if (layout.elementBits != 0)
    parts += "E(" + std::to_string(layout.elementBits) + ')';
  if (layout.memorySpace != 0)
    parts += "S(" + std::to_string(layout.memorySpace) + ')';
  if (!parts.empty()) out += ':' + parts;
  out += '}';
}

void appendLeaves(const Shape &shape, std::vector<ArrayShape> &leaves) {
  if (shape.isArray()) leaves.push_back(shape.array);
  for (const Shape &element : shape.elements) appendLeaves(element, leaves);
}

}  // namespace

llvm::StringRef elementTypeName(ElementType type) { return infoOf(type).name; }

std::optional<ElementType> parseElementType(llvm::StringRef name) {
  // Most tensors of a program have one of these.
  if (name == "f32") return ElementType::F32;
  if (name == "bf16") return ElementType::BF16;
  if (name == "s32") return ElementType::S32;
  for (size_t i = 0; i < static_cast<size_t>(ElementType::Unknown); ++i)
    if (kElementTypes[i].name == name) return static_cast<ElementType>(i);
  return std::nullopt;
}

int64_t bitsOf(ElementType type) { return infoOf(type).bits; }

bool isInteger(ElementType type) { return infoOf(type).integer; }

bool isComplex(ElementType type) {
  return type == ElementType::C64 || type == ElementType::C128;
}

bool Layout::operator==(const Layout &other) const {
  return minorToMajor == other.minorToMajor && tiles == other.tiles &&
         elementBits == other.elementBits && memorySpace == other.memorySpace &&
         tailPaddingAlignment == other.tailPaddingAlignment;
}

OptionalLayout::OptionalLayout(Layout layout)
    : layout_(std::make_shared<Layout>(std::move(layout))) {}

Layout &OptionalLayout::emplace() {
  layout_ = std::make_shared<Layout>();
  return *layout_;
}

bool OptionalLayout::operator==(const OptionalLayout &other) const {
  if (layout_ == other.layout_) return true;
  return layout_ && other.layout_ && *layout_ == *other.layout_;
}

bool ArrayShape::hasUnknownSize() const {
  return llvm::is_contained(dimensions, kDynamicSize);
}

bool ArrayShape::isEmpty() const {
  return llvm::is_contained(dimensions, int64_t{0});
}

std::optional<int64_t> ArrayShape::elementCount() const {
  if (hasUnknownSize()) return std::nullopt;
  // A size of 0 decides, also if the others' product leaves 64 bits.
  if (isEmpty()) return 0;
  int64_t count = 1;
  for (int64_t size : dimensions)
    if (llvm::MulOverflow(count, size, count)) return std::nullopt;
  return count;
}

llvm::SmallVector<int64_t, 6> ArrayShape::minorToMajor() const {
  if (layout) return layout->minorToMajor;
  llvm::SmallVector<int64_t, 6> order;
  for (int64_t d = rank() - 1; d >= 0; --d) order.push_back(d);
  return order;
}

std::string ArrayShape::str(bool withLayout) const {
  std::string out = elementTypeName(type).str();
  out += '[';
  for (size_t d = 0; d < dimensions.size(); ++d) {
    if (d > 0) out += ',';
    if (dimensions[d] == kDynamicSize) {
      out += '?';
      continue;
    }
    if (d < dynamic.size() && dynamic[d]) out += "<=";
    out += std::to_string(dimensions[d]);
  }
  out += ']';
  if (withLayout && layout) appendLayout(out, *layout);
  return out;
}

bool ArrayShape::isFixed(int64_t k) const {
  return dimensions[k] != kDynamicSize && (dynamic.empty() || !dynamic[k]);
}

ShapeList::ShapeList(std::vector<ArrayShape> shapes) {
  if (!shapes.empty()) kept_ = std::make_shared<Kept>(std::move(shapes));
}

std::vector<ArrayShape> &ShapeList::own() {
  if (!kept_) {
    kept_ = std::make_shared<Kept>(std::vector<ArrayShape>());
  } else if (kept_.use_count() != 1) {
    kept_ = std::make_shared<Kept>(kept_->shapes);
  } else {
    // Another thread may have read a copy until it gave it up.
    std::atomic_thread_fence(std::memory_order_acquire);
    kept_->hash.store(0, std::memory_order_relaxed);
    kept_->isOpen.store(-1, std::memory_order_relaxed);
  }
  return kept_->shapes;
}

static size_t hashOf(const ArrayShape &shape) {
  size_t hash =
      llvm::hash_combine(static_cast<int64_t>(shape.type),
                         llvm::hash_combine_range(shape.dimensions.begin(),
                                                  shape.dimensions.end()));
  for (unsigned k : shape.dynamic.set_bits())
    hash = llvm::hash_combine(hash, k);
  if (const auto &layout = shape.layout)
    hash = llvm::hash_combine(
        hash,
        llvm::hash_combine_range(layout->minorToMajor.begin(),
                                 layout->minorToMajor.end()),
        layout->memorySpace, layout->tiles.size());
  return hash;
}

// Several threads may find the same at once; each writes the same number.

size_t ShapeList::hash() const {
  if (!kept_) return 0;
  size_t hash = kept_->hash.load(std::memory_order_relaxed);
  if (hash) return hash;
  hash = size();
  for (const ArrayShape &shape : *this)
    hash = llvm::hash_combine(hash, hashOf(shape));
  hash += hash == 0;
  kept_->hash.store(hash, std::memory_order_relaxed);
  return hash;
}

bool ShapeList::hasOpenSize() const {
  if (!kept_) return false;
  if (const int8_t known = kept_->isOpen.load(std::memory_order_relaxed);
      known >= 0)
    return known;
  const bool isOpen = llvm::any_of(*this, [](const ArrayShape &shape) {
    return !llvm::all_of(llvm::seq<int64_t>(0, shape.rank()),
                         [&](int64_t k) { return shape.isFixed(k); });
  });
  kept_->isOpen.store(isOpen, std::memory_order_relaxed);
  return isOpen;
}

Shape Shape::ofArray(ArrayShape array) {
  Shape shape;
  shape.array = std::move(array);
  return shape;
}

Shape Shape::ofTuple(std::vector<Shape> elements) {
  Shape shape;
  shape.kind = Kind::Tuple;
  shape.elements = std::move(elements);
  return shape;
}

Shape Shape::token() {
  Shape shape;
  shape.kind = Kind::Token;
  return shape;
}

Shape Shape::opaque() {
  Shape shape;
  shape.kind = Kind::Opaque;
  return shape;
}

ShapeList Shape::leaves() const {
  std::vector<ArrayShape> leaves;
  leaves.reserve(leafCount());
  appendLeaves(*this, leaves);
  return ShapeList(std::move(leaves));
}

int64_t Shape::leafCount() const {
  int64_t count = isArray() ? 1 : 0;
  for (const Shape &element : elements) count += element.leafCount();
  return count;
}

std::string Shape::str(bool withLayout) const {
  switch (kind) {
    case Kind::Array:
      return array.str(withLayout);
    case Kind::Token:
      return "token[]";
    case Kind::Opaque:
      return "opaque[]";
    case Kind::Tuple:
      break;
  }
  std::string out = "(";
  for (size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) out += ", ";
    out += elements[i].str(withLayout);
  }
  return out + ")";
}

bool sameDimensions(const ArrayShape &a, const ArrayShape &b) {
  if (a.rank() != b.rank()) return false;
  for (auto [x, y] : llvm::zip(a.dimensions, b.dimensions))
    if (x != y && x != kDynamicSize && y != kDynamicSize) return false;
  return true;
}

bool sameUpToLayout(const Shape &a, const Shape &b) {
  if (a.kind != b.kind) return false;
  if (a.isArray())
    return a.array.type == b.array.type && sameDimensions(a.array, b.array);
  return a.elements.size() == b.elements.size() &&
         std::equal(a.elements.begin(), a.elements.end(), b.elements.begin(),
                    sameUpToLayout);
}

}  // namespace indexical
