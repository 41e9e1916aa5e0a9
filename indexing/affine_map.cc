#include "indexical/indexing/affine_map.h"

#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/fold.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"

namespace indexical {
namespace {

using mlir::AffineExpr;
using mlir::AffineExprKind;

/// AffineExpr to form, each shared node once.
class Import {
 public:
  Import(ExpressionPool &pool, unsigned numRanges)
      : pool_(pool), numRanges_(numRanges) {}

  FormId operator()(AffineExpr expr) {
    auto found = known_.find(expr);
    if (found != known_.end()) return found->second;
    FormId form = convert(expr);
    known_[expr] = form;
    return form;
  }

  const absl::Status &status() const { return status_; }

 private:
  FormId convert(AffineExpr expr) {
    switch (expr.getKind()) {
      case AffineExprKind::Constant:
        return pool_.constantForm(
            llvm::cast<mlir::AffineConstantExpr>(expr).getValue());
      case AffineExprKind::DimId:
        return pool_.variable(
            {VariableKind::Dimension,
             llvm::cast<mlir::AffineDimExpr>(expr).getPosition()});
      case AffineExprKind::SymbolId: {
        unsigned i = llvm::cast<mlir::AffineSymbolExpr>(expr).getPosition();
        if (i < numRanges_) return pool_.variable({VariableKind::Range, i});
        return pool_.variable({VariableKind::Runtime, i - numRanges_});
      }
      default:
        break;
    }
    auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
    FormId a = (*this)(binary.getLHS()), b = (*this)(binary.getRHS());
    switch (expr.getKind()) {
      case AffineExprKind::Add:
        return pool_.add(a, b);
      case AffineExprKind::Mul:
        return pool_.product(a, b);
      case AffineExprKind::Mod:
        if (pool_.isConstant(b) && pool_.constant(b) <= 0)
          return refuse("the divisor of `mod` must be positive");
        return pool_.remainder(a, b);
      default:
        break;
    }
    if (pool_.isConstant(b, 0)) return refuse("division by zero");
    if (expr.getKind() == AffineExprKind::FloorDiv) return pool_.quotient(a, b);
    return pool_.scale(pool_.quotient(pool_.scale(a, -1), b), -1);
  }

  FormId refuse(const char *why) {
    status_.Update(absl::InvalidArgumentError(why));
    return pool_.constantForm(0);
  }

  ExpressionPool &pool_;
  unsigned numRanges_;
  llvm::DenseMap<AffineExpr, FormId> known_;
  absl::Status status_;
};

/// AffineExprs as a domain of fold.h.
class AffineDomain {
 public:
  using Value = AffineExpr;
  using Sum = ValuedSum<AffineExpr>;

  AffineDomain(const IndexingMap &map, mlir::MLIRContext *context)
      : map_(map), context_(context) {}

  AffineExpr sum(const Sum &form) const {
    AffineExpr sum;
    for (size_t i = 0; i < form.size(); ++i) {
      AffineExpr part = form.value(i);
      if (form.coefficient(i) != 1) part = part * form.coefficient(i);
      sum = sum ? sum + part : part;
    }
    const int64_t constant = form.constant();
    if (!sum) return mlir::getAffineConstantExpr(constant, context_);
    return constant ? sum + constant : sum;
  }
  AffineExpr variable(VariableId id) const {
    if (id.kind == VariableKind::Dimension)
      return mlir::getAffineDimExpr(id.index, context_);
    unsigned offset =
        id.kind == VariableKind::Runtime ? map_.ranges().size() : 0;
    return mlir::getAffineSymbolExpr(offset + id.index, context_);
  }
  AffineExpr digit(const Sum &parent, int64_t stride, int64_t modulus) const {
    AffineExpr expr = sum(parent);
    if (stride != 1) expr = expr.floorDiv(stride);
    return modulus ? expr % modulus : expr;
  }
  AffineExpr product(const Sum &a, const Sum &b) const {
    return sum(a) * sum(b);
  }
  AffineExpr quotient(const Sum &a, const Sum &b) const {
    return sum(a).floorDiv(sum(b));
  }
  AffineExpr remainder(const Sum &a, const Sum &b) const {
    return sum(a) % sum(b);
  }
  AffineExpr positivePart(const Sum &) {
    status_ = absl::InvalidArgumentError(
        "an AffineExpr has no minimum or maximum: affinePieces() gives maps "
        "without");
    return mlir::getAffineConstantExpr(0, context_);
  }

  /// Returns an error if there was a positive part.
  const absl::Status &status() const { return status_; }

 private:
  const IndexingMap &map_;
  mlir::MLIRContext *context_;
  absl::Status status_;
};

using Export = Fold<AffineDomain>;

/// Copies forms with each positive part as 0 or as its parent: as `cases` says,
/// and 0 for those that it does not have yet, which it gets.
class CaseOfParts : public ExpressionAlgebra {
 public:
  CaseOfParts(ExpressionPool &to, llvm::SmallVectorImpl<bool> &cases)
      : to_(to), cases_(cases) {}

  FormId variable(VariableId id) override { return to_.variable(id); }
  FormId linear(llvm::ArrayRef<ScaledForm> parts, int64_t constant) override {
    return to_.linear(parts, constant);
  }
  FormId digit(FormId form, int64_t stride, int64_t modulus) override {
    return to_.digit(form, stride, modulus);
  }
  FormId product(FormId a, FormId b) override { return to_.product(a, b); }
  FormId quotient(FormId a, FormId b) override { return to_.quotient(a, b); }
  FormId remainder(FormId a, FormId b) override { return to_.remainder(a, b); }
  FormId positivePart(FormId form) override {
    if (to_.isConstant(form)) return to_.positivePart(form);
    const size_t number = llvm::find(parents_, form) - parents_.begin();
    if (number == parents_.size()) parents_.push_back(form);
    if (number == cases_.size()) cases_.push_back(false);
    return cases_[number] ? form : to_.constantForm(0);
  }
  /// Returns the parents of the parts, in the order of the cases.
  llvm::ArrayRef<FormId> parents() const { return parents_; }

 private:
  ExpressionPool &to_;
  llvm::SmallVectorImpl<bool> &cases_;
  llvm::SmallVector<FormId, 4> parents_;
};

absl::StatusOr<IndexingMap> pieceOf(const IndexingMap &map,
                                    llvm::SmallVectorImpl<bool> &cases) {
  return withBody(map, [&](IndexingMapBuilder &b, MapBody &body) {
    const ExpressionPool given = b.pool();
    CaseOfParts to(b.pool(), cases);
    auto same = [&](VariableId id) { return b.pool().variable(id); };
    ExpressionImport import(given, to, same);
    auto replace = [&](Expr &expr) {
      expr = b.expression(import(expr.form()));
    };
    llvm::for_each(body.results, replace);
    llvm::for_each(body.members, replace);
    for (auto &[expr, bounds] : body.constraints) replace(expr);
    for (auto [i, parent] : llvm::enumerate(to.parents()))
      body.constraints.push_back(
          {b.expression(parent), cases[i]
                                     ? Interval{1, Interval::kInfinity}
                                     : Interval{Interval::kMinusInfinity, 0}});
  });
}

}  // namespace

absl::StatusOr<IndexingMap> fromAffineMap(mlir::AffineMap map,
                                          llvm::ArrayRef<Interval> dimensions,
                                          llvm::ArrayRef<Interval> ranges,
                                          llvm::ArrayRef<Interval> runtime) {
  if (map.getNumDims() != dimensions.size() ||
      map.getNumSymbols() != ranges.size() + runtime.size())
    return absl::InvalidArgumentError(
        "the map has " + std::to_string(map.getNumDims()) + " dimensions and " +
        std::to_string(map.getNumSymbols()) +
        " symbols, and bounds were given for " +
        std::to_string(dimensions.size()) + " and " +
        std::to_string(ranges.size() + runtime.size()));
  IndexingMapBuilder b;
  for (Interval bounds : dimensions) b.dimension(bounds);
  for (Interval bounds : ranges) b.range(bounds);
  for (Interval bounds : runtime) b.runtime(bounds);
  Import import(b.pool(), ranges.size());
  for (AffineExpr expr : map.getResults()) b.result(b.expression(import(expr)));
  if (!import.status().ok()) return import.status();
  return b.build();
}

absl::StatusOr<Expr> fromAffineExpr(AffineExpr expr,
                                    IndexingMapBuilder &builder,
                                    unsigned numRanges) {
  Import import(builder.pool(), numRanges);
  FormId form = import(expr);
  if (!import.status().ok()) return import.status();
  return builder.expression(form);
}

absl::StatusOr<AffineExpr> affineExpr(const IndexingMap &map, FormId form,
                                      mlir::MLIRContext *context) {
  Export convert(map.expressions(), {map, context});
  const AffineExpr made = convert(form);
  INDEXICAL_RETURN_IF_ERROR(convert.domain().status());
  return made;
}

absl::StatusOr<mlir::AffineMap> affineMapOf(const IndexingMap &map,
                                            mlir::MLIRContext *context) {
  Export convert(map.expressions(), {map, context});
  llvm::SmallVector<AffineExpr, 6> exprs;
  for (FormId form : map.results()) exprs.push_back(convert(form));
  INDEXICAL_RETURN_IF_ERROR(convert.domain().status());
  return mlir::AffineMap::get(map.dimensions().size(),
                              map.ranges().size() + map.visibleRuntimeCount(),
                              exprs, context);
}

mlir::AffineMap IndexingMap::affineMap(mlir::MLIRContext *context) const {
  return affineMapOf(*this, context).value_or(mlir::AffineMap());
}

absl::StatusOr<std::vector<IndexingMap>> affinePieces(const IndexingMap &map) {
  constexpr size_t kMostPieces = 1024;
  std::vector<IndexingMap> pieces;
  llvm::SmallVector<bool, 4> cases;
  for (size_t tried = 0; tried < kMostPieces; ++tried) {
    INDEXICAL_ASSIGN_OR_RETURN(auto piece, pieceOf(map, cases));
    if (!piece.isKnownEmpty()) pieces.push_back(std::move(piece));
    while (!cases.empty() && cases.back()) cases.pop_back();
    if (cases.empty()) return pieces;
    cases.back() = true;
  }
  return absl::ResourceExhaustedError(
      "the minima and maxima of the map make more than " +
      std::to_string(kMostPieces) + " maps");
}

}  // namespace indexical
