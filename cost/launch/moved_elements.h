// Moved elements: whether all elements that a kernel writes are elements that
// it is given, and which ones.
//
//   f { v = f32[] parameter(0)
//       ROOT j = f32[] exponential(v) }     computes, though of one element
//   g { t = f32[50000] parameter(0)
//       i = s32[4096,1] parameter(1)
//       ROOT g = f32[4096] gather(t, i) }   moves elements of t. Those of i
//                                           say which: they are none of g's
//
// A map says where an element is read, and not what becomes of it. So advice
// that a view, a concatenation or another layout suffices is checked here
// first. The effect of an op on elements is stated in
// program/values/op_elements.h, and each element of a result is followed from
// there to the operands of the kernel.
//
// Law (tests/answers/report/carried_advice_test.cc): a kernel that only moves
// may be exchanged with a function of single elements that is put before or
// after it, as `compareValues` proves.
#ifndef INDEXICAL_COST_LAUNCH_MOVED_ELEMENTS_H
#define INDEXICAL_COST_LAUNCH_MOVED_ELEMENTS_H

#include <cstdint>
#include <set>

#include "indexical/program/module/program.h"

namespace indexical {

/// The elements that a kernel passes on.
struct MovedElements {
  /// Whether every element of every result is an element of an operand, perhaps
  /// in another type, or a constant. False for a sum of scalars. True for a
  /// transpose, a conversion or a gather, even if the scalars that say which
  /// elements are moved are computed.
  ///
  /// The other members are set only if this is true.
  bool onlyMoves = false;

  /// The operand leaves of the kernel whose elements are elements of results:
  /// not the indices of a gather, and not the value that a pad puts around its
  /// operand.
  std::set<int64_t> sources = {};
  /// Whether elements have another type than in the source, so that their
  /// values may have been rounded.
  bool converts = false;
  /// Whether bits of elements are read as another type.
  bool recasts = false;
  /// Whether values of the run say which elements are moved: a gather, a
  /// dynamic slice, an update.
  bool byValues = false;
  /// Whether a result may lack elements of a source, have some of them several
  /// times, or have them in reverse: a slice, a broadcast, a reverse.
  bool selects = false;
  /// Whether a result has elements of no source: constants, and what a pad puts
  /// around its operand.
  bool fills = false;
  /// Whether arrays are concatenated.
  bool joins = false;
  /// The number of array leaves that are written.
  int64_t results = 0;

  /// Returns whether each result has all elements of the one source, each once,
  /// as they are: only their places may be others.
  bool areRearranged() const {
    return onlyMoves && sources.size() == 1 && !converts && !byValues &&
           !selects && !fills && !joins;
  }
};

/// Returns what the instruction, which is a kernel, does with the elements of
/// its operands. A custom call, and a call whose computation is not known, do
/// not only move elements.
MovedElements movedElements(const Module &module,
                            const Instruction &instruction);

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_MOVED_ELEMENTS_H
