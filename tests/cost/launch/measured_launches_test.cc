// Launches and sectors of kernels that XLA made and an H100 ran: modules as
// XLA leaves them, grids and blocks as the driver was asked for them, shared
// memory, and sectors as the hardware counted them.
//
// measured/NAME.jsonl has a kernel a line, measured/NAME/ the modules
// (benchmarks/gpu/profile_xla.py, jax 0.11.2; counters of Nsight Compute:
// l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st}). `h100` is what the
// autotuner chose; in `h100_native` it was off, so that fewer kernels are
// Triton's. A line with `differs` says why the hardware counted other sectors.
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/import/hlo/hlo_parser.h"

namespace indexical::testing {
namespace {

std::string contentsOf(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile("tests/cost/launch/measured/" + path);
  EXPECT_TRUE(static_cast<bool>(file)) << path;
  return file ? (*file)->getBuffer().str() : "";
}

/// One module, and what its kernels are said to do.
class Measured {
 public:
  explicit Measured(const std::string &path)
      : text_(contentsOf(path)), program_(parseHlo(text_, path)) {
    EXPECT_TRUE(program_.ok()) << program_.status().message();
  }
  const Kernel *find(llvm::StringRef instruction) {
    if (!program_.ok()) return nullptr;
    const Module &module = program_->modules[0];
    EXPECT_TRUE(module.isScheduled);
    for (const KernelSite &site : kernelSites(module)) {
      const Computation &own = module.computations[site.computation];
      if (own.instructions[site.instruction].name != instruction) continue;
      ProgramIndexing maps(module);
      LaunchChoice choice;
      choice.xla = findDevice("h100");
      auto kernel = kernelAt(maps, site, choice);
      EXPECT_TRUE(kernel.ok()) << kernel.status().message();
      if (!kernel.ok()) return nullptr;
      kernel_ = *std::move(kernel);
      return &kernel_;
    }
    return nullptr;
  }

 private:
  const std::string text_;
  absl::StatusOr<Program> program_;
  Kernel kernel_;
};

std::vector<int64_t> numbersIn(const llvm::json::Object &line,
                               llvm::StringRef key) {
  std::vector<int64_t> numbers;
  if (const llvm::json::Array *array = line.getArray(key))
    for (const llvm::json::Value &value : *array)
      numbers.push_back(value.getAsInteger().value_or(-1));
  return numbers;
}

/// Returns the sum of the sectors, or nothing if some access has no figures.
std::optional<int64_t> sectorsOf(const std::vector<Traffic> &accesses) {
  int64_t sum = 0;
  for (const Traffic &access : accesses) {
    if (!access.figures) return std::nullopt;
    sum += access.figures->sectors.most;
  }
  return sum;
}

struct Sums {
  int kernels = 0, counted = 0, same = 0;
  std::set<std::string> emitters;
};

void check(const llvm::json::Object &line, const Kernel &kernel, Sums &sums) {
  ++sums.kernels;
  ASSERT_TRUE(kernel.emitter.has_value());
  const std::string emitter = nameOf(*kernel.emitter).str();
  EXPECT_EQ(emitter, line.getString("emitter").value_or(""));
  sums.emitters.insert(emitter);
  ASSERT_TRUE(kernel.grid.has_value()) << kernel.reason;
  const auto &grid = kernel.grid->blocks, &block = kernel.grid->threads;
  EXPECT_EQ(std::vector<int64_t>(grid.begin(), grid.end()),
            numbersIn(line, "grid"));
  EXPECT_EQ(std::vector<int64_t>(block.begin(), block.end()),
            numbersIn(line, "block"));
  int64_t shared = 0;
  for (const SharedTile &tile : kernel.shared) shared += bytesOf(tile.shape);
  if (kernel.emitter != Emitter::Triton) {  // whose own is not known
    EXPECT_EQ(shared, line.getInteger("shared"));
  }
  const KernelTraffic traffic =
      TrafficMeter(*findDevice("h100")).measure(kernel);
  bool isSame = true;
  for (const bool isRead : {true, false}) {
    const auto measured =
        line.getInteger(isRead ? "sectors_read" : "sectors_written");
    const auto ours = sectorsOf(isRead ? traffic.reads : traffic.writes);
    if (!measured || !ours) continue;
    ++sums.counted;
    sums.same += *ours == *measured;
    isSame &= *ours == *measured;
    if (!line.get("differs")) {
      EXPECT_EQ(*ours, *measured) << (isRead ? "read" : "written");
    }
  }
  if (line.get("differs")) {
    EXPECT_FALSE(isSame) << "it does not differ any more";
  }
}

Sums checkAll(const std::string &name) {
  Sums sums;
  const std::string text = contentsOf(name + ".jsonl");
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [row, next] = rest.split('\n');
    rest = next;
    auto value = llvm::json::parse(row);
    if (!value) {
      ADD_FAILURE() << llvm::toString(value.takeError());
      return sums;
    }
    const llvm::json::Object &line = *value->getAsObject();
    SCOPED_TRACE(row.str());
    Measured module(name + "/" + line.getString("module")->str() + ".hlo");
    const Kernel *kernel = module.find(*line.getString("instruction"));
    EXPECT_NE(kernel, nullptr) << "is no kernel";
    if (kernel) check(line, *kernel, sums);
  }
  return sums;
}

TEST(MeasuredLaunches, AreThoseOfTheGpu) {
  const Sums sums = checkAll("h100");
  EXPECT_EQ(sums.kernels, 175);
  EXPECT_GE(sums.counted, 150);
  EXPECT_GE(sums.same, sums.counted * 4 / 5);
  EXPECT_GE(sums.emitters.size(), 8u);
}

TEST(MeasuredLaunches, OfXlasOwnEmitters) {
  const Sums sums = checkAll("h100_native");
  EXPECT_EQ(sums.kernels, 26);
  for (const char *emitter :
       {"column_reduction", "dynamic_update_slice", "multi_row_reduction",
        "packed_transpose", "small_column_reduction", "transpose"})
    EXPECT_TRUE(sums.emitters.count(emitter)) << emitter;
}

}  // namespace
}  // namespace indexical::testing
