#include "indexical/writers/communication.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

#include "indexical/answers/report/keys.h"
#include "indexical/answers/saturated.h"
#include "indexical/writers/launch.h"
#include "indexical/writers/terminal.h"
#include "indexical/writers/values.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// People see so many reshards, unless they ask for more.
constexpr size_t kTopInText = 10;

std::string ratioText(const Reshard &of) {
  if (!of.all || of.neededAll == 0) return "-";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(
      "%.2f", static_cast<double>(*of.all) / static_cast<double>(of.neededAll));
  return text;
}

//===-- Text --------------------------------------------------------------===//

/// Writes the table for people.
class CommunicationTable {
 public:
  CommunicationTable(const Communication &of, bool showsStacks,
                     llvm::raw_ostream &os)
      : of_(of), showsStacks_(showsStacks), os_(os) {}

  void write() {
    const auto &rows = of_.rows();
    if (rows.empty()) return;
    const Communication::Totals &totals = of_.totals();
    os_ << '\n';
    writeSentence(counted(totals.mostDevices, "device") + " " +
                      (totals.mostDevices == 1 ? "receives " : "receive ") +
                      bytesText(totals.received) + " in " +
                      counted(totals.collectives, "collective") +
                      "; what readers use of that needs " +
                      bytesText(totals.needed),
                  columnsOf(os_), os_);
    os_ << '\n';
    if (!of_.groupedBy().empty()) return writeGroups();
    const bool colours = wantsColours(os_);
    writeToned("   #     saved     moves     needs ratio  reshard",
               Tone::Strong, colours, os_);
    os_ << '\n';
    const size_t shown = std::min(rows.size(), of_.top().value_or(kTopInText));
    for (size_t k = 0; k < shown; ++k) writeRow(rows[k], k + 1);
    if (rows.size() > shown)
      os_ << "      and " << counted(rows.size() - shown, "more reshard")
          << " (--top=N shows N)\n";
  }

 private:
  void writeRow(const Communication::Row &row, size_t number) {
    const Reshard &of = *row.reshard;
    const Module &module = *row.of->module;
    os_ << rightAligned(std::to_string(number), 4)
        << rightAligned(bytesText(of.saved()), 10)
        << rightAligned(of.all ? bytesText(productOf(*of.all, of.trips))
                               : std::string("-"),
                        10)
        << rightAligned(bytesText(productOf(of.neededAll, of.trips)), 10)
        << rightAligned(ratioText(of), 6);
    TextFlow flow(os_, columnsOf(os_), /*indent=*/6, /*begin=*/40);
    const Instruction &value =
        module.computations[of.computation].instructions[of.instruction];
    const ShapeList shapes = value.shape.leaves();
    flow.name(value.name, Tone::Strong);
    if (of.result < static_cast<int64_t>(shapes.size()))
      flow.name(shapes[of.result].str());
    for (size_t k : of.collectives) {
      const Collective &each = row.of->collectives[k];
      flow.name(each.op.str() + " " +
                module.computations[each.computation]
                    .instructions[each.instruction]
                    .name.str());
    }
    if (of.trips != 1 || !of.tripsKnown)
      flow.sentence(counted(of.trips, "trip") +
                    (of.tripsKnown ? "" : ", trips not known"));
    if (!of.isFollowed)
      flow.sentence("not followed to its readers");
    else if (!of.isExact)
      flow.sentence("needs at most that");
    if (row.plan()) {
      std::string plan = "plan: " + stepsText(*row.plan()) + ", " +
                         bytesText(row.plan()->allBytes);
      if (row.savedByPlan().value_or(0) > 0)
        plan += ", saves " + bytesText(*row.savedByPlan());
      flow.sentence(plan);
    }
    if (of_.choice().topology) {
      const LinkTimes time = of_.timesOf(row);
      if (time.within) flow.sentence("within a host " + timeOf(*time.within));
      if (time.between) flow.sentence("between hosts " + timeOf(*time.between));
    }
    const Metadata &metadata = row.instruction().metadata;
    flow.name(metadata.opName);
    const auto stack = module.frames.stackFrom(metadata.frame);
    if (!stack.empty() && !showsStacks_) flow.name(ownFrame(stack).place());
    flow.endLine();
    if (!showsStacks_) return;
    for (const StackFrame &frame : stack) {
      flow.name("  at " + frame.str());
      flow.endLine();
    }
  }

  void writeGroups() {
    const auto all = of_.groups();
    writeToned("   #     saved     moves     needs reshards  ", Tone::Strong,
               wantsColours(os_), os_);
    os_ << of_.groupedBy() << '\n';
    const size_t shown = std::min(all.size(), of_.top().value_or(kTopInText));
    for (size_t k = 0; k < shown; ++k) {
      const Communication::Group &group = all[k];
      os_ << rightAligned(std::to_string(k + 1), 4)
          << rightAligned(bytesText(group.saved), 10)
          << rightAligned(bytesText(group.received), 10)
          << rightAligned(bytesText(group.needed), 10)
          << rightAligned(std::to_string(group.reshards), 9);
      TextFlow flow(os_, columnsOf(os_), /*indent=*/6, /*begin=*/43);
      flow.name(group.name.empty() ? "(none)" : group.name, Tone::Strong);
      flow.endLine();
    }
    if (all.size() > shown)
      os_ << "      and " << counted(all.size() - shown, "more group")
          << " (--top=N shows N)\n";
  }

  const Communication &of_;
  const bool showsStacks_;
  llvm::raw_ostream &os_;
};

}  // namespace

void writeText(const Communication &communication, bool showsStacks,
               llvm::raw_ostream &os) {
  CommunicationTable(communication, showsStacks, os).write();
}

void writeStructure(const Communication &all, Structure &to) {
  if (all.isEmpty()) return;
  to.beginList("collectives", ItemLayout::OneALine);
  for (const Communication::OfModule &of : all.modules())
    for (auto [k, each] : llvm::enumerate(of.collectives)) {
      if (!of.isShown[k]) continue;
      auto members = [&, &each = each](ValueSink &sink) {
        writeKeys(CollectiveEntry{all, of, each}, sink);
      };
      to.item({"collective", members});
    }
  to.endList();
  const size_t shown =
      std::min(all.rows().size(), all.top().value_or(SIZE_MAX));
  to.beginList("reshards", ItemLayout::OneALine);
  for (const Communication::Row &row :
       llvm::ArrayRef(all.rows()).take_front(shown)) {
    auto members = [&](ValueSink &sink) { writeKeys(ReshardEntry{row}, sink); };
    to.item({"reshard", members});
  }
  to.endList();
  if (all.groupedBy().empty()) return;
  to.beginList("communication_groups", ItemLayout::OneALine);
  for (const Communication::Group &group : all.groups()) {
    auto members = [&](ValueSink &sink) {
      writeKeys(ReshardGroupEntry{all, group}, sink);
    };
    to.item({"communication_group", members});
  }
  to.endList();
}

}  // namespace indexical
