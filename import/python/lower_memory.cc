// Loads, stores, atomic operations, block pointers and descriptors.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/lowering.h"

namespace indexical::python {

using llvm::StringRef;

namespace {

bool isPointer(const Value &value) {
  return value.isTensor() && value.type.form == Form::Pointer;
}

bool hasForm(const Value &value, Form form) {
  return value.isTensor() && value.type.form == form;
}

/// `<tensor<16x32xf16>>`.
std::string blockText(const ValueType &type) {
  return absl::StrCat("<tensor<",
                      sidesText(type.block, irName(type.element).str()), ">>");
}

}  // namespace

/// Brings a mask, or a value, to the pointer's shape.
bool Lowering::matchMask(Value &pointer, Value &mask) {
  if (pointer.shape.empty()) {
    if (mask.shape.empty()) return true;
    refuse(RefusalKind::Shape,
           absl::StrCat(wordsOf(mask), " for a pointer that is not a block"));
    return false;
  }
  return broadcast(pointer, mask);
}

/// Bools lie in memory as bytes.
static bool isBoolPointer(const Value &pointer) {
  return pointer.type.element == Element::I1;
}

Value Lowering::load(const Arguments &args) {
  Value pointer = args[0];
  if (hasForm(pointer, Form::Descriptor))
    return loadDescriptor({pointer, args[1]});
  if (hasForm(pointer, Form::BlockPointer)) {
    if (!args[1].isNone() || !args[2].isNone())
      return refuse(RefusalKind::Type, "a mask of a block pointer");
    return loadBlock(pointer, args[3], args[4]);
  }
  if (!isPointer(pointer))
    return refuse(RefusalKind::Type,
                  absl::StrCat("a load at ", wordsOf(pointer)));
  const bool isMasked = !args[1].isNone(), hasOther = !args[2].isNone();
  if (!isMasked && hasOther)
    return refuse(RefusalKind::Type, "`other` of a load without a mask");
  const bool isBool = isBoolPointer(pointer);
  if (isBool) pointer = cast(pointer, pointerTo(Element::I8));
  Value mask = isMasked ? tensorOf(args[1]) : Value();
  Value other = hasOther ? tensorOf(args[2]) : Value();
  if (isRefused()) return {};
  if (isMasked && !mask.type.is(Element::I1))
    return refuse(RefusalKind::Type, absl::StrCat("the mask is ", wordsOf(mask),
                                                  ", which is not i1"));
  if (hasOther && !other.type.isPlain())
    return refuse(RefusalKind::Type, "`other` is a pointer");
  if (hasOther) other = cast(other, plain(pointer.type.element));
  if (isMasked && !matchMask(pointer, mask)) return {};
  if (hasOther && (!matchMask(pointer, other) || !matchMask(pointer, mask)))
    return {};
  std::string text = absl::StrCat("tt.load ", pointer.text);
  if (isMasked) absl::StrAppend(&text, ", ", mask.text);
  if (hasOther) absl::StrAppend(&text, ", ", other.text);
  if (isTrue(args[7])) absl::StrAppend(&text, " {isVolatile = true}");
  const Value made = op(absl::StrCat(text, " : ", pointer.ir()),
                        plain(pointer.type.element), pointer.shape);
  return isBool ? cast(made, plain(Element::I1)) : made;
}

Value Lowering::store(const Arguments &args) {
  Value pointer = args[0];
  if (hasForm(pointer, Form::Descriptor))
    return storeDescriptor({pointer, args[1], args[2]});
  if (hasForm(pointer, Form::BlockPointer)) {
    if (!args[2].isNone())
      return refuse(RefusalKind::Type, "a mask of a block pointer");
    return storeBlock(pointer, args[1], args[3]);
  }
  if (!isPointer(pointer))
    return refuse(RefusalKind::Type,
                  absl::StrCat("a store at ", wordsOf(pointer)));
  const bool isMasked = !args[2].isNone();
  const bool isBool = isBoolPointer(pointer);
  if (isBool) pointer = cast(pointer, pointerTo(Element::I8));
  Value value = tensorOf(args[1]);
  Value mask = isMasked ? tensorOf(args[2]) : Value();
  if (isRefused()) return {};
  if (!value.type.isPlain())
    return refuse(RefusalKind::Type, "a pointer is stored");
  if (isMasked && !mask.type.is(Element::I1))
    return refuse(RefusalKind::Type, absl::StrCat("the mask is ", wordsOf(mask),
                                                  ", which is not i1"));
  if (!matchMask(pointer, value)) return {};
  if (isMasked && (!matchMask(pointer, mask) || !matchMask(pointer, value) ||
                   !matchMask(pointer, mask)))
    return {};
  if (isBool) value = cast(value, plain(Element::I1));
  value = cast(value, plain(pointer.type.element));
  emit(absl::StrCat("tt.store ", pointer.text, ", ", value.text,
                    isMasked ? absl::StrCat(", ", mask.text) : "", " : ",
                    pointer.ir()));
  return Value::none();
}

//===-- Block pointers ----------------------------------------------------===//

namespace {

/// `array<i32: 0, 1>` of the sides that are checked, or nothing.
std::optional<std::string> checkedSides(const Value &checked, size_t rank) {
  std::vector<Value> sides;
  if (checked.is(ValueKind::Tuple))
    sides = *checked.items;
  else if (!checked.isNone())
    sides.push_back(checked);
  std::vector<int64_t> numbers;
  for (const Value &side : sides) {
    const auto number = smallOf(side);
    if (!number || *number < 0 || *number >= static_cast<int64_t>(rank))
      return std::nullopt;
    numbers.push_back(*number);
  }
  if (numbers.empty()) return "";
  return absl::StrCat(
      "boundaryCheck = array<i32: ", absl::StrJoin(numbers, ", "), ">");
}

}  // namespace

Value Lowering::loadBlock(const Value &pointer, const Value &checked,
                          const Value &padding) {
  const auto sides = checkedSides(checked, pointer.type.block.size());
  if (!sides)
    return refuse(RefusalKind::Shape,
                  "the block does not have a side that is "
                  "checked");
  std::string options;
  if (!sides->empty()) {
    options = absl::StrCat(" {", *sides);
    if (padding.is(ValueKind::String) && !padding.text.empty())
      absl::StrAppend(&options, ", padding = ", padding.text == "nan" ? 2 : 1,
                      " : i32");
    options += "}";
  }
  return op(
      absl::StrCat("tt.load ", pointer.text, options, " : ", pointer.ir()),
      plain(pointer.type.element), pointer.type.block);
}

Value Lowering::storeBlock(const Value &pointer, const Value &of,
                           const Value &checked) {
  const auto sides = checkedSides(checked, pointer.type.block.size());
  if (!sides)
    return refuse(RefusalKind::Shape,
                  "the block does not have a side that is "
                  "checked");
  const Value value = broadcastTo(
      cast(tensorOf(of), plain(pointer.type.element)), pointer.type.block);
  if (isRefused()) return {};
  emit(absl::StrCat("tt.store ", pointer.text, ", ", value.text,
                    sides->empty() ? "" : absl::StrCat(" {", *sides, "}"),
                    " : ", pointer.ir()));
  return Value::none();
}

std::optional<std::vector<Value>> Lowering::listOf(const Value &value,
                                                   Element element) {
  if (!value.is(ValueKind::Tuple)) {
    refuse(RefusalKind::Type, absl::StrCat(wordsOf(value), " is not a tuple"));
    return std::nullopt;
  }
  std::vector<Value> values;
  for (const Value &item : *value.items) {
    Value each = tensorOf(item);
    if (isRefused()) return std::nullopt;
    if (!each.shape.empty() || !each.type.isInteger()) {
      refuse(RefusalKind::Type,
             absl::StrCat(wordsOf(each), " is not an integer"));
      return std::nullopt;
    }
    values.push_back(cast(each, plain(element)));
  }
  return values;
}

Value Lowering::makeBlockPointer(const Arguments &args) {
  if (!isPointer(args[0]) || !args[0].shape.empty())
    return refuse(RefusalKind::Type,
                  absl::StrCat("a block pointer of ", wordsOf(args[0])));
  const auto block = shapeOf(args[4]);
  const auto sizes = listOf(args[1], Element::I64);
  const auto strides = listOf(args[2], Element::I64);
  const auto offsets = listOf(args[3], Element::I32);
  if (!block || !sizes || !strides || !offsets || isRefused()) return {};
  std::vector<int64_t> order;
  if (args[5].is(ValueKind::Tuple))
    for (const Value &side : *args[5].items)
      order.push_back(smallOf(side).value_or(-1));
  else
    order.push_back(smallOf(args[5]).value_or(-1));
  const size_t rank = block->size();
  std::vector<int64_t> sorted = order;
  llvm::sort(sorted);
  bool isOrder = order.size() == rank;
  for (size_t k = 0; isOrder && k < rank; ++k)
    isOrder = sorted[k] == static_cast<int64_t>(k);
  if (!isOrder || sizes->size() != rank || strides->size() != rank ||
      offsets->size() != rank)
    return refuse(RefusalKind::Shape,
                  "a block pointer has as many sizes, strides, offsets and "
                  "places in its order as its block has sides");
  ValueType type{Form::BlockPointer, args[0].type.element, *block};
  if (type.element == Element::I1)
    return refuse(RefusalKind::Unsupported, "a block pointer to bools");
  return op(absl::StrCat("tt.make_tensor_ptr ", args[0].text, ", [",
                         names(*sizes), "], [", names(*strides), "], [",
                         names(*offsets), "] {order = array<i32: ",
                         absl::StrJoin(order, ", "), ">} : ", blockText(type)),
            type);
}

Value Lowering::advance(const Arguments &args) {
  if (!hasForm(args[0], Form::BlockPointer))
    return refuse(RefusalKind::Type,
                  absl::StrCat("`tl.advance` of ", wordsOf(args[0])));
  const auto offsets = listOf(args[1], Element::I32);
  if (!offsets || isRefused()) return {};
  if (offsets->size() != args[0].type.block.size())
    return refuse(RefusalKind::Shape, "one offset for each side");
  return op(absl::StrCat("tt.advance ", args[0].text, ", [", names(*offsets),
                         "] : ", blockText(args[0].type)),
            args[0].type);
}

//===-- Descriptors -------------------------------------------------------===//

Value Lowering::makeDescriptor(const Arguments &args) {
  if (!isPointer(args[0]) || !args[0].shape.empty())
    return refuse(RefusalKind::Type,
                  absl::StrCat("a descriptor of ", wordsOf(args[0])));
  const auto block = shapeOf(args[3]);
  const auto sizes = listOf(args[1], Element::I32);
  const auto strides = listOf(args[2], Element::I64);
  if (!block || !sizes || !strides || isRefused()) return {};
  if (sizes->size() != block->size() || strides->size() != block->size())
    return refuse(RefusalKind::Shape,
                  "a descriptor has as many sizes and strides as its block has "
                  "sides");
  ValueType type{Form::Descriptor, args[0].type.element, *block};
  return op(absl::StrCat("tt.make_tensor_descriptor ", args[0].text, ", [",
                         names(*sizes), "], [", names(*strides),
                         "] : ", args[0].ir(), ", ", type.ir()),
            type);
}

Value Lowering::loadDescriptor(const Arguments &args) {
  if (!hasForm(args[0], Form::Descriptor))
    return refuse(RefusalKind::Type,
                  absl::StrCat("a load of ", wordsOf(args[0])));
  const auto offsets = listOf(args[1], Element::I32);
  if (!offsets || isRefused()) return {};
  const ValueType &type = args[0].type;
  if (offsets->size() != type.block.size())
    return refuse(RefusalKind::Shape, "one offset for each side");
  return op(absl::StrCat("tt.descriptor_load ", args[0].text, "[",
                         names(*offsets), "] : ", args[0].ir(), " -> ",
                         tensorText(type.block, plain(type.element))),
            plain(type.element), type.block);
}

Value Lowering::storeDescriptor(const Arguments &args) {
  if (!hasForm(args[0], Form::Descriptor))
    return refuse(RefusalKind::Type,
                  absl::StrCat("a store to ", wordsOf(args[0])));
  const auto offsets = listOf(args[1], Element::I32);
  if (!offsets || isRefused()) return {};
  const ValueType &type = args[0].type;
  const Value value =
      broadcastTo(cast(tensorOf(args[2]), plain(type.element)), type.block);
  if (isRefused()) return {};
  if (offsets->size() != type.block.size())
    return refuse(RefusalKind::Shape, "one offset for each side");
  emit(absl::StrCat("tt.descriptor_store ", args[0].text, "[", names(*offsets),
                    "], ", value.text, " : ", args[0].ir(), ", ", value.ir()));
  return Value::none();
}

//===-- Atomic operations -------------------------------------------------===//

Value Lowering::atomic(StringRef name, const Arguments &args) {
  Value pointer = args[0];
  if (!isPointer(pointer))
    return refuse(RefusalKind::Type,
                  absl::StrCat("an atomic operation at ", wordsOf(pointer)));
  Value value = tensorOf(args[1]);
  Value mask = args[2].isNone() ? constant(1, Element::I1) : tensorOf(args[2]);
  if (isRefused()) return {};
  if (!value.type.isPlain())
    return refuse(RefusalKind::Type, "an atomic operation with a pointer");
  if (!mask.type.is(Element::I1))
    return refuse(RefusalKind::Type, absl::StrCat("the mask is ", wordsOf(mask),
                                                  ", which is not i1"));
  if (!matchMask(pointer, value) || !matchMask(pointer, mask) ||
      !matchMask(pointer, value) || !matchMask(pointer, mask))
    return {};
  value = cast(value, plain(pointer.type.element));
  if (isRefused()) return {};
  StringRef kind = name.drop_front(7);
  const Element element = value.type.element;
  const bool isReal = isFloat(element);
  if (bitsOf(element) < 16 || (bitsOf(element) == 16 && kind != "add"))
    return refuse(RefusalKind::Type,
                  absl::StrCat("an atomic operation on ", value.type.str()));
  if (isReal && (kind == "max" || kind == "min"))
    return refuse(RefusalKind::Unsupported,
                  absl::StrCat("`tl.", name.str(), "` of floats"));
  if (isReal && (kind == "and" || kind == "or" || kind == "xor"))
    return refuse(RefusalKind::Type,
                  absl::StrCat("`tl.", name.str(), "` of floats"));
  const bool hasSign = isSigned(element);
  if (kind == "add" && isReal) kind = "fadd";
  if (kind == "max" && !hasSign) kind = "umax";
  if (kind == "min" && !hasSign) kind = "umin";
  if (kind == "xchg") kind = "exch";
  return op(absl::StrCat("tt.atomic_rmw ", kind.str(), ", acq_rel, gpu, ",
                         pointer.text, ", ", value.text, ", ", mask.text,
                         " : (", pointer.ir(), ", ", value.ir(), ", ",
                         mask.ir(), ") -> ", value.ir()),
            value.type, value.shape);
}

Value Lowering::atomicCas(const Arguments &args) {
  Value pointer = args[0];
  if (!isPointer(pointer))
    return refuse(RefusalKind::Type,
                  absl::StrCat("an atomic operation at ", wordsOf(pointer)));
  Value expected = tensorOf(args[1]), value = tensorOf(args[2]);
  if (isRefused()) return {};
  const ValueType element = plain(pointer.type.element);
  if (bitsOf(element.element) < 16)
    return refuse(RefusalKind::Type,
                  absl::StrCat("an atomic operation on ", element.str()));
  expected = cast(expected, element);
  value = cast(value, element);
  if (!matchMask(pointer, expected) || !matchMask(pointer, value) ||
      !matchMask(pointer, expected))
    return {};
  return op(
      absl::StrCat("tt.atomic_cas acq_rel, gpu, ", pointer.text, ", ",
                   expected.text, ", ", value.text, " : (", pointer.ir(), ", ",
                   expected.ir(), ", ", value.ir(), ") -> ", value.ir()),
      element, value.shape);
}

}  // namespace indexical::python
