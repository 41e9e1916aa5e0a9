// The kernels of benchmarks/gpu, run here: every thread of a small launch, by
// LLVM's interpreter, against the values of the maps.
#include "benchmarks/gpu/kernel_ir.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "benchmarks/gpu/kernel_ptx.h"
#include "benchmarks/gpu/measure.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/map_text.h"
#include "indexical/ops/address.h"
#include "tests/benchmarks/interpreted_kernel.h"

namespace indexical {
namespace gpu {
namespace {

constexpr int64_t kElements = 4096;
constexpr int64_t kNotKept = -7;

/// The buffers after a launch.
struct Ran {
  std::vector<int64_t> out;
  std::vector<uint8_t> written;
};

/// Threads below `kept` store their sum, as do those whose sum is the sentinel.
Ran run(const TextbookCase &kernel, int64_t kept, int64_t sentinel) {
  Ran ran;
  ran.out.assign(launchSize(kernel.threads).threads(), kNotKept);
  std::vector<std::vector<uint8_t>> operands;
  std::vector<int32_t> indices;
  std::vector<uint64_t> arguments;
  auto pass = [&](const void *data) {
    arguments.push_back(reinterpret_cast<uint64_t>(data));
  };
  for (const CaseAccess &read : kernel.reads) {
    if (operands.empty() && !kernel.indices.empty())
      indices = indexValues(kernel).value();
    operands.push_back(numbered(read.shape));
    pass(indices.empty() || operands.size() > 1
             ? static_cast<const void *>(operands.back().data())
             : indices.data());
  }
  if (kernel.write) {
    ran.written.assign(numbered(kernel.write->shape).size(), 0);
    pass(ran.written.data());
  }
  pass(ran.out.data());
  arguments.push_back(kept);
  arguments.push_back(sentinel);
  InterpretedKernel(kernel).launch(arguments);
  return ran;
}

TEST(TextbookKernels, ReadWhatTheirMapsRead) {
  for (const TextbookCase &kernel : textbookCases(kElements)) {
    SCOPED_TRACE(kernel.name);
    auto wanted = expected(kernel);
    ASSERT_TRUE(wanted.ok()) << wanted.status().message();
    const Ran ran = run(kernel, launchSize(kernel.threads).threads(), -1);
    EXPECT_EQ(ran.out, wanted->sums);
    ASSERT_EQ(ran.written.size(), wanted->written.size() * 4);
    for (size_t i = 0; i < wanted->written.size(); ++i) {
      int32_t element;
      std::memcpy(&element, &ran.written[i * 4], 4);
      ASSERT_EQ(element, wanted->written[i]) << "element " << i;
    }
  }
}

TEST(TextbookKernels, KeepTheFirstSumsAndTheSentinel) {
  const TextbookCase copy = textbookCases(kElements).front();
  const Ran ran = run(copy, /*kept=*/5, /*sentinel=*/1000);
  for (int64_t i = 0; i < kElements; ++i)
    EXPECT_EQ(ran.out[i], i < 5 || i == 1000 ? i : kNotKept);
}

// Expressions and domains that textbooks do not have: negative dividends, two
// constraints, a part of the operand only, tiles.
TEST(TextbookKernels, FollowAnyMap) {
  const ArrayShape square(ElementType::F32, {64, 64});
  ArrayShape tiled = square;
  Layout &layout = tiled.layout.emplace();
  layout.minorToMajor = {1, 0};
  layout.tiles.push_back({{8, 16}});
  const std::string all = "d0 in [0, 63], d1 in [0, 63]";
  for (const auto &[map, shape] : {
           std::pair(std::string("(d0, d1) -> ((d0 - 40) floordiv 7 + 6, (d1 - "
                                 "50) mod 13), domain: ") +
                         all,
                     square),
           {"(d0, d1) -> (d0 - 3, d1), domain: d0 in [3, 50], d1 in [0, 63], "
            "d0 + d1 in [20, 80]",
            square},
           {"(d0, d1)[s0] -> (d0 + s0 - 1, d1), domain: " + all +
                ", s0 in [0, 2], d0 + s0 in [1, 64]",
            square},
           {"(d0, d1) -> (d1, 63 - d0), domain: " + all, tiled},
       }) {
    SCOPED_TRACE(map);
    TextbookCase kernel;
    kernel.threads = linearThreads(square).value();
    kernel.reads = {{parseMap(map).value(), shape}};
    auto wanted = expected(kernel);
    ASSERT_TRUE(wanted.ok()) << wanted.status().message();
    EXPECT_EQ(run(kernel, kElements, -1).out, wanted->sums);
  }
}

TEST(TextbookKernels, ArePredicted) {
  // Sectors of one access, as in every textbook; of kernels with several reads
  // and writes on their average.
  const std::map<std::string, double> sectors = {
      {"copy f32", 4},
      {"copy f32, written", 4},
      {"copy f32 by 2, written", 8},
      {"copy f32 by 4, written", 16},
      {"copy bf16", 2},
      {"copy f64", 8},
      {"copy s4 in 4 bits", 1},
      {"copy f32, partial last warp", 509.0 / 128},
      {"start + 1", 5},
      {"start + 8", 4},
      {"stride 2", 8},
      {"stride 3", 12},
      {"stride 32", 32},
      {"column of [N,33]", 32},
      {"broadcast of a scalar", 1},
      {"broadcast of a row", 4},
      {"transpose, naive", 32},
      {"transpose, naive, written", 18},
      {"transpose, tiled, written", 4},
      {"rows summed, a warp each", 4},
      {"rows summed, a thread each", 32},
      {"columns summed, a thread each", 4},
      {"gather, sorted indices", 4},
      {"gather, equal indices", 2.5},
      {"gather, scattered indices", 18},
  };
  size_t found = 0;
  for (const TextbookCase &kernel : textbookCases(kElements)) {
    SCOPED_TRACE(kernel.name);
    auto predicted = predict(kernel, defaultDevice());
    ASSERT_TRUE(predicted.ok()) << predicted.status().message();
    ASSERT_TRUE(sectors.count(kernel.name));
    EXPECT_DOUBLE_EQ(predicted->sectorsPerAccess(), sectors.at(kernel.name));
    ++found;
  }
  EXPECT_EQ(found, sectors.size());
}

size_t countOf(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(TextbookKernels, HavePtx) {
  for (const TextbookCase &kernel : textbookCases(kElements)) {
    SCOPED_TRACE(kernel.name);
    auto ptx = kernelPtx(kernel);
    ASSERT_TRUE(ptx.ok()) << ptx.status().message();
    EXPECT_EQ(countOf(*ptx, ".visible .entry kernel("), 1);
    EXPECT_EQ(countOf(*ptx, ".target sm_70"), 1);
    EXPECT_EQ(countOf(*ptx, "call"), 0);
    // One load for each read, and one store; another for a written result.
    EXPECT_EQ(countOf(*ptx, "ld.global"), kernel.reads.size()) << *ptx;
    EXPECT_EQ(countOf(*ptx, "st.global"), kernel.write ? 2 : 1) << *ptx;
    EXPECT_EQ(countOf(*ptx, "st.global.b64"), 1) << *ptx;
    for (const char *part : {"bar.sync", "st.shared", "ld.shared"})
      EXPECT_EQ(countOf(*ptx, part), kernel.stage ? 1 : 0) << *ptx;
    const int64_t bits =
        std::max<int64_t>(8, storedBits(kernel.reads.back().shape));
    const std::string vector =
        kernel.vector > 1 ? "v" + std::to_string(kernel.vector) + "." : "";
    EXPECT_GE(countOf(*ptx, "ld.global." + vector + "b" + std::to_string(bits)),
              1)
        << *ptx;
  }
}

}  // namespace
}  // namespace gpu
}  // namespace indexical
