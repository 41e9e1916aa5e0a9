// Mistakes that say of what kind they are.
//
//   k.py:6:18: triton: the ends of an arange are constants
//
// The message of such a status begins with its kind, which a tool prints in
// place of `error`.
#ifndef INDEXICAL_INDEXING_OWN_KIND_H
#define INDEXICAL_INDEXING_OWN_KIND_H

#include "absl/status/status.h"
#include "absl/strings/cord.h"

namespace indexical {

/// Returns the status with the mark that its message begins with its kind.
inline absl::Status withOwnKind(absl::Status status) {
  if (!status.ok()) status.SetPayload("indexical/own_kind", absl::Cord("1"));
  return status;
}

inline bool hasOwnKind(const absl::Status &status) {
  return status.GetPayload("indexical/own_kind").has_value();
}

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_OWN_KIND_H
