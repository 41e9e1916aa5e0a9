// Avoidable time: the part of a kernel's time that a change could save at most,
// and the change.
//
//   s = slice(cache)        92 us   all of it: a view of `cache` would do
//   c = copy(p)             40 us   all of it: `p` is not donated
//   e = fusion(x)           50 us   at most 30 us: only `f` reads e, and in one
//                                   kernel e would not pass through memory
//   r = reduce(e)           20 us   8 us: a third of its bytes is not used
//   d = dot(e, w)           90 us   nothing: it is at the roof
//   u = copy(q)             40 us   nothing: `q` is overwritten before it is
//                                   read
//
// A kernel that only moves data is avoidable as a whole, if the module shows
// how. For another kernel, the avoidable time is the larger of (a) its time
// beyond what the device attains when each array moves once
// (Avoidable::attainable), and (b) the time for an array that one kernel writes
// and one reads to pass through memory. It is an upper bound: to fuse two
// kernels may not pay off.
//
// A kernel of one element reads and writes the same place, whatever it
// computes. So no advice rests on maps alone: what a kernel does with elements
// comes first (cost/launch/moved_elements.h).
//
// Laws (tests/answers/report/avoidable_test.cc, carried_advice_test.cc): no
// more than the kernel's time is avoidable, and no less than nothing; a kernel
// that is replaced by the view, the copy, the conversion or the concatenation
// that the advice names gives the same values.
#ifndef INDEXICAL_ANSWERS_REPORT_AVOIDABLE_H
#define INDEXICAL_ANSWERS_REPORT_AVOIDABLE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/cost/hazards/hazards.h"
#include "indexical/cost/launch/predicted_time.h"
#include "indexical/cost/memory/device.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct KernelCost;

/// Changes that save a smaller part of the time are not reported.
constexpr double kLeastAvoidable = 0.02;

/// The change that would avoid the time.
enum class AvoidBy : uint8_t {
  Nothing,
  // All of a kernel that only moves data.
  View,     ///< its elements lie in its operand, in the same order
  Donate,   ///< it copies a parameter that is not donated
  Layout,   ///< it changes the layout of an array, or takes a part of it
  Type,     ///< it converts the elements of an array
  Join,     ///< it joins several arrays
  Loop,     ///< it copies an operand of a loop
  Fill,     ///< it writes one value everywhere
  Fuse,     ///< one kernel alone reads it, or alone writes what it reads
  Readers,  ///< several kernels read it, and could read its operand
  Gather,   ///< it transposes what is gathered along another dimension
  // A part of the time of any other kernel.
  FuseArray,  ///< one kernel alone reads an array that it computes
  Sectors,    ///< of the sectors that it moves, lanes use a part
  Again,      ///< it moves the same bytes several times
  Scan,       ///< each result reduces all results before it anew
  Split,      ///< few blocks have much to do, one after the other
  Cores,      ///< a core has more work than the others
  Blocks,     ///< the start of blocks takes longest
  Waits,      ///< there is too little work for the waits for memory
  Library,    ///< a library's kernel, which is slow
  Measured,   ///< it takes longer than the figures explain
};

/// Returns `view`, `donate`, …; "" for Nothing.
llvm::StringRef nameOf(AvoidBy by);

struct Avoidable {
  /// Why the whole kernel is avoidable; Nothing: it is not.
  AvoidBy whole = AvoidBy::Nothing;
  /// The kernel or the parameter that the change is about; it may be empty.
  std::string with;
  bool isParameter = false;  ///< `with` names a parameter
  bool isWriter = false;     ///< `with` writes what the kernel reads
  /// For View: the module's caller is the only reader of the copy.
  bool isReturned = false;
  /// For Fill: `with` overwrites a part of the array, as a scatter does. If
  /// false, it reads the array. For View: a reader of the copy overwrites it.
  bool isOverwritten = false;
  /// For View: it is a copy of the whole array, and nothing is overwritten too
  /// early without it.
  bool isNeedless = false;
  /// For Donate: other parameters that are to be donated, too.
  std::vector<std::string> withToo;
  /// For Donate: kernels have to run in these orders.
  std::vector<HazardOrder> orders;
  /// For a kernel that only moves data and must stay: which instructions
  /// overwrite the source, and before which readers, as `stays` says. Names may
  /// be empty.
  bool stays = false;
  std::string overwriter, lateReader;
  std::string staysFor;  ///< another reason: `the caller keeps p`
  /// Why it is unknown whether the kernel may be removed; "" if it is known.
  std::string unknown;
  size_t readers = 0;  ///< of Readers: how many
  size_t sources = 1;  ///< arrays that make up what it writes
  /// For Join, Layout and Type: whether elements have another type than in the
  /// source, whether some are left out or taken several times, and whether
  /// there are constants among them.
  bool converts = false, isPart = false, fills = false;

  /// Microseconds of a launch that moves each array once, at the shares of the
  /// peaks that the device reaches, and what else holds the launch up.
  double attainable = 0;
  AvoidBy own = AvoidBy::Nothing;
  double unused = 0;     ///< of its bytes: the part that no lane uses
  double again = 1;      ///< bytes moved, for each byte of its arrays
  int64_t blocks = 0;    ///< of the launch
  double predicted = 0;  ///< microseconds of a launch; 0: not known
  int64_t threads = 0;   ///< of a block, for Split
  double reads = 0;      ///< of a thread, for Split
  int64_t atomics = 0;   ///< updates that may meet, for Again
  int64_t window = 0;    ///< results that one reduces, for Scan
  int64_t gathered = 0;  ///< the dimension that is gathered, for Gather
  /// For Sectors: the array of the access that wastes most, and the
  /// recommendation, in words. Both may be empty.
  std::string array, remedy;
  bool isRead = true;  ///< whether that access reads

  /// Microseconds for an array to pass through memory to `reader`, its only
  /// reader.
  double throughMemory = 0;
  std::string reader;

  /// Returns the name of the kernel or parameter that the change is about, or
  /// "" if it is about none.
  const std::string &partnerOf(AvoidBy by) const;
};

/// The avoidable part of the time of some launches.
struct AvoidedTime {
  AvoidBy by = AvoidBy::Nothing;
  double microseconds = 0;
};
/// Returns the avoidable part of `total` microseconds of so many launches.
AvoidedTime avoidedOf(const Avoidable &avoidable, double total,
                      double launches);

/// Returns the change in words, or "" for Nothing. `partners` is the number of
/// kernels or parameters that it is about: a row of several kernels may copy
/// several parameters.
std::string adviceOf(const Avoidable &avoidable, const AvoidedTime &time,
                     size_t partners = 1);

/// Returns why a kernel without avoidable time takes its time, in words.
/// `onlyMoves` says whether it computes nothing, and `limit` which resource
/// takes longest, if its time is predicted.
std::string whyNothing(const Avoidable &avoidable, bool onlyMoves,
                       std::optional<TimeLimit> limit);

/// Like whyNothing() above, for a kernel whose facts are known.
std::string whyNothing(const KernelCost &kernel);

/// Sets `facts.avoidable` of all kernels, whose other facts are known.
void addAvoidable(const Program &program, std::vector<KernelCost> &kernels);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_AVOIDABLE_H
