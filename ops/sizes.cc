#include "indexical/ops/sizes.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/core/family.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/sized_maps.h"

namespace indexical {

std::optional<int64_t> sizeIfFixed(const ArrayShape &shape, int64_t dimension) {
  if (!families::isFixed(shape, dimension)) return std::nullopt;
  return shape.dimensions[dimension];
}

bool hasOpenSize(const ArrayShape &shape) { return !families::isFixed(shape); }

bool hasOpenSizes(const OpShapes &shapes) {
  return shapes.operands.hasOpenSize() || shapes.results.hasOpenSize();
}

bool mustBeCut(OpView op, int64_t result, int64_t operand) {
  const OpShapes &shapes = shapesOf(op);
  const bool isOpen = hasOpenSizes(shapes);
  if (isOpen && (hasOpenSize(shapes.results[result]) ||
                 hasOpenSize(shapes.operands[operand])))
    return true;
  // These may have thousands of leaves, each with maps of its own.
  if (op.isOneOf<ForwardOp, CoverOp, CallOp, ConditionalOp, WhileOp, StartOp>())
    return false;
  const size_t operands = shapes.operands.size();
  return isOpen || (op.is<SliceOp>() && operands > 1) ||
         (op.isOneOf<PadOp, GatherOp, ConvolutionOp>() && operands > 2);
}

SizeRules sizeRulesOf(OpView op) {
  SizeRules rules;
  SizeCollector collector(op.descriptor(), rules);
  op.family().addSizeRules(op.descriptor(), collector);
  if (const auto *custom = op.as<CustomOp>())
    if (const auto *sized = dynamic_cast<const SizedMaps *>(custom->maps.get()))
      sized->addSizeRules(op.descriptor(), rules);
  return rules;
}

//===-- Classes of equal sizes --------------------------------------------===//

const ArrayShape &OpSizes::shape(int64_t tensor) const {
  const int64_t operands = shapes_.operands.size();
  return tensor < operands ? shapes_.operands[tensor]
                           : shapes_.results[tensor - operands];
}

namespace {

/// Knows numbers only.
class Numbers : public SizeContext {
 public:
  Expr constant(int64_t value) override {
    return {&pool_, pool_.constantForm(value)};
  }
  std::optional<int64_t> valueOf(Expr expression) const override {
    if (!pool_.isConstant(expression.form())) return std::nullopt;
    return pool_.constant(expression.form());
  }
  Expr size(SizeRef) override { return unknown(); }
  Expr element(int64_t, llvm::ArrayRef<int64_t>, Interval) override {
    return unknown();
  }

 private:
  Expr unknown() {
    return {&pool_, pool_.variable({VariableKind::Runtime, 0})};
  }
  ExpressionPool pool_;
};

/// The number that a size must be; nothing if it depends on others.
std::optional<int64_t> numberOf(const SizeFormula &formula) {
  Numbers numbers;
  const auto size = formula(numbers);
  return size ? numbers.valueOf(*size) : std::nullopt;
}

}  // namespace

OpSizes::OpSizes(OpView op)
    : OpSizes(shapesOf(op),
              hasOpenSizes(shapesOf(op)) ? sizeRulesOf(op) : SizeRules()) {}

OpSizes::OpSizes(const OpShapes &shapes, SizeRules rules)
    : shapes_(shapes), rules_(std::move(rules)) {
  const int64_t operands = shapes.operands.size();
  const int64_t tensors = operands + shapes.results.size();
  for (int64_t t = 0; t < tensors; ++t) {
    first_.push_back(refs_.size());
    for (int64_t k = 0; k < shape(t).rank(); ++k) {
      classes_.add({shape(t).dimensions[k], families::isFixed(shape(t), k)});
      refs_.push_back({t, k});
    }
  }
  said_ = refs_;
  formulas_.resize(refs_.size(), nullptr);
  for (const SizeRules::Definition &definition : rules_.definitions()) {
    formulas_[node(definition.ref)] = &definition.formula;
    // A size of an operand is a variable of its own unless it is a number.
    if (isFixed(definition.ref) || !isOfOperand(definition.ref)) continue;
    const auto number = numberOf(definition.formula);
    if (number && *number >= 0)
      classes_.setKnown(node(definition.ref), {*number, true});
  }
  for (const auto &[a, b] : rules_.equalities()) join(a, b);
  if (!facts()) return;
  for (int64_t t = 0; t < tensors; ++t)
    for (int64_t k = 0; k < shape(t).rank(); ++k) {
      if (isFixed({t, k})) continue;
      auto fact = facts()->size({t, k});
      if (!fact || !facts()->table().isConstant(*fact)) continue;
      const int64_t size = facts()->table().constant(*fact);
      classes_.setKnown(node({t, k}),
                        size < 0 ? KnownSize() : KnownSize{size, true});
    }
}

bool OpSizes::areEqual(SizeRef a, SizeRef b) const {
  if (isFixed(a) || isFixed(b))
    return isFixed(a) && isFixed(b) && value(a) == value(b);
  if (classOf(a) == classOf(b) || !facts()) return classOf(a) == classOf(b);
  const auto p = facts()->size(a), q = facts()->size(b);
  return p && p == q;
}

/// `dimension 1 of operand 0, f32[2,3], is 3`. Names the tensor whose type says
/// the size.
std::string OpSizes::disagreement(SizeRef ref) const {
  const SizeRef said = said_[classOf(ref)];
  return absl::StrCat(
      "dimension ", said.dimension, " of ",
      isOfOperand(said) ? "operand " : "result ",
      isOfOperand(said)
          ? said.tensor
          : said.tensor - static_cast<int64_t>(shapes_.operands.size()),
      ", ", shape(said.tensor).str(), ", is ", isFixed(ref) ? "" : "at most ",
      value(ref));
}

void OpSizes::join(SizeRef a, SizeRef b) {
  if (status_.ok() && !known(a).agreesWith(known(b)))
    status_ = families::invalid(
        absl::StrCat(disagreement(a), " and ", disagreement(b),
                     ", but these sizes must be equal"));
  const auto [into, from, agree, isNew] = classes_.join(node(a), node(b));
  if (isNew) said_[into] = said_[from];
  if (!formulas_[into]) formulas_[into] = formulas_[from];
}

absl::Status OpSizes::verify() const { return status_; }

OpShapes OpSizes::known() const {
  OpShapes known = shapes_;
  const int64_t operands = shapes_.operands.size();
  for (size_t t = 0; t < first_.size(); ++t) {
    if (!hasOpenSize(shape(t))) continue;
    const int64_t tensor = t;
    ArrayShape &array = tensor < operands
                            ? known.operands.mutableAt(tensor)
                            : known.results.mutableAt(tensor - operands);
    array.dynamic.resize(array.rank());
    for (int64_t k = 0; k < array.rank(); ++k) {
      array.dimensions[k] = value({tensor, k});
      array.dynamic[k] = !isFixed({tensor, k});
    }
    if (array.dynamic.none()) array.dynamic.clear();
  }
  return known;
}

//===-- Sizes as variables ------------------------------------------------===//

Expr SizeVariables::sizeVariable(const RuntimeSource &source, Interval bounds) {
  const std::tuple<int64_t, int64_t, int64_t> key = {
      source.tensor, source.dimension, bounds.lower};
  if (auto found = variables_.find(key); found != variables_.end())
    return found->second;
  RuntimeVariable variable;
  variable.source = source;
  variable.bounds = bounds;
  return variables_[key] = builder_.runtime(std::move(variable));
}

Expr SizeVariables::elementVariable(int64_t tensor, std::vector<int64_t> index,
                                    Interval bounds) {
  auto key = std::make_pair(tensor, std::move(index));
  // One of fewer values keeps the map within these bounds already.
  for (const auto &[known, variable] :
       llvm::make_range(elements_.equal_range(key)))
    if (bounds.contains(variable.bounds)) return variable.made;
  llvm::SmallVector<Expr, 2> at;
  for (int64_t i : key.second) at.push_back(builder_.constant(i));
  Expr made = builder_.runtimeElement(bounds, /*clamped=*/false, tensor, at);
  elements_.insert({std::move(key), {bounds, made}});
  return made;
}

Expr SizeVariables::variable(SizeRef ref) {
  RuntimeSource source;
  source.kind = RuntimeSource::Kind::Size;
  source.tensor = ref.tensor;
  source.dimension = ref.dimension;
  Interval bounds = {least_, Interval::kInfinity};
  if (const int64_t size = sizes_.value(ref); size != kDynamicSize)
    bounds.upper = source.count = size;
  return sizeVariable(source, bounds);
}

void SizeVariables::addAll(const IndexingMap &map) {
  for (uint32_t i = 0; i < map.runtime().size(); ++i) {
    const RuntimeVariable &variable = map.runtime()[i];
    const RuntimeSource &source = variable.source;
    Expr made = builder_.expression(
        builder_.pool().variable({VariableKind::Runtime, i}));
    std::vector<int64_t> index;
    for (FormId form : variable.index)
      if (map.expressions().isConstant(form))
        index.push_back(map.expressions().constant(form));
    if (source.kind == RuntimeSource::Kind::Size)
      variables_.insert({{source.tensor, source.dimension, least_}, made});
    else if (source.kind == RuntimeSource::Kind::Element && !variable.clamped &&
             index.size() == variable.index.size())
      elements_.insert({{source.tensor, index}, {variable.bounds, made}});
  }
}

namespace {

/// Whether a form is a number times variables.
bool isProductOfVariables(const ExpressionTable &table, FormId form) {
  if (table.asVariable(form)) return true;
  if (table.constant(form) != 0 || table.terms(form).size() != 1 ||
      table.terms(form)[0].coefficient <= 0)
    return false;
  const Atom &atom = table.atom(table.terms(form)[0].atom);
  return atom.kind == AtomKind::Variable ||
         (atom.kind == AtomKind::Product &&
          isProductOfVariables(table, atom.a) &&
          isProductOfVariables(table, atom.b));
}

}  // namespace

/// `bounds` are those of the fact. They are its variable's, if it is one; of
/// any other formula they bound the formula alone: the paddings of a size
/// `rt0 + rt1 + 4` may be negative. But each factor of a size that divides is
/// at least 1, as the size is.
Expr SizeVariables::imported(FormId fact, Interval bounds) {
  const SizeFacts &facts = *sizes_.facts();
  const ExpressionTable &table = facts.table();
  const bool isVariable = table.asVariable(fact).has_value();
  const bool hasFactors =
      bounds.lower >= 1 && isProductOfVariables(table, fact);
  auto replace = [&](VariableId id) {
    const SizeFacts::Variable &variable = facts.variable(id.index);
    Interval within = variable.bounds;
    if (hasFactors) within.lower = std::max<int64_t>(within.lower, 1);
    if (isVariable) within = within.intersect(bounds);
    if (variable.source.kind == RuntimeSource::Kind::Size)
      return sizeVariable(variable.source, within).form();
    return elementVariable(variable.source.tensor, variable.index, within)
        .form();
  };
  ExpressionImport import(table, builder_.pool(), replace);
  return builder_.expression(import(fact));
}

Expr SizeVariables::ownSize(SizeRef ref) {
  if (sizes_.isFixed(ref)) return builder_.constant(sizes_.value(ref));
  return variable(sizes_.first(ref));
}

Expr SizeVariables::size(SizeRef ref) {
  if (sizes_.isFixed(ref)) return builder_.constant(sizes_.value(ref));
  const size_t known = sizes_.classOf(ref);
  if (auto found = made_.find(known); found != made_.end())
    return found->second;
  const SizeRef first = sizes_.first(ref);
  const int64_t size = sizes_.value(ref);
  const Interval bounds{least_,
                        size == kDynamicSize ? Interval::kInfinity : size};
  std::optional<Expr> made;
  if (sizes_.facts())
    if (auto fact = sizes_.facts()->size(ref)) made = imported(*fact, bounds);
  const SizeFormula *formula = sizes_.formula(ref);
  if (!made && formula && !sizes_.isOfOperand(first)) made = (*formula)(*this);
  if (!made) made = variable(first);
  return made_[known] = *made;
}

Expr SizeVariables::element(int64_t operand, llvm::ArrayRef<int64_t> index,
                            Interval bounds) {
  // A size that divides.
  if (bounds.lower == 0) bounds.lower = least_;
  if (sizes_.facts()) {
    const SizeFacts &facts = *sizes_.facts();
    auto boundsOf = [&](VariableId id) {
      return facts.variable(id.index).bounds;
    };
    auto fact = facts.element(operand, index);
    // A divisor must be seen to be at least 1.
    if (fact && (facts.table().asVariable(*fact) ||
                 bounds.contains(FormBounds(facts.table(), boundsOf)(*fact))))
      return imported(*fact, bounds);
  }
  return elementVariable(operand, index.vec(), bounds);
}

//===-- Maps --------------------------------------------------------------===//

namespace {

/// Adds `index` below the size of the dimension, and not below 0.
void keepInside(IndexingMapBuilder &b, SizeVariables &variables,
                const OpSizes &sizes, SizeRef ref, Expr index,
                Interval bounds) {
  Interval inside = {0, Interval::kInfinity};
  if (sizes.isFixed(ref)) {
    inside.upper = sizes.value(ref) - 1;
  } else {
    b.constraint(index - variables.size(ref), {Interval::kMinusInfinity, -1});
  }
  if (!inside.contains(bounds)) b.constraint(index, inside);
}

absl::StatusOr<IndexingMap> inside(const OpSizes &sizes, const IndexingMap &map,
                                   int64_t from, int64_t to) {
  auto boundsOf = [&](VariableId id) { return map.variable(id).bounds; };
  FormBounds bounds(map.expressions(), boundsOf);
  auto restrict = [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> results) {
    SizeVariables variables(sizes, b);
    variables.addAll(map);
    llvm::SmallVector<Expr, 6> d;
    for (uint32_t k = 0; k < map.dimensions().size(); ++k) {
      d.push_back(
          b.expression(b.pool().variable({VariableKind::Dimension, k})));
      keepInside(b, variables, sizes, {from, k}, d[k],
                 map.dimensions()[k].bounds);
    }
    for (size_t j = 0; j < results.size(); ++j) {
      const SizeRef ref = {to, static_cast<int64_t>(j)};
      bool said = false;  // of the dimension variable that it is
      for (size_t k = 0; k < d.size(); ++k)
        said |= d[k].form() == results[j].form() &&
                sizes.areEqual({from, static_cast<int64_t>(k)}, ref);
      if (!said)
        keepInside(b, variables, sizes, ref, results[j],
                   bounds(map.results()[j]));
    }
  };
  return restricted(map, restrict);
}

}  // namespace

absl::StatusOr<IndexingRelation> withinSizes(const OpSizes &sizes,
                                             const IndexingRelation &relation,
                                             int64_t from, int64_t to) {
  IndexingRelation within;
  for (const IndexingMap &piece : relation.pieces()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto map, inside(sizes, piece, from, to));
    within.add(std::move(map));
  }
  within.weaken(relation.precision());
  return within;
}

IndexingRelation withFirstSizes(const OpSizes &sizes,
                                const IndexingRelation &relation) {
  IndexingRelation named;
  for (const IndexingMap &piece : relation.pieces()) {
    auto isOther = [&](const RuntimeVariable &rt) {
      if (rt.source.kind != RuntimeSource::Kind::Size ||
          rt.source.tensor >= SizeFacts::kOutside)
        return false;
      const SizeRef ref = {rt.source.tensor, rt.source.dimension};
      return !(sizes.first(ref) == ref);
    };
    if (!llvm::any_of(piece.runtime(), isOther)) {
      named.add(piece);
      continue;
    }
    auto rename = [&](IndexingMapBuilder &, RuntimeVariable &rt) {
      if (!isOther(rt)) return;
      const SizeRef first =
          sizes.first({rt.source.tensor, rt.source.dimension});
      rt.source.tensor = first.tensor;
      rt.source.dimension = first.dimension;
    };
    // A piece that cannot be renamed is right as it is.
    auto map = withRuntime(piece, rename);
    named.add(map.ok() ? *std::move(map) : piece);
  }
  named.weaken(relation.precision());
  return named;
}

}  // namespace indexical
