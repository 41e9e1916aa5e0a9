#include "indexical/command/element.h"

#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/analysis/use/constant_indices.h"
#include "indexical/analysis/use/elements.h"
#include "indexical/answers/dump/dump.h"
#include "indexical/answers/dump/items.h"
#include "indexical/answers/dump/selection.h"
#include "indexical/answers/find_instruction.h"
#include "indexical/exact/exact_prover.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/terminal.h"

namespace indexical {
namespace {

namespace json = llvm::json;
using llvm::StringRef;

/// The subject of the query: an instruction, or a computation taken as one.
struct Subject {
  size_t module = 0;
  ComputationPlan plan;
  InstructionId instruction;  ///< -1: the computation
};

struct ElementAnswer {
  int64_t result = 0, operand = 0;
  Elements elements;
  std::vector<std::string> dependsOn;  ///< with the index: `indices[3]`
  std::vector<StringRef> sources;      ///< without, each once
};

struct Answers {
  const Computation *computation;
  const Instruction *instruction;  ///< the reader; null: the computation
  const Item *item;
  bool isBackward = false;  ///< the element is one of an operand
  std::vector<ElementAnswer> all;
};

std::string indexText(llvm::ArrayRef<int64_t> index, StringRef brackets) {
  std::string text(1, brackets[0]);
  llvm::ListSeparator comma;
  for (int64_t value : index)
    text += (StringRef(comma) + llvm::Twine(value)).str();
  return text + brackets[1];
}

absl::StatusOr<Subject> subjectOf(const DumpOptions &options,
                                  const Program &program) {
  Subject subject;
  if (options.between()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto selection, select(program, options));
    for (auto [m, plans] : llvm::enumerate(selection))
      if (!plans.empty()) return Subject{m, plans.front(), {}};
  }
  const std::string computation =
      options.computations.empty() ? "" : options.computations.front();
  const std::string instruction =
      options.instructions.empty() ? "" : options.instructions.front();
  INDEXICAL_ASSIGN_OR_RETURN(
      auto named, findInstruction(program, computation, instruction));
  subject.module = named.module;
  subject.plan.computation = named.computation;
  subject.plan.ownMaps = true;
  if (!instruction.empty()) subject.instruction = named.instruction;
  return subject;
}

bool contains(const ArrayShape &shape, llvm::ArrayRef<int64_t> index) {
  if (shape.dimensions.size() != index.size()) return false;
  for (auto [size, value] : llvm::zip_equal(shape.dimensions, index))
    if (size != kDynamicSize && value >= size) return false;
  return true;
}

absl::Status noElement(const ArrayShape &shape, StringRef name,
                       llvm::ArrayRef<int64_t> index, Place place) {
  const size_t rank = shape.dimensions.size();
  if (rank != index.size())
    return errorAt(place, "`" + name.str() + "` is " + shape.str() +
                              ": an element of it has " + std::to_string(rank) +
                              " indices, and " + indexText(index, "()") +
                              " has " + std::to_string(index.size()));
  return errorAt(place, "`" + name.str() + "` is " + shape.str() +
                            " and has no element " + indexText(index, "()"));
}

class Asker {
 public:
  Asker(const DumpOptions &options, ProgramIndexing &maps,
        ComputationId computation, const Instruction *reader,
        const Budget &budget)
      : options_(options),
        maps_(maps),
        computation_(computation),
        reader_(reader),
        used_(options.runtime.size(), false) {
    how_.exact = ExactOptions(budget);
    how_.runtimeValue = [this](const IndexingMap &map,
                               size_t i) -> std::optional<int64_t> {
      const RuntimeSource &source = map.runtime()[i].source;
      if (source.kind != RuntimeSource::Kind::Element) return std::nullopt;
      const StringRef name = nameOf(source.tensor);
      for (size_t k = 0; k < options_.runtime.size(); ++k)
        if (name == options_.runtime[k].first) {
          used_[k] = true;
          return options_.runtime[k].second;
        }
      return std::nullopt;
    };
  }

  absl::Status ask(const LeafAnswer &answer, std::vector<ElementAnswer> &all) {
    auto known = maps_.withKnownValues(answer.relation);
    if (known.ok()) known = withConstantIndices(maps_, *known);
    INDEXICAL_RETURN_IF_ERROR(known.status());
    INDEXICAL_ASSIGN_OR_RETURN(auto elements,
                               elementsAt(*known, *options_.element, how_));
    ElementAnswer &own = all.emplace_back();
    own.result = answer.result;
    own.operand = answer.operand;
    own.elements = std::move(elements);
    for (const Elements::Source &source : own.elements.dependsOn) {
      const StringRef name = nameOf(source.tensor);
      if (!llvm::is_contained(own.sources, name)) own.sources.push_back(name);
      const bool hasIndex = source.index && !source.index->empty();
      own.dependsOn.push_back(name.str() +
                              (hasIndex ? indexText(*source.index, "[]") : ""));
    }
    return absl::OkStatus();
  }

  /// Returns an error if a given value was not needed.
  absl::Status checkUsed() const {
    for (size_t k = 0; k < used_.size(); ++k)
      if (!used_[k])
        return errorAt({}, "nothing that the element needs depends on `" +
                               options_.runtime[k].first + "`");
    return absl::OkStatus();
  }

 private:
  StringRef nameOf(int64_t tensor) const {
    return sourceName(maps_.module(), computation_, reader_,
                      maps_.value(tensor));
  }

  const DumpOptions &options_;
  ProgramIndexing &maps_;
  const ComputationId computation_;
  const Instruction *reader_;
  ElementsOptions how_;
  std::vector<bool> used_;
};

class ElementResult : public Result {
 public:
  ElementResult(const DumpOptions &options, const Answers &answers)
      : options_(options), answers_(answers) {}

  void text(llvm::raw_ostream &os, TextStyle) override {
    os << "element " << indexText(*options_.element, "()") << " of ";
    if (answers_.isBackward) os << "operands of ";
    os << name() << (answers_.isBackward ? ": who needs it" : ": what it needs")
       << '\n';
    for (const ElementAnswer &answer : answers_.all) {
      os << "  ";
      TextFlow flow(os, columnsOf(os), 4, 2);
      flow.goOnWith(whose(answer) + ": " + countText(answer.elements));
      if (answer.elements.listed) {
        flow.endLine();
        for (const auto &element :
             llvm::ArrayRef(*answer.elements.listed).take_front(kMostInText))
          flow.name(indexText(element, "()"));
        if (answer.elements.more ||
            answer.elements.listed->size() > kMostInText)
          flow.name("…");
      } else if (!answer.dependsOn.empty()) {
        flow.sentence("depends on " + llvm::join(answer.dependsOn, ", "));
      }
      flow.endLine();
    }
  }

  void structure(Structure &to) override {
    to.head([&](json::OStream &json) { writeQuestion(json); });
    to.beginList("operands");
    for (const ElementAnswer &answer : answers_.all) {
      auto members = [&](json::OStream &json) { write(answer, json); };
      // A line has one `instruction`, which is that of the operand.
      auto question = [&](json::OStream &json) {
        json.attribute("computation", jsonString(answers_.computation->name));
        writeElement(json);
        json.attribute("of", jsonString(name()));
      };
      to.item({"elements", members, question});
    }
    to.endList();
  }

 private:
  static constexpr size_t kMostInText = 64;

  std::string name() const {
    return (answers_.instruction ? answers_.instruction->name
                                 : answers_.computation->name)
        .str();
  }

  /// Returns the array whose elements are listed.
  std::string whose(const ElementAnswer &answer) const {
    const OperandEntry &operand = answers_.item->operands[answer.operand];
    std::string text = operand.instruction.str();
    if (operand.result > 0) text += "#" + std::to_string(operand.result);
    if (!answers_.isBackward)
      return text + " " + answers_.item->operandShapes[answer.operand].str();
    return text + " in result " + std::to_string(answer.result) + " " +
           answers_.item->results[answer.result].str();
  }

  static std::string countText(const Elements &of) {
    if (!of.listed) return "not known";
    if (of.listed->empty() && !of.more) return "nothing";
    const std::string count =
        of.count ? std::to_string(*of.count)
                 : "at least " + std::to_string(of.listed->size());
    return count + (of.count == 1 ? " element" : " elements") +
           (of.isExact ? "" : " at the most");
  }

  void writeIndex(json::OStream &json, llvm::ArrayRef<int64_t> index) const {
    json.array([&] {
      for (int64_t value : index) json.value(value);
    });
  }

  void writeQuestion(json::OStream &json) const {
    json.attribute("computation", jsonString(answers_.computation->name));
    if (answers_.instruction)
      json.attribute("instruction", jsonString(answers_.instruction->name));
    writeElement(json);
  }

  void writeElement(json::OStream &json) const {
    if (answers_.isBackward)
      json.attribute("direction", "input-to-output");
    else if (options_.result.value_or(0) > 0)
      json.attribute("of_result", *options_.result);
    json.attributeBegin("element");
    writeIndex(json, *options_.element);
    json.attributeEnd();
  }

  void write(const ElementAnswer &answer, json::OStream &json) const {
    const OperandEntry &operand = answers_.item->operands[answer.operand];
    const Elements &of = answer.elements;
    json.attribute("operand", answer.operand);
    json.attribute("instruction", jsonString(operand.instruction));
    if (operand.result > 0) json.attribute("array", int64_t{operand.result});
    if (answers_.isBackward) json.attribute("result", int64_t{answer.result});
    json.attribute("exact", of.isExact);
    json.attribute("count",
                   of.count ? json::Value(*of.count) : json::Value(nullptr));
    json.attributeBegin("elements");
    if (of.listed)
      json.array([&] {
        for (const auto &element : *of.listed) writeIndex(json, element);
      });
    else
      json.value(nullptr);
    json.attributeEnd();
    if (of.more) json.attribute("more", true);
    if (!answer.sources.empty())
      json.attribute("depends_on",
                     jsonString(llvm::join(answer.sources, ", ")));
  }

  const DumpOptions &options_;
  const Answers &answers_;
};

/// Finds the answers about the element, for the pairs that have one.
absl::Status askAll(const DumpOptions &options, const Item &item, Place place,
                    Asker &asker, Answers &answers) {
  const size_t asked = options.result.value_or(0);
  const StringRef name = answers.instruction ? answers.instruction->name
                                             : answers.computation->name;
  if (!answers.isBackward) {
    if (asked >= item.results.size())
      return errorAt(place, "`" + name.str() + "` has " +
                                std::to_string(item.results.size()) +
                                " arrays, and no array " +
                                std::to_string(asked));
    if (!contains(item.results[asked], *options.element))
      return noElement(item.results[asked], name, *options.element, place);
  } else if (llvm::none_of(item.operandShapes, [&](const ArrayShape &shape) {
               return contains(shape, *options.element);
             })) {
    return errorAt(place, "no operand of `" + name.str() + "` has an element " +
                              indexText(*options.element, "()"));
  }
  const auto &all =
      answers.isBackward ? *item.inputToOutput : *item.outputToInput;
  for (const LeafAnswer &answer : all) {
    const bool isMeant =
        answers.isBackward
            ? contains(item.operandShapes[answer.operand], *options.element)
            : answer.result == static_cast<int64_t>(asked);
    if (!isMeant) continue;
    INDEXICAL_RETURN_IF_ERROR(asker.ask(answer, answers.all));
  }
  return asker.checkUsed();
}

}  // namespace

absl::StatusOr<int> answerElement(const DumpOptions &options,
                                  const Program &program, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(auto subject, subjectOf(options, program));
  const Module &module = program.modules[subject.module];
  Answers answers;
  answers.computation = &module.computations[subject.plan.computation];
  answers.instruction =
      subject.instruction < 0
          ? nullptr
          : &answers.computation->instructions[subject.instruction];
  answers.isBackward = options.way == DumpOptions::Way::InputToOutput;
  const Place place = answers.instruction ? answers.instruction->place
                                          : answers.computation->place;
  const Budget budget = call.budget();
  ExactProver prover(ExactProver::ofProofs(budget));
  ProgramIndexing maps(module, &prover, budget);
  ItemMaker items(maps, options);
  const Item item =
      answers.instruction
          ? items.ofInstruction(ComputationId(subject.plan.computation),
                                InstructionId(subject.instruction))
          : items.ofComputation(subject.plan);
  for (const absl::Status &error : item.errors) call.reporter().error(error);
  answers.item = &item;
  Asker asker(options, maps, subject.plan.computation, answers.instruction,
              budget);
  if (auto status = askAll(options, item, place, asker, answers); !status.ok())
    return withPlace(status, place);
  ElementResult result(options, answers);
  return call.writeAndEnd(result, kDone);
}

}  // namespace indexical
