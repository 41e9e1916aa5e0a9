// The kernels that XLA emitted for an LLM server, each with the fusion that it
// emitted it for: the rows of corpus/ORACLE_TTIR.tsv.
//
//   hlo/…/module_0012.….fused_computation.5.hlo   fused_computation.5
//   hlo/…/module_0012.….fusion.9.ttir             tiles of 1 x 1 x 256
#ifndef INDEXICAL_TESTS_IMPORT_TRITON_XLA_PAIRS_H
#define INDEXICAL_TESTS_IMPORT_TRITON_XLA_PAIRS_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/kernel/thread_accesses.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/program/module/program.h"

namespace indexical::kernels {

struct XlaPair {
  std::string name;                 ///< of the kernel's file, in the corpus
  std::string kernel, fusion;       ///< paths
  std::string computation;          ///< of the fusion's file
  llvm::SmallVector<int64_t> tile;  ///< of the result; of a gemm empty

  bool isGemm() const { return name.find("gemm") != std::string::npos; }
};

/// The pairs of the corpus; none if there is no corpus.
std::vector<XlaPair> xlaPairs();

/// A pair that is read, and the sizes of the kernel's arguments.
struct ReadPair {
  Program program;
  ComputationId computation;
  TritonKernel kernel;
  BufferSizes sizes;
};

/// Reads the text as the pair's kernel, with so many warps. Its grid is the
/// fusion's.
absl::StatusOr<ReadPair> readPair(const XlaPair &pair, const std::string &text,
                                  int64_t warps);

}  // namespace indexical::kernels

#endif  // INDEXICAL_TESTS_IMPORT_TRITON_XLA_PAIRS_H
