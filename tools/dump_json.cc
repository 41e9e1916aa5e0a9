// The document for tools (formats.md, section 2): `json`, one object, and
// `jsonl`, the same items one a line. Items are written as they come, each as
// one line of either document.

#include <optional>
#include <string>
#include <utility>

#include "llvm/Support/JSON.h"

#include "indexical/tools/dump.h"
#include "indexical/tools/json_map.h"

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
  ItemWriter(json::OStream &json, const ProgramIndexing &program)
      : json_(json), maps_(json, &program) {}

  void members(const Item &item) {
    json_.attributeArray("results", [&] {
      for (const ArrayShape &shape : item.results) leaf(shape);
    });
    json_.attributeArray("operands", [&] {
      for (const OperandEntry &entry : item.operands) operand(entry);
    });
    if (item.outputToInput)
      answers("output_to_input", Direction::OutputToInput, *item.outputToInput);
    if (item.inputToOutput)
      answers("input_to_output", Direction::InputToOutput, *item.inputToOutput);
  }

 private:
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
      json_.attribute("result", entry.result);
      json_.attribute("parameter", entry.parameter);
      if (entry.captured) json_.attribute("captured", true);
    });
  }

  void answers(StringRef key, Direction direction,
               llvm::ArrayRef<LeafAnswer> answers) {
    json_.attributeArray(key, [&] {
      for (const LeafAnswer &answer : answers)
        json_.object([&] {
          bool forward = direction == Direction::OutputToInput;
          if (forward) json_.attribute("result", answer.result);
          json_.attribute("operand", answer.operand);
          if (!forward) json_.attribute("result", answer.result);
          json_.attribute("precision",
                          precisionName(answer.relation.precision()));
          json_.attributeArray("maps", [&] {
            for (const IndexingMap &piece : answer.relation.pieces())
              if (!piece.isKnownEmpty()) maps_.object(piece);
          });
        });
    });
  }

  json::OStream &json_;
  MapWriter maps_;
};

void instructionMembers(json::OStream &json, const ProgramIndexing &maps,
                        const Instruction &instruction, const Item &item) {
  json.attribute("name", jsonString(instruction.name));
  json.attribute("opcode", jsonString(instruction.opcode));
  json.attribute("line", instruction.place.line);
  json.attribute("column", instruction.place.column);
  ItemWriter(json, maps).members(item);
}

/// Ends a list, the attribute that it is, and the object around it.
void closeList(json::OStream &json) {
  json.arrayEnd();
  json.attributeEnd();
  json.objectEnd();
}

/// One object. Each item begins a line.
class JsonSink : public DumpSink {
 public:
  JsonSink(llvm::raw_ostream &os, StringRef path, StringRef format)
      : os_(os), path_(path.str()), format_(format.str()), json_(os) {}

  void begin() override {
    json_.objectBegin();
    json_.attribute("schema", kSchema);
    json_.attributeObject("source", [&] {
      json_.attribute("path", jsonString(path_));
      json_.attribute("format", format_);
    });
    json_.attributeBegin("modules");
    json_.arrayBegin();
  }

  void beginModule(const ProgramIndexing &maps, size_t) override {
    maps_ = &maps;
    json_.objectBegin();
    json_.attribute("name", jsonString(maps.module().name));
    json_.attributeBegin("computations");
    json_.arrayBegin();
  }

  void beginComputation(const Computation &computation,
                        const Item *own) override {
    // A stream of its own: only so a line break can stand after the comma.
    llvm::raw_ostream &os = json_.rawValueBegin();
    os << '\n';
    json::OStream &json = computation_.emplace(os);
    json.objectBegin();
    json.attribute("name", jsonString(computation.name));
    json.attribute("entry", computation.entry);
    if (own) ItemWriter(json, *maps_).members(*own);
    json.attributeBegin("instructions");
    json.arrayBegin();
  }

  void instruction(const Instruction &instruction, const Item &item) override {
    computation_->rawValue([&](llvm::raw_ostream &os) {
      os << '\n';
      json::OStream json(os);
      json.object([&] { instructionMembers(json, *maps_, instruction, item); });
    });
  }

  void endComputation() override {
    closeList(*computation_);
    computation_.reset();
    json_.rawValueEnd();
  }
  void endModule() override { closeList(json_); }
  void end() override {
    closeList(json_);
    os_ << '\n';
  }

 private:
  llvm::raw_ostream &os_;
  const std::string path_, format_;
  json::OStream json_;
  std::optional<json::OStream> computation_;
  const ProgramIndexing *maps_ = nullptr;
};

class JsonLinesSink : public DumpSink {
 public:
  explicit JsonLinesSink(llvm::raw_ostream &os) : os_(os) {}

  void beginModule(const ProgramIndexing &maps, size_t number) override {
    maps_ = &maps;
    module_ = number;
  }

  void beginComputation(const Computation &computation,
                        const Item *own) override {
    computation_ = &computation;
    line("computation", [&](json::OStream &json) {
      json.attribute("name", jsonString(computation.name));
      if (own) ItemWriter(json, *maps_).members(*own);
    });
  }

  void instruction(const Instruction &instruction, const Item &item) override {
    line("instruction", [&](json::OStream &json) {
      instructionMembers(json, *maps_, instruction, item);
    });
  }

 private:
  void line(StringRef kind, llvm::function_ref<void(json::OStream &)> members) {
    {
      json::OStream json(os_);
      json.object([&] {
        json.attribute("schema", kSchema);
        json.attribute("kind", kind);
        json.attribute("module", module_);
        json.attribute("computation", jsonString(computation_->name));
        json.attribute("entry", computation_->entry);
        members(json);
      });
    }
    os_ << '\n';
  }

  llvm::raw_ostream &os_;
  const ProgramIndexing *maps_ = nullptr;
  const Computation *computation_ = nullptr;
  size_t module_ = 0;
};

}  // namespace

std::unique_ptr<DumpSink> makeJsonSink(llvm::raw_ostream &os, StringRef path,
                                       StringRef format) {
  return std::make_unique<JsonSink>(os, path, format);
}

std::unique_ptr<DumpSink> makeJsonLinesSink(llvm::raw_ostream &os) {
  return std::make_unique<JsonLinesSink>(os);
}

}  // namespace indexical
