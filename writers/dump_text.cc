// The document for people.
//
//   computation main (entry)
//     results: f32[2,65]
//     of p0: exact
//       (d0, d1)[s0] -> (d0, d1, s0),
//       …
//     reduce.1 = f32[2,65] reduce
//       of p0: exact
//         …
//       of zero: exact
//         (d0, d1) -> (), …
//
// "of x" is what the item reads of x, "from x" where x goes in it. After a map
// stand the sources of its runtime variables.

#include <string>
#include <utility>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include "indexical/answers/dump/physical.h"
#include "indexical/answers/dump/selection.h"
#include "indexical/indexing/map_text.h"
#include "indexical/writers/dump.h"
#include "indexical/writers/map_texts.h"
#include "indexical/writers/string_stream.h"

namespace indexical {
namespace {

using llvm::StringRef;

// A line stands for more operands than these that are not read.
constexpr size_t kMostUnread = 3;

/// Writes what an item says.
class ItemText {
 public:
  ItemText(llvm::raw_ostream &os, const ProgramIndexing &maps,
           const DumpQuestion &question, TextStyle style, MapTexts &texts)
      : os_(os),
        maps_(&maps),
        question_(question),
        style_(style),
        texts_(texts) {}

  void item(const Item &item, unsigned depth) {
    if (item.devices) devices(*item.devices, depth);
    if (item.outputToInput)
      answers(item, Direction::OutputToInput, *item.outputToInput, depth);
    if (item.inputToOutput)
      answers(item, Direction::InputToOutput, *item.inputToOutput, depth);
  }

 private:
  llvm::raw_ostream &line(unsigned depth) { return os_.indent(2 * depth); }

  /// `devices: {0, 1} {2, 3}`, or `devices: 0 -> 1, 1 -> 0`.
  void devices(const ItemDevices &devices, unsigned depth) {
    line(depth) << "devices:";
    llvm::ListSeparator between(",");
    for (auto [source, target] : devices.pairs)
      os_ << between << ' ' << source << " -> " << target;
    for (const auto &group : devices.groups) {
      llvm::ListSeparator separator(", ");
      os_ << " {";
      for (int64_t member : group) os_ << separator << member;
      os_ << '}';
    }
    os_ << '\n';
  }

  void answers(const Item &item, Direction direction,
               llvm::ArrayRef<LeafAnswer> answers, unsigned depth) {
    bool both = question_.way == DumpQuestion::Way::Both;
    if (both && !item.operands.empty())
      line(depth++) << (direction == Direction::OutputToInput
                            ? "output to input\n"
                            : "input to output\n");
    while (!answers.empty()) {
      if (const size_t count = unreadAtFront(answers); count > kMostUnread) {
        line(depth) << "operands " << answers[0].operand << " to "
                    << answers[count - 1].operand;
        if (item.results.size() > 1) os_ << ", result " << answers[0].result;
        os_ << ": not read\n";
        answers = answers.drop_front(count);
        continue;
      }
      const LeafAnswer &answer = answers.front();
      answers = answers.drop_front();
      const OperandEntry &entry = item.operands[answer.operand];
      line(depth) << "operand " << answer.operand << ", " << entry.instruction;
      if (entry.result > 0) os_ << " leaf " << entry.result;
      if (entry.captured) os_ << ", captured";
      if (item.results.size() > 1) os_ << ", result " << answer.result;
      os_ << ": ";
      relation(answer.relation, depth + 1);
      if (answer.ways) ways(*answer.ways, depth + 1);
    }
  }

  /// Returns how many operands in a row, from the first answer on, one result
  /// does not read.
  static size_t unreadAtFront(llvm::ArrayRef<LeafAnswer> answers) {
    size_t count = 0;
    while (count < answers.size() && answers[count].relation.isEmpty() &&
           !answers[count].ways && answers[count].result == answers[0].result &&
           int64_t{answers[count].operand} ==
               int64_t{answers[0].operand} + static_cast<int64_t>(count))
      ++count;
    return count;
  }

  /// `way r, e, p: exact, 72 elements, 72 reads, 1 of each element`.
  void ways(const WaysAnswer &all, unsigned depth) {
    for (const WayAnswer &way : all.ways) {
      line(depth) << "way ";
      llvm::interleave(way.instructions, os_, ", ");
      const Footprint &of = way.footprint;
      if (of.distinct && of.reads && of.reuse)
        os_ << ": " << *of.distinct
            << (*of.distinct == 1 ? " element, " : " elements, ") << *of.reads
            << (*of.reads == 1 ? " read, " : " reads, ")
            << llvm::format("%.4g", *of.reuse) << " of each element";
      os_ << "\n";
      line(depth + 1);
      relation(way.relation, depth + 2);
    }
    if (all.most)
      line(depth) << "and others: at most " << *all.most << " ways\n";
  }

  void relation(const IndexingRelation &relation, unsigned depth) {
    if (relation.isEmpty()) {
      os_ << "not read\n";
      return;
    }
    os_ << precisionName(relation.precision());
    if (relation.pieces().size() > 1)
      os_ << ", " << relation.pieces().size() << " maps";
    os_ << '\n';
    for (const IndexingMap &piece : relation.pieces()) map(piece, depth);
  }

  void map(const IndexingMap &map, unsigned depth) {
    bool attribute = style_ == TextStyle::Attributes;
    const std::string &text = texts_.of(map, [&] {
      return printMap(
          map, attribute ? MapTextStyle::Attribute : MapTextStyle::Lines);
    });
    for (StringRef row : llvm::split(StringRef(text).rtrim('\n'), '\n'))
      line(depth) << row << '\n';
    for (size_t i = 0; i < map.collectives().size(); ++i)
      line(depth) << "  of member " << map.str(map.members()[i]) << " in "
                  << nameOf(map.collectives()[i]) << '\n';
    for (uint32_t i = 0; i < map.runtime().size(); ++i)
      if (map.runtime()[i].source.kind != RuntimeSource::Kind::None)
        source(map, i, depth);
  }

  StringRef nameOf(int64_t number) const {
    const Value &value = maps_->value(number);
    return maps_->module()
        .computations[value.computation]
        .instructions[value.instruction]
        .name;
  }

  /// `position in the group of all-gather.1`; false for a source in a tensor.
  bool deviceSource(const RuntimeVariable &variable) {
    switch (variable.source.kind) {
      case RuntimeSource::Kind::GroupPosition:
        os_ << "position in the group of ";
        break;
      case RuntimeSource::Kind::GroupSize:
        os_ << "size of the group of ";
        break;
      case RuntimeSource::Kind::DeviceId:
        os_ << "device number in ";
        break;
      default:
        return false;
    }
    os_ << nameOf(variable.source.tensor);
    return true;
  }

  /// The device on which the source is read, if it is another one.
  void sourceWay(const IndexingMap &map, const RuntimeVariable &variable) {
    for (size_t i = 0; i < variable.collectives.size(); ++i)
      os_ << " of member " << map.str(variable.members()[i]) << " in "
          << nameOf(variable.collectives[i]);
  }

  /// `rt0 = indices[d0, 0], clamped`.
  void source(const IndexingMap &map, uint32_t i, unsigned depth) {
    const RuntimeVariable &variable = map.runtime()[i];
    line(depth) << "  " << map.nameOf({VariableKind::Runtime, i}) << " = ";
    if (deviceSource(variable)) {
      sourceWay(map, variable);
      os_ << '\n';
      return;
    }
    const Value &value = maps_->value(variable.source.tensor);
    const bool isSize = variable.source.kind == RuntimeSource::Kind::Size;
    os_ << (isSize ? "size of " : "") << pathOf(maps_->module(), value);
    if (value.result > 0) os_ << " leaf " << value.result;
    if (isSize) {
      os_ << ", dimension " << variable.source.dimension << '\n';
      return;
    }
    llvm::ListSeparator separator(", ", "[");
    for (FormId form : variable.elementIndex())
      os_ << separator << map.str(form);
    if (!variable.elementIndex().empty()) os_ << ']';
    sourceWay(map, variable);
    if (variable.clamped) os_ << " clamped to " << variable.bounds.str();
    os_ << '\n';
  }

  llvm::raw_ostream &os_;
  const ProgramIndexing *maps_;
  const DumpQuestion &question_;
  const TextStyle style_;
  MapTexts &texts_;
};

std::string shapesText(llvm::ArrayRef<ArrayShape> shapes) {
  std::string text;
  for (const ArrayShape &shape : shapes)
    text += (text.empty() ? "" : ", ") + shape.str(/*withLayout=*/true);
  return text.empty() ? "none" : text;
}

class TextSink : public DumpSink {
 public:
  TextSink(llvm::raw_ostream &os, const DumpQuestion &question, TextStyle style)
      : os_(os), question_(question), style_(style) {}

  std::unique_ptr<ItemRenderer> renderer() const override {
    return std::make_unique<CachingRenderer<TextSink>>(*this);
  }

  Rendered render(const ProgramIndexing &maps, const Item &item,
                  const Instruction *instruction, MapTexts &texts) const {
    const unsigned depth = instruction ? 2 : 1;
    Rendered rendered;
    std::string &text = rendered.emplace_back("text", "").second;
    {
      StringStream os(text);
      if (!instruction)
        os.indent(2) << "results: " << shapesText(item.results) << '\n';
      ItemText(os, maps, question_, style_, texts).item(item, depth);
    }
    return rendered;
  }

  void beginModule(const Module &module, size_t number) override {
    if (module.hasHeader || number > 0) {
      separate();
      os_ << "module " << module.name << '\n';
    }
  }

  void beginComputation(const Computation &computation,
                        const Rendered *own) override {
    separate();
    os_ << "computation " << computation.name
        << (computation.entry ? " (entry)" : "");
    if (question_.between())
      os_ << ", from "
          << (question_.from.empty()
                  ? computation.instructions[computation.root].name
                  : StringRef(question_.from))
          << " to "
          << (question_.to.empty() ? "the parameters"
                                   : StringRef(question_.to));
    os_ << '\n';
    if (own) {
      os_ << own->front().second;
    } else if (computation.instructions.size() > kMostForOwnMaps) {
      os_.indent(2) << "(" << computation.instructions.size()
                    << " instructions: --computation=" << computation.name
                    << " shows the maps from its root to its parameters)\n";
    }
  }

  void instruction(const Instruction &instruction,
                   const Rendered &item) override {
    separate();
    const std::string shape =
        question_.physical
            ? physicalShape(*instruction.shape).str(/*withLayout=*/true)
            : instruction.shape->str(/*withLayout=*/true);
    os_.indent(2) << instruction.name << " = " << shape << ' '
                  << instruction.opcode << '\n'
                  << item.front().second;
  }

 private:
  /// An empty line between items.
  void separate() {
    if (std::exchange(begun_, true)) os_ << '\n';
  }

  llvm::raw_ostream &os_;
  const DumpQuestion &question_;
  const TextStyle style_;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<DumpSink> makeTextSink(llvm::raw_ostream &os,
                                       const DumpQuestion &question,
                                       TextStyle style) {
  return std::make_unique<TextSink>(os, question, style);
}

}  // namespace indexical
