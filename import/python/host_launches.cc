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
                              " is no kernel of Triton's");
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
              [&](StringRef constant) -> const Node * {
                const auto known = file_.constants.find(constant);
                return known == file_.constants.end() ? nullptr : known->second;
              }},
             why);
  if (!step.grid)
    step.kernel = refused(step, RefusalKind::Unsupported,
                          "the grid of the launch is not read: " + why);
}

/// Pairs the arguments of a launch with the parameters of its kernel. Constants
/// that the kernel's launcher chooses are not given.
void Host::takeArguments(const Node &call, const JitFunction &function,
                         HostStep &step, std::vector<int64_t> &behind,
                         std::set<std::string> &unknown) {
  std::vector<const Parameter *> open;
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
