// Statements: assignments, branches and returns. Loops are in lower_loops.cc.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/import/python/launch.h"
#include "indexical/import/python/lower_merge.h"
#include "indexical/import/python/lowering.h"

namespace indexical::python {

using llvm::StringRef;

namespace {

bool hasReturn(const Node &node) {
  if (node.kind == NodeKind::Return) return true;
  if (node.kind < NodeKind::Expression) return false;
  return llvm::any_of(
      node.parts, [](const Node *part) { return part && hasReturn(*part); });
}

}  // namespace

std::string Lowering::names(llvm::ArrayRef<Value> values) {
  return absl::StrJoin(values, ", ", [](std::string *out, const Value &value) {
    absl::StrAppend(out, value.text);
  });
}

Lowering::Lowering(const ModuleText &module, std::string path)
    : module_(module), path_([&] {
        for (char &c : path)
          if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20)
            c = '_';
        return path;
      }()) {}

std::string Lowering::kernel(const FunctionText &function,
                             const std::map<std::string, Value> &constants,
                             const std::map<std::string, ValueType> &types,
                             const std::set<std::string> &divisible) {
  std::string body, arguments;
  out_ = &body;
  frames_.clear();
  Frame frame;
  frame.function = function.name;
  frame.at = function.place;
  // TTIR has the names of the function and of its arguments.
  auto isPlain = [](StringRef name) {
    return llvm::all_of(name,
                        [](char c) { return llvm::isAlnum(c) || c == '_'; });
  };
  for (const Parameter &parameter : function.parameters) {
    const std::string name = parameter.name.str();
    if (!isPlain(name) || !isPlain(function.name)) {
      refuseAt(parameter.place, RefusalKind::Unsupported,
               "a name with letters that are not ASCII");
      return "";
    }
    if (parameter.isRest) {
      refuseAt(parameter.place, RefusalKind::Unsupported,
               "a kernel with `*args`");
      return "";
    }
    Binding &binding = frame.names[parameter.name];
    binding.version = ++versions_;
    if (const auto found = constants.find(name); found != constants.end()) {
      binding.value = found->second;
      continue;
    }
    const ValueType &type = types.at(name);
    binding.value = Value::tensor(type, {}, absl::StrCat("%", name));
    absl::StrAppend(&arguments, arguments.empty() ? "" : ", ", "%", name, ": ",
                    type.ir(),
                    type.form == Form::Pointer || divisible.count(name)
                        ? " {tt.divisibility = 16 : i32}"
                        : "");
  }
  frames_.push_back(std::move(frame));
  const Ended ended = block(function.body->parts, nullptr);
  if (!isRefused() && ended.isReturn && !ended.value.isNone() &&
      !ended.value.is(ValueKind::Undefined))
    refuseAt(function.place, RefusalKind::Triton, "a kernel returns no value");
  frames_.clear();
  if (isRefused()) return "";
  std::string text = absl::StrCat("module {\n  tt.func public @",
                                  function.name.str(), "(", arguments, ") {\n");
  // Each line is an op, or the bracket of a region.
  for (StringRef rest = body; !rest.empty();) {
    const auto [line, next] = rest.split('\n');
    absl::StrAppend(&text, "    ", line.str(), "\n");
    rest = next;
  }
  absl::StrAppend(&text, "    tt.return\n  }\n}\n");
  std::vector<const std::string *> aliases(locations_.size());
  for (const auto &[location, number] : locations_) aliases[number] = &location;
  for (size_t k = 0; k < aliases.size(); ++k)
    absl::StrAppend(&text, "#loc", k, " = loc(", *aliases[k], ")\n");
  return text;
}

Lowering::Ended Lowering::block(llvm::ArrayRef<Node *> statements,
                                const Rest *rest) {
  for (size_t k = 0; k < statements.size(); ++k) {
    if (isRefused()) return {};
    if (++nodes_ > kMostNodes) {
      refuse(RefusalKind::Limit,
             "reading the kernel takes more than 2000000 steps");
      return {};
    }
    const Node &node = *statements[k];
    frames_.back().at = node.place;
    if (node.kind == NodeKind::Return) {
      if (frames_.back().loops > 0) {
        refuse(RefusalKind::Triton, "a return within a loop");
        return {};
      }
      Ended ended;
      ended.isReturn = true;
      ended.value = node.parts[0] ? evaluate_(*node.parts[0]) : Value::none();
      return ended;
    }
    if (node.kind != NodeKind::If) {
      statement(node);
      continue;
    }
    if (++nodes_ > kMostNodes) {
      refuse(RefusalKind::Limit,
             "reading the kernel takes more than 2000000 steps");
      return {};
    }
    if (++levels_ > kMostLevels) {
      refuse(RefusalKind::Limit, "more than 500 statements in each other");
      return {};
    }
    Value test = evaluate_(*node.parts[0]);
    if (isRefused()) return {};
    frames_.back().at = node.place;
    Ended ended;
    if (!test.isTensor()) {
      if (const Node *taken = node.parts[isTrue(test) ? 1 : 2])
        ended = block(taken->parts, nullptr);
    } else {
      test = condition(test);
      const bool returns = hasReturn(*node.parts[1]) ||
                           (node.parts[2] && hasReturn(*node.parts[2]));
      if (returns && !isRefused()) {
        const Rest after{statements.drop_front(k + 1), rest};
        ended = returningIf(test, node, &after);
        --levels_;
        return ended;
      }
      branches(test, node);
    }
    --levels_;
    if (ended.isReturn) return ended;
  }
  if (rest) return block(rest->statements, rest->next);
  return {};
}

Value Lowering::condition(const Value &value) {
  if (isRefused()) return {};
  if (!value.type.isPlain())
    return refuse(RefusalKind::Type, "a pointer is not a condition");
  if (!value.shape.empty())
    return refuse(RefusalKind::Type,
                  absl::StrCat("the condition is ", wordsOf(value),
                               ", and has one value only for a scalar"));
  return cast(value, plain(Element::I1));
}

std::vector<Value> Lowering::ifOp(const Value &condition, std::string then,
                                  std::vector<Value> thenValues,
                                  std::string other,
                                  std::vector<Value> otherValues) {
  if (isRefused()) return std::vector<Value>(thenValues.size());
  const std::string where = location();
  const size_t count = thenValues.size();
  if (count == 0) {
    absl::StrAppend(out_, "scf.if ", condition.text, " {\n", then);
    if (!other.empty()) absl::StrAppend(out_, "} else {\n", other);
    absl::StrAppend(out_, "}", where, "\n");
    return {};
  }
  std::vector<std::string> types;
  for (const Value &value : thenValues) types.push_back(value.ir());
  const std::string list = absl::StrJoin(types, ", ");
  const std::string made = newName();
  absl::StrAppend(out_, made, count > 1 ? absl::StrCat(":", count) : "",
                  " = scf.if ", condition.text, " -> (", list, ") {\n", then,
                  "scf.yield ", names(thenValues), " : ", list, where,
                  "\n} else {\n", other, "scf.yield ", names(otherValues),
                  " : ", list, where, "\n}", where, "\n");
  std::vector<Value> values;
  for (size_t k = 0; k < count; ++k)
    values.push_back(
        Value::tensor(thenValues[k].type, thenValues[k].shape,
                      count > 1 ? absl::StrCat(made, "#", k) : made));
  return values;
}

/// What follows goes into both branches, as one of them returns.
Lowering::Ended Lowering::returningIf(const Value &condition, const Node &node,
                                      const Rest *rest) {
  if (++returns_ > kMostReturns) {
    refuse(RefusalKind::Limit, "more than 24 branches that return");
    return {};
  }
  const Names before = frames_.back().names;
  Value thenValue = Value::none(), otherValue = Value::none();
  std::string then = region([&] {
    Ended ended = block(node.parts[1]->parts, rest);
    if (ended.isReturn) thenValue = decayed(ended.value);
  });
  frames_.back().names = before;
  std::string other = region([&] {
    Ended ended =
        node.parts[2] ? block(node.parts[2]->parts, rest) : block({}, rest);
    if (ended.isReturn) otherValue = decayed(ended.value);
  });
  if (isRefused()) return {};
  frames_.back().at = node.place;
  Merge merge;
  if (!merge.add(thenValue, otherValue)) {
    refuse(RefusalKind::Type,
           absl::StrCat("one branch returns ", wordsOf(thenValue),
                        ", and the other ", wordsOf(otherValue)));
    return {};
  }
  Ended ended;
  ended.isReturn = true;
  size_t next = 0;
  ended.value = merge.rebuilt(thenValue,
                              ifOp(condition, std::move(then), merge.first,
                                   std::move(other), merge.second),
                              next);
  return ended;
}

void Lowering::branches(const Value &condition, const Node &node) {
  if (isRefused()) return;
  const Names before = frames_.back().names;
  std::string then = region([&] { block(node.parts[1]->parts, nullptr); });
  Names thenNames = std::move(frames_.back().names);
  frames_.back().names = before;
  std::string other = region([&] {
    if (node.parts[2]) block(node.parts[2]->parts, nullptr);
  });
  if (isRefused()) return;
  Names otherNames = std::move(frames_.back().names);
  frames_.back().at = node.place;
  // A name that both branches know is merged; others are gone afterwards.
  Names after;
  Merge merge;
  std::vector<StringRef> merged;
  for (auto &[name, binding] : thenNames) {
    const auto found = otherNames.find(name);
    if (found == otherNames.end()) continue;
    if (found->second.version == binding.version) {
      after[name] = binding;
      continue;
    }
    // Numbers that differ become tensors, each in its branch.
    then += region([&, &value = binding.value] { value = decayed(value); });
    other +=
        region([&] { found->second.value = decayed(found->second.value); });
    if (isRefused()) return;
    if (!merge.add(binding.value, found->second.value)) {
      refuse(RefusalKind::Type,
             absl::StrCat("`", name.str(), "` is ", wordsOf(binding.value),
                          " in one branch, and ", wordsOf(found->second.value),
                          " in the other"));
      return;
    }
    merged.push_back(name);
  }
  const std::vector<Value> values = ifOp(
      condition, std::move(then), merge.first, std::move(other), merge.second);
  size_t next = 0;
  for (StringRef name : merged)
    after[name] = {merge.rebuilt(thenNames[name].value, values, next),
                   ++versions_};
  frames_.back().names = std::move(after);
}

void Lowering::bind(StringRef name, Value value) {
  frames_.back().names[name] = {std::move(value), ++versions_};
}

void Lowering::assign(const Node &target, const Value &value,
                      bool staysConstant) {
  if (isRefused()) return;
  if (target.kind == NodeKind::Name) {
    bind(target.text, staysConstant ? value : decayed(value));
    return;
  }
  if (target.kind == NodeKind::Tuple || target.kind == NodeKind::List) {
    if (!value.is(ValueKind::Tuple) ||
        value.items->size() != target.parts.size()) {
      refuse(RefusalKind::Type,
             absl::StrCat(target.parts.size(), " names for ", wordsOf(value)));
      return;
    }
    for (auto [part, item] : llvm::zip(target.parts, *value.items))
      assign(*part, item, staysConstant);
    return;
  }
  refuse(target.kind == NodeKind::Subscript ? RefusalKind::Triton
                                            : RefusalKind::Unsupported,
         "a value is assigned to names only");
}

void Lowering::statement(const Node &node) {
  switch (node.kind) {
    case NodeKind::Expression:
      if (node.parts[0]->kind != NodeKind::String) evaluate_(*node.parts[0]);
      return;
    case NodeKind::Assign: {
      const Value value = evaluate_(*node.parts.back());
      for (const Node *target : llvm::drop_end(node.parts))
        assign(*target, value, /*staysConstant=*/false);
      return;
    }
    case NodeKind::Annotated: {
      if (!node.parts[2]) return;
      const Value value = evaluate_(*node.parts[2]);
      const bool stays = isConstexpr(node.parts[1]);
      if (stays && value.isTensor()) {
        refuse(RefusalKind::Type, "a tensor is not a constexpr");
        return;
      }
      assign(*node.parts[0], value, stays);
      return;
    }
    case NodeKind::Augmented: {
      if (node.parts[0]->kind != NodeKind::Name) {
        refuse(RefusalKind::Triton, "a value is assigned to names only");
        return;
      }
      const Value before = name(node.parts[0]->text);
      const Value by = evaluate_(*node.parts[1]);
      assign(*node.parts[0], binary(node.text, before, by),
             /*staysConstant=*/false);
      return;
    }
    case NodeKind::For:
      loop(node);
      return;
    case NodeKind::While:
      whileLoop(node);
      return;
    case NodeKind::Pass:
      return;
    default:
      break;
  }
  refuse(RefusalKind::Unsupported,
         absl::StrCat("`", node.text.str(), "` in a kernel"));
}

}  // namespace indexical::python
