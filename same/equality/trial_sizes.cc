#include "indexical/same/equality/trial_sizes.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/sizes.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/known_values.h"
#include "indexical/program/values/shapes.h"
#include "indexical/same/equality/parameter_names.h"
#include "indexical/same/equality/runnable.h"

namespace indexical {
namespace {

// Parameters with more elements are no lists of sizes.
constexpr int64_t kMostSizeElements = 16;

/// A context in which each size and element is a variable.
class Variables : public SizeContext {
 public:
  struct Element {
    int64_t operand;
    std::vector<int64_t> index;
  };
  Expr constant(int64_t value) override {
    return {&pool_, pool_.constantForm(value)};
  }
  std::optional<int64_t> valueOf(Expr expression) const override {
    if (!pool_.isConstant(expression.form())) return std::nullopt;
    return pool_.constant(expression.form());
  }
  Expr size(SizeRef) override { return add({-1, {}}); }
  Expr element(int64_t operand, llvm::ArrayRef<int64_t> index,
               Interval) override {
    return add({operand, index.vec()});
  }
  /// The elements that formulas asked for; operand -1 stands for a size.
  llvm::ArrayRef<Element> all() const { return all_; }
  /// Returns the element that the expression is, or null.
  const Element *elementOf(Expr expression) const {
    const auto id = pool_.asVariable(expression.form());
    if (!id || all_[id->index].operand < 0) return nullptr;
    return &all_[id->index];
  }

 private:
  Expr add(Element element) {
    all_.push_back(std::move(element));
    const auto number = static_cast<uint32_t>(all_.size() - 1);
    return {&pool_, pool_.variable({VariableKind::Runtime, number})};
  }
  ExpressionPool pool_;
  std::vector<Element> all_;
};

/// Returns the first operand that gives an attribute of the op, or the number
/// of its operands.
size_t firstGiven(const Op &op) {
  const size_t count = shapesOf(op).operands.size();
  if (op.is<SliceOp>()) return std::min<size_t>(1, count);
  if (op.isOneOf<PadOp, GatherOp, ConvolutionOp>())
    return std::min<size_t>(2, count);
  return count;
}

/// Returns the operands whose elements say sizes.
std::set<int64_t> operandsOfSizes(const Instruction &i) {
  std::set<int64_t> operands;
  const int64_t count = shapesOf(i.op).operands.size();
  if (i.op.isOneOf<CallOp, WhileOp, ConditionalOp>()) {
    for (int64_t k = 0; k < count; ++k) operands.insert(k);
    return operands;
  }
  for (int64_t k = firstGiven(i.op); k < count; ++k) operands.insert(k);
  const SizeRules rules = sizeRulesOf(i.op);
  Variables variables;
  for (const SizeRules::Definition &definition : rules.definitions())
    definition.formula(variables);
  for (const Variables::Element &element : variables.all())
    if (element.operand >= 0) operands.insert(element.operand);
  return operands;
}

/// Returns, for each parameter of the entry, whether sizes depend on it.
std::vector<bool> sayingSizes(const Module &module) {
  const Computation &entry = module.entryComputation();
  std::vector<bool> isAsked(entry.instructions.size(), false);
  for (InstructionId i(0); i < static_cast<int32_t>(entry.instructions.size());
       ++i) {
    if (entry.instructions[i].parameterNumber >= 0) continue;
    const auto leaves = entry.operandLeaves(i);
    for (int64_t operand : operandsOfSizes(entry.instructions[i]))
      isAsked[leaves[operand].instruction] = true;
  }
  std::vector<bool> says(entry.parameters.size(), false);
  const InstructionOrder order = entry.postOrder();
  for (InstructionId i : llvm::reverse(order)) {
    const Instruction &at = entry.instructions[i];
    if (!isAsked[i]) continue;
    if (at.parameterNumber >= 0) says[at.parameterNumber] = true;
    for (InstructionId operand : at.operands) isAsked[operand] = true;
  }
  return says;
}

bool hasOpenSizes(const Module &module) {
  for (const Computation &c : module.computations)
    for (const Instruction &i : c.instructions)
      if (hasOpenSizes(shapesOf(i.op))) return true;
  return false;
}

std::vector<int32_t> numbersOf(const Module &module,
                               llvm::ArrayRef<int32_t> order) {
  std::vector<int32_t> numbers(module.entryComputation().parameters.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  for (auto [first, own] : llvm::enumerate(order))
    numbers[own] = static_cast<int32_t>(first);
  return numbers;
}

int64_t countOf(const ArrayShape &shape) {
  int64_t count = 1;
  for (int64_t size : shape.dimensions)
    count = size > kMostSizeElements ? kMostSizeElements + 1 : count * size;
  return count;
}

}  // namespace

TrialSizes::TrialSizes(const Module &first, const Module &second,
                       llvm::ArrayRef<int32_t> parameters)
    : sides_{{&first, numbersOf(first, {})},
             {&second, numbersOf(second, parameters)}},
      saysSizes_(first.entryComputation().parameters.size(), false) {
  for (const Side &side : sides_) isOpen_ |= hasOpenSizes(*side.module);
  if (!isOpen_) return;
  for (const Side &side : sides_) {
    const auto says = sayingSizes(*side.module);
    for (size_t p = 0; p < says.size(); ++p)
      if (says[p]) saysSizes_[side.numbers[p]] = true;
  }
}

/// The numbers of one draw.
class TrialSizes::Draw {
 public:
  Draw(const TrialSizes &of, const Known &known, Picks &picks)
      : of_(of), known_(known), picks_(picks), arguments_(countParameters()) {}

  std::optional<Trial> run() {
    drawSizes();
    for (const Side &side : of_.sides_) drawElements(side);
    for (size_t p = 0; p < arguments_.size(); ++p) fillIn(p);
    std::optional<Module> made[2];
    for (size_t side : {0, 1}) {
      made[side] =
          runnableWith(*of_.sides_[side].module, argumentsOf(of_.sides_[side]));
      if (!made[side]) return std::nullopt;
    }
    return Trial{*std::move(made[0]), *std::move(made[1]),
                 argumentsOf(of_.sides_[0]), std::move(numbers_)};
  }

 private:
  using Place = std::pair<int32_t, std::vector<int64_t>>;  ///< of an element

  const Computation &entry() const {
    return of_.sides_[0].module->entryComputation();
  }
  size_t countParameters() const { return entry().parameters.size(); }
  static InstructionId parameterOf(const Side &side, int32_t first) {
    const auto at = llvm::find(side.numbers, first) - side.numbers.begin();
    return side.module->entryComputation().parameters[at];
  }

  int64_t pick(llvm::ArrayRef<int64_t> values) {
    return values[picks_.below(values.size())];
  }

  //===-- Sizes -----------------------------------------------------------===//

  /// Draws the sizes of parameters, of few different numbers: sizes are often
  /// equal.
  void drawSizes() {
    const int64_t usual = pick({2, 3, 4, 1}), other = pick({1, 2, 3, 5, 6, 0});
    for (size_t p = 0; p < arguments_.size(); ++p) {
      const Instruction &i = entry().instructions[entry().parameters[p]];
      const ShapeList leaves = shapesOf(i.op).results;
      for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        ArrayShape shape = leaves[leaf];
        for (int64_t k = 0; k < shape.rank(); ++k) {
          if (sizeIfFixed(leaves[leaf], k)) continue;
          const std::string name = sizeName(entry(), p, LeafId(leaf), k);
          int64_t size = picks_.below(3) == 0 ? other : usual;
          if (auto found = known_.find(name); found != known_.end())
            size = found->second;
          if (const int64_t bound = shape.dimensions[k]; bound != kDynamicSize)
            size = std::min(size, bound);
          shape.dimensions[k] = size;
          open_.push_back({p, leaf, k});
        }
        shape.dynamic.clear();
        arguments_[p].push_back({std::move(shape), {}});
      }
    }
    for (const Side &side : of_.sides_) forceSizes(side);
    for (const OpenSize &open : open_)
      numbers_.push_back(
          {sizeName(entry(), open.parameter, LeafId(open.leaf), open.dimension),
           sizeAt(open)});
  }

  struct OpenSize {
    size_t parameter, leaf;
    int64_t dimension;
  };
  int64_t &sizeAt(const OpenSize &open) {
    return arguments_[open.parameter][open.leaf]
        .shape.dimensions[open.dimension];
  }

  /// Sets the sizes that ops of the module force to be a number, or another
  /// size.
  void forceSizes(const Side &side) {
    ProgramShapes shapes(side.module->entryComputation(), leafNumber);
    for (const OpenSize &open : open_) {
      const auto form =
          shapes.size({parameterOf(side, open.parameter), LeafId(open.leaf)},
                      open.dimension);
      if (!form) continue;
      if (shapes.table().isConstant(*form)) {
        sizeAt(open) = std::max<int64_t>(shapes.table().constant(*form), 0);
        continue;
      }
      const auto id = shapes.table().asVariable(*form);
      if (!id) continue;
      const RuntimeSource &source = shapes.variable(id->index).source;
      if (source.kind != RuntimeSource::Kind::Size) continue;
      for (const OpenSize &other : open_)
        if (SizeFacts::kOutside +
                    leafNumber({parameterOf(side, other.parameter),
                                LeafId(other.leaf)}) ==
                source.tensor &&
            other.dimension == source.dimension)
          sizeAt(open) = sizeAt(other);
    }
  }

  //===-- Elements --------------------------------------------------------===//

  /// Whether the parameter's elements are drawn.
  bool isDrawn(size_t parameter) const {
    const auto &leaves = arguments_[parameter];
    if (leaves.size() != 1 || !isInteger(leaves[0].shape.type) ||
        bitsOf(leaves[0].shape.type) > 64)
      return false;
    const int64_t count = countOf(leaves[0].shape);
    if (count == 0 || count > kMostSizeElements) return false;
    return of_.saysSizes_[parameter] || isNamed(parameter);
  }
  /// Whether one of its elements is known.
  bool isNamed(size_t parameter) const {
    const std::string name = leafName(entry(), parameter, LeafId(0));
    return llvm::any_of(known_, [&](const auto &known) {
      return known.first == name ||
             llvm::StringRef(known.first).starts_with(name + "(");
    });
  }

  /// Finds elements of the module's parameters that say sizes, from the first
  /// instruction on: the sizes before it are known.
  void drawElements(const Side &side) {
    for (size_t round = 0; round <= arguments_.size(); ++round) {
      auto made = refined(*side.module, side.module->entry, argumentsOf(side));
      if (!made.ok()) return;
      if (!drawNext(side, *made)) return;
    }
  }

  /// Fills in the parameters that the first instruction with sizes that are not
  /// known asks for. Returns false if there is none.
  bool drawNext(const Side &side, const Module &made) {
    const Computation &of = made.entryComputation();
    ProgramShapes shapes(of, leafNumber);
    std::set<int32_t> asked;
    for (InstructionId i : of.postOrder()) {
      const Instruction &at = of.instructions[i];
      if (at.parameterNumber >= 0) continue;
      for (const auto &[place, size] : sizesSaidBy(side, of, i, shapes)) {
        if (elements_.count(place) || !isDrawn(place.first)) continue;
        elements_[place] = size;
        asked.insert(place.first);
      }
      if (!asked.empty()) break;
    }
    for (int32_t parameter : asked) fillIn(parameter);
    return !asked.empty();
  }

  /// Returns the elements of parameters that say sizes of the instruction's
  /// result, with numbers for them.
  std::vector<std::pair<Place, int64_t>> sizesSaidBy(const Side &side,
                                                     const Computation &of,
                                                     InstructionId i,
                                                     ProgramShapes &shapes) {
    std::vector<std::pair<Place, int64_t>> said;
    const Op &op = of.instructions[i].op;
    const auto leaves = of.operandLeaves(i);
    if ((op.is<SliceOp>() || op.is<PadOp>()) && firstGiven(op) < leaves.size())
      return amountsSaidBy(side, of, i, shapes);
    const SizeRules rules = sizeRulesOf(op);
    int64_t left = op.is<DynamicReshapeOp>() ? elementsOf(op) : 0;
    std::vector<std::pair<Place, int64_t>> openOnes;
    for (const SizeRules::Definition &definition : rules.definitions()) {
      Variables variables;
      const auto size = definition.formula(variables);
      const Variables::Element *element =
          size ? variables.elementOf(*size) : nullptr;
      const int64_t result =
          definition.ref.tensor - static_cast<int64_t>(leaves.size());
      if (!element || result < 0) continue;
      const ArrayShape &shape = shapesOf(op).results[result];
      const auto fixed = sizeIfFixed(shape, definition.ref.dimension);
      if (fixed && left > 0 && *fixed > 0) left /= *fixed;
      const auto place =
          placeOf(side, of, leaves[element->operand], element->index, shapes);
      if (!place) continue;
      if (fixed)
        said.push_back({*place, *fixed});
      else
        openOnes.push_back({*place, usualSize(op, definition.ref.dimension)});
    }
    for (auto [k, open] : llvm::enumerate(openOnes)) {
      if (left > 0)
        open.second = k + 1 < openOnes.size() ? divisor(left) : left;
      if (left > 0 && open.second > 0) left /= open.second;
      said.push_back(open);
    }
    return said;
  }

  /// Returns the numbers of a slice or a padding that operands give, which
  /// together must fit into the operand, and have the result's size if that is
  /// known.
  std::vector<std::pair<Place, int64_t>> amountsSaidBy(const Side &side,
                                                       const Computation &of,
                                                       InstructionId i,
                                                       ProgramShapes &shapes) {
    std::vector<std::pair<Place, int64_t>> said;
    const Op &op = of.instructions[i].op;
    const auto leaves = of.operandLeaves(i);
    auto say = [&](int64_t operand, int64_t k, int64_t value) {
      if (auto place = placeOf(side, of, leaves[operand], {k}, shapes))
        said.push_back({*std::move(place), value});
    };
    const ArrayShape &operand = shapesOf(op).operands[0];
    const ArrayShape &result = shapesOf(op).results[0];
    for (int64_t k = 0; k < operand.rank(); ++k) {
      const int64_t has = sizeIfFixed(operand, k).value_or(2);
      const auto size = sizeIfFixed(result, k);
      if (op.is<SliceOp>()) {
        const int64_t stride = pick({1, 1, 2});
        const int64_t start = std::min(has, pick({0, 0, 1}));
        const int64_t most = has - start;
        const int64_t length =
            !size       ? static_cast<int64_t>(picks_.below(most + 1))
            : *size > 0 ? (*size - 1) * stride + 1
                        : 0;
        say(1, k, start), say(2, k, start + length), say(3, k, stride);
        continue;
      }
      const int64_t low = pick({0, 1, 0, 2, -1}), interior = pick({0, 0, 1});
      const int64_t inner =
          has + low + std::max<int64_t>(has - 1, 0) * interior;
      const int64_t high = size ? *size - inner : pick({0, 1, 2});
      say(2, k, low), say(3, k, high), say(4, k, interior);
    }
    return said;
  }

  /// The size that a broadcast keeps, or any small one.
  int64_t usualSize(const Op &op, int64_t dimension) {
    if (const auto *broadcast = op.as<BroadcastOp>())
      for (auto [k, to] : llvm::enumerate(broadcast->dimensions))
        if (const auto size = sizeIfFixed(broadcast->operands[0], k);
            to == dimension && size && *size != 1)
          return *size;
    return pick({1, 2, 3, 2, 4});
  }

  /// The number of elements of operand 0, or 0.
  static int64_t elementsOf(const Op &op) {
    const ArrayShape &operand = shapesOf(op).operands[0];
    if (hasOpenSize(operand)) return 0;
    return operand.elementCount().value_or(0);
  }

  int64_t divisor(int64_t of) {
    llvm::SmallVector<int64_t, 8> all;
    for (int64_t d = 1; d <= std::min<int64_t>(of, 64); ++d)
      if (of % d == 0) all.push_back(d);
    return pick(all);
  }

  /// Returns the element of a parameter that the element of an operand is.
  std::optional<Place> placeOf(const Side &side, const Computation &of,
                               const OperandLeaf &leaf,
                               llvm::ArrayRef<int64_t> index,
                               ProgramShapes &shapes) {
    const auto form = shapes.element({leaf.instruction, leaf.result}, index);
    const auto id = form ? shapes.table().asVariable(*form) : std::nullopt;
    if (!id) return std::nullopt;
    const SizeFacts::Variable &variable = shapes.variable(id->index);
    if (variable.source.kind != RuntimeSource::Kind::Element)
      return std::nullopt;
    const InstructionId from((variable.source.tensor - SizeFacts::kOutside) >>
                             kLeafBits);
    const int32_t number = of.instructions[from].parameterNumber;
    if (number < 0) return std::nullopt;
    return Place{side.numbers[number], variable.index};
  }

  /// Gives all elements of the parameter a value.
  void fillIn(size_t parameter) {
    if (!isDrawn(parameter)) return;
    KnownArgument &argument = arguments_[parameter][0];
    if (!argument.values.empty()) return;
    const ArrayShape &shape = argument.shape;
    const std::string leaf = leafName(entry(), parameter, LeafId(0));
    const Interval holds = valuesOf(shape.type);
    const int64_t count = countOf(shape);
    for (int64_t n = 0; n < count; ++n) {
      std::vector<int64_t> index(shape.rank());
      std::vector<std::string> words(shape.rank());
      int64_t rest = n;
      for (size_t k = index.size(); k-- > 0; rest /= shape.dimensions[k]) {
        index[k] = rest % shape.dimensions[k];
        words[k] = std::to_string(index[k]);
      }
      const std::string name = elementName(leaf, words);
      int64_t value = pick({1, 0, 2, 3, 1, 4, -1});
      if (auto said = elements_.find({static_cast<int32_t>(parameter), index});
          said != elements_.end())
        value = said->second;
      if (auto found = known_.find(name); found != known_.end())
        value = found->second;
      if (!holds.contains(Interval::point(value))) value = 0;
      argument.values.push_back(value);
      numbers_.push_back({name, value});
    }
  }

  std::vector<KnownArgument> argumentsOf(const Side &side) const {
    std::vector<KnownArgument> all;
    for (int32_t number : side.numbers)
      llvm::append_range(all, arguments_[number]);
    return all;
  }

  const TrialSizes &of_;
  const Known &known_;
  Picks &picks_;
  std::vector<std::vector<KnownArgument>> arguments_;  // of the first's
  std::vector<OpenSize> open_;
  std::map<Place, int64_t> elements_;  // that say sizes
  std::vector<std::pair<std::string, int64_t>> numbers_;
};

std::optional<Trial> TrialSizes::draw(const Known &known, Picks &picks) const {
  return Draw(*this, known, picks).run();
}

}  // namespace indexical
