// The expressions of host.h.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include "indexical/import/python/host.h"
#include "indexical/import/python/launch.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical::python {

using llvm::StringRef;
using Kind = HostValue::Kind;

namespace {

/// docs/internals/limits.md
constexpr size_t kMostHostExpressions = 4'000'000;

}  // namespace

std::string elementOfTorch(StringRef name) {
  name.consume_front("torch.");
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"float32", "float"}, "f32")
      .Cases({"float16", "half"}, "f16")
      .Case("bfloat16", "bf16")
      .Cases({"float64", "double"}, "f64")
      .Case("float8_e4m3fn", "f8e4m3fn")
      .Case("float8_e5m2", "f8e5m2")
      .Case("float8_e4m3fnuz", "f8e4m3fnuz")
      .Case("float8_e5m2fnuz", "f8e5m2fnuz")
      .Case("float8_e8m0fnu", "f8e8m0fnu")
      .Case("int8", "s8")
      .Case("int16", "s16")
      .Cases({"int32", "int"}, "s32")
      .Cases({"int64", "long"}, "s64")
      .Case("uint8", "u8")
      .Case("uint16", "u16")
      .Case("uint32", "u32")
      .Case("uint64", "u64")
      .Case("bool", "pred")
      .Case("complex64", "c64")
      .Case("complex128", "c128")
      .Default("")
      .str();
}

std::string elementOfPointer(const ValueType &type) {
  switch (type.element) {
    case Element::I1:
      return "pred";
    case Element::F8E4M3FN:
      return "f8e4m3fn";
    case Element::F8E5M2:
      return "f8e5m2";
    case Element::F8E4M3FNUZ:
      return "f8e4m3fnuz";
    case Element::F8E5M2FNUZ:
      return "f8e5m2fnuz";
    case Element::F8E4M3B15:
      return "u8";
    default:
      break;
  }
  const std::string digits = std::to_string(bitsOf(type.element));
  if (isFloat(type.element))
    return type.element == Element::BF16 ? "bf16" : "f" + digits;
  return (isSigned(type.element) ? "s" : "u") + digits;
}

int64_t bytesOfElement(StringRef element) {
  if (element == "pred") return 1;
  if (element.starts_with("f8")) return 1;
  int64_t bits = 0;
  if (element.drop_while([](char c) { return c < '0' || c > '9'; })
          .getAsInteger(10, bits))
    return 0;
  return bits / 8;
}

namespace {

bool isArray(const HostTensor &tensor) {
  constexpr int64_t kMost = int64_t{1} << 48;
  if (tensor.sizes.size() != tensor.strides.size() || tensor.offset < 0 ||
      tensor.offset >= kMost)
    return false;
  int64_t count = 1, last = 0;
  for (size_t k = 0; k < tensor.sizes.size(); ++k) {
    const int64_t size = tensor.sizes[k], stride = tensor.strides[k];
    if (size < 0 || stride < 0 || size >= kMost || stride >= kMost)
      return false;
    const auto all = checkedMul(count, size);
    const auto far = checkedMul(std::max<int64_t>(0, size - 1), stride);
    if (!all || !far || *all >= kMost || *far >= kMost - last) return false;
    count = *all;
    last += *far;
  }
  return true;
}

}  // namespace

void setKnown(HostTensor &tensor) {
  tensor.isKnown = isArray(tensor);
  if (tensor.isKnown) return;
  tensor.sizes.clear();
  tensor.strides.clear();
}

size_t Host::addMemory(HostTensor first) {
  first.memory = into_.memories.size();
  HostMemory made;
  made.first = std::move(first);
  into_.memories.push_back(std::move(made));
  return into_.memories.size() - 1;
}

HostTensor Host::resolved(HostTensor tensor) const {
  if (tensor.memory >= into_.memories.size()) return tensor;
  const HostTensor &first = into_.memories[tensor.memory].first;
  if (!tensor.isKnown && !tensor.isView) {
    const std::string element =
        tensor.element.empty() ? first.element : tensor.element;
    tensor = first;
    tensor.element = element;
  } else if (tensor.element.empty()) {
    tensor.element = first.element;
  }
  return tensor;
}

HostValue Host::evaluate(const Node &node) {
  if (++expressions_ > kMostHostExpressions) return {};
  switch (node.kind) {
    case NodeKind::Name: {
      const auto found = names_.find(node.text);
      if (found != names_.end()) return found->second;
      return constantOf(node);
    }
    case NodeKind::Tuple:
    case NodeKind::List: {
      HostValue made;
      made.kind = Kind::List;
      for (const Node *part : node.parts)
        made.items.push_back(part ? evaluate(*part) : HostValue());
      return made;
    }
    case NodeKind::Subscript:
      return subscript(node);
    case NodeKind::Call:
      return call(node);
    case NodeKind::Number:
    case NodeKind::String:
    case NodeKind::Constant:
    case NodeKind::Unary:
    case NodeKind::Binary:
    case NodeKind::Compare:
    case NodeKind::Conditional:
      return constantOf(node);
    default:
      return {};
  }
}

HostValue Host::constantOf(const Node &node) {
  if (node.kind == NodeKind::Number) {
    ConstantResult number = constantNumber(node.text);
    return number.error.empty() ? HostValue::of(std::move(number.value))
                                : HostValue();
  }
  Lowering host(file_, "");
  Value value = host.evaluate(&node, symbols_);
  const bool isPlain =
      value.isNumber() || value.isNone() || value.is(ValueKind::String);
  return host.refusal || !isPlain ? HostValue()
                                  : HostValue::of(std::move(value));
}

HostValue Host::subscript(const Node &node) {
  if (node.parts.size() != 2 || !node.parts[1]) return {};
  const HostValue of = evaluate(*node.parts[0]);
  const auto index = numberOf(node.parts[1]);
  if (!index) return {};
  if (of.is(Kind::List) && *index >= 0 &&
      *index < static_cast<int64_t>(of.items.size()))
    return of.items[static_cast<size_t>(*index)];
  if (of.is(Kind::Outcome)) return outcomePart(of.step, *index);
  return {};
}

/// Returns an array that a library returned. Its sizes are those that the file
/// asserts.
HostValue Host::outcomePart(size_t step, int64_t element) {
  const auto [found, isNew] =
      outcomes_.try_emplace({step, element}, into_.memories.size());
  if (isNew) {
    HostTensor tensor;
    tensor.memory = addMemory(tensor);
    if (step < into_.steps.size()) into_.steps[step].results.push_back(tensor);
  }
  HostTensor made;
  made.memory = found->second;
  return HostValue::of(made);
}

std::optional<int64_t> Host::numberOf(const Node *node) {
  if (!node) return std::nullopt;
  const HostValue value = evaluate(*node);
  return value.is(Kind::Constant) ? smallOf(value.constant) : std::nullopt;
}

std::optional<std::vector<int64_t>> Host::numbersOf(const Node *node) {
  if (!node) return std::nullopt;
  const HostValue list = evaluate(*node);
  if (!list.is(Kind::List)) return std::nullopt;
  std::vector<int64_t> numbers;
  for (const HostValue &item : list.items) {
    const auto number =
        item.is(Kind::Constant) ? smallOf(item.constant) : std::nullopt;
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace indexical::python
