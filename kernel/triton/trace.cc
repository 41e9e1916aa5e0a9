#include "indexical/kernel/triton/trace.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/kernel/triton/dialect.h"
#include "indexical/kernel/triton/op_rules.h"
#include "indexical/kernel/triton/op_syntax.h"
#include "indexical/kernel/triton/tracer.h"
#include "indexical/kernel/triton/value_types.h"

namespace indexical::triton {

using kernels::TermKind;
using llvm::StringRef;
using mlir::Operation;
using mlir::Value;

namespace {

/// Ops that move nothing between global memory and a program, and whose results
/// nothing here needs: they order, wait and promise.
constexpr StringRef kQuietOps[] = {"cf.br",
                                   "cf.cond_br",
                                   "gpu.barrier",
                                   "llvm.intr.assume",
                                   "ttg.barrier",
                                   "ttng.arrive_barrier",
                                   "ttng.async_tma_store_wait",
                                   "ttng.barrier_expect",
                                   "ttng.cluster_arrive",
                                   "ttng.cluster_wait",
                                   "ttng.fence",
                                   "ttng.fence_async_shared",
                                   "ttng.init_barrier",
                                   "ttng.inval_barrier",
                                   "ttng.tensormap_fenceproxy_acquire",
                                   "ttng.wait_barrier",
                                   "ttng.warp_group_dot",
                                   "ttng.warp_group_dot_wait",
                                   "triton_nvidia_gpu.fence_async_shared",
                                   "triton_nvidia_gpu.warp_group_dot",
                                   "triton_nvidia_gpu.warp_group_dot_wait",
                                   "ub.poison"};

}  // namespace

Tracer::Tracer(Operation *function, const KnownSizes &sizes,
               const TraceLimits &limits)
    : function_(function),
      sizes_(sizes),
      limits_(limits),
      symbols_(function->getParentOfType<mlir::ModuleOp>()),
      webs_(function) {}

Trace Tracer::run() {
  mlir::Region &region = function_->getRegion(0);
  mlir::Block &body = region.front();
  for (auto [number, argument] : llvm::enumerate(body.getArguments()))
    values_[argument] = argumentMeaning(argument, number);
  if (region.hasOneBlock())
    trace(body);
  else
    traceBlocks(region);
  return std::move(trace_);
}

void Tracer::note(Operation *op, std::string reason) {
  if (isDry_ || trace_.unknown) return;
  trace_.unknown = op;
  trace_.reason = std::move(reason);
}

Meaning Tracer::argumentMeaning(Value argument, int64_t number) {
  const mlir::Type type = argument.getType();
  if (isPointer(type) && !blockOf(type))
    return terms().leaf(TermKind::Pointer, number, 64);
  if (isTerm(type))
    return terms().leaf(TermKind::Argument, number, termBits(type));
  return {};
}

TermList Tracer::ownCoordinates(mlir::Type type) {
  TermList all;
  for (size_t k = 0; k < shapeOf(type).size(); ++k)
    all.push_back(terms().coordinate(k));
  return all;
}

int64_t Tracer::numberOf(Value value) {
  return numbers_
      .try_emplace({value.getAsOpaquePointer(), calls_}, numbers_.size())
      .first->second;
}

Meaning Tracer::unknown(Value value) {
  if (!isTerm(value.getType())) return {};
  TermList dependsOn;
  for (const TracedLoop &loop : loops_)
    dependsOn.push_back(terms().leaf(TermKind::Loop, loop.number, 64));
  dependsOn.append(ownCoordinates(value.getType()));
  return terms().leaf(TermKind::Unknown, numberOf(value),
                      termBits(value.getType()), dependsOn);
}

void Tracer::setUnknown(Operation *op) {
  for (Value result : op->getResults()) values_[result] = unknown(result);
}

Meaning Tracer::of(Value value) {
  const auto known = values_.find(value);
  return known == values_.end() ? Meaning() : known->second;
}

std::optional<TermId> Tracer::term(Value value) {
  const Meaning meaning = of(value);
  if (const TermId *id = std::get_if<TermId>(&meaning)) return *id;
  return std::nullopt;
}

std::optional<BlockPointer> Tracer::block(Value value) {
  const Meaning meaning = of(value);
  if (auto *pointer = std::get_if<BlockPointer>(&meaning)) return *pointer;
  return std::nullopt;
}

TermId Tracer::wide(TermId id) {
  return terms().make(TermKind::SignExtend, 64, {id});
}

TermId Tracer::number(int64_t value, int32_t bits) {
  return terms().constant(value, bits);
}

TermId Tracer::conjunction(TermId a, TermId b) {
  return terms().make(TermKind::And, 1, {a, b});
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
    note(&op, ("the op `" + name + "` is not known").str());
    return setUnknown(&op);
  }
  if (name.starts_with("arith.")) return traceArith(op);
  if (name.starts_with("math.") || llvm::is_contained(kQuietOps, name))
    return setUnknown(&op);
  if (auto loop = llvm::dyn_cast<mlir::scf::ForOp>(op)) return traceFor(loop);
  if (auto choice = llvm::dyn_cast<mlir::scf::IfOp>(op)) return traceIf(choice);
  if (name == "scf.yield") return;
  if (name.ends_with(".apply_indexing")) return traceIndexing(op);
  const auto [space, plain] = name.split('.');
  if (space == "tt" || space == "ttg" || space == "ttng" ||
      space == "triton_gpu")
    if (const auto wrong = brokenRule(op, plain)) {
      note(&op, ("the op `" + name + "` " + *wrong).str());
      return setUnknown(&op);
    }
  if ((space == "triton_xla" || space == "xtile") &&
      (plain == "extract" || plain == "insert"))
    return traceTile(op);
  if (space == "tt") return traceTriton(op, plain);
  if (space == "ttg" || space == "triton_gpu") return traceGpu(op, plain);
  if (space == "ttng" && traceTensorMap(op, plain)) return;
  note(&op, ("the op `" + name + "` is not understood").str());
  setUnknown(&op);
  if (name == "scf.while")
    for (mlir::Region &region : op.getRegions())
      if (!region.empty())
        traceAnyway(region.front(), "how often a loop runs is not known");
}

Trace traceFunction(Operation *function, const KnownSizes &sizes,
                    const TraceLimits &limits) {
  return Tracer(function, sizes, limits).run();
}

}  // namespace indexical::triton
