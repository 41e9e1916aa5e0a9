// Makes maps of accesses.
//
// The side that the map starts from gives one equation a coordinate:
//
//   l0 * 2 + l1 = d0,  l0 in [0, 3], l1 in [0, 2]
//
// Each is solved for a loop, or for several at once, and the solution put into
// all that remains:
//
//   l0 = d0                        the loop itself
//   l0 = d0 floordiv 8, l1 = d0 mod 8
//                                  digits: l0 * 8 + l1, l1 in [0, 7]
//   l0 = (d0 - 3) mod 8            (l0 + 3) mod 8, l0 in [0, 7]
//   l0 = (d0 - l1) floordiv 2      any loop of the sum; (d0 - l1) mod 2 is 0
//
// in that order, of several loops that with the most values. What cannot be
// solved (a loop inside of a floordiv) stays an equation of the domain, and the
// loop a range variable, which is as exact. A loop on which the index of a
// runtime variable depends is not replaced by an expression of runtime
// variables: their sources would be defined by each other.
#include "indexical/ops/access.h"

#include <algorithm>
#include <cstdlib>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/family.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {

//===-- Access ------------------------------------------------------------===//

Expr Access::loop(Interval bounds) {
  loops_.push_back(bounds);
  return loopNumber(loops_.size() - 1);
}

Expr Access::loopNumber(uint32_t i) {
  return {pool_.get(), pool_->variable({VariableKind::Range, i})};
}

Access::Exprs Access::loopsOver(const ArrayShape &shape) {
  Exprs loops;
  for (int64_t k = 0; k < shape.rank(); ++k)
    loops.push_back(loop(families::indicesOf(shape, k)));
  return loops;
}

Expr Access::element(Interval bounds, int64_t leaf,
                     llvm::ArrayRef<Expr> index) {
  RuntimeVariable variable;
  variable.bounds = bounds;
  variable.source.kind = RuntimeSource::Kind::Element;
  variable.source.tensor = leaf;
  for (const Expr &e : index) variable.index.push_back(e.form());
  for (uint32_t i = 0; i < runtime_.size(); ++i)
    if (runtime_[i].source == variable.source &&
        runtime_[i].index == variable.index && runtime_[i].bounds == bounds)
      return {pool_.get(), pool_->variable({VariableKind::Runtime, i})};
  runtime_.push_back(std::move(variable));
  const uint32_t i = runtime_.size() - 1;
  return {pool_.get(), pool_->variable({VariableKind::Runtime, i})};
}

Expr Access::sizeOf(int64_t leaf, int64_t dimension) {
  RuntimeVariable variable;
  variable.bounds = {0, Interval::kInfinity};
  variable.source.kind = RuntimeSource::Kind::Size;
  variable.source.tensor = leaf;
  variable.source.dimension = dimension;
  uint32_t i = 0;
  for (; i < runtime_.size(); ++i)
    if (runtime_[i].source == variable.source) break;
  if (i == runtime_.size()) runtime_.push_back(std::move(variable));
  return {pool_.get(), pool_->variable({VariableKind::Runtime, i})};
}

Expr Access::constant(int64_t value) {
  return {pool_.get(), pool_->constantForm(value)};
}

Expr Access::product(Expr a, Expr b) {
  return {pool_.get(), pool_->product(a.form(), b.form())};
}

Expr Access::remainder(Expr a, Expr b) {
  return {pool_.get(), pool_->remainder(a.form(), b.form())};
}

void Access::constraint(Expr expression, Interval bounds) {
  guards_.push_back({expression.form(), bounds});
}

//===-- Solving -----------------------------------------------------------===//

/// The forms of one access while its loops are replaced one by one. The side
/// that is started from are the pool's dimension variables.
class AccessSolver {
 public:
  AccessSolver(const Access &access, Direction direction,
               const ArrayShape &from, const ArrayShape &to)
      : from_(from), to_(to), loops_(access.loops_), pool_(*access.pool_) {
    const bool forward = direction == Direction::OutputToInput;
    const Access::Exprs &start = forward ? access.result : access.operand;
    const Access::Exprs &end = forward ? access.operand : access.result;
    for (uint32_t k = 0; k < start.size(); ++k)
      equations_.push_back(pool_.sub(
          start[k].form(), pool_.variable({VariableKind::Dimension, k})));
    for (const Expr &e : end) results_.push_back(e.form());
    for (const Access::Guard &guard : access.guards_) guards_.push_back(guard);
    runtime_ = access.runtime_;
    solved_.resize(loops_.size());
  }

  absl::StatusOr<IndexingMap> map() {
    for (const Interval &loop : loops_)
      if (loop.isEmpty()) return IndexingMap::knownEmpty();
    using Rule = bool (AccessSolver::*)(size_t);
    for (Rule rule : {&AccessSolver::solveLoop, &AccessSolver::foldPoints,
                      &AccessSolver::solveDigits, &AccessSolver::solveResidue,
                      &AccessSolver::solveSum})
      for (size_t k = 0; k < equations_.size(); ++k)
        if ((this->*rule)(k) && rule != &AccessSolver::solveLoop) k = -1;
    return build();
  }

 private:
  static uint32_t loopOf(VariableId id) { return id.index; }

  struct LoopTerm {
    uint32_t loop;
    int64_t coefficient;
  };
  /// A form taken apart: loops alone, and whether loops are anywhere else.
  struct Parts {
    llvm::SmallVector<LoopTerm, 6> loops;
    llvm::SmallBitVector inside;  ///< loops inside of other atoms
    bool rest = false;            ///< whether there is anything but loops
  };

  Parts partsOf(FormId form) {
    Parts parts;
    parts.inside.resize(loops_.size());
    for (const Term &term : pool_.terms(form)) {
      const Atom &atom = pool_.atom(term.atom);
      if (atom.kind == AtomKind::Variable &&
          atom.variable().kind == VariableKind::Range) {
        parts.loops.push_back({loopOf(atom.variable()), term.coefficient});
        continue;
      }
      pool_.visitVariables(atom.operands(), [&](VariableId id) {
        if (id.kind == VariableKind::Range) parts.inside.set(loopOf(id));
      });
    }
    return parts;
  }

  bool hasLoops(const Atom &atom) {
    const auto variable = atom.asVariable();
    bool found = variable && variable->kind == VariableKind::Range;
    pool_.visitVariables(atom.operands(), [&](VariableId id) {
      found |= id.kind == VariableKind::Range;
    });
    return found;
  }

  bool hasRuntime(FormId form) {
    bool found = false;
    pool_.visitVariables({form}, [&](VariableId id) {
      found |= id.kind == VariableKind::Runtime;
    });
    return found;
  }

  /// Whether the index of a runtime variable depends on the loop.
  bool steers(uint32_t loop) {
    bool found = false;
    for (const RuntimeVariable &variable : runtime_)
      pool_.visitVariables(variable.index, [&](VariableId id) {
        found |= id == VariableId{VariableKind::Range, loop};
      });
    return found;
  }

  /// Replaces the loop by `value` everywhere, and requires `value` to be one of
  /// the loop's values.
  void replace(uint32_t loop, FormId value) {
    solved_.set(loop);
    guards_.push_back({value, loops_[loop]});
    const ExpressionPool old = pool_;
    pool_ = ExpressionPool();
    auto same = [&](VariableId id) { return pool_.variable(id); };
    const FormId moved = ExpressionImport(old, pool_, same)(value);
    auto put = [&](VariableId id) {
      return id == VariableId{VariableKind::Range, loop} ? moved
                                                         : pool_.variable(id);
    };
    ExpressionImport import(old, pool_, put);
    pool_.setOverflowed(old.overflowed());
    for (FormId &form : equations_) form = import(form);
    for (FormId &form : results_) form = import(form);
    for (Access::Guard &guard : guards_) guard.form = import(guard.form);
    for (RuntimeVariable &variable : runtime_)
      for (FormId &form : variable.index) form = import(form);
  }

  /// l = d.
  bool solveLoop(size_t k) {
    const FormId form = equations_[k];
    if (pool_.terms(form).size() != 2 || pool_.constant(form) != 0)
      return false;
    const Parts parts = partsOf(form);
    if (parts.loops.size() != 1 || parts.loops[0].coefficient != 1 ||
        parts.inside.any() || hasRuntime(form))
      return false;
    const uint32_t loop = parts.loops[0].loop;
    replace(loop, pool_.variable(
                      {VariableKind::Dimension, static_cast<uint32_t>(k)}));
    return true;
  }

  /// Loops of one iteration, where they are in the way.
  bool foldPoints(size_t k) {
    llvm::SmallVector<uint32_t, 4> points;
    pool_.visitVariables({equations_[k]}, [&](VariableId id) {
      if (id.kind == VariableKind::Range && loops_[loopOf(id)].isPoint())
        points.push_back(loopOf(id));
    });
    for (uint32_t loop : points)
      replace(loop, pool_.constantForm(loops_[loop].lower));
    return !points.empty();
  }

  /// A sum of loops whose values are the digits of one number.
  bool solveDigits(size_t k) {
    const FormId form = equations_[k];
    Parts parts = partsOf(form);
    auto &terms = parts.loops;
    if (terms.empty() || parts.inside.any()) return false;
    const bool negative = terms[0].coefficient < 0;
    for (LoopTerm &term : terms) {
      if ((term.coefficient < 0) != negative || !loops_[term.loop].hasLower() ||
          (hasRuntime(form) && steers(term.loop)))
        return false;
      if (negative) term.coefficient = -term.coefficient;
    }
    llvm::sort(terms, [](const LoopTerm &a, const LoopTerm &b) {
      return a.coefficient < b.coefficient;
    });
    for (size_t i = 0; i + 1 < terms.size(); ++i) {
      const int64_t ratio = terms[i + 1].coefficient / terms[i].coefficient;
      if (terms[i + 1].coefficient % terms[i].coefficient != 0 ||
          loops_[terms[i].loop].count() > ratio)
        return false;
    }
    // value: sum of coefficient * (loop - lower).
    FormId value = negative ? form : pool_.scale(form, -1);
    for (const LoopTerm &term : terms) {
      const FormId loop = pool_.variable({VariableKind::Range, term.loop});
      value = pool_.linear({{value, 1}, {loop, term.coefficient}}, 0);
      value = pool_.linear(
          {{value, 1},
           {pool_.constantForm(loops_[term.loop].lower), -term.coefficient}},
          0);
    }
    const int64_t least = terms[0].coefficient;
    if (least > 1)
      guards_.push_back({pool_.mod(value, least), Interval::point(0)});
    llvm::SmallVector<std::pair<uint32_t, FormId>, 4> solutions;
    for (size_t i = 0; i < terms.size(); ++i) {
      const int64_t unit = terms[i].coefficient;
      const int64_t ratio =
          i + 1 < terms.size() ? terms[i + 1].coefficient / unit : 0;
      FormId digit = pool_.digit(value, unit, ratio);
      digit = pool_.shift(digit, loops_[terms[i].loop].lower);
      solutions.push_back({terms[i].loop, digit});
    }
    equations_[k] = pool_.constantForm(0);
    replaceAll(solutions);
    return true;
  }

  /// Several loops by forms without any of them.
  void replaceAll(
      llvm::MutableArrayRef<std::pair<uint32_t, FormId>> solutions) {
    // Forms move to a new pool each time. As results, these move too.
    const size_t own = results_.size();
    for (auto &[loop, form] : solutions) results_.push_back(form);
    for (size_t i = 0; i < solutions.size(); ++i)
      replace(solutions[i].first, results_[own + i]);
    results_.truncate(own);
  }

  /// Solves for a loop in (loop + others) mod m, if no two of its values have
  /// the same residue.
  bool solveResidue(size_t k) {
    const FormId form = equations_[k];
    // Forms are made below, which moves the pool's terms: a copy.
    const llvm::SmallVector<Term, 8> terms(pool_.terms(form));
    const Term *around = nullptr;
    for (const Term &term : terms) {
      if (!hasLoops(pool_.atom(term.atom))) continue;
      const Atom &atom = pool_.atom(term.atom);
      if (around || atom.kind != AtomKind::Digit || atom.stride != 1 ||
          atom.modulus == 0 || std::abs(term.coefficient) != 1)
        return false;
      around = &term;
    }
    if (!around) return false;
    const int64_t sign = around->coefficient;
    const AtomId digit = around->atom;
    const FormId parent = pool_.atom(digit).a;
    const int64_t modulus = pool_.atom(digit).modulus;
    const Parts parts = partsOf(parent);
    if (parts.loops.size() != 1 || parts.inside.any() ||
        std::abs(parts.loops[0].coefficient) != 1)
      return false;
    const uint32_t loop = parts.loops[0].loop;
    if (!loops_[loop].hasLower() || loops_[loop].count() > modulus ||
        (hasRuntime(form) && steers(loop)))
      return false;
    // sign * (unit * loop + others) mod modulus + rest = 0
    const int64_t unit = parts.loops[0].coefficient;
    const int64_t lower = loops_[loop].lower;
    const FormId residue =
        pool_.linear({{form, -sign}, {pool_.atomForm(digit), 1}}, 0);
    const FormId others = pool_.linear(
        {{parent, 1}, {pool_.variable({VariableKind::Range, loop}), -unit}}, 0);
    FormId value = pool_.linear(
        {{residue, unit}, {others, -unit}, {pool_.constantForm(lower), -1}}, 0);
    value = pool_.shift(pool_.mod(value, modulus), lower);
    guards_.push_back({residue, {0, modulus - 1}});
    equations_[k] = pool_.constantForm(0);
    replace(loop, value);
    return true;
  }

  /// One loop of a sum.
  bool solveSum(size_t k) {
    const FormId form = equations_[k];
    const Parts parts = partsOf(form);
    const LoopTerm *best = nullptr;
    for (const LoopTerm &term : parts.loops) {
      if (parts.inside[term.loop] || (hasRuntime(form) && steers(term.loop)))
        continue;
      if (!best || loops_[term.loop].count() > loops_[best->loop].count())
        best = &term;
    }
    if (!best) return false;
    const int64_t unit = best->coefficient;
    if (unit == INT64_MIN) return false;
    // unit * loop + others = 0
    const FormId loop = pool_.variable({VariableKind::Range, best->loop});
    const FormId others = pool_.linear({{form, 1}, {loop, -unit}}, 0);
    const FormId value = unit < 0 ? others : pool_.scale(others, -1);
    const int64_t step = std::abs(unit);
    if (step > 1)
      guards_.push_back({pool_.mod(value, step), Interval::point(0)});
    equations_[k] = pool_.constantForm(0);
    replace(best->loop, pool_.digit(value, step, 0));
    return true;
  }

  absl::StatusOr<IndexingMap> build() {
    IndexingMapBuilder b;
    for (int64_t k = 0; k < from_.rank(); ++k)
      b.dimension(families::indicesOf(from_, k));
    llvm::SmallVector<Expr, 6> ranges(loops_.size());
    for (size_t j = 0; j < loops_.size(); ++j)
      if (!solved_[j]) ranges[j] = b.range(loops_[j]);
    llvm::SmallVector<int64_t, 4> numbers(runtime_.size(), -1);
    for (uint32_t i : usedRuntime()) {
      RuntimeVariable variable = runtime_[i];
      variable.index.clear();
      numbers[i] = b.pool().asVariable(b.runtime(variable).form())->index;
    }
    auto move = [&](VariableId id) {
      if (id.kind == VariableKind::Range) return ranges[loopOf(id)].form();
      if (id.kind == VariableKind::Runtime)
        id.index = static_cast<uint32_t>(numbers[id.index]);
      return b.pool().variable(id);
    };
    ExpressionImport import(pool_, b.pool(), move);
    for (size_t i = 0; i < runtime_.size(); ++i) {
      if (numbers[i] < 0) continue;
      llvm::SmallVector<FormId, 4> index;
      for (FormId form : runtime_[i].index) index.push_back(import(form));
      b.setSourceIndex(numbers[i], index);
    }
    for (FormId form : equations_)
      b.constraint(b.expression(import(form)), Interval::point(0));
    for (const Access::Guard &guard : guards_)
      b.constraint(b.expression(import(guard.form)), guard.bounds);
    for (size_t k = 0; k < results_.size(); ++k) {
      const Expr result = b.expression(import(results_[k]));
      b.constraint(result, families::indicesOf(to_, k));
      b.result(result);
    }
    if (pool_.overflowed())
      return families::invalid("the op's indices need more than 64 bits");
    INDEXICAL_ASSIGN_OR_RETURN(IndexingMap map, b.build());
    SimplifyOptions options;
    options.foldPoints = false;
    options.rename = true;
    return simplify(map, options);
  }

  /// The runtime variables that the map or another's index uses.
  llvm::SmallVector<uint32_t, 4> usedRuntime() {
    llvm::SmallBitVector used(runtime_.size());
    auto mark = [&](VariableId id) {
      if (id.kind == VariableKind::Runtime) used.set(id.index);
    };
    llvm::SmallVector<FormId, 16> forms(results_.begin(), results_.end());
    llvm::append_range(forms, equations_);
    for (const Access::Guard &guard : guards_) forms.push_back(guard.form);
    pool_.visitVariables(forms, mark);
    // An index names only variables that were made before.
    for (size_t i = runtime_.size(); i-- > 0;)
      if (used[i]) pool_.visitVariables(runtime_[i].index, mark);
    llvm::SmallVector<uint32_t, 4> order;
    for (unsigned i : used.set_bits()) order.push_back(i);
    return order;
  }

  const ArrayShape &from_, &to_;
  llvm::SmallVector<Interval, 6> loops_;
  ExpressionPool pool_;
  llvm::SmallVector<FormId, 6> equations_, results_;  // equations: form = 0
  llvm::SmallVector<Access::Guard, 8> guards_;
  llvm::SmallVector<RuntimeVariable, 2> runtime_;
  llvm::SmallBitVector solved_;
};

absl::StatusOr<IndexingMap> Access::map(Direction direction,
                                        const ArrayShape &from,
                                        const ArrayShape &to) const {
  return AccessSolver(*this, direction, from, to).map();
}

//===-- AccessList, AccessMaps --------------------------------------------===//

void AccessList::addEverything(const ArrayShape &result,
                               const ArrayShape &operand) {
  Access &access = add();
  access.result = access.loopsOver(result);
  access.operand = access.loopsOver(operand);
}

void AccessList::addIdentity(const ArrayShape &result) {
  Access &access = add();
  access.result = access.loopsOver(result);
  access.operand = access.result;
}

absl::StatusOr<IndexingRelation> relationOf(const AccessList &list,
                                            Direction direction,
                                            const ArrayShape &from,
                                            const ArrayShape &to) {
  const bool forward = direction == Direction::OutputToInput;
  IndexingRelation relation;
  for (const Access &access : list.accesses()) {
    const size_t start = forward ? access.result.size() : access.operand.size();
    const size_t end = forward ? access.operand.size() : access.result.size();
    if (static_cast<int64_t>(start) != from.rank() ||
        static_cast<int64_t>(end) != to.rank())
      return families::invalid(
          "an access has another number of coordinates than its tensors have "
          "dimensions: " +
          from.str() + " and " + to.str());
    INDEXICAL_ASSIGN_OR_RETURN(auto map, access.map(direction, from, to));
    relation.add(std::move(map));
  }
  relation.weaken(list.precision());
  return relation;
}

absl::StatusOr<IndexingRelation> AccessMaps::outputToInput(
    const OpShapes &shapes, int64_t result, int64_t operand) const {
  AccessList list;
  INDEXICAL_RETURN_IF_ERROR(describe(shapes, result, operand, list));
  return relationOf(list, Direction::OutputToInput, shapes.results[result],
                    shapes.operands[operand]);
}

absl::StatusOr<IndexingRelation> AccessMaps::inputToOutput(
    const OpShapes &shapes, int64_t result, int64_t operand) const {
  AccessList list;
  INDEXICAL_RETURN_IF_ERROR(describe(shapes, result, operand, list));
  return relationOf(list, Direction::InputToOutput, shapes.operands[operand],
                    shapes.results[result]);
}

//===-- Boxes -------------------------------------------------------------===//

namespace {

/// (size - 1) * stride: the last place, counted from the start.
Expr lastOf(Access &access, const Stretch &stretch) {
  return access.product(stretch.size - 1, stretch.stride);
}

bool isDense(Access &access, const Stretch &stretch) {
  return access.pool().isConstant(stretch.stride.form(), 1);
}

/// Restricts to the span from the first to the last place.
void restrictSpan(Access &access, const Stretch &stretch) {
  const Expr place = stretch.coordinate - stretch.start;
  const Expr last = lastOf(access, stretch);
  if (access.pool().isConstant(last.form())) {
    access.constraint(place, {0, access.pool().constant(last.form())});
    return;
  }
  access.constraint(place, {0, Interval::kInfinity});
  access.constraint(place - last, {Interval::kMinusInfinity, 0});
}

}  // namespace

void restrictInside(Access &access, llvm::ArrayRef<Stretch> box) {
  for (const Stretch &stretch : box) {
    restrictSpan(access, stretch);
    if (!isDense(access, stretch))
      access.constraint(
          access.remainder(stretch.coordinate - stretch.start, stretch.stride),
          Interval::point(0));
  }
}

namespace {

enum Side { Before, Behind, Between };
constexpr size_t kSides = 3;

}  // namespace

size_t outsidePieces(size_t coordinates) { return coordinates * kSides; }

void restrictOutside(Access &access, llvm::ArrayRef<Stretch> box,
                     size_t piece) {
  const Stretch &axis = box[piece / kSides];
  restrictInside(access, box.take_front(piece / kSides));
  const Expr place = axis.coordinate - axis.start;
  switch (static_cast<Side>(piece % kSides)) {
    case Before:
      access.constraint(place, {Interval::kMinusInfinity, -1});
      break;
    case Behind:
      access.constraint(place, {0, Interval::kInfinity});
      access.constraint(place - lastOf(access, axis), {1, Interval::kInfinity});
      break;
    case Between:
      if (isDense(access, axis)) {
        access.constraint(access.constant(0), Interval::none());
        break;
      }
      restrictSpan(access, axis);
      access.constraint(access.remainder(place, axis.stride),
                        {1, Interval::kInfinity});
      break;
  }
}

void addOutside(
    AccessList &list, size_t coordinates,
    llvm::function_ref<llvm::SmallVector<Stretch, 6>(Access &)> begin) {
  for (size_t piece = 0; piece < outsidePieces(coordinates); ++piece) {
    Access &access = list.add();
    restrictOutside(access, begin(access), piece);
  }
}

}  // namespace indexical
