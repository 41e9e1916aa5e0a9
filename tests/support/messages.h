// An error as tests compare it: `line:column: sentence`.
#ifndef INDEXICAL_TESTS_SUPPORT_MESSAGES_H
#define INDEXICAL_TESTS_SUPPORT_MESSAGES_H

#include <string>

#include "absl/status/status.h"

#include "indexical/indexing/diagnostic.h"

namespace indexical::testing {

inline std::string messageOf(const absl::Status &status) {
  auto place = placeOf(status);
  return (place ? std::to_string(place->line) + ":" +
                      std::to_string(place->column) + ": "
                : "") +
         std::string(status.message());
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_MESSAGES_H
