// Sizes as expressions of names: a grid that follows from arguments, or a side
// of an array.
//
//   cdiv(n, B)      CeilDiv (Name n) (Name B); 782 where n is 100000 and B 128
//   R * C           Mul (Name R) (Name C)
//
// Names are those of a kernel's arguments and constants, or of sizes that the
// call alone names.
#ifndef INDEXICAL_PROGRAM_KERNEL_SIZE_TERMS_H
#define INDEXICAL_PROGRAM_KERNEL_SIZE_TERMS_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace indexical::kernels {

enum class SizeKind : uint8_t {
  Number,
  Name,
  Add,
  Sub,
  Mul,
  FloorDiv,
  CeilDiv,
  Mod,
  Min,
  Max,
};

struct SizeTerm {
  SizeKind kind = SizeKind::Number;
  int64_t number = 0;
  std::string name;
  std::vector<SizeTerm> operands;  ///< two, or none

  static SizeTerm of(int64_t number) {
    SizeTerm made;
    made.number = number;
    return made;
  }
  static SizeTerm of(std::string name) {
    SizeTerm made;
    made.kind = SizeKind::Name;
    made.name = std::move(name);
    return made;
  }
  static SizeTerm of(SizeKind kind, SizeTerm a, SizeTerm b) {
    SizeTerm made;
    made.kind = kind;
    made.operands.push_back(std::move(a));
    made.operands.push_back(std::move(b));
    return made;
  }
};

using SizeValues = std::map<std::string, int64_t>;
/// From the first number to the second one.
using SizeRanges = std::map<std::string, std::pair<int64_t, int64_t>>;

enum class SizeSign : uint8_t { Less, AtMost, Greater, AtLeast, Equal };
/// `C <= B`
struct SizeCondition {
  SizeTerm left, right;
  SizeSign sign = SizeSign::AtMost;
};

/// Returns the number, or nothing if a name has no value, a divisor is not
/// positive, or a number leaves 64 bits. A division of a negative number goes
/// towards the next lower one.
std::optional<int64_t> valueOf(const SizeTerm &term, const SizeValues &values);
/// Adds the names of the term that have no value.
void addUnknown(const SizeTerm &term, const SizeValues &values,
                std::set<std::string> &into);
/// Returns the term as text that is read again as this term.
std::string textOf(const SizeTerm &term);
std::string textOf(const SizeCondition &condition);

/// The meaning of a condition if these values are known.
struct SizeFact {
  /// Whether it holds; nothing if a name has no value.
  std::optional<bool> holds;
  std::string name;  ///< the one name without a value, which it bounds; or ""
  std::pair<int64_t, int64_t> range;  ///< of that name
};
/// Returns what a condition says. It bounds a name if that alone is a side, and
/// the other side is a number.
SizeFact factOf(const SizeCondition &condition, const SizeValues &values);

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_SIZE_TERMS_H
