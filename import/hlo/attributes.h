// Attributes of an instruction, read on demand from their raw text.
//
//   dimensions={0,2}              integers: {0, 2}
//   slice={[0:8:2], [3:4]}        starts {0, 3}, limits {8, 4}, strides {2, 1}
//   padding=1_1x0_-3_2            low {1, 0}, high {1, -3}, interior {0, 2}
//   window={size=3x3 stride=2x2}  two WindowDimensions
//
// An attribute that is not asked for is never parsed. Each function returns
// false and notes an error if the text has another form.
#ifndef INDEXICAL_IMPORT_HLO_ATTRIBUTES_H
#define INDEXICAL_IMPORT_HLO_ATTRIBUTES_H

#include <optional>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/source.h"
#include "indexical/import/hlo/syntax.h"
#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/program.h"

namespace indexical {

class Attributes {
 public:
  Attributes(Source &source, const InstructionSyntax &instruction,
             llvm::ArrayRef<AttributeSyntax> attributes)
      : source_(source), instruction_(instruction), attributes_(attributes) {}

  llvm::ArrayRef<AttributeSyntax> all() const { return attributes_; }
  const AttributeSyntax *find(llvm::StringRef key) const;
  bool has(llvm::StringRef key) const { return find(key) != nullptr; }
  /// Returns the attribute's value as it is written, or "" if there is no such
  /// attribute.
  llvm::StringRef raw(llvm::StringRef key) const;

  /// Returns the value of `replica_groups` as it is written, or "". The devices
  /// of a mesh are part of it, though they follow a comma as an attribute does:
  /// `replica_groups=mesh['x'=2], device_ids=(1,0) {'x'}`.
  llvm::StringRef replicaGroups() const;

  /// Returns the place of the instruction's opcode, or of its name if the text
  /// does not hold the opcode.
  Place opcodePlace() const;
  /// Returns `key` if one of the attributes has nearly this name, else "".
  llvm::StringRef suggestionFor(llvm::StringRef key) const;
  /// Notes that the attribute is missing.
  bool failMissing(llvm::StringRef key, llvm::StringRef example) const;

  /// Reads `{1,2}`, `{}`, or a bare `1`, and appends the numbers to `values`.
  /// Returns true and reads nothing if there is no such attribute.
  bool integers(llvm::StringRef key, Int64s &values) const;
  /// Reads `{1,2}`, `{}`, or a bare `1`, and appends the numbers to `values`.
  /// Notes an error and returns false if there is no such attribute.
  bool requiredIntegers(llvm::StringRef key, Int64s &values) const;
  /// Reads one integer, bare or in braces, into `value`. Notes an error and
  /// returns false if there is no such attribute.
  bool requiredInteger(llvm::StringRef key, int64_t &value) const;

  /// Reads `true` or `false`. `value` does not change if there is no such
  /// attribute.
  bool flag(llvm::StringRef key, bool &value) const;

  bool slices(Int64s &starts, Int64s &limits, Int64s &strides) const;
  bool padding(Int64s &low, Int64s &high, Int64s &interior) const;
  bool window(llvm::SmallVectorImpl<WindowDimension> &window) const;

 private:
  Source &source_;
  const InstructionSyntax &instruction_;
  llvm::ArrayRef<AttributeSyntax> attributes_;
};

/// Reads the names in `{%a, b}` or in a bare `a`, and appends them to `names`.
bool parseNames(Source &source, llvm::StringRef text,
                llvm::SmallVectorImpl<llvm::StringRef> &names);

/// Calls `call` with each field of `{op_name="…" source_line=3}`, up to the
/// first one of another form. The value of a string is the text between its
/// quotes.
void forEachField(
    llvm::StringRef text,
    llvm::function_ref<void(llvm::StringRef key, llvm::StringRef value)> call);

/// The fields of `metadata={…}` that say where an instruction comes from.
struct MetadataSyntax {
  llvm::StringRef opName, sourceFile;
  int32_t sourceLine = 0;
  llvm::StringRef stackFrame;       ///< `3`, or empty
  llvm::StringRef stackFrameField;  ///< `stack_frame_id=3`
};
MetadataSyntax parseMetadata(llvm::StringRef text);

/// Returns the trip count that a backend_config states, as JSON or as a string
/// of escaped JSON: 5 for `{"known_trip_count":{"n":"5"}}`. Returns nothing if
/// it states none.
std::optional<int64_t> parseTripCount(llvm::StringRef backendConfig);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_ATTRIBUTES_H
