// The calls of host.h, but for launches.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/host.h"
#include "indexical/import/python/launch.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical::python {

using llvm::StringRef;
using Kind = HostValue::Kind;

namespace {

/// Functions that launch nothing and make no array.
bool isIdle(StringRef name) {
  static constexpr StringRef kIdle[] = {"AsyncCompile",
                                        "DeviceProperties",
                                        "_DeviceGuard",
                                        "assert_alignment",
                                        "clear",
                                        "end_graph",
                                        "get_cuda_stream",
                                        "get_raw_stream",
                                        "get_xpu_stream",
                                        "maybe_profile",
                                        "print_performance",
                                        "run_intermediate_hooks",
                                        "set_device",
                                        "start_graph",
                                        "synchronize",
                                        "wait",
                                        "record_stream",
                                        "print",
                                        "_assert_tensor_metadata"};
  return llvm::is_contained(kIdle, name);
}

/// Functions of libraries that only say something about an array.
bool isRemark(StringRef name) {
  return name.contains("wait_tensor") || name.contains("resize_storage") ||
         name.contains("_assert_") || name.contains("sym_constrain") ||
         name.contains("record_function");
}

bool isOfLibrary(StringRef name) {
  for (StringRef of :
       {"extern_kernels.", "aten.", "torch.ops.", "inductor_ops.",
        "_quantized.", "torch._C.", "quantized_decomposed."})
    if (name.starts_with(of)) return true;
  return false;
}

/// Whether the function changes what it is given first: `copy_`,
/// `aten.index_put_.default`.
bool changesFirst(StringRef name) {
  if (name.ends_with("_")) return true;
  return name.rsplit('.').first.ends_with("_");
}

const Node *positional(const Node &call, size_t number) {
  size_t at = 0;
  for (const Node *part : llvm::drop_begin(call.parts)) {
    if (!part || part->kind == NodeKind::Keyword) continue;
    if (at++ == number) return part;
  }
  return nullptr;
}

/// Returns an argument that is given by its place or by its name.
const Node *argument(const Node &call, size_t number, StringRef name) {
  const Node *named = keywordOf(call, name);
  return named ? named : positional(call, number);
}

}  // namespace

HostStep Host::stepAt(Place place, std::string name) {
  HostStep step;
  step.name = std::move(name);
  step.place = place;
  // A comment is of the first step below it.
  const NodeComment *own = nullptr;
  for (; comment_ < comments_.size() && comments_[comment_].last < place.line;
       ++comment_)
    if (comments_[comment_].first > lastLine_) own = &comments_[comment_];
  // A function that is followed may stand before what was read already.
  if (place.line < lastLine_) {
    const auto behind =
        llvm::find_if(llvm::reverse(comments_), [&](const NodeComment &each) {
          return each.last < place.line && each.last + 8 > place.line;
        });
    if (behind != comments_.rend()) own = &*behind;
  }
  lastLine_ = place.line;
  if (own) {
    step.nodes = own->nodes;
    step.ops = own->ops;
  }
  return step;
}

std::optional<HostTensor> Host::tensorOf(const HostValue &value) {
  if (value.is(Kind::Tensor)) return value.tensor;
  if (value.is(Kind::Outcome)) return outcomePart(value.step, -1).tensor;
  return std::nullopt;
}

void Host::addTensors(const HostValue &value, std::vector<HostTensor> &into) {
  if (auto tensor = tensorOf(value)) into.push_back(*std::move(tensor));
  for (const HostValue &item : value.items) addTensors(item, into);
}

HostValue Host::call(const Node &node) {
  const Node &callee = *node.parts[0];
  // `self.partitions[0](args)`
  if (callee.kind == NodeKind::Subscript &&
      lastNameOf(callee.parts[0]) == "partitions") {
    const auto number = numberOf(callee.parts.back());
    const Node *args = positional(node, 0);
    const auto found = functions_.find(
        number ? absl::StrCat("partition_", *number) : std::string());
    if (found == functions_.end() || !args) return {};
    return follow(found->second, evaluate(*args));
  }
  const std::string name = dottedName(&callee);
  const StringRef last = lastNameOf(&callee);
  if (callee.kind == NodeKind::Attribute && last == "run" &&
      callee.parts[0]->kind == NodeKind::Name) {
    launch(node, callee.parts[0]->text);
    return {};
  }
  if (callee.kind == NodeKind::Name) {
    if (const auto found = functions_.find(last);
        found != functions_.end() && names_.size() > 0 && depth_ > 0) {
      const Node *args = positional(node, 0);
      if (args) return follow(found->second, evaluate(*args));
    }
    if (const auto found = kernels_.find(last); found != kernels_.end()) {
      into_.ofHost += StringRef(found->second.language).starts_with("cpp");
      if (!StringRef(found->second.language).starts_with("cpp"))
        launch(node, last);
      return {};
    }
  }
  if (isIdle(last)) return {};
  if (last.starts_with("copy_misaligned") ||
      last.starts_with("copy_if_misaligned") || isRemark(name)) {
    const Node *of = positional(node, 0);
    return of ? evaluate(*of) : HostValue();
  }
  if (last.starts_with("empty_strided") || last == "empty" ||
      last == "rand_strided")
    return allocation(node, last);
  if (last == "reinterpret_tensor" || last == "_reinterpret_tensor" ||
      last == "as_strided")
    return view(node);
  if (last == "alloc_from_pool" || last == "_alloc_from_pool")
    return poolView(node);
  if (last == "assert_size_stride") return assertSizes(node);
  if (StringRef(name).ends_with("view.dtype")) return castView(node);
  if (isOfLibrary(name)) return library(node, name, nullptr);
  // `buf1.copy_(buf0)`
  if (callee.kind == NodeKind::Attribute &&
      (last == "copy_" || last == "zero_" || last == "fill_")) {
    const HostValue self = evaluate(*callee.parts[0]);
    if (tensorOf(self)) return library(node, last.str(), &self);
  }
  return constantOf(node);
}

/// `empty_strided_cuda(sizes, strides, element)`, `empty(sizes, device=…,
/// dtype=…)`, `rand_strided(sizes, strides, device=…, dtype=…)`
HostValue Host::allocation(const Node &call, StringRef function) {
  const bool hasStrides = function != "empty";
  const auto sizes = numbersOf(argument(call, 0, "size"));
  auto strides = hasStrides ? numbersOf(argument(call, 1, "stride"))
                            : std::optional<std::vector<int64_t>>();
  const Node *element = argument(call, hasStrides ? 2 : 1, "dtype");
  HostTensor made;
  if (element) made.element = elementOfTorch(dottedName(element));
  if (sizes && !hasStrides) {
    strides.emplace(sizes->size(), 1);
    for (size_t k = sizes->size(); k-- > 1;)
      (*strides)[k - 1] =
          checkedMul((*strides)[k], std::max<int64_t>(1, (*sizes)[k]))
              .value_or(-1);
  }
  if (sizes && strides) {
    made.sizes = *sizes;
    made.strides = *strides;
    setKnown(made);
  }
  made.memory = addMemory(made);
  return HostValue::of(made);
}

/// `reinterpret_tensor(of, sizes, strides, offset)`
HostValue Host::view(const Node &call) {
  const Node *of = positional(call, 0);
  const auto base = of ? tensorOf(evaluate(*of)) : std::nullopt;
  if (!base) return {};
  HostTensor made = resolved(*base);
  made.isView = true;
  const auto sizes = numbersOf(argument(call, 1, "size"));
  const auto strides = numbersOf(argument(call, 2, "stride"));
  const Node *at = argument(call, 3, "storage_offset");
  const auto offset = at ? numberOf(at) : std::optional<int64_t>(0);
  // An offset counts from where the tensor begins.
  const int64_t bytes = bytesOfElement(made.element);
  const auto further =
      offset ? checkedMul(*offset, bytes) : std::optional<int64_t>();
  const bool isPlaced = further && (bytes > 0 || *offset == 0);
  made.isKnown = false;
  if (!sizes || !strides || !isPlaced) return HostValue::of(made);
  made.sizes = *sizes;
  made.strides = *strides;
  made.offset = checkedAdd(made.offset, *further).value_or(-1);
  setKnown(made);
  return HostValue::of(made);
}

/// `alloc_from_pool(pool, offset in bytes, element, sizes, strides)`
HostValue Host::poolView(const Node &call) {
  const Node *of = positional(call, 0);
  const auto base = of ? tensorOf(evaluate(*of)) : std::nullopt;
  if (!base) return {};
  HostTensor made;
  made.memory = base->memory;
  made.isView = true;
  const auto offset = numberOf(positional(call, 1));
  const auto sizes = numbersOf(positional(call, 3));
  const auto strides = numbersOf(positional(call, 4));
  if (const Node *element = positional(call, 2))
    made.element = elementOfTorch(dottedName(element));
  if (!offset || !sizes || !strides) return HostValue::of(made);
  made.offset = *offset;
  made.sizes = *sizes;
  made.strides = *strides;
  setKnown(made);
  return HostValue::of(made);
}

/// `aten.view.dtype(of, element)`: the same memory, read as another type.
HostValue Host::castView(const Node &call) {
  const Node *of = positional(call, 0), *element = positional(call, 1);
  const auto base = of ? tensorOf(evaluate(*of)) : std::nullopt;
  if (!base || !element) return {};
  HostTensor made = resolved(*base);
  made.isView = true;
  const int64_t before = bytesOfElement(made.element);
  made.element = elementOfTorch(dottedName(element));
  made.isKnown &= before > 0 && before == bytesOfElement(made.element);
  return HostValue::of(made);
}

/// `assert_size_stride(of, sizes, strides)`: what an input or a result of a
/// library is.
HostValue Host::assertSizes(const Node &call) {
  const Node *of = positional(call, 0);
  const HostValue value = of ? evaluate(*of) : HostValue();
  // What a library returned, and is asserted, is one array.
  const auto tensor = tensorOf(value);
  if (!tensor) return {};
  HostMemory &memory = into_.memories[tensor->memory];
  if (memory.first.isKnown && !memory.isInput) return {};
  const auto sizes = numbersOf(positional(call, 1));
  const auto strides = numbersOf(positional(call, 2));
  if (!sizes || !strides) return {};
  memory.first.sizes = *sizes;
  memory.first.strides = *strides;
  setKnown(memory.first);
  if (of->kind == NodeKind::Name) {
    // The name is now that array.
    const auto found = names_.find(of->text);
    if (found != names_.end()) found->second = HostValue::of(memory.first);
    if (memory.name.empty()) memory.name = of->text.str();
  }
  return {};
}

HostValue Host::library(const Node &call, const std::string &name,
                        const HostValue *self) {
  HostStep step = stepAt(call.place, name);
  HostValue returned;
  std::vector<HostTensor> given;
  if (self) addTensors(*self, given);
  size_t place = 0;
  for (const Node *part : llvm::drop_begin(call.parts)) {
    if (!part) continue;
    const bool isNamed = part->kind == NodeKind::Keyword;
    const Node *node = isNamed ? part->parts[0] : part;
    if (!node || node->kind == NodeKind::Starred) continue;
    const HostValue value = evaluate(*node);
    if (isNamed && part->text == "out") {
      addTensors(value, step.results);
      returned = value;
      continue;
    }
    addTensors(value, given);
    const std::string key =
        isNamed ? part->text.str() : std::to_string(place++);
    std::vector<int64_t> numbers;
    if (const auto list = numbersOf(node))
      numbers = *list;
    else if (const auto number = value.is(Kind::Constant)
                                     ? smallOf(value.constant)
                                     : std::nullopt)
      numbers = {*number};
    if (!numbers.empty()) step.constants.push_back({key, numbers});
  }
  if (changesFirst(name) && !given.empty()) {
    step.results.push_back(given.front());
    returned = HostValue::of(given.front());
    if (self) given.erase(given.begin());
  }
  step.operands = std::move(given);
  const size_t number = into_.steps.size();
  const bool hasResults = !step.results.empty();
  into_.steps.push_back(std::move(step));
  if (hasResults) return returned;
  returned.kind = Kind::Outcome;
  returned.step = number;
  return returned;
}

}  // namespace indexical::python
