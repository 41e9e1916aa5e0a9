// Kernels of Triton in Python: TTIR that can be read, or a refusal with its
// place. Files of Inductor: steps whose arrays are there.

#include "llvm/ADT/StringRef.h"

#include "indexical/import/python/output_code.h"
#include "indexical/import/python/read.h"
#include "indexical/import/triton/read.h"
#include "tests/fuzz/check.h"

using indexical::python::PythonKernel;
using indexical::python::PythonOptions;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > indexical::testing::kMostFuzzBytes) return 0;
  const std::string text = indexical::testing::textOf(data, size);
  PythonOptions options;
  options.path = "k.py";
  options.arguments = {{"n", 48}};
  if (indexical::python::looksLikeOutputCode(text)) {
    const auto codes = indexical::python::readOutputCode(text, options);
    if (!codes.ok()) return 0;
    for (const auto &code : *codes)
      for (const auto &step : code.steps) {
        FUZZ_CHECK(step.place.known(), step.name);
        FUZZ_CHECK(!step.isLaunch || step.kernel, step.name);
        for (const auto &array : step.arrays)
          FUZZ_CHECK(array.second.memory < code.memories.size(), step.name);
        for (const auto *arrays : {&step.operands, &step.results})
          for (const auto &array : *arrays)
            FUZZ_CHECK(array.memory < code.memories.size() &&
                           array.sizes.size() == array.strides.size(),
                       step.name);
      }
    return 0;
  }
  const auto kernels = indexical::python::readPython(text, options);
  if (!kernels.ok()) return 0;
  const llvm::StringRef file(text);
  const size_t lines = file.count('\n') + file.count('\r') + 1;
  for (const PythonKernel &kernel : *kernels) {
    if (kernel.refusal) {
      FUZZ_CHECK(kernel.refusal->place.known(), kernel.refusal->message);
      FUZZ_CHECK(kernel.refusal->place.line <= lines, kernel.refusal->message);
      FUZZ_CHECK(!kernel.refusal->message.empty(), text);
      continue;
    }
    indexical::kernels::ReadOptions read;
    read.grid = std::array<int64_t, 3>{2, 1, 1};
    read.warps = 1;
    read.madeOf = "k.py";
    read.steps = 2000;
    read.accesses = 20;
    const auto made = indexical::kernels::parseKernel(kernel.ttir, read);
    FUZZ_CHECK(made.ok(), kernel.ttir + made.status().ToString());
  }
  return 0;
}
