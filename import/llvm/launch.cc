#include "indexical/import/llvm/launch.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace indexical::compiled {
namespace {

using llvm::StringRef;
using Sides = std::array<int64_t, 3>;

/// Returns the sides of `128`, `32,8` or `32,8,1`.
std::optional<Sides> sidesOf(StringRef text) {
  Sides sides = {1, 1, 1};
  llvm::SmallVector<StringRef, 3> parts;
  text.split(parts, ',');
  if (text.empty() || parts.size() > 3) return std::nullopt;
  for (size_t k = 0; k < parts.size(); ++k)
    if (parts[k].trim().getAsInteger(10, sides[k]) || sides[k] < 1)
      return std::nullopt;
  return sides;
}

/// Which numbers the function reads, and their ranges.
struct ReadNumbers {
  std::array<bool, 3> are = {false, false, false};
  std::array<std::optional<int64_t>, 3> counts;
  bool areOpposed = false;  ///< two calls have different ranges

  void add(int64_t axis, const llvm::CallInst &call) {
    are[axis] = true;
    const llvm::MDNode *range = call.getMetadata(llvm::LLVMContext::MD_range);
    if (!range || range->getNumOperands() != 2) return;
    const auto *least =
        llvm::mdconst::extract<llvm::ConstantInt>(range->getOperand(0));
    const auto *end =
        llvm::mdconst::extract<llvm::ConstantInt>(range->getOperand(1));
    if (least->isZero() && end->getValue().isStrictlyPositive() &&
        end->getValue().getActiveBits() < 63) {
      areOpposed |=
          counts[axis].value_or(end->getSExtValue()) != end->getSExtValue();
      counts[axis] = end->getSExtValue();
    }
  }

  /// Returns whether a range is that of every grid: an older compiler of
  /// NVIDIA's code writes what the machine has.
  bool areOfMachine() const {
    constexpr std::array<int64_t, 3> kMost = {INT32_MAX, 65535, 65535};
    for (size_t k = 0; k < 3; ++k)
      if (counts[k] && *counts[k] >= kMost[k]) return true;
    return false;
  }

  /// Returns the sides if each that is read has a range.
  std::optional<Sides> sides() const {
    Sides all = {1, 1, 1};
    if (areOpposed) return std::nullopt;
    for (size_t k = 0; k < 3; ++k) {
      if (!are[k]) continue;
      if (!counts[k]) return std::nullopt;
      all[k] = *counts[k];
    }
    return all;
  }
};

/// Returns the axis of `tid.x` and the like, and takes it from the name.
std::optional<int64_t> takeAxis(StringRef &name) {
  if (name.size() < 2 || name[name.size() - 2] != '.') return std::nullopt;
  const int64_t axis = name.back() - 'x';
  if (axis < 0 || axis > 2) return std::nullopt;
  name = name.drop_back(2);
  return axis;
}

/// Returns the sides that old files name: `reqntid` or `maxntid`.
std::optional<Sides> annotatedBlock(const llvm::Function &function,
                                    StringRef name) {
  const auto *all = function.getParent()->getNamedMetadata("nvvm.annotations");
  if (!all) return std::nullopt;
  std::optional<Sides> sides;
  for (const llvm::MDNode *node : all->operands()) {
    const auto *of =
        node->getNumOperands()
            ? llvm::dyn_cast_or_null<llvm::ValueAsMetadata>(node->getOperand(0))
            : nullptr;
    if (!of || of->getValue() != &function) continue;
    for (unsigned k = 1; k + 1 < node->getNumOperands(); k += 2) {
      const auto *word =
          llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(k));
      const auto *value = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(
          node->getOperand(k + 1));
      if (!word || !value) continue;
      StringRef key = word->getString();
      if (!key.consume_front(name) || key.size() != 1) continue;
      const int64_t axis = key[0] - 'x';
      if (axis < 0 || axis > 2 || value->getSExtValue() < 1) continue;
      if (!sides) sides = {1, 1, 1};
      (*sides)[axis] = value->getSExtValue();
    }
  }
  return sides;
}

}  // namespace

CompiledLaunch launchOf(const llvm::Function &function) {
  CompiledLaunch launch;
  ReadNumbers threads, blocks;
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &each : block) {
      const auto *call = llvm::dyn_cast<llvm::CallInst>(&each);
      if (!call) continue;
      StringRef name;
      if (const auto *text =
              llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())) {
        const StringRef code = text->getAsmString().trim(" \t\n;");
        const size_t at = code.find('%');
        if (at == StringRef::npos || !code.starts_with("mov")) continue;
        name = code.substr(at).ltrim("%");
      } else if (const llvm::Function *callee = call->getCalledFunction()) {
        name = callee->getName();
        if (!name.consume_front("llvm.nvvm.read.ptx.sreg."))
          name.consume_front("llvm.amdgcn.");
      }
      const auto axis = takeAxis(name);
      if (!axis) continue;
      if (name == "tid" || name == "workitem.id") threads.add(*axis, *call);
      if (name == "ctaid" || name == "workgroup.id") blocks.add(*axis, *call);
    }
  launch.block =
      sidesOf(function.getFnAttribute("nvvm.reqntid").getValueAsString());
  if (!launch.block) launch.block = annotatedBlock(function, "reqntid");
  launch.isBlockRequired = launch.block.has_value();
  auto most =
      sidesOf(function.getFnAttribute("nvvm.maxntid").getValueAsString());
  if (!most) most = annotatedBlock(function, "maxntid");
  if (most && (*most)[0] <= 1024 && (*most)[1] <= 1024 && (*most)[2] <= 1024)
    launch.mostThreads = (*most)[0] * (*most)[1] * (*most)[2];
  const StringRef group =
      function.getFnAttribute("amdgpu-flat-work-group-size").getValueAsString();
  if (const auto range = sidesOf(group)) {
    launch.leastThreads = (*range)[0];
    launch.mostThreads = (*range)[1];
    if (!launch.block && (*range)[0] == (*range)[1])
      launch.block = {(*range)[0], 1, 1};
  }
  // Ranges are those of the launch, or all of them are the machine's.
  if (!blocks.areOfMachine()) {
    if (!launch.block) launch.block = threads.sides();
    launch.grid = blocks.sides();
  }
  // Wavefronts of GFX10 and later have 32 lanes unless the kernel says 64.
  if (StringRef(function.getParent()->getTargetTriple().str())
          .starts_with("amdgcn")) {
    const StringRef features =
        function.getFnAttribute("target-features").getValueAsString();
    launch.lanes = features.contains("+wavefrontsize32") ? 32 : 64;
  }
  return launch;
}

absl::Status setLaunch(const llvm::Function &function,
                       const kernels::ReadOptions &options, const Place &place,
                       kernels::TritonKernel &kernel) {
  const CompiledLaunch launch = launchOf(function);
  kernel.lanes = launch.lanes;
  if (options.block)
    kernel.block = options.block;
  else if (launch.block)
    kernel.block = launch.block;
  else if (options.warps)
    kernel.block = {*options.warps * kernel.lanes, 1, 1};
  else
    return errorAt(place,
                   absl::StrCat("the kernel `", kernel.function,
                                "` does not say how many threads a block "
                                "has; --block=X[,Y[,Z]] gives them"));
  int64_t threads = 1;
  for (int64_t side : *kernel.block) {
    if (side < 1 || side > 1024 || threads * side > 1024)
      return errorAt({}, "a block has from 1 to 1024 threads");
    threads *= side;
  }
  const auto otherBlock = [&](const std::string &own) {
    return errorAt(place, absl::StrCat("the kernel `", kernel.function,
                                       "` is compiled for blocks of ", own,
                                       " threads, and --block says ",
                                       absl::StrJoin(*kernel.block, " x ")));
  };
  if (options.block && launch.isBlockRequired && kernel.block != launch.block)
    return otherBlock(absl::StrJoin(*launch.block, " x "));
  if (options.block && threads > launch.mostThreads)
    return otherBlock(absl::StrCat("at most ", launch.mostThreads));
  if (options.block && threads < launch.leastThreads)
    return otherBlock(absl::StrCat("at least ", launch.leastThreads));
  if (options.grid)
    kernel.grid = *options.grid;
  else if (launch.grid)
    kernel.grid = *launch.grid;
  else
    return errorAt(place,
                   absl::StrCat("the kernel `", kernel.function,
                                "` does not say how many blocks there are; "
                                "--grid=X[,Y[,Z]] gives them"));
  for (int64_t programs : kernel.grid)
    if (programs < 1 || programs > INT32_MAX)
      return errorAt({},
                     "a grid has from 1 to 2147483647 programs along each "
                     "axis");
  return absl::OkStatus();
}

void putLaunch(llvm::Function &function, const kernels::TritonKernel &kernel,
               llvm::function_ref<void(llvm::Instruction &)> remove) {
  putHiddenLaunch(function, kernel, remove);
  for (llvm::Argument &argument : function.args()) {
    const auto &value = kernel.arguments[argument.getArgNo()].value;
    if (value && argument.getType()->isIntegerTy())
      argument.replaceAllUsesWith(llvm::ConstantInt::get(
          argument.getType(),
          llvm::APInt(argument.getType()->getIntegerBitWidth(),
                      static_cast<uint64_t>(*value), /*isSigned=*/true,
                      /*implicitTrunc=*/true)));
  }
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &each : block) {
      const auto *call = llvm::dyn_cast<llvm::CallInst>(&each);
      const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !each.getType()->isIntegerTy()) continue;
      StringRef name = callee->getName();
      if (!name.consume_front("llvm.nvvm.read.ptx.sreg.")) continue;
      std::optional<int64_t> value;
      if (name == "warpsize") value = kernel.lanes;
      if (const auto axis = takeAxis(name)) {
        if (name == "ntid") value = (*kernel.block)[*axis];
        if (name == "nctaid") value = kernel.grid[*axis];
      }
      if (value)
        each.replaceAllUsesWith(llvm::ConstantInt::get(each.getType(), *value));
    }
}

void addArguments(const llvm::Function &function,
                  kernels::TritonKernel &kernel) {
  for (const llvm::Argument &argument : function.args()) {
    kernels::KernelArgument made;
    made.name = argument.hasName() ? argument.getName().str()
                                   : absl::StrCat("arg", argument.getArgNo());
    llvm::raw_string_ostream(made.type) << *argument.getType();
    made.isPointer = argument.getType()->isPointerTy() &&
                     !argument.hasByValAttr() && !argument.hasByRefAttr();
    if (argument.getType()->isIntegerTy())
      made.elementBits = argument.getType()->getIntegerBitWidth();
    made.isFloat = argument.getType()->isFloatingPointTy();
    if (made.isPointer) {
      made.elementBits = 8;
      if (const uint64_t bytes = argument.getDereferenceableBytes();
          bytes > 0 && bytes < uint64_t{1} << 62)
        made.bytes = static_cast<int64_t>(bytes);
      if (const auto align = argument.getParamAlign())
        made.divisibility = static_cast<int64_t>(align->value());
    }
    kernel.arguments.push_back(std::move(made));
  }
}

}  // namespace indexical::compiled
