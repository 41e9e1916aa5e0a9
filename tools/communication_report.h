// The traffic between devices, in all formats of `report`.
//
//   4 devices receive 384 B in 1 collective; what their readers use needs 192 B
//
//      #     saved     moves     needs ratio  reshard
//      1     192 B     384 B     192 B  2.00  v f32[16]  all-reduce s
//
// A page has the same, and a matrix of devices for each collective.
#ifndef INDEXICAL_TOOLS_COMMUNICATION_REPORT_H
#define INDEXICAL_TOOLS_COMMUNICATION_REPORT_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/analysis/communication/reshards.h"
#include "indexical/analysis/communication/topology.h"
#include "indexical/tools/result.h"
#include "indexical/tools/traffic_rows.h"

namespace indexical {

class Reporter;

/// The collectives and reshards of a program.
class Communication {
 public:
  struct Choice {
    std::optional<int64_t> partitions, replicas;
    std::optional<Topology> topology;
    bool byReceived = false;     ///< else by the bytes that could be saved
    llvm::StringRef group = "";  ///< `op_name`, `source` or `opcode`
    std::optional<size_t> top;   ///< the most reshards or groups shown
  };

  /// Collects them. Leaves out collectives with wrong groups, with a warning.
  /// The program must outlive the result.
  static Communication of(const Program &program, Choice choice,
                          Reporter &reporter);

  /// Keeps only the collectives for which `isShown` is true, and reshards that
  /// have one of them.
  using IsShown = std::function<bool(size_t module, const Collective &)>;
  void show(const IsShown &isShown) { select(isShown); }

  bool isEmpty() const { return modules_.empty(); }
  /// Returns what the device that receives most receives in all trips of that
  /// instruction, or 0 if the instruction is no collective.
  double received(size_t module, ComputationId computation,
                  InstructionId instruction) const;

  void text(llvm::raw_ostream &os, bool showsStacks) const;
  /// Writes the lists `collectives`, `reshards` and, with a group,
  /// `communication_groups`.
  void structure(Structure &to) const;
  /// Adds `collectives`, `received_bytes` and `needed_bytes`.
  void addTotals(std::vector<std::pair<llvm::StringRef, int64_t>> &sums) const;

 private:
  struct OfModule {
    size_t number = 0;
    const Module *module = nullptr;
    DeviceCounts devices;
    std::vector<Collective> collectives;
    std::vector<bool> isShown;
    std::vector<Reshard> reshards;
  };
  struct Row {
    const OfModule *of;
    const Reshard *reshard;
  };
  struct Group {
    std::string name;
    size_t reshards = 0;
    int64_t received = 0, needed = 0, saved = 0;
  };

  void select(const IsShown &isShown);
  std::vector<Group> groups() const;
  std::string keyOf(const Row &row) const;
  const Instruction &first(const Row &row) const;
  LinkTimes timesOf(const Row &row) const;
  void writeRow(const Row &row, size_t number, bool showsStacks,
                llvm::raw_ostream &os) const;
  void writeGroups(llvm::raw_ostream &os) const;
  void writeCollective(const OfModule &of, const Collective &each,
                       llvm::json::OStream &json) const;
  void writeReshard(const Row &row, llvm::json::OStream &json) const;

  Choice choice_;
  std::vector<OfModule> modules_;
  std::vector<Row> rows_;
  /// Key: module, computation and instruction of a collective.
  std::map<std::tuple<size_t, ComputationId, InstructionId>, double>
      receivedBy_;
  /// Sums over all trips of the collectives that are shown.
  int64_t collectives_ = 0, received_ = 0, needed_ = 0, mostDevices_ = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_COMMUNICATION_REPORT_H
