// What is known of a kernel beside its accesses: what it would take ideally,
// which ones are alike, what it is there for; and where the time of all goes.
//
//   copy.1     ideal 240 us, alike 0, moves: its parameter is not donated
//   copy.2     ideal 240 us, alike 0, likewise
//   fusion     ideal  12 us
//
//   time       kernels that only move data 90%, libraries 9%, the rest 1%
#ifndef INDEXICAL_TOOLS_KERNEL_FACTS_H
#define INDEXICAL_TOOLS_KERNEL_FACTS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/analysis/launch/movement.h"
#include "indexical/analysis/memory/device.h"
#include "indexical/program/program.h"

namespace indexical {

struct MeasuredKernel;

struct KernelFacts {
  int64_t neededBytes = 0;  ///< arrays as far as they are touched, each once
  double ideal = 0;         ///< microseconds of one launch
  /// The number of the class of kernels that are alike, and how many it has.
  size_t alike = 0, alikeCount = 1;
  bool onlyMoves = false;
  CopyReason why = {};
};

/// Fills in the facts of all kernels. `texts` are those that the program's
/// modules were read from: their headers say what is donated.
void addFacts(const Program &program, const Device &device,
              llvm::ArrayRef<llvm::StringRef> texts,
              std::vector<MeasuredKernel> &kernels);

/// Where time goes. A microsecond counts once, in the first that it is of.
enum class TimeUse : uint8_t {
  Libraries,    ///< of libraries, sorts, and what is not known
  BlocksWaits,  ///< launches that the start of blocks binds, or waits do
  Unused,       ///< the part of sectors that no lane uses
  Movement,     ///< kernels that only move data
  Rest,
};
constexpr size_t kTimeUses = 5;
/// `libraries`, `blocks_and_waits`, `unused_sectors`, `movement`, `rest`.
llvm::StringRef nameOf(TimeUse use);

/// The use of a kernel's time, but for what its unused sectors take.
TimeUse timeUseOf(const MeasuredKernel &kernel);

/// Microseconds, and kernels, by what they are used for.
struct TimeUses {
  std::array<double, kTimeUses> time = {};
  std::array<size_t, kTimeUses> kernels = {};
  /// Kernels without a time, which are nowhere else.
  size_t unknown = 0;
  double whole() const;
  /// Adds a kernel that takes so long in all, of whose bytes a part is wasted.
  void add(const MeasuredKernel &kernel, double microseconds,
           double wastedPart);
};

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_KERNEL_FACTS_H
