// Profiles: whatever the bytes are, a launch has a kind of its GPU and a
// duration that is not negative, there are no more launches than bytes, and
// what is damaged has a sentence.

#include <cstdint>

#include "llvm/ADT/StringRef.h"

#include "indexical/import/profile/launch_details.h"
#include "indexical/import/profile/profile.h"
#include "tests/fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  indexical::looksLikeProfile(bytes);
  const indexical::Profile profile = indexical::readProfile(bytes);
  FUZZ_CHECK(profile.damage.ok() || !profile.damage.message().empty(), "");
  size_t launches = 0;
  for (const indexical::ProfiledGpu &gpu : profile.gpus) {
    launches += gpu.launches.size();
    for (const indexical::KernelLaunch &launch : gpu.launches) {
      FUZZ_CHECK(launch.kind < gpu.kinds.size(), "");
      FUZZ_CHECK(launch.duration >= 0, "");
    }
    for (const indexical::KernelKind &kind : gpu.kinds)
      indexical::launchDetailsOf(kind.details);
  }
  FUZZ_CHECK(launches <= size, "");
  return 0;
}
