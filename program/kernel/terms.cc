#include "indexical/program/kernel/terms.h"

#include <algorithm>
#include <set>
#include <utility>

namespace indexical::kernels {

namespace {

/// Returns the same bits, read without a sign.
uint64_t asUnsigned(int64_t value, int32_t bits) {
  const uint64_t all = static_cast<uint64_t>(value);
  return bits >= 64 ? all : all & ((uint64_t{1} << bits) - 1);
}

/// Calls `visit` with each term that `root` is made of, `root` first and
/// operands behind the terms that use them, until it returns true. Returns
/// whether it did. A term's operands have smaller numbers, so that no recursion
/// is needed.
template <typename Visit>
bool visitDown(const Terms &terms, TermId root, Visit visit) {
  std::set<TermId> todo = {root};
  while (!todo.empty()) {
    const TermId at = *todo.rbegin();
    todo.erase(at);
    if (visit(at)) return true;
    for (TermId operand : terms[at].operands) todo.insert(operand);
  }
  return false;
}

/// Returns the terms that `root` is made of, each behind its operands and
/// `root` last.
llvm::SmallVector<TermId, 32> operandsFirst(const Terms &terms, TermId root) {
  llvm::SmallVector<TermId, 32> order;
  visitDown(terms, root, [&](TermId at) {
    order.push_back(at);
    return false;
  });
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

int64_t leastOfBits(int32_t bits) {
  return bits == 1 ? 0 : bits >= 64 ? INT64_MIN : -(int64_t{1} << (bits - 1));
}

int64_t greatestOfBits(int32_t bits) {
  return bits == 1    ? 1
         : bits >= 64 ? INT64_MAX
                      : (int64_t{1} << (bits - 1)) - 1;
}

int64_t wrapped(int64_t value, int32_t bits) {
  if (bits >= 64) return value;
  if (bits == 1) return value & 1;
  const int shift = 64 - bits;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << shift) >> shift;
}

std::optional<int64_t> applyTerm(TermKind kind, int32_t bits,
                                 int32_t operandBits,
                                 llvm::ArrayRef<int64_t> x) {
  const uint64_t a = asUnsigned(x[0], operandBits);
  const uint64_t b = x.size() > 1 ? asUnsigned(x[1], operandBits) : 0;
  auto whole = [&](uint64_t value) {
    return wrapped(static_cast<int64_t>(value), bits);
  };
  const bool isOverflow = x.size() > 1 && x[1] == -1 && x[0] == INT64_MIN;
  const bool shiftsOut = x.size() > 1 && (x[1] < 0 || x[1] >= operandBits);
  switch (kind) {
    case TermKind::Add:
    case TermKind::PointerAdd:
      return whole(static_cast<uint64_t>(x[0]) + static_cast<uint64_t>(x[1]));
    case TermKind::Sub:
      return whole(static_cast<uint64_t>(x[0]) - static_cast<uint64_t>(x[1]));
    case TermKind::Mul:
      return whole(static_cast<uint64_t>(x[0]) * static_cast<uint64_t>(x[1]));
    case TermKind::DivS:
      if (x[1] == 0 || isOverflow) return std::nullopt;
      return whole(x[0] / x[1]);
    case TermKind::FloorDivS:
    case TermKind::CeilDivS: {
      if (x[1] == 0 || isOverflow) return std::nullopt;
      const int64_t q = x[0] / x[1], r = x[0] % x[1];
      const bool isBelow = (r < 0) != (x[1] < 0);
      if (r == 0) return whole(q);
      if (kind == TermKind::FloorDivS) return whole(isBelow ? q - 1 : q);
      return whole(isBelow ? q : q + 1);
    }
    case TermKind::DivU:
      return b == 0 ? std::nullopt : std::optional(whole(a / b));
    case TermKind::RemS:
      if (x[1] == 0 || isOverflow) return std::nullopt;
      return whole(x[0] % x[1]);
    case TermKind::RemU:
      return b == 0 ? std::nullopt : std::optional(whole(a % b));
    case TermKind::MinS:
      return std::min(x[0], x[1]);
    case TermKind::MaxS:
      return std::max(x[0], x[1]);
    case TermKind::MinU:
      return a < b ? x[0] : x[1];
    case TermKind::MaxU:
      return a < b ? x[1] : x[0];
    case TermKind::And:
      return whole(a & b);
    case TermKind::Or:
      return whole(a | b);
    case TermKind::Xor:
      return whole(a ^ b);
    case TermKind::Shl:
      return shiftsOut ? std::nullopt : std::optional(whole(a << b));
    case TermKind::ShrS:
      return shiftsOut ? std::nullopt : std::optional(x[0] >> x[1]);
    case TermKind::ShrU:
      return shiftsOut ? std::nullopt : std::optional(whole(a >> b));
    case TermKind::Equal:
      return x[0] == x[1];
    case TermKind::NotEqual:
      return x[0] != x[1];
    case TermKind::LessS:
      return x[0] < x[1];
    case TermKind::LessEqualS:
      return x[0] <= x[1];
    case TermKind::LessU:
      return a < b;
    case TermKind::LessEqualU:
      return a <= b;
    case TermKind::Select:
      return x[0] != 0 ? x[1] : x[2];
    case TermKind::SignExtend:
      return operandBits == 1 ? -x[0] : x[0];
    case TermKind::ZeroExtend:
    case TermKind::Truncate:
      return whole(a);
    default:
      return std::nullopt;
  }
}

TermId Terms::intern(TermNode term) {
  const auto [at, isNew] =
      numbers_.try_emplace(term, static_cast<TermId>(terms_.size()));
  if (isNew) terms_.push_back(std::move(term));
  return at->second;
}

TermId Terms::constant(int64_t value, int32_t bits) {
  return intern({TermKind::Constant, bits, wrapped(value, bits), {}});
}

TermId Terms::leaf(TermKind kind, int64_t value, int32_t bits,
                   llvm::ArrayRef<TermId> operands) {
  return intern({kind, bits, value, {operands.begin(), operands.end()}});
}

std::optional<TermId> Terms::folded(TermKind kind, int32_t bits,
                                    llvm::ArrayRef<TermId> operands) {
  auto isConstant = [&](size_t i, int64_t value) {
    const TermNode &term = terms_[operands[i]];
    return term.kind == TermKind::Constant && term.value == value;
  };
  switch (kind) {
    case TermKind::Add:
      if (isConstant(0, 0)) return operands[1];
      if (isConstant(1, 0)) return operands[0];
      break;
    case TermKind::Sub:
    case TermKind::PointerAdd:
      if (isConstant(1, 0)) return operands[0];
      break;
    case TermKind::Mul:
      if (isConstant(0, 1)) return operands[1];
      if (isConstant(1, 1)) return operands[0];
      if (isConstant(0, 0) || isConstant(1, 0)) return constant(0, bits);
      break;
    case TermKind::And:
      if (bits == 1 && isConstant(0, 1)) return operands[1];
      if (bits == 1 && isConstant(1, 1)) return operands[0];
      break;
    case TermKind::Select:
      if (operands[1] == operands[2]) return operands[1];
      if (terms_[operands[0]].kind == TermKind::Constant)
        return isConstant(0, 0) ? operands[2] : operands[1];
      break;
    case TermKind::SignExtend:
    case TermKind::ZeroExtend:
    case TermKind::Truncate:
      if (terms_[operands[0]].bits == bits) return operands[0];
      break;
    default:
      break;
  }
  return std::nullopt;
}

TermId Terms::make(TermKind kind, int32_t bits,
                   llvm::ArrayRef<TermId> operands) {
  if (const auto known = folded(kind, bits, operands)) return *known;
  llvm::SmallVector<int64_t, 3> values;
  for (TermId operand : operands)
    if (terms_[operand].kind == TermKind::Constant)
      values.push_back(terms_[operand].value);
  if (values.size() == operands.size()) {
    const int32_t operandBits = terms_[operands.back()].bits;
    if (const auto value = applyTerm(kind, bits, operandBits, values))
      return constant(*value, bits);
  }
  return intern({kind, bits, 0, {operands.begin(), operands.end()}});
}

namespace {

/// Rebuilds a term, operands first. `leafOf` returns what replaces a term, and
/// nothing if the term stays.
template <typename LeafOf>
TermId rebuilt(Terms &terms, TermId root, LeafOf leafOf) {
  std::map<TermId, TermId> done;
  for (TermId at : operandsFirst(terms, root)) {
    const TermNode term = terms[at];
    llvm::SmallVector<TermId, 3> operands;
    for (TermId operand : term.operands) operands.push_back(done[operand]);
    if (const std::optional<TermId> leaf = leafOf(term, operands)) {
      done[at] = *leaf;
    } else if (operands == term.operands) {
      done[at] = at;
    } else if (term.kind <= TermKind::Unknown) {
      done[at] = terms.leaf(term.kind, term.value, term.bits, operands);
    } else {
      done[at] = terms.make(term.kind, term.bits, operands);
    }
  }
  return done[root];
}

}  // namespace

TermId Terms::substitute(TermId term, llvm::ArrayRef<TermId> by) {
  return rebuilt(*this, term, [&](const TermNode &at, llvm::ArrayRef<TermId>) {
    const bool isHere = at.kind == TermKind::Coordinate &&
                        at.value < static_cast<int64_t>(by.size());
    return isHere ? std::optional(by[at.value]) : std::nullopt;
  });
}

TermId Terms::replace(TermId term, const std::map<int64_t, TermId> &by) {
  return rebuilt(
      *this, term,
      [&](const TermNode &at,
          llvm::ArrayRef<TermId> coordinates) -> std::optional<TermId> {
        if (at.kind != TermKind::Placeholder) return std::nullopt;
        const auto found = by.find(at.value);
        if (found == by.end()) return std::nullopt;
        return substitute(found->second, coordinates);
      });
}

TermId Terms::inIteration(TermId term, int64_t loop, TermId count) {
  return rebuilt(*this, term, [&](const TermNode &at, llvm::ArrayRef<TermId>) {
    const bool isHere = at.kind == TermKind::Loop && at.value == loop;
    return isHere ? std::optional(count) : std::nullopt;
  });
}

TermId Terms::inProgram(TermId term, int64_t axis, TermId number) {
  return rebuilt(*this, term, [&](const TermNode &at, llvm::ArrayRef<TermId>) {
    const bool isHere = at.kind == TermKind::Program && at.value == axis;
    return isHere ? std::optional(number) : std::nullopt;
  });
}

std::optional<std::set<int64_t>> Terms::buffersOf(TermId pointer) const {
  std::set<int64_t> found;
  std::set<TermId> todo = {pointer};
  while (!todo.empty()) {
    const TermId at = *todo.rbegin();
    todo.erase(at);
    const TermNode &term = terms_[at];
    if (term.kind == TermKind::Pointer) {
      found.insert(term.value);
    } else if (term.kind == TermKind::PointerAdd) {
      todo.insert(term.operands[0]);
    } else if (term.kind == TermKind::Select) {
      todo.insert({term.operands[1], term.operands[2]});
    } else {
      return std::nullopt;
    }
  }
  return found;
}

std::set<TermId> Terms::partsOf(TermId term) const {
  const auto all = operandsFirst(*this, term);
  return {all.begin(), all.end()};
}

std::set<TermId> Terms::termsWith(TermId term, TermKind kind,
                                  int64_t value) const {
  std::set<TermId> having;
  for (TermId at : operandsFirst(*this, term)) {
    const TermNode &here = terms_[at];
    bool has = here.kind == kind && here.value == value;
    for (TermId operand : here.operands) has |= having.count(operand) != 0;
    if (has) having.insert(at);
  }
  return having;
}

std::set<int64_t> Terms::valuesOf(TermId term, TermKind kind) const {
  std::set<int64_t> values;
  visitDown(*this, term, [&](TermId at) {
    if (terms_[at].kind == kind) values.insert(terms_[at].value);
    return false;
  });
  return values;
}

bool Terms::mentions(TermId term, TermKind kind,
                     std::optional<int64_t> value) const {
  return visitDown(*this, term, [&](TermId at) {
    const TermNode &here = terms_[at];
    return here.kind == kind && (!value || here.value == *value);
  });
}

namespace {

/// Returns the value of a term without operands, and nothing for one that is
/// unknown.
std::optional<TermValue> valueOfLeaf(const TermNode &term,
                                     const TermPoint &point) {
  auto in = [&](llvm::ArrayRef<int64_t> values) -> std::optional<TermValue> {
    if (term.value >= static_cast<int64_t>(values.size())) return std::nullopt;
    return TermValue{-1, values[term.value]};
  };
  switch (term.kind) {
    case TermKind::Constant:
      return TermValue{-1, term.value};
    case TermKind::Program:
      return in(point.program);
    case TermKind::Programs:
      return in(point.grid);
    case TermKind::Argument:
      return in(point.arguments);
    case TermKind::Pointer:
      return TermValue{term.value, 0};
    case TermKind::Loop:
      return in(point.loops);
    case TermKind::Coordinate:
      return in(point.coordinates);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<TermValue> Terms::evaluate(TermId root,
                                         const TermPoint &point) const {
  std::map<TermId, TermValue> done;
  for (TermId at : operandsFirst(*this, root)) {
    const TermNode &term = terms_[at];
    if (term.kind <= TermKind::Unknown) {
      const auto value = valueOfLeaf(term, point);
      if (!value) return std::nullopt;
      done[at] = *value;
      continue;
    }
    llvm::SmallVector<int64_t, 3> values;
    int64_t argument = -1;
    for (TermId operand : term.operands) {
      values.push_back(done[operand].value);
      argument = std::max(argument, done[operand].argument);
    }
    if (term.kind == TermKind::Select)
      argument = done[term.operands[values[0] != 0 ? 1 : 2]].argument;
    const auto value = applyTerm(term.kind, term.bits,
                                 terms_[term.operands.back()].bits, values);
    if (!value) return std::nullopt;
    done[at] = {argument, *value};
  }
  return done[root];
}

}  // namespace indexical::kernels
