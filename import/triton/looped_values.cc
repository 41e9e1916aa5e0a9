// What loops carry.
//
//   sum = for … iter_args(%s = 0) { %t = arith.addf %s, %x }
//     reduction by add over the iterations, of 0 and of %x in each
//   for … iter_args(%m = …) { %n = arith.mulf %m, %x, then addf %n, %y }
//     no reduction: the value is what the turn before made of it
#include "indexical/import/triton/looped_values.h"

#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/triton/stored_values.h"
#include "indexical/import/triton/value_ops.h"

namespace indexical::triton {

using kernels::KernelValue;
using kernels::TermKind;
using llvm::StringRef;
using mlir::Operation;
using mlir::Value;
using Kind = KernelValue::Kind;

namespace {

constexpr char kRescales[] =
    ": a loop rescales the sum that it carries; that it is one takes exp(a) * "
    "exp(b) = exp(a + b), which no law of --float-laws says";

// The most values that are looked through for one that a loop carries.
constexpr size_t kMostVisited = 10'000;

bool isDot(Operation &op) {
  const StringRef name = op.getName().getStringRef();
  return name == "tt.dot" || name == "ttng.warp_group_dot";
}

}  // namespace

bool dependsOn(Value value, Value carried, mlir::scf::ForOp loop) {
  std::vector<Value> open = {value};
  std::set<const void *> seen;
  while (!open.empty()) {
    Value at = open.back();
    open.pop_back();
    if (at == carried || seen.size() > kMostVisited) return true;
    if (!seen.insert(at.getAsOpaquePointer()).second) continue;
    Operation *op = at.getDefiningOp();
    if (!op) op = at.getParentBlock()->getParentOp();
    if (op == loop || !loop->isProperAncestor(op)) continue;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) open.push_back(operand);
    });
  }
  return false;
}

namespace {

/// Says why what the loop carries is no reduction.
std::string reasonOf(int64_t line, mlir::scf::ForOp loop, unsigned k) {
  const Value carried = loop.getRegionIterArgs()[k];
  Operation *sum =
      loop.getBody()->getTerminator()->getOperand(k).getDefiningOp();
  // The sum of a softmax in one pass: acc * exp(m - m') + x, or the dot of it.
  if (sum)
    for (Value operand : sum->getOperands()) {
      Operation *scaled = operand.getDefiningOp();
      if (scaled && scaled->getName().getStringRef() == "arith.mulf" &&
          llvm::is_contained(scaled->getOperands(), carried))
        return absl::StrCat("line ", line, kRescales);
    }
  return absl::StrCat("line ", line,
                      ": a loop carries a value that is not "
                      "a sum");
}

}  // namespace

std::optional<StoredValues::Added> StoredValues::addedBy(mlir::scf::ForOp loop,
                                                         unsigned k) {
  const auto [entry, isNew] =
      added_.try_emplace({loop.getOperation(), k}, std::nullopt);
  if (!isNew) return entry->second;
  const Value carried = loop.getRegionIterArgs()[k];
  const Value next = loop.getBody()->getTerminator()->getOperand(k);
  Operation *op = next.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || hasFastMath(*op) ||
      mayBePoison(*op))
    return std::nullopt;
  Added added;
  if (isDot(*op) && op->getNumOperands() == 3 && op->getOperand(2) == carried) {
    for (unsigned side : {0U, 1U})
      if (dependsOn(op->getOperand(side), carried, loop)) return std::nullopt;
    added.by = "dot";
    // The products of one iteration, without what it adds them to.
    const auto loops = loopsOf(next);
    if (!loops) return std::nullopt;
    KernelValue inner = spaceOf(next);
    inner.kind = Kind::Dot;
    inner.text = precisionOf(*op);
    inner.loops = *loops;
    inner.operands = {operandOf(*op, 0), operandOf(*op, 1)};
    added.value = add(std::move(inner));
  } else if (op->getNumOperands() == 2) {
    const auto found = valueOpOf(*op);
    if (!found || !isFree(found->name)) return std::nullopt;
    const bool isLeft = op->getOperand(0) == carried;
    if (!isLeft && op->getOperand(1) != carried) return std::nullopt;
    const Value other = op->getOperand(isLeft ? 1 : 0);
    if (dependsOn(other, carried, loop)) return std::nullopt;
    added.by = found->name;
    added.value = of(other);
  } else {
    return std::nullopt;
  }
  return added_[{loop.getOperation(), k}] = added;
}

std::optional<std::vector<kernels::PointerMap>> StoredValues::runs(
    const KernelValue &of, mlir::scf::ForOp loop) {
  kernels::Terms &terms = trace_.terms;
  const TracedLoop &traced = trace_.loops[loop];
  const TermId isRun =
      terms.make(TermKind::LessS, 1,
                 {terms.leaf(TermKind::Loop, traced.number, 64), traced.trips});
  auto maps =
      pieces(of, terms.leaf(TermKind::Pointer, 0, 64), isRun, PiecesOf::Turns);
  if (!maps.ok()) return std::nullopt;
  return *std::move(maps);
}

KernelValue StoredValues::looped(KernelValue value, mlir::scf::ForOp loop,
                                 unsigned k) {
  const Value carried = loop.getRegionIterArgs()[k];
  const Value next = loop.getBody()->getTerminator()->getOperand(k);
  if (next == carried) {
    value.kind = Kind::Move;
    value.operands = {of(loop.getInitArgs()[k])};
    const auto map =
        placed(value, [](IndexingMapBuilder &, llvm::ArrayRef<Expr> tile,
                         llvm::SmallVectorImpl<Expr> &to) {
          to.append(tile.begin(), tile.end());
        });
    if (!map) return unknown(value, "a loop is not followed");
    value.maps = {{0, *map}};
    return value;
  }
  const auto count = countOf(loop);
  if (!count)
    return unknown(value, absl::StrCat("line ", value.line,
                                       ": how often a loop runs is not known"));
  const auto added = addedBy(loop, k);
  if (!added) {
    if (auto pick = pickedBy(value, loop, k)) return *std::move(pick);
    return turned(std::move(value), loop, k);
  }
  KernelValue body = value;
  body.loops.push_back(*count);
  auto maps = runs(body, loop);
  if (!maps) return turned(std::move(value), loop, k);
  // A sum of the fusion may be spelled out, in the order of the loop.
  std::optional<int64_t> byTurns;
  if (added->by != "dot") byTurns = add(turned(value, loop, k));
  value.kind = Kind::Loop;
  value.text = added->by;
  value.operands = {of(loop.getInitArgs()[k]), added->value};
  if (byTurns) value.operands.push_back(*byTurns);
  value.maps = *std::move(maps);
  value.axis = count->count;
  return value;
}

/// A value that a loop carries, before an iteration.
KernelValue StoredValues::carried(KernelValue value, mlir::scf::ForOp loop,
                                  unsigned k) {
  value.line = lineOf_(loop);
  const int64_t start = of(loop.getInitArgs()[k]);
  const Value next = loop.getBody()->getTerminator()->getOperand(k);
  const auto added = addedBy(loop, k);
  const bool isDot = added && added->by == "dot";
  KernelValue turn = value;
  turn.kind = Kind::Carried;
  turn.text = reasonOf(value.line, loop, k);
  if (!isDot) turn.operands = {start, of(next)};
  if (!added) return turn;
  value.kind = Kind::SoFar;
  value.text = added->by;
  value.operands = {start, added->value};
  if (!isDot) value.operands.push_back(add(std::move(turn)));
  value.axis = value.loops.back().count;
  return value;
}

/// What the loop leaves of a value that is no reduction.
KernelValue StoredValues::turned(KernelValue value, mlir::scf::ForOp loop,
                                 unsigned k) {
  kernels::Terms &terms = trace_.terms;
  auto maps = pieces(value,
                     terms.make(TermKind::PointerAdd, 64,
                                {terms.leaf(TermKind::Pointer, 0, 64),
                                 trace_.loops[loop].trips}),
                     std::nullopt, PiecesOf::Turns);
  if (!maps.ok())
    return unknown(value, absl::StrCat("line ", value.line,
                                       ": how often a loop runs is not known"));
  value.kind = Kind::Turned;
  value.text = reasonOf(value.line, loop, k);
  value.maps = *std::move(maps);
  const Value next = loop.getBody()->getTerminator()->getOperand(k);
  value.operands = {of(loop.getInitArgs()[k]), of(next)};
  return value;
}

}  // namespace indexical::triton
