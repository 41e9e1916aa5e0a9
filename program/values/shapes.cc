#include "indexical/program/values/shapes.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"

namespace indexical {
//===-- Formulas ----------------------------------------------------------===//

/// An instruction's formulas, as expressions of the computation's.
class ProgramShapes::Context : public SizeContext {
 public:
  Context(ProgramShapes &shapes, InstructionId instruction)
      : shapes_(shapes), instruction_(instruction) {}
  Expr constant(int64_t value) override {
    return of(shapes_.pool_.constantForm(value));
  }
  std::optional<int64_t> valueOf(Expr expression) const override {
    if (!shapes_.pool_.isConstant(expression.form())) return std::nullopt;
    return shapes_.pool_.constant(expression.form());
  }
  Expr size(SizeRef ref) override {
    const auto [i, leaf, k] = shapes_.nodeOf(instruction_, ref);
    if (auto form = shapes_.size({i, leaf}, k)) return of(*form);
    return constant(shapes_.shapeOf({i, leaf}).dimensions[k]);
  }
  /// Returns the element as an expression. A divisor that is not known to be at
  /// least 1 becomes a variable of its own, with these bounds.
  Expr element(int64_t operand, llvm::ArrayRef<int64_t> index,
               Interval bounds) override {
    const OperandLeaf &leaf = shapes_.leaves_[instruction_][operand];
    const bool divides = bounds.lower >= 1;
    const auto form = shapes_.element({leaf.instruction, leaf.result}, index);
    if (form && (!divides || bounds.contains(shapes_.boundsOf(*form))))
      return of(*form);
    return of(shapes_.elementVariable({leaf.instruction, leaf.result}, index,
                                      divides ? bounds : Interval::all()));
  }

 protected:
  ProgramShapes &shapes_;
  const InstructionId instruction_;

 private:
  Expr of(FormId form) { return {&shapes_.pool_, form}; }
};

/// A context that notes the sizes and the elements that a formula asks for.
class ProgramShapes::SourceContext : public Context {
 public:
  SourceContext(ProgramShapes &shapes, InstructionId instruction,
                std::vector<size_t> &sizes, std::vector<Element> &elements)
      : Context(shapes, instruction), sizes_(sizes), elements_(elements) {}
  Expr size(SizeRef ref) override {
    const auto [i, leaf, k] = shapes_.nodeOf(instruction_, ref);
    if (const auto of = shapes_.find({i, leaf}, k)) sizes_.push_back(*of);
    return Context::size(ref);
  }
  Expr element(int64_t operand, llvm::ArrayRef<int64_t> index,
               Interval bounds) override {
    const OperandLeaf &leaf = shapes_.leaves_[instruction_][operand];
    elements_.push_back({{leaf.instruction, leaf.result}, index.vec()});
    return Context::element(operand, index, bounds);
  }

 private:
  std::vector<size_t> &sizes_;
  std::vector<Element> &elements_;
};

class ProgramShapes::Facts : public SizeFacts {
 public:
  Facts(ProgramShapes &shapes, InstructionId instruction)
      : shapes_(shapes), instruction_(instruction) {}
  const ExpressionTable &table() const override { return shapes_.pool_; }
  const Variable &variable(uint32_t i) const override {
    return shapes_.variables_[i].known;
  }
  std::optional<FormId> size(SizeRef ref) const override {
    const auto [i, leaf, k] = shapes_.nodeOf(instruction_, ref);
    return shapes_.size({i, leaf}, k);
  }
  std::optional<FormId> element(int64_t operand,
                                llvm::ArrayRef<int64_t> index) const override {
    const OperandLeaf &leaf = shapes_.leaves_[instruction_][operand];
    return shapes_.element({leaf.instruction, leaf.result}, index);
  }

 private:
  ProgramShapes &shapes_;
  const InstructionId instruction_;
};

//===-- Classes of equal sizes --------------------------------------------===//

ProgramShapes::ProgramShapes(const Computation &computation, Number number,
                             const Called &called)
    : computation_(&computation), number_(std::move(number)) {
  const int32_t count = computation.instructions.size();
  std::vector<InstructionId> order(count);
  std::iota(order.begin(), order.end(), InstructionId(0));
  llvm::stable_sort(order, [&](InstructionId x, InstructionId y) {
    auto key = [&](InstructionId i) {
      const int32_t number = computation.instructions[i].parameterNumber;
      return std::make_pair(number < 0, number < 0 ? int32_t{i} : number);
    };
    return key(x) < key(y);
  });
  for (InstructionId i : order) addNodes(i);
  for (InstructionId i(0); i < count; ++i)
    leaves_.push_back(computation.operandLeaves(i));
  if (!isOpen()) return;
  for (InstructionId i(0); i < count; ++i) addRules(i);
  if (!called) return;
  for (InstructionId i(0); i < count; ++i) addRulesOfCallee(i, called);
}

const ArrayShape &ProgramShapes::shapeOf(InstructionLeaf leaf) const {
  return shapesOf(computation_->instructions[leaf.instruction].op)
      .results[leaf.leaf];
}

void ProgramShapes::addNodes(InstructionId i) {
  const ShapeList &results = shapesOf(computation_->instructions[i].op).results;
  for (LeafId leaf; leaf < static_cast<int64_t>(results.size()); ++leaf) {
    if (!hasOpenSize(results[leaf])) continue;
    for (int64_t k = 0; k < results[leaf].rank(); ++k) {
      if (sizeIfFixed(results[leaf], k)) continue;
      nodes_[{i, leaf, k}] = sizes_.add({results[leaf].dimensions[k], false});
      refs_.push_back({i, leaf, k});
      classes_.emplace_back();
    }
  }
}

std::optional<size_t> ProgramShapes::find(InstructionLeaf leaf,
                                          int64_t dimension) const {
  auto found = nodes_.find({leaf.instruction, leaf.leaf, dimension});
  if (found == nodes_.end()) return std::nullopt;
  return sizes_.first(found->second);
}

ProgramShapes::Node ProgramShapes::nodeOf(InstructionId instruction,
                                          SizeRef ref) const {
  const int64_t operands = leaves_[instruction].size();
  if (ref.tensor >= operands)
    return {instruction, LeafId(ref.tensor - operands), ref.dimension};
  const OperandLeaf &leaf = leaves_[instruction][ref.tensor];
  return {leaf.instruction, leaf.result, ref.dimension};
}

void ProgramShapes::join(size_t a, size_t b) {
  a = sizes_.first(a), b = sizes_.first(b);
  if (a == b) return;
  auto formulas = std::move(classes_[a].formulas);
  formulas.insert(formulas.end(), classes_[b].formulas.begin(),
                  classes_[b].formulas.end());
  classes_[sizes_.join(a, b).into].formulas = std::move(formulas);
}

void ProgramShapes::addEqual(const Node &x, const Node &y) {
  const auto p = nodes_.find(x), q = nodes_.find(y);
  auto sizeOf = [&](const Node &node) {
    return shapeOf({std::get<0>(node), std::get<1>(node)})
        .dimensions[std::get<2>(node)];
  };
  if (p != nodes_.end() && q != nodes_.end())
    join(p->second, q->second);
  else if (p != nodes_.end())
    sizes_.setKnown(p->second, {sizeOf(y), true});
  else if (q != nodes_.end())
    sizes_.setKnown(q->second, {sizeOf(x), true});
}

/// The sizes of a callee's parameters, by the operand leaves that they are.
class ProgramShapes::PassedSizes {
 public:
  using LeafSize = std::pair<int64_t, int64_t>;  ///< operand leaf, dimension

  PassedSizes(ProgramShapes &inside, const Callee &callee,
              llvm::ArrayRef<OperandLeaf> leaves) {
    const Computation &body = *inside.computation_;
    for (const auto &[at, operand] : passedLeaves(body, callee, leaves)) {
      const InstructionLeaf parameter = {body.parameters[at.parameter],
                                         at.leaf};
      const int64_t rank = inside.shapeOf(parameter).rank();
      for (int64_t k = 0; k < rank && operand >= 0; ++k) {
        const auto size = inside.size(parameter, k);
        if (!size) continue;
        sizes_[{operand, k}] = *size;
        first_.try_emplace(*size, operand, k);
      }
    }
  }

  /// Returns the size at the same place, if it is that size.
  std::optional<LeafSize> same(LeafSize of, FormId size) const {
    const auto found = sizes_.find(of);
    if (found == sizes_.end() || found->second != size) return std::nullopt;
    return of;
  }
  /// The first that has the size.
  std::optional<LeafSize> first(FormId size) const {
    const auto found = first_.find(size);
    if (found == first_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::map<LeafSize, FormId> sizes_;
  std::map<FormId, LeafSize> first_;
};

/// Adds the sizes of results that are sizes of operands, whatever the trips of
/// a loop: a body that returns a size of a leaf of its state as that of the
/// same leaf keeps it.
void ProgramShapes::addRulesOfCallee(InstructionId i, const Called &called) {
  const Instruction &instruction = computation_->instructions[i];
  const bool isLoop = instruction.op.is<WhileOp>();
  if (!isLoop && !instruction.op.is<CallOp>()) return;
  if (!hasOpenSizes(shapesOf(instruction.op))) return;
  const auto callee = isLoop ? calleeOf(instruction, CallRole::Body)
                             : calleeOfCall(instruction);
  if (!callee || callee->computation < 0) return;
  ProgramShapes *inside = called(callee->computation);
  if (!inside) return;
  const Computation &body = *inside->computation_;
  if (callee->arguments.size() < body.parameters.size()) return;
  const PassedSizes passed(*inside, *callee, leaves_[i]);
  const ShapeList &results = shapesOf(instruction.op).results;
  for (size_t r = 0; r < results.size(); ++r)
    for (int64_t k = 0; k < results[r].rank(); ++k) {
      const Node result = {i, LeafId(r), k};
      if (!nodes_.count(result)) continue;
      const auto size = inside->size({body.root, LeafId(r)}, k);
      if (!size) continue;
      const auto from =
          isLoop ? passed.same({r, k}, *size) : passed.first(*size);
      if (!from) continue;
      const OperandLeaf &source = leaves_[i][from->first];
      addEqual(result, {source.instruction, source.result, from->second});
    }
}

void ProgramShapes::addRules(InstructionId i) {
  const Op &op = computation_->instructions[i].op;
  if (!hasOpenSizes(shapesOf(op))) return;
  rules_.push_back(std::make_unique<SizeRules>(sizeRulesOf(op)));
  for (const auto &[a, b] : rules_.back()->equalities())
    addEqual(nodeOf(i, a), nodeOf(i, b));
  for (const SizeRules::Definition &definition : rules_.back()->definitions())
    if (auto node = nodes_.find(nodeOf(i, definition.ref));
        node != nodes_.end())
      classes_[sizes_.first(node->second)].formulas.push_back(
          {i, &definition.formula});
}

//===-- Sizes as expressions ----------------------------------------------===//

Interval ProgramShapes::boundsOf(FormId form) {
  auto bounds = [&](VariableId id) {
    return variables_[id.index].known.bounds;
  };
  return FormBounds(pool_, bounds)(form);
}

FormId ProgramShapes::variableForm(SizeFacts::Variable variable,
                                   bool isParameter) {
  for (uint32_t i = 0; i < variables_.size(); ++i)
    if (variables_[i].known.source == variable.source &&
        variables_[i].known.index == variable.index &&
        variables_[i].known.bounds == variable.bounds)
      return pool_.variable({VariableKind::Runtime, i});
  variables_.push_back({std::move(variable), isParameter});
  return pool_.variable(
      {VariableKind::Runtime, static_cast<uint32_t>(variables_.size() - 1)});
}

FormId ProgramShapes::sizeVariable(size_t first) {
  const auto [instruction, leaf, dimension] = refs_[first];
  SizeFacts::Variable variable;
  variable.source.kind = RuntimeSource::Kind::Size;
  variable.source.tensor = SizeFacts::kOutside + number_({instruction, leaf});
  variable.source.dimension = dimension;
  variable.bounds = {0, Interval::kInfinity};
  if (const int64_t size = sizes_.known(first).size; size != kDynamicSize)
    variable.bounds.upper = variable.source.count = size;
  return variableForm(std::move(variable), isOfParameter(first));
}

FormId ProgramShapes::elementVariable(InstructionLeaf leaf,
                                      llvm::ArrayRef<int64_t> index,
                                      Interval bounds) {
  SizeFacts::Variable variable;
  variable.source.kind = RuntimeSource::Kind::Element;
  variable.source.tensor = SizeFacts::kOutside + number_(leaf);
  variable.bounds = bounds;
  variable.index = index.vec();
  return variableForm(std::move(variable), false);
}

/// Whether it is made of parameters' sizes alone.
bool ProgramShapes::isOfParameters(FormId form) const {
  bool all = true;
  pool_.visitVariables({form}, [&](VariableId id) {
    all &= variables_[id.index].isParameter &&
           variables_[id.index].known.source.kind == RuntimeSource::Kind::Size;
  });
  return all;
}

FormId ProgramShapes::formOf(size_t first) {
  Class &of = classes_[first];
  if (of.form) return *of.form;
  if (const KnownSize known = sizes_.known(first); known.fixed)
    return *(of.form = pool_.constantForm(known.size));
  // A size that follows from itself is a variable of its own.
  if (of.open) {
    of.circular = true;
    return sizeVariable(first);
  }
  of.open = true;
  // A number is best, then sizes of other parameters.
  auto rank = [&](FormId form) {
    return pool_.isConstant(form) ? 2 : isOfParameters(form) ? 1 : 0;
  };
  std::optional<FormId> made;
  if (isOfParameter(first)) made = sizeVariable(first);
  int best = made ? 0 : -1;
  for (const auto &[i, formula] : of.formulas) {
    Context context(*this, i);
    of.circular = false;
    const auto expression = (*formula)(context);
    if (!expression || of.circular || rank(expression->form()) <= best)
      continue;
    made = expression->form();
    best = rank(*made);
  }
  if (!made) made = sizeVariable(first);
  of.open = false;
  return *(of.form = *made);
}

std::optional<FormId> ProgramShapes::size(InstructionLeaf leaf,
                                          int64_t dimension) {
  const auto found = find(leaf, dimension);
  if (!found) return std::nullopt;
  return formOf(*found);
}

ProgramShapes::Sources ProgramShapes::sourcesOf(
    InstructionLeaf leaf, int64_t dimension, const std::vector<bool> &below) {
  Sources sources;
  std::vector<size_t> waiting;
  std::set<size_t> seen;
  if (const auto first = find(leaf, dimension)) waiting.push_back(*first);
  while (!waiting.empty()) {
    const size_t at = waiting.back();
    waiting.pop_back();
    if (!seen.insert(at).second || sizes_.known(at).fixed) continue;
    bool isSaid = false;
    for (const auto &[i, formula] : classes_[at].formulas) {
      if (!below[i]) continue;
      SourceContext context(*this, i, waiting, sources.elements);
      isSaid |= (*formula)(context).has_value();
    }
    if (isSaid || isOfParameter(at)) continue;
    for (const auto &[node, number] : nodes_) {
      const InstructionId i = std::get<0>(node);
      if (sizes_.first(number) != at || !below[i]) continue;
      for (const OperandLeaf &operand : leaves_[i]) {
        const InstructionLeaf whole = {operand.instruction, operand.result};
        sources.wholes.push_back(whole);
        const int64_t rank = shapeOf(whole).rank();
        for (int64_t k = 0; k < rank; ++k)
          if (const auto of = find(whole, k)) waiting.push_back(*of);
      }
    }
  }
  return sources;
}

std::shared_ptr<const SizeFacts> ProgramShapes::factsOf(
    InstructionId instruction) {
  if (!isOpen()) return nullptr;
  return std::make_shared<Facts>(*this, instruction);
}

}  // namespace indexical
