// The contents of tensor memory where it is loaded.
//
//   %d, %t = ttng.tmem_alloc : () -> (memory, token)
//   scf.for … { ttng.tc_gen5_mma %a, %b, %d[…], %use, %true }
//   %x = ttng.tmem_load %d[…]            the sum of all products
//
// Memory holds what was stored last, in the order of the file: tokens are in
// that order, too. A product adds to what is there if `%use` holds, else it
// takes its place: so does the first one of a loop that carries `%use` from
// false to true. Views of tensor memory, products that end at a barrier, and
// memory that a loop carries are not followed.
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "indexical/import/triton/quiet_ops.h"
#include "indexical/import/triton/stored_values.h"
#include "indexical/import/triton/value_ops.h"
#include "indexical/import/triton/value_types.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"

namespace indexical::triton {

using kernels::KernelValue;
using kernels::TermKind;
using llvm::StringRef;
using mlir::Operation;
using mlir::Value;
using Kind = KernelValue::Kind;

namespace {

/// The operand of an op that says whether it happens, or adds: the last ones,
/// behind a token if there is one.
Value fromBehind(Operation *op, unsigned number) {
  return op->getOperand(op->getNumOperands() - number);
}

/// Returns the ops that write into the memory, in no order. Returns nothing if
/// it is used in a way that is not followed.
std::optional<std::vector<Operation *>> writersOf(Value memory,
                                                  Operation *function) {
  const bool isFollowed =
      !function
           ->walk([](Operation *op) {
             return changesTensorMemory(op->getName().getStringRef()) &&
                            op->getNumOperands() == 0 &&
                            plainName(op) != "tmem_alloc"
                        ? mlir::WalkResult::interrupt()
                        : mlir::WalkResult::advance();
           })
           .wasInterrupted();
  if (!isFollowed) return std::nullopt;
  std::vector<Operation *> writers;
  for (mlir::OpOperand &use : memory.getUses()) {
    Operation *user = use.getOwner();
    const StringRef name = plainName(user);
    const unsigned at = use.getOperandNumber();
    if (name == "tmem_load" && at == 0) continue;
    const bool isStore = name == "tmem_store" && at == 1;
    // Two operands and the sum, a token, and two truth values. One that is not
    // waited for here may end later.
    const bool isProduct =
        name == "tc_gen5_mma" && at == 2 && user->getNumOperands() <= 6 &&
        !user->hasAttr("is_async") && !user->hasAttr("two_ctas");
    if (!isStore && !isProduct) return std::nullopt;
    writers.push_back(user);
  }
  return writers;
}

}  // namespace

/// Returns whether a truth value is that number wherever it is.
bool StoredValues::isAlways(Value truth, int64_t number) const {
  return numberOf(truth) == number;
}

/// Returns whether the product takes the place of what the memory holds in the
/// first iteration of the loop, and adds in all others.
bool StoredValues::addsFromSecond(mlir::scf::ForOp loop, Value use) const {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(use);
  if (!argument || argument.getOwner() != loop.getBody() ||
      argument.getArgNumber() == 0)
    return false;
  const unsigned k = argument.getArgNumber() - 1;
  return isAlways(loop.getInitArgs()[k], 0) &&
         isAlways(loop.getBody()->getTerminator()->getOperand(k), 1);
}

int64_t StoredValues::tensorHeldBy(Value memory, Operation *reader) {
  KernelValue value = spaceOf(memory);
  value.line = lineOf_(reader);
  const auto tile = memoryOf(memory.getType());
  const auto loops = loopsAround(reader);
  auto fail = [&](StringRef why) {
    return add(
        unknown(value, absl::StrCat("line ", value.line, ": ", why.str())));
  };
  Operation *made = memory.getDefiningOp();
  if (!hasStack(kStackOfQuestion)) return fail("values are nested too deep");
  // Where memory lies is said once it is allocated: two may be at one place.
  if (!tile || !loops || !made || plainName(made) != "tmem_alloc" ||
      made->hasAttr("tensor_memory_col_offset"))
    return fail("what tensor memory holds is not followed");
  value.tile = shapeOf(tile);
  value.type = valueTypeOf(tile);
  value.loops = *loops;
  const auto writers = writersOf(memory, function_);
  if (!writers) return fail("what tensor memory holds is not followed");
  auto product = [&](Operation &op, std::optional<int64_t> sum) {
    KernelValue dot = value;
    dot.kind = Kind::Dot;
    dot.line = lineOf_(&op);
    if (const auto own = loopsAround(&op)) dot.loops = *own;
    dot.operands = {operandOf(op, 0), operandOf(op, 1)};
    if (sum) dot.operands.push_back(*sum);
    return add(std::move(dot));
  };
  for (Operation *at = reader; at != function_; at = at->getParentOp()) {
    for (Operation *before = at->getPrevNode(); before;
         before = before->getPrevNode()) {
      if (before == made) {
        if (made->getNumOperands() == 1) return of(made->getOperand(0));
        return fail("tensor memory is read before it is filled");
      }
      std::vector<Operation *> inside;
      for (Operation *writer : *writers)
        if (before->isAncestor(writer)) inside.push_back(writer);
      if (inside.empty()) continue;
      Operation *writer = inside.front();
      if (inside.size() > 1 || !isAlways(fromBehind(writer, 1), 1))
        return fail("what tensor memory holds is not followed");
      if (plainName(writer) == "tmem_store" && writer == before)
        return of(writer->getOperand(0));
      if (plainName(writer) != "tc_gen5_mma")
        return fail("what tensor memory holds is not followed");
      const Value use = fromBehind(writer, 2);
      if (writer == before) {
        if (isAlways(use, 0)) return product(*writer, std::nullopt);
        if (!isAlways(use, 1))
          return fail("whether a product adds is not followed");
        return product(*writer, tensorHeldBy(memory, writer));
      }
      auto loop = llvm::dyn_cast<mlir::scf::ForOp>(before);
      const auto count = loop ? countOf(loop) : std::nullopt;
      if (!count || writer->getBlock() != loop.getBody())
        return fail("what tensor memory holds is not followed");
      const kernels::TermNode &trips = trace_.terms[trace_.loops[loop].trips];
      const bool isRun = trips.kind == TermKind::Constant && trips.value > 0;
      const bool takesPlace = addsFromSecond(loop, use);
      if (!takesPlace && !isAlways(use, 1))
        return fail("whether a product adds is not followed");
      KernelValue body = value;
      body.loops.push_back(*count);
      auto maps = runs(body, loop);
      if (!maps) return fail("how often a loop runs is not known");
      KernelValue sum = value;
      sum.kind = Kind::Loop;
      sum.text = "dot";
      int64_t start = -1;
      if (!takesPlace) {
        start = tensorHeldBy(memory, loop);
      } else {
        KernelValue zero = value;
        zero.kind = Kind::Literal;
        zero.text.assign(std::max<int64_t>(1, bitsOf(tile) / 8), 0);
        // A loop that may not run leaves what the memory holds.
        start = add(std::move(zero));
        const int64_t held = isRun ? start : tensorHeldBy(memory, loop);
        if (values_[held].kind != Kind::Literal ||
            values_[held].text != values_[start].text)
          return fail("a loop of products may not run");
      }
      sum.operands = {start, product(*writer, std::nullopt)};
      sum.maps = *std::move(maps);
      sum.axis = count->count;
      return add(std::move(sum));
    }
    Operation *around = at->getParentOp();
    if (!around || around == function_) break;
    const bool isFilledHere = llvm::any_of(*writers, [&](Operation *writer) {
      return around->isAncestor(writer);
    });
    if (!llvm::isa<mlir::scf::ForOp>(around) || isFilledHere)
      return fail("tensor memory is filled in another iteration of a loop");
  }
  return fail("what tensor memory holds is not followed");
}

}  // namespace indexical::triton
