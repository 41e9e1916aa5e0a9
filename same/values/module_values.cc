#include "indexical/same/values/module_values.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/stop_scope.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/equality/entry_parameters.h"
#include "indexical/same/equality/parameter_names.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/same/values/element_text.h"
#include "indexical/same/values/first_divergence.h"
#include "indexical/same/values/numbered_elements.h"
#include "indexical/same/values/regions.h"
#include "indexical/same/values/same_elements.h"

namespace indexical {
namespace {

// The steps of one question, at 50 ns each: some seconds for large modules.
constexpr int64_t kUsualOperations = 200'000'000;
// The steps by which constants become numbers, of all results: a second.
constexpr int64_t kOperationsOfConstants = 1'000'000;
// Parts in parts that the element of one index is looked for in.
constexpr int kMostDeepParts = 1'024;
// The most regions into which a result falls.
constexpr int kMostRegions = 8'192;

// Reductions below so many others are followed if both modules together have at
// most so many instructions; in larger ones, below one other. Small modules
// that stay undecided are tried again with the most levels.
constexpr int kLevels = 4;
constexpr int kMostLevels = 32;
constexpr size_t kMostFollowed = 2'000;

bool isSmall(const Module &first, const Module &second) {
  size_t instructions = 0;
  for (const Module *module : {&first, &second})
    for (const Computation &c : module->computations)
      instructions += c.instructions.size();
  return instructions <= kMostFollowed;
}

class ValueComparison {
 public:
  ValueComparison(const Module &first, const Module &second,
                  const ValueOptions &values, const EqualityOptions &options)
      : options_(options),
        explains_(values.explains),
        asksSolver_(values.asksSolver),
        onlyEqual_(values.onlyEqual),
        modules_{&first, &second},
        table_(values.floats),
        meter_(options, kUsualOperations),
        constants_(table_, kOperationsOfConstants) {
    same_.emplace(table_, options_);
    numbers_ = numbersBy(options.parameters);
    const int levels =
        values.levels.value_or(isSmall(first, second) ? kLevels : 1);
    sides_[0].emplace(first, table_, arrays_, llvm::ArrayRef<int32_t>(), levels,
                      meter_, options);
    sides_[1].emplace(second, table_, arrays_, numbers_, levels, meter_,
                      options);
    if (values.readsTables)
      for (auto &side : sides_) side->readTables();
    if (values.followsUpdates)
      for (auto &side : sides_) side->followUpdates();
    if (keepOrder(first, second))
      for (auto &side : sides_) side->takeFileOrder();
  }

  absl::StatusOr<ValueEquality> run(const ModuleEquality *reads) {
    const ShapeList results = resultsOf(0), others = resultsOf(1);
    if (results.size() != others.size())
      return absl::InvalidArgumentError(
          "the modules have results of different numbers");
    ValueEquality equality;
    equality.isEqual = true;
    for (size_t r = 0; r < results.size(); ++r) {
      if (results[r].type != others[r].type ||
          results[r].dimensions != others[r].dimensions)
        return absl::InvalidArgumentError(
            "result " + std::to_string(r) + " is " + results[r].str() +
            " in the first module and " + others[r].str() + " in the second");
      LeafValue leaf;
      leaf.result = LeafId(r);
      // One term needs no look at elements, which may be as many as the updates
      // of an array. Where the reads differ, the law that loses one is named.
      const bool readAlike = reads && reads->answer == Answer::Yes;
      if (!readAlike || !takeOneTerm(leaf)) {
        compareLeaf(results[r], leaf);
        if (!leaf.isEqual) takeOneTerm(leaf);
      }
      INDEXICAL_RETURN_IF_ERROR(options_.check());
      equality.isEqual &= leaf.isEqual;
      equality.isDifferent |= leaf.witness.has_value();
      equality.leaves.push_back(std::move(leaf));
    }
    if (reads && !equality.isEqual)
      for (const LeafEquality &pair : reads->leaves)
        equality.isDifferent |= !equality.leaves[pair.result].isEqual &&
                                isShownBy(pair, results[pair.result]);
    if (equality.isEqual) compareEffects(equality);
    equality.laws = table_.lawsUsed();
    equality.losesReads = table_.hasLost();
    equality.isSpent = meter_.left() < 0 || same_->isBudgetSpent();
    for (const auto &side : sides_) {
      equality.isShallow |= side->isShallow();
      equality.hasFewUpdates |= side->hasFewUpdates();
      equality.ordersUpdates |= side->ordersUpdates();
    }
    nameLost(equality);
    if (explains_ && !equality.isEqual && !equality.isDifferent)
      nameDivergence(equality);
    return equality;
  }

 private:
  ShapeList resultsOf(int side) const {
    const Computation &entry =
        modules_[side]->computations[modules_[side]->entry];
    return entry.instructions[entry.root].shape.leaves();
  }

  /// Whether both have the same effects, each in the same order.
  void compareEffects(ValueEquality &equality) {
    auto hasSome = [](const Module *module) {
      return llvm::any_of(module->computations, [](const Computation &c) {
        return llvm::any_of(c.instructions, [](const Instruction &i) {
          return hasEffects(innermost(i.op));
        });
      });
    };
    if (llvm::none_of(modules_, hasSome)) return;
    const std::vector<TermId> effects[2] = {sides_[0]->effects(),
                                            sides_[1]->effects()};
    if (effects[0] != effects[1] && isWrittenAlike()) return;
    for (int side : {0, 1}) {
      std::vector<TermId> own;
      std::set_difference(effects[side].begin(), effects[side].end(),
                          effects[!side].begin(), effects[!side].end(),
                          std::back_inserter(own));
      if (own.empty() || equality.effect) continue;
      equality.isEqual = false;
      equality.effect = obstacleOf(side, arrays_[own[0]].op);
    }
  }

  /// Returns the only instruction with effects, if it says what memory holds at
  /// the end (import/memory_forms.h).
  std::optional<ElementTerms::Site> onlyWrite(int side) const {
    std::optional<ElementTerms::Site> only;
    const ElementTerms::Site root = sides_[side]->rootSite(LeafId(0));
    for (const Computation &computation : modules_[side]->computations) {
      InstructionId n(0);
      for (const Instruction &i : computation.instructions) {
        const InstructionId own = n;
        n = InstructionId(n + 1);
        if (!hasEffects(innermost(i.op))) continue;
        const bool isEntry =
            &computation ==
            &modules_[side]->computations[modules_[side]->entry];
        if (only || !isEntry || i.opcode != "indexical.written" ||
            i.operands.size() != 2)
          return std::nullopt;
        only = root;
        only->instruction = own;
      }
    }
    return only;
  }

  /// Whether all that both do is to write the same elements to one parameter.
  bool isWrittenAlike() {
    int32_t to[2] = {-1, -1};
    std::optional<ElementTerms::Site> written[2];
    for (int side : {0, 1}) {
      const auto write = onlyWrite(side);
      if (!write) return false;
      const auto operands = sides_[side]->operandSites(*write);
      if (operands.size() != 2) return false;
      to[side] = sides_[side]
                     ->instruction(sides_[side]->originOf(operands[0]))
                     .parameterNumber;
      written[side] = operands[1];
    }
    if (to[0] < 0 || to[1] < 0) return false;
    if (!numbers_.empty()) to[1] = numbers_[to[1]];
    const ArrayShape &shape = sides_[0]->shapeOf(*written[0]);
    const ArrayShape &other = sides_[1]->shapeOf(*written[1]);
    if (to[0] != to[1] || shape.type != other.type ||
        shape.dimensions != other.dimensions || hasOpenSize(shape))
      return false;
    const auto region = namedRegion(shape);
    if (!region.ok()) return false;
    LeafValue leaf;
    leaf.result = LeafId(0);
    regions_ = 0;
    for (int side : {0, 1}) written_[side] = written[side];
    const bool isAlike = compareIn(*region, leaf);
    written_[0] = written_[1] = std::nullopt;
    return isAlike;
  }

  /// Names an instruction of the op with effects; without one, the first.
  EqualityObstacle obstacleOf(int side, const Op &op) const {
    EqualityObstacle found;
    found.module = side;
    found.reason = "its effects are not known to be those of the other module";
    bool isOfOp = false;
    for (const Computation &computation : modules_[side]->computations)
      for (const Instruction &i : computation.instructions) {
        const Op &own = innermost(i.op);
        const bool isSame = op && &own.kind() == &innermost(op).kind();
        if (!hasEffects(own) || isOfOp ||
            (!isSame && !found.instruction.empty()))
          continue;
        isOfOp = isSame;
        found.computation = computation.name.str();
        found.instruction = i.name.str();
        found.opcode = i.opcode.str();
        found.line = static_cast<int32_t>(i.place.line);
      }
    return found;
  }

  void nameLost(ValueEquality &equality) const {
    const Computation &entry = modules_[0]->computations[modules_[0]->entry];
    for (const ElementTerms::Lost &each : sides_[0]->lost()) {
      LostRead lost;
      lost.law = each.law;
      lost.computation = each.computation;
      lost.instruction = each.instruction;
      lost.opcode = each.opcode;
      lost.line = each.line;
      for (const ParameterLeaf &read : each.parameters)
        lost.parameters.push_back(leafName(entry, read.parameter, read.leaf));
      equality.lost.push_back(std::move(lost));
    }
  }

  /// Names the place for the first result that is not known to be equal.
  void nameDivergence(ValueEquality &equality) {
    const auto leaf = llvm::find_if(
        equality.leaves, [](const LeafValue &each) { return !each.isEqual; });
    if (leaf == equality.leaves.end() || equality.isSpent) return;
    leaf->divergence = firstDivergence(*sides_[0], *sides_[1], table_, *same_,
                                       leaf->result, meter_, *modules_[0]);
  }

  void compareLeaf(const ArrayShape &shape, LeafValue &leaf) {
    if (hasOpenSize(shape) && !haveSameSizes(leaf.result, shape)) {
      leaf.reason = "sizes of the result are open";
      return;
    }
    // Numbers for the sizes show a difference: an index without an end may be
    // no index.
    hasNumbers_ = !hasOpenSize(shape);
    auto region = namedRegion(shape);
    if (!region.ok()) {
      leaf.reason = std::string(region.status().message());
      return;
    }
    regions_ = 0;
    leaf.isEqual = compareIn(*region, leaf);
    if (!leaf.isEqual && (meter_.left() < 0 || same_->isBudgetSpent()))
      leaf.reason = "the budget is spent";
  }

  /// Whether both modules give a result the same sizes, for all sizes with
  /// which both run.
  bool haveSameSizes(LeafId result, const ArrayShape &shape) {
    if (!knownSizes_) {
      knownSizes_.emplace();
      for (auto &side : sides_) knownSizes_->add(side->forcedSizes());
    }
    for (int64_t k = 0; k < shape.rank(); ++k) {
      if (sizeIfFixed(shape, k)) continue;
      const auto first = sides_[0]->sizeOfResult(result, k),
                 second = sides_[1]->sizeOfResult(result, k);
      if (!first || !second ||
          !(knownSizes_->known(*first) == knownSizes_->known(*second)))
        return false;
    }
    return true;
  }

  /// Says that the result is equal if both are one value as arrays: the same
  /// ops of the same operands, whatever the sizes are. What has no element that
  /// is known, such as a number divided by 0, may be the same all the same.
  bool takeOneTerm(LeafValue &leaf) {
    const LeafId result = leaf.result;
    const auto first = sides_[0]->arrayOf(result);
    if (!first || first != sides_[1]->arrayOf(result)) return false;
    leaf = LeafValue();
    leaf.result = result;
    leaf.isEqual = true;
    leaf.isReal = false;
    return true;
  }

  /// A region, and the site of each side whose element there is asked for.
  struct Asked {
    IndexingMap region;
    ElementTerms::Site sites[2];
  };

  /// Compares in the parts of a region in which both sides have one term.
  bool compareIn(const IndexingMap &region, LeafValue &leaf) {
    std::vector<Asked> stack;
    stack.push_back({region,
                     {written_[0].value_or(sides_[0]->rootSite(leaf.result)),
                      written_[1].value_or(sides_[1]->rootSite(leaf.result))}});
    while (!stack.empty()) {
      Asked asked = std::move(stack.back());
      stack.pop_back();
      if (asked.region.isKnownEmpty()) continue;
      if (++regions_ > kMostRegions) {
        leaf.reason = "the result falls into too many regions";
        return false;
      }
      std::optional<ElementId> ids[2];
      for (int side : {0, 1}) {
        if (side == 1 && !ids[0]) break;
        ids[side] = sides_[side]->at(asked.sites[side], asked.region);
        if (ids[side]) continue;
        asked.sites[side] = sides_[side]->splitSite();
        const llvm::ArrayRef<IndexingMap> parts = sides_[side]->parts();
        for (const IndexingMap &part : llvm::reverse(parts)) {
          if (part == asked.region) {
            leaf.reason = "a region does not become smaller";
            return false;
          }
          stack.push_back({part, {asked.sites[0], asked.sites[1]}});
        }
      }
      if (ids[0] && ids[1] &&
          !areSameIn(asked.region, {*ids[0], *ids[1]}, leaf))
        return false;
    }
    return true;
  }

  /// Compares in a region in which each side has one term.
  bool areSameIn(const IndexingMap &region, const std::array<ElementId, 2> &ids,
                 LeafValue &leaf) {
    same_->begin();
    if (same_->areSame(ids[0], ids[1], region)) {
      leaf.isReal &= table_.isRealNumber(ids[0]);
      return true;
    }
    if (onlyEqual_ && same_->isBudgetSpent()) return false;
    // Constants may be written in other ways.
    const ElementId numbered[2] = {constants_.numbered(ids[0], region),
                                   constants_.numbered(ids[1], region)};
    if (numbered[0] != ids[0] || numbered[1] != ids[1]) {
      if (same_->areSame(numbered[0], numbered[1], region)) {
        table_.noteLaw("constants");
        leaf.isReal &= table_.isRealNumber(numbered[0]);
        return true;
      }
      if (!onlyEqual_ && hasNumbers_)
        leaf.witness =
            differentNumbers(table_, numbered[0], numbered[1], region);
    }
    if (onlyEqual_) return false;
    if (!leaf.witness && hasNumbers_)
      leaf.witness = differentNumbers(table_, ids[0], ids[1], region);
    if (!leaf.witness && asksSolver_ && isSolved(numbered, region)) {
      leaf.isReal &= table_.isRealNumber(numbered[0]);
      return true;
    }
    if (leaf.witness) {
      leaf.witness->result = int64_t{leaf.result};
      nameInputs(modules_[0]->computations[modules_[0]->entry], *leaf.witness);
    }
    const auto [a, b] = firstDifference(table_, ids[0], ids[1]);
    leaf.terms[0] = textOf(table_, a, *modules_[0]);
    leaf.terms[1] = textOf(table_, b, *modules_[0]);
    if (leaf.terms[0] == leaf.terms[1]) {
      leaf.reason = "the terms differ in what their text leaves out, " +
                    whatDiffers(table_, a, b) + ": " +
                    std::exchange(leaf.terms[0], "");
      leaf.terms[1].clear();
    }
    return false;
  }

  /// Whether a solver shows that elements are the same which no law and no
  /// numbers decide.
  bool isSolved(const ElementId (&ids)[2], const IndexingMap &region) {
    same_->letSolverDecide(true);
    same_->begin();
    const bool isSame = same_->areSame(ids[0], ids[1], region);
    same_->letSolverDecide(false);
    return isSame;
  }

  /// Returns the element of a leaf of one side at an index; nothing if it is
  /// not known.
  std::optional<ElementId> elementAt(int side, LeafId result,
                                     const IndexingMap &region,
                                     llvm::ArrayRef<int64_t> index, int deep) {
    IndexingMap::Point point;
    point.dimensions.assign(index.begin(), index.end());
    if (deep > kMostDeepParts || !region.contains(point)) return std::nullopt;
    if (const auto id = sides_[side]->at(result, region)) return *id;
    const std::vector<IndexingMap> parts = sides_[side]->parts();
    for (const IndexingMap &part : parts)
      if (part != region && part.runtime().empty())
        if (const auto id = elementAt(side, result, part, index, deep + 1))
          return id;
    return std::nullopt;
  }

  /// Whether a read that only one module has shows that they are different:
  /// its result depends on that element, and the other's does not.
  bool isShownBy(const LeafEquality &pair, const ArrayShape &shape) {
    if (pair.decision.answer != Answer::No || !pair.decision.witness ||
        !pair.forSome.empty() || hasOpenSize(shape))
      return false;
    const PairWitness &witness = *pair.decision.witness;
    const auto region = namedRegion(shape);
    if (!region.ok()) return false;
    const int side = witness.onlyIn == PairWitness::Side::Second;
    const std::vector<int64_t> index(witness.index.begin(),
                                     witness.index.end());
    const auto element = elementAt(side, pair.result, *region, index, 0);
    if (!element) return false;
    const ParameterLeaf leaf = parameterLeaves(
        modules_[0]->computations[modules_[0]->entry])[pair.parameter];
    NamedNumber on;
    on.parameter = leaf.parameter;
    on.leaf = leaf.leaf;
    on.index.assign(witness.element.begin(), witness.element.end());
    // With other values of runtime variables the other side may read it, too.
    if (!witness.runtime.empty()) {
      const auto other = elementAt(!side, pair.result, *region, index, 0);
      if (!other || mayDependOn(table_, *other, on)) return false;
    }
    return dependsOn(table_, *element, index, on,
                     /*onAll=*/!witness.runtime.empty());
  }

  const EqualityOptions &options_;
  const bool explains_, asksSolver_, onlyEqual_;
  const Module *const modules_[2];
  std::vector<int32_t> numbers_;  // of the second's parameters in the first
  TermTable arrays_;
  ElementTable table_;
  Meter meter_;
  std::optional<ElementTerms> sides_[2];
  std::optional<SameElements> same_;
  NumberedElements constants_;
  int regions_ = 0;
  /// What memory holds at the end, if that is compared.
  std::optional<ElementTerms::Site> written_[2];
  bool hasNumbers_ = true;
  std::optional<KnownSums> knownSizes_;
};

}  // namespace

absl::StatusOr<ValueEquality> compareValues(const Module &first,
                                            const Module &second,
                                            const ValueOptions &values,
                                            const EqualityOptions &options,
                                            const ModuleEquality *reads) {
  if (!hasStack(kStackOfQuestion * 2))
    return onDeepStack(
        [&] { return compareValues(first, second, values, options, reads); });
  for (const Module *module : {&first, &second})
    if (module->entry < 0 || module->computations[module->entry].root < 0)
      return absl::InvalidArgumentError("a module has no entry computation");
  INDEXICAL_RETURN_IF_ERROR(checkEntries(first, second, options.parameters));
  const StopScope scope(options.stop);
  auto equality = ValueComparison(first, second, values, options).run(reads);
  if (!equality.ok() || equality->isSpent || values.levels ||
      values.followsUpdates || !isSmall(first, second))
    return equality;
  const auto isDecided = [](const absl::StatusOr<ValueEquality> &one) {
    return one.ok() && (one->isEqual || one->isDifferent);
  };
  const auto again = [&](auto change) {
    ValueOptions other = values;
    other.explains = other.asksSolver = false;
    change(other);
    return ValueComparison(first, second, other, options).run(reads);
  };
  // Arrays that are not known to be equal may be so element by element.
  if (!isDecided(equality) && equality->isShallow)
    if (auto deeper =
            again([](ValueOptions &other) { other.levels = kMostLevels; });
        isDecided(deeper))
      return deeper;
  if (!isDecided(equality) && equality->hasFewUpdates)
    if (auto followed =
            again([](ValueOptions &other) { other.followsUpdates = true; });
        isDecided(followed))
      return followed;
  return equality;
}

}  // namespace indexical
