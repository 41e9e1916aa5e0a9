// Blocks: how they are made and what is said of their sides.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/import/python/lowering.h"

namespace indexical::python {

using llvm::StringRef;

std::optional<Shape> Lowering::shapeOf(const Value &value) {
  if (isRefused()) return std::nullopt;
  std::vector<Value> sides;
  if (value.is(ValueKind::Tuple))
    sides = *value.items;
  else
    sides.push_back(value);
  if (sides.size() == 1 && sides[0].is(ValueKind::Tuple)) {
    const std::vector<Value> inner = *sides[0].items;
    sides = inner;
  }
  Shape shape;
  int64_t count = 1;
  for (const Value &side : sides) {
    const auto small = smallOf(side);
    if (!small) {
      refuse(RefusalKind::Triton,
             absl::StrCat("a side of a block is ", wordsOf(side),
                          ", and is a constant integer"));
      return std::nullopt;
    }
    if (*small < 1 || !llvm::isPowerOf2_64(*small)) {
      refuse(RefusalKind::Triton, absl::StrCat("a side of a block is ", *small,
                                               ", which is not a power of 2"));
      return std::nullopt;
    }
    if (*small > 1 << 20 || (count *= *small) > 1 << 20) {
      refuse(RefusalKind::Triton, "a block of more than 1048576 elements");
      return std::nullopt;
    }
    shape.push_back(*small);
  }
  return shape;
}

std::optional<int64_t> Lowering::axisOf(const Value &value, size_t rank) {
  const auto axis = smallOf(value);
  const auto sides = static_cast<int64_t>(rank);
  if (isRefused()) return std::nullopt;
  if (!axis || *axis < -sides || *axis >= sides) {
    refuse(RefusalKind::Shape, absl::StrCat("the axis ", wordsOf(value),
                                            " of a block of ", rank, " sides"));
    return std::nullopt;
  }
  return *axis < 0 ? *axis + sides : *axis;
}

namespace {

std::string axisName(const Value &axis) {
  const auto number = smallOf(axis);
  if (!number || *number < 0 || *number > 2) return "";
  return std::string(1, "xyz"[*number]);
}

}  // namespace

Value Lowering::programId(const Arguments &args) {
  const std::string axis = axisName(args[0]);
  if (axis.empty())
    return refuse(RefusalKind::Type, "the axis of a program is 0, 1 or 2");
  return op(absl::StrCat("tt.get_program_id ", axis, " : i32"),
            plain(Element::I32));
}

Value Lowering::numPrograms(const Arguments &args) {
  const std::string axis = axisName(args[0]);
  if (axis.empty())
    return refuse(RefusalKind::Type, "the axis of a program is 0, 1 or 2");
  return op(absl::StrCat("tt.get_num_programs ", axis, " : i32"),
            plain(Element::I32));
}

Value Lowering::arange(const Arguments &args) {
  const auto start = smallOf(args[0]), end = smallOf(args[1]);
  if (!start || !end)
    return refuse(RefusalKind::Triton,
                  "the ends of an arange are constants: `tl.constexpr`");
  if (*start < 0 || *end > INT32_MAX || *end <= *start)
    return refuse(RefusalKind::Triton, "an arange ends behind its start");
  const int64_t size = *end - *start;
  if (!llvm::isPowerOf2_64(size))
    return refuse(RefusalKind::Triton,
                  absl::StrCat("an arange of ", size,
                               " elements, which is not a power of 2"));
  if (size > 1 << 20)
    return refuse(RefusalKind::Triton, "a block of more than 1048576 elements");
  return op(absl::StrCat("tt.make_range {end = ", *end, " : i32, start = ",
                         *start, " : i32} : tensor<", size, "xi32>"),
            plain(Element::I32), {size});
}

Value Lowering::full(const Arguments &args) {
  const auto shape = shapeOf(args[0]);
  if (!shape) return {};
  if (!args[2].is(ValueKind::Type) || !args[2].type.isPlain())
    return refuse(RefusalKind::Type, "the type of the elements is a dtype");
  const Element element = args[2].type.element;
  if (args[1].isTensor()) {
    if (!args[1].shape.empty())
      return refuse(RefusalKind::Shape, "a block is filled with one value");
    return splat(cast(args[1], args[2].type), *shape);
  }
  if (!args[1].isNumber())
    return refuse(RefusalKind::Type,
                  absl::StrCat("a block is filled with ", wordsOf(args[1])));
  return constant(args[1], element, *shape);
}

Value Lowering::zeros(const Arguments &args) {
  return full({args[0], Value::whole(0), args[1]});
}

Value Lowering::castTo(const Arguments &args) {
  if (!args[1].is(ValueKind::Type))
    return refuse(RefusalKind::Type,
                  absl::StrCat("a cast to ", wordsOf(args[1])));
  const Value value = tensorOf(args[0]);
  if (isRefused()) return {};
  if (isTrue(args[3])) return bitcast(value, args[1].type);
  const std::string rounding =
      args[2].is(ValueKind::String) ? args[2].text : "";
  const ValueType &to = args[1].type;
  if (!rounding.empty() && !(value.type.isFloating() && to.isFloating() &&
                             bitsOf(to.element) < bitsOf(value.type.element)))
    return refuse(RefusalKind::Type,
                  "a rounding is of a cast to fewer bits of a float");
  return cast(value, to, rounding);
}

Value Lowering::broadcastValues(const Arguments &args) {
  Value a = tensorOf(args[0]), b = tensorOf(args[1]);
  if (!broadcast(a, b)) return {};
  return makeTuple({a, b});
}

Value Lowering::broadcastToShape(const Arguments &args) {
  const auto shape = shapeOf(args[1]);
  const Value value = tensorOf(args[0]);
  if (!shape || isRefused()) return {};
  return broadcastTo(value, *shape);
}

Value Lowering::reshapeTo(const Arguments &args) {
  const auto shape = shapeOf(args[1]);
  const Value value = tensorOf(args[0]);
  if (!shape || isRefused()) return {};
  int64_t before = 1, after = 1;
  for (int64_t side : value.shape) before *= side;
  for (int64_t side : *shape) after *= side;
  if (before != after)
    return refuse(RefusalKind::Shape,
                  absl::StrCat("a block ", shapeText(value.shape), " as ",
                               shapeText(*shape)));
  if (value.shape.empty()) return splat(value, *shape);
  const bool reorders = args.size() > 2 && isTrue(args[2]);
  return op(
      absl::StrCat("tt.reshape ", value.text, reorders ? " allow_reorder" : "",
                   " : ", value.ir(), " -> ", tensorText(*shape, value.type)),
      value.type, *shape);
}

Value Lowering::viewTo(const Arguments &args) {
  return reshapeTo({args[0], args[1], Value::boolean(true)});
}

Value Lowering::transposed(const Value &of, llvm::ArrayRef<int64_t> order) {
  Shape shape;
  for (int64_t side : order) shape.push_back(of.shape[side]);
  return op(absl::StrCat("tt.trans ", of.text,
                         " {order = array<i32: ", absl::StrJoin(order, ", "),
                         ">} : ", of.ir(), " -> ", tensorText(shape, of.type)),
            of.type, shape);
}

Value Lowering::permute(const Arguments &args) {
  const Value value = tensorOf(args[0]);
  if (isRefused()) return {};
  const auto rank = static_cast<int64_t>(value.shape.size());
  std::vector<int64_t> order;
  for (const Value &side : *args[1].items) {
    const auto axis = axisOf(side, rank);
    if (!axis) return {};
    if (llvm::is_contained(order, *axis))
      return refuse(RefusalKind::Shape, "a side is named twice");
    order.push_back(*axis);
  }
  if (order.empty() && rank >= 2) {
    for (int64_t k = 0; k < rank; ++k) order.push_back(k);
    std::swap(order[rank - 1], order[rank - 2]);
  }
  if (static_cast<int64_t>(order.size()) != rank || rank < 2)
    return refuse(RefusalKind::Shape,
                  absl::StrCat("the sides of ", wordsOf(value),
                               " in an order of ", order.size()));
  return transposed(value, order);
}

Value Lowering::expandDims(const Arguments &args) {
  Value value = tensorOf(args[0]);
  std::vector<Value> axes;
  if (args[1].is(ValueKind::Tuple))
    axes = *args[1].items;
  else
    axes.push_back(args[1]);
  std::vector<int64_t> places;
  for (const Value &axis : axes) {
    const auto place = axisOf(axis, value.shape.size() + axes.size());
    if (!place) return {};
    places.push_back(*place);
  }
  llvm::sort(places);
  for (int64_t place : places) value = expand(value, place);
  return value;
}

Value Lowering::join(const Arguments &args) {
  Value a = tensorOf(args[0]), b = tensorOf(args[1]);
  if (!broadcast(a, b)) return {};
  if (a.type != b.type)
    return refuse(RefusalKind::Type, absl::StrCat("a join of ", a.type.str(),
                                                  " and ", b.type.str()));
  const bool isScalar = a.shape.empty();
  if (isScalar) {
    a = splat(a, {1});
    b = splat(b, {1});
  }
  Shape shape = a.shape;
  shape.push_back(2);
  Value made = op(absl::StrCat("tt.join ", a.text, ", ", b.text, " : ", a.ir(),
                               " -> ", tensorText(shape, a.type)),
                  a.type, shape);
  if (!isScalar || isRefused()) return made;
  return op(absl::StrCat("tt.reshape ", made.text, " : ", made.ir(), " -> ",
                         tensorText({2}, made.type)),
            made.type, {2});
}

Value Lowering::interleave(const Arguments &args) {
  const Value joined = join(args);
  if (isRefused()) return {};
  Shape shape = joined.shape;
  if (shape.size() == 1) return joined;
  shape.pop_back();
  shape.back() *= 2;
  return op(absl::StrCat("tt.reshape ", joined.text, " : ", joined.ir(), " -> ",
                         tensorText(shape, joined.type)),
            joined.type, shape);
}

Value Lowering::split(const Arguments &args) {
  const Value &of = args[0];
  if (!of.isTensor() || of.shape.size() < 2 || of.shape.back() != 2)
    return refuse(RefusalKind::Shape,
                  "a split of a block whose last side is "
                  "not 2");
  const Shape shape(of.shape.begin(), of.shape.end() - 1);
  const std::string made = newName();
  emit(absl::StrCat("tt.split ", of.text, " : ", of.ir(), " -> ",
                    tensorText(shape, of.type)),
       absl::StrCat(made, ":2"));
  return makeTuple({Value::tensor(of.type, shape, absl::StrCat(made, "#0")),
                    Value::tensor(of.type, shape, absl::StrCat(made, "#1"))});
}

Value Lowering::cat(const Arguments &args) {
  Value a = tensorOf(args[0]), b = tensorOf(args[1]);
  if (isRefused()) return {};
  if (!isTrue(args[2]))
    return refuse(RefusalKind::Unsupported,
                  "`tl.cat` keeps no order, and takes can_reorder=True; "
                  "tl.join keeps it");
  if (a.type != b.type || a.shape != b.shape || a.shape.size() != 1)
    return refuse(RefusalKind::Shape, "a `tl.cat` of two unlike blocks");
  const Shape shape = {a.shape[0] * 2};
  return op(absl::StrCat("tt.cat ", a.text, ", ", b.text, " : ", a.ir(), " -> ",
                         tensorText(shape, a.type)),
            a.type, shape);
}

Value Lowering::hint(const Arguments &args) { return tensorOf(args[0]); }

Value Lowering::nothing(const Arguments &) { return Value::none(); }

Value Lowering::staticAssert(const Arguments &args) {
  if (args[0].isTensor())
    return refuse(RefusalKind::Type, "a static_assert of a value");
  if (!isTrue(args[0]))
    return refuse(RefusalKind::Triton, "this static_assert does not hold");
  return Value::none();
}

Value Lowering::barrier(const Arguments &) {
  emit("gpu.barrier");
  return Value::none();
}

}  // namespace indexical::python
