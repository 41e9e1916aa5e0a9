#include "benchmarks/gpu/kernel_ir.h"

#include <functional>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include "benchmarks/gpu/expression_ir.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/ops/address.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace gpu {
namespace {

using llvm::BasicBlock;
using llvm::Function;
using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

// NVPTX's numbers of address spaces.
constexpr unsigned kGlobal = 1, kShared = 3;

const char *const kCoordinates[] = {"th_x", "th_y", "th_z",
                                    "bl_x", "bl_y", "bl_z"};

//===-- Phases ------------------------------------------------------------===//

/// The work of one thread, or the part of it between two barriers.
class PhaseWriter {
 public:
  PhaseWriter(const TextbookCase &kernel, Function &function)
      : kernel_(kernel),
        function_(function),
        b_(BasicBlock::Create(function.getContext(), "entry", &function)) {}

  absl::Status write(bool isFirst) {
    const IndexingMap &threads =
        isFirst ? kernel_.threads : kernel_.threadsOfWrite();
    Value *sum = b_.getInt64(0);
    absl::Status status;
    std::vector<int64_t> loops;
    for (const Variable &loop : threads.ranges())
      loops.push_back(loop.bounds.count());
    if (kernel_.vector > 1) loops.back() /= kernel_.vector;
    sum = emitLoops(loops, sum, [&](llvm::ArrayRef<Value *> at, Value *sum) {
      llvm::SmallVector<Value *, 8> variables = coordinates();
      variables.append(at.begin(), at.end());
      if (kernel_.vector > 1)
        variables.back() =
            b_.CreateMul(variables.back(), b_.getInt32(kernel_.vector));
      if (!status.ok()) return sum;
      auto next = isFirst ? emitReads(threads, variables, sum)
                          : emitWriteOfStaged(threads, variables, sum);
      if (next.ok()) return *next;
      status = next.status();
      return sum;
    });
    if (!status.ok()) return status;
    if (isFirst) emitKeep(threads, sum);
    b_.CreateRetVoid();
    return absl::OkStatus();
  }

 private:
  llvm::SmallVector<Value *, 8> coordinates() {
    llvm::SmallVector<Value *, 8> all;
    for (unsigned i = 0; i < kThreadDimensions; ++i)
      all.push_back(function_.getArg(i));
    return all;
  }
  Value *argument(llvm::StringRef name) {
    for (llvm::Argument &argument : function_.args())
      if (argument.getName() == name) return &argument;
    return nullptr;
  }

  using Body = std::function<Value *(llvm::ArrayRef<Value *>, Value *)>;

  /// `body` for all values of loops from 0 on; its result is passed to the next
  /// one.
  Value *emitLoops(llvm::ArrayRef<int64_t> counts, Value *sum,
                   const Body &body) {
    llvm::SmallVector<Value *, 4> at;
    return emitLoop(counts, at, sum, body);
  }
  Value *emitLoop(llvm::ArrayRef<int64_t> counts,
                  llvm::SmallVectorImpl<Value *> &at, Value *sum,
                  const Body &body) {
    if (at.size() == counts.size()) return body(at, sum);
    const int64_t count = counts[at.size()];
    if (count == 1) {
      at.push_back(b_.getInt32(0));
      Value *result = emitLoop(counts, at, sum, body);
      at.pop_back();
      return result;
    }
    BasicBlock *before = b_.GetInsertBlock();
    BasicBlock *loop = newBlock("loop"), *after = newBlock("after");
    b_.CreateBr(loop);
    b_.SetInsertPoint(loop);
    auto *i = b_.CreatePHI(b_.getInt32Ty(), 2, "i");
    auto *carried = b_.CreatePHI(sum->getType(), 2, "sum");
    i->addIncoming(b_.getInt32(0), before);
    carried->addIncoming(sum, before);
    at.push_back(i);
    Value *result = emitLoop(counts, at, carried, body);
    at.pop_back();
    Value *next = b_.CreateAdd(i, b_.getInt32(1));
    i->addIncoming(next, b_.GetInsertBlock());
    carried->addIncoming(result, b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateICmpULT(next, b_.getInt32(count)), loop, after);
    b_.SetInsertPoint(after);
    return result;
  }

  /// The reads of one index, in their order; written or staged if the case does
  /// so.
  absl::StatusOr<Value *> emitReads(const IndexingMap &threads,
                                    llvm::ArrayRef<Value *> variables,
                                    Value *sum) {
    Value *read = nullptr;
    for (size_t k = 0; k < kernel_.reads.size(); ++k) {
      const CaseAccess &access = kernel_.reads[k];
      auto address = launchAddress(threads, access);
      if (!address.ok()) return address.status();
      absl::Status status;
      const bool isLast = k + 1 == kernel_.reads.size();
      std::vector<int64_t> ranges;
      for (const Variable &range : access.map.ranges())
        ranges.push_back(range.bounds.count());
      const std::string name = "read" + std::to_string(k);
      Value *before = read ? b_.CreateZExt(read, b_.getInt64Ty()) : nullptr;
      sum = emitLoops(ranges, sum, [&](llvm::ArrayRef<Value *> at, Value *sum) {
        llvm::SmallVector<Value *, 8> all(variables.begin(), variables.end());
        all.append(at.begin(), at.end());
        return emitWhere(*address, all, before, sum, [&](Value *element) {
          read = emitLoad(argument(name), element, access.shape);
          if (isLast && status.ok()) status = emitUse(threads, variables, read);
          // Indices are no part of what is gathered.
          return isLast ? b_.CreateAdd(sum, total(read)) : sum;
        });
      });
      if (!status.ok()) return status;
    }
    return sum;
  }

  absl::Status emitUse(const IndexingMap &threads,
                       llvm::ArrayRef<Value *> variables, Value *value) {
    if (kernel_.stage) {
      auto slot = launchAddress(threads, kernel_.stage->slot);
      if (!slot.ok()) return slot.status();
      ExpressionWriter writer(b_, slot->map, variables, nullptr);
      emitStore(argument("stage"), writer.result(), kernel_.stage->slot.shape,
                value);
    } else if (kernel_.write) {
      auto address = launchAddress(threads, *kernel_.write);
      if (!address.ok()) return address.status();
      ExpressionWriter writer(b_, address->map, variables, nullptr);
      emitStore(argument("write"), writer.result(), kernel_.write->shape,
                value);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Value *> emitWriteOfStaged(const IndexingMap &threads,
                                            llvm::ArrayRef<Value *> variables,
                                            Value *sum) {
    auto slot = launchAddress(threads, kernel_.stage->slot);
    if (!slot.ok()) return slot.status();
    auto address = launchAddress(threads, *kernel_.write);
    if (!address.ok()) return address.status();
    return emitWhere(*address, variables, nullptr, sum, [&](Value *element) {
      ExpressionWriter writer(b_, slot->map, variables, nullptr);
      Value *value = emitLoad(argument("stage"), writer.result(),
                              kernel_.stage->slot.shape);
      emitStore(argument("write"), element, kernel_.write->shape, value);
      return sum;
    });
  }

  /// Emits `then` of the address if the map holds, else `otherwise`.
  Value *emitWhere(const LaunchAddress &address,
                   llvm::ArrayRef<Value *> variables, Value *runtime,
                   Value *otherwise,
                   const std::function<Value *(Value *)> &then) {
    const IndexingMap &map = address.map;
    if (map.isKnownEmpty()) return otherwise;
    ExpressionWriter writer(b_, map, variables, runtime);
    Value *holds = writer.domain(address.launched);
    if (!holds) return then(writer.result());
    BasicBlock *inside = newBlock("inside"), *after = newBlock("after");
    BasicBlock *before = b_.GetInsertBlock();
    b_.CreateCondBr(holds, inside, after);
    b_.SetInsertPoint(inside);
    // Values that are made under the condition are not used after it.
    ExpressionWriter own(b_, map, variables, runtime);
    Value *value = then(own.result());
    inside = b_.GetInsertBlock();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
    auto *joined = b_.CreatePHI(value->getType(), 2);
    joined->addIncoming(value, inside);
    joined->addIncoming(otherwise, before);
    return joined;
  }

  /// The element, an integer of its bits, or a vector of them.
  Value *emitLoad(Value *base, Value *element, const ArrayShape &shape) {
    const unsigned bits = storedBits(shape);
    if (bits >= 8) {
      Value *place = b_.CreateGEP(b_.getIntNTy(bits), base, element);
      return b_.CreateAlignedLoad(loadedType(bits), place, alignment(bits));
    }
    // Elements that share a byte, the first in its low bits.
    const unsigned perByte = 8 / bits;
    Value *byte = b_.CreateUDiv(element, b_.getInt64(perByte));
    Value *value = b_.CreateAlignedLoad(
        b_.getInt8Ty(), b_.CreateGEP(b_.getInt8Ty(), base, byte),
        llvm::Align(1));
    Value *shift = b_.CreateMul(b_.CreateURem(element, b_.getInt64(perByte)),
                                b_.getInt64(bits));
    value = b_.CreateLShr(b_.CreateZExt(value, b_.getInt64Ty()), shift);
    return b_.CreateAnd(value, b_.getInt64((1 << bits) - 1));
  }

  void emitStore(Value *base, Value *element, const ArrayShape &shape,
                 Value *value) {
    const unsigned bits = storedBits(shape);
    b_.CreateAlignedStore(value,
                          b_.CreateGEP(b_.getIntNTy(bits), base, element),
                          alignment(bits));
  }

  Type *loadedType(unsigned bits) {
    Type *type = b_.getIntNTy(bits);
    if (kernel_.vector == 1) return type;
    return llvm::FixedVectorType::get(type, kernel_.vector);
  }
  llvm::Align alignment(unsigned bits) const {
    return llvm::Align(bits / 8 * kernel_.vector);
  }

  /// All that was loaded, added up as an i64, without signs.
  Value *total(Value *loaded) {
    if (!loaded->getType()->isVectorTy())
      return b_.CreateZExt(loaded, b_.getInt64Ty());
    Value *sum = b_.getInt64(0);
    for (int64_t k = 0; k < kernel_.vector; ++k)
      sum = b_.CreateAdd(sum, b_.CreateZExt(b_.CreateExtractElement(loaded, k),
                                            b_.getInt64Ty()));
    return sum;
  }

  /// Emits out[number of the thread] = sum, if the sum is to be kept.
  void emitKeep(const IndexingMap &threads, Value *sum) {
    const LaunchSize size = launchSize(threads);
    Value *number = b_.getInt64(0);
    for (unsigned k = kThreadDimensions; k-- > 0;) {
      const int64_t extent = k < 3 ? size.block[k] : size.grid[k - 3];
      if (extent == 1) continue;
      number = b_.CreateMul(number, b_.getInt64(extent));
      number = b_.CreateAdd(
          number, b_.CreateZExt(function_.getArg(k), b_.getInt64Ty()));
    }
    Value *isKept = b_.CreateOr(b_.CreateICmpULT(number, argument("kept")),
                                b_.CreateICmpEQ(sum, argument("sentinel")));
    BasicBlock *keep = newBlock("keep"), *after = newBlock("after");
    b_.CreateCondBr(isKept, keep, after);
    b_.SetInsertPoint(keep);
    b_.CreateAlignedStore(
        sum, b_.CreateGEP(b_.getInt64Ty(), argument("out"), number),
        llvm::Align(8));
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
  }

  BasicBlock *newBlock(const char *name) {
    return BasicBlock::Create(function_.getContext(), name, &function_);
  }

  const TextbookCase &kernel_;
  Function &function_;
  IRBuilder<> b_;
};

//===-- Functions ---------------------------------------------------------===//

/// The types and names of a kernel's parameters.
std::vector<std::pair<std::string, Type *>> parametersOf(
    const TextbookCase &kernel, llvm::LLVMContext &context) {
  Type *pointer = llvm::PointerType::get(context, kGlobal);
  Type *number = Type::getInt64Ty(context);
  std::vector<std::pair<std::string, Type *>> all;
  for (size_t k = 0; k < kernel.reads.size(); ++k)
    all.emplace_back("read" + std::to_string(k), pointer);
  if (kernel.write) all.emplace_back("write", pointer);
  all.emplace_back("out", pointer);
  all.emplace_back("kept", number);
  all.emplace_back("sentinel", number);
  return all;
}

Function *addFunction(
    llvm::Module &module, const std::string &name,
    llvm::ArrayRef<std::pair<std::string, Type *>> parameters) {
  llvm::SmallVector<Type *, 12> types;
  for (const auto &parameter : parameters) types.push_back(parameter.second);
  auto *function = Function::Create(
      llvm::FunctionType::get(Type::getVoidTy(module.getContext()), types,
                              /*isVarArg=*/false),
      Function::ExternalLinkage, name, module);
  for (auto [argument, parameter] : llvm::zip(function->args(), parameters))
    argument.setName(parameter.first);
  return function;
}

/// The kernel: its phases, with a barrier between them.
void addEntry(const TextbookCase &kernel, llvm::Module &module,
              llvm::ArrayRef<Function *> phases) {
  llvm::LLVMContext &context = module.getContext();
  Function *entry =
      addFunction(module, "kernel", parametersOf(kernel, context));
  entry->setCallingConv(llvm::CallingConv::PTX_Kernel);
  IRBuilder<> b(BasicBlock::Create(context, "entry", entry));
  llvm::SmallVector<Value *, 16> arguments;
  for (llvm::Intrinsic::ID id : {llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x,
                                 llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                 llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z,
                                 llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                 llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                 llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z})
    arguments.push_back(b.CreateIntrinsic(id, {}));
  Value *stage =
      llvm::ConstantPointerNull::get(llvm::PointerType::get(context, kShared));
  if (kernel.stage) {
    auto *type =
        llvm::ArrayType::get(b.getIntNTy(storedBits(kernel.stage->slot.shape)),
                             *storedElements(kernel.stage->slot.shape));
    stage = new llvm::GlobalVariable(
        module, type, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
        llvm::PoisonValue::get(type), "stage", nullptr,
        llvm::GlobalValue::NotThreadLocal, kShared);
  }
  arguments.push_back(stage);
  for (llvm::Argument &argument : entry->args()) arguments.push_back(&argument);
  for (auto [k, phase] : llvm::enumerate(phases)) {
    if (k > 0)
      b.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                        {b.getInt32(0)});
    b.CreateCall(phase, arguments);
  }
  b.CreateRetVoid();
}

}  // namespace

absl::StatusOr<LaunchAddress> launchAddress(const IndexingMap &threads,
                                            const CaseAccess &access) {
  auto layout = addressMap(access.shape);
  if (!layout.ok()) return layout.status();
  IndexingMapBuilder b;
  std::vector<FormId> dimensions, loops, ranges, runtime;
  for (const Variable &v : threads.dimensions())
    dimensions.push_back(b.dimension(v.bounds).form());
  for (const Variable &v : threads.ranges())
    loops.push_back(b.dimension(v.bounds).form());
  for (const Variable &v : access.map.ranges())
    ranges.push_back(b.dimension(v.bounds).form());
  for (const RuntimeVariable &v : access.map.runtime())
    runtime.push_back(b.runtime(v.bounds).form());

  // One map after the other, the results of one the dimensions of the next.
  std::vector<FormId> index = dimensions;
  auto append = [&](const IndexingMap &map, llvm::ArrayRef<FormId> own) {
    for (auto [form, v] : llvm::zip(index, map.dimensions()))
      b.constraint(b.expression(form), v.bounds);
    auto replace = [&](VariableId id) {
      return id.kind == VariableKind::Dimension ? index[id.index]
             : id.kind == VariableKind::Range   ? own[id.index]
                                                : runtime[id.index];
    };
    ExpressionImport import(map.expressions(), b.pool(), replace);
    for (const Constraint &constraint : map.constraints())
      b.constraint(b.expression(import(constraint.form)), constraint.bounds);
    std::vector<FormId> results;
    for (FormId form : map.results()) results.push_back(import(form));
    index = std::move(results);
  };
  append(threads, loops);
  append(access.map, ranges);
  append(*layout, {});
  b.result(b.expression(index.front()));
  auto built = b.build();
  if (!built.ok()) return built.status();
  auto map = simplify(*built);
  if (!map.ok()) return map.status();
  LaunchAddress address{*std::move(map), {}};
  for (const Variable &v : built->dimensions())
    address.launched.push_back(v.bounds);
  return address;
}

LaunchSize launchSize(const IndexingMap &threads) {
  LaunchSize size;
  for (unsigned k = 0; k < 3; ++k) {
    size.block[k] = threads.dimensions()[k].bounds.count();
    size.grid[k] = threads.dimensions()[k + 3].bounds.count();
  }
  return size;
}

absl::StatusOr<std::unique_ptr<llvm::Module>> kernelModule(
    const TextbookCase &kernel, llvm::LLVMContext &context) {
  auto module = std::make_unique<llvm::Module>(kernel.name, context);
  std::vector<std::pair<std::string, Type *>> parameters;
  for (const char *name : kCoordinates)
    parameters.emplace_back(name, Type::getInt32Ty(context));
  parameters.emplace_back("stage", llvm::PointerType::get(context, kShared));
  llvm::append_range(parameters, parametersOf(kernel, context));
  std::vector<Function *> phases;
  for (int phase = 0; phase < (kernel.stage ? 2 : 1); ++phase) {
    phases.push_back(
        addFunction(*module, "phase" + std::to_string(phase), parameters));
    PhaseWriter writer(kernel, *phases.back());
    if (auto status = writer.write(/*isFirst=*/phase == 0); !status.ok())
      return status;
  }
  addEntry(kernel, *module, phases);
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (llvm::verifyModule(*module, &stream)) return absl::InternalError(message);
  return module;
}

}  // namespace gpu
}  // namespace indexical
