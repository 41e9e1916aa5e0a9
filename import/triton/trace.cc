#include "indexical/import/triton/trace.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/triton/dialect.h"
#include "indexical/import/triton/op_rules.h"
#include "indexical/import/triton/op_syntax.h"
#include "indexical/import/triton/quiet_ops.h"
#include "indexical/import/triton/tracer.h"
#include "indexical/import/triton/value_types.h"

namespace indexical::triton {

using kernels::TermKind;
using llvm::StringRef;
using mlir::Operation;
using mlir::Value;

namespace {

/// Whether all threads of a program wait here for each other, and see what the
/// others have stored.
bool isFullBarrier(Operation &op) {
  const StringRef name = op.getName().getStringRef();
  const auto word = op.getAttrOfType<mlir::StringAttr>(kWordAttribute);
  if (name == "gpu.barrier") return op.getAttrDictionary().empty();
  if (name == "nvvm.barrier0") return true;
  return name == "ttg.barrier" && word && word.getValue() == "all";
}

/// Ops of Triton that access no memory of a kernel, and whose results are not
/// followed.
constexpr StringRef kOpaqueOps[] = {
    "return",       "reduce",          "reduce.return",
    "scan",         "scan.return",     "dot",
    "dot_scaled",   "map_elementwise", "map_elementwise.return",
    "fp_to_fp",     "clampf",          "mulhiui",
    "precise_sqrt", "precise_divf",    "cat",
    "split",        "histogram",       "gather",
    "print",        "assert",          "ptr_to_int",
    "int_to_ptr"};

/// Ops that run code of another language, which may read and write memory
/// unless the op says that it is pure.
constexpr StringRef kForeignOps[] = {"extern_elementwise",
                                     "elementwise_inline_asm"};

/// Returns whether the op runs foreign code that may read and write memory.
bool mayTouchMemory(Operation &op) {
  const auto [space, name] = op.getName().getStringRef().split('.');
  if (space != "tt" || !llvm::is_contained(kForeignOps, name)) return false;
  const auto isPure = op.getAttrOfType<mlir::BoolAttr>("pure");
  return !isPure || !isPure.getValue();
}

}  // namespace

Trace Tracer::run() {
  mlir::Region &region = function_->getRegion(0);
  mlir::Block &body = region.front();
  for (auto [number, argument] : llvm::enumerate(body.getArguments()))
    values_[argument] = argumentMeaning(argument, number);
  if (region.hasOneBlock())
    trace(body);
  else
    traceBlocks(region);
  for (const auto &[value, meaning] : values_)
    if (const TermId *id = std::get_if<TermId>(&meaning))
      trace_.known[value] = *id;
  return std::move(trace_);
}

bool Tracer::takesStep(Operation &op) {
  constexpr int64_t kBetweenPolls = 64;
  if (isOver_) return false;
  const int64_t accesses = trace_.accesses.size() + trace_.shared.size();
  std::string reason;
  if (trace_.steps >= limits_.steps)
    reason = absl::StrCat("the kernel has more than ", limits_.steps,
                          " ops, counted again in each call and loop");
  else if (accesses >= limits_.accesses)
    reason = absl::StrCat("the kernel has more than ", limits_.accesses,
                          " accesses, counted again in each call");
  const bool isPolled = trace_.steps % kBetweenPolls == 0;
  isOver_ = !reason.empty() ||
            (isPolled && limits_.stop && limits_.stop->isReached());
  ++trace_.steps;
  if (!isOver_) return true;
  // Also of a dry trace, which notes nothing else.
  isDry_ = false;
  note(&op, std::move(reason));
  return false;
}

void Tracer::trace(mlir::Block &block) {
  for (Operation &op : block) {
    if (!takesStep(op)) return;
    traceOp(op);
  }
}

void Tracer::traceAnyway(mlir::Block &block, std::string obstacle) {
  const std::string outer = std::exchange(obstacle_, std::move(obstacle));
  for (Value argument : block.getArguments())
    values_[argument] = unknown(argument);
  trace(block);
  obstacle_ = outer;
}

void Tracer::traceOp(Operation &op) {
  const StringRef name = op.getName().getStringRef();
  // A call before this one may have left other meanings.
  for (Value result : op.getResults()) values_.erase(result);
  if (op.hasAttr(kUnknownAttribute)) {
    const auto passed =
        op.getAttrOfType<mlir::StringAttr>(kPassedOverAttribute);
    const StringRef written = passed ? passed.getValue() : name;
    // What such an op does is known, however it is written.
    if (isQuietOp(written) && !changesSharedMemory(written) &&
        !changesTensorMemory(written))
      return setUnknown(&op);
    return passOver(op, written, "is not known");
  }
  if (name.starts_with("arith.")) return traceArith(op);
  if (isFullBarrier(op)) {
    if (op.getParentOp() == function_) ++barriers_;
    if (!isDry_)
      trace_.barriers.push_back({loops_,
                                 conditions_.empty() && obstacle_.empty(),
                                 trace_.accesses.size()});
  }
  if (name.starts_with("math.") || isQuietOp(name)) return setUnknown(&op);
  if (auto loop = llvm::dyn_cast<mlir::scf::ForOp>(op)) return traceFor(loop);
  if (auto choice = llvm::dyn_cast<mlir::scf::IfOp>(op)) return traceIf(choice);
  if (auto loop = llvm::dyn_cast<mlir::scf::WhileOp>(op))
    return traceWhile(loop);
  if (name == "scf.yield" || name == "scf.condition") return;
  if (name.ends_with(".warp_specialize") || name == "nvws.warp_group")
    return traceApart(op);
  if (name.ends_with(".warp_yield") || name == "ttg.mask.return") return;
  if (name == "ttg.mask") return traceMask(op);
  if (name.ends_with(".apply_indexing")) return traceIndexing(op);
  const auto [space, plain] = name.split('.');
  if (space == "tt" || space == "ttg" || space == "ttng" ||
      space == "triton_gpu")
    if (const auto wrong = brokenRule(op, plain)) {
      note(&op, ("the op `" + name + "` " + *wrong).str());
      return setUnknown(&op);
    }
  if (space != "ttg" && space != "triton_gpu" && changesLayout(name)) {
    if (op.getNumOperands() != 1 || op.getNumResults() != 1 ||
        !llvm::isa<mlir::RankedTensorType>(op.getResult(0).getType()) ||
        shapeOf(op.getOperand(0).getType()) !=
            shapeOf(op.getResult(0).getType()))
      return passOver(op, name, "is not understood");
    values_[op.getResult(0)] = of(op.getOperand(0));
    return;
  }
  if ((space == "triton_xla" || space == "xtile") &&
      (plain == "extract" || plain == "insert"))
    return traceTile(op);
  const bool isAmd = space == "amdg" || space == "amdgpu";
  const bool isNvidia = space == "ttng" || space == "triton_nvidia_gpu";
  if ((space == "tt" || space == "nvws" || isAmd || isNvidia) &&
      traceDescriptorOp(op, plain))
    return;
  if (space == "tt") return traceTriton(op, plain);
  if (space == "ttg" || space == "triton_gpu") return traceGpu(op, plain);
  if (isNvidia && traceTensorMap(op, plain)) return;
  if (isAmd && traceAmd(op, plain)) return;
  passOver(op, name, "is not understood");
}

void Tracer::traceTriton(Operation &op, StringRef name) {
  if (traceTensor(op, name) || traceMemory(op, name)) return;
  if (name == "call") return traceCall(op);
  if (!llvm::is_contained(kOpaqueOps, name) &&
      !llvm::is_contained(kForeignOps, name))
    passOver(op, op.getName().getStringRef(), "is not understood");
  op.walk([&](Operation *inner) {
    if (mayTouchMemory(*inner))
      note(inner,
           ("the op `" + inner->getName().getStringRef() + "` is not pure")
               .str());
  });
  setUnknown(&op);
}

Trace traceFunction(Operation *function, const KnownSizes &sizes,
                    const TraceLimits &limits) {
  return Tracer(function, sizes, limits).run();
}

}  // namespace indexical::triton
