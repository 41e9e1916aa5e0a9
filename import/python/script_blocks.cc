// The statements of script.h that have blocks.
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/script.h"

namespace indexical::python {

using llvm::StringRef;

Script::Flow Script::ifStatement(const Node &node) {
  const ScriptValue value = evaluate(node.parts[0]);
  if (const auto holds = truthOf(value))
    return block(node.parts[*holds ? 1 : 2]);
  ++doubts_;
  return oneOf({node.parts[1], node.parts[2]});
}

Script::Flow Script::oneOf(llvm::ArrayRef<const Node *> blocks) {
  Mentions mentions;
  for (const Node *each : blocks) mention(each, mentions, true);
  ScriptScope *scope = frames_.back().scope;
  expose(mentions, scope);
  othersRun();
  const auto before = scope->names;
  if (!step(static_cast<int64_t>(before.size()))) return Flow::Lost;
  std::optional<std::map<StringRef, ScriptValue>> after;
  bool isLost = false, mayReturn = false, isReturn = false;
  for (const Node *each : blocks) {
    scope->names = before;
    const bool couldReturn = std::exchange(frames_.back().mayReturn, false);
    const ScriptValue result = frames_.back().result;
    const Flow flow = block(each);
    if (flow == Flow::Return || frames_.back().mayReturn) {
      frames_.back().result = lost(
          couldReturn
              ? llvm::ArrayRef<ScriptValue>({result, frames_.back().result})
              : llvm::ArrayRef<ScriptValue>({frames_.back().result}));
      mayReturn = true;
    }
    frames_.back().mayReturn = couldReturn || mayReturn;
    isReturn |= flow == Flow::Return;
    expose(mentions, scope);
    forgetOuter(mentions);
    othersRun();
    if (isLost_) return Flow::Lost;
    isLost |=
        flow == Flow::Lost || flow == Flow::Break || flow == Flow::Continue;
    if (flow != Flow::Next) continue;
    if (!after) {
      after = scope->names;
      continue;
    }
    for (const auto &[name, value] : scope->names) {
      const auto [at, isNew] = after->try_emplace(name);
      if (isNew) {
        at->second = merged({}, value, before.count(name));
      } else if (!isSame(at->second, value)) {
        at->second = merged(at->second, value, before.count(name));
      }
    }
    for (auto &[name, value] : *after)
      if (!scope->names.count(name))
        value = merged(value, {}, before.count(name));
  }
  if (isLost) return Flow::Lost;
  if (!after) return isReturn ? Flow::Return : Flow::Stop;
  scope->names = std::move(*after);
  if (scope->isCaptured) isChanged_ = true;
  return Flow::Next;
}

Script::Flow Script::perhapsOften(llvm::ArrayRef<const Node *> nodes,
                                  const Node *body, const Node *target) {
  ++doubts_;
  Mentions mentions;
  for (const Node *each : nodes) mention(each, mentions, true);
  if (target) mentionTarget(*target, mentions, true);
  doubt(mentions);
  if (isLost_) return Flow::Lost;
  // It is run once for its launches.
  const bool couldReturn = frames_.back().mayReturn;
  const ScriptValue result = frames_.back().result;
  if (target) assign(*target, symbol());
  const Flow flow = block(body);
  if (flow == Flow::Return || frames_.back().mayReturn || mentions.returns) {
    frames_.back().result = lost({result, frames_.back().result});
    frames_.back().mayReturn = true;
  } else {
    frames_.back().mayReturn = couldReturn;
  }
  doubt(mentions);
  return isLost_ ? Flow::Lost : Flow::Next;
}

Script::Flow Script::forStatement(const Node &node) {
  const auto &parts = node.parts;
  const ScriptValue source = evaluate(parts[1], true);
  ScriptObject *list = source.object &&
                               source.object->kind == ScriptKind::List &&
                               !source.object->isLazy
                           ? source.object
                           : nullptr;
  const auto items = list ? std::nullopt : itemsOf(source);
  if ((list && list->isOpen) || (!list && !items)) {
    escapeItems(source);
    if (const Flow flow =
            perhapsOften({parts[2], parts[3]}, parts[2], parts[0]);
        flow != Flow::Next)
      return flow;
    return parts[3] ? oneOf({parts[3], nullptr}) : Flow::Next;
  }
  // A list may change while it is passed.
  std::vector<std::pair<ScriptObject *, int64_t>> sources;
  if (source.object && !list)
    for (const ScriptValue &each : source.object->sources)
      if (each.object) sources.push_back({each.object, each.object->version});
  if (source.object && source.object->kind == ScriptKind::Dict)
    sources.push_back({source.object, source.object->version});
  for (size_t k = 0;; ++k) {
    if (isLost_ || !step()) return Flow::Lost;
    if (list && list->isOpen)
      return perhapsOften({parts[2], parts[3]}, parts[2], parts[0]);
    if (k >= (list ? list->items.size() : items->size())) break;
    assign(*parts[0], list ? list->items[k] : (*items)[k]);
    const bool could = frames_.back().mayReturn;
    const Flow flow = block(parts[2]);
    if (flow == Flow::Return || flow == Flow::Stop) return flow;
    if (flow == Flow::Break) return Flow::Next;
    const bool isOther = llvm::any_of(sources, [](const auto &each) {
      return each.first->version != each.second || each.first->isEscaped;
    });
    if (flow == Flow::Lost || frames_.back().mayReturn != could || isOther) {
      if (isLost_) return flow;
      return perhapsOften({parts[2], parts[3]}, parts[2], parts[0]);
    }
  }
  return block(parts[3]);
}

Script::Flow Script::whileStatement(const Node &node) {
  const auto &parts = node.parts;
  while (true) {
    if (isLost_ || !step()) return Flow::Lost;
    const auto holds = truthOf(evaluate(parts[0]));
    if (holds && !*holds) return block(parts[2]);
    const bool could = frames_.back().mayReturn;
    const Flow flow = holds ? block(parts[1]) : Flow::Lost;
    if (flow == Flow::Return || flow == Flow::Stop) return flow;
    if (flow == Flow::Break) return Flow::Next;
    if (flow != Flow::Lost && frames_.back().mayReturn == could) continue;
    if (isLost_) return flow;
    return perhapsOften({parts[0], parts[1], parts[2]}, parts[1], nullptr);
  }
}

Script::Flow Script::tryStatement(const Node &node) {
  const auto &parts = node.parts;
  ScriptScope *scope = frames_.back().scope;
  Mentions mentions;
  mention(parts[0], mentions, true);
  // The block may have changed these before it stopped.
  std::vector<ScriptValue> reached;
  for (StringRef each : mentions.reached) reached.push_back(name(each));
  for (StringRef each : mentions.elements) reached.push_back(name(each));
  const auto before = scope->names;
  if (!step(static_cast<int64_t>(before.size()))) return Flow::Lost;
  const int64_t doubts = doubts_;
  const size_t handlers = parts.size() - 3;
  Flow flow = block(parts[0]);
  if (isLost_) return Flow::Lost;
  if (flow != Flow::Stop && doubts_ == doubts) {
    if (flow == Flow::Next) flow = block(parts[1]);
    const Flow last = block(parts[2]);
    return last == Flow::Next ? flow : last;
  }
  for (const ScriptValue &each : reached) escape(each);
  expose(mentions, scope);
  forgetOuter(mentions);
  othersRun();
  const bool isPassed = flow == Flow::Next;
  const bool leaves =
      flow == Flow::Break || flow == Flow::Continue || flow == Flow::Lost;
  if (flow == Flow::Return) {
    frames_.back().result = lost({frames_.back().result});
    frames_.back().mayReturn = true;
  }
  if (isPassed && parts[1]) flow = oneOf({parts[1], nullptr});
  auto after = scope->names;
  bool isAfter = isPassed;
  for (size_t k = 0; k < handlers; ++k) {
    const Node &handler = *parts[3 + k];
    scope->names = before;
    for (StringRef name : mentions.bound) forget(name, false);
    if (handler.parts[0]) evaluate(handler.parts[0]);
    if (!handler.text.empty()) forget(handler.text, false);
    const Flow handled = oneOf({handler.parts[1]});
    if (!handler.text.empty()) forget(handler.text, false);
    if (isLost_) return Flow::Lost;
    if (handled == Flow::Lost) return Flow::Lost;
    if (handled == Flow::Return) frames_.back().mayReturn = true;
    if (handled != Flow::Next) continue;
    if (!isAfter) {
      after = scope->names;
      isAfter = true;
      continue;
    }
    for (const auto &[name, value] : scope->names) {
      const auto [at, isNew] = after.try_emplace(name);
      if (isNew || !isSame(at->second, value))
        at->second = merged(isNew ? ScriptValue() : at->second, value,
                            before.count(name));
    }
  }
  scope->names = std::move(after);
  if (scope->isCaptured) isChanged_ = true;
  const Flow last = block(parts[2]);
  if (last != Flow::Next) return last;
  if (leaves) return Flow::Lost;
  if (!isAfter) return frames_.back().mayReturn ? Flow::Return : Flow::Stop;
  return Flow::Next;
}

Script::Flow Script::withStatement(const Node &node) {
  const auto &parts = node.parts;
  bool mayCatch = false;
  for (size_t k = 0; k + 2 < parts.size(); k += 2) {
    const ScriptValue value = evaluate(parts[k]);
    escape(value);
    othersRun();
    const Node *callee =
        parts[k]->kind == NodeKind::Call ? parts[k]->parts[0] : parts[k];
    const ScriptValue of = evaluate(callee->kind == NodeKind::Attribute ||
                                            callee->kind == NodeKind::Name
                                        ? callee
                                        : nullptr);
    mayCatch |= !of.object || of.object->kind != ScriptKind::Path ||
                !StringRef(of.object->name).starts_with("torch.");
    if (parts[k + 1]) assign(*parts[k + 1], symbol());
  }
  if (!mayCatch) {
    const Flow flow = block(parts.back());
    othersRun();
    return flow;
  }
  ++doubts_;
  Mentions mentions;
  mention(parts.back(), mentions, true);
  expose(mentions, frames_.back().scope);
  const bool couldReturn = frames_.back().mayReturn;
  const Flow flow = block(parts.back());
  if (flow == Flow::Return) {
    // The lines behind it run only if the block was left.
    frames_.back().mayReturn = true;
    frames_.back().result = lost({frames_.back().result});
  } else {
    frames_.back().mayReturn |= couldReturn;
  }
  if (flow == Flow::Lost || flow == Flow::Break || flow == Flow::Continue)
    return Flow::Lost;
  doubt(mentions);
  return isLost_ ? Flow::Lost : Flow::Next;
}

}  // namespace indexical::python
