// Finds the instruction of a module that a launch of a profile is of.
//
//   hlo_op fusion.3                 fusion.3, a kernel of the entry, or of what
//                                   it calls, loops over or branches into
//   hlo_op all-reduce-start         the kernel in what it wraps
//   hlo_op command_buffer, kernel   the only kernel of the buffer that XLA
//   loop_add_fusion, grid 8 x 1 x 1 calls so and that is launched so
//
// An equal fusion reuses the kernel of an earlier one, with its name. So a name
// decides only if no other kernel of the buffer has the same op, shapes and
// launch. Else the order may: b adds to what a adds, and both run the kernel a.
// Then every other launch of a is b's.
#ifndef INDEXICAL_COST_PROFILE_OP_FINDER_H
#define INDEXICAL_COST_PROFILE_OP_FINDER_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include "indexical/cost/launch/kernels.h"
#include "indexical/import/profile/profile.h"
#include "indexical/program/module/program.h"

namespace indexical {

class OpFinder {
 public:
  using GridOf =
      llvm::function_ref<std::optional<Grid>(const KernelSite &site)>;

  /// Lists the kernels of the module, which must outlive it.
  explicit OpFinder(const Module &module);

  /// Returns the instruction of a launch, or nothing if none, or more than one,
  /// may be it.
  std::optional<KernelSite> find(const KernelKind &kind, GridOf gridOf) const;
  /// Returns the instructions of a command buffer that run the kernel, in the
  /// order in which they run it. The list is empty unless only these can run
  /// it, and in this order alone: each depends on the one before. `launched`
  /// are the kernels of the buffer that ran, by plainKernelName(): an
  /// instruction whose name is among them runs the kernel of that name.
  std::vector<KernelSite> sharers(const KernelKind &kind,
                                  const llvm::StringSet<> &launched,
                                  GridOf gridOf) const;
  /// Returns whether the name is that of a kernel, or of an instruction that
  /// runs kernels.
  bool knows(llvm::StringRef op) const;
  /// Returns whether the instruction runs a command buffer.
  bool isBuffer(llvm::StringRef op) const;
  /// Returns whether the instruction is run once for each run of the module: it
  /// is in no loop and no branch.
  bool runsOnce(ComputationId computation, InstructionId instruction) const;

 private:
  const Instruction &at(const KernelSite &site) const {
    return module_.computations[site.computation]
        .instructions[site.instruction];
  }
  void addWrapper(const Instruction &instruction);
  /// Adds the kernels that a computation runs, those of its loops and branches
  /// too.
  void addAllOf(ComputationId computation, std::vector<size_t> &sites) const;
  std::optional<KernelSite> inBuffer(llvm::ArrayRef<size_t> sites,
                                     const KernelKind &kind,
                                     GridOf gridOf) const;
  /// Returns the kernels of the command buffer that the launch names, or those
  /// of all command buffers if it names none.
  llvm::ArrayRef<size_t> bufferOf(const KernelKind &kind) const;
  bool isLaunchedSo(size_t site, const KernelKind &kind, GridOf gridOf) const;
  bool dependsOn(size_t later, size_t earlier) const;

  const Module &module_;
  std::vector<KernelSite> sites_;  ///< none of one instruction twice
  llvm::StringMap<size_t> byName_;
  /// The kernels in what an instruction runs, in all command buffers, and all.
  /// A buffer has those of its loops and branches too: their launches name it.
  /// Older versions of XLA made command buffers computations of the module. The
  /// modules of newer ones do not say which kernels are in one, so any may be.
  llvm::StringMap<std::vector<size_t>> inside_;
  llvm::StringSet<> buffers_;  ///< the instructions that run one
  std::vector<size_t> inBuffers_, all_;
  std::vector<std::vector<size_t>> ofComputation_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_PROFILE_OP_FINDER_H
