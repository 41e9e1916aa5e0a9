#include "indexical/ops/core/family.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace families {

//===-- Sizes -------------------------------------------------------------===//

bool isFixed(const ArrayShape &shape, int64_t k) { return shape.isFixed(k); }

bool isFixed(const ArrayShape &shape) {
  if (shape.dynamic.empty())
    return !llvm::is_contained(shape.dimensions, kDynamicSize);
  for (int64_t k = 0; k < shape.rank(); ++k)
    if (!isFixed(shape, k)) return false;
  return true;
}

Interval sharedIndices(const ArrayShape &a, int64_t i, const ArrayShape &b,
                       int64_t j) {
  if (a.dimensions[i] == b.dimensions[j]) return indicesOf(a, i);
  return indicesOf(a, i).intersect(indicesOf(b, j));
}

bool canHaveSize(const ArrayShape &shape, int64_t k, int64_t size) {
  const int64_t own = shape.dimensions[k];
  if (size == kDynamicSize || own == kDynamicSize) return true;
  return isFixed(shape, k) ? own == size : size <= own;
}

bool canAgree(const ArrayShape &a, int64_t i, const ArrayShape &b, int64_t j) {
  if (isFixed(b, j)) return canHaveSize(a, i, b.dimensions[j]);
  return !isFixed(a, i) || canHaveSize(b, j, a.dimensions[i]);
}

bool canAgree(const ArrayShape &a, const ArrayShape &b) {
  if (a.rank() != b.rank()) return false;
  for (int64_t k = 0; k < a.rank(); ++k)
    if (!canAgree(a, k, b, k)) return false;
  return true;
}

//===-- Errors ------------------------------------------------------------===//

std::string textOf(llvm::ArrayRef<int64_t> values) {
  std::string text = "{";
  for (int64_t value : values) {
    if (text.size() > 1) text += ", ";
    text += value == kDynamicSize ? "?" : absl::StrCat(value);
  }
  return text + "}";
}

std::string textOf(const ArrayShape &shape) { return shape.str(); }

std::string counted(int64_t count, llvm::StringRef noun) {
  return absl::StrCat(count, " ", noun.str(), count == 1 ? "" : "s");
}

absl::Status invalid(const std::string &message) {
  return absl::InvalidArgumentError(message);
}

absl::Status checkLeaves(const OpShapes &op, size_t operands, size_t results) {
  if (op.operands.size() == operands && op.results.size() == results)
    return absl::OkStatus();
  return invalid(absl::StrCat("the op takes ", counted(operands, "operand"),
                              " and gives ", counted(results, "result"),
                              ", not ", op.operands.size(), " and ",
                              op.results.size()));
}

absl::Status checkSizes(llvm::StringRef what, const ArrayShape &shape,
                        llvm::ArrayRef<int64_t> sizes, llvm::StringRef from) {
  bool agree = shape.rank() == static_cast<int64_t>(sizes.size());
  for (int64_t k = 0; agree && k < shape.rank(); ++k)
    agree = canHaveSize(shape, k, sizes[k]);
  if (agree) return absl::OkStatus();
  return invalid(absl::StrCat(what.str(), " has the shape ", textOf(shape),
                              "; by ", from.str(), " its sizes are ",
                              textOf(sizes)));
}

//===-- Maps --------------------------------------------------------------===//

Exprs dimensionsOf(IndexingMapBuilder &builder, const ArrayShape &shape) {
  Exprs dimensions;
  for (int64_t k = 0; k < shape.rank(); ++k)
    dimensions.push_back(builder.dimension(indicesOf(shape, k)));
  return dimensions;
}

Exprs rangesOf(IndexingMapBuilder &builder, const ArrayShape &shape) {
  Exprs ranges;
  for (int64_t k = 0; k < shape.rank(); ++k)
    ranges.push_back(builder.range(indicesOf(shape, k)));
  return ranges;
}

Answer answerOf(IndexingMapBuilder &builder, Precision precision) {
  INDEXICAL_ASSIGN_OR_RETURN(IndexingMap map, builder.build());
  return IndexingRelation(std::move(map), precision);
}

absl::Status addPiece(IndexingRelation &relation, IndexingMapBuilder &builder) {
  INDEXICAL_ASSIGN_OR_RETURN(IndexingMap map, builder.build());
  relation.add(std::move(map));
  return absl::OkStatus();
}

SharedDimensions allBut(const ArrayShape &shape,
                        llvm::ArrayRef<int64_t> dimensions) {
  SharedDimensions pairs;
  for (int64_t k = 0; k < shape.rank(); ++k)
    if (!llvm::is_contained(dimensions, k)) pairs.push_back({k, k});
  return pairs;
}

std::optional<Answer> plainAnswerOf(llvm::ArrayRef<Interval> dimensions,
                                    llvm::ArrayRef<int64_t> given,
                                    llvm::ArrayRef<Interval> indices,
                                    Precision precision) {
  llvm::SmallVector<Interval, 6> ranges;
  llvm::SmallVector<PlainResult, 6> results;
  for (size_t j = 0; j < given.size(); ++j) {
    if (given[j] == kFirstIndex) {
      results.push_back(PlainResult::number(0));
    } else if (given[j] != kAnyIndex) {
      results.push_back(plainDimension(given[j]));
    } else {
      const auto number = static_cast<uint32_t>(ranges.size());
      results.push_back(PlainResult::of({VariableKind::Range, number}));
      ranges.push_back(indices[j]);
    }
  }
  return plainAnswer(dimensions, ranges, results, precision);
}

Answer Sides::identity() const {
  llvm::SmallVector<Interval, 6> bounds;
  llvm::SmallVector<PlainResult, 6> results;
  for (int64_t k = 0; k < result_.rank(); ++k) {
    bounds.push_back(sharedIndices(result_, k, operand_, k));
    results.push_back(plainDimension(k));
  }
  if (auto answer = plainAnswer(bounds, {}, results)) return *std::move(answer);
  return sharing(allBut(result_, {}));
}

std::optional<Answer> Sides::along(
    llvm::ArrayRef<Along> ofResult, llvm::ArrayRef<Interval> resultBounds,
    llvm::ArrayRef<Along> ofOperand,
    llvm::ArrayRef<Interval> operandBounds) const {
  const auto [from, to] = ordered(ofResult, ofOperand);
  llvm::SmallVector<PlainResult, 6> results;
  for (size_t k = 0; k < from.size(); ++k) {
    const Checked low = Checked(to[k].low) - Checked(from[k].low) * to[k].step;
    if (from[k].step != 1 || !low.value()) return std::nullopt;
    results.push_back(plainDimension(k, to[k].step, *low.value()));
  }
  return plainAnswer(ordered(resultBounds, operandBounds).from, {}, results);
}

Answer Sides::sharing(llvm::ArrayRef<SharedDimension> shared,
                      Precision precision) const {
  const ArrayShape &from = this->from(), &to = this->to();
  llvm::SmallVector<Interval, 6> bounds;
  for (int64_t k = 0; k < from.rank(); ++k)
    bounds.push_back(indicesOf(from, k));
  llvm::SmallVector<int64_t, 6> given(to.rank(), kAnyIndex);
  for (const SharedDimension &pair : shared) {
    const auto [k, j] = ordered(pair.result, pair.operand);
    bounds[k] = sharedIndices(from, k, to, j);
    given[j] = k;
  }
  llvm::SmallVector<Interval, 6> indices;
  for (int64_t j = 0; j < to.rank(); ++j) indices.push_back(indicesOf(to, j));
  if (auto answer = plainAnswerOf(bounds, given, indices, precision))
    return *std::move(answer);
  IndexingMapBuilder builder;
  Exprs d;
  for (const Interval &interval : bounds)
    d.push_back(builder.dimension(interval));
  for (int64_t j = 0; j < to.rank(); ++j)
    builder.result(given[j] == kAnyIndex ? builder.range(indices[j])
                                         : d[given[j]]);
  return answerOf(builder, precision);
}

Answer identity(const ArrayShape &from, const ArrayShape &to) {
  return Sides(Direction::OutputToInput, from, to).identity();
}

Answer everything(const ArrayShape &from, const ArrayShape &to,
                  Precision precision) {
  return Sides(Direction::OutputToInput, from, to).everything(precision);
}

}  // namespace families
}  // namespace indexical
