#include "indexical/writers/sharding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/sharding/keys.h"
#include "indexical/writers/equality_words.h"
#include "indexical/writers/values.h"

namespace indexical {
namespace {

/// People see so many boxes.
constexpr int64_t kMostShown = 16;

std::string nameOf(ElementType type, llvm::ArrayRef<int64_t> sizes) {
  return ArrayShape(type, sizes).str();
}

std::string textOf(const ElementBox &box) {
  std::string text = "[";
  for (auto [begin, end] : box) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(begin) + ":" + std::to_string(end);
  }
  return text + "]";
}

void writeBox(const ShardedRelation &relation, int64_t device,
              llvm::raw_ostream &os) {
  os << "  device " << device << ": ";
  const auto box = relation.box(device);
  if (!box) {
    os << "nothing\n";
    return;
  }
  os << textOf(*box) << ", " << counted(elementsOf(*box), "element");
  if (relation.sharding().parts() > 1)
    os << ", part " << relation.sharding().holding(device)->part;
  os << '\n';
}

void writeCopies(const ShardedRelation &relation,
                 llvm::ArrayRef<int64_t> element, llvm::raw_ostream &os) {
  for (const auto &copy : relation.copiesOf(element)) {
    os << "  element " << tupleText(element) << " is on device " << copy.device
       << " at " << tupleText(copy.local);
    if (relation.sharding().parts() > 1) os << ", part " << copy.part;
    os << '\n';
  }
}

void writeText(const ValueSharding &value, const ShardingAnswer &in,
               llvm::raw_ostream &os) {
  os << (value.instruction.empty() ? "value" : value.instruction);
  if (value.result > 0) os << " result " << value.result;
  os << ' ' << nameOf(value.shape.type, value.shape.dimensions) << ' '
     << value.text << '\n';
  const int64_t devices = value.sharding.devices();
  if (!value.reason.empty())
    os << "  no global elements: " << value.reason << '\n';
  if (!value.relation) return;
  if (value.reason.empty()) {
    os << "  " << (devices < 0 ? "every device" : counted(devices, "device"))
       << (devices < 0 ? " has " : ", each has ")
       << nameOf(value.shape.type, value.relation->local());
    if (value.sharding.parts() > 1)
      os << ", of each element one of " << value.sharding.parts() << " parts ("
         << (value.sharding.reduction().empty() ? "sum"
                                                : value.sharding.reduction())
         << ")";
    os << '\n';
  }
  if (value.map)
    for (const IndexingMap &piece : value.map->pieces())
      os << "  " << piece.strOneLine() << '\n';
  for (const OperandReads &operand : value.operands)
    os << "  reads " << operand.name << ": " << communicationText(operand.reads)
       << '\n';
  for (const ValueSharding::Plan &each : value.plans) {
    const int64_t saved = each.plan.replicationBytes - each.plan.allBytes;
    os << "  plan for " << each.instruction << ": " << stepsText(each.plan)
       << ", " << bytesText(each.plan.allBytes) << " ("
       << bytesText(each.plan.replicationBytes)
       << " if each device gets the whole array";
    if (saved > 0) os << "; saves " << bytesText(saved);
    os << ")\n";
  }
  if (devices < 0 || !value.reason.empty()) return;
  for (int64_t device : in.devicesShown(devices, kMostShown))
    writeBox(*value.relation, device, os);
  if (!in.device && devices > kMostShown)
    os << "  and " << counted(devices - kMostShown, "device")
       << " more; --device=P shows one\n";
  if (in.element) writeCopies(*value.relation, *in.element, os);
}

}  // namespace

std::string communicationText(const LocalReads &reads) {
  if (reads.areLocal == Answer::Yes) return "no communication";
  if (reads.areLocal == Answer::Undecided) return "undecided: " + reads.reason;
  return (reads.dimensions.size() == 1 ? "communication along dimension "
                                       : "communication along dimensions ") +
         llvm::join(
             llvm::map_range(reads.dimensions,
                             [](int64_t k) { return std::to_string(k); }),
             ", ");
}

void ShardingResult::text(llvm::raw_ostream &os, TextStyle) {
  if (found_.values.empty()) os << "no value has a sharding\n";
  llvm::ListSeparator blank("\n");
  for (const ValueSharding &value : found_.values) {
    os << blank;
    writeText(value, found_, os);
  }
}

void ShardingResult::structure(Structure &to) {
  to.beginList("shardings", ItemLayout::OneALine);
  for (const ValueSharding &value : found_.values)
    to.item({"sharding", [&](ValueSink &sink) {
               writeKeys(ShardingEntry{found_, value}, sink);
             }});
  to.endList();
}

void ShardingResult::rows(Row row) {
  for (const ValueSharding &value : found_.values)
    row([&](ValueSink &to) { writeCells(ShardingEntry{found_, value}, to); });
}

}  // namespace indexical
