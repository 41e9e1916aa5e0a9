#include "tests/import/stablehlo/lower/run_lowered.h"

#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Pass/PassManager.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/lower/lower_to_affine.h"

namespace indexical::testing {
namespace {

/// Returns the module with its ops lowered. If they are not lowered, the test
/// fails, and the text is "".
std::string lowered(const std::string &text) {
  auto file = parseMlir(text);
  EXPECT_TRUE(file.ok()) << file.status() << "\n" << text;
  if (!file.ok()) return "";
  mlir::ModuleOp module = *file->modules[0].module;
  mlir::PassManager passes(file->context.get());
  passes.addPass(createLowerToAffinePass());
  const bool isLowered = mlir::succeeded(passes.run(module));
  EXPECT_TRUE(isLowered) << text;
  if (!isLowered) return "";
  std::string code;
  llvm::raw_string_ostream out(code);
  for (mlir::Operation &op : *module.getBody()) {
    // No tensor is left.
    op.walk([&](mlir::Operation *inner) {
      for (mlir::Type type : inner->getResultTypes())
        EXPECT_FALSE(llvm::isa<mlir::TensorType>(type)) << text;
    });
    op.print(out);
    out << "\n";
  }
  return code;
}

/// Calls the program on its arguments and prints each result on a line.
std::string callOf(const TensorProgram &program) {
  const std::string &name = program.name;
  std::string globals, body = "func.func @run_" + name + "() {\n";
  std::string names, types;
  auto hand = [&](const std::string &value, const std::string &type) {
    names += (names.empty() ? "" : ", ") + value;
    types += (types.empty() ? "" : ", ") + type;
  };
  for (auto [i, argument] : llvm::enumerate(program.arguments)) {
    const std::string symbol = name + "_a" + std::to_string(i);
    const std::string type = argument.memref();
    globals += "memref.global \"private\" constant @" + symbol + " : " + type +
               " = " + argument.dense() + "\n";
    const std::string value = "%a" + std::to_string(i);
    body +=
        "  " + value + " = memref.get_global @" + symbol + " : " + type + "\n";
    hand(value, type);
  }
  for (auto [i, result] : llvm::enumerate(program.results)) {
    const std::string value = "%r" + std::to_string(i);
    body += "  " + value + " = memref.alloc() : " + result.memref() + "\n";
    hand(value, result.memref());
  }
  body += "  call @" + name + "(" + names + ") : (" + types + ") -> ()\n";
  for (auto [r, result] : llvm::enumerate(program.results)) {
    const std::string value = "%r" + std::to_string(r);
    std::string index;
    for (size_t k = 0; k < result.sizes.size(); ++k)
      index += (k ? ", %i" : "%i") + std::to_string(k);
    for (size_t k = 0; k < result.sizes.size(); ++k)
      body += "  affine.for %i" + std::to_string(k) + " = 0 to " +
              std::to_string(result.sizes[k]) + " {\n";
    const std::string own = std::to_string(r);
    std::string last = "%e" + own;
    body += "  " + last + " = affine.load " + value + "[" + index +
            "] : " + result.memref() + "\n";
    auto become = [&](const std::string &name, const std::string &op,
                      const std::string &types) {
      body += "  " + name + own + " = arith." + op + " " + last + " : " +
              types + "\n";
      last = name + own;
    };
    if (result.element == "f32") become("%w", "extf", "f32 to f64");
    if (result.isFloat())
      become("%n", "fptosi", "f64 to i64");
    else if (result.element != "i64")
      become("%n", result.isUnsigned() ? "extui" : "extsi",
             result.signless() + " to i64");
    body += "  func.call @printI64(" + last +
            ") : (i64) -> ()\n  func.call @printComma() : () -> ()\n";
    for (size_t k = 0; k < result.sizes.size(); ++k) body += "  }\n";
    body += "  call @printNewline() : () -> ()\n";
  }
  return globals + body + "  return\n}\n";
}

}  // namespace

absl::StatusOr<Lines> runLowered(llvm::ArrayRef<TensorProgram> programs) {
  std::string source, driver, main = "func.func @main() {\n";
  for (const TensorProgram &program : programs) {
    source += program.text;
    driver += callOf(program);
    main += "  call @run_" + program.name + "() : () -> ()\n";
  }
  const std::string code = lowered(source);
  if (code.empty()) return absl::InternalError("nothing is lowered");
  return runMain(code + driver + main + "  return\n}\n");
}

}  // namespace indexical::testing
