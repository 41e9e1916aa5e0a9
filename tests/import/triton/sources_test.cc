// Kernels in records of tritonparse and in custom calls: their texts, and what
// is known of their launches.

#include <string>

#include "absl/strings/escaping.h"
#include <gtest/gtest.h>

#include "indexical/import/triton/sources/configuration_text.h"
#include "indexical/import/triton/sources/custom_call.h"
#include "indexical/import/triton/sources/tritonparse.h"
#include <zlib.h>

namespace indexical::kernels {
namespace {

constexpr char kCompilation[] =
    R"({"event_type": "compilation", "payload": {"metadata": )"
    R"({"hash": "ca64", "name": "k", "num_warps": 8, )"
    R"k("src_constants": {"(1,)": 64, "(4,)": null}}, )k"
    R"("file_content": {"k.ttir": "TTIR", "k.ttgir": "TTGIR"}, )"
    R"("python_source": {"code": "@jit\ndef k(x, B: constexpr, n, )"
    R"(# the, result\n  y: f(1, 2), z=3, *rest):\n  pass"}}})";

constexpr char kLaunch[] =
    R"({"event_type": "launch", "grid": [97, 2], )"
    R"("compilation_metadata": {"hash": "ca64"}, "extracted_args": {)"
    R"("x": {"type": "tensor", "dtype": "torch.float16", )"
    R"("shape": [3, 5], "stride": [5, 1]}, )"
    R"("y": {"type": "tensor", "dtype": "torch.float32", )"
    R"("shape": [3, 5], "stride": [8, 1]}, )"
    R"("n": {"type": "int", "value": 15}, )"
    R"("B": {"type": "int", "value": 64}}})";

TEST(Tritonparse, LaunchesHaveTheirArguments) {
  const std::string text = std::string(kCompilation) + "\n" +
                           R"({"event_type": "launch_diff"})" + "\n" + kLaunch +
                           "\n";
  EXPECT_TRUE(looksLikeTritonparse(text));
  const auto record = readTritonparse(text);
  ASSERT_TRUE(record.ok()) << record.status();
  ASSERT_EQ(record->kernels.size(), 1u);
  const KernelSource &launch = record->kernels[0];
  EXPECT_EQ(launch.text, "TTGIR");
  EXPECT_EQ(launch.launch, 0);
  EXPECT_EQ(launch.place.line, 3u);
  EXPECT_EQ(launch.read.function, "k");
  EXPECT_EQ(launch.read.warps, 8);
  ASSERT_TRUE(launch.read.grid);
  EXPECT_EQ(*launch.read.grid, (std::array<int64_t, 3>{97, 2, 1}));
  // The arguments of the kernel are x, n, y and rest: B and z are constants.
  ASSERT_EQ(launch.read.arguments.size(), 1u);
  EXPECT_EQ(launch.read.arguments[0],
            (std::pair<std::string, int64_t>("1", 15)));
  ASSERT_EQ(launch.shapes.size(), 2u);
  EXPECT_EQ(launch.shapes[0].first, 0);
  EXPECT_EQ(launch.shapes[0].second.str(), "f16[3,5]");
  EXPECT_EQ(launch.shapes[1].first, 2);
  // Up to the last element of its rows: 2 * 8 + 4.
  EXPECT_EQ(launch.shapes[1].second.str(), "f32[21]");
}

TEST(Tritonparse, WhatIsNeverLaunchedStandsAlone) {
  const auto record = readTritonparse(kCompilation);
  ASSERT_TRUE(record.ok());
  ASSERT_EQ(record->kernels.size(), 1u);
  EXPECT_EQ(record->kernels[0].launch, -1);
  EXPECT_FALSE(record->kernels[0].read.grid);
}

TEST(Tritonparse, ALaunchOfAnotherKernelIsNamed) {
  std::string other = kLaunch;
  other.replace(other.find("ca64"), 4, "0000");
  const auto record = readTritonparse(std::string(kCompilation) + "\n" + other);
  ASSERT_TRUE(record.ok());
  ASSERT_EQ(record->launchesOfUnknown.size(), 1u);
  EXPECT_EQ(record->launchesOfUnknown[0].line, 2u);
}

TEST(Tritonparse, DamagedLinesAreErrorsWithTheirPlace) {
  const std::string text = std::string(kCompilation) + "\n" + kLaunch;
  const std::string first = std::string(kCompilation) + "\n";
  for (size_t end = first.size() + 1; end < text.size(); ++end)
    EXPECT_FALSE(readTritonparse(text.substr(0, end)).ok()) << end;
  EXPECT_FALSE(readTritonparse("{\"event\": 1}").ok());
}

/// A message of protocol buffers, field by field.
struct Message {
  std::string bytes;
  Message &number(int field, uint64_t value) {
    varint(field << 3);
    varint(value);
    return *this;
  }
  Message &text(int field, const std::string &value) {
    varint(field << 3 | 2);
    varint(value.size());
    bytes += value;
    return *this;
  }
  void varint(uint64_t value) {
    for (; value >= 128; value >>= 7) bytes += static_cast<char>(value | 128);
    bytes += static_cast<char>(value);
  }
};

std::string callOf(const std::string &ttir) {
  const std::string array = Message().text(1, "").bytes;
  const std::string five = Message().number(3, 5).bytes;
  const std::string kernel =
      Message().text(1, "add").number(2, 4).text(4, "ptx").text(5, ttir).bytes;
  return Message()
      .text(1, kernel)
      .number(2, 7)
      .number(3, 1)
      .number(4, 1)
      .text(5, array)
      .text(5, five)
      .text(5, array)
      .bytes;
}

std::string deflated(const std::string &bytes) {
  std::string packed(compressBound(bytes.size()), '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef *>(packed.data()), &size,
           reinterpret_cast<const Bytef *>(bytes.data()), bytes.size());
  packed.resize(size);
  return packed;
}

std::vector<ArrayShape> twoArrays() {
  return {ArrayShape(ElementType::F32, {8}), ArrayShape(ElementType::F32, {9})};
}

void expectAdd(const absl::StatusOr<std::vector<KernelSource>> &kernels) {
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  ASSERT_EQ(kernels->size(), 1u);
  const KernelSource &kernel = kernels->front();
  EXPECT_EQ(kernel.text, "TTIR");
  EXPECT_EQ(kernel.read.function, "add");
  EXPECT_EQ(kernel.read.warps, 4);
  EXPECT_EQ(*kernel.read.grid, (std::array<int64_t, 3>{7, 1, 1}));
  ASSERT_EQ(kernel.read.arguments.size(), 1u);
  EXPECT_EQ(kernel.read.arguments[0],
            (std::pair<std::string, int64_t>("1", 5)));
  ASSERT_EQ(kernel.shapes.size(), 2u);
  EXPECT_EQ(kernel.shapes[0].first, 0);
  EXPECT_EQ(kernel.shapes[1].first, 2);
}

TEST(CustomCall, HasItsKernelAndLaunch) {
  const std::string any = Message().text(1, callOf("TTIR")).bytes;
  expectAdd(kernelsOfCall(deflated(any), twoArrays()));
  expectAdd(kernelsOfCall(any, twoArrays()));
  // As HLO writes it.
  expectAdd(kernelsOfCall(
      configurationText("\"" + absl::CEscape(deflated(any)) + "\""),
      twoArrays()));
}

TEST(CustomCall, HasOneKernelForEachChoice) {
  const std::string choices =
      Message()
          .text(1, "add")
          .text(2, Message().text(1, callOf("A")).text(2, "4 warps").bytes)
          .text(2, Message().text(1, callOf("B")).bytes)
          .bytes;
  const auto kernels =
      kernelsOfCall(Message().text(2, choices).bytes, twoArrays());
  ASSERT_TRUE(kernels.ok());
  ASSERT_EQ(kernels->size(), 2u);
  EXPECT_EQ(kernels->front().text, "A");
  EXPECT_EQ(kernels->back().text, "B");
}

TEST(CustomCall, ADictionaryHoldsTheText) {
  const auto kernels = kernelsOfCall(
      "{grid_x = 8 : i32, grid_y = 2 : i32, ir = \"module {}\\0A\", name = "
      "\"add\", num_warps = 2 : i32}",
      {});
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  EXPECT_EQ(kernels->front().text, "module {}\n");
  EXPECT_EQ(kernels->front().read.warps, 2);
  EXPECT_EQ(*kernels->front().read.grid, (std::array<int64_t, 3>{8, 2, 1}));
}

TEST(CustomCall, DamagedBytesAreErrors) {
  const std::string packed = deflated(Message().text(1, callOf("TTIR")).bytes);
  for (size_t end = 0; end < packed.size(); ++end)
    EXPECT_FALSE(kernelsOfCall(packed.substr(0, end), twoArrays()).ok()) << end;
  EXPECT_FALSE(kernelsOfCall("{opaque", {}).ok());
  EXPECT_FALSE(kernelsOfCall("{ir = 5 : i32}", {}).ok());
}

}  // namespace
}  // namespace indexical::kernels
