// The value of an op as a term, by what the op does with elements.
//
//   r = f32[4] reverse(x)                         x at 3 - d0
//   %a = tensor.extract %i[%c1]                   element 1 of i
//   %l = tensor.from_elements %a, %b              a and b, concatenated
//   s = f32[2] dynamic-slice(x, three)            x at d0 + 3
//
// So the indices of a gather are followed to their origin, whichever dialect
// took them apart and put them together. Sums are in term_sums.cc.
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/values/elements_at.h"
#include "indexical/program/values/op_elements.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/terms/program_terms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Returns the number that a scalar is, in its type, or nothing if it is not
/// known.
std::optional<int64_t> numberOf(const TermTable &table, const ArrayShape &shape,
                                TermId value) {
  if (!shape.isScalar() || !isInteger(shape.type)) return std::nullopt;
  const IntegerSum sum =
      table.sumIn(ArrayShape(shape.type, shape.dimensions), value);
  const int64_t bits = bitsOf(shape.type);
  if (!sum.isConstant() || bits < 1 || bits > 64) return std::nullopt;
  const bool isUnsigned = elementTypeName(shape.type).starts_with("u");
  // A u64 from 2^63 on is no int64_t.
  if (isUnsigned && sum.constant() > static_cast<uint64_t>(INT64_MAX))
    return std::nullopt;
  if (isUnsigned || shape.type == ElementType::Pred || bits == 64)
    return static_cast<int64_t>(sum.constant());
  return llvm::SignExtend64(sum.constant(), bits);
}

/// Returns what `op` reads of its first operand, if that is one element for
/// each index and all values that steer it are numbers.
std::optional<IndexingMap> moveAtNumbers(const TermTable &table, const Op &op,
                                         llvm::ArrayRef<TermId> operands) {
  auto relation = indexing(op, Direction::OutputToInput, 0, 0);
  if (!relation.ok() || relation->precision() != Precision::Exact ||
      relation->pieces().size() != 1)
    return std::nullopt;
  auto scalar = [&](size_t operand) {
    return numberOf(table, shapesOf(op).operands[operand], operands[operand]);
  };
  IndexingMap map = relation->pieces()[0];
  while (!map.runtime().empty()) {
    const auto number = numberOf(map.runtime()[0], scalar);
    if (!number) return std::nullopt;
    auto next = replaceRuntime(
        map, 0, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>) {
          return b.constant(*number);
        });
    if (!next.ok()) return std::nullopt;
    map = *std::move(next);
  }
  SimplifyOptions options;
  options.rename = true;
  auto simple = simplify(map, options);
  if (!simple.ok() || simple->isKnownEmpty() || !simple->ranges().empty() ||
      !simple->collectives().empty())
    return std::nullopt;
  return *std::move(simple);
}

/// Returns the list of these scalars, one after another.
TermId listOf(TermTable &table, const ArrayShape &list,
              llvm::ArrayRef<TermId> scalars) {
  ConcatenateOp op;
  const ArrayShape one(list.type, {1});
  op.results = {ArrayShape(list.type, list.dimensions)};
  op.dimension = 0;
  ValueTerm term;
  term.kind = ValueTerm::Kind::Op;
  term.leaf = 0;
  IndexingMapBuilder b;
  b.dimension({0, 0});
  auto splat = b.build();
  if (splat.ok()) splat = simplify(*splat);
  if (!splat.ok()) return table.unknown();
  for (TermId scalar : scalars) {
    op.operands.push_back(one);
    term.operands.push_back(table.moved(*splat, one, scalar));
  }
  if (scalars.size() == 1) return term.operands[0];
  term.op = op;
  return table.intern(std::move(term));
}

}  // namespace

/// The domain of values as terms (op_elements.h). Its operands are values.
class ProgramTerms::Elements {
 public:
  using Result = std::optional<TermId>;

  Elements(ProgramTerms &terms, llvm::ArrayRef<TermId> operands)
      : terms_(terms), table_(terms.table_), operands_(operands) {}

  Result literal(const ConstantOp &op) { return terms_.sumValue(op); }
  Result computed(const ElementwiseOp &op) {
    if (!op.configuration.empty()) return std::nullopt;
    return terms_.sumValue(op, operands_);
  }
  Result moved(const Op &op);
  Result extracted(const Op &op);
  Result listed(const Op &op);
  // The term of the op itself says it.
  Result position(const IotaOp &) { return std::nullopt; }
  Result size(const NullaryOp &) { return std::nullopt; }
  Result same(int64_t) { return std::nullopt; }
  Result parts(const ConcatenateOp &) { return std::nullopt; }
  Result padded(const PadOp &) { return std::nullopt; }
  Result splat(const Op &) { return std::nullopt; }
  Result broadcastSize(const Op &) { return std::nullopt; }
  Result product(const Op &) { return std::nullopt; }
  Result other(const Op &) { return std::nullopt; }

 private:
  ProgramTerms &terms_;
  TermTable &table_;
  const llvm::ArrayRef<TermId> operands_;
};

/// Returns the value of an op that moves the elements of its one operand.
std::optional<TermId> ProgramTerms::Elements::moved(const Op &op) {
  if (operands_.size() != 1) return std::nullopt;
  const ArrayShape &to = shapesOf(op).results[0];
  // All elements are one number.
  if (isInteger(to.type)) {
    const IntegerSum sum = table_.sumIn(shapesOf(op).operands[0], operands_[0]);
    if (sum.isConstant()) return table_.sumOf(to, sum);
  }
  const Op moving = op.is<BitcastOp>() ? op : readsOp(op);
  const auto &relation = terms_.relationOf(moving, 0, 0);
  if (!relation || relation->pieces().size() != 1 ||
      !relation->pieces()[0].ranges().empty())
    return std::nullopt;
  return table_.moved(relation->pieces()[0], to, operands_[0]);
}

std::optional<TermId> ProgramTerms::Elements::extracted(const Op &op) {
  const auto map = moveAtNumbers(table_, op, operands_);
  if (!map) return std::nullopt;
  return table_.moved(*map, shapesOf(op).results[0], operands_[0]);
}

std::optional<TermId> ProgramTerms::Elements::listed(const Op &op) {
  const OpShapes &shapes = shapesOf(op);
  if (shapes.results[0].rank() != 1 || !shapes.operands[0].isScalar())
    return std::nullopt;
  return listOf(table_, shapes.results[0], operands_);
}

std::optional<TermId> ProgramTerms::valueByElements(
    const Op &op, llvm::ArrayRef<TermId> operands) {
  const OpShapes &shapes = shapesOf(op);
  if (shapes.results.size() != 1 || hasOpenSizes(shapes)) return std::nullopt;
  const bool computes = op.isOneOf<ConstantOp, ElementwiseOp>();
  if (!computes && (shapes.operands.empty() ||
                    shapes.results[0].type != shapes.operands[0].type))
    return std::nullopt;
  return visitElements(op, 0, Elements(*this, operands));
}

}  // namespace indexical
