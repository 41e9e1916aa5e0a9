// The report of a profile: measured times beside predicted ones.
//
//   profile h: 1 of 8 GPUs ran kernels (mi300x), 75 kernels, 3881 us, busy …
//   16 modules, 11 ran; 98.8% of the time has an instruction, 1.2% has none
//
// A kernel's row has what a launch took (the median), what it would take if it
// moved each array once or did its operations at the device's peak (*ideal*),
// and what all launches lost against that.
#ifndef INDEXICAL_TOOLS_PROFILE_REPORT_H
#define INDEXICAL_TOOLS_PROFILE_REPORT_H

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/analysis/profile/joined_profile.h"
#include "indexical/tools/profile_input.h"
#include "indexical/tools/traffic_rows.h"

namespace indexical {

struct SelectedRows;
struct TrafficView;

/// The measured times of a kernel, its prediction and its ideal, in
/// microseconds.
struct MeasuredRow {
  const MeasuredOp *op = nullptr;
  int64_t neededBytes = 0;
  double ideal = 0;            ///< of one launch
  double total = 0, lost = 0;  ///< of all launches

  std::optional<double> median() const {
    if (!op->median) return std::nullopt;
    return *op->median * 1e-6;
  }
};

class ProfileView {
 public:
  /// Takes the rows of the kernels that ran. All must outlive it.
  ProfileView(const ProfiledProgram &read, const JoinedProfile &joined,
              const std::vector<MeasuredKernel> &kernels, const Device &device);

  /// Null where the kernel never ran.
  const MeasuredRow *rowOf(const MeasuredKernel &kernel) const;
  /// The module that the kernel is of.
  const ProfiledModule &moduleOf(const MeasuredKernel &kernel) const;
  /// Picoseconds of all kernels.
  int64_t total() const { return joined_.total; }
  const JoinedProfile &joined() const { return joined_; }
  const Device &device() const { return device_; }
  const ProfiledProgram &read() const { return read_; }

  /// Adds `measured`, `lost`, `ratio` to sums of a kernel, for an order.
  void addTimes(const MeasuredKernel &kernel, TrafficSums &sums) const;

  /// `profile` and `unattributed`, of the document.
  void writeHead(llvm::json::OStream &json) const;
  /// The keys of a kernel that a profile adds.
  void writeKernel(const MeasuredKernel &kernel,
                   llvm::json::OStream &json) const;
  /// Writes the keys that are columns of a table.
  void writeColumns(const MeasuredKernel &kernel,
                    llvm::json::OStream &json) const;

 private:
  const ProfiledProgram &read_;
  const JoinedProfile &joined_;
  const Device &device_;
  llvm::DenseMap<const MeasuredKernel *, MeasuredRow> rows_;
  /// The number that each module of the program has in the join.
  std::vector<size_t> joinedAt_;
};

/// What a profile says that a block takes of its core.
Residency residencyOf(const LaunchDetails &details);
/// Blocks that a core holds at once. Nothing without the block and without
/// registers or occupancy, which AMD does not give.
std::optional<int64_t> residentBlocks(const LaunchDetails &details,
                                      const Device &device);

/// `same`, `differs`; empty where one side is not known, or the op is several
/// kernels.
llvm::StringRef launchMatch(const MeasuredKernel &kernel, const MeasuredOp &op);

/// The columns of writeColumns().
std::vector<llvm::StringRef> profileColumns();

/// Microseconds of picoseconds, exactly: `12133.585`.
std::string exactMicroseconds(int64_t picoseconds);

/// The table for people.
void writeProfileText(const TrafficView &view, const SelectedRows &rows,
                      llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_PROFILE_REPORT_H
