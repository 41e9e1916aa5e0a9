// What is wrong with an op, in the words of either world.
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
// The number is the constraint's in the specification of StableHLO, where the
// op has one there. Each op counts its own: a rule that two families share
// (gather and scatter) is told its number by them.
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
/// empty where it has none.
struct Rule {
  Rule(const char *number = "") : number(number) {}
  llvm::StringRef number;
};

/// What something is called. With a number, one of several: `operand 1` of HLO
/// is `inputs[1]` of StableHLO.
struct Name {
  Name(const char *both) : hlo(both), stablehlo(both) {}
  Name(llvm::StringRef hlo, llvm::StringRef stablehlo)
      : hlo(hlo), stablehlo(stablehlo) {}

  Name operator[](int64_t k) const { return at(k, k); }
  /// HLO counts all operands; StableHLO counts some of them from 0.
  Name at(int64_t hloNumber, int64_t stablehloNumber) const {
    Name one = *this;
    one.hloNumber = hloNumber;
    one.stablehloNumber = stablehloNumber;
    return one;
  }

  llvm::StringRef hlo, stablehlo;
  int64_t hloNumber = -1, stablehloNumber = -1;  ///< -1: there is only one
};

/// The number of a dimension's size, `?` where it is not known.
struct SizeText {
  int64_t size;
};

/// A sentence about a broken rule, which becomes a status. Every part of it is
/// written twice, once for each world.
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
  /// `{0, 1}`, `[0, 1]`.
  Broken &operator<<(llvm::ArrayRef<int64_t> numbers);
  /// The sizes of the shape, as a list, and `f32[2,3]` in HLO.
  Broken &operator<<(const ArrayShape &shape);

  operator absl::Status() const;

 private:
  std::string rule_, hlo_, stablehlo_;
};

/// What a front end of StableHLO says instead of the message.
struct Violation {
  std::string rule;      ///< `C4`, or nothing
  std::string sentence;  ///< without the number
};

/// What a status says that a Broken became; nothing for any other.
std::optional<Violation> violationOf(const absl::Status &status);

}  // namespace indexical

#endif  // INDEXICAL_OPS_VIOLATION_H
