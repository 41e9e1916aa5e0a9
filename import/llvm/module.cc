#include "indexical/import/llvm/module.h"

#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include "indexical/import/llvm/buffer_ops.h"
#include "indexical/import/llvm/endings.h"
#include "indexical/import/llvm/launch.h"
#include "indexical/import/llvm/split_arguments.h"
#include "indexical/import/llvm/text_places.h"
#include "indexical/import/llvm/vector_elements.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::compiled {
namespace {

/// Calls that are inlined into one kernel. A kernel with more keeps the rest,
/// and is incomplete.
constexpr int kMostInlined = 10'000;

/// Says of what has no body that it returns, so that a loop with a barrier has
/// a count.
void assumeReturns(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isIntrinsic()) {
      function.addFnAttr(llvm::Attribute::WillReturn);
      function.addFnAttr(llvm::Attribute::NoUnwind);
    }
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &each : block)
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&each))
          if (call->isInlineAsm() ||
              (call->getCalledFunction() &&
               call->getCalledFunction()->isIntrinsic())) {
            call->addFnAttr(llvm::Attribute::WillReturn);
            call->addFnAttr(llvm::Attribute::NoUnwind);
          }
  }
}

/// Returns the next call of the function whose callee has a body, is another
/// function, and calls itself on no way.
llvm::CallBase *nextToInline(llvm::Function &function,
                             const std::set<llvm::CallBase *> &refused) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &each : block)
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&each)) {
        const llvm::Function *callee = call->getCalledFunction();
        if (callee && !callee->isDeclaration() && callee != &function &&
            !refused.count(call))
          return call;
      }
  return nullptr;
}

bool reachesItself(const llvm::Function &function) {
  std::set<const llvm::Function *> seen;
  llvm::SmallVector<const llvm::Function *, 8> open = {&function};
  while (!open.empty()) {
    const llvm::Function *at = open.pop_back_val();
    for (const llvm::BasicBlock &block : *at)
      for (const llvm::Instruction &each : block)
        if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&each))
          if (const llvm::Function *callee = call->getCalledFunction()) {
            if (callee == &function) return true;
            if (seen.insert(callee).second) open.push_back(callee);
          }
  }
  return false;
}

/// Whether a call says of numbers, or of its end, what its body does not.
bool saysMore(const llvm::CallBase &call) {
  using llvm::Attribute;
  const llvm::Function &callee = *call.getCalledFunction();
  const auto *op = llvm::dyn_cast<llvm::FPMathOperator>(&call);
  bool says = call.doesNotReturn() ||
              (op && (op->hasNoNaNs() || op->hasNoInfs()));
  for (const auto kind : {Attribute::Range, Attribute::NoFPClass}) {
    says |= call.hasRetAttr(kind);
    for (unsigned k = 0; k < call.arg_size(); ++k)
      says |= call.paramHasAttr(k, kind) ||
              (k < callee.arg_size() && callee.hasParamAttribute(k, kind));
  }
  return says;
}

void inlineCalls(llvm::Function &function) {
  std::set<llvm::CallBase *> refused;
  int count = 0;
  while (llvm::CallBase *call = nextToInline(function, refused)) {
    llvm::InlineFunctionInfo info;
    if (saysMore(*call)) function.addFnAttr(kLostClaims);
    const bool isLeft = count >= kMostInlined ||
                        reachesItself(*call->getCalledFunction()) ||
                        !llvm::InlineFunction(*call, info).isSuccess();
    if (isLeft)
      refused.insert(call);
    else
      ++count;
  }
}

absl::StatusOr<std::unique_ptr<llvm::Module>> parsedBitcode(
    llvm::StringRef bytes, llvm::LLVMContext &context) {
  const auto buffer = llvm::MemoryBuffer::getMemBufferCopy(bytes, "kernel");
  auto parsed = llvm::parseBitcodeFile(buffer->getMemBufferRef(), context);
  if (!parsed)
    return errorAt({}, absl::StrCat("this is not LLVM bitcode: ",
                                    llvm::toString(parsed.takeError())));
  return std::move(*parsed);
}

/// Returns what LLVM's verifier says of a module that is not valid, nothing of
/// a valid one.
std::optional<std::string> problemsOf(const llvm::Module &module) {
  std::string problems;
  llvm::raw_string_ostream os(problems);
  bool hasBrokenDebugInfo = false;
  if (!llvm::verifyModule(module, &os, &hasBrokenDebugInfo))
    return std::nullopt;
  return problems;
}

absl::Status invalidAt(const Place &place, llvm::StringRef problems) {
  return errorAt(place, absl::StrCat("this IR of LLVM is not valid: ",
                                     problems.split('\n').first.str()));
}

bool hasLocalMemory(const llvm::Function &function) {
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &each : block)
      if (llvm::isa<llvm::AllocaInst>(each)) return true;
  return false;
}

/// Rounds in which variables of a thread become registers: a pointer to one may
/// be in another one.
constexpr int kMostRounds = 8;
constexpr const char *kWasVolatile = "indexical.volatile";

bool isOfThread(const llvm::Value *address) {
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address));
}

/// Calls `take` with the loads and the stores of the function.
template <typename Take>
void eachAccess(llvm::Function &function, Take take) {
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &each : block)
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&each))
        take(*load);
      else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&each))
        take(*store);
}

void markVolatile(llvm::Function &function) {
  eachAccess(function, [](auto &access) {
    if (access.isVolatile())
      access.setMetadata(kWasVolatile,
                         llvm::MDNode::get(access.getContext(), {}));
  });
}

/// Makes accesses of memory that is not the thread's own volatile, so that no
/// pass removes, joins or moves one, and others not. Returns whether it changed
/// one.
bool keepAccesses(llvm::Function &function) {
  bool hasChanged = false;
  eachAccess(function, [&](auto &access) {
    const bool isKept = access.getMetadata(kWasVolatile) ||
                        !isOfThread(access.getPointerOperand());
    hasChanged |= access.isVolatile() != isKept;
    access.setVolatile(isKept);
  });
  return hasChanged;
}

/// Makes those accesses volatile that the file has so.
void releaseAccesses(llvm::Function &function) {
  eachAccess(function, [](auto &access) {
    access.setVolatile(access.getMetadata(kWasVolatile) != nullptr);
    access.setMetadata(kWasVolatile, nullptr);
  });
}

}  // namespace

CompiledModule::CompiledModule() {
  context_.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *, void *) {});
  functions_.registerPass([] { return llvm::AAManager(); });
  functions_.registerPass([] { return llvm::AssumptionAnalysis(); });
  functions_.registerPass([] { return llvm::BasicAA(); });
  functions_.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  functions_.registerPass([] { return llvm::LoopAnalysis(); });
  functions_.registerPass([] { return llvm::MemorySSAAnalysis(); });
  functions_.registerPass(
      [] { return llvm::OptimizationRemarkEmitterAnalysis(); });
  functions_.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  functions_.registerPass([] { return llvm::PostDominatorTreeAnalysis(); });
  functions_.registerPass([] { return llvm::ScalarEvolutionAnalysis(); });
  functions_.registerPass([] { return llvm::TargetIRAnalysis(); });
  functions_.registerPass([] { return llvm::TargetLibraryAnalysis(); });
  modules_.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  functions_.registerPass(
      [this] { return llvm::ModuleAnalysisManagerFunctionProxy(modules_); });
  modules_.registerPass(
      [this] { return llvm::FunctionAnalysisManagerModuleProxy(functions_); });
}

CompiledModule::~CompiledModule() {
  functions_.clear();
  modules_.clear();
}

absl::StatusOr<std::unique_ptr<CompiledModule>> CompiledModule::parse(
    llvm::StringRef text) {
  std::unique_ptr<CompiledModule> made(new CompiledModule());
  if (isBitcode(text)) {
    INDEXICAL_ASSIGN_OR_RETURN(made->module_,
                               parsedBitcode(text, made->context_));
  } else {
    INDEXICAL_RETURN_IF_ERROR(checkText(text));
    // The parser wants a byte of zero behind the text.
    const auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, "kernel");
    llvm::SMDiagnostic problem;
    made->module_ = llvm::parseAssembly(
        buffer->getMemBufferRef(), problem, made->context_, nullptr,
        [](llvm::StringRef, llvm::StringRef) { return std::nullopt; },
        &made->places_);
    if (!made->module_) {
      Place place;
      if (problem.getLineNo() > 0) {
        place.line = problem.getLineNo();
        place.column = problem.getColumnNo() + 1;
      }
      return errorAt(place, absl::StrCat("this is not LLVM IR: ",
                                         problem.getMessage().str()));
    }
  }
  widenBufferSizes(*made->module_);
  INDEXICAL_RETURN_IF_ERROR(made->verified());
  if (!isBitcode(text)) keepPlaces(*made->module_, made->places_, text);
  assumeReturns(*made->module_);
  return made;
}

std::vector<llvm::Function *> CompiledModule::kernels() const {
  std::set<const llvm::Value *> annotated;
  if (const auto *all = module_->getNamedMetadata("nvvm.annotations"))
    for (const llvm::MDNode *node : all->operands())
      for (unsigned k = 1; k + 1 < node->getNumOperands(); k += 2) {
        const auto *name =
            llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(k));
        const auto *of =
            llvm::dyn_cast_or_null<llvm::ValueAsMetadata>(node->getOperand(0));
        if (name && of && name->getString() == "kernel")
          annotated.insert(of->getValue());
      }
  std::vector<llvm::Function *> found;
  for (llvm::Function &function : *module_) {
    if (function.isDeclaration()) continue;
    switch (function.getCallingConv()) {
      case llvm::CallingConv::PTX_Kernel:
      case llvm::CallingConv::AMDGPU_KERNEL:
      case llvm::CallingConv::SPIR_KERNEL:
        found.push_back(&function);
        break;
      default:
        if (annotated.count(&function)) found.push_back(&function);
    }
  }
  return found;
}

llvm::Function &CompiledModule::prepare(llvm::Function &given) {
  llvm::Function *prepared = &given;
  inlineCalls(given);
  endAtExits(given);
  functions_.invalidate(given, llvm::PreservedAnalyses::none());
  auto run = [&](auto pass) {
    functions_.invalidate(*prepared, pass.run(*prepared, functions_));
  };
  if (hasLocalMemory(given)) {
    markVolatile(given);
    for (int rounds = 0; rounds < kMostRounds; ++rounds) {
      if (!keepAccesses(given) && rounds > 0) break;
      run(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    }
    run(llvm::EarlyCSEPass());
    run(llvm::SimplifyCFGPass());
    releaseAccesses(given);
  }
  const Place place = placeOf(given);
  if (auto *split = withSplitArguments(given, [&](llvm::Instruction &load) {
        load.removeFromParent();
        replaced_.emplace_back(&load);
      })) {
    prepared = split;
    split_[split] = place;
    functions_.clear(given, split->getName());
    given.eraseFromParent();
  }
  llvm::Function &function = *prepared;
  const bool hasBuffers = lowerBuffers(
      function, [&](llvm::CallInst &call, const llvm::Instruction &access) {
        lowered_[&access] = placeOf(call);
        replaced_.emplace_back(&call);
      });
  if (hasBuffers)
    functions_.invalidate(function, llvm::PreservedAnalyses::none());
  run(llvm::LoopSimplifyPass());
  run(llvm::LCSSAPass());
  return function;
}

void CompiledModule::putLaunch(llvm::Function &function,
                               const kernels::TritonKernel &kernel) {
  bool isChanged = false;
  compiled::putLaunch(function, kernel, [&](llvm::Instruction &unused) {
    unused.removeFromParent();
    replaced_.emplace_back(&unused);
    isChanged = true;
  });
  // Behind the numbers of the launch, which some code loads as a vector.
  isChanged |= takeElementsApart(function);
  llvm::PreservedAnalyses kept = llvm::PreservedAnalyses::all();
  if (isChanged) {
    kept = llvm::PreservedAnalyses::none();
    kept.preserveSet<llvm::CFGAnalyses>();
  }
  kept.abandon<llvm::ScalarEvolutionAnalysis>();
  functions_.invalidate(function, kept);
}

Place CompiledModule::placeOf(const llvm::Instruction &instruction) const {
  if (const auto made = lowered_.find(&instruction); made != lowered_.end())
    return made->second;
  return keptPlaceOf(instruction).value_or(Place());
}

Place CompiledModule::placeOf(const llvm::Function &function) const {
  if (const auto made = split_.find(&function); made != split_.end())
    return made->second;
  const auto found = places_.getFunctionLocation(&function);
  if (!found) return {};
  return {found->Start.Line + 1, found->Start.Col + 1};
}

absl::Status CompiledModule::verified() const {
  // Nothing is changed yet, so that the parser knows all places.
  auto textPlaceOf = [&](const llvm::Instruction &each) {
    const auto found = places_.getInstructionLocation(&each);
    return found ? Place{found->Start.Line + 1, found->Start.Col + 1} : Place();
  };
  const auto problems = problemsOf(*module_);
  if (!problems) return absl::OkStatus();
  // The verifier says a sentence, then prints the instructions.
  const auto [sentence, values] = llvm::StringRef(*problems).split('\n');
  for (const llvm::Function &function : *module_) {
    std::string own;
    llvm::raw_string_ostream os(own);
    if (function.isDeclaration() || !llvm::verifyFunction(function, &os))
      continue;
    if (!llvm::StringRef(own).starts_with(sentence)) break;
    llvm::SmallVector<llvm::StringRef, 4> printed;
    values.split(printed, '\n');
    llvm::erase_if(
        printed, [](llvm::StringRef line) { return !line.starts_with("  "); });
    if (printed.empty()) return invalidAt(placeOf(function), *problems);
    // A value, and the instruction that uses it.
    const bool isOfUse = sentence.contains("does not dominate");
    const llvm::StringRef wanted =
        isOfUse && printed.size() > 1 ? printed[1] : printed[0];
    llvm::ModuleSlotTracker slots(module_.get());
    slots.incorporateFunction(function);
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &each : block) {
        std::string text;
        llvm::raw_string_ostream to(text);
        each.print(to, slots);
        if (llvm::StringRef(text).split('\n').first == wanted)
          return invalidAt(textPlaceOf(each), *problems);
      }
    return invalidAt(placeOf(function), *problems);
  }
  // It is of the module, or of the head of a function: its name may follow.
  for (const llvm::Function &function : *module_)
    if (values.split('\n').first.ends_with("@" + function.getName().str()))
      return invalidAt(placeOf(function), *problems);
  return invalidAt({}, *problems);
}

bool isBitcode(llvm::StringRef text) {
  return llvm::identify_magic(text) == llvm::file_magic::bitcode;
}

absl::StatusOr<std::string> textOf(llvm::StringRef bitcode) {
  llvm::LLVMContext context;
  context.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *, void *) {});
  INDEXICAL_ASSIGN_OR_RETURN(const auto module,
                             parsedBitcode(bitcode, context));
  if (const auto problems = problemsOf(*module))
    return invalidAt({}, *problems);
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, nullptr);
  return text;
}

bool looksLikeModule(llvm::StringRef text) {
  if (isBitcode(text)) return true;
  // A module of LLVM defines functions at the beginnings of lines; so does no
  // form of MLIR, whose functions stand in a module, or HLO.
  for (llvm::StringRef rest = text; !rest.empty();) {
    const auto [line, after] = rest.split('\n');
    if (line.starts_with("target triple") ||
        line.starts_with("target datalayout") ||
        line.starts_with("source_filename") ||
        (line.starts_with("define ") && line.contains('@')) ||
        line.starts_with("; ModuleID"))
      return true;
    rest = after;
  }
  return false;
}

}  // namespace indexical::compiled
