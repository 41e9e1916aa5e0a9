#include "indexical/answers/inputs/kernel_input.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include "indexical/answers/inputs/bytecode.h"
#include "indexical/answers/inputs/foreign.h"
#include "indexical/answers/inputs/read_program.h"
#include "indexical/import/llvm/read.h"
#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/triton/sources/configuration_text.h"
#include "indexical/import/triton/sources/custom_call.h"
#include "indexical/import/triton/sources/tritonparse.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/shape.h"

namespace indexical {
namespace {

using kernels::KernelSource;

absl::StatusOr<std::vector<KernelSource>> kernelsInRecord(const Input &input,
                                                          Messages &messages) {
  INDEXICAL_ASSIGN_OR_RETURN(auto record, kernels::readTritonparse(input.text));
  for (const Place &place : record.launchesOfUnknown)
    messages.warning(place,
                     "this launch is left out: the record does not have the "
                     "compilation of its kernel");
  if (record.kernels.empty()) return errorAt({}, "the record holds no kernel");
  return std::move(record.kernels);
}

/// A kernel each. The text of one has the others without their bodies, so that
/// lines stay and little is read twice.
absl::StatusOr<std::vector<KernelSource>> kernelsInLlvm(const Input &input) {
  INDEXICAL_ASSIGN_OR_RETURN(const Input read, withTextOfBitcode(input));
  const llvm::StringRef text(read.text);
  INDEXICAL_ASSIGN_OR_RETURN(const auto names, kernels::llvmKernelsIn(text));
  std::vector<KernelSource> all;
  for (const std::string &name : names) {
    KernelSource source;
    source.text = kernels::llvmTextOf(text, name, names);
    source.read.path = input.path;
    source.read.function = name;
    all.push_back(std::move(source));
  }
  if (all.empty())
    return errorAt({},
                   "the module has no kernel: no function of a GPU's calling "
                   "convention, and none that `nvvm.annotations` names");
  return all;
}

/// Those that are refused have no text, and are among them.
absl::StatusOr<std::vector<KernelSource>> kernelsInPython(
    const Input &input, python::PythonOptions options) {
  options.path = input.path;
  INDEXICAL_ASSIGN_OR_RETURN(auto kernels,
                             python::readPython(input.text, options));
  std::vector<KernelSource> all;
  for (python::PythonKernel &kernel : kernels)
    all.push_back(
        sourceOfPython(std::move(kernel), input.path, input.text.shared()));
  return all;
}

/// Those of the launches, in their order.
absl::StatusOr<std::vector<KernelSource>> kernelsInOutputCode(
    const Input &input, python::PythonOptions options) {
  options.path = input.path;
  INDEXICAL_ASSIGN_OR_RETURN(auto codes,
                             python::readOutputCode(input.text, options));
  std::vector<KernelSource> all;
  for (const python::OutputCode &code : codes)
    for (const python::HostStep &step : code.steps)
      if (step.isLaunch)
        all.push_back(
            sourceOfLaunch(step, code, input.path, input.text.shared()));
  if (all.empty()) return errorAt({}, "the file launches no kernel of Triton");
  return all;
}

absl::StatusOr<std::vector<KernelSource>> kernelsInModule(const Input &input,
                                                          Messages &messages) {
  INDEXICAL_ASSIGN_OR_RETURN(auto program, readProgram(input, ReadAs()));
  std::vector<KernelSource> all;
  for (const Module &module : program.modules)
    for (const Computation &computation : module.computations)
      for (size_t i = 0; i < computation.instructions.size(); ++i) {
        auto found = kernelsOf(computation, InstructionId(i));
        if (!found.ok()) {
          messages.warning(computation.instructions[i].place,
                           absl::StrCat("this custom call is left out: ",
                                        std::string(found.status().message())));
          continue;
        }
        for (KernelSource &source : *found) all.push_back(std::move(source));
      }
  if (all.empty())
    return errorAt({}, "the module has no custom call with a kernel of Triton");
  return all;
}

/// Returns the warps of a program by what Triton's cache says of a kernel: the
/// file of the same name that ends in `.json`, with `"num_warps": 4`.
std::optional<int64_t> warpsBeside(llvm::StringRef path) {
  constexpr size_t kMostBytes = 1 << 20;
  constexpr llvm::StringLiteral kKey("\"num_warps\"");
  if (!path.consume_back(".gz")) path.consume_back(".zst");
  if (!path.consume_back(".ttir") && !path.consume_back(".ttgir"))
    return std::nullopt;
  const std::string file = path.str() + ".json";
  if (!llvm::sys::fs::is_regular_file(file)) return std::nullopt;
  const auto input = readInput(file);
  if (!input.ok()) return std::nullopt;
  llvm::StringRef text(input->text);
  const size_t at = text.take_front(kMostBytes).find(kKey);
  if (at == llvm::StringRef::npos) return std::nullopt;
  text = text.drop_front(at + kKey.size()).ltrim();
  int64_t warps = 0;
  if (!text.consume_front(":")) return std::nullopt;
  text = text.ltrim();
  if (text.consumeInteger(10, warps) || warps < 1 || warps > 64)
    return std::nullopt;
  return warps;
}

}  // namespace

bool holdsKernels(const Input &input) {
  // A module of StableHLO may quote a kernel.
  const llvm::StringRef text(input.text);
  return kernels::looksLikeLlvm(text) || kernels::looksLikeTritonparse(text) ||
         python::looksLikePython(text) || python::looksLikeOutputCode(text) ||
         (kernels::looksLikeTriton(text) && !text.contains("custom_call") &&
          !text.contains("custom-call("));
}

absl::StatusOr<Input> withTextOfBitcode(const Input &input) {
  if (!kernels::isLlvmBitcode(input.text)) return input;
  Input read = input;
  INDEXICAL_ASSIGN_OR_RETURN(read.text, textOfBytecode(input.text));
  return read;
}

absl::StatusOr<std::vector<KernelSource>> kernelsIn(
    const Input &input, Messages &messages,
    const python::PythonOptions &python) {
  const llvm::StringRef text(input.text);
  if (kernels::looksLikeTritonparse(text))
    return kernelsInRecord(input, messages);
  if (kernels::looksLikeLlvm(text)) return kernelsInLlvm(input);
  if (python::looksLikeOutputCode(text))
    return kernelsInOutputCode(input, python);
  if (python::looksLikePython(text)) return kernelsInPython(input, python);
  if (holdsKernels(input)) {
    KernelSource source;
    source.text = text.str();
    source.read.path = input.path;
    source.read.warps = warpsBeside(input.path);
    return std::vector<KernelSource>{std::move(source)};
  }
  if (text.contains("custom_call") || text.contains("custom-call"))
    return kernelsInModule(input, messages);
  if (const auto foreign = foreignFile(text))
    return absl::InvalidArgumentError(*foreign);
  if (isMlirBytecode(text))
    return errorAt({},
                   "bytecode of Triton's IR loses the attributes of its ops; "
                   "the text can be read");
  return errorAt({},
                 "the file holds no kernel of Triton: no `tt.func`, no event "
                 "of tritonparse, and no custom call; `report` and "
                 "`coalescing` take the kernels of a module");
}

KernelSource sourceOfPython(python::PythonKernel kernel, llvm::StringRef path,
                            std::shared_ptr<const std::string> text) {
  KernelSource source;
  source.text = std::move(kernel.ttir);
  source.read.function = kernel.name;
  source.read.madeOf = path.str();
  source.read.warps = kernel.warps;
  kernels::WrittenKernel &written = source.written.emplace();
  written.text = std::move(text);
  written.place = kernel.place;
  if (kernel.refusal) written.refusal = kernel.refusal->status();
  written.taken = std::move(kernel.taken);
  written.parameters = std::move(kernel.parameters);
  written.constants = std::move(kernel.constants);
  written.sizes = std::move(kernel.sizes);
  written.config = std::move(kernel.config);
  written.configNumber = kernel.configNumber;
  written.grid = std::move(kernel.grid);
  return source;
}

std::optional<int64_t> elementsOf(const python::OutputCode &code,
                                  const python::HostTensor &array) {
  const python::HostTensor &whole = code.memories[array.memory].first;
  const auto type = parseElementType(array.element);
  const auto own = parseElementType(whole.element);
  if (!whole.isKnown || !type || !own) return std::nullopt;
  const int64_t bits = std::max<int64_t>(8, bitsOf(*own));
  const auto bytes = checkedMul(whole.extent(), bits / 8);
  if (!bytes || *bytes < array.offset) return std::nullopt;
  return (*bytes - array.offset) / (std::max<int64_t>(8, bitsOf(*type)) / 8);
}

KernelSource sourceOfLaunch(const python::HostStep &launch,
                            const python::OutputCode &code,
                            llvm::StringRef path,
                            std::shared_ptr<const std::string> text) {
  KernelSource source = sourceOfPython(*launch.kernel, path, std::move(text));
  source.read.arguments = launch.arguments;
  // Constants are no arguments any more.
  std::vector<std::string> arguments;
  const auto &constants = source.written->constants;
  for (const std::string &parameter : source.written->parameters)
    if (llvm::none_of(constants, [&](const auto &constant) {
          return constant.first == parameter;
        }))
      arguments.push_back(parameter);
  llvm::erase_if(source.read.arguments, [&](const auto &argument) {
    return !llvm::is_contained(arguments, argument.first);
  });
  if (launch.grid) {
    source.read.grid = launch.grid;
    source.written->grid.clear();
    for (int64_t side : *launch.grid)
      source.written->grid.push_back(kernels::SizeTerm::of(side));
  }
  for (const auto &[parameter, array] : launch.arrays) {
    const auto at = llvm::find(arguments, parameter);
    const auto type = parseElementType(array.element);
    const auto elements = elementsOf(code, array);
    if (at == arguments.end() || !type || !elements) continue;
    source.shapes.push_back(
        {at - arguments.begin(), ArrayShape(*type, {*elements})});
  }
  return source;
}

absl::StatusOr<std::vector<KernelSource>> kernelsOf(
    const Computation &computation, InstructionId number) {
  const Instruction &instruction = computation.instructions[number];
  if (!kernels::isTritonTarget(instruction.customCallTarget))
    return std::vector<KernelSource>();
  std::vector<ArrayShape> arrays;
  const OpShapes &shapes = shapesOf(instruction.op);
  for (const ShapeList *list : {&shapes.operands, &shapes.results})
    for (const ArrayShape &array : *list) arrays.push_back(array);
  INDEXICAL_ASSIGN_OR_RETURN(
      auto found, kernels::kernelsOfCall(
                      configurationText(instruction.backendConfig), arrays));
  for (KernelSource &source : found) {
    source.instruction = instruction.name.str();
    source.place = instruction.place;
  }
  return found;
}

}  // namespace indexical
