// The groups of real profiles: those that two other readers found.

#include <map>
#include <optional>
#include <tuple>

#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"

#include "indexical/cost/profile/device_of.h"
#include "indexical/cost/profile/kernel_times.h"
#include "indexical/import/profile/launch_details.h"
#include "indexical/import/profile/profile.h"
#include "tests/import/profile/profiles.h"

namespace indexical::testing {
namespace {

namespace json = llvm::json;

using Key = std::tuple<int64_t, std::string, std::optional<int64_t>,
                       std::string, std::string, std::string>;

std::string textIn(const json::Object &of, llvm::StringRef key) {
  return of.getString(key).value_or("").str();
}

void expectSizes(const json::Object &of, llvm::StringRef key,
                 const std::optional<std::array<int64_t, 3>> &found) {
  const json::Array *sizes = of.getArray(key);
  ASSERT_EQ(sizes != nullptr, found.has_value());
  for (size_t i = 0; sizes && i < 3; ++i)
    EXPECT_EQ((*sizes)[i].getAsInteger(), (*found)[i]);
}

void expectGroup(const json::Object &of, const KernelTimes &times,
                 const KernelGroup &group) {
  EXPECT_EQ(of.getInteger("count"), times.count);
  EXPECT_EQ(of.getInteger("min_ps"), times.least);
  EXPECT_EQ(of.getNumber("median_ps"), times.median);
  EXPECT_EQ(of.getInteger("max_ps"), times.most);
  EXPECT_EQ(of.getInteger("total_ps"), times.total);
  // JAX's reader lists neither of these.
  if (!of.get("grid")) return;
  const int64_t first = group.launches.front().duration;
  EXPECT_EQ(of.getInteger("first_ps"), first);
  const LaunchDetails details = launchDetailsOf(textIn(of, "kernel_details"));
  expectSizes(of, "grid", details.grid);
  expectSizes(of, "block", details.block);
}

/// Compares the groups of all GPUs with those that another reader found, and
/// returns how many there are.
size_t expectGroups(const json::Object &document, Profile &profile) {
  size_t groups = 0;
  std::map<Key, KernelGroup> found;
  for (const KernelGroup &group : groupsOf(profile)) {
    const ProfiledGpu &gpu = profile.gpus[group.gpu];
    const KernelKind &kind = gpu.kinds[group.kind];
    found[{gpu.number, kind.module.str(), kind.program, kind.op.str(),
           kind.name.str(), kind.details.str()}] = group;
  }
  for (const json::Value &value : *document.getArray("devices")) {
    const json::Object &device = *value.getAsObject();
    for (const json::Value &kernel : *device.getArray("kernels")) {
      const json::Object &of = *kernel.getAsObject();
      std::optional<int64_t> program;
      if (const auto id = of.getInteger("program_id")) program = *id;
      const Key key{*device.getInteger("device"),
                    textIn(of, "hlo_module"),
                    program,
                    textIn(of, "hlo_op"),
                    textIn(of, "kernel"),
                    textIn(of, "kernel_details")};
      const auto at = found.find(key);
      if (at == found.end()) {
        ADD_FAILURE() << "there is no group of " << textIn(of, "kernel");
        continue;
      }
      expectGroup(of, timesOf(profile, at->second), at->second);
      found.erase(at);
      ++groups;
    }
  }
  EXPECT_TRUE(found.empty());
  return groups;
}

TEST(GroupsTest, AreThoseOfOtherReaders) {
  if (profilesPath().empty()) GTEST_SKIP() << kNoProfiles;
  size_t groups = 0;
  for (const char *name : kProfiles) {
    SCOPED_TRACE(name);
    const std::string bytes = profileNamed(name);
    Profile profile = readProfile(bytes);
    ASSERT_TRUE(profile.damage.ok()) << profile.damage;
    auto expected =
        json::parse(textOfFile(profilesPath() + "/profile_" + name + ".json"));
    ASSERT_TRUE(static_cast<bool>(expected));
    const json::Object &document = *expected->getAsObject();
    EXPECT_EQ(profile.modules.size(), document.getArray("hlo_protos")->size());
    for (const json::Value &value : *document.getArray("hlo_protos")) {
      const json::Object &proto = *value.getAsObject();
      bool isThere = false;
      for (const EmbeddedModule &module : profile.modules)
        isThere |=
            proto.getInteger("program_id") == module.program &&
            proto.getInteger("bytes") == int64_t(module.proto.size()) &&
            textIn(proto, "name") ==
                (module.name + "(" + std::to_string(module.program) + ")")
                    .str();
      EXPECT_TRUE(isThere) << textIn(proto, "name");
    }
    std::map<int64_t, int64_t> busy;
    for (ProfiledGpu &gpu : profile.gpus) busy[gpu.number] = busyTime(gpu);
    for (const json::Value &value : *document.getArray("devices")) {
      const json::Object &device = *value.getAsObject();
      // Idle GPUs have no figures.
      EXPECT_EQ(device.getInteger("kernel_busy_union_ps").value_or(0),
                busy[*device.getInteger("device")]);
    }
    groups += expectGroups(document, profile);
  }
  EXPECT_EQ(groups, 87u);
}

TEST(GroupsTest, AreThoseOfJax) {
  size_t groups = 0;
  for (const char *name : kMeasuredProfiles) {
    SCOPED_TRACE(name);
    const std::string bytes = profileNamed(name);
    Profile profile = readProfile(bytes);
    ASSERT_TRUE(profile.damage.ok()) << profile.damage;
    auto expected =
        json::parse(textOfFile(std::string(kMeasured) + "/" + name + ".json"));
    ASSERT_TRUE(static_cast<bool>(expected));
    const json::Object &document = *expected->getAsObject();
    groups += expectGroups(document, profile);
    ASSERT_EQ(profile.gpus.size(), 1u);
    EXPECT_EQ(deviceOf(profile.gpus[0])->name,
              textIn(document, "gpu") == "NVIDIA H200" ? "h200" : "h100");
  }
  EXPECT_EQ(groups, 52u);
}

TEST(DeviceOfTest, DevicesOfPlanes) {
  auto of = [](llvm::StringRef vendor, llvm::StringRef model, int64_t cores,
               int64_t major, int64_t minor) {
    ProfiledGpu gpu;
    gpu.vendor = vendor;
    gpu.model = model;
    gpu.cores = cores;
    gpu.capabilityMajor = major;
    gpu.capabilityMinor = minor;
    const Device *device = deviceOf(gpu);
    return device ? device->name.str() : "";
  };
  EXPECT_EQ(of("AMD", "", 304, 9, 4), "mi300x");
  EXPECT_EQ(of("AMD", "gfx942", 304, 0, 0), "mi300x");
  EXPECT_EQ(of("AMD", "", 228, 9, 4), "");
  EXPECT_TRUE(llvm::StringRef(of("AMD", "", 256, 9, 5)).starts_with("mi35"));
  EXPECT_EQ(of("AMD", "", 0, 0, 0), "");
  EXPECT_EQ(of("Nvidia", "NVIDIA H100 80GB HBM3", 132, 9, 0), "h100");
  EXPECT_EQ(of("Nvidia", "NVIDIA H100 PCIe", 114, 9, 0), "h100pcie");
  EXPECT_EQ(of("Nvidia", "NVIDIA L40", 142, 8, 9), "");
  EXPECT_EQ(of("Nvidia", "NVIDIA L4", 58, 8, 9), "l4");
  EXPECT_EQ(of("Nvidia", "NVIDIA GeForce GTX 1080 Ti", 28, 6, 1), "");
}

}  // namespace
}  // namespace indexical::testing
