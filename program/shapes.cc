#include "indexical/program/shapes.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/relation.h"
#include "indexical/program/fold.h"
#include "indexical/program/sized_maps.h"

namespace indexical {
namespace {

size_t operandsOf(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::Same:
    case Arithmetic::SignExtend:
    case Arithmetic::ZeroExtend:
    case Arithmetic::Negate:
      return 1;
    case Arithmetic::Clamp:
      return 3;
    default:
      return 2;
  }
}

}  // namespace

//===-- Formulas ----------------------------------------------------------===//

/// An instruction's formulas, as expressions of the computation's.
class ProgramShapes::Context : public SizeContext {
 public:
  Context(ProgramShapes &shapes, int32_t instruction)
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
    if (auto form = shapes_.size(i, leaf, k)) return of(*form);
    return constant(shapes_.shapeOf(i, leaf).dimensions[k]);
  }
  /// An element that divides is seen to be at least 1: by what it follows from,
  /// or as a variable of its own.
  Expr element(int64_t operand, llvm::ArrayRef<int64_t> index,
               Interval bounds) override {
    const OperandLeaf &leaf = shapes_.leaves_[instruction_][operand];
    const bool divides = bounds.lower >= 1;
    const auto form = shapes_.element(leaf.instruction, leaf.result, index);
    if (form && (!divides || bounds.contains(shapes_.boundsOf(*form))))
      return of(*form);
    return of(shapes_.elementVariable(leaf.instruction, leaf.result, index,
                                      divides ? bounds : Interval::all()));
  }

 private:
  Expr of(FormId form) { return {&shapes_.pool_, form}; }
  ProgramShapes &shapes_;
  const int32_t instruction_;
};

class ProgramShapes::Facts : public SizeFacts {
 public:
  Facts(ProgramShapes &shapes, int32_t instruction)
      : shapes_(shapes), instruction_(instruction) {}
  const ExpressionTable &table() const override { return shapes_.pool_; }
  const Variable &variable(uint32_t i) const override {
    return shapes_.variables_[i].known;
  }
  std::optional<FormId> size(SizeRef ref) const override {
    const auto [i, leaf, k] = shapes_.nodeOf(instruction_, ref);
    return shapes_.size(i, leaf, k);
  }
  std::optional<FormId> element(int64_t operand,
                                llvm::ArrayRef<int64_t> index) const override {
    const OperandLeaf &leaf = shapes_.leaves_[instruction_][operand];
    return shapes_.element(leaf.instruction, leaf.result, index);
  }

 private:
  ProgramShapes &shapes_;
  const int32_t instruction_;
};

//===-- Classes of equal sizes --------------------------------------------===//

ProgramShapes::ProgramShapes(const Computation &computation, Number number)
    : computation_(computation), number_(std::move(number)) {
  addNodes();
  const int32_t count = computation.instructions.size();
  for (int32_t i = 0; i < count; ++i)
    leaves_.push_back(computation.operandLeaves(i));
  if (!isOpen()) return;
  for (int32_t i = 0; i < count; ++i) addRules(i);
}

const ArrayShape &ProgramShapes::shapeOf(int32_t instruction,
                                         int64_t leaf) const {
  return shapesOf(computation_.instructions[instruction].op).results[leaf];
}

void ProgramShapes::addNodes() {
  const int32_t count = computation_.instructions.size();
  for (int32_t i = 0; i < count; ++i) {
    const Instruction &instruction = computation_.instructions[i];
    const ShapeList &results = shapesOf(instruction.op).results;
    for (int64_t leaf = 0; leaf < static_cast<int64_t>(results.size());
         ++leaf) {
      if (!hasOpenSize(results[leaf])) continue;
      for (int64_t k = 0; k < results[leaf].rank(); ++k) {
        const int64_t size = results[leaf].dimensions[k];
        const bool fixed =
            size != kDynamicSize &&
            (results[leaf].dynamic.empty() || !results[leaf].dynamic[k]);
        if (fixed) continue;
        nodes_[{i, leaf, k}] = parent_.size();
        parent_.push_back(parent_.size());
        Class &made = classes_.emplace_back();
        made.size = size;
        made.instruction = i;
        made.leaf = leaf;
        made.dimension = k;
        made.isParameter = instruction.parameterNumber >= 0;
      }
    }
  }
}

std::optional<size_t> ProgramShapes::find(int32_t instruction, int64_t leaf,
                                          int64_t dimension) const {
  auto found = nodes_.find({instruction, leaf, dimension});
  if (found == nodes_.end()) return std::nullopt;
  return root(found->second);
}

size_t ProgramShapes::root(size_t node) const {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

ProgramShapes::Node ProgramShapes::nodeOf(int32_t instruction,
                                          SizeRef ref) const {
  const int64_t operands = leaves_[instruction].size();
  if (ref.tensor >= operands)
    return {instruction, ref.tensor - operands, ref.dimension};
  const OperandLeaf &leaf = leaves_[instruction][ref.tensor];
  return {leaf.instruction, leaf.result, ref.dimension};
}

void ProgramShapes::fix(size_t node, int64_t size) {
  Class &of = classes_[root(node)];
  of.fixed = true;
  of.size = size;
}

void ProgramShapes::join(size_t a, size_t b) {
  a = root(a), b = root(b);
  if (a == b) return;
  Class &x = classes_[a], &y = classes_[b];
  parent_[b] = a;
  if (y.fixed) {
    x.fixed = true;
    x.size = y.size;
  } else if (!x.fixed && y.size != kDynamicSize) {
    x.size = x.size == kDynamicSize ? y.size : std::min(x.size, y.size);
  }
  auto order = [&](const Class &c) {
    const Instruction &i = computation_.instructions[c.instruction];
    return std::make_tuple(!c.isParameter,
                           c.isParameter ? i.parameterNumber : c.instruction,
                           c.leaf, c.dimension);
  };
  if (order(y) < order(x)) {
    x.instruction = y.instruction;
    x.leaf = y.leaf;
    x.dimension = y.dimension;
    x.isParameter = y.isParameter;
  }
  x.formulas.insert(x.formulas.end(), y.formulas.begin(), y.formulas.end());
}

void ProgramShapes::addRules(int32_t i) {
  const Op &op = computation_.instructions[i].op;
  if (!hasOpenSizes(shapesOf(op))) return;
  rules_.push_back(std::make_unique<SizeRules>(sizeRulesOf(op)));
  if (const auto *custom = op.as<CustomOp>())
    if (const auto *sized = dynamic_cast<const SizedMaps *>(custom->maps.get()))
      sized->addSizeRules(shapesOf(op), *rules_.back());
  for (const auto &[a, b] : rules_.back()->equalities()) {
    const Node x = nodeOf(i, a), y = nodeOf(i, b);
    const auto p = nodes_.find(x), q = nodes_.find(y);
    auto sizeOf = [&](const Node &node) {
      return shapeOf(std::get<0>(node), std::get<1>(node))
          .dimensions[std::get<2>(node)];
    };
    if (p != nodes_.end() && q != nodes_.end())
      join(p->second, q->second);
    else if (p != nodes_.end())
      fix(p->second, sizeOf(y));
    else if (q != nodes_.end())
      fix(q->second, sizeOf(x));
  }
  for (const SizeRules::Definition &definition : rules_.back()->definitions())
    if (auto node = nodes_.find(nodeOf(i, definition.ref));
        node != nodes_.end())
      classes_[root(node->second)].formulas.push_back({i, &definition.formula});
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

FormId ProgramShapes::sizeVariable(const Class &of) {
  SizeFacts::Variable variable;
  variable.source.kind = RuntimeSource::Kind::Size;
  variable.source.tensor =
      SizeFacts::kOutside + number_(of.instruction, of.leaf);
  variable.source.dimension = of.dimension;
  variable.bounds = {0, Interval::kInfinity};
  if (of.size != kDynamicSize)
    variable.bounds.upper = variable.source.count = of.size;
  return variableForm(std::move(variable), of.isParameter);
}

FormId ProgramShapes::elementVariable(int32_t instruction, int64_t leaf,
                                      llvm::ArrayRef<int64_t> index,
                                      Interval bounds) {
  SizeFacts::Variable variable;
  variable.source.kind = RuntimeSource::Kind::Element;
  variable.source.tensor = SizeFacts::kOutside + number_(instruction, leaf);
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

FormId ProgramShapes::formOf(size_t root) {
  if (classes_[root].form) return *classes_[root].form;
  if (classes_[root].fixed)
    return *(classes_[root].form = pool_.constantForm(classes_[root].size));
  // What follows from itself is one of its own.
  if (classes_[root].open) {
    classes_[root].circular = true;
    return sizeVariable(classes_[root]);
  }
  classes_[root].open = true;
  // A number says most, then the sizes of other parameters.
  auto rank = [&](FormId form) {
    return pool_.isConstant(form) ? 2 : isOfParameters(form) ? 1 : 0;
  };
  std::optional<FormId> made;
  if (classes_[root].isParameter) made = sizeVariable(classes_[root]);
  int best = made ? 0 : -1;
  for (const auto &[i, formula] : classes_[root].formulas) {
    Context context(*this, i);
    classes_[root].circular = false;
    const auto expression = (*formula)(context);
    if (!expression || classes_[root].circular ||
        rank(expression->form()) <= best)
      continue;
    made = expression->form();
    best = rank(*made);
  }
  if (!made) made = sizeVariable(classes_[root]);
  classes_[root].open = false;
  return *(classes_[root].form = *made);
}

std::optional<FormId> ProgramShapes::size(int32_t instruction, int64_t leaf,
                                          int64_t dimension) {
  const auto found = find(instruction, leaf, dimension);
  if (!found) return std::nullopt;
  return formOf(*found);
}

std::shared_ptr<const SizeFacts> ProgramShapes::factsOf(int32_t instruction) {
  if (!isOpen()) return nullptr;
  return std::make_shared<Facts>(*this, instruction);
}

//===-- Elements ----------------------------------------------------------===//

std::optional<FormId> ProgramShapes::element(int32_t instruction, int64_t leaf,
                                             llvm::ArrayRef<int64_t> index) {
  const auto key = std::make_tuple(instruction, leaf, index.vec());
  if (auto found = elements_.find(key); found != elements_.end())
    return found->second;
  // What follows from itself, or from too much, is not known.
  constexpr int kDeepest = 400;
  elements_[key] = std::nullopt;
  if (depth_ == kDeepest) return std::nullopt;
  ++depth_;
  const auto value = valueOf(instruction, leaf, index);
  --depth_;
  return elements_[key] = value;
}

/// The element, or a variable for it.
std::optional<FormId> ProgramShapes::valueOf(int32_t instruction, int64_t leaf,
                                             llvm::ArrayRef<int64_t> index) {
  const Instruction &i = computation_.instructions[instruction];
  const ShapeList &results = shapesOf(i.op).results;
  const ArrayShape &shape = results[leaf];
  const bool integral =
      shape.type == ElementType::Unknown || isInteger(shape.type);
  if (!integral || shape.rank() != static_cast<int64_t>(index.size()))
    return std::nullopt;
  for (int64_t k = 0; k < shape.rank(); ++k)
    if (shape.dimensions[k] != kDynamicSize && index[k] >= shape.dimensions[k])
      return std::nullopt;
  auto operandElement = [&](size_t k, llvm::ArrayRef<int64_t> at) {
    const OperandLeaf &operand = leaves_[instruction][k];
    return element(operand.instruction, operand.result, at);
  };
  std::optional<FormId> value;
  if (auto *constant = i.op.as<ConstantOp>()) {
    if (!constant->values.empty()) {
      int64_t place = 0;
      for (int64_t k = 0; k < shape.rank(); ++k)
        place = place * shape.dimensions[k] + index[k];
      const int64_t number = constant->values[place];
      if (number != INT64_MIN) value = pool_.constantForm(number);
    }
  } else if (auto *iota = i.op.as<IotaOp>()) {
    value = pool_.constantForm(index[iota->dimension]);
  } else if (auto *nullary = i.op.as<NullaryOp>()) {
    if (nullary->sizeOf && !leaves_[instruction].empty()) {
      const int64_t k = *nullary->sizeOf == NullaryOp::kAllSizes
                            ? index[0]
                            : *nullary->sizeOf;
      const OperandLeaf &of = leaves_[instruction][0];
      value = size(of.instruction, of.result, k);
      if (!value)
        value = pool_.constantForm(
            shapeOf(of.instruction, of.result).dimensions[k]);
    }
  } else if (auto *forward = i.op.as<ForwardOp>()) {
    if (forward->reads[leaf] >= 0)
      value = operandElement(forward->reads[leaf], index);
  } else if (auto *all = i.op.as<ConcatenateOp>()) {
    llvm::SmallVector<int64_t, 4> at(index.begin(), index.end());
    int64_t &along = at[all->dimension];
    for (size_t k = 0; k < all->operands.size() && !value; ++k) {
      const ArrayShape &part = all->operands[k];
      if (hasOpenSize(part)) break;
      const int64_t size = part.dimensions[all->dimension];
      if (along < size) {
        value = operandElement(k, at);
        break;
      }
      along -= size;
    }
  } else if (i.op.is<ElementwiseOp>()) {
    value = computed(instruction, index);
  } else if (i.op.is<BroadcastOp>() || i.op.is<TransposeOp>() ||
             i.op.is<ReverseOp>() || i.op.is<SliceOp>() ||
             i.op.is<ReshapeOp>() || i.op.is<BitcastOp>() ||
             i.op.is<DynamicReshapeOp>()) {
    auto relation = indexing(i.op, Direction::OutputToInput, 0, 0);
    if (relation.ok() && relation->pieces().size() == 1 &&
        relation->precision() == Precision::Exact) {
      const IndexingMap &map = relation->pieces()[0];
      IndexingMap::Point point;
      point.dimensions.assign(index.begin(), index.end());
      if (map.ranges().empty() && map.runtime().empty())
        if (auto at = map.evaluate(point)) value = operandElement(0, *at);
    }
  } else if (i.op.is<CustomOp>()) {
    value = ofTensors(instruction, index);
  }
  if (value && fits(*value, shape.type)) return value;
  return elementVariable(instruction, leaf, index);
}

/// Elements that ops of MLIR's tensor and shape dialects hand on, by the op's
/// name.
std::optional<FormId> ProgramShapes::ofTensors(int32_t instruction,
                                               llvm::ArrayRef<int64_t> index) {
  const Instruction &i = computation_.instructions[instruction];
  const auto &leaves = leaves_[instruction];
  auto shapeOfLeaf = [&](const OperandLeaf &leaf) -> const ArrayShape & {
    return shapeOf(leaf.instruction, leaf.result);
  };
  auto operandElement = [&](size_t k, llvm::ArrayRef<int64_t> at) {
    return element(leaves[k].instruction, leaves[k].result, at);
  };
  if (i.opcode == "tensor.from_elements") {
    int64_t number = 0;
    for (auto [k, at] : llvm::enumerate(index))
      number = number * shapeOf(instruction, 0).dimensions[k] + at;
    if (number >= static_cast<int64_t>(leaves.size())) return std::nullopt;
    return operandElement(number, {});
  }
  if (i.opcode == "tensor.splat" && !leaves.empty())
    return operandElement(0, {});
  if (i.opcode == "tensor.extract" && !leaves.empty()) {
    llvm::SmallVector<int64_t, 4> at;
    for (size_t k = 1; k < leaves.size(); ++k) {
      const auto number = operandElement(k, {});
      if (!number || !pool_.isConstant(*number)) return std::nullopt;
      at.push_back(pool_.constant(*number));
      if (at.back() < 0) return std::nullopt;
    }
    return operandElement(0, at);
  }
  if (i.opcode == "shape.num_elements" && leaves.size() == 1) {
    const ArrayShape &sizes = shapeOfLeaf(leaves[0]);
    if (sizes.rank() != 1 || hasOpenSize(sizes)) return std::nullopt;
    FormId product = pool_.constantForm(1);
    for (int64_t k = 0; k < sizes.dimensions[0]; ++k) {
      const auto size = operandElement(0, {k});
      if (!size) return std::nullopt;
      product = pool_.product(product, *size);
    }
    return product;
  }
  return std::nullopt;
}

/// Whether a type holds the value. A size is taken to fit, but a negative
/// number is none of an unsigned type.
bool ProgramShapes::fits(FormId form, ElementType type) {
  const Interval held = valuesOf(type);
  if (pool_.isConstant(form)) return held.contains(pool_.constant(form));
  return held.lower != 0 || boundsOf(form).lower >= 0;
}

std::optional<FormId> ProgramShapes::larger(FormId a, FormId b) {
  const Interval left = boundsOf(a), right = boundsOf(b);
  if (left.lower >= right.upper) return a;
  if (right.lower >= left.upper) return b;
  return std::nullopt;
}

std::optional<FormId> ProgramShapes::smaller(FormId a, FormId b) {
  const auto other = larger(a, b);
  if (!other) return std::nullopt;
  return *other == a ? b : a;
}

std::optional<FormId> ProgramShapes::computed(int32_t instruction,
                                              llvm::ArrayRef<int64_t> index) {
  const Instruction &i = computation_.instructions[instruction];
  const Traits &traits = traitsOf(i.op);
  const Arithmetic arithmetic = traits.arithmetic;
  if (arithmetic == Arithmetic::None) return std::nullopt;
  llvm::SmallVector<FormId, 3> values;
  for (const OperandLeaf &operand : leaves_[instruction]) {
    // A scalar counts for all elements.
    const bool isScalar =
        shapeOf(operand.instruction, operand.result).isScalar();
    auto value = element(operand.instruction, operand.result,
                         isScalar ? llvm::ArrayRef<int64_t>() : index);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (values.size() != operandsOf(arithmetic)) return std::nullopt;
  const FormId a = values[0];
  const Interval left = boundsOf(a);
  if (traits.isUnsigned && llvm::any_of(values, [&](FormId value) {
        return boundsOf(value).lower < 0;
      }))
    return std::nullopt;
  if (values.size() == 1) {
    if (arithmetic == Arithmetic::Negate) return pool_.scale(a, -1);
    if (arithmetic == Arithmetic::SignExtend &&
        shapesOf(i.op).operands[0].type == ElementType::Pred)
      return std::nullopt;
    return a;
  }
  const FormId b = values[1];
  const Interval right = boundsOf(b);
  switch (arithmetic) {
    case Arithmetic::Add:
      return pool_.add(a, b);
    case Arithmetic::Subtract:
      return pool_.sub(a, b);
    case Arithmetic::Multiply:
      return pool_.product(a, b);
    // These round toward 0; sizes are not negative.
    case Arithmetic::Divide:
      if (left.lower < 0 || right.lower < 1) return std::nullopt;
      return pool_.quotient(a, b);
    case Arithmetic::Remainder:
      if (left.lower < 0 || right.lower < 1) return std::nullopt;
      return pool_.remainder(a, b);
    case Arithmetic::Maximum:
      return larger(a, b);
    case Arithmetic::Minimum:
      return smaller(a, b);
    case Arithmetic::Clamp: {
      const auto atLeast = larger(a, b);
      return atLeast ? smaller(*atLeast, values[2]) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace indexical
