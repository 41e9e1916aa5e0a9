// Why a kernel's text is not read, and where.
//
//   k.py:6:18: triton: the ends of an arange are constants
//
// Texts that Triton itself refuses are `triton`, `type`, `shape`, `name` or
// `syntax`. Texts that Triton may accept, but not this reader, are
// `unsupported`; `limit` refers to a number of docs/internals/limits.md.
#ifndef INDEXICAL_IMPORT_PYTHON_REFUSAL_H
#define INDEXICAL_IMPORT_PYTHON_REFUSAL_H

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/diagnostic.h"

namespace indexical::python {

enum class RefusalKind : uint8_t {
  Syntax,       ///< the text is not valid Python
  Name,         ///< undefined, unknown, or a global that is not a constant
  Type,         ///< an operation has no meaning for such types
  Shape,        ///< shapes do not go together
  Triton,       ///< another rule of Triton's
  Unsupported,  ///< Triton may accept it
  Limit,        ///< a number of docs/internals/limits.md is exceeded
};

/// Returns the word of a kind: `syntax`, `name`, …
llvm::StringRef nameOf(RefusalKind kind);

struct Refusal {
  RefusalKind kind = RefusalKind::Syntax;
  Place place;
  std::string message;
  bool isOfTypes = true;  ///< of kind Type: other types may be accepted

  /// Returns an InvalidArgument status with the place, whose message is `kind:
  /// message`.
  absl::Status status() const;
};

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_REFUSAL_H
