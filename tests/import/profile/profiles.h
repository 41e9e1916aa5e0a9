// Real profiles, and what has to be found in them. Those in measured/ are of an
// NVIDIA H200 and an H100 (benchmarks/gpu/make_profiles.py) and are always
// there; others, mostly of AMD, stand beside the corpus.
//
//   for (const char *name : kMeasuredProfiles) use(profileNamed(name));
#ifndef INDEXICAL_TESTS_IMPORT_PROFILE_PROFILES_H
#define INDEXICAL_TESTS_IMPORT_PROFILE_PROFILES_H

#include <string>
#include <vector>

#include "tests/support/corpus_files.h"

namespace indexical::testing {

inline constexpr char kNoProfiles[] =
    "the folder profiles/ is not beside INDEXICAL_CORPUS";

/// Returns the folder, or "" if there is none.
inline std::string profilesPath() {
  if (corpusPath().empty()) return "";
  const std::string path = corpusPath() + "/../profiles";
  return textOfFile(path + "/tw003.xplane.pb").empty() ? "" : path;
}

inline constexpr const char *kProfiles[] = {"tw003", "tw003_jax08_elementwise",
                                            "934987a2fc2f", "cyclops_11_05_24"};

inline constexpr char kMeasured[] = "tests/import/profile/measured";

/// Several programs of one name, loops and libraries; command buffers; kernels
/// and copies on streams of their own. `NAME.json` has their groups, as JAX's
/// own reader
/// (`jax.profiler.ProfileData`) found them.
inline constexpr const char *kMeasuredProfiles[] = {"names", "graphs",
                                                    "streams"};

/// Returns the bytes of a profile of either folder, or "" if there is none.
inline std::string profileNamed(const std::string &name) {
  const std::string own =
      textOfFile(std::string(kMeasured) + "/" + name + ".xplane.pb");
  return own.empty() ? textOfFile(profilesPath() + "/" + name + ".xplane.pb")
                     : own;
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_PROFILE_PROFILES_H
