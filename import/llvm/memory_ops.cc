#include "indexical/import/llvm/memory_ops.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/llvm/buffer_ops.h"
#include "indexical/import/llvm/endings.h"

namespace indexical::compiled {
namespace {

using kernels::AccessKind;
using llvm::dyn_cast;
using llvm::StringRef;

std::string textOf(const llvm::Type *type) {
  std::string text;
  llvm::raw_string_ostream(text) << *type;
  return text;
}

bool isBarrier(StringRef name) {
  return name.starts_with("llvm.nvvm.barrier") ||
         name.starts_with("llvm.nvvm.bar.sync") ||
         name.starts_with("llvm.amdgcn.s.barrier");
}

/// Intrinsics that touch no memory of the program, or none that counts: fences,
/// hints, exchanges among lanes.
bool isQuiet(StringRef name) {
  for (StringRef known : {"llvm.nvvm.shfl",
                          "llvm.nvvm.vote",
                          "llvm.nvvm.match",
                          "llvm.nvvm.bar.warp",
                          "llvm.nvvm.membar",
                          "llvm.nvvm.fence",
                          "llvm.nvvm.cp.async.commit",
                          "llvm.nvvm.cp.async.wait",
                          "llvm.nvvm.redux",
                          "llvm.nvvm.activemask",
                          "llvm.nvvm.elect",
                          "llvm.nvvm.nanosleep",
                          "llvm.nvvm.read.ptx",
                          "llvm.nvvm.mma",
                          "llvm.nvvm.wgmma",
                          "llvm.nvvm.setmaxnreg",
                          "llvm.nvvm.griddepcontrol",
                          "llvm.amdgcn.ds.bpermute",
                          "llvm.amdgcn.ds.permute",
                          "llvm.amdgcn.ds.swizzle",
                          "llvm.amdgcn.s.waitcnt",
                          "llvm.amdgcn.sched",
                          "llvm.amdgcn.readfirstlane",
                          "llvm.amdgcn.wave.barrier",
                          "llvm.amdgcn.fence",
                          "llvm.amdgcn.iglp",
                          "llvm.amdgcn.s.sleep",
                          "llvm.amdgcn.update.dpp",
                          "llvm.amdgcn.mov.dpp",
                          "llvm.amdgcn.s.setprio",
                          "llvm.assume",
                          "llvm.lifetime",
                          "llvm.dbg",
                          "llvm.experimental.noalias",
                          "llvm.sideeffect",
                          "llvm.prefetch",
                          "llvm.invariant",
                          "llvm.trap",
                          "llvm.ubsantrap",
                          "llvm.debugtrap",
                          "llvm.nvvm.exit",
                          "llvm.amdgcn.endpgm",
                          "llvm.donothing",
                          "llvm.fake.use",
                          "llvm.annotation",
                          "llvm.var.annotation"})
    if (name.starts_with(known)) return true;
  return false;
}

/// Whether an intrinsic reads or writes memory although LLVM says that it does
/// not, as what it touches never changes, or is no memory of a pointer.
bool touchesUnseen(StringRef name) {
  for (StringRef known :
       {"llvm.amdgcn.s.buffer.load", "llvm.amdgcn.image.", "llvm.nvvm.tex.",
        "llvm.nvvm.tld4.", "llvm.nvvm.suld.", "llvm.nvvm.sust."})
    if (name.starts_with(known)) return true;
  return false;
}

class Collector {
 public:
  Collector(llvm::Function &function, const llvm::LoopInfo &loops)
      : function_(function),
        loops_(loops),
        layout_(function.getParent()->getDataLayout()) {}

  MemoryOps collect() {
    visit(nullptr, &function_.getEntryBlock());
    return std::move(found_);
  }

 private:
  /// Visits the blocks of a loop, or of the function, each behind those that
  /// lead to it; those of a loop inside come one after another.
  void visit(const llvm::Loop *loop, llvm::BasicBlock *begin) {
    // A loop inside is one step, by its header.
    auto stepOf = [&](llvm::BasicBlock *block) {
      llvm::Loop *inner = loops_.getLoopFor(block);
      while (inner && inner->getParentLoop() != loop)
        inner = inner->getParentLoop();
      return inner ? inner->getHeader() : block;
    };
    llvm::SmallVector<llvm::BasicBlock *, 16> order;
    llvm::SmallPtrSet<llvm::BasicBlock *, 16> seen;
    struct Open {
      llvm::BasicBlock *step;
      llvm::SmallVector<llvm::BasicBlock *, 4> next;
    };
    std::vector<Open> open;
    auto enter = [&](llvm::BasicBlock *step) {
      if ((loop && !loop->contains(step)) || !seen.insert(step).second) return;
      Open at{step, {}};
      llvm::Loop *inner = loops_.getLoopFor(step);
      if (inner != loop) {
        llvm::SmallVector<llvm::BasicBlock *, 4> exits;
        while (inner->getParentLoop() != loop) inner = inner->getParentLoop();
        inner->getUniqueExitBlocks(exits);
        for (llvm::BasicBlock *exit : exits) at.next.push_back(stepOf(exit));
      } else {
        for (llvm::BasicBlock *next : llvm::successors(step))
          if (!loop || next != loop->getHeader())
            if (!loop || loop->contains(next)) at.next.push_back(stepOf(next));
      }
      open.push_back(std::move(at));
    };
    enter(stepOf(begin));
    while (!open.empty()) {
      if (open.back().next.empty()) {
        order.push_back(open.back().step);
        open.pop_back();
      } else {
        enter(open.back().next.pop_back_val());
      }
    }
    for (llvm::BasicBlock *step : llvm::reverse(order)) {
      llvm::Loop *inner = loops_.getLoopFor(step);
      if (inner == loop) {
        for (llvm::Instruction &each : *step) add(each);
        continue;
      }
      while (inner->getParentLoop() != loop) inner = inner->getParentLoop();
      visit(inner, inner->getHeader());
    }
  }

  MemoryOp opOf(const llvm::Instruction &at, AccessKind kind, StringRef name,
                const llvm::Type *type, const llvm::Value *address,
                llvm::Align align) {
    MemoryOp op;
    op.at = &at;
    op.kind = kind;
    op.name = name.str();
    op.bytes = static_cast<int64_t>(
        layout_.getTypeStoreSize(const_cast<llvm::Type *>(type))
            .getFixedValue());
    const llvm::Type *element = type->getScalarType();
    op.elementBytes = static_cast<int64_t>(
        layout_.getTypeStoreSize(const_cast<llvm::Type *>(element))
            .getFixedValue());
    // Vectors of truth values are packed.
    if (op.elementBytes <= 0 || op.bytes % op.elementBytes != 0)
      op.elementBytes = op.bytes;
    op.type = textOf(element);
    op.align = static_cast<int64_t>(align.value());
    if (op.align < op.elementBytes) {
      // Several instructions take it.
      op.elementBytes = op.align;
      op.type = absl::StrCat("i", op.align * 8);
    }
    op.address = address;
    return op;
  }

  /// Adds the op. One whose bytes are no power of two becomes several, the
  /// longest first; what they load or store together is not followed.
  void addWhole(MemoryOp op) {
    if (llvm::isPowerOf2_64(op.bytes)) {
      found_.ops.push_back(std::move(op));
      return;
    }
    op.stored = nullptr;
    const int64_t align = op.align;
    for (int64_t rest = op.bytes, at = 0; rest > 0; rest -= op.bytes) {
      op.bytes = static_cast<int64_t>(llvm::bit_floor<uint64_t>(rest));
      op.elementBytes = llvm::isPowerOf2_64(op.elementBytes)
                            ? std::min(op.elementBytes, op.bytes)
                            : op.bytes;
      op.offset = at;
      op.align = at == 0 ? align : std::min<int64_t>(align, at & -at);
      found_.ops.push_back(op);
      at += op.bytes;
    }
  }

  void addBytes(const llvm::Instruction &at, AccessKind kind, StringRef name,
                int64_t bytes, const llvm::Value *address) {
    MemoryOp op;
    op.at = &at;
    op.kind = kind;
    op.name = name.str();
    op.bytes = op.elementBytes = bytes;
    op.type = absl::StrCat("i", bytes * 8);
    op.address = address;
    found_.ops.push_back(std::move(op));
  }

  void refuse(const llvm::Instruction &at, std::string name) {
    found_.unknown.push_back({&at, std::move(name)});
  }

  /// Whether a buffer's bound decides what an instruction accesses.
  bool isOfBuffer(const llvm::Instruction &each) const {
    auto isBuffer = [&](const llvm::Value *address) {
      return isBufferPointer(*function_.getParent(), address);
    };
    if (const auto *load = dyn_cast<llvm::LoadInst>(&each))
      return isBuffer(load->getPointerOperand());
    if (const auto *store = dyn_cast<llvm::StoreInst>(&each))
      return isBuffer(store->getPointerOperand());
    if (const auto *atomic = dyn_cast<llvm::AtomicRMWInst>(&each))
      return isBuffer(atomic->getPointerOperand());
    if (const auto *swap = dyn_cast<llvm::AtomicCmpXchgInst>(&each))
      return isBuffer(swap->getPointerOperand());
    if (const auto *copy = dyn_cast<llvm::MemTransferInst>(&each))
      return isBuffer(copy->getRawSource()) || isBuffer(copy->getRawDest());
    if (const auto *set = dyn_cast<llvm::MemSetInst>(&each))
      return isBuffer(set->getRawDest());
    return false;
  }

  void add(const llvm::Instruction &each) {
    if (isOfBuffer(each))
      return refuse(each, absl::StrCat(each.getOpcodeName(), " of a buffer"));
    if (const auto *load = dyn_cast<llvm::LoadInst>(&each)) {
      if (isOpaque(load->getType())) return refuse(each, "load");
      addWhole(opOf(each, AccessKind::Load,
                    load->isAtomic() ? "load atomic" : "load", load->getType(),
                    load->getPointerOperand(), load->getAlign()));
    } else if (const auto *store = dyn_cast<llvm::StoreInst>(&each)) {
      const llvm::Value *value = store->getValueOperand();
      if (isOpaque(value->getType())) return refuse(each, "store");
      MemoryOp op = opOf(
          each, AccessKind::Store, store->isAtomic() ? "store atomic" : "store",
          value->getType(), store->getPointerOperand(), store->getAlign());
      op.stored = value;
      addWhole(std::move(op));
    } else if (const auto *atomic = dyn_cast<llvm::AtomicRMWInst>(&each)) {
      found_.ops.push_back(opOf(each, AccessKind::Atomic, "atomicrmw",
                                atomic->getType(), atomic->getPointerOperand(),
                                atomic->getAlign()));
    } else if (const auto *swap = dyn_cast<llvm::AtomicCmpXchgInst>(&each)) {
      found_.ops.push_back(opOf(each, AccessKind::Atomic, "cmpxchg",
                                swap->getNewValOperand()->getType(),
                                swap->getPointerOperand(), swap->getAlign()));
    } else if (const auto *call = dyn_cast<llvm::CallBase>(&each)) {
      addCall(*call);
    } else if (each.mayReadOrWriteMemory() &&
               !llvm::isa<llvm::FenceInst>(each)) {
      refuse(each, each.getOpcodeName());
    }
  }

  bool isOpaque(llvm::Type *type) const {
    return !type->isSized() || layout_.getTypeStoreSize(type).isScalable() ||
           type->isAggregateType();
  }

  void addCall(const llvm::CallBase &call) {
    const auto *plain = dyn_cast<llvm::CallInst>(&call);
    if (const auto *code = dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
      if (plain)
        addAssembly(*plain, *code, found_);
      else
        refuse(call, "assembly");
      return;
    }
    const llvm::Function *callee = call.getCalledFunction();
    if (!callee) return refuse(call, "a call of what is not known");
    const StringRef name = callee->getName();
    if (!callee->isIntrinsic()) {
      if (name == "__syncthreads") return addBarrier(call);
      if (callee->isDeclaration() && isFailedAssertion(name)) return;
      if (call.mayReadOrWriteMemory() || !callee->isDeclaration())
        refuse(call, absl::StrCat("call of ", name.str()));
      return;
    }
    if (isBarrier(name)) return addBarrier(call);
    if (const auto *copy = dyn_cast<llvm::MemTransferInst>(&call)) {
      const auto *length = dyn_cast<llvm::ConstantInt>(copy->getLength());
      if (!length || length->getValue().getActiveBits() > 31)
        return refuse(call, name.str());
      const int64_t bytes = length->getSExtValue();
      if (bytes == 0) return;
      addBytesEach(call, AccessKind::Load, name, bytes, copy->getRawSource(),
                   copy->getSourceAlign());
      addBytesEach(call, AccessKind::Store, name, bytes, copy->getRawDest(),
                   copy->getDestAlign());
      return;
    }
    if (const auto *set = dyn_cast<llvm::MemSetInst>(&call)) {
      const auto *length = dyn_cast<llvm::ConstantInt>(set->getLength());
      if (!length || length->getValue().getActiveBits() > 31)
        return refuse(call, name.str());
      if (!length->isZero())
        addBytesEach(call, AccessKind::Store, name, length->getSExtValue(),
                     set->getRawDest(), set->getDestAlign());
      return;
    }
    if (name.starts_with("llvm.nvvm.cp.async.ca.") ||
        name.starts_with("llvm.nvvm.cp.async.cg.")) {
      const int64_t bytes = name.contains(".16")  ? 16
                            : name.contains(".8") ? 8
                                                  : 4;
      addBytes(call, AccessKind::Store, name, bytes, call.getArgOperand(0));
      found_.ops.back().isShared = true;
      addBytes(call, AccessKind::Load, name, bytes, call.getArgOperand(1));
      if (call.arg_size() > 2)
        setSize(found_.ops.back(), call.getArgOperand(2), layout_);
      return;
    }
    if (name.starts_with("llvm.nvvm.ldmatrix") ||
        name.starts_with("llvm.nvvm.stmatrix")) {
      const bool isLoad = name.starts_with("llvm.nvvm.ldmatrix");
      addBytes(call, isLoad ? AccessKind::Load : AccessKind::Store, name, 16,
               call.getArgOperand(0));
      found_.ops.back().isShared = true;
      found_.ops.back().lanes = name.contains(".x1")   ? 8
                                : name.contains(".x2") ? 16
                                                       : 0;
      return;
    }
    if (touchesUnseen(name)) return refuse(call, name.str());
    if (name.starts_with("llvm.masked.") || !call.mayReadOrWriteMemory() ||
        isQuiet(name)) {
      if (name.starts_with("llvm.masked.")) refuse(call, name.str());
      return;
    }
    refuse(call, name.str());
  }

  void addBarrier(const llvm::Instruction &at) {
    found_.barriers.push_back(&at);
    found_.before.push_back(found_.ops.size());
  }

  /// A copy of so many bytes, each of them an element.
  void addBytesEach(const llvm::Instruction &at, AccessKind kind,
                    StringRef name, int64_t bytes, const llvm::Value *address,
                    llvm::MaybeAlign align) {
    MemoryOp op;
    op.at = &at;
    op.kind = kind;
    op.name = name.str();
    op.bytes = bytes;
    op.elementBytes = 1;
    op.type = "i8";
    op.align = static_cast<int64_t>(align.valueOrOne().value());
    op.address = address;
    addWhole(std::move(op));
  }

  llvm::Function &function_;
  const llvm::LoopInfo &loops_;
  const llvm::DataLayout &layout_;
  MemoryOps found_;
};

}  // namespace

bool isWholeBarrier(const llvm::Instruction &barrier) {
  const auto *call = dyn_cast<llvm::CallBase>(&barrier);
  if (!call) return false;
  if (const auto *code = dyn_cast<llvm::InlineAsm>(call->getCalledOperand())) {
    const StringRef text = code->getAsmString();
    const StringRef only = text.trim(" \t\n;");
    return only == "bar.sync 0" || only == "barrier.sync 0";
  }
  const llvm::Function *callee = call->getCalledFunction();
  if (!callee) return false;
  const StringRef name = callee->getName();
  // Threads that name different barriers do not wait for each other.
  if (name.starts_with("llvm.nvvm.bar") &&
      !name.starts_with("llvm.nvvm.barrier0") && call->arg_size() > 0 &&
      !llvm::isa<llvm::ConstantInt>(call->getArgOperand(0)))
    return false;
  // Others wait for some threads, or do not wait.
  return name == "__syncthreads" || name.starts_with("llvm.nvvm.barrier0") ||
         (name.starts_with("llvm.nvvm.barrier.cta.") && name.ends_with("all") &&
          (name.contains(".sync.") || name.contains(".red."))) ||
         name.starts_with("llvm.nvvm.bar.sync") ||
         name == "llvm.amdgcn.s.barrier";
}

void setSize(MemoryOp &copy, const llvm::Value *size,
             const llvm::DataLayout &layout) {
  copy.size = size;
  // Elements of so many bytes that every possible size is a multiple of them.
  const unsigned zeros =
      llvm::computeKnownBits(size, layout).countMinTrailingZeros();
  copy.elementBytes = std::min(copy.bytes, int64_t{1} << std::min(zeros, 4U));
  copy.type = absl::StrCat("i", copy.elementBytes * 8);
}

MemoryOps memoryOpsOf(llvm::Function &function, const llvm::LoopInfo &loops) {
  return Collector(function, loops).collect();
}

}  // namespace indexical::compiled
