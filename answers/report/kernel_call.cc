#include "indexical/answers/report/kernel_call.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/address.h"

namespace indexical {
namespace {

using kernels::AccessKind;
using kernels::KernelAccess;

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

}  // namespace

llvm::StringRef kept(Program &program, std::string text) {
  return program.keptStrings.emplace_back(std::move(text));
}

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

namespace {

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
    kernel.model = call_.model;
    // LLVM's IR does not say which compiler wrote it.
    if (kernel.model == LaunchModel::Own)
      kernel.emitter =
          found_.kernel.form == "llvm" ? Emitter::Unknown : Emitter::Triton;
    kernel.grid.reset();
    // An open grid has names, and the kernel's numbers say nothing.
    if (found_.openGrid.empty()) {
      kernel.grid = Grid();
      kernel.grid->blocks = found_.kernel.grid;
      kernel.grid->threads = kernels::blockOf(found_.kernel);
    }
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
    const int64_t argument = found_.kernel.accesses[number].namedArgument();
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

}  // namespace

Measurement measurementOf(const KernelFindings &found, const KernelCall &call) {
  return CallMeasurement(found, call).make();
}

}  // namespace indexical
