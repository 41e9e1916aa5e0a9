#include "indexical/program/maps/counted_loops.h"

#include <map>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/access.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/maps/counted_leaf.h"
#include "indexical/program/maps/reached.h"
#include "indexical/program/maps/unrolled_loops.h"
#include "indexical/program/values/known_values.h"
#include "indexical/program/values/value_walk.h"

namespace indexical {
namespace {

// More trips are not counted: no sum of their counters leaves 64 bits.
constexpr int64_t kMostTrips = int64_t{1} << 40;

/// Returns an integer that is the same in every run, if these numbers are.
std::optional<int64_t> numberOf(const Module &module, const Value &value,
                                const std::map<Value, int64_t> &numbers = {}) {
  IndexingMapBuilder b;
  auto none = [](VariableId) { return Interval::all(); };
  auto given = [&](const Value &at,
                   IndexingMapBuilder &) -> std::optional<Expr> {
    const auto number = numberIn(numbers, at);
    if (!number) return std::nullopt;
    return b.constant(*number);
  };
  const auto known = knownElement(module, value, {}, b, none, nullptr, given);
  return known ? b.valueOf(*known) : std::nullopt;
}

/// Returns how often a counter passes `counter < limit`, or nothing if that is
/// not counted.
std::optional<int64_t> tripsBelow(int64_t first, int64_t step, __int128 limit) {
  if (first >= limit) return 0;
  if (step <= 0) return std::nullopt;
  const __int128 trips = (limit - first + step - 1) / step;
  if (trips > kMostTrips) return std::nullopt;
  return static_cast<int64_t>(trips);
}

std::optional<int64_t> tripsOf(llvm::StringRef direction, int64_t first,
                               int64_t step, int64_t limit) {
  constexpr int64_t kFar = int64_t{1} << 62;
  for (int64_t number : {first, step, limit})
    if (number >= kFar || number <= -kFar) return std::nullopt;
  if (direction == "LT") return tripsBelow(first, step, limit);
  if (direction == "LE") return tripsBelow(first, step, limit + 1);
  if (direction == "GT") return tripsBelow(-first, -step, -limit);
  if (direction == "GE") return tripsBelow(-first, -step, -limit + 1);
  return std::nullopt;
}

llvm::StringRef turned(llvm::StringRef direction) {
  return direction == "LT"   ? "GT"
         : direction == "LE" ? "GE"
         : direction == "GT" ? "LT"
         : direction == "GE" ? "LE"
                             : "";
}

/// Returns the relation in which every element reads a scalar.
std::optional<IndexingRelation> everythingOfScalar(const ArrayShape &from,
                                                   const ArrayShape &scalar,
                                                   Direction direction) {
  AccessList list;
  list.addEverything(from, scalar);
  const bool reads = direction == Direction::OutputToInput;
  auto relation =
      relationOf(list, direction, reads ? from : scalar, reads ? scalar : from);
  if (!relation.ok()) return std::nullopt;
  return *std::move(relation);
}

}  // namespace

/// Returns the value of the parameter's leaf that is that operand leaf, or
/// nothing if several are.
static std::optional<Value> valueIn(const Module &module, const Callee &callee,
                                    const PassedLeaves &passed, LeafId leaf) {
  const Computation &inside = module.computations[callee.computation];
  std::optional<Value> found;
  for (const auto &[parameter, number] : passed) {
    if (number != leaf) continue;
    if (found) return std::nullopt;
    found = Value{callee.computation,
                  inside.parameters[parameter.parameter],
                  parameter.leaf,
                  {}};
  }
  return found;
}

namespace {

/// Finds out whether a loop counts.
class CountedSearch {
 public:
  /// `passes`: the leaves of the state that the body leaves as they are.
  CountedSearch(const Module &module, ComputationId c, const Callee &condition,
                const Callee &body, llvm::ArrayRef<OperandLeaf> leaves,
                const std::vector<bool> &passes)
      : module_(module),
        c_(c),
        condition_(condition),
        body_(body),
        leaves_(leaves),
        passes_(passes),
        tested_(passedLeaves(module.computations[condition.computation],
                             condition, leaves)),
        stepped_(passedLeaves(module.computations[body.computation], body,
                              leaves)) {}

  std::optional<CountedLoop> find();
  const PassedLeaves &tested() const { return tested_; }
  const PassedLeaves &stepped() const { return stepped_; }

 private:
  bool isFixed(int64_t leaf) const {
    return leaf >= static_cast<int64_t>(passes_.size()) ||
           (leaf >= 0 && passes_[leaf]);
  }
  Value before(LeafId leaf) const {
    return {c_, leaves_[leaf].instruction, leaves_[leaf].result, {}};
  }
  bool isInteger(const Value &value) const {
    const ArrayShape &shape =
        shapesOf(instructionOf(module_, value).op).results[value.result];
    return shape.isScalar() && indexical::isInteger(shape.type);
  }
  void addNumbers(const Callee &callee, const PassedLeaves &passed);
  /// Returns the leaf of the state that the condition's value is, or nothing if
  /// the value is no leaf that the body changes.
  std::optional<LeafId> stateOf(const Value &value) const;
  bool addStep();

  const Module &module_;
  const ComputationId c_;
  const Callee &condition_, &body_;
  const llvm::ArrayRef<OperandLeaf> leaves_;
  const std::vector<bool> &passes_;
  const PassedLeaves tested_, stepped_;
  CountedLoop loop_;
};

void CountedSearch::addNumbers(const Callee &callee,
                               const PassedLeaves &passed) {
  const Computation &inside = module_.computations[callee.computation];
  for (const auto &[parameter, leaf] : passed) {
    const Value value = {callee.computation,
                         inside.parameters[parameter.parameter],
                         parameter.leaf,
                         {}};
    if (leaf < 0 || !isFixed(leaf) || !isInteger(value)) continue;
    if (const auto number = numberOf(module_, before(LeafId(leaf))))
      loop_.numbers[value] = *number;
  }
}

std::optional<LeafId> CountedSearch::stateOf(const Value &value) const {
  const int32_t number = instructionOf(module_, value).parameterNumber;
  if (!value.calls.empty() || number < 0 ||
      value.computation != condition_.computation || !isInteger(value))
    return std::nullopt;
  for (const auto &[parameter, leaf] : tested_)
    if (parameter.parameter == number && parameter.leaf == value.result) {
      if (leaf < 0 || isFixed(leaf)) return std::nullopt;
      return LeafId(leaf);
    }
  return std::nullopt;
}

/// Finds the step in the first trip, or, if the number of trips is known,
/// checks that all trips have it.
bool CountedSearch::addStep() {
  const Value next = {body_.computation,
                      module_.computations[body_.computation].root,
                      loop_.leaf,
                      {}};
  auto stepOver = [&](Interval values) -> std::optional<int64_t> {
    const auto line = lineOf(module_, next, loop_, values);
    if (!line) return std::nullopt;
    if (line->slope == 1) return line->offset;
    if (!values.isPoint()) return std::nullopt;
    return checkedSub(line->over(values).lower, values.lower);
  };
  if (loop_.trips > 1) return stepOver(loop_.values()) == loop_.step;
  const auto step = stepOver(Interval::point(loop_.first));
  if (step) loop_.step = *step;
  return step.has_value();
}

std::optional<CountedLoop> CountedSearch::find() {
  const InstructionId root = module_.computations[condition_.computation].root;
  const Value test =
      originOf(module_, Value{condition_.computation, root, {}, {}});
  const auto *compare = instructionOf(module_, test).op.as<ElementwiseOp>();
  if (!compare || compare->opKind != kindOf<ElementwiseOp>("compare") ||
      compare->operands.size() != 2)
    return std::nullopt;
  const Value sides[] = {
      originOf(module_, operandOf(module_, test, LeafId(0))),
      originOf(module_, operandOf(module_, test, LeafId(1)))};
  const int counter = stateOf(sides[0]) ? 0 : 1;
  const auto state = stateOf(sides[counter]);
  if (!state) return std::nullopt;
  loop_.leaf = *state;
  addNumbers(condition_, tested_);
  addNumbers(body_, stepped_);
  const auto limit = numberOf(module_, sides[1 - counter], loop_.numbers);
  const auto first = numberOf(module_, before(loop_.leaf));
  const auto inBody = valueIn(module_, body_, stepped_, loop_.leaf);
  if (!limit || !first || !inBody) return std::nullopt;
  loop_.value = *inBody;
  loop_.first = *first;
  if (!addStep()) return std::nullopt;
  const llvm::StringRef direction = directionOf(*compare);
  const auto trips = tripsOf(counter == 0 ? direction : turned(direction),
                             loop_.first, loop_.step, *limit);
  if (!trips) return std::nullopt;
  loop_.trips = *trips;
  if (loop_.trips > 1 && !addStep()) return std::nullopt;
  return loop_;
}

}  // namespace

std::optional<CountedLoop> findCountedLoop(const Module &module,
                                           ComputationId c,
                                           const Callee &condition,
                                           const Callee &body,
                                           llvm::ArrayRef<OperandLeaf> leaves,
                                           const std::vector<bool> &passes) {
  return CountedSearch(module, c, condition, body, leaves, passes).find();
}

std::optional<CountedLoop> CountedLoops::findLoop(ComputationId c,
                                                  InstructionId i,
                                                  const Callee &body) {
  const Module &module = graph_.module();
  const Instruction &instruction = graph_.instruction(c, i);
  const auto condition = calleeOf(instruction, CallRole::Condition);
  if (!instruction.op.is<WhileOp>() || !condition ||
      condition->computation < 0 || body.computation < 0)
    return std::nullopt;
  CountedSearch search(module, c, *condition, body, graph_.operandLeaves(c, i),
                       boxes_.of(c, i, body).passes);
  auto found = search.find();
  if (!found) return std::nullopt;
  // Counter and condition depend on numbers and the counter alone.
  bool isAlone = true;
  auto note = [&](ComputationId computation, LeafId root,
                  const PassedLeaves &passed) {
    const Whole &whole = solved_.reads(computation);
    const Computation &inside = module.computations[computation];
    for (const auto &[parameter, leaf] : passed) {
      if (!whole.count({root, parameter.parameter, parameter.leaf})) continue;
      found->control.insert(LeafId(leaf));
      const Value value = {computation,
                           inside.parameters[parameter.parameter],
                           parameter.leaf,
                           {}};
      isAlone &= leaf == found->leaf || found->numbers.count(value) > 0;
    }
  };
  note(condition->computation, {}, search.tested());
  if (found->trips > 0) note(body.computation, found->leaf, search.stepped());
  found->control.insert(found->leaf);
  if (!isAlone) return std::nullopt;
  return found;
}

const std::optional<CountedLoop> &CountedLoops::loopOf(ComputationId c,
                                                       InstructionId i,
                                                       const Callee &body) {
  auto [entry, isNew] = loops_.try_emplace({c, i});
  if (isNew) entry->second = findLoop(c, i, body);
  return entry->second;
}

namespace {

using BothWays = std::pair<IndexingRelation, IndexingRelation>;

/// Returns what a leaf of the state reads in a trip, by operand leaf, in terms
/// of the counter. Returns nothing if a way has other variables, or if the leaf
/// reads other leaves that change.
std::optional<std::map<LeafId, BothWays>> readsInTrip(
    CountedLeaf &leafOf, const CountedLoop &loop, const Whole &down,
    const Whole &up, const PassedLeaves &passed,
    const std::vector<bool> &passes, LeafId result) {
  std::map<LeafId, BothWays> inTrip;
  for (const auto &[parameter, number] : passed) {
    const LeafId leaf(number);
    const LeafPair key = {result, parameter.parameter, parameter.leaf};
    const auto reads = down.find(key), users = up.find(key);
    if (loop.control.count(leaf) || (reads == down.end() && users == up.end()))
      continue;
    const bool isFixed =
        leaf >= static_cast<int64_t>(passes.size()) || passes[leaf];
    if (leaf < 0 || (leaf != result && !isFixed) || inTrip.count(leaf) ||
        reads == down.end() || users == up.end())
      return std::nullopt;
    auto one = leafOf.ofCounter(reads->second);
    auto other = one ? leafOf.ofCounter(users->second) : std::nullopt;
    if (!other) return std::nullopt;
    inTrip[leaf] = {*std::move(one), *std::move(other)};
  }
  return inTrip;
}

bool keepsItsIndex(const IndexingMap &map) {
  const ExpressionTable &table = map.expressions();
  for (uint32_t k = 0; k < map.results().size(); ++k) {
    const FormId index = map.results()[k];
    // The only index of a dimension may be written as a number.
    if (table.isConstant(index)) {
      const int64_t number = table.constant(index);
      if (map.dimensions()[k].bounds != Interval::point(number)) return false;
      continue;
    }
    const auto id = table.asVariable(index);
    if (!id || id->kind != VariableKind::Dimension || id->index != k)
      return false;
  }
  return true;
}

/// Whether every element reads the whole of a scalar, such as a start.
bool isEverything(const IndexingRelation &reads, const ArrayShape &shape,
                  const ArrayShape &operand) {
  if (!operand.isScalar() || reads.pieces().size() != 1) return false;
  const IndexingMap &map = reads.pieces()[0];
  if (!map.constraints().empty()) return false;
  for (int64_t k = 0; k < shape.rank(); ++k)
    if (map.dimensions()[k].bounds != Interval{0, shape.dimensions[k] - 1})
      return false;
  return true;
}

/// Whether each element reads the leaf itself at its own index: outside of the
/// slice, or everywhere if there is no slice.
bool readsItself(CountedLeaf &leafOf, const IndexingRelation *own,
                 const std::optional<WrittenSlice> &slice,
                 const ArrayShape &shape) {
  if (slice)
    return !own || (llvm::all_of(own->pieces(), keepsItsIndex) &&
                    leafOf.isOutside(*own, *slice));
  return own && own->pieces().size() == 1 &&
         isIdentity(own->pieces()[0], shape);
}

/// The closed form of one leaf, as far as it is found.
class ClosedForm {
 public:
  ClosedForm(const OpShapes &shapes, LeafId result)
      : shapes_(shapes), shape_(shapes.results[result]) {}

  /// Adds the reads that `make` returns for each direction. Returns false if it
  /// returns nothing for one of them.
  template <typename Make>
  bool add(LeafId leaf, Make make) {
    std::optional<IndexingRelation> reads = make(Direction::OutputToInput);
    std::optional<IndexingRelation> users = make(Direction::InputToOutput);
    if (!reads || !users) return false;
    if (!reads->isEmpty())
      found_.reads[leaf] = {*std::move(reads), *std::move(users)};
    return true;
  }
  bool addScalar(LeafId leaf) {
    return add(leaf, [&](Direction direction) {
      return everythingOfScalar(shape_, shapes_.operands[leaf], direction);
    });
  }
  bool addItself(LeafId leaf) {
    return add(leaf, [&](Direction) -> std::optional<IndexingRelation> {
      auto identity = startOf(shape_);
      if (!identity.ok()) return std::nullopt;
      return *std::move(identity);
    });
  }
  bool addTrips(CountedLeaf &leafOf, LeafId leaf, const BothWays &inTrip,
                const std::optional<WrittenSlice> &slice) {
    if (slice && !leafOf.isWithin(inTrip.first, *slice))
      return isEverything(inTrip.first, shape_, shapes_.operands[leaf]) &&
             addScalar(leaf);
    if (!slice && inTrip.first.pieces().size() > 1) return false;
    return add(leaf, [&](Direction direction) {
      return leafOf.ofTrips(
          direction == Direction::OutputToInput ? inTrip.first : inTrip.second);
    });
  }
  CountedReads finished() {
    found_.isKnown = true;
    return std::move(found_);
  }

 private:
  const OpShapes &shapes_;
  const ArrayShape &shape_;
  CountedReads found_;
};

}  // namespace

const CountedReads &CountedLoops::readsOf(Leaf result, const Callee &body) {
  auto [entry, isNew] = reads_.try_emplace(result);
  if (isNew) entry->second = findReads(result, body);
  return entry->second;
}

/// Returns reads that are not known if there is no closed form, and there are
/// many trips.
CountedReads CountedLoops::findReads(Leaf of, const Callee &body) {
  const auto [c, i, result] = of;
  const std::optional<CountedLoop> &loop = loopOf(c, i, body);
  if (!loop) return {};
  CountedReads found = closedForm(of, *loop, body);
  return found.isKnown ? found : tripByTrip(of, *loop, body);
}

CountedReads CountedLoops::tripByTrip(Leaf of, const CountedLoop &loop,
                                      const Callee &body) {
  const auto [c, i, result] = of;
  const Module &module = graph_.module();
  const OpShapes &shapes = shapesOf(graph_.instruction(c, i).op);
  auto [entry, isNew] = unrolled_.try_emplace({c, i});
  if (isNew) {
    const PassedLeaves passed =
        passedLeaves(module.computations[body.computation], body,
                     graph_.operandLeaves(c, i));
    const int64_t counter = values_.number(loop.value);
    CountedLeaf leafOf(module, loop, values_.all(), counter);
    if (auto all =
            readsOfTrips(leafOf, loop, shapes, solved_.reads(body.computation),
                         solved_.users(body.computation), passed))
      entry->second = *std::move(all);
  }
  if (entry->second.empty()) return {};
  // Every element depends on the number of trips.
  ClosedForm form(shapes, result);
  for (LeafId leaf : loop.control)
    if (!form.addScalar(leaf)) return {};
  CountedReads found = form.finished();
  for (const auto &[leaf, ways] : entry->second[result].reads)
    found.reads.try_emplace(leaf, ways);
  return found;
}

CountedReads CountedLoops::closedForm(Leaf of, const CountedLoop &counted,
                                      const Callee &body) {
  const auto [c, i, result] = of;
  const Module &module = graph_.module();
  const CountedLoop *loop = &counted;
  const OpShapes &shapes = shapesOf(graph_.instruction(c, i).op);
  const ArrayShape &shape = shapes.results[result];
  if (hasOpenSize(shape) || shape.isEmpty()) return {};
  ClosedForm form(shapes, result);
  // Every element depends on the number of trips.
  for (LeafId leaf : loop->control)
    if (!form.addScalar(leaf)) return {};
  if (result == loop->leaf) return form.finished();
  if (loop->trips == 0) {
    if (!form.addItself(result)) return {};
    return form.finished();
  }
  const PassedLeaves passed = passedLeaves(
      module.computations[body.computation], body, graph_.operandLeaves(c, i));
  // The list of values grows by this one.
  const int64_t counter = values_.number(loop->value);
  CountedLeaf leafOf(module, *loop, values_.all(), counter);
  const auto inTrip =
      readsInTrip(leafOf, *loop, solved_.reads(body.computation),
                  solved_.users(body.computation), passed,
                  boxes_.of(c, i, body).passes, result);
  if (!inTrip) return {};
  const auto before = valueIn(module, body, passed, result);
  const Value root = {
      body.computation, module.computations[body.computation].root, result, {}};
  const auto slice = before ? leafOf.writtenBy(root, *before) : std::nullopt;
  const auto own = inTrip->find(result);
  if (!readsItself(leafOf, own == inTrip->end() ? nullptr : &own->second.first,
                   slice, shape))
    return {};
  const bool kept =
      slice ? form.add(result,
                       [&](Direction direction) {
                         return leafOf.kept(shape, *slice, direction);
                       })
            : form.addItself(result);
  if (!kept) return {};
  for (const auto &[leaf, relations] : *inTrip)
    if (leaf != result && !form.addTrips(leafOf, leaf, relations, slice))
      return {};
  return form.finished();
}

}  // namespace indexical
