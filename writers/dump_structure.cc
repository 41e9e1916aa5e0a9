// A dump as items for tools (docs/command.md, "JSON"): modules, in them
// computations, in them instructions. The last two are lines of their own.

#include <mutex>
#include <string>
#include <utility>

#include "indexical/answers/dump/keys.h"
#include "indexical/answers/maps/keys.h"
#include "indexical/writers/dump.h"
#include "indexical/writers/format.h"
#include "indexical/writers/json_sink.h"
#include "indexical/writers/map_texts.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Gives maps, each with its text from `texts`.
class GivenMaps {
 public:
  GivenMaps(const ProgramIndexing &program, MapTexts &texts)
      : program_(program), texts_(texts) {}

  void operator()(const IndexingMap &map, KeyValue &to) const {
    to.written(texts_.of(map, [&] { return textOf(map); }));
  }

 private:
  std::string textOf(const IndexingMap &map) const {
    std::string text;
    addJson(MapEntry(map, &program_), text);
    return text;
  }

  const ProgramIndexing &program_;
  MapTexts &texts_;
};

/// Returns the keys of a computation's own maps, each by itself.
Rendered ownKeysOf(const ComputationEntry &computation) {
  Rendered keys;
  for (const Key<ComputationEntry> &key : keysOf<ComputationEntry>().keys) {
    if (!key.value) continue;
    std::string text;
    JsonTextSink sink(text);
    KeyValue to(sink, "");
    key.value(computation, to);
    if (!text.empty()) keys.push_back({key.name, std::move(text)});
  }
  return keys;
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
    const GivenMaps given(maps, texts);
    if (!instruction) return ownKeysOf({item, given});
    Rendered rendered;
    addJson(InstructionEntry{*instruction, item, given},
            rendered.emplace_back("item", "").second);
    return rendered;
  }

  void begin() override {
    to_.head(
        [&](ValueSink &sink) { writeKeys(DumpEntry{path_, format_}, sink); });
    to_.beginList("modules");
  }

  void beginModule(const Module &module, size_t number) override {
    module_ = number;
    auto name = [&](ValueSink &sink) { writeKeys(module, sink); };
    to_.beginItem({"", name});
    to_.beginList("computations", ItemLayout::OneALine);
  }

  void beginComputation(const Computation &computation,
                        const Rendered *own) override {
    computation_ = &computation;
    auto implied = [&](ValueSink &sink) {
      KeyValue(sink, "entry").boolean(computation.entry);
    };
    auto members = [&](ValueSink &sink) {
      if (!own) return;
      for (const auto &[key, text] : *own) KeyValue(sink, key).written(text);
    };
    auto context = [&](ValueSink &sink) { writeContext(sink); };
    to_.beginItem({"computation", members, context, computation.name, implied});
    to_.beginList("instructions", ItemLayout::OneALine);
  }

  void instruction(const Instruction &, const Rendered &item) override {
    auto context = [&](ValueSink &sink) { writeContext(sink); };
    ListItem line{"instruction", ListItem::nothing, context};
    line.written = item.front().second;
    line.place = computation_;
    to_.item(line);
  }

  void endComputation() override { endListAndItem(); }
  void endModule() override { endListAndItem(); }
  void end() override { to_.endList(); }

 private:
  void writeContext(ValueSink &sink) {
    KeyValue(sink, "module").integer(module_);
    KeyValue(sink, "computation").text(computation_->name);
    KeyValue(sink, "entry").boolean(computation_->entry);
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
          for (const LeafAnswer &answer : **answers) add(answer);
    }
    return StructureSink::render(maps, item, instruction, texts);
  }

 private:
  void add(const LeafAnswer &answer) const {
    for (const IndexingMap &map : answer.relation.pieces()) data_.map(map);
    if (!answer.ways) return;
    for (const WayAnswer &way : answer.ways->ways)
      for (const IndexingMap &map : way.relation.pieces()) data_.map(map);
  }

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
