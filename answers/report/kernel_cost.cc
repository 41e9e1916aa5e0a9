#include "indexical/answers/report/kernel_cost.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include "indexical/ops/families.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/module/callees.h"

namespace indexical {

using llvm::StringRef;

//===-- Measuring ---------------------------------------------------------===//

KernelCost costOf(const Module &module, size_t number, Kernel kernel,
                  TrafficMeter &meter, ReuseMeter &reuse) {
  auto of = std::make_shared<Measurement>();
  of->kernel = std::move(kernel);
  of->traffic = meter.measure(of->kernel);
  of->demand = demandOf(module, of->kernel, of->traffic, reuse);
  if (of->demand) of->time = predictedTime(*of->demand, meter.device());
  const ComputationId computation = of->kernel.computation;
  const InstructionId instruction = of->kernel.instruction;
  return {number, computation, instruction, std::move(of)};
}

void shareTime(std::vector<KernelCost> &kernels) {
  std::vector<double> whole;
  for (const KernelCost &kernel : kernels) {
    if (whole.size() <= kernel.module) whole.resize(kernel.module + 1);
    if (!kernel.isAlternative) whole[kernel.module] += kernel.allTrips();
  }
  for (KernelCost &kernel : kernels)
    if (kernel.time() && !kernel.isAlternative && whole[kernel.module] > 0)
      kernel.share = kernel.allTrips() / whole[kernel.module];
}

//===-- Names -------------------------------------------------------------===//

const Module &KernelNames::moduleOf(const KernelCost &kernel) const {
  return program.modules[kernel.module];
}

StringRef KernelNames::fileOf(const KernelCost &kernel) const {
  return kernel.module < files.size() ? StringRef(files[kernel.module])
                                      : StringRef(program.path);
}

const Computation &KernelNames::computationOf(const KernelCost &kernel) const {
  return moduleOf(kernel).computations[kernel.computation];
}

const Instruction &KernelNames::instructionOf(const KernelCost &kernel) const {
  return computationOf(kernel).instructions[kernel.instruction];
}

OperandLeaf KernelOperands::leaf(const Computation &computation,
                                 InstructionId kernel, LeafId number) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return lists_.try_emplace(&computation, computation)
      .first->second.leaf(kernel, number);
}

OperandLeaf KernelNames::operandOf(const KernelCost &kernel,
                                   const Traffic &read) const {
  const Computation &computation = computationOf(kernel);
  const LeafId number = kernel.kernel().leafOf(read.access);
  return operands ? operands->leaf(computation, kernel.instruction, number)
                  : computation.operandLeaf(kernel.instruction, number);
}

StringRef KernelNames::arrayOf(const KernelCost &kernel, const Traffic &traffic,
                               bool isRead) const {
  if (!isRead) return instructionOf(kernel).name;
  const OperandLeaf of = operandOf(kernel, traffic);
  return of.instruction < 0
             ? ""
             : computationOf(kernel).instructions[of.instruction].name;
}

StringRef KernelNames::arrayOf(const KernelCost &kernel,
                               const ModelledArray &array) const {
  if (!array.isRead) return instructionOf(kernel).name;
  const Computation &computation = computationOf(kernel);
  const LeafId leaf(array.leaf);
  const OperandLeaf of =
      operands ? operands->leaf(computation, kernel.instruction, leaf)
               : computation.operandLeaf(kernel.instruction, leaf);
  return of.instruction < 0 ? ""
                            : computation.instructions[of.instruction].name;
}

std::string KernelNames::modelledText(const KernelCost &kernel) const {
  const auto &modelled = kernel.measurement->modelled;
  if (!modelled || !kernel.kernel().grid) return "";
  std::vector<std::string> names;
  for (const ModelledArray &array : modelled->arrays)
    names.push_back("`" + arrayOf(kernel, array).str() + "`");
  return wordsOf(*modelled, *kernel.kernel().grid, names);
}

namespace {

/// Returns the leaf behind tuples and bitcasts.
InstructionLeaf behindBitcasts(const Computation &computation,
                               InstructionLeaf leaf) {
  leaf = behindTuples(computation, leaf);
  while (computation.instructions[leaf.instruction].op.is<BitcastOp>())
    leaf = behindTuples(
        computation, {computation.instructions[leaf.instruction].operands[0]});
  return leaf;
}

/// Returns the operand whose memory the op updates, for that leaf of its
/// result.
std::optional<InstructionLeaf> updatedBy(const Instruction &instruction,
                                         LeafId leaf) {
  if (instruction.op.is<DynamicUpdateSliceOp>())
    return InstructionLeaf{instruction.operands[0]};
  if (instruction.op.is<ScatterOp>())
    return InstructionLeaf{instruction.operands[static_cast<size_t>(leaf)]};
  return std::nullopt;
}

/// Returns the array whose memory the kernel updates in place, or nothing if it
/// writes all of an array of its own.
std::optional<InstructionLeaf> updatedInPlace(const Module &module,
                                              const Computation &computation,
                                              InstructionLeaf leaf) {
  const Instruction &kernel = computation.instructions[leaf.instruction];
  const auto callee = calleeOfCall(kernel);
  if (!callee) return updatedBy(kernel, leaf.leaf);
  if (callee->computation < 0) return std::nullopt;
  const Computation &fused = module.computations[callee->computation];
  const InstructionLeaf root = behindBitcasts(fused, {fused.root, leaf.leaf});
  const auto updated =
      updatedBy(fused.instructions[root.instruction], root.leaf);
  if (!updated) return std::nullopt;
  const InstructionLeaf from = behindBitcasts(fused, *updated);
  const int32_t number = fused.instructions[from.instruction].parameterNumber;
  if (number < 0 || number >= static_cast<int64_t>(callee->arguments.size()))
    return std::nullopt;
  return InstructionLeaf{kernel.operands[callee->arguments[number]], from.leaf};
}

}  // namespace

std::string KernelNames::sourceArrayOf(const KernelCost &kernel,
                                       const Traffic &traffic,
                                       bool isRead) const {
  const Computation &computation = computationOf(kernel);
  InstructionLeaf leaf{kernel.instruction,
                       kernel.kernel().leafOf(traffic.access)};
  if (isRead) {
    const OperandLeaf of = operandOf(kernel, traffic);
    if (of.instruction < 0) return "";
    leaf = behindBitcasts(computation, {of.instruction, of.result});
  }
  // An update in place goes on with the array that it updates.
  while (const auto updated =
             updatedInPlace(moduleOf(kernel), computation, leaf))
    leaf = behindBitcasts(computation, *updated);
  const Instruction &source = computation.instructions[leaf.instruction];
  std::string name = program.modules.size() > 1
                         ? (moduleOf(kernel).name + "/").str()
                         : std::string();
  name += source.name;
  if (source.shape.leafCount() > 1)
    name += "{" + std::to_string(leaf.leaf) + "}";
  return name;
}

const Metadata &KernelNames::metadataOf(const KernelCost &kernel,
                                        const Traffic &traffic) const {
  const Kernel &of = kernel.kernel();
  const KernelUser &user = of.userOf(traffic.access);
  // For an access of the kernel itself, `of` may be an equal kernel.
  if (user.computation == of.computation && user.instruction == of.instruction)
    return instructionOf(kernel).metadata;
  const Metadata &own = moduleOf(kernel)
                            .computations[user.computation]
                            .instructions[user.instruction]
                            .metadata;
  if (!own.opName.empty() || own.frame >= 0) return own;
  return instructionOf(kernel).metadata;
}

llvm::SmallVector<StackFrame, 8> KernelNames::stackOf(
    const KernelCost &kernel, const Metadata &metadata) const {
  return moduleOf(kernel).frames.stackFrom(metadata.frame);
}

std::string KernelNames::sourceOf(const KernelCost &kernel,
                                  const Metadata &metadata) const {
  const auto stack = stackOf(kernel, metadata);
  return stack.empty() ? "" : ownFrame(stack).place();
}

std::vector<std::string> KernelNames::shapesOf(const KernelCost &kernel) const {
  std::vector<std::string> shapes;
  for (const ArrayShape &shape :
       indexical::shapesOf(instructionOf(kernel).op).results)
    shapes.push_back(shape.str(/*withLayout=*/true));
  return shapes;
}

bool areBytesKnown(const AccessRow &row) {
  const auto &buffers = row.kernel->kernel().buffers;
  return row.traffic->figures || row.traffic->bytes > 0 ||
         !hasOpenSize(buffers[row.traffic->access.buffer]);
}

}  // namespace indexical
