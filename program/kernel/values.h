// The results of a kernel: the values that it stores, as a tree of ops on its
// loads.
//
//   %9 = tt.load %8, %6           load of argument 0, where the mask holds
//   %10 = math.exp %9             apply exponential
//   %11 = "tt.reduce"(%10) …      reduce add, axis 0
//   tt.store %12, %11             the access has the number of this value
//
// A value has a space: the program (bl_x, bl_y, bl_z), the loops around the op
// that makes it, the outermost first, and the coordinates of its tile. An
// operand stands in the same loops, or in some of the outer ones. Integers that
// depend on programs, loops and coordinates alone are maps; ops that give
// elements other places are maps of the spaces.
//
// A loop that adds, multiplies or takes a maximum is a reduction over its
// iterations. The value that any other loop carries is defined by its
// iterations: it is the result of the iteration before.
//
// This is plain data as kernel.h is. Ops have the names that HLO has for them;
// one that HLO does not have is named as the file names it, and computes any
// function of its operands.
#ifndef INDEXICAL_PROGRAM_KERNEL_VALUES_H
#define INDEXICAL_PROGRAM_KERNEL_VALUES_H

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/program/kernel/pieces.h"

namespace indexical::kernels {

struct KernelValue {
  enum class Kind : uint8_t {
    Unknown,   ///< `text` says why
    Index,     ///< the integer that the one of `maps` gives that holds
    Literal,   ///< a float whose bytes `text` has, the least significant first
    Load,      ///< the element that `maps` name; elsewhere operands[0], or what
               ///< is not known. `text` is `any` if it is anything there: a
               ///< mask leaves it out, and no other value was given
    Apply,     ///< the op `text` of the operands
    Foreign,   ///< the same of an op that HLO does not have
    Move,      ///< the operand that the argument of a map numbers, at the map;
               ///< the maps have all points, or `text` says why the value is
               ///< not known elsewhere
    Reduce,    ///< operands[0] along its dimension `axis`, by the op `text`
    Pick,      ///< what an argmax picks of operands[0] and operands[1] along
               ///< their dimension `axis`: operands[2] and operands[3] make the
               ///< two of one pair of two pairs; `text` is 0 or 1, the result
    Together,  ///< result `text` of what reduces the first half of operands
               ///< together, along their dimension `axis`; the other half makes
               ///< the results of two tuples
    LoopPick,  ///< what a loop of `axis` iterations picks so of operands[2] and
               ///< operands[3] in each of them, begun with operands[0] and
               ///< operands[1]; operands[4] and operands[5] make a pair
    Given,     ///< the argument `axis` of a reducer
    Argument,  ///< the scalar argument `axis` of the kernel, which has no
               ///< value; `text` says so
    Scan,      ///< operands[0] along its dimension `axis`, up to each place, by
               ///< the op `text`
    Loop,      ///< operands[0], then operands[1] in each iteration that `maps`
               ///< have, by the op `text`; by `dot` it is a sum of products.
               ///< operands[2], if there, is the same by its turns
    SoFar,     ///< what such a Loop has before an iteration of it; operands too
    Turned,   ///< operands[0] if the loop does not run, else operands[1] of its
              ///< last turn; `maps` give the number of turns
    Carried,  ///< operands[0] in the first turn, else operands[1] of the turn
              ///< before; `text` says of what loop
    Dot,      ///< operands[0] times operands[1], and operands[2] added; `text`
              ///< says how exactly numbers of 32 bits are multiplied
  };
  Kind kind = Kind::Unknown;
  std::string type;  ///< of an element, as HLO names it; of integers signed
  std::string text;
  /// Flags that exclude numbers of an Apply or a Foreign, or of what a Load
  /// gives: `nuw`. The value is not defined where a flag excludes them.
  std::vector<std::string> excluding;
  /// How many branches the op stands in, in a text that has branches. A choice
  /// by a branch computes only the side that it takes, so far as that stands in
  /// more branches than the choice; another choice computes both sides.
  int32_t depth = 0;
  bool isBranch = false;  ///< of a `select`: it is a choice by a branch
  std::vector<PieceSpace::LoopCount> loops;
  llvm::SmallVector<int64_t, 4> tile;
  /// Numbers of values, which are less but for operands[1] of Carried, and
  /// operands[1] and operands[2] of SoFar.
  std::vector<int64_t> operands;
  std::vector<PointerMap> maps;  ///< from its space; of Loop, the operand's
  int64_t axis = 0;              ///< of Load, the number of its access
  int64_t line = 0;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_VALUES_H
