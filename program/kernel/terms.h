// Terms: the integers and pointers of a kernel as expressions, whatever they
// are computed with.
//
//   %1 = arith.muli %pid, %c1024 : i32          mul i32 (program x) 1024
//   %2 = tt.make_range {start = 0, end = 1024}  coordinate 0
//   %4 = arith.addi %3, %2                      add i32 (mul …) (coordinate 0)
//   tt.addptr %arg0, %4                         pointer-add (pointer 0) (add …)
//
// A term of a tensor is the value of its element at the tile coordinates
// (coordinate 0, coordinate 1, …). So splat changes nothing, and expand_dims or
// a broadcast puts other coordinates in place (`substitute`). Terms have the
// machine's meaning: integers of so many bits that wrap, signed and unsigned
// division, comparisons. Nothing is assumed of sizes: pieces.h writes a term
// as affine maps if bounds allow it.
//
// Terms are interned: equal numbers are equal terms, and the operands of a term
// have smaller numbers. Integers are kept as signed ones of their bits; of one
// bit, true is 1, and comparisons, divisions and shifts are those of 0 and 1.
//
// A value that is not known is a value of its program, of the iterations and of
// the coordinates among its operands: it is another one for another program,
// iteration, element or evaluation (`value`), and equals itself.
#ifndef INDEXICAL_PROGRAM_KERNEL_TERMS_H
#define INDEXICAL_PROGRAM_KERNEL_TERMS_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace indexical::kernels {

enum class TermKind : uint8_t {
  Constant,     ///< `value`
  Program,      ///< the program's number along axis `value`
  Programs,     ///< how many programs there are along axis `value`
  Argument,     ///< the kernel's argument `value`, an integer
  Pointer,      ///< the kernel's argument `value`, a pointer
  Loop,         ///< how often loop `value` has run before
  Coordinate,   ///< the tile's coordinate `value`
  Placeholder,  ///< carried argument `value` of a loop; operands: coordinates
  Loaded,       ///< what an array holds at the start; operands: the pointer,
                ///< then the result if the array may change meanwhile, and
                ///< perhaps a mask, without which the result is that, too
  Unknown,      ///< evaluation `value`; operands: loops and coordinates
  Add,
  Sub,
  Mul,
  DivS,
  DivU,
  FloorDivS,
  CeilDivS,
  RemS,
  RemU,
  MinS,
  MaxS,
  MinU,
  MaxU,
  And,
  Or,
  Xor,
  Shl,
  ShrS,
  ShrU,
  Equal,
  NotEqual,
  LessS,
  LessEqualS,
  LessU,
  LessEqualU,
  Select,
  SignExtend,
  ZeroExtend,
  Truncate,
  PointerAdd,  ///< pointer, elements (64 bits)
};

using TermId = uint32_t;

struct TermNode {
  TermKind kind = TermKind::Constant;
  int32_t bits = 64;  ///< of the integer; 64 for a pointer and an index
  int64_t value = 0;
  llvm::SmallVector<TermId, 3> operands;

  bool operator<(const TermNode &o) const {
    if (kind != o.kind) return kind < o.kind;
    if (bits != o.bits) return bits < o.bits;
    if (value != o.value) return value < o.value;
    return operands < o.operands;
  }
};

/// Return the least and the greatest signed integer of `bits` bits: -128 and
/// 127 of 8 bits. One bit holds 0 and 1.
int64_t leastOfBits(int32_t bits);
int64_t greatestOfBits(int32_t bits);
/// Returns the signed integer of `bits` bits that equals `value` modulo 2^bits:
/// of 8 bits, 257 is 1 and 255 is -1. One bit is 0 or 1. From 64 bits on it is
/// `value`. Requires bits > 0.
int64_t wrapped(int64_t value, int32_t bits);

/// The values of a term's leaves at one point, by their numbers.
struct TermPoint {
  llvm::ArrayRef<int64_t> program, grid, arguments, loops, coordinates;
};

/// The value of a term: element `value` of the argument's buffer, or the
/// integer `value` if `argument` is -1.
struct TermValue {
  int64_t argument = -1;
  int64_t value = 0;
};

class Terms {
 public:
  const TermNode &operator[](TermId id) const { return terms_[id]; }
  size_t size() const { return terms_.size(); }

  TermId constant(int64_t value, int32_t bits);
  TermId leaf(TermKind kind, int64_t value, int32_t bits,
              llvm::ArrayRef<TermId> operands = {});
  TermId coordinate(int64_t number) {
    return leaf(TermKind::Coordinate, number, 64);
  }
  /// Returns the operation's term. Operations on constants, + 0, * 1, * 0 and a
  /// choice that is known are folded.
  TermId make(TermKind kind, int32_t bits, llvm::ArrayRef<TermId> operands);

  /// Returns the term with coordinate k replaced by `by[k]`. Coordinates behind
  /// the last of `by` stay.
  TermId substitute(TermId term, llvm::ArrayRef<TermId> by);
  /// Returns the term with the placeholders that `by` names replaced. A
  /// replacement takes the coordinates of its placeholder.
  TermId replace(TermId term, const std::map<int64_t, TermId> &by);

  /// Returns the term as it is when loop `loop` has run `count` times before.
  TermId inIteration(TermId term, int64_t loop, TermId count);

  /// Returns the term as it is in programs with that number along an axis.
  TermId inProgram(TermId term, int64_t axis, TermId number);

  /// Returns the arguments into whose buffers a pointer may point, or nothing
  /// if that is not known.
  std::optional<std::set<int64_t>> buffersOf(TermId pointer) const;

  /// Returns all terms of which the term is composed, itself among them.
  std::set<TermId> partsOf(TermId term) const;
  /// Returns those parts of `term`, itself among them, that have a leaf of that
  /// kind and value.
  std::set<TermId> termsWith(TermId term, TermKind kind, int64_t value) const;
  /// Returns the values of the leaves of that kind.
  std::set<int64_t> valuesOf(TermId term, TermKind kind) const;
  /// Returns whether the term has a leaf of that kind, and with that value if
  /// one is given.
  bool mentions(TermId term, TermKind kind,
                std::optional<int64_t> value = std::nullopt) const;

  /// Returns the value at a point. Integers wrap to their number of bits.
  /// Returns nothing if the term has an unknown, a placeholder or a loaded
  /// value, if the point does not give a leaf's value, or if an operation has
  /// no result, such as a division by 0.
  std::optional<TermValue> evaluate(TermId term, const TermPoint &point) const;

 private:
  TermId intern(TermNode term);
  std::optional<TermId> folded(TermKind kind, int32_t bits,
                               llvm::ArrayRef<TermId> operands);

  std::vector<TermNode> terms_;
  std::map<TermNode, TermId> numbers_;
};

/// Returns the result of an operation, an integer of `bits` bits, for operands
/// of `operandBits` bits. Returns nothing if the operation has no result there,
/// such as a division by 0.
std::optional<int64_t> applyTerm(TermKind kind, int32_t bits,
                                 int32_t operandBits,
                                 llvm::ArrayRef<int64_t> operands);

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_TERMS_H
