// The report of a profile: measured times beside predicted ones.
//
//   profile h: 1 of 8 GPUs ran kernels (mi300x), 75 kernels, 3881 us, busy …
//   16 modules, 11 ran; 98.8% of the time has an instruction, 1.2% has none
//
// The row of a kernel has the time of a launch (the median), the time that a
// launch would take if it moved each array once or did its operations at the
// device's peak (*ideal*), and the time that all launches lost against that.
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
  /// Takes the rows of the kernels that ran. All arguments must outlive it.
  ProfileView(const ProfiledProgram &read, const JoinedProfile &joined,
              const std::vector<MeasuredKernel> &kernels, const Device &device);

  /// Returns the row of the kernel, or null if it never ran.
  const MeasuredRow *rowOf(const MeasuredKernel &kernel) const;
  /// Returns the module of the kernel.
  const ProfiledModule &moduleOf(const MeasuredKernel &kernel) const;
  /// Returns the picoseconds of all kernels.
  int64_t total() const { return joined_.total; }
  const JoinedProfile &joined() const { return joined_; }
  const Device &device() const { return device_; }
  const ProfiledProgram &read() const { return read_; }

  /// Adds `measured`, `lost`, `ratio` to sums of a kernel, for an order.
  void addTimes(const MeasuredKernel &kernel, TrafficSums &sums) const;

  /// Writes the members `profile` and `unattributed` of the document.
  void writeHead(llvm::json::OStream &json) const;
  /// Writes the keys that a profile adds to a kernel.
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

/// Returns the resources that a block takes of its core, from the profile.
Residency residencyOf(const LaunchDetails &details);
/// Returns the number of blocks that a core holds at once. Returns nothing if
/// the profile has no block, or has neither registers nor occupancy, as on AMD.
std::optional<int64_t> residentBlocks(const LaunchDetails &details,
                                      const Device &device);

/// Returns `same` or `differs`, or "" if one launch is unknown or the op is
/// several kernels.
llvm::StringRef launchMatch(const MeasuredKernel &kernel, const MeasuredOp &op);

/// Returns the columns of writeColumns().
std::vector<llvm::StringRef> profileColumns();

/// Returns picoseconds as microseconds, exactly: `12133.585`.
std::string exactMicroseconds(int64_t picoseconds);

/// Writes the table for people.
void writeProfileText(const TrafficView &view, const SelectedRows &rows,
                      llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_PROFILE_REPORT_H
