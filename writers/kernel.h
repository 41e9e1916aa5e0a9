// The report of the command `kernel`, as text and as data (keys.md).
#ifndef INDEXICAL_WRITERS_KERNEL_H
#define INDEXICAL_WRITERS_KERNEL_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "indexical/answers/kernel/findings.h"
#include "indexical/cost/kernel/shared_conflicts.h"
#include "indexical/cost/kernel/thread_accesses.h"
#include "indexical/cost/launch/predicted_time.h"
#include "indexical/cost/memory/device.h"
#include "indexical/ops/shape.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/same/kernel/comparison.h"
#include "indexical/writers/result.h"

namespace indexical {

class KernelResult : public Result {
 public:
  KernelResult(const KernelFindings &found, const Device &device)
      : found_(found), device_(device) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void rows(Row row) override;
  /// kernel_page.cc
  void section(llvm::raw_ostream &os, llvm::StringRef anchor) override;

 private:
  void writeSharedText(llvm::raw_ostream &os) const;
  void writeSumsText(llvm::raw_ostream &os) const;
  void writeJudgeText(llvm::raw_ostream &os) const;
  void writeFusionText(llvm::raw_ostream &os) const;
  void writeBoundsText(llvm::raw_ostream &os) const;
  void writeRaceText(llvm::raw_ostream &os) const;
  void writeVerdictsText(llvm::raw_ostream &os) const;
  void writeSummaryText(llvm::raw_ostream &os) const;
  std::string arrayText(const kernels::PointerMap &map) const;
  std::string arraysText(const kernels::KernelAccess &access) const;
  void writeAccessText(size_t number, llvm::raw_ostream &os) const;

  const KernelFindings &found_;
  const Device &device_;
};

/// A request that has no answer.
class RefusedRequest : public Result {
 public:
  explicit RefusedRequest(RefusedKernel refused)
      : refused_(std::move(refused)) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;

 private:
  const RefusedKernel refused_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_KERNEL_H
