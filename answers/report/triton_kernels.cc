#include "indexical/answers/report/triton_kernels.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include "indexical/answers/inputs/kernel_input.h"
#include "indexical/answers/report/kernel_call.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/address.h"
#include "indexical/ops/families.h"

namespace indexical {
namespace {

using kernels::AccessKind;
using kernels::KernelAccess;
using kernels::KernelSource;
using llvm::StringRef;

/// Returns a custom call of a module. The kernel has the call's arrays in their
/// order.
KernelCall customCall(const Module &module, ComputationId computation,
                      InstructionId instruction, const KernelSource &source) {
  KernelCall call;
  call.computation = computation;
  call.instruction = instruction;
  const OpShapes &shapes =
      shapesOf(module.computations[computation].instructions[instruction].op);
  call.operands.assign(shapes.operands.begin(), shapes.operands.end());
  call.results.assign(shapes.results.begin(), shapes.results.end());
  for (auto [leaf, pair] : llvm::enumerate(source.shapes)) {
    const size_t argument = static_cast<size_t>(pair.first);
    call.operandOf.resize(std::max(call.operandOf.size(), argument + 1));
    call.resultOf.resize(call.operandOf.size());
    if (leaf < call.operands.size())
      call.operandOf[argument] = leaf;
    else
      call.resultOf[argument] = leaf - call.operands.size();
  }
  return call;
}

}  // namespace

TritonCalls::TritonCalls(Program &program, const ModuleDevices &devices,
                         const Ask &ask) {
  KernelQuestion question;
  for (size_t m = 0; m < program.modules.size(); ++m) {
    Module &module = program.modules[m];
    if (devices.first.device) question.device = &devices.of(m);
    // The new computations come behind the old ones.
    for (size_t c = 0, end = module.computations.size(); c < end; ++c)
      for (size_t i = 0; i < module.computations[c].instructions.size(); ++i) {
        const ComputationId computation(c);
        const InstructionId instruction(i);
        auto leaveOut = [&](StringRef why) {
          ask.messages.warning(
              module.computations[c].instructions[i].place,
              absl::StrCat("the kernel of this custom call is not followed: ",
                           why.str()));
        };
        auto sources = kernelsOf(module.computations[c], instruction);
        if (!sources.ok()) {
          leaveOut(std::string(sources.status().message()));
          continue;
        }
        if (sources->empty()) continue;
        if (sources->size() > 1) {
          leaveOut("the runtime chooses one of " +
                   std::to_string(sources->size()));
          continue;
        }
        auto found = measureKernel(sources->front(), question, ask.budget);
        if (!found.ok()) {
          leaveOut(std::string(found.status().message()));
          continue;
        }
        KernelCall call =
            customCall(module, computation, instruction, sources->front());
        const Metadata metadata =
            module.computations[c].instructions[i].metadata;
        call.origins = addOrigins(found->kernel, metadata, program, module);
        found_.emplace(std::tuple(m, computation, instruction),
                       measurementOf(*found, call));
      }
  }
}

std::shared_ptr<const Measurement> TritonCalls::at(
    size_t module, const KernelSite &site) const {
  const auto known =
      found_.find(std::tuple(module, site.computation, site.instruction));
  if (known == found_.end()) return nullptr;
  auto made = std::make_shared<Measurement>(known->second);
  made->kernel.trips = made->traffic.trips = site.trips;
  made->kernel.tripsKnown = site.tripsKnown;
  return made;
}

//===-- A file of kernels -------------------------------------------------===//

namespace {

/// The HLO element type of `f32`, `i32`, `!tt.ptr<bf16>`.
ElementType elementTypeOf(StringRef type) {
  type.consume_front("!");
  if (type.consume_front("tt.ptr<") || type.consume_front("ptr<"))
    type = type.take_until([](char c) { return c == ',' || c == '>'; });
  type = type.trim();
  if (type == "i1") return ElementType::Pred;
  const std::string name =
      type.starts_with("i") ? "s" + type.drop_front().str() : type.lower();
  return parseElementType(name).value_or(ElementType::Unknown);
}

/// Makes a module in which each kernel is called by a computation of its own.
class ModuleOfKernels {
 public:
  ModuleOfKernels(Program &program, const Input &input) : program_(program) {
    program.path = input.path;
    program.text = input.text.shared();
    module_ = &program.modules.emplace_back();
    module_->name =
        kept(program, llvm::sys::path::filename(input.displayName()).str());
    module_->hasHeader = true;
    module_->isScheduled = true;
  }

  KernelCost add(const KernelSource &source, const KernelFindings &found) {
    const kernels::TritonKernel &kernel = found.kernel;
    KernelCall call;
    Computation computation;
    computation.name = kept(
        program_, found.launch < 0 ? kernel.function
                                   : absl::StrCat("launch.", found.launch));
    Instruction called;
    for (auto [number, argument] : llvm::enumerate(kernel.arguments)) {
      addParameter(argument, found.arrays[number], computation);
      called.operands.push_back(InstructionId(number));
      call.operands.push_back(
          shapesOf(computation.instructions.back().op).results[0]);
      call.operandOf.push_back(number);
      call.resultOf.push_back(std::nullopt);
    }
    for (size_t number = 0; number < kernel.arguments.size(); ++number) {
      if (!isStoredTo(kernel, number)) continue;
      call.resultOf[number] = call.results.size();
      call.results.push_back(call.operands[number]);
    }
    finish(source, found, call, called);
    computation.root = InstructionId(computation.instructions.size());
    call.instruction = computation.root;
    const Metadata metadata = called.metadata;
    computation.instructions.push_back(std::move(called));
    call.computation = ComputationId(module_->computations.size());
    module_->computations.push_back(std::move(computation));
    call.origins = addOrigins(kernel, metadata, program_, *module_);
    return {0, call.computation, call.instruction,
            std::make_shared<Measurement>(measurementOf(found, call))};
  }

 private:
  static bool isStoredTo(const kernels::TritonKernel &kernel, size_t number) {
    return llvm::any_of(kernel.accesses, [&](const KernelAccess &access) {
      return access.kind != AccessKind::Load &&
             access.namedArgument() == static_cast<int64_t>(number);
    });
  }

  void addParameter(const kernels::KernelArgument &argument,
                    const std::optional<ArrayShape> &shape,
                    Computation &computation) {
    NullaryOp op;
    op.parameter = static_cast<int64_t>(computation.instructions.size());
    op.opKind = kindOf<NullaryOp>("parameter");
    ElementType type = elementTypeOf(argument.type);
    // A pointer of LLVM's IR has no type: its elements are bits.
    if (type == ElementType::Unknown && argument.isPointer)
      type = parseElementType(absl::StrCat("u", argument.elementBits))
                 .value_or(type);
    ArrayShape array(type, {});
    if (argument.isPointer) array.dimensions.push_back(kDynamicSize);
    op.results = {shape.value_or(array)};
    Instruction parameter;
    parameter.name = kept(program_, argument.name);
    parameter.opcode = "parameter";
    parameter.parameterNumber = static_cast<int32_t>(op.parameter);
    parameter.shape = Shape::ofArray(op.results[0]);
    parameter.op = Op(op);
    computation.parameters.push_back(InstructionId(parameter.parameterNumber));
    computation.instructions.push_back(std::move(parameter));
  }

  void finish(const KernelSource &source, const KernelFindings &found,
              const KernelCall &call, Instruction &called) {
    called.name = kept(program_, found.kernel.function);
    called.opcode = found.kernel.form == "llvm" ? "define" : "tt.func";
    called.place = source.place;
    // Kernels are alike if these fields are equal.
    called.customCallTarget = called.opcode;
    std::string launch = found.text;
    for (int64_t programs : found.kernel.grid)
      absl::StrAppend(&launch, " ", programs);
    absl::StrAppend(&launch, " ", found.kernel.warps.value_or(0));
    for (const kernels::KernelArgument &argument : found.kernel.arguments)
      absl::StrAppend(&launch, " ", argument.value.value_or(0));
    called.backendConfig = kept(program_, std::move(launch));
    called.metadata.opName = called.name;
    CoverOp op;
    op.opKind = kindOf<CoverOp>("custom-call");
    op.operands = ShapeList(call.operands);
    op.results = ShapeList(call.results);
    std::vector<Shape> results;
    for (const ArrayShape &result : call.results)
      results.push_back(Shape::ofArray(result));
    called.shape = results.size() == 1 ? results.front()
                                       : Shape::ofTuple(std::move(results));
    called.op = Op(op);
  }

  Program &program_;
  Module *module_;
};

}  // namespace

namespace {

/// The costs of the configurations of each kernel of a file, by their numbers
/// among `kernels`. Autotuning keeps the fastest.
class Configurations {
 public:
  void add(const KernelFindings &found, size_t number) {
    if (found.configNumber >= 0)
      ofKernel_[{found.kernel.function, found.launch}].push_back(number);
  }
  /// Leaves one of each kernel in the sums: the fastest, or the first if no
  /// time is known.
  void choose(std::vector<KernelCost> &kernels) const {
    for (const auto &[kernel, numbers] : ofKernel_) {
      size_t chosen = numbers.front();
      for (size_t number : numbers) {
        const auto &time = kernels[number].time();
        const auto &best = kernels[chosen].time();
        if (time && (!best || time->total() < best->total())) chosen = number;
      }
      for (size_t number : numbers)
        kernels[number].isAlternative = number != chosen;
    }
  }

 private:
  std::map<std::pair<std::string, int64_t>, std::vector<size_t>> ofKernel_;
};

/// Says of a text in Python where its sizes and its grid come from.
void noteSizes(const Input &input, const Ask &ask) {
  if (!python::looksLikePython(input.text)) return;
  ask.messages.note(
      {},
      "a text in Python does not say its sizes: --grid, --arg, --shape and "
      "--const do, and `kernel` answers for all sizes; of torch.compile, give "
      "the output_code.py of TORCH_COMPILE_DEBUG=1, which has them");
}

}  // namespace

absl::StatusOr<TritonProgram> readTritonProgram(const Input &input,
                                                const KernelQuestion &question,
                                                const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(auto sources,
                             kernelsAsked(input, question, ask.messages));
  TritonProgram made;
  ModuleOfKernels module(made.program, input);
  Configurations configurations;
  const auto failed = findEach(
      sources, ask,
      [&](const KernelSource &source) {
        return measureKernel(source, question, ask.budget);
      },
      [&](const KernelSource &source, KernelFindings found) {
        configurations.add(found, made.kernels.size());
        made.kernels.push_back(module.add(source, found));
        return absl::OkStatus();
      });
  if (!failed.ok()) noteSizes(input, ask);
  INDEXICAL_ASSIGN_OR_RETURN(made.failed, failed);
  for (KernelCost &kernel : made.kernels) kernel.device = &question.on();
  configurations.choose(made.kernels);
  shareTime(made.kernels);
  if (llvm::any_of(made.kernels,
                   [](const KernelCost &kernel) { return !kernel.time(); }))
    noteSizes(input, ask);
  return made;
}

}  // namespace indexical
