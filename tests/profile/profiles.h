// The profiles beside the corpus, and what has to be found in them.
#ifndef INDEXICAL_TESTS_PROFILE_PROFILES_H
#define INDEXICAL_TESTS_PROFILE_PROFILES_H

#include <string>

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

inline std::string profileNamed(const std::string &name) {
  return textOfFile(profilesPath() + "/" + name + ".xplane.pb");
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_PROFILE_PROFILES_H
