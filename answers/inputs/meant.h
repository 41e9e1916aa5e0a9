// Suggestions for an input that cannot be read.
//
//   compose step.hlo       "this is a module, and maps are read here; …"
//   dump maps.txt          "these are maps, and a module is read here; …"
//   report 'f { … }'       "this is a text and no name of a file; …"
//   report stpe.hlo        "cannot be read: …", did you mean `step.hlo`?
//   Program("step.hlo")    "this is the name of a file, and …"
//
// Each function is given the error of a reader, and returns it as it is if it
// knows no better one. So no input is refused that a reader takes.
#ifndef INDEXICAL_ANSWERS_INPUTS_MEANT_H
#define INDEXICAL_ANSWERS_INPUTS_MEANT_H

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/inputs/input.h"

namespace indexical {

/// Returns the error about an input that is not a module.
absl::Status aboutNoModule(const Input &input, absl::Status error);

/// Returns the error about an input that has no maps.
absl::Status aboutNoMaps(const Input &input, absl::Status error);

/// Returns the error about an input that has no layouts.
absl::Status aboutNoLayouts(const Input &input, absl::Status error);

/// Returns the error about a file that cannot be opened, with the name of one
/// beside it that is nearly the same.
absl::Status aboutNoFile(llvm::StringRef path, llvm::StringRef reason);

/// Returns whether the word is the name of a file, as it ends, or of one that
/// exists.
bool isNameOfFile(llvm::StringRef word);

/// Returns whether the word is the text of a module or of maps, and no path.
bool looksLikeText(llvm::StringRef word);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_MEANT_H
