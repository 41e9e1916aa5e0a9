// Messages about an op that breaks a rule, in the words of HLO and of
// StableHLO.
//
// A rule of an op stands once, in its family. HLO and StableHLO name its
// attributes, write lists and say the rule's number in their own ways, so a
// sentence is put together for both:
//
//   return Broken("C4") << Name{"dimensions", "broadcast_dimensions"}
//                       << " must not repeat an entry, but " << values
//                       << " has " << 1 << " twice";
//
//   HLO        dimensions must not repeat an entry, but {1, 1} has 1 twice (C4)
//   StableHLO  C4: broadcast_dimensions must not repeat an entry, but [1, 1]
//              has 1 twice
//
// The status' message is HLO's; StableHLO's is kept beside it (violationOf).
// The number is that of the constraint in the specification of StableHLO, if
// the op has one there. Each op counts its own constraints, so families that
// share a rule (gather and scatter) pass their number to it.
#ifndef INDEXICAL_OPS_VIOLATION_H
#define INDEXICAL_OPS_VIOLATION_H

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/shape.h"

namespace indexical {

/// The number of a constraint in the specification of StableHLO, such as `C4`;
/// empty if there is none.
struct Rule {
  Rule(const char *number = "") : number(number) {}
  llvm::StringRef number;
};

/// The name of a part of an op. With a number, the part is one of several:
/// `operand 1` of HLO is `inputs[1]` of StableHLO.
struct Name {
  Name(const char *both) : hlo(both), stablehlo(both) {}
  Name(llvm::StringRef hlo, llvm::StringRef stablehlo)
      : hlo(hlo), stablehlo(stablehlo) {}

  Name operator[](int64_t k) const { return at(k, k); }
  /// Returns the name with a number for each text: HLO counts all operands, and
  /// StableHLO counts some of them from 0.
  Name at(int64_t hloNumber, int64_t stablehloNumber) const {
    Name one = *this;
    one.hloNumber = hloNumber;
    one.stablehloNumber = stablehloNumber;
    return one;
  }

  llvm::StringRef hlo, stablehlo;
  int64_t hloNumber = -1, stablehloNumber = -1;  ///< -1: there is only one
};

/// A size, written as a number, or as `?` if it is not known.
struct SizeText {
  int64_t size;
};

/// A sentence about a broken rule, which becomes a status. Every part of the
/// sentence is written twice, for HLO and for StableHLO.
class Broken {
 public:
  explicit Broken(Rule rule) : rule_(rule.number.str()) {}

  Broken &operator<<(llvm::StringRef text);
  Broken &operator<<(const char *text) {
    return *this << llvm::StringRef(text);
  }
  Broken &operator<<(const Name &name);
  Broken &operator<<(int64_t number);
  Broken &operator<<(size_t number) {
    return *this << static_cast<int64_t>(number);
  }
  Broken &operator<<(int number) {
    return *this << static_cast<int64_t>(number);
  }
  Broken &operator<<(SizeText size);
  /// Adds the numbers: `{0, 1}` for HLO, `[0, 1]` for StableHLO.
  Broken &operator<<(llvm::ArrayRef<int64_t> numbers);
  /// Adds the sizes of the shape as a list for StableHLO, and `f32[2,3]` for
  /// HLO.
  Broken &operator<<(const ArrayShape &shape);

  operator absl::Status() const;

 private:
  std::string rule_, hlo_, stablehlo_;
};

/// The text that a front end of StableHLO shows instead of the message.
struct Violation {
  std::string rule;      ///< `C4`, or nothing
  std::string sentence;  ///< without the number
};

/// Returns the violation of a status that was made from a Broken, or nothing
/// for any other status.
std::optional<Violation> violationOf(const absl::Status &status);

}  // namespace indexical

#endif  // INDEXICAL_OPS_VIOLATION_H
