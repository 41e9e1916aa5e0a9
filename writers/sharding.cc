#include "indexical/writers/sharding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/answers/maps/keys.h"
#include "indexical/answers/report/keys.h"
#include "indexical/writers/equality_words.h"
#include "indexical/writers/format.h"
#include "indexical/writers/json_sink.h"

namespace indexical {
namespace {

namespace json = llvm::json;

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

std::string counted(int64_t count, llvm::StringRef what) {
  return std::to_string(count) + " " + what.str() + (count == 1 ? "" : "s");
}

/// The devices that are shown, at most so many.
std::vector<int64_t> shownDevices(const ShardingView &view, int64_t devices,
                                  int64_t most) {
  if (view.device) return {*view.device};
  std::vector<int64_t> shown;
  for (int64_t device = 0; device < std::min(devices, most); ++device)
    shown.push_back(device);
  return shown;
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

void writeText(const ShownSharding &value, const ShardingView &view,
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
  if (devices < 0 || !value.reason.empty()) return;
  for (int64_t device : shownDevices(view, devices, kMostShown))
    writeBox(*value.relation, device, os);
  if (!view.device && devices > kMostShown)
    os << "  and " << counted(devices - kMostShown, "device")
       << " more; --device=P shows one\n";
  if (view.element) writeCopies(*value.relation, *view.element, os);
}

void writeMembers(const ShownSharding &value, const ShardingView &view,
                  json::OStream &out) {
  if (!value.instruction.empty()) {
    out.attribute("instruction", jsonString(value.instruction));
    out.attribute("result", int64_t{value.result});
  }
  out.attribute("text", jsonString(value.text));
  out.attribute("source", value.source);
  const auto &relation = value.relation;
  if (relation && value.sharding.none() == NoElements::None)
    writeNumbers(out, "global", relation->global());
  if (relation)
    writeNumbers(out, "local", relation->local());
  else if (value.shape.dynamic.none() || value.shape.dynamic.empty())
    writeNumbers(out, "local", value.shape.dimensions);
  const int64_t devices = value.sharding.devices();
  if (devices >= 0) out.attribute("devices", devices);
  if (value.map && value.map->pieces().size() == 1) {
    out.attributeBegin("map");
    out.object([&] { writeJson(MapEntry(value.map->pieces()[0]), out); });
    out.attributeEnd();
  } else if (value.map && !value.map->pieces().empty()) {
    out.attributeArray("pieces", [&] {
      for (const IndexingMap &piece : value.map->pieces())
        out.object([&] { writeJson(MapEntry(piece), out); });
    });
  }
  if (value.sharding.parts() > 1) {
    out.attribute("parts", value.sharding.parts());
    out.attribute("reduction", value.sharding.reduction().empty()
                                   ? "sum"
                                   : value.sharding.reduction());
  }
  if (relation && value.reason.empty() && devices >= 0 &&
      devices <= ShardingResult::kMostBoxes)
    out.attributeArray("boxes", [&] {
      for (int64_t device :
           shownDevices(view, devices, ShardingResult::kMostBoxes))
        out.object([&] {
          out.attribute("device", device);
          const auto box = relation->box(device);
          if (!box) {
            out.attribute("box", nullptr);
            out.attribute("elements", 0);
            return;
          }
          out.attributeArray("box", [&] {
            for (auto [begin, end] : *box)
              out.array([&, b = begin, e = end] {
                out.value(b);
                out.value(e);
              });
          });
          out.attribute("elements", elementsOf(*box));
          if (value.sharding.parts() > 1)
            out.attribute("part", value.sharding.holding(device)->part);
        });
    });
  if (relation && view.element && devices >= 0)
    out.attributeArray("copies", [&] {
      for (const auto &copy : relation->copiesOf(*view.element))
        out.object([&] {
          out.attribute("device", copy.device);
          writeNumbers(out, "local", copy.local);
          if (value.sharding.parts() > 1) out.attribute("part", copy.part);
        });
    });
  if (!value.operands.empty())
    out.attributeArray("operands", [&] {
      for (const OperandReads &operand : value.operands)
        out.object([&] { writeJson(operand, out); });
    });
  if (!value.reason.empty()) out.attribute("reason", value.reason);
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
  if (values_.empty()) os << "no value has a sharding\n";
  llvm::ListSeparator blank("\n");
  for (const ShownSharding &value : values_) {
    os << blank;
    writeText(value, view_, os);
  }
}

void ShardingResult::structure(Structure &to) {
  to.head([](json::OStream &) {});
  to.beginList("shardings", ItemLayout::OneALine);
  for (const ShownSharding &value : values_) {
    ListItem item;
    item.kind = "sharding";
    auto members = [&](json::OStream &out) { writeMembers(value, view_, out); };
    item.members = members;
    to.item(item);
  }
  to.endList();
}

}  // namespace indexical
