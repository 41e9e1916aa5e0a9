// Attributes of an instruction, read on demand from their raw text.
//
//   dimensions={0,2}              integers: {0, 2}
//   slice={[0:8:2], [3:4]}        starts {0, 3}, limits {8, 4}, strides {2, 1}
//   padding=1_1x0_-3_2            low {1, 0}, high {1, -3}, interior {0, 2}
//   window={size=3x3 stride=2x2}  two WindowDimensions
//
// An attribute that is not asked for is never looked into. Each function
// returns false and notes an error where the text has another form.
#ifndef INDEXICAL_HLO_ATTRIBUTES_H
#define INDEXICAL_HLO_ATTRIBUTES_H

#include <optional>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/hlo/source.h"
#include "indexical/hlo/syntax.h"
#include "indexical/ops/op.h"
#include "indexical/program/program.h"

namespace indexical {

class Attributes {
 public:
  Attributes(Source &source, const InstructionSyntax &instruction,
             llvm::ArrayRef<AttributeSyntax> attributes)
      : source_(source), instruction_(instruction), attributes_(attributes) {}

  llvm::ArrayRef<AttributeSyntax> all() const { return attributes_; }
  const AttributeSyntax *find(llvm::StringRef key) const;
  bool has(llvm::StringRef key) const { return find(key) != nullptr; }
  /// The raw value, or empty.
  llvm::StringRef raw(llvm::StringRef key) const;

  /// The raw value of `replica_groups`, or empty. The devices of a mesh are
  /// part of it, though they follow a comma as an attribute does:
  /// `replica_groups=mesh['x'=2], device_ids=(1,0) {'x'}`.
  llvm::StringRef replicaGroups() const;

  /// Where the instruction's opcode stands; where its name stands, if the text
  /// does not hold the opcode.
  Place opcodePlace() const;
  /// `key`, where one of the attributes has nearly this name; else "".
  llvm::StringRef suggestionFor(llvm::StringRef key) const;
  /// Notes that the attribute is missing.
  bool failMissing(llvm::StringRef key, llvm::StringRef example) const;

  /// `{1,2}`, `{}`, or a bare `1`. Untouched where there is no such attribute.
  bool integers(llvm::StringRef key, Int64s &values) const;
  /// As `integers`, but an error where there is no such attribute.
  bool requiredIntegers(llvm::StringRef key, Int64s &values) const;
  /// One integer, bare or in braces.
  bool requiredInteger(llvm::StringRef key, int64_t &value) const;

  /// `true` or `false`. Untouched where there is no such attribute.
  bool flag(llvm::StringRef key, bool &value) const;

  bool slices(Int64s &starts, Int64s &limits, Int64s &strides) const;
  bool padding(Int64s &low, Int64s &high, Int64s &interior) const;
  bool window(llvm::SmallVectorImpl<WindowDimension> &window) const;

 private:
  Source &source_;
  const InstructionSyntax &instruction_;
  llvm::ArrayRef<AttributeSyntax> attributes_;
};

/// The names in `{%a, b}` or in a bare `a`.
bool parseNames(Source &source, llvm::StringRef text,
                llvm::SmallVectorImpl<llvm::StringRef> &names);

/// Calls with each field of `{op_name="…" source_line=3}`, up to the first that
/// has another form; of a string with what stands between its quotes.
void forEachField(
    llvm::StringRef text,
    llvm::function_ref<void(llvm::StringRef key, llvm::StringRef value)> call);

/// What `metadata={…}` says of where an instruction comes from.
struct MetadataSyntax {
  llvm::StringRef opName, sourceFile;
  int32_t sourceLine = 0;
  llvm::StringRef stackFrame;       ///< `3`, or empty
  llvm::StringRef stackFrameField;  ///< `stack_frame_id=3`
};
MetadataSyntax parseMetadata(llvm::StringRef text);

/// The trip count in a backend_config: `{"known_trip_count":{"n":"5"}}`, as
/// JSON or as a string of escaped JSON.
std::optional<int64_t> parseTripCount(llvm::StringRef backendConfig);

}  // namespace indexical

#endif  // INDEXICAL_HLO_ATTRIBUTES_H
