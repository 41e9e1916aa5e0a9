// Loops, and the names that they carry.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/lower_merge.h"
#include "indexical/import/python/lowering.h"

namespace indexical::python {

using llvm::StringRef;

namespace {

std::string typesOf(llvm::ArrayRef<Value> values) {
  return absl::StrJoin(values, ", ", [](std::string *out, const Value &value) {
    absl::StrAppend(out, value.ir());
  });
}

void addLeaves(const Value &value, std::vector<Value> &leaves) {
  if (value.isTensor()) leaves.push_back(value);
  if (value.is(ValueKind::Tuple))
    for (const Value &item : *value.items) addLeaves(item, leaves);
}

}  // namespace

/// Reads the body once to see which names it assigns. What that appends is
/// forgotten.
std::optional<Lowering::Carried> Lowering::carried(
    const Node &body, Place place, StringRef counter,
    const ValueType &counterType) {
  const Names before = frames_.back().names;
  const int returns = returns_;
  Carried made;
  const bool wasForgotten = isForgotten_;
  isForgotten_ = true;
  region([&] {
    // A constant that the body changes is a tensor from the first turn on.
    std::vector<StringRef> changed;
    for (int round = 0; round < 2 && !isRefused(); ++round) {
      frames_.back().names = before;
      for (StringRef name : changed) {
        Binding &binding = frames_.back().names[name];
        binding.value = decayed(binding.value);
      }
      const Names start = frames_.back().names;
      if (!counter.empty())
        bind(counter, Value::tensor(counterType, {}, "%counter"));
      ++frames_.back().loops;
      block(body.parts, nullptr);
      --frames_.back().loops;
      if (isRefused()) return;
      frames_.back().at = place;
      bool isAgain = false;
      made.names.clear();
      for (const auto &[name, binding] : start) {
        if (name == counter) continue;
        const auto found = frames_.back().names.find(name);
        if (found == frames_.back().names.end() ||
            found->second.version == binding.version)
          continue;
        made.names.push_back(name);
        const Value &was = binding.value;
        Merge alike;
        if (!alike.add(decayed(was), decayed(found->second.value))) {
          refuse(RefusalKind::Type,
                 absl::StrCat("`", name.str(), "` is ", wordsOf(was),
                              " before the loop, and ",
                              wordsOf(found->second.value), " after a turn"));
          return;
        }
        isAgain |= was.isNumber() || was.is(ValueKind::Tuple);
      }
      changed = made.names;
      if (!isAgain) break;
    }
  });
  isForgotten_ = wasForgotten;
  frames_.back().names = before;
  returns_ = returns;
  if (isRefused()) return std::nullopt;
  for (StringRef name : made.names) {
    made.values.push_back(decayed(frames_.back().names[name].value));
    addLeaves(made.values.back(), made.leaves);
  }
  if (isRefused()) return std::nullopt;
  return made;
}

void Lowering::bindCarried(const Carried &carried,
                           llvm::ArrayRef<Value> leaves) {
  size_t next = 0;
  for (auto [name, value] : llvm::zip(carried.names, carried.values))
    bind(name, Merge::rebuilt(value, leaves, next));
}

std::vector<Value> Lowering::yielded(const Carried &carried) {
  std::vector<Value> leaves;
  for (auto [name, value] : llvm::zip(carried.names, carried.values)) {
    const Value after = decayed(frames_.back().names[name].value);
    if (isRefused()) return {};
    Merge alike;
    if (!alike.add(value, after)) {
      refuse(RefusalKind::Type,
             absl::StrCat("`", name.str(), "` is ", wordsOf(value),
                          " before the loop, and ", wordsOf(after),
                          " after a turn"));
      return {};
    }
    addLeaves(after, leaves);
  }
  return leaves;
}

void Lowering::loop(const Node &node) {
  if (node.parts[3]) {
    refuse(RefusalKind::Unsupported, "`else` of a loop");
    return;
  }
  const Node &source = *node.parts[1];
  if (node.parts[0]->kind != NodeKind::Name || source.kind != NodeKind::Call) {
    refuse(RefusalKind::Unsupported, "a loop over a value that is not a range");
    return;
  }
  const Value function = evaluate_(*source.parts[0]);
  Arguments args;
  for (const Node *part : llvm::drop_begin(source.parts)) {
    if (part->kind == NodeKind::Starred) {
      refuse(RefusalKind::Unsupported, "`*` in a range");
      return;
    }
    if (part->kind != NodeKind::Keyword) {
      args.push_back(evaluate_(*part));
      continue;
    }
    // num_stages, warp_specialize, flatten and others are hints.
    evaluate_(*part->parts[0]);
    if (part->text == "start" || part->text == "end" || part->text == "step" ||
        part->text == "arg1" || part->text == "arg2") {
      refuse(RefusalKind::Unsupported, "a bound of a range by its name");
      return;
    }
  }
  if (isRefused()) return;
  const bool isRange =
      function.is(ValueKind::Builtin) &&
      (function.text == "range" || function.text == "tl.range" ||
       function.text == "tl.static_range");
  if (!isRange || args.empty() || args.size() > 3) {
    refuse(RefusalKind::Unsupported, "a loop over a value that is not a range");
    return;
  }
  if (args.size() == 1) args.insert(args.begin(), Value::whole(0));
  if (args.size() == 2) args.push_back(Value::whole(1));
  frames_.back().at = node.place;
  if (function.text == "tl.static_range")
    staticLoop(node, args);
  else
    countedLoop(node, args);
}

void Lowering::staticLoop(const Node &node, const Arguments &range) {
  std::vector<int64_t> bounds;
  for (const Value &value : range) {
    const auto small = smallOf(value);
    if (!small) {
      refuse(RefusalKind::Type,
             absl::StrCat("a static_range of ", wordsOf(value)));
      return;
    }
    bounds.push_back(*small);
  }
  const int64_t step = bounds[2];
  if (step == 0) {
    refuse(RefusalKind::Type, "a range with the step 0");
    return;
  }
  const __int128 span = static_cast<__int128>(bounds[1]) - bounds[0];
  const __int128 count = (step > 0) == (span > 0) && span != 0
                             ? (span + step - (step > 0 ? 1 : -1)) / step
                             : 0;
  if (count > kMostTurns) {
    refuse(RefusalKind::Limit, "a static_range of more than 4096 turns");
    return;
  }
  ++frames_.back().loops;
  for (int64_t k = 0; k < static_cast<int64_t>(count) && !isRefused(); ++k) {
    bind(node.parts[0]->text, Value::whole(bounds[0] + k * step));
    block(node.parts[2]->parts, nullptr);
  }
  --frames_.back().loops;
}

void Lowering::countedLoop(const Node &node, const Arguments &range) {
  Value first = range[0], end = range[1], step = range[2];
  bool counts = true;
  if (step.isNumber()) {
    if (!isTrue(step)) {
      refuse(RefusalKind::Type, "a range with the step 0");
      return;
    }
    // A negative step counts up from the end, and the counter is turned.
    counts = realOf(step) > 0;
    if (!counts) {
      std::swap(first, end);
      step = negate(step);
    }
  }
  for (Value *bound : {&first, &end, &step}) {
    *bound = tensorOf(*bound);
    if (isRefused()) return;
    if (!bound->shape.empty() || !bound->type.isInteger()) {
      refuse(RefusalKind::Type,
             absl::StrCat("a range whose bound is ", wordsOf(*bound)));
      return;
    }
  }
  const Element element =
      wider(wider(first.type.element, end.type.element), step.type.element);
  if (!isSigned(element)) {
    refuse(RefusalKind::Unsupported, "a counter without a sign");
    return;
  }
  const ValueType type = plain(element == Element::I1 ? Element::I32 : element);
  for (Value *bound : {&first, &end, &step}) *bound = cast(*bound, type);
  const StringRef name = node.parts[0]->text;
  const auto names = carried(*node.parts[2], node.place, name, type);
  if (!names || isRefused()) return;
  frames_.back().at = node.place;
  const std::string where = location();
  const size_t count = names->leaves.size();
  const std::string counter = newName(), made = newName();
  std::vector<Value> inner;
  std::vector<std::string> starts;
  for (const Value &leaf : names->leaves) {
    inner.push_back(Value::tensor(leaf.type, leaf.shape, newName()));
    starts.push_back(absl::StrCat(inner.back().text, " = ", leaf.text));
  }
  std::vector<Value> leaves;
  const Names before = frames_.back().names;
  const std::string body = region([&] {
    bindCarried(*names, inner);
    Value turned = Value::tensor(type, {}, counter);
    // scf.for counts from `first`; a turned counter goes from its end down.
    if (!counts) turned = binary("+", binary("-", end, turned), first);
    bind(name, turned);
    ++frames_.back().loops;
    block(node.parts[2]->parts, nullptr);
    --frames_.back().loops;
    if (!isRefused()) leaves = yielded(*names);
  });
  if (isRefused()) return;
  std::string head;
  if (count > 0)
    head = absl::StrCat(made, count > 1 ? absl::StrCat(":", count) : "", " = ");
  absl::StrAppend(&head, "scf.for ", counter, " = ", first.text, " to ",
                  end.text, " step ", step.text);
  const std::string types = typesOf(names->leaves);
  if (count > 0)
    absl::StrAppend(&head, " iter_args(", absl::StrJoin(starts, ", "), ") -> (",
                    types, ")");
  absl::StrAppend(out_, head, "  : ", type.ir(), " {\n", body);
  if (count > 0)
    absl::StrAppend(out_, "scf.yield ", Lowering::names(leaves), " : ", types,
                    where, "\n");
  absl::StrAppend(out_, "}", where, "\n");
  frames_.back().names = before;
  // Its value is then that of the last turn, which nothing here gives.
  frames_.back().names.erase(name);
  std::vector<Value> after;
  for (size_t k = 0; k < count; ++k)
    after.push_back(
        Value::tensor(names->leaves[k].type, names->leaves[k].shape,
                      count > 1 ? absl::StrCat(made, "#", k) : made));
  bindCarried(*names, after);
}

void Lowering::whileLoop(const Node &node) {
  if (node.parts[2]) {
    refuse(RefusalKind::Unsupported, "`else` of a loop");
    return;
  }
  const auto names = carried(*node.parts[1], node.place, "", {});
  if (!names || isRefused()) return;
  frames_.back().at = node.place;
  const std::string where = location();
  const size_t count = names->leaves.size();
  const std::string made = newName();
  std::vector<Value> tested, inner, leaves;
  std::vector<std::string> starts, parameters;
  for (const Value &leaf : names->leaves) {
    tested.push_back(Value::tensor(leaf.type, leaf.shape, newName()));
    starts.push_back(absl::StrCat(tested.back().text, " = ", leaf.text));
    inner.push_back(Value::tensor(leaf.type, leaf.shape, newName()));
    parameters.push_back(absl::StrCat(inner.back().text, ": ", leaf.ir()));
  }
  const Names before = frames_.back().names;
  Value test;
  const std::string head = region([&] {
    bindCarried(*names, tested);
    test = evaluate_(*node.parts[0]);
    if (isRefused()) return;
    if (!test.isTensor()) test = constant(isTrue(test) ? 1 : 0, Element::I1);
    test = condition(test);
  });
  const std::string body = region([&] {
    frames_.back().names = before;
    bindCarried(*names, inner);
    ++frames_.back().loops;
    block(node.parts[1]->parts, nullptr);
    --frames_.back().loops;
    if (!isRefused()) leaves = yielded(*names);
  });
  if (isRefused()) return;
  const std::string types = typesOf(names->leaves);
  std::string text;
  if (count > 0)
    absl::StrAppend(&text, made, count > 1 ? absl::StrCat(":", count) : "",
                    " = scf.while (", absl::StrJoin(starts, ", "), ") : (",
                    types, ") -> (", types, ") {\n");
  else
    absl::StrAppend(&text, "scf.while : () -> () {\n");
  absl::StrAppend(
      &text, head, "scf.condition(", test.text, ")",
      count > 0 ? absl::StrCat(" ", Lowering::names(tested), " : ", types) : "",
      where, "\n} do {\n");
  if (count > 0)
    absl::StrAppend(&text, "^bb0(", absl::StrJoin(parameters, ", "), "):\n");
  absl::StrAppend(
      &text, body, "scf.yield",
      count > 0 ? absl::StrCat(" ", Lowering::names(leaves), " : ", types) : "",
      where, "\n}", where, "\n");
  *out_ += text;
  frames_.back().names = before;
  std::vector<Value> after;
  for (size_t k = 0; k < count; ++k)
    after.push_back(
        Value::tensor(names->leaves[k].type, names->leaves[k].shape,
                      count > 1 ? absl::StrCat(made, "#", k) : made));
  bindCarried(*names, after);
}

}  // namespace indexical::python
