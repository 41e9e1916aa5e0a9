// The ways on which a fusion reads its parameters.
//
//   r = add(param_0, broadcast(param_1))
//     param_0   (d0, d1) -> (d0, d1)    by `r`
//     param_1   (d0, d1) -> (d1)        by the broadcast
//
// A way may have runtime variables: the indices of a gather.
#ifndef INDEXICAL_SAME_KERNEL_FUSION_WAYS_H
#define INDEXICAL_SAME_KERNEL_FUSION_WAYS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "indexical/indexing/budget.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/program.h"
#include "indexical/same/kernel/open_indices.h"

namespace indexical::kernels {

/// A way from the elements of a result to those of a parameter.
struct Use {
  int64_t parameter = 0, result = 0;
  IndexingMap map;     ///< from the result's index to the parameter's
  std::string reader;  ///< the instruction that reads the parameter
};

/// Finds the ways of a computation. Equal ways count once.
class FusionWays {
 public:
  static constexpr size_t kMostWays = 256;
  using Parameters = std::map<std::pair<InstructionId, LeafId>, int64_t>;

  /// `parameters` has the number of each leaf of the parameters. All have to
  /// outlive the object.
  FusionWays(const Module &module, ComputationId computation,
             const Parameters &parameters, const Budget &budget);

  absl::StatusOr<std::vector<Use>> uses();
  /// Returns the element of a parameter that a runtime variable of a way is,
  /// through ops that move elements and convert integers. `map` is the way from
  /// the points of a map: its variables are those of the index. Sets
  /// `parameter`, and leaves `argument` as it is. Returns std::nullopt if the
  /// variable is another value.
  std::optional<OpenIndex> indexOf(const IndexingMap &map,
                                   const RuntimeVariable &variable,
                                   int64_t &parameter);

 private:
  /// A map from the result to a value, and the instruction that reads the
  /// value.
  struct Way {
    IndexingMap map;
    InstructionId reader;
  };

  absl::Status follow();
  absl::Status add(std::pair<InstructionId, LeafId> at, const IndexingMap &way,
                   const IndexingMap &piece, InstructionId reader);
  std::optional<IndexingMap> step(InstructionId at, LeafId result,
                                  OperandLeaf &to);

  ProgramIndexing maps_;
  const Budget budget_;
  const ComputationId number_;
  const Computation &computation_;
  const Parameters &parameters_;
  std::map<std::pair<InstructionId, LeafId>, std::vector<Way>> ways_;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_FUSION_WAYS_H
