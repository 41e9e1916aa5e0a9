// What loops of a compiled kernel carry from turn to turn, and what they leave.
//
//   %s = phi float [0, %entry], [%t, %loop]
//   %t = fadd float %s, %x
//   after the loop, %t     reduction by add over the turns, of 0 and of %x
#include <set>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/llvm/stored_values.h"

namespace indexical::compiled {

using kernels::KernelValue;
using llvm::dyn_cast;
using llvm::Value;

namespace {

constexpr char kNoSum[] = "a loop carries a value that is not a sum";
// The most values that are looked through for one that a loop carries.
constexpr size_t kMostVisited = 10'000;

bool dependsOn(const Value *value, const Value *carried,
               const llvm::Loop *loop) {
  std::vector<const Value *> open = {value};
  std::set<const Value *> seen;
  while (!open.empty()) {
    const Value *at = open.back();
    open.pop_back();
    if (at == carried || seen.size() > kMostVisited) return true;
    if (!seen.insert(at).second) continue;
    const auto *op = dyn_cast<llvm::Instruction>(at);
    if (!op || !loop->contains(op)) continue;
    // What is loaded may have been stored in another turn.
    for (const Value *operand : op->operand_values()) open.push_back(operand);
  }
  return false;
}

}  // namespace

KernelValue StoredValues::carried(KernelValue made, const llvm::PHINode &phi,
                                  int64_t bit, const std::string &type) {
  const llvm::Loop *loop = terms_.loopOf(phi.getParent());
  const llvm::BasicBlock *latch = loop->getLoopLatch();
  const llvm::BasicBlock *before = loop->getLoopPredecessor();
  if (!latch || !before || phi.getNumIncomingValues() != 2 ||
      !obstacleOf(phi).empty())
    return failed(made, "a loop is not followed");
  const int64_t start = part(phi.getIncomingValueForBlock(before), bit, type);
  const int64_t next = part(phi.getIncomingValueForBlock(latch), bit, type);
  made.kind = Kind::Carried;
  made.text = absl::StrCat("line ", made.line, ": ", kNoSum);
  made.operands = {start, next};
  return made;
}

KernelValue StoredValues::left(KernelValue made, const llvm::PHINode &phi,
                               int64_t bit) {
  const std::string type = made.type;
  const Value *value = phi.getIncomingValue(0);
  const auto *at = dyn_cast<llvm::Instruction>(value);
  const llvm::Loop *inside = at ? terms_.loopOf(at->getParent()) : nullptr;
  if (!inside || inside->contains(phi.getParent())) {
    made.kind = Kind::Move;
    made.operands = {part(value, bit, type)};
    const auto map =
        mapFrom(made, [](IndexingMapBuilder &, llvm::ArrayRef<Expr> tile,
                         llvm::SmallVectorImpl<Expr> &to) {
          to.append(tile.begin(), tile.end());
        });
    if (!map) return failed(made, "a value is not followed");
    made.maps = {{0, *map}};
    return made;
  }
  const auto count = countOf(inside);
  if (!count || inside->getParentLoop() != terms_.loopOf(phi.getParent()) ||
      !inside->getExitingBlock() ||
      inside->getExitingBlock() != inside->getLoopLatch())
    return failed(made, "in which turn a loop is left is not followed");
  const int64_t last = part(value, bit, type);
  KernelValue turned = made;
  turned.kind = Kind::Turned;
  turned.text = absl::StrCat("line ", made.line, ": ", kNoSum);
  KernelValue turns = made;
  turns.type = "s64";
  const auto number = index(turns, terms_.number(*count));
  if (!number) return failed(made, "a loop is not followed");
  turned.maps = number->maps;
  turned.operands = {add(unknown(made, "a loop that does not run")), last};
  if (bit == 0 &&
      bitsOfName(type) ==
          static_cast<int64_t>(at->getType()->getPrimitiveSizeInBits()))
    if (auto sum = summed(made, *at, inside, *count, add(turned)))
      return *std::move(sum);
  return turned;
}

std::optional<KernelValue> StoredValues::summed(const KernelValue &made,
                                                const llvm::Instruction &last,
                                                const llvm::Loop *loop,
                                                int64_t count,
                                                int64_t byTurns) {
  const auto op = valueOpOf(last, 0);
  if (!op || !isFreeOp(*op) || op->type != made.type ||
      !obstacleOf(last).empty() || flushes_ || last.getType()->isVectorTy())
    return std::nullopt;
  const llvm::BasicBlock *latch = loop->getLoopLatch();
  const llvm::BasicBlock *before = loop->getLoopPredecessor();
  if (!latch || !before) return std::nullopt;
  for (unsigned k : {0U, 1U}) {
    const auto *phi = dyn_cast<llvm::PHINode>(op->operands[k].value);
    const Value *other = op->operands[1 - k].value;
    if (!phi || phi->getParent() != loop->getHeader() ||
        phi->getNumIncomingValues() != 2 || !obstacleOf(*phi).empty() ||
        phi->getIncomingValueForBlock(latch) != &last ||
        dependsOn(other, phi, loop))
      continue;
    const auto *inner = dyn_cast<llvm::Instruction>(&last);
    if (terms_.loopOf(inner->getParent()) != loop) continue;
    KernelValue sum = made;
    sum.kind = Kind::Loop;
    sum.text = op->name;
    sum.axis = count;
    const int64_t added = part(other, 0, op->operands[1 - k].type);
    KernelValue body = made;
    body.loops.push_back({terms_.numberOf(loop), count, 1});
    const auto runs = mapFrom(
        body,
        [](IndexingMapBuilder &b, llvm::ArrayRef<Expr>,
           llvm::SmallVectorImpl<Expr> &to) { to.push_back(b.constant(0)); });
    if (!runs) return std::nullopt;
    sum.operands = {part(phi->getIncomingValueForBlock(before), 0, made.type),
                    added, byTurns};
    sum.maps = {{0, *runs}};
    return sum;
  }
  return std::nullopt;
}

}  // namespace indexical::compiled
