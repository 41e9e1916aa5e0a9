#include "indexical/writers/reshard.h"

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/writers/terminal.h"
#include "indexical/writers/values.h"

namespace indexical {
namespace {

void writeSteps(const ReshardPlan &plan, llvm::raw_ostream &os) {
  for (const ReshardStep &step : plan.steps) {
    os << "    " << nameOf(step.op);
    if (step.dimension) os << " along dimension " << *step.dimension;
    if (isCollective(step)) os << ", " << bytesText(step.bytes);
    if (!step.sharding.empty()) os << ": " << step.sharding;
    os << '\n';
  }
}

void writePlan(const ProvedPlan &of, size_t number, llvm::raw_ostream &os) {
  const ReshardPlan &plan = of.plan;
  os << "  plan " << number << ", "
     << (of.isProved() ? "proved"
                       : "not proved (" +
                             (of.verdict.reason.empty() ? std::string("different")
                                                        : of.verdict.reason) +
                             ")")
     << ": " << bytesText(plan.allBytes) << " in "
     << counted(plan.collectives, "collective") << ", at most "
     << bytesText(plan.mostBytes) << " on a device, peak "
     << bytesText(plan.peakBytes) << '\n';
  writeSteps(plan, os);
}

}  // namespace

void ReshardResult::text(llvm::raw_ostream &os, TextStyle) {
  os << found_.shape.str() << " over " << counted(found_.devices, "device")
     << ": " << bytesText(found_.neededBytes) << " must move";
  // Of sums of parts no device holds an element that another could get.
  if (found_.replicationBytes > 0)
    os << " (" << bytesText(found_.replicationBytes)
       << " if each device gets the whole array)";
  os << '\n';
  for (auto [k, plan] : llvm::enumerate(found_.plans))
    writePlan(plan, k + 1, os);
  if (!showsText_ || found_.plans.empty()) return;
  const std::string &text = textOf(found_.plans.front().plan, form_);
  os << '\n'
     << (text.empty() ? "plan 1 has no form of Shardy: a step leaves tiles "
                        "that no sharding names\n"
                      : text);
}

void ReshardResult::structure(Structure &to) {
  to.head([&](ValueSink &sink) { writeKeys(found_, sink); });
  to.beginList("plans", ItemLayout::OneALine);
  for (const ProvedPlan &plan : found_.plans)
    to.item({"plan", [&](ValueSink &sink) {
               writeKeys(PlanEntry{found_, plan, form_}, sink);
             }});
  to.endList();
}

void ReshardResult::rows(Row row) {
  for (const ProvedPlan &plan : found_.plans)
    row([&](ValueSink &to) {
      writeCells(PlanEntry{found_, plan, form_}, to);
    });
}

}  // namespace indexical
