#include "indexical/program/maps/scans.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/program/maps/closure.h"
#include "indexical/program/maps/reached.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// The most lags that are looked at one by one; the rest must be alike.
constexpr int64_t kMostLags = 5;

constexpr Interval kAnyIndex{0, Interval::kInfinity};

bool sameRelation(const IndexingRelation &a, const IndexingRelation &b) {
  return a.precision() == b.precision() &&
         a.pieces().size() == b.pieces().size() &&
         llvm::all_of(a.pieces(), [&](const IndexingMap &piece) {
           return llvm::is_contained(b.pieces(), piece);
         });
}

/// The scanned dimension in two tensors of slices.
struct Places {
  int64_t dimension = 0;
  /// The indices in each tensor; nothing if the tensor does not have the
  /// dimension.
  std::optional<Interval> from, to;
  /// Index of `to` minus index of `from`, if both tensors have the dimension.
  Interval difference = Interval::all();
};

/// Returns a map between slices as one between the whole tensors.
absl::StatusOr<IndexingMap> lifted(const IndexingMap &slices,
                                   const Places &places) {
  const size_t at = places.dimension;
  IndexingMapBuilder b;
  llvm::SmallVector<FormId, 6> dimensions;
  std::optional<Expr> from, to;
  for (size_t k = 0; k <= slices.dimensions().size(); ++k) {
    if (k == at && places.from) from = b.dimension(*places.from);
    if (k < slices.dimensions().size())
      dimensions.push_back(b.dimension(slices.dimensions()[k].bounds).form());
  }
  for (const Variable &v : slices.ranges()) b.range(v.bounds);
  if (places.to && from && places.difference.isPoint()) {
    to = *from + places.difference.lower;
    b.constraint(*to, *places.to);
  } else if (places.to) {
    to = b.range(*places.to);
    if (from) b.constraint(*to - *from, places.difference);
  }
  auto replace = [&](VariableId id) {
    return id.kind == VariableKind::Dimension ? dimensions[id.index]
                                              : b.pool().variable(id);
  };
  ExpressionImport import(slices.expressions(), b.pool(), replace);
  for (size_t k = 0; k <= slices.results().size(); ++k) {
    if (k == at && to) b.result(*to);
    if (k < slices.results().size())
      b.result(b.expression(import(slices.results()[k])));
  }
  for (size_t i = 0; i < slices.members().size(); ++i)
    b.member(slices.collectives()[i],
             b.expression(import(slices.members()[i])));
  for (const Constraint &c : slices.constraints())
    b.constraint(b.expression(import(c.form)), c.bounds);
  INDEXICAL_ASSIGN_OR_RETURN(auto map, b.build());
  SimplifyOptions options;
  options.rename = true;
  return simplify(map, options);
}

/// Finds the reads of one scan, in either direction.
class Scan {
 public:
  using Answer = absl::StatusOr<IndexingRelation>;

  /// Returns a box between slices as a relation in a direction.
  using Boxed = llvm::function_ref<Answer(const Box &, Direction)>;

  /// `parameters` holds, for each operand leaf, the leaf of the body's that it
  /// is.
  Scan(const ScanOp &op, const Computation &body,
       llvm::ArrayRef<ParameterLeaf> parameters, const Whole &reads,
       const Whole &users, Boxed boxed)
      : op(op),
        boxed(boxed),
        body(body),
        parameters(parameters),
        wholes{&reads, &users},
        inputs(op.inputs()),
        outputs(op.results.size() - op.carries) {}

  Answer ask(Direction direction, int64_t result, int64_t operand) {
    INDEXICAL_ASSIGN_OR_RETURN(auto settles, settle());
    if (!settles) return covered(direction, result, operand);
    // If one direction is given up, the other must be, too.
    auto exact = exactly(direction, result, operand);
    INDEXICAL_RETURN_IF_ERROR(exactly(direction == Direction::OutputToInput
                                          ? Direction::InputToOutput
                                          : Direction::OutputToInput,
                                      result, operand)
                                  .status());
    return limit ? covered(direction, result, operand) : exact;
  }

 private:
  using Matrix = std::vector<std::vector<IndexingRelation>>;
  using Relations = std::vector<IndexingRelation>;

  const Whole &whole(Direction direction) const {
    return *wholes[direction == Direction::InputToOutput];
  }
  /// Returns what leaf `root` of the body reads of the parameter that operand
  /// `operand` is in the body, or the inverse.
  IndexingRelation bodyReads(Direction direction, int64_t root,
                             int64_t operand) const {
    const ParameterLeaf &at = parameters[operand];
    auto found = whole(direction).find({LeafId(root), at.parameter, at.leaf});
    return found == whole(direction).end() ? IndexingRelation() : found->second;
  }
  const ArrayShape &rootShape(int64_t root) const {
    return shapesOf(body.instructions[body.root].op).results[root];
  }
  const ArrayShape &parameterShape(int64_t operand) const {
    const ParameterLeaf &at = parameters[operand];
    return shapesOf(body.instructions[body.parameters[at.parameter]].op)
        .results[at.leaf];
  }
  bool isOutput(int64_t result) const { return result < outputs; }
  bool isInput(int64_t operand) const { return operand < inputs; }
  bool isCarry(int64_t operand) const {
    return !isInput(operand) && operand < inputs + op.carries;
  }
  bool isCaptured(int64_t operand) const {
    return operand >= inputs + op.carries;
  }

  /// Returns the number of steps, or nothing if it is not known.
  std::optional<int64_t> length() const;
  absl::StatusOr<bool> settle();
  absl::Status multiply(Direction direction, IndexingRelation &into,
                        const IndexingRelation &outer,
                        const IndexingRelation &inner) const;
  absl::StatusOr<Matrix> nextPower(Direction direction,
                                   const Matrix &power) const;
  absl::StatusOr<std::vector<Matrix>> powersOf(Direction direction) const;
  absl::StatusOr<Relations> byLag(Direction direction, int64_t result,
                                  int64_t operand) const;
  Answer exactly(Direction direction, int64_t result, int64_t operand);
  Answer covered(Direction direction, int64_t result, int64_t operand) const;
  Places placesOf(Direction direction, int64_t result, int64_t operand,
                  Interval lags) const;
  absl::Status addPlaced(IndexingRelation &into, const IndexingRelation &slices,
                         const Places &places) const;

  const ScanOp &op;
  const Boxed boxed;
  const Computation &body;
  const llvm::ArrayRef<ParameterLeaf> parameters;
  const Whole *wholes[2];
  const int64_t inputs, outputs;
  mutable std::optional<LimitKind> limit;  ///< a relation had too many pieces
  /// powers[k][a][b]: carry a reads of carry b, k steps before; all further
  /// ones are as the last. Output to input.
  std::vector<Matrix> powers;
};

std::optional<int64_t> Scan::length() const {
  for (const ShapeList *shapes : {&op.operands, &op.results}) {
    const int64_t count = shapes->size() - op.carries;
    for (int64_t k = 0; k < count; ++k) {
      const ArrayShape &shape = (*shapes)[k];
      if (shape.dimensions[op.dimension] == kDynamicSize ||
          (!shape.dynamic.empty() && shape.dynamic[op.dimension]))
        return std::nullopt;
    }
  }
  return op.operands[0].dimensions[op.dimension];
}

/// Adds the product of what `outer` reads and what `inner` reads of that.
absl::Status Scan::multiply(Direction direction, IndexingRelation &into,
                            const IndexingRelation &outer,
                            const IndexingRelation &inner) const {
  if (outer.isEmpty() || inner.isEmpty()) return absl::OkStatus();
  INDEXICAL_ASSIGN_OR_RETURN(auto product,
                             direction == Direction::OutputToInput
                                 ? compose(outer, inner, ResultSide::First)
                                 : compose(inner, outer, ResultSide::Second));
  return unite(into, product, limit);
}

absl::StatusOr<Scan::Matrix> Scan::nextPower(Direction direction,
                                             const Matrix &power) const {
  const int64_t n = op.carries;
  Matrix next(n, Relations(n));
  for (int64_t a = 0; a < n; ++a)
    for (int64_t c = 0; c < n; ++c) {
      const auto step = bodyReads(direction, outputs + a, inputs + c);
      for (int64_t b = 0; b < n; ++b)
        INDEXICAL_RETURN_IF_ERROR(
            multiply(direction, next[a][b], step, power[c][b]));
    }
  return next;
}

/// Whether all powers of the carries are known. Fills in `powers`.
absl::StatusOr<bool> Scan::settle() {
  if (!length()) return false;
  for (const Whole *whole : wholes)
    for (const auto &[key, relation] : *whole)
      for (const IndexingMap &piece : relation.pieces())
        if (!piece.runtime().empty() || !piece.collectives().empty())
          return false;
  INDEXICAL_ASSIGN_OR_RETURN(powers, powersOf(Direction::OutputToInput));
  return !powers.empty();
}

/// Returns the powers of the carries: in the second direction as many as in the
/// first, and none if they do not settle.
absl::StatusOr<std::vector<Scan::Matrix>> Scan::powersOf(
    Direction direction) const {
  const int64_t n = op.carries;
  std::vector<Matrix> found;
  Matrix one(n, Relations(n));
  for (int64_t a = 0; a < n; ++a) {
    INDEXICAL_ASSIGN_OR_RETURN(one[a][a], startOf(op.operands[inputs + a]));
  }
  found.push_back(std::move(one));
  auto same = [&](const Matrix &a, const Matrix &b) {
    for (int64_t r = 0; r < n; ++r)
      for (int64_t k = 0; k < n; ++k)
        if (!sameRelation(a[r][k], b[r][k])) return false;
    return true;
  };
  while (true) {
    if (!powers.empty() && found.size() == powers.size()) return found;
    INDEXICAL_ASSIGN_OR_RETURN(auto next, nextPower(direction, found.back()));
    if (powers.empty() && same(next, found.back())) return found;
    if (found.size() == kMostLags) return std::vector<Matrix>();
    found.push_back(std::move(next));
  }
}

/// Returns what the result reads, by the number of steps in between; the last
/// entry stands for all that follow. For an input, an output begins with lag 0,
/// its own slice, and a final carry with the last slice. A captured operand is
/// read in the same steps. For an init, the number is that of the steps before.
absl::StatusOr<Scan::Relations> Scan::byLag(Direction direction, int64_t result,
                                            int64_t operand) const {
  INDEXICAL_ASSIGN_OR_RETURN(auto all, powersOf(direction));
  Relations lags;
  if (isOutput(result) && !isCarry(operand))
    lags.push_back(bodyReads(direction, result, operand));
  for (const Matrix &power : all) {
    Relations carries(op.carries);  // of the operand, by each carry
    for (int64_t c = 0; c < op.carries; ++c) {
      if (isCarry(operand)) {
        carries[c] = power[c][operand - inputs];
        continue;
      }
      for (int64_t b = 0; b < op.carries; ++b)
        INDEXICAL_RETURN_IF_ERROR(
            multiply(direction, carries[c], power[c][b],
                     bodyReads(direction, outputs + b, operand)));
    }
    if (!isOutput(result)) {
      lags.push_back(carries[result - outputs]);
      continue;
    }
    IndexingRelation &lag = lags.emplace_back();
    for (int64_t c = 0; c < op.carries; ++c)
      INDEXICAL_RETURN_IF_ERROR(
          multiply(direction, lag, bodyReads(direction, result, inputs + c),
                   carries[c]));
  }
  return lags;
}

/// Returns the places of elements that are so many steps apart.
Places Scan::placesOf(Direction direction, int64_t result, int64_t operand,
                      Interval lags) const {
  const bool reads = direction == Direction::OutputToInput;
  auto indices = [&](const ArrayShape &shape) {
    const int64_t size = shape.dimensions[op.dimension];
    return size == kDynamicSize ? kAnyIndex : Interval{0, size - 1};
  };
  Places places;
  places.dimension = op.dimension;
  std::optional<Interval> output, input;
  if (isOutput(result)) output = indices(op.results[result]);
  if (isInput(operand)) input = indices(op.operands[operand]);
  if (output && input) {
    // The input stands before the output, in the order of the scan.
    places.difference = reads == op.reverse ? lags : -lags;
  } else if (auto steps = length()) {
    // Steps from the init on, or from the last slice back.
    const bool fromLast = input.has_value() != op.reverse;
    const Interval at = fromLast ? Interval::point(*steps - 1) - lags : lags;
    if (output) output = output->intersect(at);
    if (input) input = input->intersect(at);
  }
  places.from = reads ? output : input;
  places.to = reads ? input : output;
  return places;
}

absl::Status Scan::addPlaced(IndexingRelation &into,
                             const IndexingRelation &slices,
                             const Places &places) const {
  IndexingRelation placed;
  for (const IndexingMap &piece : slices.pieces()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto map, lifted(piece, places));
    placed.add(std::move(map));
  }
  placed.weaken(slices.precision());
  return unite(into, placed, limit);
}

Scan::Answer Scan::exactly(Direction direction, int64_t result,
                           int64_t operand) {
  INDEXICAL_ASSIGN_OR_RETURN(auto reads,
                             byLag(Direction::OutputToInput, result, operand));
  INDEXICAL_ASSIGN_OR_RETURN(auto lags, byLag(direction, result, operand));
  IndexingRelation relation;
  const int64_t last = lags.size() - 1;
  if (!isOutput(result) && isCarry(operand)) {
    relation = lags[std::min(last, *length())];
    return relation;
  }
  if (!isOutput(result) && isCaptured(operand)) {
    for (int64_t lag = 0; lag <= last && lag < *length(); ++lag)
      INDEXICAL_RETURN_IF_ERROR(unite(relation, lags[lag], limit));
    return relation;
  }
  // From `tail` on all lags are alike, which one direction decides for both.
  int64_t tail = last;
  while (tail > 0 && sameRelation(reads[tail - 1], reads[last])) --tail;
  for (int64_t lag = 0; lag <= tail; ++lag) {
    // Every step reads captured operands, once there are so many steps.
    const bool isOpen = lag == tail || isCaptured(operand);
    const Interval span =
        isOpen ? Interval{lag, Interval::kInfinity} : Interval::point(lag);
    INDEXICAL_RETURN_IF_ERROR(addPlaced(
        relation, lags[lag], placesOf(direction, result, operand, span)));
  }
  return relation;
}

/// Covers by boxes between slices, the carries closed over any number of steps.
Scan::Answer Scan::covered(Direction direction, int64_t result,
                           int64_t operand) const {
  auto boxBetween = [&](int64_t root, int64_t parameter) {
    return boxOf(bodyReads(Direction::OutputToInput, root, parameter),
                 rootShape(root), parameterShape(parameter));
  };
  std::vector<BoxRow> step(op.carries);
  std::vector<ArrayShape> carries;
  for (int64_t a = 0; a < op.carries; ++a) {
    carries.push_back(parameterShape(inputs + a));
    for (int64_t c = 0; c < op.carries; ++c)
      addTo(step[a], LeafId(c), boxBetween(outputs + a, inputs + c));
  }
  const std::vector<BoxRow> rows = closureOf(step, carries);
  BoxRow start;  // the carries that the result is, or reads
  if (isOutput(result))
    for (int64_t c = 0; c < op.carries; ++c)
      addTo(start, LeafId(c), boxBetween(result, inputs + c));
  else
    addTo(start, LeafId(result - outputs),
          identityBox(carries[result - outputs]));
  BoxRow all;  // of operand 0, the only one
  for (const auto &[carry, box] : start)
    for (const auto &[older, behind] : rows[carry]) {
      auto read = composed(box, behind);
      if (!read) continue;
      if (isCarry(operand)) {
        if (older == operand - inputs) addTo(all, {}, read);
      } else if (auto slice = boxBetween(outputs + older, operand)) {
        addTo(all, {}, composed(*read, *slice));
      }
    }
  Interval lags{all.empty() ? 0 : 1, Interval::kInfinity};
  if (isOutput(result) && !isCarry(operand))
    if (auto now = boxBetween(result, operand)) {
      lags = all.empty() ? Interval::point(0) : kAnyIndex;
      addTo(all, {}, now);
    }
  if (all.empty()) return IndexingRelation();
  INDEXICAL_ASSIGN_OR_RETURN(auto slices,
                             boxed(all.begin()->second, direction));
  if (!isOutput(result) || !isInput(operand)) lags = kAnyIndex;
  IndexingRelation relation;
  INDEXICAL_RETURN_IF_ERROR(
      addPlaced(relation, slices, placesOf(direction, result, operand, lags)));
  return relation;
}

}  // namespace

absl::StatusOr<IndexingRelation> Scans::through(const Edge &edge,
                                                const Callee &body) {
  const ComputationId c = edge.computation;
  const InstructionId i = edge.instruction;
  const Op &op = innermost(graph_.instruction(c, i).op);
  auto boxed = [&](const Box &box, Direction way) {
    return loops_.withDevices(box, way, c, i, body);
  };
  std::vector<ParameterLeaf> parameters;
  for (const OperandLeaf &operand : graph_.operandLeaves(c, i))
    parameters.push_back({body.parameterOf(operand.operand), operand.leaf});
  return Scan(op.get<ScanOp>(), graph_.computation(body.computation),
              parameters, solved_.reads(body.computation),
              solved_.users(body.computation), boxed)
      .ask(edge.direction, edge.result, edge.leaf);
}

}  // namespace indexical
