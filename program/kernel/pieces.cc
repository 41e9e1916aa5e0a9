#include "indexical/program/kernel/pieces.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

absl::Status PieceMaker::notWritten(const char *what) {
  return absl::UnimplementedError(absl::StrCat(what, " has no map"));
}

absl::Status PieceMaker::tooManyCases() {
  return absl::UnimplementedError(
      absl::StrCat("an index has more than ", kMostPieces, " cases"));
}

Interval PieceMaker::bitsInterval(int32_t bits) {
  if (bits >= 64) return Interval::all();
  return {leastOfBits(bits), greatestOfBits(bits)};
}

namespace {

/// Returns whether a value that conditions of `map` name is no variable of
/// `simple` any more: if nothing else names a value, the simplifier drops the
/// condition with it.
bool dropsCondition(const IndexingMap &map, const IndexingMap &simple) {
  bool isDropped = false;
  const auto kept = simple.runtime().drop_back(simple.hiddenRuntimeCount());
  for (const Constraint &constraint : map.constraints())
    map.expressions().visitVariables({constraint.form}, [&](VariableId id) {
      if (id.kind != VariableKind::Runtime) return;
      const std::string &name = map.runtime()[id.index].name;
      isDropped |= llvm::none_of(
          kept, [&](const RuntimeVariable &v) { return v.name == name; });
    });
  return isDropped;
}

}  // namespace

PieceMaker::PieceMaker(const Terms &terms, PieceSpace space, const Stop *stop)
    : terms_(terms),
      space_(std::move(space)),
      builder_(pool_),
      budget_{std::nullopt, stop} {
  auto add = [&](int64_t count, const std::string &name) {
    variableBounds_.push_back({0, count - 1});
    variables_.push_back(builder_.dimension({0, count - 1}, name));
  };
  static constexpr const char *kAxes[] = {"bl_x", "bl_y", "bl_z"};
  for (size_t axis = 0; axis < 3; ++axis) add(space_.grid[axis], kAxes[axis]);
  for (const PieceSpace::LoopCount &loop : space_.loops)
    add(loop.count, absl::StrCat("loop", loop.loop));
  for (size_t k = 0; k < space_.tile.size(); ++k)
    add(space_.tile[k], absl::StrCat("t", k));
}

PieceMaker::~PieceMaker() = default;

void PieceMaker::declare(IndexingMapBuilder &builder) const {
  static constexpr const char *kAxes[] = {"bl_x", "bl_y", "bl_z"};
  size_t at = 0;
  auto add = [&](const std::string &name) {
    builder.addDimension(variableBounds_[at++], name);
  };
  for (const char *axis : kAxes) add(axis);
  for (const PieceSpace::LoopCount &loop : space_.loops)
    add(absl::StrCat("loop", loop.loop));
  for (size_t k = 0; k < space_.tile.size(); ++k) add(absl::StrCat("t", k));
  for (const RuntimeVariable &variable : runtime_) builder.runtime(variable);
}

absl::Status PieceMaker::checkOverflow() {
  if (!pool_.overflowed()) return absl::OkStatus();
  pool_.setOverflowed(false);
  return notWritten("a number that may leave 64 bits");
}

bool PieceMaker::mayWrap(const TermPiece &result) {
  if (boundsOf(result.value, result.when).isFinite()) return false;
  const FormId form = result.value.form();
  bool isOpen = false;
  pool_.visitVariables({form}, [&](VariableId id) {
    isOpen |= id.kind == VariableKind::Runtime &&
              !runtime_[id.index].bounds.isFinite();
  });
  // Hardly any value can be added to such a number, or taken so often.
  constexpr int64_t kLarge = int64_t{1} << 62;
  const auto isLarge = [&](int64_t number) {
    return number >= kLarge || number <= -kLarge;
  };
  return !isOpen || isLarge(pool_.constant(form)) ||
         llvm::any_of(pool_.terms(form), [&](const Term &term) {
           return isLarge(term.coefficient);
         });
}

Interval PieceMaker::boundsOf(Expr value, const Conditions &when) {
  auto ofVariable = [&](VariableId id) {
    return id.kind == VariableKind::Runtime ? runtime_[id.index].bounds
                                            : variableBounds_[id.index];
  };
  Interval found = FormBounds(pool_, ofVariable)(value.form());
  for (const auto &[form, bounds] : when) {
    // Forms that differ by a constant. No form is made for the difference: all
    // cases of all conditions are compared here.
    if (pool_.terms(value.form()) != pool_.terms(form)) continue;
    const auto rest =
        checkedSub(pool_.constant(value.form()), pool_.constant(form));
    const auto moved = rest ? bounds.moved(*rest) : std::nullopt;
    if (moved) found = found.intersect(*moved);
  }
  return found;
}

bool PieceMaker::require(Conditions &when, Expr value, Interval bounds) {
  const Interval known = boundsOf(value, when);
  if (bounds.contains(known)) return true;
  if (known.intersect(bounds).isEmpty()) return false;
  when.push_back({value.form(), bounds});
  return true;
}

std::optional<PieceMaker::Conditions> PieceMaker::joined(const Conditions &a,
                                                         const Conditions &b) {
  // A stop makes all cases impossible; who asks for the budget next tells it.
  constexpr int64_t kBetweenPolls = 64;
  if (joins_++ % kBetweenPolls == 0) isStopped_ |= !budget_.check().ok();
  if (isStopped_) return std::nullopt;
  Conditions both = a;
  for (const auto &[form, bounds] : b)
    if (!require(both, builder_.expression(form), bounds)) return std::nullopt;
  return both;
}

TermPiece PieceMaker::wrappedTo(TermPiece piece, int32_t bits) {
  if (bits >= 64) return piece;
  const Interval range = bitsInterval(bits);
  if (range.contains(boundsOf(piece.value, piece.when))) return piece;
  if (bits == 1) {
    piece.value = mod(piece.value, 2);
    return piece;
  }
  const int64_t all = int64_t{1} << bits;
  const Interval bounds = boundsOf(piece.value, piece.when);
  // Near the end of 64 bits the sum below would leave them.
  if (!bounds.hasUpper() || bounds.upper > INT64_MAX - all)
    piece.value = mod(piece.value, all);
  piece.value = mod(piece.value + all / 2, all) - all / 2;
  return piece;
}

absl::StatusOr<PieceMaker::Pieces> PieceMaker::pieces(TermId term) {
  if (const auto known = known_.find(term); known != known_.end())
    return known->second;
  // Operands are computed first, so that the recursion below is one deep.
  llvm::SmallVector<TermId, 32> todo = {term};
  while (!todo.empty()) {
    const TermId at = todo.back();
    if (known_.count(at)) {
      todo.pop_back();
      continue;
    }
    const size_t before = todo.size();
    if (terms_[at].bits != 1 || terms_[at].kind <= TermKind::Unknown)
      for (TermId operand : terms_[at].operands)
        if (terms_[operand].bits != 1 && !known_.count(operand) &&
            terms_[operand].kind != TermKind::Unknown)
          todo.push_back(operand);
    if (todo.size() != before) continue;
    todo.pop_back();
    INDEXICAL_RETURN_IF_ERROR(budget_.check());
    INDEXICAL_ASSIGN_OR_RETURN(auto made, compute(at));
    INDEXICAL_RETURN_IF_ERROR(checkOverflow());
    INDEXICAL_RETURN_IF_ERROR(budget_.check());
    if (made.size() > kMostPieces) return tooManyCases();
    for (const TermPiece &piece : made)
      if (pool_.writtenSize(piece.value.form()) > kMostTerms)
        return absl::UnimplementedError(
            absl::StrCat("an index has more than ", kMostTerms, " terms"));
    known_[at] = std::move(made);
  }
  return known_[term];
}

absl::StatusOr<PieceMaker::Pieces> PieceMaker::compute(TermId id) {
  const TermNode &term = terms_[id];
  if (term.kind <= TermKind::Unknown && term.bits != 1) return leaf(term);
  if (term.bits == 1) {
    // A truth value is 0 where the term is false and 1 where it is true.
    Pieces all;
    for (const bool isTrue : {false, true}) {
      INDEXICAL_ASSIGN_OR_RETURN(auto where, cases(id, isTrue));
      for (Conditions &when : where)
        all.push_back({std::move(when), builder_.constant(isTrue), -1});
    }
    return all;
  }
  Pieces all;
  switch (term.kind) {
    case TermKind::Select:
      for (const bool isTrue : {true, false}) {
        INDEXICAL_ASSIGN_OR_RETURN(auto where, cases(term.operands[0], isTrue));
        if (where.empty()) continue;
        INDEXICAL_ASSIGN_OR_RETURN(auto chosen,
                                   pieces(term.operands[isTrue ? 1 : 2]));
        for (const Conditions &when : where)
          for (const TermPiece &piece : chosen)
            if (auto both = joined(when, piece.when))
              all.push_back({*std::move(both), piece.value, piece.argument});
      }
      return all;
    case TermKind::SignExtend:
    case TermKind::ZeroExtend:
    case TermKind::Truncate: {
      const TermId operand = term.operands[0];
      auto from = pieces(operand);
      if (!from.ok()) return from;
      const int32_t bits = terms_[operand].bits;
      if (term.kind == TermKind::ZeroExtend)
        return bits == 1 ? from : asUnsigned(*std::move(from), bits);
      for (TermPiece &piece : *from) {
        if (term.kind == TermKind::Truncate)
          all.push_back(wrappedTo(std::move(piece), term.bits));
        else
          all.push_back({piece.when, bits == 1 ? -piece.value : piece.value,
                         piece.argument});
      }
      return all;
    }
    default:
      return binary(term);
  }
}

absl::StatusOr<PieceMaker::Pieces> PieceMaker::asUnsigned(Pieces all,
                                                          int32_t bits) {
  for (TermPiece &piece : all) {
    if (boundsOf(piece.value, piece.when).lower >= 0) continue;
    if (bits > 62) return notWritten("a 64-bit number without a sign");
    piece.value = mod(piece.value, int64_t{1} << bits);
  }
  return all;
}

PieceMaker::Cases PieceMaker::mayBe() {
  isCover_ = true;
  return {{}};
}

// Conditions share terms, as a chain of `not` does: each is written once.
absl::StatusOr<PieceMaker::Cases> PieceMaker::cases(TermId id, bool isTrue) {
  const auto known = knownCases_.find({id, isTrue});
  if (known != knownCases_.end()) return known->second;
  if (depth_ >= kMostDeep)
    return absl::UnimplementedError(
        absl::StrCat("a mask is more than ", kMostDeep, " conditions deep"));
  INDEXICAL_RETURN_IF_ERROR(budget_.check());
  ++depth_;
  auto made = computeCases(id, isTrue);
  --depth_;
  INDEXICAL_RETURN_IF_ERROR(budget_.check());
  if (made.ok() && made->size() > kMostPieces)
    made = absl::UnimplementedError(
        absl::StrCat("a mask has more than ", kMostPieces, " cases"));
  knownCases_.insert({{id, isTrue}, made});
  return made;
}

absl::StatusOr<PieceMaker::Cases> PieceMaker::computeCases(TermId id,
                                                           bool isTrue) {
  const TermNode &term = terms_[id];
  auto both = [&](TermId a, bool isA, TermId b,
                  bool isB) -> absl::StatusOr<Cases> {
    INDEXICAL_ASSIGN_OR_RETURN(auto first, cases(a, isA));
    if (first.empty()) return Cases{};
    INDEXICAL_ASSIGN_OR_RETURN(auto second, cases(b, isB));
    Cases all;
    for (const Conditions &x : first)
      for (const Conditions &y : second)
        if (auto joint = joined(x, y)) all.push_back(*std::move(joint));
    return all;
  };
  auto either = [](absl::StatusOr<Cases> a,
                   absl::StatusOr<Cases> b) -> absl::StatusOr<Cases> {
    if (!a.ok()) return a;
    if (!b.ok()) return b;
    a->insert(a->end(), b->begin(), b->end());
    return a;
  };
  auto operand = [&](size_t i) { return term.operands[i]; };
  switch (term.kind) {
    case TermKind::Constant:
      return (term.value != 0) == isTrue ? Cases{{}} : Cases{};
    case TermKind::And:
    case TermKind::Mul:
      if (isTrue) return both(operand(0), true, operand(1), true);
      return either(cases(operand(0), false),
                    both(operand(0), true, operand(1), false));
    case TermKind::Or:
      if (!isTrue) return both(operand(0), false, operand(1), false);
      return either(cases(operand(0), true),
                    both(operand(0), false, operand(1), true));
    case TermKind::Xor:
    case TermKind::Add:
    case TermKind::Sub:
      return either(both(operand(0), isTrue, operand(1), false),
                    both(operand(0), !isTrue, operand(1), true));
    case TermKind::Select:
      return either(both(operand(0), true, operand(1), isTrue),
                    both(operand(0), false, operand(2), isTrue));
    case TermKind::Equal:
    case TermKind::NotEqual:
    case TermKind::LessS:
    case TermKind::LessEqualS:
    case TermKind::LessU:
    case TermKind::LessEqualU: {
      auto where = compared(term, isTrue);
      return where.ok() ? *std::move(where) : mayBe();
    }
    case TermKind::Truncate: {
      auto from = pieces(operand(0));
      if (!from.ok()) return mayBe();
      Cases all;
      for (TermPiece &piece : *from)
        if (require(piece.when, mod(piece.value, 2), Interval::point(isTrue)))
          all.push_back(piece.when);
      return all;
    }
    case TermKind::Argument:
      if (const auto known = space_.values.find(term.value);
          known != space_.values.end())
        return ((known->second & 1) != 0) == isTrue ? Cases{{}} : Cases{};
      [[fallthrough]];
    case TermKind::Loaded:
    case TermKind::Unknown:
    case TermKind::Placeholder:
    default:
      return mayBe();
  }
}

absl::StatusOr<std::vector<PointerMap>> PieceMaker::elements(
    TermId pointer, std::optional<TermId> mask) {
  Cases where = {{}};
  if (mask) {
    INDEXICAL_ASSIGN_OR_RETURN(where, cases(*mask, true));
  }
  std::vector<PointerMap> maps;
  if (where.empty()) return maps;
  INDEXICAL_ASSIGN_OR_RETURN(auto named, pieces(pointer));
  for (const TermPiece &piece : named) {
    for (const Conditions &when : where) {
      INDEXICAL_RETURN_IF_ERROR(budget_.check());
      const auto both = joined(piece.when, when);
      if (!both) continue;
      IndexingMapBuilder builder(pool_);
      declare(builder);
      for (const auto &[form, bounds] : *both)
        builder.constraint(builder.expression(form), bounds);
      builder.result(builder.expression(piece.value.form()));
      INDEXICAL_ASSIGN_OR_RETURN(auto map, builder.build());
      INDEXICAL_ASSIGN_OR_RETURN(auto simple, simplify(map));
      if (simple.isKnownEmpty()) continue;
      isCover_ |= dropsCondition(map, simple);
      maps.push_back({piece.argument, std::move(simple)});
      if (maps.size() > kMostPieces) return tooManyCases();
    }
  }
  return maps;
}

absl::StatusOr<Interval> PieceMaker::bounds(TermId term) {
  INDEXICAL_ASSIGN_OR_RETURN(auto all, pieces(term));
  Interval hull = Interval::none();
  for (const TermPiece &piece : all)
    hull = hull.hull(boundsOf(piece.value, piece.when));
  return hull;
}

}  // namespace indexical::kernels
