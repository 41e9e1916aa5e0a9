// Differences between a kernel's compiled code and the model of XLA's emitters.
//
//   k   compiled: reads of a    65536 requests, 524288 sectors
//       modelled: reads of a    16384 requests, 131072 sectors
//
// Figures are the sums over all accesses of an array. Bounds are otherwise only
// if no number is within both.
#ifndef INDEXICAL_ANSWERS_REPORT_MODELLED_H
#define INDEXICAL_ANSWERS_REPORT_MODELLED_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/memory/measured.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The requests of warps, and the sectors that they touch, summed.
struct RequestFigures {
  Figure requests, sectors;
};

/// An array for which the model differs.
struct ModelledArray {
  bool isRead = true;
  size_t leaf = 0;  ///< of the operands if it is read, else of the results
  RequestFigures model, compiled;
};

struct Modelled {
  std::optional<Emitter> emitter;
  std::optional<Grid> grid;
  bool isLaunchOther = false;  ///< blocks or threads are others
  std::vector<ModelledArray> arrays;
};

/// A kernel with its traffic.
struct KernelWithTraffic {
  const Kernel &kernel;
  const KernelTraffic &traffic;
};

/// Returns the differences between the model and the code of the same kernel,
/// or nothing if they agree or if the model has no launch. Arrays for which
/// either has no figures are not compared. `arrays` is what arraysOfOperands()
/// returns (operand_arrays.h).
std::optional<Modelled> modelledOtherwise(const KernelWithTraffic &compiled,
                                          const KernelWithTraffic &model,
                                          llvm::ArrayRef<size_t> arrays);

/// Returns a sentence about the differences: `compiled otherwise than modelled:
/// …`. `nameOf` gives the names of arrays.
std::string wordsOf(const Modelled &modelled, const Grid &compiled,
                    llvm::ArrayRef<std::string> names);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_MODELLED_H
