// Functions, classes and kernels of script.h.
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/launch.h"
#include "indexical/import/python/script.h"

namespace indexical::python {

using llvm::StringRef;

void Script::classStatement(const Node &node) {
  const auto &parts = node.parts;
  Arguments ofDecorators;
  for (const Node *each : llvm::ArrayRef(parts).drop_front(2))
    ofDecorators.positional.push_back(evaluate(each));
  bool isPlain = ofDecorators.positional.empty();
  if (parts[0]->kind == NodeKind::Call)
    for (const Node *each : llvm::drop_begin(parts[0]->parts)) {
      const Node *value =
          each->kind == NodeKind::Keyword || each->kind == NodeKind::Starred
              ? each->parts[0]
              : each;
      escape(evaluate(value));
      isPlain = false;
    }
  scopes_.emplace_back();
  ScriptScope &scope = scopes_.back();
  scope.kind = ScriptScope::Kind::Class;
  scope.parent = frames_.back().scope;
  Frame frame;
  frame.scope = &scope;
  frames_.push_back(std::move(frame));
  const Flow flow = block(parts[1]);
  frames_.pop_back();
  ScriptObject *made = make(ScriptKind::Class, node.text.str());
  for (auto &[name, value] : scope.names) made->fields[name.str()] = value;
  if (flow != Flow::Next) {
    ++doubts_;
    doubtStatement(node);
  }
  if (!isPlain || flow != Flow::Next) {
    escape(of(made));
    othersRun();
    // Decorators may be functions of the file.
    for (const ScriptValue &each : ofDecorators.positional) {
      escape(each);
      othersRun();
    }
    bind(node.text, symbol());
    return;
  }
  bind(node.text, of(made));
}

ScriptObject *Script::functionObject(const Node &node) {
  const FunctionText &text = *node.function;
  ScriptObject *made = make(ScriptKind::Function, text.name.str());
  made->text = &text;
  made->closure = frames_.back().scope;
  while (made->closure->kind == ScriptScope::Kind::Class)
    made->closure = made->closure->parent;
  for (ScriptScope *each = made->closure; each; each = each->parent)
    each->isCaptured = true;
  for (const Parameter &parameter : text.parameters)
    made->defaults.push_back(parameter.value ? evaluate(parameter.value)
                                             : ScriptValue());
  functions_[{text.place.line, text.place.column}] = made;
  return made;
}

void Script::functionStatement(const Node &node) {
  const FunctionText &text = *node.function;
  std::vector<Node *> decorators;
  for (Node *part : node.parts)
    if (part->kind != NodeKind::Keyword) decorators.push_back(part);
  bool isKernel = kernels_.count(text.begin);
  for (const Node *each : decorators) {
    if (isKernel) break;
    const Node *callee = each->kind == NodeKind::Call ? each->parts[0] : each;
    if (lastNameOf(callee) != "jit") continue;
    const ScriptValue value = evaluate(callee);
    isKernel = value.object && value.object->kind == ScriptKind::Path &&
               StringRef(value.object->name).starts_with("triton.");
  }
  if (isKernel) {
    kernelStatement(node, decorators);
    return;
  }
  Values given;
  for (const Node *each : decorators) given.push_back(evaluate(each));
  ScriptObject *made = functionObject(node);
  if (!hasLazyAnnotations_)
    for (const Parameter &parameter : text.parameters)
      if (parameter.annotation) evaluate(parameter.annotation);
  for (const Node *part : node.parts)
    if (part->kind == NodeKind::Keyword && !hasLazyAnnotations_)
      evaluate(part->parts[0]);
  ScriptValue value = of(made);
  for (const ScriptValue &each : llvm::reverse(given)) {
    Arguments arguments;
    arguments.positional.push_back(value);
    value = callOf(each, arguments, text.place);
  }
  bind(text.name, std::move(value));
}

void Script::kernelStatement(const Node &node,
                             llvm::ArrayRef<Node *> decorators) {
  const FunctionText &text = *node.function;
  KernelFacts made;
  made.begin = text.begin;
  made.text = &text;
  for (const Node *each : decorators) {
    if (each->kind != NodeKind::Call) {
      evaluate(each);
      continue;
    }
    const ScriptValue callee = evaluate(each->parts[0]);
    const StringRef written = lastNameOf(each->parts[0]);
    StringRef called = written;
    const bool isOwn = callee.object && callee.object->kind != ScriptKind::Path;
    if (callee.object && !isOwn)
      called = StringRef(callee.object->name).rsplit('.').second;
    const bool isList = called.ends_with("autotune") || called == "libtuner";
    const bool isHeuristics = called == "heuristics";
    const Node *first = each->parts.size() > 1 &&
                                each->parts[1]->kind != NodeKind::Keyword &&
                                each->parts[1]->kind != NodeKind::Starred
                            ? each->parts[1]
                            : nullptr;
    const Node *wanted = isList         ? keywordOf(*each, "configs")
                         : isHeuristics ? keywordOf(*each, "values")
                                        : keywordOf(*each, "do_not_specialize");
    if (!wanted && (isList || isHeuristics)) wanted = first;
    KernelFacts::Layer layer;
    layer.isHeuristics = isHeuristics;
    layer.place = each->place;
    layer.isWritten =
        wanted && (wanted->kind == NodeKind::Comprehension ||
                   (wanted->kind == NodeKind::List &&
                    llvm::none_of(wanted->parts, [](const Node *part) {
                      return part->kind == NodeKind::Starred;
                    })));
    for (const Node *part : llvm::drop_begin(each->parts)) {
      const Node *value =
          part->kind == NodeKind::Keyword || part->kind == NodeKind::Starred
              ? part->parts[0]
              : part;
      ScriptValue given = evaluate(value);
      if (value == wanted && !isList && !isHeuristics)
        made.unspecialized = given;
      else if (value == wanted && !isOwn)
        layer.value = given;
      else if (!isList && !isHeuristics)
        escape(given);
    }
    if (isList || isHeuristics) {
      // Inductor's own lists are in its metadata.
      layer.isLost = !layer.value.object;
      if (wanted || isOwn || written == "autotune" || isHeuristics ||
          each->parts.size() == 1)
        made.layers.push_back(std::move(layer));
    }
  }
  for (const Parameter &parameter : text.parameters)
    if (parameter.value)
      made.defaults[parameter.name] = evaluate(parameter.value);
  if (!hasLazyAnnotations_)
    for (const Parameter &parameter : text.parameters)
      if (parameter.annotation && parameter.annotation->kind == NodeKind::Call)
        evaluate(parameter.annotation);
  made.asksBackend = asksBackend_;
  KernelFacts &facts = facts_[text.begin];
  facts = std::move(made);
  ScriptObject *kernel = make(ScriptKind::Kernel, text.name.str());
  kernel->facts = &facts;
  bind(text.name, of(kernel));
}

void Script::openLists(KernelFacts &facts) {
  for (KernelFacts::Layer &layer : facts.layers) {
    escape(layer.value);
    layer.isLost = true;
  }
}

}  // namespace indexical::python
