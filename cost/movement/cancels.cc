#include "indexical/cost/movement/cancels.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/movement/passed_elements.h"
#include "indexical/exact/exact.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/hashing.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/families.h"
#include "indexical/ops/identity.h"
#include "indexical/simplifier/merge.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Ops on the way through what was put together of parts, to the part.
constexpr size_t kMostSteps = 64;
/// Parts of which a value is put together again.
constexpr size_t kMostParts = 64;
/// For the question whether two maps of one sample are equal.
constexpr int64_t kMostOperations = 20'000;

using MapId = int32_t;

/// Returns the element that the map names at that index.
std::optional<llvm::SmallVector<int64_t, 6>> elementAt(
    const IndexingMap &map, llvm::ArrayRef<int64_t> index) {
  IndexingMapBuilder b;
  for (int64_t at : index) b.result(at);
  auto point = b.build();
  auto element = point.ok() ? compose(*point, map) : point;
  if (element.ok()) element = simplify(*element);
  if (!element.ok() || element->isKnownEmpty()) return std::nullopt;
  llvm::SmallVector<int64_t, 6> found;
  for (FormId form : element->results()) {
    if (!element->expressions().isConstant(form)) return std::nullopt;
    found.push_back(element->expressions().constant(form));
  }
  return found;
}

/// The results of a map at some indices of its dimensions.
using Sample = std::vector<int64_t>;

/// Returns a sample that equal maps have in common; nothing if the elements
/// depend on values.
std::optional<Sample> sampleOf(const IndexingMap &map) {
  const size_t rank = map.dimensions().size();
  Sample sample;
  std::vector<int64_t> index(rank, 0);
  auto add = [&] {
    const auto element = elementAt(map, index);
    if (element) sample.insert(sample.end(), element->begin(), element->end());
    return element.has_value();
  };
  for (const Variable &dimension : map.dimensions())
    sample.push_back(dimension.bounds.upper);
  if (!add()) return std::nullopt;
  for (size_t k = 0; k < rank; ++k) {
    index[k] = map.dimensions()[k].bounds.upper;
    if (!add()) return std::nullopt;
  }
  return sample;
}

/// Maps by number, so that one composition is computed once. Equal maps have
/// one number, also where composing on two ways has written them in two forms.
class Maps {
 public:
  explicit Maps(const Budget &budget) : budget_(budget) {}

  const IndexingMap &operator[](MapId id) const { return *all_[id]; }
  MapId number(const IndexingMap &map) {
    const auto [entry, isNew] = numbers_.try_emplace(map, all_.size());
    if (!isNew) return entry->second;
    if (const auto sample = sampleOf(map)) {
      std::vector<MapId> &alike = alike_[*sample];
      for (MapId other : alike)
        if (areSame(map, (*this)[other])) return entry->second = other;
      alike.push_back(entry->second);
    }
    all_.push_back(&entry->first);
    return entry->second;
  }
  absl::StatusOr<MapId> composed(MapId first, MapId second) {
    const auto [known, isNew] = composed_.try_emplace({first, second}, -1);
    if (!isNew) return known->second;
    INDEXICAL_RETURN_IF_ERROR(budget_.check());
    INDEXICAL_ASSIGN_OR_RETURN(auto map,
                               compose((*this)[first], (*this)[second]));
    INDEXICAL_ASSIGN_OR_RETURN(map, simplify(map));
    return known->second = number(map);
  }

 private:
  bool areSame(const IndexingMap &a, const IndexingMap &b) const {
    ExactOptions options(budget_);
    options.operations = kMostOperations;
    const auto decision =
        areEqual(IndexingRelation(a), IndexingRelation(b), options);
    return decision.ok() && decision->answer == Answer::Yes;
  }

  const Budget &budget_;
  std::unordered_map<IndexingMap, MapId> numbers_;
  std::map<Sample, std::vector<MapId>> alike_;
  std::vector<const IndexingMap *> all_;  // keys stay where they are
  std::map<std::pair<MapId, MapId>, MapId> composed_;
};

/// A map whose dimensions have an order of their own, by what they do, so that
/// permutations of one value have one form.
struct OrderedForm {
  MapId map;
  llvm::SmallVector<int64_t, 4> order;  ///< the dimensions, in that order
};

/// Returns the form of a map that takes every index of its dimensions.
absl::StatusOr<OrderedForm> ordered(Maps &maps, MapId id) {
  const IndexingMap map = maps[id];
  const size_t rank = map.dimensions().size();
  using Signature = std::vector<int64_t>;
  llvm::SmallVector<std::pair<Signature, int64_t>, 4> dimensions;
  for (size_t k = 0; k < rank; ++k) {
    const int64_t last = map.dimensions()[k].bounds.upper;
    Signature signature = {last};
    for (int64_t at : {std::min<int64_t>(1, last), last}) {
      std::vector<int64_t> index(rank, 0);
      index[k] = at;
      if (const auto element = elementAt(map, index))
        signature.insert(signature.end(), element->begin(), element->end());
    }
    dimensions.push_back({std::move(signature), static_cast<int64_t>(k)});
  }
  llvm::sort(dimensions);
  OrderedForm form;
  std::vector<int64_t> place(rank);
  for (const auto &[signature, k] : dimensions) {
    place[k] = form.order.size();
    form.order.push_back(k);
  }
  // From an index in the new order to the old one, and on.
  IndexingMapBuilder b;
  std::vector<Expr> index;
  for (int64_t k : form.order)
    index.push_back(b.dimension(map.dimensions()[k].bounds));
  for (size_t k = 0; k < rank; ++k) b.result(index[place[k]]);
  INDEXICAL_ASSIGN_OR_RETURN(const auto turned, b.build());
  INDEXICAL_ASSIGN_OR_RETURN(form.map, maps.composed(maps.number(turned), id));
  return form;
}

/// A value, and how its elements follow from those of a root: a value that is
/// computed, or put together of several.
struct Node {
  InstructionLeaf value;
  int32_t root = -1, up = -1;  ///< nodes; a root is its own, and has none above
  MapId map = -1;              ///< to the root's elements
  ElementType type;            ///< that holds all values of the root
  /// The ops behind `up`, in order, that move memory.
  llvm::SmallVector<InstructionId, 1> ops;
  int64_t moves = 0;              ///< of all ops from the root on
  std::vector<PassedPart> parts;  ///< of a root that is put together
};

/// Finds the pairs of one computation.
class Finder {
 public:
  Finder(ProgramIndexing &maps, ComputationId computation, Maps &all)
      : indexing_(maps),
        c_(computation),
        own_(maps.module().computations[computation]),
        maps_(all) {}

  absl::Status find(std::vector<CancelledMoves> &pairs) {
    for (InstructionId i : own_.postOrder()) {
      INDEXICAL_RETURN_IF_ERROR(indexing_.budget().check());
      const int64_t leaves = own_.instructions[i].shape.leafCount();
      for (LeafId l; l < leaves; ++l) INDEXICAL_RETURN_IF_ERROR(add({i, l}));
    }
    return walk(pairs);
  }

 private:
  const ArrayShape &shapeOf(InstructionLeaf value) const {
    return shapesOf(own_.instructions[value.instruction].op)
        .results[value.leaf];
  }

  absl::Status add(InstructionLeaf value) {
    const int32_t number = nodes_.size();
    numbers_[value] = number;
    Node node;
    node.value = value;
    INDEXICAL_ASSIGN_OR_RETURN(node.parts, partsOf(indexing_, c_, value));
    if (!node.parts.empty()) INDEXICAL_RETURN_IF_ERROR(follow(node));
    if (node.up < 0) {
      node.root = number;
      node.type = shapeOf(value).type;
      node.map = -1;
    } else {
      node.parts.clear();
      node.moves = nodes_[node.up].moves + node.ops.size();
    }
    nodes_.push_back(std::move(node));
    return absl::OkStatus();
  }

  /// Whether a type change on the way from that node keeps all values.
  bool keepsValues(const Node &from, InstructionLeaf to) const {
    const ElementType before = shapeOf(from.value).type,
                      after = shapeOf(to).type;
    return before == after || holdsEvery(after, from.type);
  }

  /// Returns the map of a value to the root of the node `from`, of which `map`
  /// is the first part.
  absl::StatusOr<MapId> through(MapId map, const Node &from) {
    if (from.map < 0) return map;
    return maps_.composed(map, from.map);
  }

  void addOp(InstructionId i, Node &node) const {
    if (movesMemory(own_.instructions[i])) node.ops.push_back(i);
  }

  /// Sets the node above, if all elements of the node come from one root.
  absl::Status follow(Node &node) {
    const ArrayShape &shape = shapeOf(node.value);
    if (node.parts.size() == 1 && isWhole(node.parts[0].map, shape)) {
      const int32_t from = numbers_.at(node.parts[0].from);
      if (!keepsValues(nodes_[from], node.value)) {
        node.parts.clear();
        return absl::OkStatus();
      }
      INDEXICAL_ASSIGN_OR_RETURN(
          node.map, through(maps_.number(node.parts[0].map), nodes_[from]));
      node.up = from;
      node.root = nodes_[from].root;
      node.type = nodes_[from].type;
      addOp(node.value.instruction, node);
      return throughParts(node);
    }
    return joined(node);
  }

  /// If the root is put together of parts, and the node has elements of one
  /// part alone: goes on to that part.
  absl::Status throughParts(Node &node) {
    const ArrayShape &shape = shapeOf(node.value);
    while (!nodes_[node.root].parts.empty() &&
           nodes_[node.root].parts.size() <= kMostParts) {
      const int32_t root = node.root;
      const PassedPart *one = nullptr;
      MapId map = -1;
      for (const PassedPart &part : nodes_[root].parts) {
        MapId own = maps_.number(part.map);
        if (node.map >= 0) {
          INDEXICAL_ASSIGN_OR_RETURN(own, maps_.composed(node.map, own));
        }
        if (maps_[own].isKnownEmpty()) continue;
        if (one) return absl::OkStatus();
        one = &part;
        map = own;
      }
      if (!one || !isWhole(maps_[map], shape)) return absl::OkStatus();
      const Node &from = nodes_[numbers_.at(one->from)];
      if (shapeOf(from.value).type != shapeOf(nodes_[root].value).type)
        return absl::OkStatus();
      auto way = wayTo(root, node.up);
      if (!way) return absl::OkStatus();
      INDEXICAL_ASSIGN_OR_RETURN(const MapId whole, through(map, from));
      // In place of the root and what lies between.
      llvm::SmallVector<InstructionId, 1> ops;
      if (movesMemory(own_.instructions[nodes_[root].value.instruction]))
        ops.push_back(nodes_[root].value.instruction);
      ops.append(way->begin(), way->end());
      ops.append(node.ops.begin(), node.ops.end());
      node.ops = std::move(ops);
      node.map = whole;
      node.up = numbers_.at(one->from);
      node.root = from.root;
      node.type = from.type;
    }
    return absl::OkStatus();
  }

  /// Returns the ops from behind the upper node on to the lower one, or nothing
  /// if they are too many. A node that is not above gives nothing, too.
  std::optional<std::vector<InstructionId>> wayTo(int32_t upper,
                                                  int32_t lower) const {
    std::vector<InstructionId> ops;
    for (size_t steps = 0; lower != upper; ++steps) {
      if (lower < 0 || steps == kMostSteps) return std::nullopt;
      const Node &node = nodes_[lower];
      ops.insert(ops.end(), node.ops.rbegin(), node.ops.rend());
      lower = node.up;
    }
    std::reverse(ops.begin(), ops.end());
    return ops;
  }

  /// If all parts are of one root and make one map together: they follow from
  /// that root.
  absl::Status joined(Node &node) {
    if (node.parts.size() < 2 || node.parts.size() > kMostParts)
      return absl::OkStatus();
    const ArrayShape &shape = shapeOf(node.value);
    IndexingRelation all;
    int32_t root = -1;
    std::vector<InstructionId> ops;
    for (const PassedPart &part : node.parts) {
      const Node &from = nodes_[numbers_.at(part.from)];
      if (root >= 0 && from.root != root) return absl::OkStatus();
      root = from.root;
      if (shapeOf(from.value).type != shape.type || from.type != shape.type)
        return absl::OkStatus();
      const auto way = wayTo(root, numbers_.at(part.from));
      if (!way) return absl::OkStatus();
      for (InstructionId i : *way)
        if (!llvm::is_contained(ops, i)) ops.push_back(i);
      INDEXICAL_ASSIGN_OR_RETURN(const MapId map,
                                 through(maps_.number(part.map), from));
      uniteMerged(all, IndexingRelation(maps_[map]));
    }
    if (all.pieces().size() != 1 || !isWhole(all.pieces()[0], shape))
      return absl::OkStatus();
    node.map = maps_.number(all.pieces()[0]);
    node.up = node.root = root;
    node.type = shape.type;
    node.ops.assign(ops.begin(), ops.end());
    addOp(node.value.instruction, node);
    return absl::OkStatus();
  }

  //===-- Pairs -----------------------------------------------------------===//

  /// The nodes on the way to the one that is looked at, by their form.
  using Form = std::tuple<int32_t, MapId, ElementType>;
  using Open = std::map<Form, std::vector<int32_t>>;

  /// Returns the nearest of the nodes that lies two moves before, or -1.
  int32_t nearest(const Open &open, const Form &form, int64_t moves) const {
    const auto found = open.find(form);
    if (found == open.end()) return -1;
    const auto &above = found->second;
    const auto behind = llvm::partition_point(
        above, [&](int32_t node) { return nodes_[node].moves + 2 <= moves; });
    if (behind == above.begin()) return -1;
    // The first of several views of one array is named.
    const int64_t last = nodes_[*std::prev(behind)].moves;
    return *llvm::partition_point(
        above, [&](int32_t node) { return nodes_[node].moves < last; });
  }

  absl::Status walk(std::vector<CancelledMoves> &pairs) {
    std::vector<std::vector<int32_t>> below(nodes_.size());
    for (size_t n = nodes_.size(); n-- > 0;)
      if (nodes_[n].up >= 0) below[nodes_[n].up].push_back(n);
    Open same, permuted;
    std::vector<std::pair<int32_t, bool>> work;  // a node, and whether to leave
    std::vector<CancelledMoves> found;
    for (size_t n = nodes_.size(); n-- > 0;)
      if (nodes_[n].up < 0 && !below[n].empty()) work.push_back({n, false});
    while (!work.empty()) {
      const auto [n, leave] = work.back();
      work.pop_back();
      const Node &node = nodes_[n];
      const auto count = shapeOf(node.value).elementCount();
      if (!count || *count < 1) {
        if (!leave)
          for (int32_t each : below[n]) work.push_back({each, false});
        continue;
      }
      INDEXICAL_ASSIGN_OR_RETURN(const OrderedForm &form, formOf(n));
      const ElementType type = shapeOf(node.value).type;
      const Form exact = {node.root, mapOf(n), type},
                 turned = {node.root, form.map, type};
      if (leave) {
        same[exact].pop_back();
        permuted[turned].pop_back();
        continue;
      }
      int32_t first = nearest(same, exact, node.moves);
      if (first < 0) first = nearest(permuted, turned, node.moves);
      // A tuple passes values on and makes none.
      const bool isPassedOn =
          own_.instructions[node.value.instruction].op.is<ForwardOp>();
      if (first >= 0 && !isPassedOn) {
        INDEXICAL_ASSIGN_OR_RETURN(auto pair, pairOf(first, n));
        found.push_back(std::move(pair));
      }
      same[exact].push_back(n);
      permuted[turned].push_back(n);
      work.push_back({n, true});
      for (int32_t each : below[n]) work.push_back({each, false});
    }
    llvm::sort(found, [](const CancelledMoves &a, const CancelledMoves &b) {
      return a.second < b.second;
    });
    for (CancelledMoves &pair : found) pairs.push_back(std::move(pair));
    return absl::OkStatus();
  }

  /// Returns the map of a node to its root's elements.
  MapId mapOf(int32_t n) {
    Node &node = nodes_[n];
    if (node.map >= 0) return node.map;
    auto same = simplify(identityOf(shapeOf(node.value)));
    return node.map = maps_.number(same.ok() ? *same : IndexingMap());
  }

  absl::StatusOr<OrderedForm> formOf(int32_t n) {
    const MapId map = mapOf(n);
    if (const auto known = forms_.find(map); known != forms_.end())
      return known->second;
    INDEXICAL_ASSIGN_OR_RETURN(auto form, ordered(maps_, map));
    return forms_[map] = std::move(form);
  }

  absl::StatusOr<CancelledMoves> pairOf(int32_t first, int32_t second) {
    CancelledMoves pair;
    pair.computation = c_;
    pair.first = nodes_[first].value;
    pair.second = nodes_[second].value;
    for (int32_t at = second; at != first; at = nodes_[at].up)
      pair.between.insert(pair.between.end(), nodes_[at].ops.rbegin(),
                          nodes_[at].ops.rend());
    std::reverse(pair.between.begin(), pair.between.end());
    if (mapOf(first) == mapOf(second)) {
      for (int64_t k = 0; k < shapeOf(pair.second).rank(); ++k)
        pair.permutation.push_back(k);
    } else {
      INDEXICAL_ASSIGN_OR_RETURN(const auto before, formOf(first));
      INDEXICAL_ASSIGN_OR_RETURN(const auto after, formOf(second));
      pair.permutation.resize(after.order.size());
      for (size_t j = 0; j < after.order.size(); ++j)
        pair.permutation[after.order[j]] = before.order[j];
    }
    for (InstructionId i : pair.between)
      pair.bytes = sum(pair.bytes, bytesOf(i));
    return pair;
  }

  /// These are INT64_MAX where there are more.
  static int64_t sum(int64_t a, int64_t b) {
    return checkedAdd(a, b).value_or(INT64_MAX);
  }
  static int64_t bytesOf(int64_t count, int64_t bits) {
    if (bits % 8 == 0) return checkedMul(count, bits / 8).value_or(INT64_MAX);
    return count / 8 * bits + (count % 8 * bits + 7) / 8;
  }

  /// Returns the bytes of the arrays that the op reads and writes.
  int64_t bytesOf(InstructionId i) const {
    const OpShapes &shapes = shapesOf(own_.instructions[i].op);
    int64_t bytes = 0;
    for (const ShapeList *list : {&shapes.operands, &shapes.results})
      for (const ArrayShape &shape : *list)
        if (const auto count = shape.elementCount())
          bytes = sum(bytes, bytesOf(*count, bitsOf(shape.type)));
    return bytes;
  }

  ProgramIndexing &indexing_;
  const ComputationId c_;
  const Computation &own_;
  Maps &maps_;
  std::vector<Node> nodes_;
  std::map<InstructionLeaf, int32_t> numbers_;
  std::map<MapId, OrderedForm> forms_;
};

/// The computations that are no part of a kernel.
std::vector<bool> ownKernels(const Module &module) {
  std::vector<bool> all(module.computations.size(), true);
  for (const Computation &computation : module.computations)
    for (const Instruction &instruction : computation.instructions)
      for (const CalledComputation &called : instruction.called) {
        if (called.computation < 0) continue;
        const bool isInside = called.role == CallRole::Calls
                                  ? instruction.opcode == "fusion"
                                  : called.role == CallRole::Other ||
                                        (called.role == CallRole::ToApply &&
                                         !instruction.op.is<CallOp>());
        if (isInside) all[called.computation] = false;
      }
  return all;
}

}  // namespace

absl::StatusOr<std::vector<CancelledMoves>> cancelsOf(ProgramIndexing &maps) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return cancelsOf(maps); });
  std::vector<CancelledMoves> pairs;
  const std::vector<bool> own = ownKernels(maps.module());
  Maps all(maps.budget());
  for (size_t c = 0; c < own.size(); ++c)
    if (own[c])
      INDEXICAL_RETURN_IF_ERROR(
          Finder(maps, ComputationId(c), all).find(pairs));
  return pairs;
}

}  // namespace indexical
