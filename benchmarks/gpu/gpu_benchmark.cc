// Times the textbook cases of coalescing on a GPU, and prints measured figures
// beside predicted ones.
//
//   bazel run --config=release //benchmarks/gpu:gpu_benchmark
//
//   --predict             the predictions alone
//   --ptx                 the PTX of the kernels
//   --case=TEXT           only cases whose name holds the text
//   --elements=N          elements of a copy, a power of four (default: 2^26)
//   --repetitions=N       launches of each, after one that does not count
//   --device=NAME         predict for this one (default: the GPU that is there,
//                         or h100)
//   --driver=FILE         instead of libcuda.so.1
//
// Every kernel is first run on few elements and what it reads compared with its
// maps, element by element. Without a GPU the program says so and ends.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include "benchmarks/gpu/cuda_driver.h"
#include "benchmarks/gpu/kernel_ptx.h"
#include "benchmarks/gpu/measure.h"
#include "benchmarks/gpu/textbook_cases.h"
#include "indexical/cost/memory/device.h"

namespace {

using namespace indexical;
using namespace indexical::gpu;

constexpr int64_t kFewElements = 4096;

struct Options {
  bool predict = false, ptx = false;
  std::string only, driver = "libcuda.so.1";
  const Device *device = nullptr;
  int64_t elements = int64_t{1} << 26, repetitions = 20;
};

bool isPowerOfFour(int64_t n) {
  return n > 0 && (n & (n - 1)) == 0 && (n & 0x5555555555555555) != 0;
}

/// Returns nothing if an argument is not understood.
std::optional<Options> parseOptions(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    bool isKnown = true;
    if (argument == "--predict")
      options.predict = true;
    else if (argument == "--ptx")
      options.ptx = true;
    else if (argument.consume_front("--case="))
      options.only = argument.str();
    else if (argument.consume_front("--device="))
      isKnown = (options.device = findDevice(argument)) != nullptr;
    else if (argument.consume_front("--driver="))
      options.driver = argument.str();
    else if (argument.consume_front("--elements="))
      isKnown = !argument.getAsInteger(0, options.elements) &&
                isPowerOfFour(options.elements) &&
                options.elements >= kFewElements;
    else if (argument.consume_front("--repetitions="))
      isKnown = !argument.getAsInteger(0, options.repetitions) &&
                options.repetitions > 0;
    else
      isKnown = false;
    if (!isKnown) {
      llvm::errs() << "gpu_benchmark: `" << argv[i]
                   << "` is not understood; known: --predict, --ptx, "
                      "--case=TEXT, --elements=N (a power of four from 4096 "
                      "on), --repetitions=N, --device=NAME, --driver=FILE\n";
      return std::nullopt;
    }
  }
  return options;
}

std::vector<TextbookCase> chosenCases(const Options &options,
                                      int64_t elements) {
  std::vector<TextbookCase> chosen;
  for (TextbookCase &kernel : textbookCases(elements))
    if (kernel.name.find(options.only) != std::string::npos)
      chosen.push_back(std::move(kernel));
  return chosen;
}

int fail(const absl::Status &status) {
  llvm::errs() << "gpu_benchmark: " << std::string(status.message()) << '\n';
  return 1;
}

int printPtx(const Options &options) {
  for (const TextbookCase &kernel : chosenCases(options, options.elements)) {
    auto ptx = kernelPtx(kernel);
    if (!ptx.ok()) return fail(ptx.status());
    llvm::outs() << "// " << kernel.name << '\n' << *ptx;
  }
  return 0;
}

/// Returns the device of the table that a driver's name stands for: `NVIDIA
/// H100 80GB HBM3` is h100, `NVIDIA H100 PCIe` h100pcie.
const Device *deviceNamed(llvm::StringRef driversName) {
  const Device *best = nullptr;
  const std::string letters =
      llvm::join(llvm::split(driversName.split(',').first.lower(), ' '), "");
  for (const Device &device : devices())
    if (llvm::StringRef(letters).contains(device.name) &&
        (!best || device.name.size() > best->name.size()))
      best = &device;
  return best;
}

/// Prints one line for each case: predicted, and measured if there is a GPU.
int printTable(const Options &options, CudaDriver *gpu) {
  const Device *known = options.device ? options.device
                        : gpu          ? deviceNamed(gpu->name())
                                       : nullptr;
  const Device &device = known ? *known : defaultDevice();
  llvm::outs() << "predicted for " << device.name << '\n';
  llvm::outs() << "sectors: of one access, on the average; MB: all sectors "
                  "that are moved; distinct: each once; ratios: to the first "
                  "copy\n"
               << "case                            sectors         MB   "
                  "distinct  ratio model ms"
               << (gpu ? "       ms     GB/s  ratio  model/ms" : "") << '\n';
  // The first case is the copy that all others are compared with.
  const TextbookCase copy = textbookCases(options.elements).front();
  auto base = predict(copy, device);
  if (!base.ok()) return fail(base.status());
  std::optional<double> baseMs;
  if (gpu) {
    auto ms = measure(*gpu, copy, options.repetitions);
    if (!ms.ok()) return fail(ms.status());
    baseMs = *ms;
  }
  for (const TextbookCase &kernel : chosenCases(options, options.elements)) {
    auto predicted = predict(kernel, device);
    if (!predicted.ok()) return fail(predicted.status());
    const double bytes = 1.0 * predicted->sectors * device.sector;
    llvm::outs() << llvm::format(
        "%-30s %8.2f %10.1f %10.1f %6.2f %8.3f", kernel.name.c_str(),
        predicted->sectorsPerAccess(), bytes / 1e6,
        1.0 * predicted->distinctSectors * device.sector / 1e6,
        1.0 * predicted->sectors / base->sectors, predicted->milliseconds);
    if (gpu) {
      auto ms = measure(*gpu, kernel, options.repetitions);
      if (ms.ok())
        llvm::outs() << llvm::format(" %8.3f %8.0f %6.2f %9.2f", *ms,
                                     bytes / *ms / 1e6, *ms / *baseMs,
                                     predicted->milliseconds / *ms);
      else
        llvm::outs() << "   " << std::string(ms.status().message());
    }
    llvm::outs() << '\n';
  }
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  const auto options = parseOptions(argc, argv);
  if (!options) return 2;
  if (options->ptx) return printPtx(*options);
  if (options->predict) return printTable(*options, /*gpu=*/nullptr);
  auto gpu = CudaDriver::open(options->driver);
  if (!gpu.ok()) {
    llvm::outs() << std::string(gpu.status().message())
                 << "; --predict and --ptx need none\n";
    return 0;
  }
  for (const TextbookCase &kernel : chosenCases(*options, kFewElements))
    if (auto status = verify(*gpu, kernel); !status.ok()) return fail(status);
  llvm::outs() << gpu->name() << '\n';
  return printTable(*options, &*gpu);
}
