// Measurements on a GPU, on a machine without one: the driver is a stand-in
// that runs kernels by LLVM's interpreter.
#include "benchmarks/gpu/measure.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "benchmarks/gpu/cuda_driver.h"
#include "indexical/indexing/map_text.h"
#include "tests/benchmarks/fake_cuda.h"
#include "tests/benchmarks/interpreted_kernel.h"
#include <dlfcn.h>

namespace indexical {
namespace gpu {
namespace {

constexpr char kLibrary[] = "tests/benchmarks/libfake_cuda.so";

class Measure : public ::testing::Test {
 protected:
  void SetUp() override {
    void *library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(library) << dlerror();
    fake_ = reinterpret_cast<FakeCudaFunction *>(dlsym(library, "fakeCuda"))();
    *fake_ = FakeCuda();
  }

  /// Launches from here on run this kernel.
  void runOnLaunch(const TextbookCase &kernel) {
    auto interpreted = std::make_shared<InterpretedKernel>(kernel);
    const size_t parameters = kernel.reads.size() + (kernel.write ? 1 : 0) + 3;
    const LaunchSize size = launchSize(kernel.threads);
    fake_->onLaunch = [=](const std::vector<unsigned> &sizes,
                          void **arguments) {
      for (size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(sizes[k], size.grid[k]);
        EXPECT_EQ(sizes[k + 3], size.block[k]);
      }
      std::vector<uint64_t> values;
      for (size_t i = 0; i < parameters; ++i)
        values.push_back(*static_cast<uint64_t *>(arguments[i]));
      interpreted->launch(values);
    };
  }

  FakeCuda *fake_ = nullptr;
};

TextbookCase caseNamed(const std::string &name) {
  for (const TextbookCase &kernel : textbookCases(4096))
    if (kernel.name == name) return kernel;
  ADD_FAILURE() << "no case " << name;
  return {};
}

/// The example of cuda_driver.h, which takes a GPU to run.
[[maybe_unused]] double timeOf(const std::string &ptx,
                               const std::array<int64_t, 3> &grid,
                               const std::array<int64_t, 3> &block) {
  auto gpu = CudaDriver::open();  // "no GPU: libcuda.so.1 …"
  auto kernel = gpu->load(ptx, "kernel");
  auto in = gpu->allocate(4096);
  auto ms = gpu->launch(*kernel, grid, block, {in->address()});
  return *ms;
}

std::string messageOf(const absl::Status &status) {
  return std::string(status.message());
}

TEST_F(Measure, VerifiesEveryCase) {
  for (const TextbookCase &kernel : textbookCases(4096)) {
    SCOPED_TRACE(kernel.name);
    auto gpu = CudaDriver::open(kLibrary);
    ASSERT_TRUE(gpu.ok()) << gpu.status().message();
    EXPECT_EQ(gpu->name(), "Abacus 1, compute capability 9.0");
    runOnLaunch(kernel);
    EXPECT_EQ(messageOf(verify(*gpu, kernel)), "");
    EXPECT_NE(fake_->ptx.find(".entry kernel("), std::string::npos);
    EXPECT_TRUE(fake_->buffers.empty());
  }
  EXPECT_TRUE(fake_->modules.empty());
  EXPECT_TRUE(fake_->events.empty());
  EXPECT_EQ(fake_->contexts, 0);
}

TEST_F(Measure, SaysWhichThreadReadsWhat) {
  const TextbookCase copy = caseNamed("copy f32");
  auto gpu = CudaDriver::open(kLibrary);
  ASSERT_TRUE(gpu.ok()) << gpu.status().message();
  TextbookCase reversed = copy;
  reversed.reads[0].map =
      parseMap("(d0) -> (4095 - d0), domain: d0 in [0, 4095]").value();
  runOnLaunch(reversed);
  EXPECT_EQ(messageOf(verify(*gpu, copy)),
            "`copy f32`: the sum of thread 0 is 4095, and should be 0");
  // A kernel that reads well and writes nothing.
  auto interpreted = std::make_shared<InterpretedKernel>(copy);
  fake_->onLaunch = [=](const std::vector<unsigned> &, void **arguments) {
    auto value = [&](size_t i) {
      return *static_cast<uint64_t *>(arguments[i]);
    };
    interpreted->launch({value(0), value(2), value(3), value(4)});
  };
  EXPECT_EQ(messageOf(verify(*gpu, caseNamed("copy f32, written"))),
            "`copy f32, written`: written element 1 is 0, and should be 1");
}

TEST_F(Measure, TakesTheMedianAndKeepsNothing) {
  const TextbookCase copy = caseNamed("copy f32");
  auto gpu = CudaDriver::open(kLibrary);
  ASSERT_TRUE(gpu.ok()) << gpu.status().message();
  fake_->onLaunch = [](const std::vector<unsigned> &, void **arguments) {
    EXPECT_EQ(*static_cast<uint64_t *>(arguments[2]), 0);
    EXPECT_EQ(*static_cast<uint64_t *>(arguments[3]), UINT64_MAX);
  };
  auto ms = measure(*gpu, copy, /*repetitions=*/5);
  ASSERT_TRUE(ms.ok()) << ms.status().message();
  EXPECT_EQ(fake_->launches, 6);
  EXPECT_EQ(*ms, 4);  // of 2, 3, 4, 5, 6
  EXPECT_TRUE(fake_->buffers.empty());
}

TEST_F(Measure, WhatFailsIsNamed) {
  EXPECT_EQ(messageOf(CudaDriver::open("libabacus.so.1").status()),
            "no GPU: libabacus.so.1 cannot be loaded");
  fake_->devices = 0;
  EXPECT_EQ(messageOf(CudaDriver::open(kLibrary).status()),
            "no GPU: the CUDA driver knows none");
  fake_->devices = 1;
  fake_->failing = "cuInit";
  EXPECT_EQ(messageOf(CudaDriver::open(kLibrary).status()),
            "no GPU: cuInit: CUDA_ERROR_UNKNOWN");
  const TextbookCase copy = caseNamed("copy f32");
  fake_->failing = "";
  auto gpu = CudaDriver::open(kLibrary);
  ASSERT_TRUE(gpu.ok()) << gpu.status().message();
  for (const char *call : {"cuMemAlloc", "cuMemsetD8", "cuLaunchKernel",
                           "cuEventRecord", "cuEventSynchronize"}) {
    fake_->failing = call;
    EXPECT_EQ(messageOf(measure(*gpu, copy, 1).status()),
              std::string(call) + ": CUDA_ERROR_UNKNOWN");
  }
  fake_->failing = "cuModuleLoadDataEx";
  EXPECT_EQ(messageOf(measure(*gpu, copy, 1).status()),
            "cuModuleLoadDataEx: CUDA_ERROR_UNKNOWN line 7: no such thing");
}

}  // namespace
}  // namespace gpu
}  // namespace indexical
