#include "indexical/program/fold.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/callees.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

std::optional<Expr> literal(const ConstantOp &op, IndexingMapBuilder &b,
                            llvm::ArrayRef<Expr> index) {
  if (op.values.empty()) return std::nullopt;
  // The smallest integer has no negative: no expression holds it.
  auto constant = [&](int64_t value) -> std::optional<Expr> {
    if (value == INT64_MIN) return std::nullopt;
    return b.constant(value);
  };
  if (llvm::all_equal(op.values)) return constant(op.values[0]);
  int64_t linear = 0;
  llvm::ArrayRef<int64_t> sizes = op.results[0].dimensions;
  for (size_t k = 0; k < index.size(); ++k) {
    FormId form = index[k].form();
    if (!b.pool().isConstant(form)) return std::nullopt;
    linear = linear * sizes[k] + b.pool().constant(form);
  }
  if (linear < 0 || linear >= static_cast<int64_t>(op.values.size()))
    return std::nullopt;
  return constant(op.values[linear]);
}

/// Whether every result element is the operand's element that its map names:
/// ops that only move, and conversions between types that hold the value.
bool keepsValues(const Instruction &instruction) {
  const Op &op = instruction.op;
  if (auto *elementwise = op.as<ElementwiseOp>())
    return elementwise->keepsValues();
  return op.is<BroadcastOp>() || op.is<TransposeOp>() || op.is<ReverseOp>() ||
         op.is<SliceOp>() || op.is<ReshapeOp>() || op.is<BitcastOp>() ||
         op.is<ForwardOp>();
}

/// The index that `op` reads of its one operand under one element of its
/// result, where that is a single expression.
std::optional<llvm::SmallVector<Expr, 4>> movedIndex(const Op &op,
                                                     llvm::ArrayRef<Expr> index,
                                                     IndexingMapBuilder &b) {
  if (shapesOf(op).operands.size() != 1) return std::nullopt;
  auto relation = indexing(op, Direction::OutputToInput, 0, 0);
  if (!relation.ok() || relation->pieces().size() != 1 ||
      relation->precision() != Precision::Exact)
    return std::nullopt;
  const IndexingMap &map = relation->pieces()[0];
  if (!map.ranges().empty() || !map.runtime().empty()) return std::nullopt;
  auto replace = [&](VariableId id) { return index[id.index].form(); };
  ExpressionImport import(map.expressions(), b.pool(), replace);
  llvm::SmallVector<Expr, 4> moved;
  for (FormId form : map.results()) moved.push_back(b.expression(import(form)));
  return moved;
}

/// Whether a type has every value of another one.
bool holdsAll(ElementType type, ElementType from) {
  if (type == from) return true;
  // An interval holds all values of up to 32 bits, and all signed ones of 64
  // bits, but not the upper half of the unsigned ones of 64 bits.
  return isInteger(type) && isInteger(from) && bitsOf(from) < 64 &&
         valuesOf(type).contains(valuesOf(from));
}

/// The first runtime variable that is known, in a map where it is replaced:
/// one map, or three where the value can lie on either side of the clamp.
struct Folding {
  const IndexingMap &map;
  size_t variable;
  KnownElement known;

  enum class Part { Below, Inside, Above };

  absl::StatusOr<IndexingMap> part(Part part) const {
    const RuntimeVariable &rt = map.runtime()[variable];
    auto value = [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> index) {
      Expr element = *known(rt.source, b, index);
      switch (part) {
        case Part::Below:
          b.constraint(element,
                       {Interval::kMinusInfinity, rt.bounds.lower - 1});
          return b.constant(rt.bounds.lower);
        case Part::Above:
          b.constraint(element, {rt.bounds.upper + 1, Interval::kInfinity});
          return b.constant(rt.bounds.upper);
        case Part::Inside:
          break;
      }
      b.constraint(element, rt.bounds);
      return element;
    };
    return replaceRuntime(map, variable, value);
  }

  absl::Status addTo(llvm::SmallVectorImpl<IndexingMap> &work) const {
    const RuntimeVariable &rt = map.runtime()[variable];
    llvm::SmallVector<Part, 3> parts{Part::Inside};
    if (rt.clamped && rt.bounds.hasLower()) parts.push_back(Part::Below);
    if (rt.clamped && rt.bounds.hasUpper()) parts.push_back(Part::Above);
    for (Part which : parts) {
      auto piece = part(which);
      if (!piece.ok()) return piece.status();
      SimplifyOptions options;
      options.rename = true;
      piece = simplify(*piece, options);
      if (!piece.ok()) return piece.status();
      if (!piece->isKnownEmpty()) work.push_back(*std::move(piece));
    }
    return absl::OkStatus();
  }
};

}  // namespace

Interval valuesOf(ElementType type) {
  const int64_t bits = bitsOf(type);
  const bool isUnsigned = elementTypeName(type).starts_with("u");
  if (!isInteger(type) || bits <= 0) return Interval::all();
  if (type == ElementType::Pred) return {0, 1};
  if (bits >= 64)
    return isUnsigned ? Interval{0, Interval::kInfinity} : Interval::all();
  const int64_t half = int64_t{1} << (bits - 1);
  return isUnsigned ? Interval{0, 2 * half - 1} : Interval{-half, half - 1};
}

std::optional<Expr> knownElement(const Computation &computation,
                                 int32_t instruction,
                                 IndexingMapBuilder &builder,
                                 llvm::ArrayRef<Expr> index) {
  llvm::SmallVector<Expr, 4> at(index.begin(), index.end());
  Interval held = Interval::all();  // what every type on the way holds
  // The file's order bounds the way: each step goes to an operand.
  for (size_t steps = 0; steps <= computation.instructions.size(); ++steps) {
    const Instruction &i = computation.instructions[instruction];
    const OpShapes &shapes = shapesOf(i.op);
    if (shapes.results.size() != 1 || !isInteger(shapes.results[0].type) ||
        at.size() != shapes.results[0].dimensions.size())
      return std::nullopt;
    held = held.intersect(valuesOf(shapes.results[0].type));
    std::optional<Expr> value;
    if (auto *constant = i.op.as<ConstantOp>()) {
      value = literal(*constant, builder, at);
    } else if (auto *iota = i.op.as<IotaOp>()) {
      const int64_t size = iota->results[0].dimensions[iota->dimension];
      const Interval values = {
          0, size == kDynamicSize ? Interval::kInfinity : size - 1};
      if (held.contains(values)) return at[iota->dimension];
      return std::nullopt;
    } else {
      if (!keepsValues(i) || i.operands.size() != 1) return std::nullopt;
      auto moved = movedIndex(i.op, at, builder);
      if (!moved) return std::nullopt;
      at = *std::move(moved);
      instruction = i.operands[0];
      continue;
    }
    if (value && !held.contains(builder.pool().constant(value->form())))
      return std::nullopt;
    return value;
  }
  return std::nullopt;
}

MovedElement movedFrom(const Computation &computation, MovedElement element,
                       IndexingMapBuilder &builder) {
  for (size_t steps = 0; steps <= computation.instructions.size(); ++steps) {
    Leaf origin = originOf(computation, {element.instruction, element.leaf});
    element.instruction = origin.instruction;
    element.leaf = origin.leaf;
    const Instruction &i = computation.instructions[element.instruction];
    const OpShapes &shapes = shapesOf(i.op);
    if (!keepsValues(i) || shapes.operands.size() != 1 ||
        shapes.results.size() != 1 ||
        !holdsAll(shapes.results[0].type, shapes.operands[0].type))
      break;
    auto moved = movedIndex(i.op, element.index, builder);
    if (!moved) break;
    const OperandLeaf operand =
        computation.operandLeaves(element.instruction)[0];
    element = {operand.instruction, operand.result, *std::move(moved)};
  }
  return element;
}

absl::StatusOr<IndexingRelation> foldKnown(const IndexingRelation &relation,
                                           KnownElement known) {
  IndexingRelation folded;
  for (const IndexingMap &piece : relation.pieces()) {
    llvm::SmallVector<IndexingMap, 3> work{piece};
    llvm::SmallVector<RuntimeSource, 2> kept;
    while (!work.empty()) {
      IndexingMap map = work.pop_back_val();
      std::optional<size_t> found;
      for (size_t i = 0; i < map.runtime().size() && !found; ++i) {
        const RuntimeVariable &rt = map.runtime()[i];
        if (llvm::is_contained(kept, rt.source)) continue;
        if (rt.source.kind != RuntimeSource::Kind::Element &&
            (rt.source.kind != RuntimeSource::Kind::Size ||
             !rt.collectives.empty()))
          continue;
        IndexingMapBuilder scratch;
        auto same = [&](VariableId id) { return scratch.pool().variable(id); };
        ExpressionImport import(map.expressions(), scratch.pool(), same);
        llvm::SmallVector<Expr, 4> index;
        for (FormId form : rt.elementIndex())
          index.push_back(scratch.expression(import(form)));
        if (known(rt.source, scratch, index)) found = i;
      }
      if (found) {
        const size_t before = work.size();
        const auto status = Folding{map, *found, known}.addTo(work);
        if (status.ok()) continue;
        // A size by which something is divided may follow from others that are
        // not seen to make it positive: then it stays.
        const RuntimeSource &source = map.runtime()[*found].source;
        if (source.kind != RuntimeSource::Kind::Size) return status;
        kept.push_back(source);
        work.truncate(before);
        work.push_back(std::move(map));
        continue;
      }
      folded.add(std::move(map));
    }
  }
  folded.weaken(relation.precision());
  return folded;
}

}  // namespace indexical
