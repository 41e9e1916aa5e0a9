#include "indexical/import/stablehlo/lower/emit_indexing.h"

#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/fold.h"

namespace indexical {
namespace {

namespace arith = mlir::arith;
using arith::CmpIPredicate;
using mlir::Value;

/// Emits one map at one place. Each form and atom is emitted once, where it is
/// first needed. All are in one block.
class Emitter {
 public:
  Emitter(mlir::OpBuilder &builder, mlir::Location location,
          const IndexingMap &map, const EmitOptions &options)
      : b_(location, builder),
        map_(map),
        table_(map.expressions()),
        options_(options),
        boundsOf_([this](VariableId id) { return map_.variable(id).bounds; }),
        bounds_(table_, boundsOf_),
        forms_(table_.formCount()),
        atoms_(table_.atomCount()),
        uses_(table_.atomCount(), 0),
        isAffine_(table_.atomCount()) {}

  /// Sets the values of the variables of a kind. run() clamps runtime
  /// variables.
  void setVariables(VariableKind kind, mlir::ValueRange values) {
    llvm::append_range(values_[static_cast<int>(kind)], values);
  }

  EmittedIndexing run() {
    clampRuntime();
    countUses();
    EmittedIndexing emitted;
    for (FormId form : map_.results()) emitted.results.push_back(value(form));
    if (options_.condition) emitted.condition = condition();
    return emitted;
  }

 private:
  static constexpr VariableKind kKinds[] = {
      VariableKind::Dimension, VariableKind::Range, VariableKind::Runtime};

  Value constant(int64_t value) {
    for (auto &[known, constant] : constants_)
      if (known == value) return constant;
    constants_.emplace_back(value, arith::ConstantIndexOp::create(b_, value));
    return constants_.back().second;
  }
  Value truth(bool value) {
    return arith::ConstantOp::create(b_, b_.getBoolAttr(value));
  }

  void clampRuntime() {
    auto &values = values_[static_cast<int>(VariableKind::Runtime)];
    for (auto [value, variable] : llvm::zip(values, map_.runtime())) {
      if (!variable.clamped) continue;
      const Interval &to = variable.bounds;
      if (to.hasLower())
        value = arith::MaxSIOp::create(b_, value, constant(to.lower));
      if (to.hasUpper())
        value = arith::MinSIOp::create(b_, value, constant(to.upper));
    }
  }

  /// Counts the uses of each digit in the forms that are written. The parts of
  /// a digit that is used twice are emitted once.
  void countUses() {
    for (FormId form : map_.results()) countUses(form);
    if (!options_.condition) return;
    for (const Constraint &c : map_.constraints()) countUses(c.form);
  }
  void countUses(FormId form) {
    for (const Term &term : table_.terms(form)) {
      if (++uses_[term.atom] > 1) continue;
      for (const FormId operand : table_.atom(term.atom).operands())
        countUses(operand);
    }
  }

  //===-- Affine --------------------------------------------------------===//

  bool isAffine(FormId form) {
    return options_.affine &&
           llvm::all_of(table_.terms(form), [&](const Term &term) {
             return isAffineAtom(term.atom);
           });
  }
  bool isAffineAtom(AtomId id) {
    std::optional<bool> &known = isAffine_[id];
    if (!known) {
      const Atom &atom = table_.atom(id);
      known = atom.kind == AtomKind::Variable
                  ? isAffineOperand(b_, variable(atom.variable()))
                  : atom.kind == AtomKind::Digit && isAffine(atom.a);
    }
    return *known;
  }

  /// Returns the form over `operands`, and appends operands. Terms are added
  /// one at a time: see indexing/affine_map.h.
  mlir::AffineExpr affine(FormId form, llvm::SmallVector<Value> &operands) {
    return affine(table_.terms(form), table_.constant(form), operands);
  }
  mlir::AffineExpr affine(llvm::ArrayRef<Term> terms, int64_t constant,
                          llvm::SmallVector<Value> &operands) {
    mlir::AffineExpr sum = b_.getAffineConstantExpr(0);
    for (const Term &term : terms)
      sum = sum + affineAtom(term.atom, operands) * term.coefficient;
    return sum + constant;
  }
  mlir::AffineExpr affineAtom(AtomId id, llvm::SmallVector<Value> &operands) {
    const Atom &atom = table_.atom(id);
    if (atom.kind == AtomKind::Variable || uses_[id] > 1)
      return operand(atomValue(id), operands);
    return affineDigit(atom, operands);
  }
  mlir::AffineExpr affineDigit(const Atom &atom,
                               llvm::SmallVector<Value> &operands) {
    mlir::AffineExpr digit = affine(atom.a, operands);
    if (atom.stride != 1) digit = digit.floorDiv(atom.stride);
    return atom.modulus == 0 ? digit : digit % atom.modulus;
  }
  mlir::AffineExpr operand(Value value, llvm::SmallVector<Value> &operands) {
    auto *found = llvm::find(operands, value);
    const unsigned place = found - operands.begin();
    if (found == operands.end()) operands.push_back(value);
    return b_.getAffineDimExpr(place);
  }
  Value apply(mlir::AffineExpr expr, mlir::ValueRange operands) {
    return mlir::affine::AffineApplyOp::create(
        b_, mlir::AffineMap::get(operands.size(), 0, expr), operands);
  }

  //===-- Arithmetic ----------------------------------------------------===//

  Value variable(VariableId id) const {
    return values_[static_cast<int>(id.kind)][id.index];
  }

  Value value(FormId form) {
    Value &value = forms_[form];
    if (value) return value;
    if (table_.isConstant(form)) return value = constant(table_.constant(form));
    if (auto atom = table_.asAtom(form)) return value = atomValue(*atom);
    if (!isAffine(form)) {
      const Value one = choice(form);
      return value = one ? one : sum(form);
    }
    llvm::SmallVector<Value> operands;
    mlir::AffineExpr expr = affine(form, operands);
    return value = apply(expr, operands);
  }

  Value atomValue(AtomId id) {
    Value &value = atoms_[id];
    if (value) return value;
    const Atom &atom = table_.atom(id);
    if (atom.kind == AtomKind::Variable)
      return value = variable(atom.variable());
    if (isAffineAtom(id) && options_.affine) {
      llvm::SmallVector<Value> operands;
      mlir::AffineExpr expr = affineDigit(atom, operands);
      return value = apply(expr, operands);
    }
    return value = valueOfAtom(atom, AtomCode{*this},
                               [](FormId form) { return form; });
  }

  /// The emitter of atoms: a domain (indexing/fold.h).
  struct AtomCode {
    Emitter &to;

    Value variable(VariableId id) const { return to.variable(id); }
    Value digit(FormId parent, int64_t stride, int64_t modulus) const {
      return to.digit(to.value(parent), to.bounds_(parent), stride, modulus);
    }
    Value product(FormId a, FormId b) const {
      const Value x = to.value(a), y = to.value(b);
      return to.times(x, to.bounds_(a), y, to.bounds_(b));
    }
    Value quotient(FormId a, FormId b) const {
      const Value x = to.value(a), y = to.value(b);
      return to.floorDiv(x, to.bounds_(a), to.positive(y, to.bounds_(b)));
    }
    Value remainder(FormId a, FormId b) const {
      const Value x = to.value(a), y = to.value(b);
      return to.remainder(x, to.bounds_(a), to.positive(y, to.bounds_(b)));
    }
    Value positivePart(FormId parent) const { return to.positivePart(parent); }
  };

  /// Returns the value of a form that is one minimum or maximum: S - max(F, 0)
  /// is that of S and S - F. Returns null for another form.
  Value choice(FormId form) {
    std::optional<Term> part;
    llvm::SmallVector<Term, 8> terms, both;
    for (const Term &term : table_.terms(form)) {
      if (isAffineAtom(term.atom)) {
        terms.push_back(term);
        continue;
      }
      const Atom &atom = table_.atom(term.atom);
      if (part || atom.kind != AtomKind::PositivePart || !isAffine(atom.a) ||
          std::abs(term.coefficient) != 1)
        return nullptr;
      part = term;
    }
    if (!part) return nullptr;
    const FormId parent = table_.atom(part->atom).a;
    both = terms;
    for (const Term &own : table_.terms(parent)) {
      const int64_t added = own.coefficient * part->coefficient;
      auto *met = llvm::find_if(
          both, [&](const Term &term) { return term.atom == own.atom; });
      if (met == both.end()) {
        both.push_back({own.atom, added});
        continue;
      }
      const auto sum = checkedAdd(met->coefficient, added);
      if (!sum) return nullptr;
      met->coefficient = *sum;
    }
    const int64_t constant = table_.constant(form);
    const auto other =
        checkedAdd(constant, table_.constant(parent) * part->coefficient);
    if (!other) return nullptr;
    llvm::erase_if(both,
                   [](const Term &term) { return term.coefficient == 0; });
    llvm::SmallVector<Value> operands;
    const mlir::AffineExpr cases[] = {affine(terms, constant, operands),
                                      affine(both, *other, operands)};
    const mlir::AffineMap map =
        mlir::AffineMap::get(operands.size(), 0, cases, b_.getContext());
    if (part->coefficient < 0)
      return mlir::affine::AffineMinOp::create(b_, map, operands);
    return mlir::affine::AffineMaxOp::create(b_, map, operands);
  }

  /// Returns max(parent, 0): an affine.max if the parent is affine.
  Value positivePart(FormId parent) {
    if (!isAffine(parent))
      return arith::MaxSIOp::create(b_, value(parent), constant(0));
    llvm::SmallVector<Value> operands;
    mlir::AffineExpr expr = affine(parent, operands);
    const mlir::AffineMap both = mlir::AffineMap::get(
        operands.size(), 0, {expr, b_.getAffineConstantExpr(0)},
        b_.getContext());
    return mlir::affine::AffineMaxOp::create(b_, both, operands);
  }

  Value digit(Value a, Interval within, int64_t stride, int64_t modulus) {
    if (stride != 1) {
      a = floorDiv(a, within, constant(stride));
      within = within.floorDiv(stride);
    }
    if (modulus == 0 || Interval{0, modulus - 1}.contains(within)) return a;
    return remainder(a, within, constant(modulus));
  }

  /// A divisor is at least 1 if the map holds. If it does not, a variable out
  /// of its bounds can make the divisor 0, and the op must not divide by it.
  Value positive(Value divisor, const Interval &within) {
    if (within.lower >= 1 && options_.assumeBounds) return divisor;
    return arith::MaxSIOp::create(b_, divisor, constant(1));
  }

  Value isNegative(Value a) {
    return arith::CmpIOp::create(b_, CmpIPredicate::slt, a, constant(0));
  }

  /// The quotient of a negative dividend a is -1 - (-1 - a) / divisor.
  Value floorDiv(Value a, const Interval &within, Value divisor) {
    if (within.lower >= 0) return arith::DivUIOp::create(b_, a, divisor);
    auto mirrored = [&](Value x) -> Value {
      return arith::SubIOp::create(b_, constant(-1), x);
    };
    if (within.upper < 0)
      return mirrored(arith::DivUIOp::create(b_, mirrored(a), divisor));
    const Value negative = isNegative(a);
    const Value size = arith::SelectOp::create(b_, negative, mirrored(a), a);
    const Value quotient = arith::DivUIOp::create(b_, size, divisor);
    return arith::SelectOp::create(b_, negative, mirrored(quotient), quotient);
  }

  Value remainder(Value a, const Interval &within, Value divisor) {
    if (within.lower >= 0) return arith::RemUIOp::create(b_, a, divisor);
    const Value rest = arith::RemSIOp::create(b_, a, divisor);
    const Value moved = arith::AddIOp::create(b_, rest, divisor);
    return arith::SelectOp::create(b_, isNegative(rest), moved, rest);
  }

  arith::IntegerOverflowFlags flags(const Interval &result, bool isUnsigned) {
    const int64_t most = options_.indexBits >= 64
                             ? Interval::kInfinity
                             : (int64_t{1} << (options_.indexBits - 1)) - 1;
    // The last integers of an interval may stand for larger numbers.
    if (result.lower < -most || result.lower == Interval::kMinusInfinity ||
        result.upper > most || result.upper == Interval::kInfinity)
      return arith::IntegerOverflowFlags::none;
    return isUnsigned ? arith::IntegerOverflowFlags::nsw |
                            arith::IntegerOverflowFlags::nuw
                      : arith::IntegerOverflowFlags::nsw;
  }

  Value times(Value a, const Interval &within, Value b, const Interval &by) {
    return arith::MulIOp::create(
        b_, a, b, flags(within * by, within.lower >= 0 && by.lower >= 0));
  }

  /// A sum of the terms added so far.
  struct EmittedSum {
    Value value;
    Interval bounds = Interval::point(0);
  };

  void add(EmittedSum &sum, Value part, const Interval &within, bool isTaken) {
    const Interval before = sum.bounds;
    sum.bounds = isTaken ? before - within : before + within;
    const auto overflow =
        flags(sum.bounds,
              before.lower >= 0 && within.lower >= 0 && sum.bounds.lower >= 0);
    if (!sum.value && !isTaken)
      sum.value = part;
    else if (!isTaken)
      sum.value = arith::AddIOp::create(b_, sum.value, part, overflow);
    else
      sum.value = arith::SubIOp::create(b_, sum.value ? sum.value : constant(0),
                                        part, overflow);
  }

  /// Adds before it subtracts, so that partial sums stay positive if possible.
  Value sum(FormId form) {
    EmittedSum sum;
    const int64_t last = table_.constant(form);
    if (last > 0) add(sum, constant(last), Interval::point(last), false);
    for (bool isTaken : {false, true}) {
      for (const Term &term : table_.terms(form)) {
        if ((term.coefficient < 0) != isTaken) continue;
        const int64_t size = isTaken ? -term.coefficient : term.coefficient;
        Value part = atomValue(term.atom);
        Interval within = atomBounds(term.atom);
        if (size != 1) {
          part = times(part, within, constant(size), Interval::point(size));
          within = within * size;
        }
        add(sum, part, within, isTaken);
      }
    }
    if (last < 0) add(sum, constant(-last), Interval::point(-last), true);
    return sum.value;
  }

  Interval atomBounds(AtomId id) {
    struct InMap : IntervalArithmetic {
      const IndexingMap &map;
      Interval variable(VariableId id) const { return map.variable(id).bounds; }
      static Interval quotient(const Interval &a, const Interval &b) {
        return a.floorDiv(b.intersect({1, Interval::kInfinity}));
      }
    };
    return valueOfAtom(table_.atom(id), InMap{{}, map_}, bounds_);
  }

  //===-- The condition -------------------------------------------------===//

  Value both(Value a, Value b) {
    return a && b ? arith::AndIOp::create(b_, a, b).getResult() : a ? a : b;
  }

  /// Returns null if all values are inside. A value that is known to be at
  /// least 0 needs only one comparison.
  Value isInside(Value value, const Interval &bounds) {
    auto compare = [&](CmpIPredicate predicate, int64_t with) -> Value {
      return arith::CmpIOp::create(b_, predicate, value, constant(with));
    };
    if (bounds.isPoint()) return compare(CmpIPredicate::eq, bounds.lower);
    if (bounds.lower == 0 && bounds.hasUpper())
      return compare(CmpIPredicate::ule, bounds.upper);
    Value inside;
    if (bounds.hasLower()) inside = compare(CmpIPredicate::sge, bounds.lower);
    if (bounds.hasUpper())
      inside = both(inside, compare(CmpIPredicate::sle, bounds.upper));
    return inside;
  }

  /// A constraint's expression may be poison if a variable is out of its
  /// bounds. A select does not use it then.
  Value condition() {
    Value bounded;
    for (VariableKind kind : kKinds) {
      if (options_.assumeBounds) break;
      for (auto [i, value] : llvm::enumerate(values_[static_cast<int>(kind)])) {
        const VariableId id{kind, static_cast<uint32_t>(i)};
        if (kind == VariableKind::Runtime && map_.runtime()[i].clamped)
          continue;
        bounded = both(bounded, isInside(value, map_.variable(id).bounds));
      }
    }
    Value held;
    for (const Constraint &c : map_.constraints())
      held = both(held, isInside(this->value(c.form), c.bounds));
    if (!bounded || !held) return bounded ? bounded : held ? held : truth(true);
    return arith::SelectOp::create(b_, bounded, held, truth(false));
  }

  mlir::ImplicitLocOpBuilder b_;
  const IndexingMap &map_;
  const ExpressionTable &table_;
  const EmitOptions &options_;
  std::function<Interval(VariableId)> boundsOf_;
  FormBounds bounds_;
  llvm::SmallVector<Value> values_[3];
  llvm::SmallVector<std::pair<int64_t, Value>> constants_;
  llvm::SmallVector<Value> forms_, atoms_;
  llvm::SmallVector<int> uses_;
  llvm::SmallVector<std::optional<bool>> isAffine_;
};

absl::Status checkValues(const char *what, mlir::ValueRange values,
                         size_t wanted) {
  if (values.size() != wanted)
    return absl::InvalidArgumentError(
        "the map has " + std::to_string(wanted) + " " + what +
        " variables, and there are " + std::to_string(values.size()) +
        " values");
  for (Value value : values)
    if (!value.getType().isIndex())
      return absl::InvalidArgumentError(std::string("a value of a ") + what +
                                        " variable is not an `index`");
  return absl::OkStatus();
}

}  // namespace

bool isAffineOperand(mlir::OpBuilder &builder, Value value) {
  mlir::Region *scope = builder.getInsertionBlock()->getParent();
  while (scope && !scope->getParentOp()->hasTrait<mlir::OpTrait::AffineScope>())
    scope = scope->getParentOp()->getParentRegion();
  return scope && mlir::affine::isValidDim(value, scope);
}

absl::StatusOr<EmittedIndexing> emitIndexing(mlir::OpBuilder &builder,
                                             const IndexingMap &map,
                                             mlir::ValueRange dimensions,
                                             mlir::ValueRange ranges,
                                             mlir::ValueRange runtime,
                                             mlir::Location location,
                                             const EmitOptions &options) {
  if (map.isKnownEmpty()) {
    EmittedIndexing empty;
    empty.condition = arith::ConstantOp::create(builder, location,
                                                builder.getBoolAttr(false));
    return empty;
  }
  if (!map.collectives().empty())
    return absl::InvalidArgumentError(
        "the map names members of collectives; only a device knows its own");
  for (auto s : {checkValues("dimension", dimensions, map.dimensions().size()),
                 checkValues("range", ranges, map.ranges().size()),
                 checkValues("runtime", runtime, map.visibleRuntimeCount())})
    if (!s.ok()) return s;
  Emitter emitter(builder, location, map, options);
  emitter.setVariables(VariableKind::Dimension, dimensions);
  emitter.setVariables(VariableKind::Range, ranges);
  emitter.setVariables(VariableKind::Runtime, runtime);
  return emitter.run();
}

absl::StatusOr<EmittedIndexing> emitIndexing(mlir::OpBuilder &builder,
                                             const IndexingMap &map,
                                             mlir::ValueRange dimensions,
                                             mlir::ValueRange ranges,
                                             mlir::ValueRange runtime,
                                             const EmitOptions &options) {
  return emitIndexing(builder, map, dimensions, ranges, runtime,
                      builder.getUnknownLoc(), options);
}

}  // namespace indexical
