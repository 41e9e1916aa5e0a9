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
  for (const auto &[value, meaning] : values_)
    if (const TermId *id = std::get_if<TermId>(&meaning))
      trace_.known[value] = *id;
  return std::move(trace_);
}

void Tracer::note(Operation *op, std::string reason) {
  if (isDry_ || trace_.unknown) return;
  trace_.unknown = op;
  trace_.reason = std::move(reason);
}

void Tracer::passOver(Operation &op, StringRef name, StringRef what) {
  setUnknown(&op);
  note(&op, ("the op `" + name + "` " + what).str());
  if (isDry_ || !passedOver_.insert(&op).second) return;
  auto &all = trace_.passedOver;
  auto known = llvm::find_if(
      all, [&](const Trace::PassedOver &other) { return other.name == name; });
  if (known == all.end()) known = all.insert(all.end(), {name.str(), &op, 0});
  ++known->count;
}

Meaning Tracer::argumentMeaning(Value argument, int64_t number) {
  const mlir::Type type = argument.getType();
  if (isDescriptor(type)) return descriptorMeaning(number);
  if (isPointer(type) && !blockOf(type))
    return terms().leaf(TermKind::Pointer, number, 64);
  if (isTerm(type))
    return terms().leaf(TermKind::Argument, number, termBits(type));
  return {};
}

/// Returns what is known of an argument that is a descriptor: nothing if the
/// call does not say what array it is of.
Meaning Tracer::descriptorMeaning(int64_t argument) {
  const auto &arrays = sizes_.arrays;
  if (argument >= static_cast<int64_t>(arrays.size()) || !arrays[argument])
    return {};
  BlockPointer array;
  array.base = terms().leaf(TermKind::Pointer, argument, 64);
  array.checksAll = true;
  for (int64_t size : arrays[argument]->sizes)
    array.sizes.push_back(number(size));
  for (int64_t stride : arrays[argument]->strides)
    array.strides.push_back(number(stride));
  array.offsets.assign(array.sizes.size(), number(0));
  return array;
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
  if (isFullBarrier(op) && op.getParentOp() == function_) ++barriers_;
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

Trace traceFunction(Operation *function, const KnownSizes &sizes,
                    const TraceLimits &limits) {
  return Tracer(function, sizes, limits).run();
}

}  // namespace indexical::triton
