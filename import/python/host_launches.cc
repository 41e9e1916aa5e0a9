// The launches of host.h: `kernel.run(…)`.
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/host.h"
#include "indexical/import/python/inductor_grid.h"
#include "indexical/import/python/kernels_of.h"
#include "indexical/import/python/launch.h"

namespace indexical::python {

using llvm::StringRef;
using Kind = HostValue::Kind;

namespace {

/// Returns a kernel that is not read.
std::shared_ptr<const PythonKernel> refused(const HostStep &step,
                                            RefusalKind kind,
                                            std::string message) {
  auto made = std::make_shared<PythonKernel>();
  made->name = step.name;
  made->place = step.place;
  made->refusal = Refusal{kind, step.place, std::move(message)};
  return made;
}

/// `` `s0`, `s1` ``
std::string listOf(const std::set<std::string> &names) {
  std::string list;
  for (const std::string &name : names)
    absl::StrAppend(&list, list.empty() ? "`" : ", `", name, "`");
  return list;
}

/// Adds the names of an expression to a set.
void addNames(const Node &node, std::set<std::string> &into) {
  if (node.kind == NodeKind::Name) into.insert(node.text.str());
  for (const Node *part : node.parts)
    if (part) addNames(*part, into);
}

constexpr size_t kMostOfGrid = 200'000;

using NamedValues = std::map<std::string, Value>;

/// Adds `meta['B']` for each constant.
NamedValues withConstants(NamedValues symbols, StringRef meta,
                          const kernels::SizeValues &constants) {
  for (const auto &[name, value] : constants)
    symbols[absl::StrCat(meta.str(), "[", name, "]")] = Value::whole(value);
  return symbols;
}

/// Returns the sides that an expression is.
std::optional<std::vector<int64_t>> sidesOf(const ModuleText &file,
                                            const Node &grid,
                                            const NamedValues &known) {
  std::vector<const Node *> sides = {&grid};
  if (grid.kind == NodeKind::Tuple || grid.kind == NodeKind::List)
    sides.assign(grid.parts.begin(), grid.parts.end());
  std::vector<int64_t> numbers;
  for (const Node *side : sides) {
    Lowering host(file, "");
    const Value value = side ? host.evaluate(side, known) : Value();
    const auto number = host.refusal ? std::nullopt : smallOf(value);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

const ModuleText &Host::moduleOf(KernelText &kernel) {
  if (!kernel.module) {
    kernel.module = std::make_unique<ModuleText>();
    readModule(kernel.text, *kernel.module, kernel.firstLine);
  }
  return *kernel.module;
}

void Host::launch(const Node &call, StringRef name) {
  HostStep step = stepAt(call.place, name.str());
  step.isLaunch = true;
  const auto other = otherNames_.find(name);
  const auto found = kernels_.find(
      other == otherNames_.end() ? name : StringRef(other->second));
  if (found == kernels_.end()) {
    step.kernel = refused(step, RefusalKind::Name,
                          "the file does not define the kernel `" + step.name +
                              "` by async_compile");
    addArrays(call, step);
    into_.steps.push_back(std::move(step));
    return;
  }
  KernelText &kernel = found->second;
  if (step.nodes.empty() && step.ops.empty())
    for (const NodeComment &comment : comments_)
      if (comment.last < kernel.place.line &&
          comment.last + 3 > kernel.place.line) {
        step.nodes = comment.nodes;
        step.ops = comment.ops;
      }
  readKernelOf(call, kernel, step);
  if (step.arrays.empty()) addArrays(call, step);
  into_.steps.push_back(std::move(step));
}

/// Adds the arrays of a launch whose parameters are not known.
void Host::addArrays(const Node &call, HostStep &step) {
  for (const Node *part : llvm::drop_begin(call.parts)) {
    if (!part) continue;
    const Node *node = part->kind == NodeKind::Keyword ? part->parts[0] : part;
    if (!node || node->kind == NodeKind::Starred) continue;
    if (auto tensor = tensorOf(evaluate(*node)))
      step.arrays.push_back(
          {absl::StrCat("#", step.arrays.size()), resolved(*tensor)});
  }
}

void Host::readKernelOf(const Node &call, KernelText &kernel, HostStep &step) {
  if (kernel.language != "triton") {
    step.kernel = refused(step, RefusalKind::Unsupported,
                          "a kernel of async_compile." + kernel.language +
                              " is not a Triton kernel");
    return;
  }
  const ModuleText &module = moduleOf(kernel);
  const JitFunction *function = module.find(kernel.function);
  if (!function && module.functions.size() == 1)
    function = &module.functions.front();
  if (!function) {
    step.kernel = module.foreign.empty()
                      ? refused(step, RefusalKind::Name,
                                "the text of the kernel has no function `" +
                                    kernel.function + "` under triton.jit")
                      : refused(step, module.foreign.front().kind,
                                module.foreign.front().message);
    return;
  }
  std::vector<int64_t> behind;
  std::set<std::string> unknown;
  takeArguments(call, *function, step, behind, unknown);
  if (!unknown.empty()) {
    step.kernel = refused(
        step, RefusalKind::Name,
        absl::StrCat("the launch has sizes without a value: ", listOf(unknown),
                     "; --arg=", *unknown.begin(), "=NUMBER gives one"));
    return;
  }
  // Launches with the same numbers are one kernel.
  std::string key = step.name;
  for (const auto &[argument, value] : step.arguments)
    absl::StrAppend(&key, " ", argument, "=", value);
  for (const auto &[argument, value] : step.numbers)
    absl::StrAppend(&key, " ", argument, "=", value);
  auto &read = read_[key];
  if (!read) {
    PythonOptions options = options_;
    options.function = function->text.name.str();
    options.arguments = step.arguments;
    options.numbers = step.numbers;
    options.types.clear();
    options.constants.clear();
    for (auto [from, to] : {std::pair(&options_.types, &options.types),
                            std::pair(&options_.constants, &options.constants)})
      for (const auto &pair : *from)
        if (llvm::any_of(function->text.parameters,
                         [&](const Parameter &parameter) {
                           return parameter.name == pair.first;
                         }))
          to->push_back(pair);
    auto kernels = kernelsOf(module, options);
    if (!kernels.ok() || kernels->empty())
      read = refused(step, RefusalKind::Unsupported,
                     std::string(kernels.status().message()));
    else
      read = std::make_shared<const PythonKernel>(std::move(kernels->front()));
  }
  step.kernel = read;
  if (read->refusal) return;
  // What a kernel takes a pointer to be is what the array holds.
  LaunchReader launch(module, *function);
  const InductorMeta meta = launch.inductor();
  for (auto &[parameter, tensor] : step.arrays) {
    const auto type = meta.types.find(parameter);
    if (type == meta.types.end()) continue;
    const std::string element = elementOfPointer(type->second);
    if (tensor.element.empty()) tensor.element = element;
    std::string &own = into_.memories[tensor.memory].first.element;
    if (own.empty()) own = element;
  }
  kernels::SizeValues values = read->sizes;
  for (const auto &[argument, value] : step.arguments) values[argument] = value;
  std::string why;
  step.grid =
      gridOf({*function, *read, values, behind, keywordOf(call, "grid"),
              [&](const Node &node) { return numberOf(&node); },
              [&](const Node &node) { return sidesBy(node, values); },
              [&](StringRef constant) -> const Node * {
                const auto known = file_.constants.find(constant);
                return known == file_.constants.end() ? nullptr : known->second;
              }},
             why);
  if (!step.grid)
    step.kernel = refused(step, RefusalKind::Unsupported,
                          "the grid of the launch is not read: " + why);
}

std::optional<std::vector<int64_t>> Host::sidesBy(
    const Node &function, const kernels::SizeValues &constants) {
  if (function.kind == NodeKind::Lambda)
    return sidesOf(file_, *function.parts[0],
                   withConstants(symbols_,
                                 function.parts.size() > 1
                                     ? function.parts[1]->text
                                     : StringRef(),
                                 constants));
  auto found = inner_.find(function.text);
  if (found == inner_.end()) {
    found = functions_.find(function.text);
    if (found == functions_.end()) return std::nullopt;
  }
  return sidesReturned(found->second, constants);
}

/// Follows `if meta['B'] == 64: return (8, 1, 1)` and `return (4, 1, 1)`.
std::optional<std::vector<int64_t>> Host::sidesReturned(
    const Function &function, const kernels::SizeValues &constants) {
  const auto &tokens = file_.tokens;
  size_t k = function.begin + 2;
  StringRef meta;
  for (; k < function.end && !tokens[k].is(")"); ++k)
    if (tokens[k].kind == TokenKind::Name && meta.empty())
      meta = tokens[k].text;
  k += 2;  // `):`
  const auto known = withConstants(symbols_, meta, constants);
  Parser parser(tokens, store_);
  while (k < function.end) {
    if (tokens[k].kind == TokenKind::NewLine ||
        tokens[k].kind == TokenKind::Indent ||
        tokens[k].kind == TokenKind::Dedent) {
      ++k;
      continue;
    }
    if (++statements_ > kMostOfGrid) return std::nullopt;
    parser.refusal.reset();
    parser.goTo(k + 1);
    if (tokens[k].is("return")) {
      const Node *value = parser.expressionList();
      if (!value || parser.refusal) return std::nullopt;
      return sidesOf(file_, *value, known);
    }
    if (!tokens[k].is("if")) return std::nullopt;
    const Node *condition = parser.expression();
    if (!condition || parser.refusal || !parser.token().is(":"))
      return std::nullopt;
    Lowering host(file_, "");
    const Value holds = host.evaluate(condition, known);
    if (host.refusal || !holds.isNumber()) return std::nullopt;
    k = parser.at() + 1;
    if (isTrue(holds)) continue;
    // The next line that is no deeper.
    while (k < function.end && tokens[k].kind != TokenKind::NewLine) ++k;
    int depth = 0;
    for (++k; k < function.end; ++k) {
      depth += tokens[k].kind == TokenKind::Indent;
      depth -= tokens[k].kind == TokenKind::Dedent;
      if (depth == 0) break;
    }
  }
  return std::nullopt;
}

/// Pairs the arguments of a launch with the parameters of its kernel. Constants
/// that the kernel's launcher chooses are not given.
void Host::takeArguments(const Node &call, const JitFunction &function,
                         HostStep &step, std::vector<int64_t> &behind,
                         std::set<std::string> &unknown) {
  std::vector<const Parameter *> open;
  for (const Parameter &parameter : function.text.parameters)
    into_.names.insert(parameter.name.str());
  for (const Parameter &parameter : function.text.parameters)
    if (!isConstexpr(parameter.annotation) && !parameter.isRest)
      open.push_back(&parameter);
  size_t next = 0;
  for (const Node *part : llvm::drop_begin(call.parts)) {
    if (!part || part->kind == NodeKind::Starred) continue;
    const Node *node = part;
    std::string name;
    if (part->kind == NodeKind::Keyword) {
      if (part->text == "grid" || part->text == "stream") continue;
      name = part->text.str();
      node = part->parts[0];
    } else if (next < open.size()) {
      name = open[next++]->name.str();
    }
    if (!node) continue;
    const HostValue value = evaluate(*node);
    if (auto tensor = tensorOf(value)) {
      if (!name.empty()) step.arrays.push_back({name, resolved(*tensor)});
      continue;
    }
    if (value.is(Kind::Constant)) {
      const auto small = smallOf(value.constant);
      if (name.empty()) {
        if (small) behind.push_back(*small);
      } else if (small) {
        step.arguments.push_back({name, *small});
      } else if (value.constant.is(ValueKind::Float)) {
        step.numbers.push_back({name, value.constant.number});
      }
      continue;
    }
    addNames(*node, unknown);
  }
}

}  // namespace indexical::python
