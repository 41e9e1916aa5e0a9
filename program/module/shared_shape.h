// The shape of an instruction: one object for many instructions.
//
// A program of a million instructions has a few hundred shapes. A front end
// that meets one again returns a copy of the SharedShape that it has:
//
//   SharedShape a = Shape::ofArray(ArrayShape(ElementType::F32, {2, 3}));
//   SharedShape b = a;              // 16 bytes; *a and *b are one object
//   bool isArray = b->isArray();    // true
//   size_t leaves = b.leaves().size();  // 1; found once, for a and for b
//
// A shape that is shared is never changed: an instruction gets a new one.
#ifndef INDEXICAL_PROGRAM_MODULE_SHARED_SHAPE_H
#define INDEXICAL_PROGRAM_MODULE_SHARED_SHAPE_H

#include <cstdint>
#include <memory>
#include <utility>

#include "indexical/ops/shape.h"

namespace indexical {

class SharedShape {
 public:
  /// Makes the shape `f32[]`.
  SharedShape() = default;
  SharedShape(Shape shape)
      : kept_(std::make_shared<const Kept>(std::move(shape))) {}

  const Shape &operator*() const { return kept().shape; }
  const Shape *operator->() const { return &kept().shape; }
  operator const Shape &() const { return kept().shape; }

  /// Return the array leaves, depth first, without tokens and opaque values,
  /// and their number. All copies share one list.
  const ShapeList &leaves() const { return kept().leaves; }
  int64_t leafCount() const { return static_cast<int64_t>(leaves().size()); }

 private:
  struct Kept {
    explicit Kept(Shape of) : shape(std::move(of)), leaves(shape.leaves()) {}
    const Shape shape;
    const ShapeList leaves;
  };
  const Kept &kept() const {
    static const Kept kScalar{Shape()};
    return kept_ ? *kept_ : kScalar;
  }

  std::shared_ptr<const Kept> kept_;  // null: `f32[]`
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_SHARED_SHAPE_H
