#include "indexical/answers/report/triton_kernels.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include "indexical/answers/inputs/kernel_input.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/address.h"
#include "indexical/ops/families.h"

namespace indexical {
namespace {

using kernels::AccessKind;
using kernels::KernelAccess;
using kernels::KernelSource;
using llvm::StringRef;

/// Returns the text, which lives as long as the program.
StringRef kept(Program &program, std::string text) {
  return program.keptStrings.emplace_back(std::move(text));
}

/// Returns the frame of the access: its own frames inside the frame that calls
/// the kernel, or that frame alone.
int32_t frameOf(const KernelAccess &access, int32_t caller, Program &program,
                Module &module) {
  int32_t frame = caller;
  for (const kernels::SourceFrame &each : llvm::reverse(access.stack)) {
    StackFrame made;
    made.file = kept(program, each.file);
    made.function = kept(program, each.function);
    made.line = static_cast<int32_t>(each.line);
    made.caller = frame;
    frame = module.frames.add(made);
  }
  return frame;
}

/// Adds a computation with an instruction for each access of the kernel, which
/// has the origin of the access. Returns its number.
ComputationId addOrigins(const kernels::TritonKernel &kernel,
                         const Metadata &call, Program &program,
                         Module &module) {
  Computation origins;
  origins.name = kept(program, "accesses of " + kernel.function);
  for (const KernelAccess &access : kernel.accesses) {
    Instruction origin;
    origin.name = kept(program, access.op);
    origin.opcode = origin.name;
    origin.shape = Shape::ofTuple({});
    origin.terminator = true;
    origin.metadata = {call.opName,
                       frameOf(access, call.frame, program, module)};
    origins.instructions.push_back(std::move(origin));
  }
  module.computations.push_back(std::move(origins));
  return ComputationId(module.computations.size() - 1);
}

//===-- A measurement -----------------------------------------------------===//

/// An instruction that calls a kernel, and the leaf of each argument.
struct KernelCall {
  ComputationId computation;
  InstructionId instruction;
  ComputationId origins;  ///< of addOrigins()
  std::vector<ArrayShape> operands, results;
  /// By the argument's number; nothing if the call has no such leaf.
  std::vector<std::optional<size_t>> operandOf, resultOf;
};

std::optional<size_t> leafOf(const std::vector<std::optional<size_t>> &leaves,
                             int64_t argument) {
  return argument >= 0 && argument < static_cast<int64_t>(leaves.size())
             ? leaves[argument]
             : std::nullopt;
}

/// Returns the array as a kernel sees it: elements one after another in memory.
ArrayShape flat(const ArrayShape &array) {
  return ArrayShape(array.type, {storedElements(array).value_or(kDynamicSize)});
}

/// Makes a measurement of a call from that of its kernel.
class CallMeasurement {
 public:
  CallMeasurement(const KernelFindings &found, const KernelCall &call)
      : found_(found), call_(call) {}

  Measurement make() {
    Kernel &kernel = made_.kernel;
    static_cast<KernelAccesses &>(kernel) = found_.traffic.measured;
    made_.traffic = found_.traffic.traffic;
    made_.time = found_.time;
    made_.demand = found_.demand;
    kernel.computation = call_.computation;
    kernel.instruction = call_.instruction;
    kernel.complete = !found_.kernel.incomplete;
    kernel.model = LaunchModel::Own;
    kernel.emitter = Emitter::Triton;
    kernel.grid = Grid();
    kernel.grid->blocks = found_.kernel.grid;
    kernel.grid->threads[0] =
        found_.kernel.lanes * found_.kernel.warps.value_or(1);
    kernel.buffers.clear();
    kernel.operandLeaves = call_.operands.size() + call_.results.size();
    for (const auto *leaves :
         {&call_.operands, &call_.results, &call_.results, &call_.operands})
      for (const ArrayShape &leaf : *leaves)
        kernel.buffers.push_back(flat(leaf));
    for (size_t i = 0; i < found_.kernel.accesses.size(); ++i)
      kernel.users.push_back({call_.origins, InstructionId(i)});
    for (auto *accesses : {&kernel.reads, &kernel.writes})
      for (MemoryAccess &access : *accesses) setBuffer(access);
    for (auto *accesses : {&made_.traffic.reads, &made_.traffic.writes})
      for (Traffic &traffic : *accesses) {
        setBuffer(traffic.access);
        const int64_t whole = bytesOf(kernel.buffers[traffic.access.buffer]);
        if (whole > 0) traffic.bytes = whole;
      }
    addUnmeasured();
    return std::move(made_);
  }

 private:
  bool isRead(size_t number) const {
    return found_.kernel.accesses[number].kind == AccessKind::Load;
  }

  /// Returns the number of the access's buffer.
  size_t bufferOf(size_t number) {
    const int64_t argument = found_.kernel.accesses[number].argument();
    const auto operand = leafOf(call_.operandOf, argument);
    const auto result = leafOf(call_.resultOf, argument);
    const size_t operands = call_.operands.size();
    const size_t results = call_.results.size();
    if (isRead(number)) {
      if (operand) return *operand;
      if (result) return operands + *result;
    } else {
      if (result) return operands + results + *result;
      if (operand) return operands + 2 * results + *operand;
    }
    return unknownBuffer();
  }

  /// Returns the buffer of accesses that may touch several arguments.
  size_t unknownBuffer() {
    if (!unknown_) {
      unknown_ = made_.kernel.buffers.size();
      made_.kernel.buffers.push_back(
          ArrayShape(ElementType::Unknown, {kDynamicSize}));
    }
    return *unknown_;
  }

  /// Sets the buffer and the map, whose results are the number of the element
  /// in the buffer.
  void setBuffer(MemoryAccess &access) {
    const auto number = static_cast<size_t>(access.place);
    access.buffer = bufferOf(number);
    access.map = IndexingRelation();
    for (const kernels::PointerMap &map : found_.kernel.accesses[number].maps)
      access.map.add(map.map);
  }

  /// Adds the accesses that have no figures: the bytes of their arrays.
  void addUnmeasured() {
    for (auto [i, measured] : llvm::enumerate(found_.traffic.accesses)) {
      if (measured.traffic || measured.reason.empty()) continue;
      Traffic traffic;
      traffic.access.launch = made_.kernel.launches.size();  // none
      traffic.access.place = static_cast<int64_t>(i);
      setBuffer(traffic.access);
      traffic.bytes = bytesOf(made_.kernel.buffers[traffic.access.buffer]);
      traffic.why.status = absl::UnimplementedError(measured.reason);
      (isRead(i) ? made_.kernel.reads : made_.kernel.writes)
          .push_back(traffic.access);
      (isRead(i) ? made_.traffic.reads : made_.traffic.writes)
          .push_back(std::move(traffic));
    }
  }

  const KernelFindings &found_;
  const KernelCall &call_;
  Measurement made_;
  std::optional<size_t> unknown_;
};

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
                       CallMeasurement(*found, call).make());
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
            std::make_shared<Measurement>(CallMeasurement(found, call).make())};
  }

 private:
  static bool isStoredTo(const kernels::TritonKernel &kernel, size_t number) {
    return llvm::any_of(kernel.accesses, [&](const KernelAccess &access) {
      return access.kind != AccessKind::Load &&
             access.argument() == static_cast<int64_t>(number);
    });
  }

  void addParameter(const kernels::KernelArgument &argument,
                    const std::optional<ArrayShape> &shape,
                    Computation &computation) {
    NullaryOp op;
    op.parameter = static_cast<int64_t>(computation.instructions.size());
    op.opKind = kindOf<NullaryOp>("parameter");
    ArrayShape array(elementTypeOf(argument.type), {});
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
    called.opcode = "tt.func";
    called.place = source.place;
    // Kernels are alike if these fields are equal.
    called.customCallTarget = "tt.func";
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

absl::StatusOr<TritonProgram> readTritonProgram(const Input &input,
                                                const KernelQuestion &question,
                                                const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(auto sources, kernelsIn(input, ask.messages));
  TritonProgram made;
  ModuleOfKernels module(made.program, input);
  INDEXICAL_ASSIGN_OR_RETURN(
      made.failed, findEach(
                       sources, ask,
                       [&](const KernelSource &source) {
                         return measureKernel(source, question, ask.budget);
                       },
                       [&](const KernelSource &source, KernelFindings found) {
                         made.kernels.push_back(module.add(source, found));
                         return absl::OkStatus();
                       }));
  for (KernelCost &kernel : made.kernels) kernel.device = &question.on();
  shareTime(made.kernels);
  return made;
}

}  // namespace indexical
