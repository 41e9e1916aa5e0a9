// The contents of shared memory where an op reads it.
//
//   %m = ttg.local_alloc : () -> …mutable
//   ttg.local_store %v, %m
//   %t = ttg.memdesc_trans %m            a view of the same memory
//   %x = ttg.local_load %t               the transpose of %v
//
// Memory holds what the last op in front of the reader stored into it: an op of
// the reader's block, or of one around it. Stores into other copies of a buffer
// (`memdesc_index` by other numbers) do not count. Where that is not told, as
// for memory that an earlier iteration of a loop fills, it is not known.
//
// A compiler puts a barrier between ops on one piece of shared memory, so that
// they have the order of the file. A copy from global memory ends at a wait for
// all copies.
#include <optional>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/triton/op_syntax.h"
#include "indexical/import/triton/quiet_ops.h"
#include "indexical/import/triton/stored_values.h"
#include "indexical/import/triton/value_ops.h"
#include "indexical/import/triton/value_types.h"
#include "indexical/indexing/map_builder.h"

namespace indexical::triton {

using kernels::KernelValue;
using kernels::TermKind;
using llvm::StringRef;
using mlir::Operation;
using mlir::Value;
using Kind = KernelValue::Kind;

namespace {

using Views = llvm::SmallVector<Operation *, 4>;

bool isOfMemory(Operation *op) {
  const StringRef space = op->getName().getStringRef().split('.').first;
  return space == "ttg" || space == "triton_gpu";
}

bool isView(Operation *op) {
  return op && isOfMemory(op) && plainName(op).starts_with("memdesc_");
}

/// Returns the views by which the value comes from the memory that is
/// allocated, the first one first. `root` becomes that memory.
Views viewsOf(Value value, Value &root) {
  Views views;
  while (isView(value.getDefiningOp())) {
    views.insert(views.begin(), value.getDefiningOp());
    value = value.getDefiningOp()->getOperand(0);
  }
  root = value;
  return views;
}

/// The ops that read memory and leave it as it is.
bool onlyReads(Operation *op, unsigned operand) {
  static constexpr StringRef kReaders[] = {
      "local_load",     "local_dealloc", "dot",
      "warp_group_dot", "tc_gen5_mma",   "async_tma_copy_local_to_global"};
  const StringRef name = plainName(op);
  const bool isProduct = name.ends_with("dot") || name == "tc_gen5_mma";
  return llvm::is_contained(kReaders, name) && (!isProduct || operand < 2);
}

/// An op that stores into memory, through which views.
struct Writer {
  Operation *op = nullptr;
  Views views;
};

/// Collects what writes into the memory. Returns false if an op may that is not
/// followed.
bool addWriters(Value memory, std::vector<Writer> &writers) {
  for (mlir::OpOperand &use : memory.getUses()) {
    Operation *user = use.getOwner();
    const unsigned operand = use.getOperandNumber();
    const StringRef name = plainName(user);
    if (onlyReads(user, operand)) continue;
    if (isView(user) && operand == 0 && name != "memdesc_reinterpret") {
      if (!addWriters(user->getResult(0), writers)) return false;
      continue;
    }
    const bool isWriter =
        isOfMemory(user) && operand == 1 &&
        (name == "local_store" || name == "async_copy_global_to_local");
    if (!isWriter) return false;
    Value root;
    writers.push_back({user, viewsOf(memory, root)});
  }
  return true;
}

enum class Meets : uint8_t { All, Nothing, Unknown };

bool isCopy(Operation *op) {
  return isOfMemory(op) && plainName(op) == "async_copy_global_to_local";
}

/// Whether the op runs before the other one each time that this one runs: it is
/// in front of it, or of what the other is in, in its block.
bool isInFront(Operation *first, Operation *then) {
  Operation *around = first->getBlock()->findAncestorOpInBlock(*then);
  return around && first->isBeforeInBlock(around);
}

/// Whether the memory may have been given back before the reader.
bool isGivenBack(Value memory, Operation *reader) {
  return llvm::any_of(memory.getUsers(), [&](Operation *user) {
    if (isView(user)) return isGivenBack(user->getResult(0), reader);
    return plainName(user) == "local_dealloc" && !isInFront(reader, user);
  });
}

/// Goes backwards over what runs before an op: a wait for all copies, then the
/// end of their group.
struct Waits {
  bool hasWaited = false, isCommitted = false;

  void see(Operation *op) {
    if (!isOfMemory(op)) return;
    const StringRef name = plainName(op);
    hasWaited |= name == "async_wait" && integerOf(op->getAttr("num")) == 0;
    isCommitted |= hasWaited && name == "async_commit_group";
  }
};

/// Whether a TMA store that reads memory has ended before the writer runs: a
/// wait for all of them stands between, also where a loop leads back to the
/// writer.
bool hasEnded(Operation *reader, Operation *writer) {
  auto isWait = [](Operation *op) {
    return plainName(op) == "async_tma_store_wait" &&
           integerOf(op->getAttr("pendings")) == 0;
  };
  mlir::Block *block = reader->getBlock();
  Operation *at = block->findAncestorOpInBlock(*writer);
  if (!at) return false;
  const bool isLater = reader->isBeforeInBlock(at);
  bool isOfLoop = false;
  for (Operation *around = reader->getParentOp(); around;
       around = around->getParentOp())
    isOfLoop |= llvm::isa<mlir::LoopLikeOpInterface>(around);
  if (!isLater && !isOfLoop) return true;
  for (Operation &op : *block) {
    if (!isWait(&op)) continue;
    const bool isBehind = reader->isBeforeInBlock(&op);
    if (isLater ? isBehind && op.isBeforeInBlock(at)
                : isBehind || op.isBeforeInBlock(at))
      return true;
  }
  return false;
}

}  // namespace

/// Returns the number that an operand of a view is.
std::optional<int64_t> StoredValues::numberOf(Value value) const {
  const auto known = trace_.known.find(value);
  if (known == trace_.known.end()) return std::nullopt;
  const kernels::TermNode &term = trace_.terms[known->second];
  if (term.kind != TermKind::Constant) return std::nullopt;
  return term.value;
}

std::optional<Operation *> StoredValues::filledBy(Value memory,
                                                  Operation *reader,
                                                  std::string &reason) {
  Value root;
  const Views own = viewsOf(memory, root);
  Operation *made = root.getDefiningOp();
  reason = "what fills shared memory is not followed";
  if (!made || !isOfMemory(made) || plainName(made) != "local_alloc" ||
      made->getBlock() == nullptr)
    return std::nullopt;
  // Where memory lies is said once it is allocated: two may be at one place.
  if (made->hasAttr("allocation.offset")) {
    reason = "memory that is allocated already may be shared";
    return std::nullopt;
  }
  std::vector<Writer> writers;
  if (!addWriters(root, writers)) return std::nullopt;
  if (isGivenBack(root, reader)) {
    reason = "shared memory may be read after it is given back";
    return std::nullopt;
  }
  // A part by a number that is not known may be outside of the memory, as one
  // by a wrong number is.
  auto isInside = [&](Operation *view) {
    if (plainName(view) != "memdesc_index" || view->getNumOperands() != 2)
      return true;
    const auto number = numberOf(view->getOperand(1));
    const auto sizes = shapeOf(memoryOf(view->getOperand(0).getType()));
    return number && !sizes.empty() && *number >= 0 && *number < sizes[0];
  };
  bool areInside = llvm::all_of(own, isInside);
  for (const Writer &writer : writers)
    areInside &= llvm::all_of(writer.views, isInside);
  if (!areInside) {
    reason = "which part of shared memory is filled is not followed";
    return std::nullopt;
  }
  const bool isFollowed =
      !function_
           ->walk([](Operation *op) {
             return changesSharedMemory(op->getName().getStringRef())
                        ? mlir::WalkResult::interrupt()
                        : mlir::WalkResult::advance();
           })
           .wasInterrupted();
  if (!isFollowed) return std::nullopt;
  // How much of what is read the writer fills.
  auto meets = [&](const Writer &writer) {
    for (size_t k = 0; k < writer.views.size(); ++k) {
      if (k == own.size()) return Meets::Unknown;  // a part of it
      Operation *a = writer.views[k], *b = own[k];
      if (a == b) continue;
      // Numbers in brackets of other views are not kept.
      const StringRef name = plainName(a);
      const bool isRead = name == "memdesc_trans" ||
                          name == "memdesc_reshape" ||
                          (name == "memdesc_index" && a->getNumOperands() == 2);
      if (!isRead) return Meets::Unknown;
      if (a->getName() != b->getName() ||
          a->getResult(0).getType() != b->getResult(0).getType() ||
          a->getNumOperands() != b->getNumOperands())
        return Meets::Unknown;
      bool isSame = a->getAttrDictionary() == b->getAttrDictionary();
      for (unsigned o = 1; o < a->getNumOperands(); ++o) {
        const auto x = numberOf(a->getOperand(o)),
                   y = numberOf(b->getOperand(o));
        if (x && y && *x != *y && name == "memdesc_index")
          return Meets::Nothing;
        isSame &= a->getOperand(o) == b->getOperand(o) || (x && x == y);
      }
      if (!isSame) return Meets::Unknown;
    }
    return Meets::All;
  };
  // A store on its way reads the memory until it has ended.
  if (plainName(reader) == "async_tma_copy_local_to_global")
    for (const Writer &writer : writers)
      if (meets(writer) != Meets::Nothing && !hasEnded(reader, writer.op)) {
        reason = "shared memory may change before a store of it has ended";
        return std::nullopt;
      }
  // A copy that is on its way when another op fills the memory may end later.
  auto isAlone = [&](Operation *filling) {
    Waits waits;
    for (Operation *at = filling; at != function_; at = at->getParentOp()) {
      for (Operation *before = at->getPrevNode(); before;
           before = before->getPrevNode()) {
        waits.see(before);
        if (waits.isCommitted || before == made) return true;
        for (const Writer &writer : writers)
          if (before->isAncestor(writer.op) && isCopy(writer.op) &&
              meets(writer) != Meets::Nothing)
            return false;
      }
      Operation *around = at->getParentOp();
      if (around == function_ || !around) break;
      for (const Writer &writer : writers)
        if (writer.op != filling && around->isAncestor(writer.op) &&
            isCopy(writer.op) && meets(writer) != Meets::Nothing)
          return false;
    }
    return true;
  };
  Waits waits;
  for (Operation *at = reader; at != function_; at = at->getParentOp()) {
    for (Operation *before = at->getPrevNode(); before;
         before = before->getPrevNode()) {
      if (before == made) {
        if (made->getNumOperands() == 1) return made;
        reason = "shared memory is read before it is filled";
        return std::nullopt;
      }
      waits.see(before);
      for (const Writer &writer : writers) {
        if (!before->isAncestor(writer.op)) continue;
        const Meets found = meets(writer);
        if (found == Meets::Nothing) continue;
        if (found == Meets::Unknown || writer.op != before) {
          reason = "which part of shared memory is filled is not followed";
          return std::nullopt;
        }
        if (isCopy(before) && !waits.isCommitted) {
          reason = "a copy into shared memory is not waited for";
          return std::nullopt;
        }
        if (!isAlone(before)) {
          reason = "another copy into shared memory may end later";
          return std::nullopt;
        }
        return before;
      }
    }
    Operation *around = at->getParentOp();
    if (around == function_ || !around) break;
    if (llvm::isa<mlir::scf::IfOp>(around)) continue;
    const bool isFilledHere = llvm::any_of(writers, [&](const Writer &writer) {
      return around->isAncestor(writer.op) && meets(writer) != Meets::Nothing;
    });
    if (!llvm::isa<mlir::scf::ForOp>(around) || isFilledHere) {
      reason = "shared memory is filled in another iteration of a loop";
      return std::nullopt;
    }
  }
  return std::nullopt;
}

int64_t StoredValues::heldBy(Value memory, Operation *reader) {
  KernelValue value = spaceOf(memory);
  value.line = lineOf_(reader);
  const auto tile = memoryOf(memory.getType());
  const auto loops = loopsAround(reader);
  auto fail = [&](StringRef why) {
    return add(
        unknown(value, absl::StrCat("line ", value.line, ": ", why.str())));
  };
  if (!tile || !loops) return fail("what fills shared memory is not followed");
  value.tile = shapeOf(tile);
  value.type = valueTypeOf(tile);
  std::string reason;
  const auto writer = filledBy(memory, reader, reason);
  if (!writer) return fail(reason);
  Operation &op = **writer;
  Value root,
      filled = op.getNumResults() == 1 && plainName(&op) == "local_alloc"
                   ? op.getResult(0)
                   : op.getOperand(1);
  const size_t from = viewsOf(filled, root).size();
  const Views views = viewsOf(memory, root);
  int64_t number = -1;
  if (plainName(&op) == "async_copy_global_to_local") {
    KernelValue copied = spaceOf(memory);
    copied.line = lineOf_(&op);
    copied.tile = shapeOf(memoryOf(filled.getType()));
    copied.type = value.type;
    const auto around = loopsAround(&op);
    if (!around || !accesses_.count(&op))
      return fail("a copy into shared memory is not followed");
    copied.loops = *around;
    number = add(loaded(std::move(copied), op));
  } else {
    number = of(op.getOperand(0));
  }
  for (Operation *view : llvm::ArrayRef<Operation *>(views).drop_front(from)) {
    KernelValue part = value;
    part.loops = values_[number].loops;
    part.tile = shapeOf(memoryOf(view->getResult(0).getType()));
    const auto map = mapOfView(part, *view);
    if (!map) return fail("a view of shared memory is not followed");
    part.kind = Kind::Move;
    part.operands = {number};
    part.maps = {{0, *map}};
    number = add(std::move(part));
  }
  return number;
}

std::optional<IndexingMap> StoredValues::mapOfView(const KernelValue &value,
                                                   Operation &view) {
  const StringRef name = plainName(&view);
  const auto from = shapeOf(memoryOf(view.getOperand(0).getType()));
  const size_t rank = from.size();
  using Exprs = llvm::SmallVectorImpl<Expr>;
  if (name == "memdesc_trans") {
    const auto order = view.getAttrOfType<mlir::DenseI32ArrayAttr>("order");
    if (value.tile.size() != rank) return std::nullopt;
    return placed(
        value, [&](IndexingMapBuilder &, llvm::ArrayRef<Expr> tile, Exprs &to) {
          to.assign(tile.begin(), tile.end());
          for (size_t k = 0; k < rank; ++k)
            to[order ? order.asArrayRef()[k] : rank - 1 - k] = tile[k];
        });
  }
  if (name == "memdesc_reshape")
    return placed(value, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> tile,
                             Exprs &to) {
      Expr at = b.constant(0);
      for (size_t k = 0; k < tile.size(); ++k)
        at = at * value.tile[k] + tile[k];
      to.append(rank, b.constant(0));
      int64_t below = 1;
      for (size_t k = rank; k-- > 0; below *= from[k])
        to[k] = mod(floorDiv(at, below), from[k]);
    });
  if (name == "memdesc_index" && view.getNumOperands() == 2 &&
      value.tile.size() + 1 == rank) {
    const auto number = numberOf(view.getOperand(1));
    if (!number || *number < 0 || *number >= from[0]) return std::nullopt;
    return placed(value, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> tile,
                             Exprs &to) {
      to.push_back(b.constant(*number));
      to.append(tile.begin(), tile.end());
    });
  }
  return std::nullopt;
}

}  // namespace indexical::triton
