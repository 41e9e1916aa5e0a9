#include "tests/import/stablehlo/lower/machine_code.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

namespace indexical::testing {
namespace {

constexpr const char *kPrinting =
    "func.func private @printI64(i64)\n"
    "func.func private @printComma()\n"
    "func.func private @printNewline()\n";

std::string contentOf(llvm::StringRef path) {
  std::ifstream in(path.str());
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Files of one run; removed with it.
class Folder {
 public:
  Folder() { llvm::sys::fs::createUniqueDirectory("lowered", path_); }
  ~Folder() { llvm::sys::fs::remove_directories(path_); }
  std::string operator/(llvm::StringRef name) const {
    llvm::SmallString<128> file(path_);
    llvm::sys::path::append(file, name);
    return file.str().str();
  }

 private:
  llvm::SmallString<128> path_;
};

/// Runs a tool that a variable names; its output goes to `output`.
absl::Status runTool(const char *variable, std::vector<std::string> arguments,
                     const std::string &output, const Folder &folder) {
  const char *tool = std::getenv(variable);
  if (!tool)
    return absl::NotFoundError(std::string(variable) + " names no program");
  std::vector<llvm::StringRef> all = {tool};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const std::string errors = folder / "errors";
  const std::optional<llvm::StringRef> streams[] = {std::nullopt, output,
                                                    errors};
  std::string message;
  const int status = llvm::sys::ExecuteAndWait(tool, all, std::nullopt, streams,
                                               0, 0, &message);
  if (status == 0) return absl::OkStatus();
  return absl::InternalError(std::string(tool) + ": status " +
                             std::to_string(status) + " " + message + "\n" +
                             contentOf(errors).substr(0, 4000));
}

/// The folder that a shared library of MLIR stands in.
std::string libraries() {
  llvm::SmallString<128> real;
  llvm::sys::fs::real_path(std::getenv("MLIR_RUNNER"), real);
  llvm::sys::path::remove_filename(real);
  llvm::sys::path::append(real, "..", "lib");
  return real.str().str();
}

}  // namespace

absl::StatusOr<Lines> runMain(const std::string &module) {
  Folder folder;
  const std::string source = folder / "source.mlir";
  std::ofstream(source) << kPrinting << module;
  const std::string lowered = folder / "lowered.mlir";
  auto status =
      runTool("MLIR_OPT",
              {source, "--lower-affine", "--convert-scf-to-cf",
               "--convert-math-to-llvm", "--convert-math-to-libm",
               "--expand-strided-metadata", "--lower-affine", "--arith-expand",
               "--finalize-memref-to-llvm", "--convert-arith-to-llvm",
               "--convert-func-to-llvm", "--convert-cf-to-llvm",
               "--reconcile-unrealized-casts"},
              lowered, folder);
  if (!status.ok()) return status;
  const std::string printed = folder / "printed";
  status =
      runTool("MLIR_RUNNER",
              {lowered, "-O2", "--entry-point-result=void",
               "--shared-libs=" + libraries() + "/libmlir_c_runner_utils.so"},
              printed, folder);
  if (!status.ok()) return status;
  Lines lines;
  std::ifstream in(printed);
  for (std::string line; std::getline(in, line);) {
    lines.emplace_back();
    std::istringstream numbers(line);
    for (std::string number; std::getline(numbers, number, ',');)
      if (number.find_first_not_of(' ') != std::string::npos)
        lines.back().push_back(std::stoll(number));
  }
  return lines;
}

}  // namespace indexical::testing
