// One plane of a profile, read in two passes: names first, as they may stand
// behind the lines that use them, then the events of the lines.
//
//   XPlane   1 id, 2 name, 3 lines, 4 event metadata, 5 stat metadata, 6 stats
//
// A stat's value is a text, or the number of a stat metadata whose name it is
// (a *reference*), or a number; a text that looks like a number is written as
// one. All three mean the same here.
#ifndef INDEXICAL_IMPORT_PROFILE_PLANE_H
#define INDEXICAL_IMPORT_PROFILE_PLANE_H

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Stats that the reader knows, by their names.
enum class StatName : uint8_t {
  Other,
  KernelDetails,
  MemcpyDetails,
  MemsetDetails,
  HloOp,
  HloModule,
  ProgramId,
  Name,
  CudaGraph,  ///< cuda_graph_id, …_node_id, …_exec_id
  ModuleName,
  HloProto,
  DeviceVendor,
  GpuDeviceName,
  ClockRate,
  CoreCount,
  MemorySize,
  CapabilityMajor,
  CapabilityMinor,
};
/// Returns the stat of that name, or Other if the reader does not know it.
StatName statNamed(llvm::StringRef name);

/// One stat, its value as it is written.
struct Stat {
  StatName name = StatName::Other;
  bool isNumber = false;
  bool isFloating = false;  ///< `number` is the bits of a double
  bool isMissing = false;   ///< a reference to a name that is not there
  int64_t number = 0;
  llvm::StringRef text;
};

struct EventMetadata {
  llvm::StringRef name;
  llvm::StringRef message;  ///< all of it, with its stats
};

class PlaneReader {
 public:
  /// Reads names. Strings that the bytes do not hold are put into `kept`.
  PlaneReader(llvm::StringRef plane, std::deque<std::string> &kept);

  llvm::StringRef name() const { return name_; }
  bool isDamaged() const { return damaged_; }
  const std::unordered_map<int64_t, EventMetadata> &events() const {
    return events_;
  }
  /// Returns the event's metadata, or null if there are none.
  const EventMetadata *event(int64_t id) const {
    const auto found = events_.find(id);
    return found == events_.end() ? nullptr : &found->second;
  }
  llvm::ArrayRef<llvm::StringRef> lines() const { return lines_; }
  llvm::ArrayRef<llvm::StringRef> stats() const { return stats_; }

  /// Returns the stat of a message XStat.
  Stat stat(llvm::StringRef message) const;
  /// Returns the value as a text, a number in decimal.
  llvm::StringRef textOf(const Stat &stat);
  /// Returns the value as a number, or nothing if it is not one.
  static std::optional<int64_t> integerOf(const Stat &stat);

 private:
  struct NamedStat {
    StatName name = StatName::Other;
    bool isThere = false;
    llvm::StringRef text;
  };
  const NamedStat *statMetadata(int64_t id) const {
    if (id >= 0 && id < static_cast<int64_t>(few_.size()))
      return few_[id].isThere ? &few_[id] : nullptr;
    const auto found = many_.find(id);
    return found == many_.end() ? nullptr : &found->second;
  }
  void addEvent(llvm::StringRef entry);
  void addStat(llvm::StringRef entry);

  llvm::StringRef name_;
  bool damaged_ = false;
  std::vector<llvm::StringRef> lines_, stats_;
  std::unordered_map<int64_t, EventMetadata> events_;
  /// Metadata of stats by their numbers: small ones, which most are, in a list.
  std::vector<NamedStat> few_;
  std::unordered_map<int64_t, NamedStat> many_;
  std::deque<std::string> &kept_;
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_PROFILE_PLANE_H
