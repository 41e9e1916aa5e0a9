// Prefixes of a real profile, and such with damage, keep what stood before it.

#include <iterator>
#include <map>

#include "gtest/gtest.h"

#include "indexical/import/profile/profile.h"
#include "tests/import/profile/profiles.h"
#include "tests/support/random.h"
#include "tests/support/xspace.h"

namespace indexical::testing {
namespace {

size_t launchesOf(const Profile &profile) {
  size_t launches = 0;
  for (const ProfiledGpu &gpu : profile.gpus) launches += gpu.launches.size();
  return launches;
}

TEST(PrefixesTest, EndAtAFieldOrInTheMiddleOfOne) {
  if (profilesPath().empty()) GTEST_SKIP() << kNoProfiles;
  const std::string bytes = profileNamed("tw003");
  // The ends of fields, each with the number of launches in front of it.
  std::map<size_t, size_t> ends = {{0, 0}};
  size_t at = 0;
  for (const WireField &field : fieldsOf(bytes)) {
    at += bytesOf({field}).size();
    ends[at] = launchesOf(readProfile(llvm::StringRef(bytes).take_front(at)));
  }
  EXPECT_EQ(ends.size(), 13u);  // 12 of them before the end
  EXPECT_EQ(ends.rbegin()->second, 235u);
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  Random random(seed);
  for (int i = 0; i < 300; ++i) {
    const size_t size = random.in(0, bytes.size());
    const Profile profile =
        readProfile(llvm::StringRef(bytes).take_front(size));
    EXPECT_EQ(profile.damage.ok(), ends.count(size) > 0) << size;
    const auto after = ends.lower_bound(size);
    const auto before = std::prev(ends.upper_bound(size));
    EXPECT_GE(launchesOf(profile), before->second) << size;
    ASSERT_NE(after, ends.end());
    EXPECT_LE(launchesOf(profile), after->second) << size;
  }
}

TEST(PrefixesTest, FlippedBytesOfARealProfile) {
  if (profilesPath().empty()) GTEST_SKIP() << kNoProfiles;
  const std::string bytes = profileNamed("cyclops_11_05_24");
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_PROFILES", 3000);
  Random random(seed);
  for (uint64_t i = 0; i < count; ++i) {
    std::string changed = bytes;
    for (int k = random.in(1, 3); k > 0; --k)
      changed[random.in(0, changed.size() - 1)] =
          static_cast<char>(random.in(0, 255));
    const Profile profile = readProfile(changed);
    for (const ProfiledGpu &gpu : profile.gpus)
      for (const KernelLaunch &launch : gpu.launches)
        ASSERT_LT(launch.kind, gpu.kinds.size());
    ASSERT_LE(launchesOf(profile), changed.size());
  }
}

}  // namespace
}  // namespace indexical::testing
