// Expressions: numbers, indices, choices and calls.
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/builtins.h"
#include "indexical/import/python/lowering.h"
#include "indexical/import/python/prelude.h"

namespace indexical::python {

using llvm::StringRef;

Value Lowering::take(ConstantResult result) {
  if (result.error.empty()) return std::move(result.value);
  if (result.kind == RefusalKind::Type)
    return refuseCall(std::move(result.error));
  return refuse(result.kind, std::move(result.error));
}

Value Lowering::makeTuple(std::vector<Value> items) {
  Value made = Value::tuple(std::move(items));
  if (made.integer > kMostItems || made.number > 16)
    return refuse(RefusalKind::Limit,
                  "a tuple of more than 4096 values or 16 levels");
  return made;
}

Value Lowering::evaluate(const Node *node,
                         const std::map<std::string, Value> &names) {
  std::map<std::string, Value> own = names;
  hostNames_ = &own;
  frames_.emplace_back();
  frames_.back().at = node->place;
  std::string *const out = out_;
  out_ = nullptr;
  Value made = evaluate_(*node);
  out_ = out;
  frames_.pop_back();
  hostNames_ = nullptr;
  return made;
}

Value Lowering::evaluate_(const Node &node) {
  if (isRefused()) return {};
  Place &at = frames_.back().at;
  const Place before = at;
  at = node.place;
  if (++nodes_ > kMostNodes)
    return refuse(RefusalKind::Limit,
                  "reading the kernel takes more than 2000000 steps");
  if (++levels_ > kMostLevels) {
    refuse(RefusalKind::Limit, "more than 500 expressions in each other");
    --levels_;
    return {};
  }
  Value made;
  switch (node.kind) {
    case NodeKind::Name:
      made = name(node.text);
      break;
    case NodeKind::Number:
      made = take(constantNumber(node.text));
      break;
    case NodeKind::String:
      made = Value::string(node.text.str());
      break;
    case NodeKind::Constant:
      made = node.text == "None" || node.text == "..."
                 ? Value::none()
                 : Value::boolean(node.text == "True");
      break;
    case NodeKind::Attribute: {
      const Value of = evaluate_(*node.parts[0]);
      made = attribute(of, node.text);
      break;
    }
    case NodeKind::Subscript:
      made = subscript(node);
      break;
    case NodeKind::Slice:
      refuse(RefusalKind::Type, "a slice outside of an index");
      break;
    case NodeKind::Call:
      made = call(node);
      break;
    case NodeKind::Binary: {
      Value a = evaluate_(*node.parts[0]);
      Value b = evaluate_(*node.parts[1]);
      made = binary(node.text, std::move(a), std::move(b));
      break;
    }
    case NodeKind::Unary: {
      const Value of = evaluate_(*node.parts[0]);
      if (node.text == "not") {
        made = logicalNot(of);
      } else if (node.text == "-") {
        made = negate(of);
      } else if (!of.isTensor()) {
        made = isRefused() ? Value() : take(constantUnary(node.text, of));
      } else if (node.text == "+") {
        made = of;
      } else if (!of.type.isInteger()) {
        refuse(RefusalKind::Type, absl::StrCat("`~` of ", wordsOf(of)));
      } else {
        made = binary("^", of, constant(-1, of.type.element, of.shape));
      }
      break;
    }
    case NodeKind::Compare: {
      if (node.parts.size() > 2) {
        refuse(RefusalKind::Triton,
               "a chained comparison; `and` joins two of them");
        break;
      }
      Value a = evaluate_(*node.parts[0]);
      Value b = evaluate_(*node.parts[1]);
      made = compare(node.text, std::move(a), std::move(b));
      break;
    }
    case NodeKind::Logical:
      made = logical(node);
      break;
    case NodeKind::Conditional:
      made = conditional(node);
      break;
    case NodeKind::Tuple:
    case NodeKind::List: {
      std::vector<Value> items;
      for (const Node *part : node.parts) {
        if (part->kind != NodeKind::Starred) {
          items.push_back(evaluate_(*part));
          continue;
        }
        const Value of = evaluate_(*part->parts[0]);
        if (!of.is(ValueKind::Tuple))
          return refuse(RefusalKind::Type,
                        "`*` of a value that is not a tuple");
        items.insert(items.end(), of.items->begin(), of.items->end());
      }
      made = makeTuple(std::move(items));
      break;
    }
    case NodeKind::Lambda:
      refuse(RefusalKind::Unsupported, "a lambda in a kernel");
      break;
    case NodeKind::Comprehension:
      refuse(RefusalKind::Unsupported, "a comprehension in a kernel");
      break;
    case NodeKind::Dict:
      refuse(RefusalKind::Unsupported, "a dictionary in a kernel");
      break;
    case NodeKind::Other:
      // Messages of assertions are formatted strings.
      if (node.text == "a formatted string")
        made = Value::string("");
      else
        refuse(RefusalKind::Unsupported,
               absl::StrCat(node.text.str(), " in a kernel"));
      break;
    default:
      refuse(RefusalKind::Unsupported, "this expression");
  }
  --levels_;
  frames_.back().at = before;
  return made;
}

Value Lowering::subscript(const Node &node) {
  // Of the arguments of a heuristic: `args["K"]`.
  if (hostNames_ && node.parts.size() == 2 &&
      node.parts[0]->kind == NodeKind::Name &&
      node.parts[1]->kind == NodeKind::String)
    if (const auto found = hostNames_->find(absl::StrCat(
            node.parts[0]->text.str(), "[", node.parts[1]->text.str(), "]"));
        found != hostNames_->end())
      return found->second;
  const Value of = evaluate_(*node.parts[0]);
  if (isRefused()) return {};
  const llvm::ArrayRef<Node *> indices =
      llvm::ArrayRef<Node *>(node.parts).drop_front();
  if (of.is(ValueKind::Tuple)) {
    const Value at = evaluate_(*indices[0]);
    const auto number = smallOf(at);
    const auto size = static_cast<int64_t>(of.items->size());
    if (isRefused()) return {};
    if (indices.size() != 1 || !number || *number < -size || *number >= size)
      return refuse(RefusalKind::Type, "the tuple does not have this index");
    return (*of.items)[*number < 0 ? *number + size : *number];
  }
  if (!of.isTensor())
    return refuse(RefusalKind::Type, absl::StrCat("an index of ", wordsOf(of)));
  size_t sides = 0;
  for (const Node *index : indices)
    if (index->kind == NodeKind::Slice) ++sides;
  if (sides > of.shape.size() || !of.type.block.empty())
    return refuse(RefusalKind::Shape,
                  absl::StrCat("more indices than sides of ", wordsOf(of)));
  int64_t side = 0;
  Value made = of;
  for (const Node *index : indices) {
    const bool isNew =
        index->kind == NodeKind::Constant && index->text == "None";
    const bool isWhole = index->kind == NodeKind::Slice && !index->parts[0] &&
                         !index->parts[1] && !index->parts[2];
    if (!isNew && !isWhole)
      return refuse(RefusalKind::Triton,
                    "an index of a block is `:` or `None`");
    if (isNew) made = expand(made, side);
    ++side;
  }
  return made;
}

Value Lowering::logical(const Node &node) {
  const bool isAnd = node.text == "and";
  Value made = evaluate_(*node.parts[0]);
  for (const Node *part : llvm::drop_begin(node.parts)) {
    if (isRefused()) return {};
    // A constant that decides: what follows is not read.
    if (!made.isTensor() && isTrue(made) != isAnd) return made;
    Value next = evaluate_(*part);
    if (isRefused()) return {};
    if (!made.isTensor() && !next.isTensor()) {
      made = next;
      continue;
    }
    made = tensorOf(made);
    next = tensorOf(next);
    if (isRefused()) return {};
    if (!made.type.is(Element::I1) || !next.type.is(Element::I1))
      return refuse(RefusalKind::Type,
                    absl::StrCat("`", node.text.str(),
                                 "` of values that are not i1; `&` and `|` "
                                 "join bits"));
    made = binary(isAnd ? "&" : "|", made, next);
  }
  return made;
}

Value Lowering::conditional(const Node &node) {
  Value test = evaluate_(*node.parts[0]);
  if (isRefused()) return {};
  if (!test.isTensor()) return evaluate_(*node.parts[isTrue(test) ? 1 : 2]);
  test = condition(test);
  Value then, other;
  std::string thenText =
      region([&] { then = tensorOf(evaluate_(*node.parts[1])); });
  std::string otherText =
      region([&] { other = tensorOf(evaluate_(*node.parts[2])); });
  if (isRefused()) return {};
  if (then.type != other.type || then.shape != other.shape)
    return refuse(RefusalKind::Type,
                  absl::StrCat("the choice is between ", wordsOf(then), " and ",
                               wordsOf(other)));
  return ifOp(test, std::move(thenText), {then}, std::move(otherText),
              {other})[0];
}

//===-- Calls -------------------------------------------------------------===//

Value Lowering::call(const Node &node) {
  const Value function = evaluate_(*node.parts[0]);
  Arguments positional;
  std::vector<std::pair<StringRef, Value>> named;
  for (const Node *part : llvm::drop_begin(node.parts)) {
    if (isRefused()) return {};
    if (part->kind == NodeKind::Starred) {
      const Value of = evaluate_(*part->parts[0]);
      if (!of.is(ValueKind::Tuple))
        return refuse(RefusalKind::Type, "`*` of a value that is not a tuple");
      positional.insert(positional.end(), of.items->begin(), of.items->end());
    } else if (part->kind == NodeKind::Keyword) {
      if (part->text.empty())
        return refuse(RefusalKind::Unsupported, "`**` in a call");
      Value value = evaluate_(*part->parts[0]);
      if (part->text != "_builder" && part->text != "_semantic")
        named.push_back({part->text, std::move(value)});
    } else {
      positional.push_back(evaluate_(*part));
    }
  }
  if (isRefused()) return {};
  switch (function.kind) {
    case ValueKind::Function: {
      const bool isPrelude = isPreludeFunction(function.function);
      return inlined(*function.function, positional, named, isPrelude);
    }
    case ValueKind::Builtin:
      if (function.items)
        positional.insert(positional.begin(), function.items->begin(),
                          function.items->end());
      return builtin(function.text, positional, named);
    case ValueKind::Module:
      return refuse(RefusalKind::Name,
                    absl::StrCat("`", function.text,
                                 "` is not known; only functions under "
                                 "triton.jit of this file are"));
    case ValueKind::Type:
      if (positional.size() == 1 && named.empty() && function.type.isPlain()) {
        if (!positional[0].isNumber() && !positional[0].isTensor()) break;
        return cast(tensorOf(positional[0]), function.type);
      }
      break;
    default:
      break;
  }
  return refuse(RefusalKind::Type,
                absl::StrCat(wordsOf(function), " is not a function"));
}

Value Lowering::decayed(const Value &value) {
  if (value.isNumber()) return tensorOf(value);
  if (!value.is(ValueKind::Tuple)) return value;
  std::vector<Value> items;
  for (const Value &item : *value.items) items.push_back(decayed(item));
  return Value::tuple(std::move(items));
}

Value Lowering::inlined(const FunctionText &function,
                        const Arguments &positional,
                        const std::vector<std::pair<StringRef, Value>> &named,
                        bool isPrelude) {
  // Its text has a mistake.
  if (const JitFunction *jit = module_.find(function.name);
      jit && &jit->text == &function && jit->refusal)
    return refuseAt(jit->refusal->place, jit->refusal->kind,
                    jit->refusal->message);
  if (!function.body)
    return refuse(RefusalKind::Syntax, "a function without a body");
  if (static_cast<int>(frames_.size()) > kMostCalls)
    return refuse(RefusalKind::Limit, "more than 24 calls in each other");
  Frame frame;
  frame.function = function.name;
  frame.isPrelude = isPrelude;
  frame.at = function.place;
  std::vector<const Parameter *> places;
  for (const Parameter &parameter : function.parameters) {
    if (parameter.isRest)
      return refuse(RefusalKind::Unsupported, "a function with `*args`");
    if (!parameter.isKeywordOnly) places.push_back(&parameter);
  }
  const std::string name = absl::StrCat("`", function.name.str(), "`");
  if (positional.size() > places.size())
    return refuseCall(absl::StrCat("too many arguments of ", name));
  auto give = [&](StringRef parameter, const Value &value) {
    return frame.names.try_emplace(parameter, Binding{value, ++versions_})
        .second;
  };
  for (auto [parameter, value] : llvm::zip(places, positional))
    give(parameter->name, value);
  for (const auto &[key, value] : named) {
    const bool isKnown = llvm::any_of(
        function.parameters, [&key = key](const Parameter &parameter) {
          return parameter.name == key;
        });
    if (!isKnown || !give(key, value))
      return refuseCall(
          absl::StrCat("the argument `", key.str(), "` of ", name));
  }
  for (const Parameter &parameter : function.parameters) {
    if (frame.names.count(parameter.name)) continue;
    if (!parameter.value)
      return refuseCall(absl::StrCat("the argument `", parameter.name.str(),
                                     "` of ", name, " is missing"));
    // A default has the names of the file.
    frames_.emplace_back();
    frames_.back().isPrelude = isPrelude;
    frames_.back().at = parameter.place;
    const Value value = computedDefault(parameter);
    frames_.pop_back();
    give(parameter.name, value);
  }
  if (isRefused()) return {};
  frames_.push_back(std::move(frame));
  const Ended ended = block(function.body->parts, nullptr);
  if (isRefused()) {
    frames_.pop_back();
    return {};
  }
  Value value = ended.isReturn ? decayed(ended.value) : Value::none();
  frames_.pop_back();
  return value;
}

Value Lowering::prelude(StringRef name, const Arguments &args) {
  return inlined(*preludeFunction(name), args, {}, /*isPrelude=*/true);
}

Value Lowering::applied(const Value &function, const Arguments &args) {
  if (isRefused()) return {};
  if (function.is(ValueKind::Function))
    return inlined(*function.function, args, {},
                   isPreludeFunction(function.function));
  if (function.is(ValueKind::Builtin)) return builtin(function.text, args, {});
  return refuse(RefusalKind::Type,
                absl::StrCat(wordsOf(function), " combines no values"));
}

}  // namespace indexical::python
