// A dump as items for tools (docs/command.md, "JSON"): modules, in them
// computations, in them instructions. The last two are lines of their own.

#include <mutex>
#include <string>

#include "llvm/Support/JSON.h"

#include "indexical/writers/dump.h"
#include "indexical/writers/format.h"
#include "indexical/writers/json_map.h"
#include "indexical/writers/map_texts.h"
#include "indexical/writers/string_stream.h"

namespace indexical {
namespace {

namespace json = llvm::json;
using llvm::StringRef;

json::Value sizeOf(const ArrayShape &shape, size_t d) {
  int64_t size = shape.dimensions[d];
  if (size == kDynamicSize) return nullptr;
  if (!shape.dynamic.empty() && shape.dynamic[d])
    return json::Object{{"bound", size}};
  return size;
}

/// The members that instructions and computations share.
class ItemWriter {
 public:
  ItemWriter(json::OStream &json, const ProgramIndexing &program,
             MapTexts &texts)
      : json_(json), program_(program), texts_(texts) {}

  /// Each by itself.
  static Rendered membersOf(const ProgramIndexing &program, const Item &item,
                            MapTexts &texts) {
    Rendered members;
    forEachMember(item, [&](StringRef key, Write write) {
      StringStream os(members.emplace_back(key, "").second);
      json::OStream json(os);
      json.array([&] { write(ItemWriter(json, program, texts)); });
    });
    return members;
  }

  /// Writes all members of an item into an open object.
  void members(const Item &item) {
    forEachMember(item, [&](StringRef key, Write write) {
      json_.attributeArray(key, [&] { write(*this); });
    });
  }

 private:
  using Write = llvm::function_ref<void(ItemWriter)>;

  static void forEachMember(const Item &item,
                            llvm::function_ref<void(StringRef, Write)> take) {
    take("results", [&](ItemWriter writer) {
      for (const ArrayShape &shape : item.results) writer.leaf(shape);
    });
    take("operands", [&](ItemWriter writer) {
      for (const OperandEntry &entry : item.operands) writer.operand(entry);
    });
    if (item.outputToInput)
      take("output_to_input", [&](ItemWriter writer) {
        writer.answers(Direction::OutputToInput, *item.outputToInput);
      });
    if (item.inputToOutput)
      take("input_to_output", [&](ItemWriter writer) {
        writer.answers(Direction::InputToOutput, *item.inputToOutput);
      });
  }

  std::string objectOf(const IndexingMap &map) const {
    std::string text;
    {
      StringStream os(text);
      json::OStream json(os);
      MapWriter(json, &program_).object(map);
    }
    return text;
  }

  void leaf(const ArrayShape &shape) {
    json_.object([&] {
      json_.attribute("dtype", jsonString(elementTypeName(shape.type)));
      json_.attributeArray("dimensions", [&] {
        for (size_t d = 0; d < shape.dimensions.size(); ++d)
          json_.value(sizeOf(shape, d));
      });
    });
  }

  void operand(const OperandEntry &entry) {
    json_.object([&] {
      json_.attribute("instruction", jsonString(entry.instruction));
      json_.attribute("result", int64_t{entry.result});
      json_.attribute("parameter", entry.parameter);
      if (entry.captured) json_.attribute("captured", true);
    });
  }

  void answers(Direction direction, llvm::ArrayRef<LeafAnswer> answers) {
    for (const LeafAnswer &answer : answers)
      json_.object([&] {
        bool forward = direction == Direction::OutputToInput;
        if (forward) json_.attribute("result", int64_t{answer.result});
        json_.attribute("operand", int64_t{answer.operand});
        if (!forward) json_.attribute("result", int64_t{answer.result});
        json_.attribute("precision",
                        precisionName(answer.relation.precision()));
        json_.attributeArray("maps", [&] {
          for (const IndexingMap &piece : answer.relation.pieces())
            if (!piece.isKnownEmpty())
              json_.rawValue(texts_.of(piece, [&] { return objectOf(piece); }));
        });
      });
  }

  json::OStream &json_;
  const ProgramIndexing &program_;
  MapTexts &texts_;
};

void writeDevices(const ItemDevices &devices, json::OStream &json) {
  json.attributeArray(devices.isPermute ? "pairs" : "groups", [&] {
    for (auto [source, target] : devices.pairs)
      json.array([&, from = source, to = target] {
        json.value(from);
        json.value(to);
      });
    for (const auto &group : devices.groups)
      json.array([&] {
        for (int64_t member : group) json.value(member);
      });
  });
}

class StructureSink : public DumpSink {
 public:
  StructureSink(Structure &to, StringRef path, StringRef format)
      : to_(to), path_(path.str()), format_(format.str()) {}

  std::unique_ptr<ItemRenderer> renderer() const override {
    return std::make_unique<CachingRenderer<StructureSink>>(*this);
  }

  virtual Rendered render(const ProgramIndexing &maps, const Item &item,
                          const Instruction *instruction,
                          MapTexts &texts) const {
    if (!instruction) return ItemWriter::membersOf(maps, item, texts);
    Rendered rendered;
    std::string &text = rendered.emplace_back("item", "").second;
    {
      StringStream os(text);
      json::OStream json(os);
      json.object([&] {
        json.attribute("name", jsonString(instruction->name));
        json.attribute("opcode", jsonString(instruction->opcode));
        json.attribute("line", instruction->place.line);
        json.attribute("column", instruction->place.column);
        if (item.devices) writeDevices(*item.devices, json);
        ItemWriter(json, maps, texts).members(item);
      });
    }
    return rendered;
  }

  void begin() override {
    to_.head([&](json::OStream &json) {
      json.attributeObject("source", [&] {
        json.attribute("path", jsonString(path_));
        json.attribute("format", format_);
      });
    });
    to_.beginList("modules");
  }

  void beginModule(const Module &module, size_t number) override {
    module_ = number;
    auto name = [&](json::OStream &json) {
      json.attribute("name", jsonString(module.name));
    };
    to_.beginItem({"", name});
    to_.beginList("computations", ItemLayout::OneALine);
  }

  void beginComputation(const Computation &computation,
                        const Rendered *own) override {
    computation_ = &computation;
    auto implied = [&](json::OStream &json) {
      json.attribute("entry", computation.entry);
    };
    auto members = [&](json::OStream &json) {
      if (!own) return;
      for (const auto &[key, text] : *own) {
        json.attributeBegin(key);
        json.rawValue(text);
        json.attributeEnd();
      }
    };
    auto context = [&](json::OStream &json) { writeContext(json); };
    to_.beginItem({"computation", members, context, computation.name, implied});
    to_.beginList("instructions", ItemLayout::OneALine);
  }

  void instruction(const Instruction &, const Rendered &item) override {
    auto context = [&](json::OStream &json) { writeContext(json); };
    ListItem line{"instruction", ListItem::nothing, context};
    line.written = item.front().second;
    line.place = computation_;
    to_.item(line);
  }

  void endComputation() override { endListAndItem(); }
  void endModule() override { endListAndItem(); }
  void end() override { to_.endList(); }

 private:
  void writeContext(json::OStream &json) {
    json.attribute("module", module_);
    json.attribute("computation", jsonString(computation_->name));
    json.attribute("entry", computation_->entry);
  }

  void endListAndItem() {
    to_.endList();
    to_.endItem();
  }

  Structure &to_;
  const std::string path_, format_;
  const Computation *computation_ = nullptr;
  size_t module_ = 0;
};

/// Several threads render.
class PageSink : public StructureSink {
 public:
  PageSink(Structure &to, StringRef path, StringRef format, PageData &data)
      : StructureSink(to, path, format), data_(data) {}

  Rendered render(const ProgramIndexing &maps, const Item &item,
                  const Instruction *instruction,
                  MapTexts &texts) const override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      for (const auto *answers : {&item.outputToInput, &item.inputToOutput})
        if (*answers)
          for (const LeafAnswer &answer : **answers)
            for (const IndexingMap &map : answer.relation.pieces())
              data_.map(map);
    }
    return StructureSink::render(maps, item, instruction, texts);
  }

 private:
  PageData &data_;
  mutable std::mutex mutex_;
};

}  // namespace

std::unique_ptr<DumpSink> makeStructureSink(Structure &to, StringRef path,
                                            StringRef format) {
  return std::make_unique<StructureSink>(to, path, format);
}

std::unique_ptr<DumpSink> makePageSink(Structure &to, StringRef path,
                                       StringRef format, PageData &data) {
  return std::make_unique<PageSink>(to, path, format, data);
}

}  // namespace indexical
