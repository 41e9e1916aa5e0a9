// The values that a loop carries from one iteration to the next, and their
// closed forms; private to import/triton.
//
//   scf.for %i = %c0 to %c8 step %c1 iter_args(%p = %base) {
//     %v = tt.load %p
//     %n = tt.addptr %p, %c64
//     scf.yield %n
//   }
//     start %base, next %p + 64, step 64: after k iterations %base + k * 64
//
// A loop's body is traced twice. In the first trace a placeholder stands for
// each term of a carried value, so that the trace says what one iteration adds
// to it: this is the step. If the step is the same in every iteration, the term
// is start + k * step after k of them, and the second trace has that. Otherwise
// the carried value is unknown.
//
// A value that an iteration replaces is known, too, if what takes its place is:
// pipelined loops carry what the next iteration uses.
//
//   scf.for … iter_args(%now = %a, %next = %b) {
//     %c = arith.muli %i2, %c64          of the iteration after the next one
//     scf.yield %next, %c
//   }
//     %next is %b, and %c of the iteration before from then on: one term if %b
//     is what %c would have been, else a choice by the number of the iteration
//
// A term that no iteration changes is put in place of its placeholder before
// the steps of the others are taken: a stride that the loop carries unchanged
// is steady.
#ifndef INDEXICAL_IMPORT_TRITON_CARRIED_VALUES_H
#define INDEXICAL_IMPORT_TRITON_CARRIED_VALUES_H

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/import/triton/meanings.h"
#include "indexical/program/kernel/terms.h"

namespace indexical::triton {

class CarriedValues {
 public:
  /// Makes an empty list of a loop's carried values. `loop` is the number of
  /// the loop's Loop term. Placeholders are numbered from `nextPlaceholder` on,
  /// which is then the next free number.
  CarriedValues(kernels::Terms &terms, int64_t loop, int64_t &nextPlaceholder)
      : terms_(terms), loop_(loop), nextPlaceholder_(nextPlaceholder) {}

  /// Whether a carried value that is one term is an integer or a pointer.
  enum class ValueKind : uint8_t { Integer, Pointer };

  /// Adds a carried value and returns the placeholders that stand for it. Its
  /// placeholders depend on the tile's `coordinates`.
  Meaning add(const Meaning &start, ValueKind kind,
              llvm::ArrayRef<TermId> coordinates);

  /// Notes the value that an iteration yields in place of carried value `k`.
  void setNext(size_t k, const Meaning &next);

  /// Finds the steps. Requires the next value of each carried value.
  void solve();

  /// Returns carried value `k` after `count` iterations, or nothing if it is
  /// not known.
  Meaning after(size_t k, TermId count);

  /// Returns what each iteration adds to carried value `k`, or nothing if that
  /// is not known, or if the value is not one term.
  std::optional<TermId> step(size_t k) const {
    if (!std::holds_alternative<TermId>(values_[k].start)) return std::nullopt;
    return carried_[values_[k].firstTerm].step;
  }

 private:
  struct CarriedTerm {
    TermId start = 0, placeholder = 0, next = 0;
    bool hasNext = true, isPointer = false;
    std::optional<TermId> step;
    /// The value that the iteration before put in its place, by the number of
    /// this one.
    std::optional<TermId> renewed;

    bool isSolved() const { return step || renewed; }
  };
  struct CarriedValue {
    Meaning start, placeholders;
    size_t firstTerm = 0;
  };

  std::optional<TermId> stepOf(TermId next, TermId placeholder);
  bool isSteady(TermId term) const;
  std::optional<TermId> renewedBy(const CarriedTerm &carried);
  std::optional<TermId> after(const CarriedTerm &carried, TermId count);

  kernels::Terms &terms_;
  const int64_t loop_;
  int64_t &nextPlaceholder_;
  std::vector<CarriedValue> values_;
  std::vector<CarriedTerm> carried_;  ///< the terms of all values, in order
};

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_CARRIED_VALUES_H
