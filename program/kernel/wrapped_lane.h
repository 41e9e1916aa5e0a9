// A lane of an access that wraps; private to wraps.cc.
//
//   program r, r * C in 32 bits, R = 46342, C = 46341
//   r = 46341 wraps: 46341 * 46341 > 2147483647
#ifndef INDEXICAL_PROGRAM_KERNEL_WRAPPED_LANE_H
#define INDEXICAL_PROGRAM_KERNEL_WRAPPED_LANE_H

#include <cstdint>
#include <string>
#include <vector>

#include "indexical/program/kernel/size_terms.h"
#include "indexical/program/kernel/terms.h"
#include "indexical/program/kernel/wraps.h"

namespace indexical::kernels {

/// Looks for lanes at the ends of their ranges, and where sizes leave them.
class WrappedLanes {
 public:
  /// `names` are the sizes without a value. All must outlive the object.
  WrappedLanes(const Terms &terms, const WrapSpace &space,
               const std::vector<std::string> &names)
      : terms_(terms), space_(space), names_(names) {}

  /// Returns whether the operation wraps at these sizes, at a lane that the
  /// mask lets through. False: no such lane was found among those that were
  /// tried. `isUnsigned`: it is read without a sign, as its operands are.
  bool isReached(const WrapAccess &access, TermId node, bool isUnsigned,
                 const SizeValues &sizes);

 private:
  /// A coordinate, and the values that it is tried at.
  struct Choice {
    int64_t *at;
    std::vector<int64_t> values;
  };
  /// The choices, and the point that they change.
  struct Point {
    std::vector<int64_t> program, grid, arguments, loops, coordinates;
    std::vector<Choice> choices;
    TermPoint now() const {
      return {program, grid, arguments, loops, coordinates};
    }
  };

  void setAccess(const WrapAccess &access);
  bool isReachedFrom(TermId node, const Point &point, size_t next);
  bool isLetThrough(const TermPoint &lane);
  bool isInLoops(const TermPoint &lane) const;
  bool wraps(TermId node, const TermPoint &point) const;

  const Terms &terms_;
  const WrapSpace &space_;
  const std::vector<std::string> &names_;
  const WrapAccess *access_ = nullptr;
  /// The conditions that the mask joins; the last one that did not hold first.
  std::vector<TermId> conditions_;
  bool isUnsigned_ = false;
  int64_t tried_ = 0;  ///< lanes, of all accesses
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_WRAPPED_LANE_H
