#include "indexical/program/maps/run_conditions.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/fold.h"
#include "indexical/indexing/map_text.h"
#include "indexical/ops/families.h"
#include "indexical/ops/run_rules.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/values/shapes.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/constraint_rules.h"
#include "indexical/simplifier/size_prover.h"

namespace indexical {
namespace {

// A module of calls of calls has as many instructions: what is called beyond
// has conditions of its own.
constexpr int64_t kMostInstructions = 200'000;

InstructionLeaf leafOf(int64_t number) {
  return numberedLeaf(number - SizeFacts::kOutside);
}

/// A computation at one place from which it is called.
struct Frame {
  Frame(const Module &module, ComputationId id)
      : id(id), of(module.computations[id]), shapes(of, leafNumber) {}

  const ComputationId id;
  const Computation &of;
  ProgramShapes shapes;
  /// The frame that calls it and the caller's leaves that its parameters are.
  Frame *caller = nullptr;
  std::map<InstructionLeaf, InstructionLeaf> arguments;
  std::map<InstructionId, std::unique_ptr<Frame>> called;
  std::map<std::tuple<InstructionId, LeafId, int64_t>, FormId> sizes;
};

/// Goes through a computation, and through what it calls.
class Walk {
 public:
  Walk(const Module &module, std::vector<bool> &isSeen, int64_t &steps)
      : module_(module), isSeen_(isSeen), steps_(steps) {}

  RuntimeConditions conditionsOf(ComputationId id) {
    made_.computation = id;
    Frame frame(module_, id);
    walk(frame);
    finish();
    return std::move(made_);
  }

 private:
  class Context;
  struct OpenDimension {
    SizeRef ref;
    std::optional<FormId> form;  ///< nothing: a result's that is not known yet
  };

  void walk(Frame &frame);
  void visit(Frame &frame, InstructionId i);
  bool enter(Frame &frame, InstructionId i);
  void visitLoop(Frame &frame, InstructionId i);
  FormId own(Frame &frame, InstructionLeaf leaf, int64_t dimension);
  FormId variable(RunValue value);
  FormId sizeOf(Frame &frame, InstructionLeaf leaf, int64_t dimension);
  FormId elementOf(Frame &frame, InstructionLeaf leaf,
                   llvm::ArrayRef<int64_t> index);
  FormId inNamesOf(Frame &frame, FormId form);
  void require(const Frame &frame, InstructionId i, FormId form,
               Interval bounds);
  void finish();
  void dropImplied(const std::vector<Constraint> &guards);

  const ArrayShape &shapeOf(const Frame &frame, InstructionLeaf leaf) const {
    return shapesOf(frame.of.instructions[leaf.instruction].op)
        .results[leaf.leaf];
  }

  const Module &module_;
  std::vector<bool> &isSeen_;  ///< by computation: walked as part of a caller
  int64_t &steps_;
  RuntimeConditions made_;
  /// What divisors with values of their own are, and the bounds of these.
  std::vector<Constraint> guards_;
};

//===-- Values ------------------------------------------------------------===//

FormId Walk::variable(RunValue value) {
  ExpressionPool &pool = made_.pool;
  for (uint32_t i = 0; i < made_.values.size(); ++i) {
    const RunValue &other = made_.values[i];
    if (other.computation == value.computation &&
        other.isSize == value.isSize &&
        other.leaf.instruction == value.leaf.instruction &&
        other.leaf.leaf == value.leaf.leaf &&
        other.dimension == value.dimension && other.index == value.index &&
        other.bounds == value.bounds && !value.isSize)
      return pool.variable({VariableKind::Dimension, i});
  }
  made_.values.push_back(std::move(value));
  return pool.variable({VariableKind::Dimension,
                        static_cast<uint32_t>(made_.values.size() - 1)});
}

/// Returns the size as a value of its own.
FormId Walk::own(Frame &frame, InstructionLeaf leaf, int64_t dimension) {
  const ArrayShape &shape = shapeOf(frame, leaf);
  if (const auto fixed = sizeIfFixed(shape, dimension))
    return made_.pool.constantForm(*fixed);
  RunValue value;
  value.computation = frame.id;
  value.leaf = leaf;
  value.dimension = dimension;
  const int64_t bound = shape.dimensions[dimension];
  value.bounds = {0, bound == kDynamicSize ? Interval::kInfinity : bound};
  return variable(std::move(value));
}

FormId Walk::sizeOf(Frame &frame, InstructionLeaf leaf, int64_t dimension) {
  const auto key = std::make_tuple(leaf.instruction, leaf.leaf, dimension);
  if (const auto found = frame.sizes.find(key); found != frame.sizes.end())
    return found->second;
  return frame.sizes[key] = own(frame, leaf, dimension);
}

/// Returns a form of the frame's sizes and elements in the names of the walk.
FormId Walk::inNamesOf(Frame &frame, FormId form) {
  auto replace = [&](VariableId id) {
    const SizeFacts::Variable &known = frame.shapes.variable(id.index);
    const InstructionLeaf leaf = leafOf(known.source.tensor);
    if (known.source.kind == RuntimeSource::Kind::Size)
      return sizeOf(frame, leaf, known.source.dimension);
    return elementOf(frame, leaf, known.index);
  };
  ExpressionImport import(frame.shapes.table(), made_.pool, replace);
  return import(form);
}

FormId Walk::elementOf(Frame &frame, InstructionLeaf leaf,
                       llvm::ArrayRef<int64_t> index) {
  // What the frame's sizes say of it names itself if they say nothing.
  const auto form = frame.shapes.element(leaf, index);
  if (form) {
    const auto single = frame.shapes.table().asVariable(*form);
    const bool isElement =
        single && frame.shapes.variable(single->index).source.kind !=
                      RuntimeSource::Kind::Size;
    if (!isElement) return inNamesOf(frame, *form);
    const SizeFacts::Variable &known = frame.shapes.variable(single->index);
    leaf = leafOf(known.source.tensor);
    const std::vector<int64_t> at = known.index;
    if (const auto passed = frame.arguments.find(leaf);
        frame.caller && passed != frame.arguments.end())
      return elementOf(*frame.caller, passed->second, at);
    if (const auto callee = frame.called.find(leaf.instruction);
        callee != frame.called.end())
      return elementOf(*callee->second, {callee->second->of.root, leaf.leaf},
                       at);
    RunValue value;
    value.computation = frame.id;
    value.leaf = leaf;
    value.isSize = false;
    value.index = at;
    value.bounds = Interval::all();
    return variable(std::move(value));
  }
  RunValue value;
  value.computation = frame.id;
  value.leaf = leaf;
  value.isSize = false;
  value.index = index.vec();
  value.bounds = Interval::all();
  return variable(std::move(value));
}

/// The sizes and the elements of an instruction's op.
class Walk::Context : public SizeContext {
 public:
  Context(Walk &walk, Frame &frame, InstructionId i)
      : walk_(walk), frame_(frame), leaves_(frame.of.operandLeaves(i)), i_(i) {}

  InstructionLeaf leaf(int64_t tensor) const {
    const int64_t operands = leaves_.size();
    if (tensor >= operands) return {i_, LeafId(tensor - operands)};
    return {leaves_[tensor].instruction, leaves_[tensor].result};
  }
  FormId form(SizeRef ref) {
    return walk_.sizeOf(frame_, leaf(ref.tensor), ref.dimension);
  }

  Expr constant(int64_t value) override {
    return of(walk_.made_.pool.constantForm(value));
  }
  std::optional<int64_t> valueOf(Expr expression) const override {
    const ExpressionPool &pool = walk_.made_.pool;
    if (!pool.isConstant(expression.form())) return std::nullopt;
    return pool.constant(expression.form());
  }
  Expr size(SizeRef ref) override { return of(form(ref)); }
  /// Returns the element as an expression. A divisor that is not known to be at
  /// least 1 becomes a value of its own, with these bounds: the op asks for
  /// them in a condition.
  Expr element(int64_t operand, llvm::ArrayRef<int64_t> index,
               Interval bounds) override {
    const FormId form = walk_.elementOf(frame_, leaf(operand), index);
    auto boundsOf = [&](VariableId id) {
      return walk_.made_.values[id.index].bounds;
    };
    if (bounds.lower < 1 ||
        bounds.contains(FormBounds(walk_.made_.pool, boundsOf)(form)))
      return of(form);
    RunValue value;
    value.computation = frame_.id;
    value.leaf = leaf(operand);
    value.isSize = false;
    value.index = index.vec();
    value.bounds = bounds;
    walk_.guards_.push_back({form, bounds});
    return of(walk_.variable(std::move(value)));
  }

 private:
  Expr of(FormId form) const { return {&walk_.made_.pool, form}; }

  Walk &walk_;
  Frame &frame_;
  const llvm::SmallVector<OperandLeaf, 4> leaves_;
  const InstructionId i_;
};

//===-- Instructions ------------------------------------------------------===//

void Walk::require(const Frame &frame, InstructionId i, FormId form,
                   Interval bounds) {
  made_.conditions.push_back({frame.id, i, form, bounds});
}

/// Goes through what a call runs. Returns false if it is too much.
bool Walk::enter(Frame &frame, InstructionId i) {
  const Instruction &call = frame.of.instructions[i];
  if (!call.op.is<CallOp>() || steps_ > kMostInstructions) return false;
  const auto callee = calleeOfCall(call);
  if (!callee || callee->computation < 0 ||
      callee->arguments.size() <
          module_.computations[callee->computation].parameters.size())
    return false;
  auto inside = std::make_unique<Frame>(module_, callee->computation);
  inside->caller = &frame;
  const auto leaves = frame.of.operandLeaves(i);
  for (const auto &[at, operand] : passedLeaves(inside->of, *callee, leaves)) {
    if (operand < 0) continue;
    const InstructionLeaf to = {inside->of.parameters[at.parameter], at.leaf};
    const InstructionLeaf from = {leaves[operand].instruction,
                                  leaves[operand].result};
    inside->arguments[to] = from;
    const ArrayShape &shape = shapeOf(*inside, to);
    for (int64_t k = 0; k < shape.rank(); ++k) {
      const FormId size = sizeOf(frame, from, k);
      inside->sizes[{to.instruction, to.leaf, k}] = size;
      // A type of the callee may say what that of the argument does not.
      if (const auto fixed = sizeIfFixed(shape, k))
        require(frame, i, size, Interval::point(*fixed));
    }
  }
  isSeen_[callee->computation] = true;
  Frame &made = *inside;
  frame.called[i] = std::move(inside);
  walk(made);
  const ShapeList &results = shapesOf(frame.of.instructions[i].op).results;
  for (LeafId r; r < static_cast<int64_t>(results.size()); ++r)
    for (int64_t k = 0; k < results[r].rank(); ++k) {
      const FormId size = sizeOf(made, {made.of.root, r}, k);
      frame.sizes[{i, r, k}] = size;
      if (const auto fixed = sizeIfFixed(results[r], k))
        require(frame, i, size, Interval::point(*fixed));
    }
  return true;
}

/// A loop keeps the sizes of its state that its body returns as they came.
void Walk::visitLoop(Frame &frame, InstructionId i) {
  const Instruction &loop = frame.of.instructions[i];
  const auto body = calleeOf(loop, CallRole::Body);
  if (!body || body->computation < 0) return;
  const Computation &of = module_.computations[body->computation];
  if (body->arguments.size() < of.parameters.size()) return;
  ProgramShapes inside(of, leafNumber);
  if (!inside.isOpen()) return;
  const auto leaves = frame.of.operandLeaves(i);
  for (const auto &[at, operand] : passedLeaves(of, *body, leaves)) {
    if (operand < 0 ||
        operand >= static_cast<int64_t>(shapesOf(loop.op).results.size()))
      continue;
    const InstructionLeaf parameter = {of.parameters[at.parameter], at.leaf};
    const InstructionLeaf root = {of.root, LeafId(operand)};
    const int64_t rank = shapesOf(of.instructions[parameter.instruction].op)
                             .results[parameter.leaf]
                             .rank();
    for (int64_t k = 0; k < rank; ++k) {
      const auto before = inside.size(parameter, k),
                 after = inside.size(root, k);
      if (!before || before != after) continue;
      frame.sizes[{i, LeafId(operand), k}] = sizeOf(
          frame, {leaves[operand].instruction, leaves[operand].result}, k);
    }
  }
}

/// Gives the results of an instruction their sizes, and adds what its op asks.
void Walk::visit(Frame &frame, InstructionId i) {
  const Op &op = frame.of.instructions[i].op;
  Context context(*this, frame, i);
  const OpShapes &shapes = shapesOf(op);
  const int64_t operands = shapes.operands.size();
  const int64_t tensors = operands + shapes.results.size();
  std::vector<OpenDimension> all;
  llvm::SmallVector<size_t, 8> first;
  for (int64_t t = 0; t < tensors; ++t) {
    first.push_back(all.size());
    const ArrayShape &shape =
        t < operands ? shapes.operands[t] : shapes.results[t - operands];
    for (int64_t k = 0; k < shape.rank(); ++k) {
      OpenDimension dimension{{t, k}, std::nullopt};
      if (t < operands || sizeIfFixed(shape, k))
        dimension.form = context.form({t, k});
      all.push_back(dimension);
    }
  }
  const SizeRules rules = sizeRulesOf(op);
  auto node = [&](SizeRef ref) { return first[ref.tensor] + ref.dimension; };
  llvm::IntEqClasses classes(all.size());
  for (const auto &[a, b] : rules.equalities()) classes.join(node(a), node(b));
  std::map<size_t, FormId> forms;  // of classes
  for (size_t n = 0; n < all.size(); ++n) {
    if (!all[n].form) continue;
    const auto [at, isNew] =
        forms.insert({classes.findLeader(n), *all[n].form});
    if (!isNew)
      require(frame, i, made_.pool.sub(at->second, *all[n].form), {0, 0});
  }
  bool isWhole = true;
  // A definition may ask for a size of a result that has none yet.
  auto settle = [&] {
    for (size_t n = 0; n < all.size(); ++n) {
      const auto known = forms.find(classes.findLeader(n));
      if (all[n].form || known == forms.end()) continue;
      all[n].form = known->second;
      const InstructionLeaf leaf = context.leaf(all[n].ref.tensor);
      frame.sizes[{leaf.instruction, leaf.leaf, all[n].ref.dimension}] =
          known->second;
      const int64_t bound =
          shapeOf(frame, leaf).dimensions[all[n].ref.dimension];
      require(frame, i, known->second,
              {0, bound == kDynamicSize ? Interval::kInfinity : bound});
    }
  };
  settle();
  for (const SizeRules::Definition &definition : rules.definitions()) {
    const auto value = definition.formula(context);
    const size_t of = classes.findLeader(node(definition.ref));
    const auto known = forms.find(of);
    if (!value) {
      isWhole &= known == forms.end();
    } else if (known == forms.end()) {
      forms[of] = value->form();
      settle();
    } else {
      require(frame, i, made_.pool.sub(known->second, value->form()), {0, 0});
    }
  }
  for (const RunRule &rule : runRulesOf(op)) {
    const auto value = rule.value(context);
    if (value)
      require(frame, i, value->form(), rule.within);
    else
      isWhole = false;
  }
  if (!isWhole) made_.unknown.push_back({frame.id, i});
}

void Walk::walk(Frame &frame) {
  for (InstructionId i : frame.of.postOrder()) {
    ++steps_;
    const Instruction &instruction = frame.of.instructions[i];
    if (instruction.parameterNumber >= 0) continue;
    if (instruction.op.is<WhileOp>()) visitLoop(frame, i);
    if (enter(frame, i)) continue;
    // The others do not have sizes of their own.
    if (!instruction.op.isOneOf<CallOp, WhileOp, ConditionalOp>())
      visit(frame, i);
  }
}

//===-- What is left ------------------------------------------------------===//

/// Writes the conditions in their normal form, without those that hold always,
/// and each once.
void Walk::finish() {
  VariableBounds box;
  for (const RunValue &value : made_.values)
    box.variables[0].push_back(value.bounds);
  ExpressionPool pool;
  CanonicalForms forms(pool, box);
  auto same = [&](VariableId id) { return forms.variable(id); };
  ExpressionImport import(made_.pool, forms, same);
  auto boundsOf = [&](VariableId id) { return box[id]; };
  FormBounds bounds(pool, boundsOf);
  auto inNormalForm = [&](Constraint c) {
    c.form = import(c.form);
    for (bool changes = true; changes && !pool.terms(c.form).empty();) {
      changes = false;
      for (const ConstraintRule &rule : constraintRules()) {
        if (rule.when != ConstraintRule::When::Added) continue;
        const auto made = rule.what(pool, nullptr, c);
        if (!made) continue;
        c = {forms.linear({{made->form, 1}}, 0), made->bounds};
        changes = true;
        break;
      }
    }
    return c;
  };
  std::vector<RunCondition> all;
  bool isWhole = !made_.pool.overflowed();
  for (const RunCondition &given : made_.conditions) {
    const Constraint c = inNormalForm({given.form, given.bounds});
    if (pool.overflowed()) break;
    if (pool.isConstant(c.form)) {
      const Interval value = Interval::point(pool.constant(c.form));
      if (c.bounds.contains(value)) continue;
      made_.neverHold = true;
    }
    if (c.bounds.isEmpty()) made_.neverHold = true;
    if (c.bounds.contains(bounds(c.form))) continue;
    const bool isThere = llvm::any_of(all, [&](const RunCondition &other) {
      return other.form == c.form && c.bounds.contains(other.bounds);
    });
    if (isThere) continue;
    llvm::erase_if(all, [&](const RunCondition &other) {
      return other.form == c.form && other.bounds.contains(c.bounds);
    });
    all.push_back({given.computation, given.instruction, c.form, c.bounds});
  }
  std::vector<Constraint> guards;
  for (const Constraint &guard : guards_) guards.push_back(inNormalForm(guard));
  isWhole &= !pool.overflowed();
  // A number that leaves 64 bits leaves all as it was given, and says so.
  if (!isWhole) {
    for (const RunCondition &given : made_.conditions) {
      const auto at = std::make_pair(given.computation, given.instruction);
      if (!llvm::is_contained(made_.unknown, at)) made_.unknown.push_back(at);
    }
    made_.conditions.clear();
    return;
  }
  made_.pool = std::move(pool);
  made_.conditions = std::move(all);
  dropImplied(guards);
}

/// Drops the conditions that follow from those that stay, the longest and last
/// ones first. A guard says that a divisor with a value of its own is within
/// the bounds of that value. So guards come at the end, and do not follow from
/// such bounds.
void Walk::dropImplied(const std::vector<Constraint> &guards) {
  auto boundsOf = [&](VariableId id) { return made_.values[id.index].bounds; };
  if (made_.conditions.empty()) return;
  std::vector<Constraint> all;
  for (const RunCondition &c : made_.conditions)
    all.push_back({c.form, c.bounds});
  if (sizesRefute({made_.pool, boundsOf, all})) made_.neverHold = true;
  // All of them together are needed then.
  if (made_.neverHold) return;
  auto isGuard = [&](const RunCondition &condition) {
    return llvm::any_of(guards, [&](const Constraint &guard) {
      return guard.form == condition.form;
    });
  };
  auto ownBoundsOf = [&](VariableId id) {
    const RunValue &value = made_.values[id.index];
    return value.isSize ? value.bounds : Interval::all();
  };
  std::vector<std::tuple<bool, int64_t, size_t>> order;
  for (size_t i = 0; i < made_.conditions.size(); ++i)
    order.push_back({!isGuard(made_.conditions[i]),
                     made_.pool.writtenSize(made_.conditions[i].form), i});
  llvm::sort(order, std::greater<>());
  std::vector<bool> goes(made_.conditions.size(), false);
  for (const auto &[isPlain, length, i] : order) {
    std::vector<Constraint> others;
    for (size_t j = 0; j < made_.conditions.size(); ++j)
      if (j != i && !goes[j])
        others.push_back(
            {made_.conditions[j].form, made_.conditions[j].bounds});
    const RunCondition &own = made_.conditions[i];
    const Constraint claim = {own.form, own.bounds};
    goes[i] = isPlain ? sizesImply({made_.pool, boundsOf, others}, claim)
                      : sizesImply({made_.pool, ownBoundsOf, others}, claim);
  }
  std::vector<RunCondition> kept;
  for (size_t i = 0; i < goes.size(); ++i)
    if (!goes[i]) kept.push_back(made_.conditions[i]);
  made_.conditions = std::move(kept);
}

}  // namespace

std::string RuntimeConditions::text(const RunCondition &condition) const {
  auto nameOf = [](VariableId id) { return "rt" + std::to_string(id.index); };
  return printExpression(pool, condition.form, nameOf) + " in " +
         condition.bounds.str();
}

std::vector<uint32_t> RuntimeConditions::named() const {
  std::vector<uint32_t> numbers;
  for (const RunCondition &condition : conditions)
    pool.visitVariables({condition.form},
                        [&](VariableId id) { numbers.push_back(id.index); });
  llvm::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::vector<RuntimeConditions> runConditions(const Module &module) {
  std::vector<RuntimeConditions> all;
  std::vector<bool> isSeen(module.computations.size(), false);
  int64_t steps = 0;
  auto add = [&](ComputationId id) {
    isSeen[id] = true;
    RuntimeConditions made = Walk(module, isSeen, steps).conditionsOf(id);
    if (id == module.entry || !made.conditions.empty() ||
        !made.unknown.empty() || made.neverHold)
      all.push_back(std::move(made));
  };
  if (module.entry < 0) return all;
  add(module.entry);
  std::vector<bool> isCalled(module.computations.size(), false);
  for (const Computation &of : module.computations)
    for (const Instruction &instruction : of.instructions)
      if (const auto callee = calleeOfCall(instruction))
        if (callee->computation >= 0) isCalled[callee->computation] = true;
  // What is called is part of its callers, if they are not too large.
  const int64_t count = module.computations.size();
  for (bool called : {false, true})
    for (ComputationId c(0); c < count; ++c)
      if (!isSeen[c] && isCalled[c] == called) add(c);
  return all;
}

}  // namespace indexical
