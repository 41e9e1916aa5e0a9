// The traffic between devices of a whole program.
//
//   4 devices receive 384 B in 1 collective; what their readers use needs 192 B
//
//   reshards   v f32[16], by the all-reduce s: moves 384 B, needs 192 B
#ifndef INDEXICAL_ANSWERS_REPORT_COMMUNICATION_H
#define INDEXICAL_ANSWERS_REPORT_COMMUNICATION_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/report/rows.h"
#include "indexical/answers/reshard/first_plans.h"
#include "indexical/cost/communication/collectives.h"
#include "indexical/cost/communication/operand_reads.h"
#include "indexical/cost/communication/reshards.h"
#include "indexical/cost/communication/topology.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct CommunicationChoice {
  /// Nothing: what the module says, or its shardings or groups.
  std::optional<size_t> partitions, replicas;
  std::optional<Topology> topology;  ///< for times; nothing: there are none
};

/// The collectives and reshards of a program. For a module that is not
/// partitioned, also the reads that its shardings need.
class Communication {
 public:
  struct OfModule {
    size_t number = 0;
    const Module *module = nullptr;
    DeviceCounts devices;
    std::vector<Collective> collectives;
    std::vector<bool> isShown;  ///< of each collective
    std::vector<Reshard> reshards;
    /// The first plan of each reshard; nothing if its ends or a plan are
    /// unknown.
    std::vector<std::optional<FirstPlan>> plans;
  };
  /// A reshard that is shown. Those that could save most come first.
  struct Row {
    const OfModule *of;
    const Reshard *reshard;

    const std::optional<FirstPlan> &plan() const {
      return of->plans[reshard - of->reshards.data()];
    }
    /// Returns what its plan saves in all trips; nothing if there is no plan,
    /// or the reshard's own bytes are not known.
    std::optional<int64_t> savedByPlan() const;
    /// Returns the first collective that makes it.
    const Collective &collective() const {
      return of->collectives[reshard->collectives.front()];
    }
    const Instruction &instruction() const {
      const Collective &first = collective();
      return of->module->computations[first.computation]
          .instructions[first.instruction];
    }
  };
  struct Group {
    std::string name;
    size_t reshards = 0;
    int64_t received = 0, needed = 0, saved = 0;
  };
  /// Sums over all trips of the collectives that are shown.
  struct Totals {
    int64_t collectives = 0, received = 0, needed = 0, mostDevices = 0;
  };

  /// Makes an object without traffic.
  Communication() = default;
  /// Returns the traffic of the program. Leaves out collectives with wrong
  /// groups, with a warning. Uses the order, the group and the number of
  /// `rows`. The program must outlive the result.
  static Communication of(const Program &program, CommunicationChoice choice,
                          const RowChoice &rows, Messages &messages);

  /// Keeps only the collectives for which `isShown` is true, and reshards that
  /// have one of them.
  using IsShown = std::function<bool(size_t module, const Collective &)>;
  void show(const IsShown &isShown) { select(isShown); }

  bool isEmpty() const { return modules_.empty(); }
  /// Returns whether devices hold what the instruction reads of its operands
  /// that have a sharding. Empty: its own sharding or all of theirs are not
  /// stated, or its module is partitioned.
  llvm::ArrayRef<OperandReads> operands(size_t module,
                                        ComputationId computation,
                                        InstructionId instruction) const;
  const CommunicationChoice &choice() const { return choice_; }
  /// Returns `op_name`, `source` or `opcode`, or "" if there are no groups.
  llvm::StringRef groupedBy() const { return group_; }
  /// Returns the largest number of reshards or groups shown; std::nullopt: the
  /// usual number.
  std::optional<size_t> top() const { return top_; }
  const std::vector<OfModule> &modules() const { return modules_; }
  const std::vector<Row> &rows() const { return rows_; }
  const Totals &totals() const { return totals_; }
  /// Returns the sums of rows that are alike in groupedBy().
  std::vector<Group> groups() const;
  /// Returns the times of the row's collectives. The choice has a topology.
  LinkTimes timesOf(const Row &row) const;
  /// Returns the bytes that the device that receives most receives in all trips
  /// of that instruction, or 0 if the instruction is not a collective.
  double received(size_t module, ComputationId computation,
                  InstructionId instruction) const;

 private:
  void select(const IsShown &isShown);
  /// Finds what the shardings of a module need, up to a bound of its questions.
  void addOperands(const Program &program, size_t number,
                   std::optional<int64_t> partitions, Messages &messages);
  std::string keyOf(const Row &row) const;

  CommunicationChoice choice_;
  bool byReceived_ = false;  ///< else by the bytes that could be saved
  llvm::StringRef group_ = "";
  std::optional<size_t> top_;
  std::vector<OfModule> modules_;
  std::vector<Row> rows_;  ///< they point to modules_
  /// Key: module, computation and instruction of a collective.
  std::map<std::tuple<size_t, ComputationId, InstructionId>, double>
      receivedBy_;
  std::map<std::tuple<size_t, ComputationId, InstructionId>,
           std::vector<OperandReads>>
      operands_;
  Totals totals_;
};

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_COMMUNICATION_H
