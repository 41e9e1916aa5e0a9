// Returning an error to the caller.
//
// A function that may fail returns absl::Status or absl::StatusOr. Its caller
// mostly has nothing to add to an error and returns it as it is. The macros
// write that in one line:
//
//   absl::StatusOr<IndexingMap> rowOf(llvm::StringRef text) {
//     INDEXICAL_ASSIGN_OR_RETURN(IndexingMap map, parseMap(text));
//     INDEXICAL_RETURN_IF_ERROR(checkRank(map, 2));
//     return map;
//   }
//
// They are Abseil's in all but the name: Abseil has no header for them yet. An
// error to which the caller adds something is returned without them.
//
// The header is for our own .cc files and is not installed: a macro of ours
// reaches no file of a user (//tests/docs:status_macros_test).
#ifndef INDEXICAL_INDEXING_STATUS_MACROS_H
#define INDEXICAL_INDEXING_STATUS_MACROS_H

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

/// Evaluates an expression of type absl::Status, once, and returns it if it is
/// an error. The function returns absl::Status or any absl::StatusOr.
#define INDEXICAL_RETURN_IF_ERROR(...)                       \
  do {                                                       \
    if (const absl::Status &indexicalStatus = (__VA_ARGS__); \
        !indexicalStatus.ok())                               \
      return indexicalStatus;                                \
  } while (false)

/// Evaluates an expression of type absl::StatusOr, once. Returns its error
/// if it has one, otherwise moves its value to `lhs`: a variable that is
/// declared here, or anything else that can be assigned to. These are several
/// statements: they stand in braces. A type with a comma is written as `auto`.
#define INDEXICAL_ASSIGN_OR_RETURN(lhs, ...)                                   \
  INDEXICAL_ASSIGN_OR_RETURN_TO(INDEXICAL_JOINED(indexicalStatusOr, __LINE__), \
                                lhs, __VA_ARGS__)

#define INDEXICAL_ASSIGN_OR_RETURN_TO(statusOr, lhs, ...)  \
  auto statusOr = (__VA_ARGS__);                           \
  if (!statusOr.ok()) return std::move(statusOr).status(); \
  lhs = *std::move(statusOr)

#define INDEXICAL_JOINED(a, b) INDEXICAL_JOINED_TEXT(a, b)
#define INDEXICAL_JOINED_TEXT(a, b) a##b

#endif  // INDEXICAL_INDEXING_STATUS_MACROS_H
