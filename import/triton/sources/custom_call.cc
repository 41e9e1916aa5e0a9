#include "indexical/import/triton/sources/custom_call.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"

#include "indexical/import/wire/decompress.h"
#include "indexical/import/wire/fields.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::kernels {
namespace {

using llvm::StringRef;

/// A kernel's text is at most so large.
constexpr size_t kMostBytes = size_t{1} << 28;

absl::Status damaged() {
  return absl::InvalidArgumentError(
      "the bytes of its backend_config are damaged, or not whole");
}

/// A parameter of a launch: an array, or the bits of a number.
struct Parameter {
  bool isArray = false;
  std::optional<int64_t> value;
};

/// TritonKernelCall.Parameter: 1 an array, 2 to 6 integers, 7 and 8 floats.
absl::StatusOr<Parameter> readParameter(StringRef bytes) {
  Parameter parameter;
  WireFields fields(bytes);
  while (fields.next()) {
    if (fields.number() == 1) parameter.isArray = true;
    if (fields.number() == 3 || fields.number() == 4)
      parameter.value = static_cast<int32_t>(fields.value());
    if (fields.number() == 2 || fields.number() == 5 || fields.number() == 6)
      parameter.value = fields.integer();
  }
  if (fields.isDamaged()) return damaged();
  return parameter;
}

/// TritonKernel: 1 the function, 2 the warps, 5 the TTIR.
absl::Status readKernel(StringRef bytes, KernelSource &source) {
  WireFields fields(bytes);
  while (fields.next()) {
    if (fields.number() == 1) source.read.function = fields.bytes().str();
    if (fields.number() == 2) source.read.warps = fields.integer();
    if (fields.number() == 5) source.text = fields.bytes().str();
  }
  return fields.isDamaged() ? damaged() : absl::OkStatus();
}

/// TritonKernelCall: 1 the kernel, 2 to 4 the grid, 5 its parameters. A number
/// that is 0 is not written.
absl::StatusOr<KernelSource> readKernelCall(StringRef bytes) {
  KernelSource source;
  std::array<int64_t, 3> grid = {0, 0, 0};
  int64_t argument = 0;
  WireFields fields(bytes);
  while (fields.next()) {
    const uint32_t number = fields.number();
    if (number == 1) {
      INDEXICAL_RETURN_IF_ERROR(readKernel(fields.bytes(), source));
    } else if (number >= 2 && number <= 4) {
      grid[number - 2] = fields.integer();
    } else if (number == 5) {
      INDEXICAL_ASSIGN_OR_RETURN(const auto parameter,
                                 readParameter(fields.bytes()));
      if (!parameter.isArray && parameter.value)
        source.read.arguments.push_back(
            {std::to_string(argument), *parameter.value});
      ++argument;
    }
  }
  if (fields.isDamaged()) return damaged();
  source.read.grid = grid;
  return source;
}

/// TritonAutotunedKernelCall: 2 its choices, each with the call in 1.
absl::Status readChoices(StringRef bytes, std::vector<KernelSource> &sources) {
  WireFields fields(bytes);
  while (fields.next()) {
    if (fields.number() != 2) continue;
    WireFields choice(fields.bytes());
    while (choice.next()) {
      if (choice.number() != 1) continue;
      INDEXICAL_ASSIGN_OR_RETURN(auto source, readKernelCall(choice.bytes()));
      sources.push_back(std::move(source));
    }
    if (choice.isDamaged()) return damaged();
  }
  return fields.isDamaged() ? damaged() : absl::OkStatus();
}

/// TritonAnyKernelCall: 1 a call, 2 one with choices.
absl::StatusOr<std::vector<KernelSource>> readAnyCall(StringRef bytes) {
  std::vector<KernelSource> sources;
  WireFields fields(bytes);
  while (fields.next()) {
    if (fields.number() == 1) {
      INDEXICAL_ASSIGN_OR_RETURN(auto source, readKernelCall(fields.bytes()));
      sources.push_back(std::move(source));
    } else if (fields.number() == 2) {
      INDEXICAL_RETURN_IF_ERROR(readChoices(fields.bytes(), sources));
    }
  }
  if (fields.isDamaged()) return damaged();
  return sources;
}

/// The kernel of a dictionary with `ir`, and its launch.
KernelSource readDictionary(mlir::DictionaryAttr config) {
  auto number = [&](const char *key) -> std::optional<int64_t> {
    const auto value = config.getAs<mlir::IntegerAttr>(key);
    return value ? value.getValue().trySExtValue() : std::nullopt;
  };
  KernelSource source;
  source.text = config.getAs<mlir::StringAttr>("ir").getValue().str();
  if (const auto name = config.getAs<mlir::StringAttr>("name"))
    source.read.function = name.getValue().str();
  source.read.warps = number("num_warps");
  source.read.grid = {number("grid_x").value_or(1),
                      number("grid_y").value_or(1),
                      number("grid_z").value_or(1)};
  return source;
}

/// The bytes of a call, or the kernels of a dictionary that holds them as text.
struct CallContent {
  std::string bytes;
  std::vector<KernelSource> kernels;
};

absl::StatusOr<CallContent> contentOf(StringRef config) {
  CallContent content;
  if (!config.ltrim().starts_with("{")) {
    content.bytes = config.str();
    return content;
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) {});
  const auto dictionary = llvm::dyn_cast_or_null<mlir::DictionaryAttr>(
      mlir::parseAttribute(config, &context));
  if (!dictionary)
    return absl::InvalidArgumentError("its backend_config is not a "
                                      "dictionary");
  if (const auto opaque = dictionary.getAs<mlir::StringAttr>("opaque"))
    content.bytes = opaque.getValue().str();
  else if (dictionary.getAs<mlir::StringAttr>("ir"))
    content.kernels.push_back(readDictionary(dictionary));
  return content;
}

}  // namespace

bool isTritonTarget(StringRef target) {
  return target == "triton_kernel_call" || target == "triton_kernel_call_ffi" ||
         target == "__gpu$xla.gpu.triton";
}

absl::StatusOr<std::vector<KernelSource>> kernelsOfCall(
    StringRef config, llvm::ArrayRef<ArrayShape> arrays) {
  INDEXICAL_ASSIGN_OR_RETURN(auto content, contentOf(config));
  std::vector<KernelSource> kernels = std::move(content.kernels);
  if (kernels.empty()) {
    if (isZlib(content.bytes)) {
      auto plain = inflateZlib(content.bytes, kMostBytes);
      if (!plain.ok()) return damaged();
      content.bytes = *std::move(plain);
    }
    INDEXICAL_ASSIGN_OR_RETURN(kernels, readAnyCall(content.bytes));
  }
  llvm::erase_if(kernels, [](const KernelSource &k) { return k.text.empty(); });
  if (kernels.empty())
    return absl::InvalidArgumentError(
        "its backend_config holds no text of a kernel");
  for (KernelSource &kernel : kernels) {
    // Arrays are the arguments that have no value.
    int64_t argument = 0;
    for (const ArrayShape &array : arrays) {
      while (llvm::any_of(kernel.read.arguments, [&](const auto &named) {
        return named.first == std::to_string(argument);
      }))
        ++argument;
      kernel.shapes.push_back({argument++, array});
    }
  }
  return kernels;
}

}  // namespace indexical::kernels
