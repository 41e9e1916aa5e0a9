#include "indexical/same/equality/meanings.h"

#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"

namespace indexical {

// A term has a larger number than the terms that it is made of.
bool Meanings::depends(TermId reads, TermId parameter) {
  std::vector<bool> &known = depends_[parameter];
  for (size_t id = known.size(); id < table_.size(); ++id) {
    bool on = static_cast<TermId>(id) == parameter;
    for (TermId operand : table_[id].operands) on = on || known[operand];
    known.push_back(on);
  }
  return known[reads];
}

const std::vector<TermId> &Meanings::parametersOf(TermId reads) {
  while (table_[reads].operands.size() == 1) reads = table_[reads].operands[0];
  // All results of an op have the tuple of its operands below them.
  const bool isShared = table_[reads].kind == ValueTerm::Kind::Tuple;
  std::vector<TermId> &found = isShared ? tuples_[reads] : parameters_;
  if (isShared && !found.empty()) return found;
  found.clear();
  seen_.resize(table_.size(), 0);
  ++walks_;
  std::vector<TermId> stack{reads};
  while (!stack.empty()) {
    const TermId id = stack.back();
    stack.pop_back();
    if (std::exchange(seen_[id], walks_) == walks_) continue;
    const ValueTerm &term = table_[id];
    if (term.kind == ValueTerm::Kind::Parameter) found.push_back(id);
    stack.insert(stack.end(), term.operands.begin(), term.operands.end());
  }
  llvm::sort(found);
  return found;
}

bool Meanings::isUnknown(const ValueTerm &term) const {
  // A computation that is not in the file.
  if (term.kind == ValueTerm::Kind::Function) return !term.text.empty();
  if (!term.op) return false;
  const auto *literal = term.op.as<ConstantOp>();
  // Values that are new in every execution are taken to be equal to the other
  // module's.
  const bool isNew = term.kind == ValueTerm::Kind::Symbol &&
                     traitsOf(innermost(term.op)).hasSideEffects;
  return isNew || term.isOpaque() || (literal && !literal->isKnown);
}

const std::vector<std::string> &Meanings::under(TermId reads) {
  // The names of all results of an op are those of its operands.
  const ValueTerm &own = table_[reads];
  const bool isShared = own.operands.size() == 1 && !isUnknown(own) &&
                        table_[own.operands[0]].kind == ValueTerm::Kind::Tuple;
  Parts parts(reads, {});
  if (isShared) parts = {own.operands[0], own.steering};
  auto [entry, isNew] = under_.try_emplace(std::move(parts));
  if (!isNew) return entry->second;
  std::set<std::string> names;
  seen_.resize(table_.size(), 0);
  ++walks_;
  std::vector<TermId> stack{reads};
  while (!stack.empty()) {
    const TermId id = stack.back();
    stack.pop_back();
    if (std::exchange(seen_[id], walks_) == walks_) continue;
    const ValueTerm &term = table_[id];
    if (isUnknown(term)) names.insert(nameOf(id));
    stack.insert(stack.end(), term.operands.begin(), term.operands.end());
    stack.insert(stack.end(), term.steering.begin(), term.steering.end());
  }
  entry->second.assign(names.begin(), names.end());
  return entry->second;
}

std::string Meanings::nameOf(TermId id) const {
  const ValueTerm &term = table_[id];
  if (term.kind == ValueTerm::Kind::Function)
    return "computation `" + term.text + "`";
  const Op &op = innermost(term.op);
  if (const auto *literal = op.as<ConstantOp>())
    return "constant `{...}` of " + literal->results[0].str();
  llvm::StringRef configuration = op.descriptor().configuration;
  for (llvm::StringRef key : {"custom_call_target=", "call_target_name="}) {
    const size_t at = configuration.find(key);
    if (at == llvm::StringRef::npos) continue;
    llvm::StringRef rest = configuration.drop_front(at + key.size()).ltrim();
    rest.consume_front("\"");
    return "custom-call `" +
           rest.take_until([](char c) { return c == '"' || c == ';'; }).str() +
           "`";
  }
  if (!term.isOpaque()) return "`" + op.kind().name.str() + "`";
  return op.kind().name.str() + " `" + configuration.split(';').first.str() +
         "`";
}

}  // namespace indexical
