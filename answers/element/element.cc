#include "indexical/answers/element/element.h"

#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/dump/selection.h"
#include "indexical/answers/find_instruction.h"
#include "indexical/cost/use/constant_indices.h"
#include "indexical/exact/exact_prover.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// The subject of the query: an instruction, or a computation taken as one.
struct Subject {
  size_t module = 0;
  ComputationPlan plan;
  InstructionId instruction;  ///< -1: the computation
};

absl::StatusOr<Subject> subjectOf(const ElementQuestion &question,
                                  const Program &program) {
  Subject subject;
  if (question.between()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto selection, select(program, question));
    for (auto [m, plans] : llvm::enumerate(selection))
      if (!plans.empty()) return Subject{m, plans.front(), {}};
  }
  const std::string computation =
      question.computations.empty() ? "" : question.computations.front();
  const std::string instruction =
      question.instructions.empty() ? "" : question.instructions.front();
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
    if (value < 0 || (size != kDynamicSize && value >= size)) return false;
  return true;
}

absl::Status noElement(const ArrayShape &shape, StringRef name,
                       llvm::ArrayRef<int64_t> index, Place place) {
  const size_t rank = shape.dimensions.size();
  if (rank != index.size())
    return errorAt(place, "`" + name.str() + "` is " + shape.str() +
                              ": an element of it has " + std::to_string(rank) +
                              " indices, and " + indexText(index) + " has " +
                              std::to_string(index.size()));
  return errorAt(place, "`" + name.str() + "` is " + shape.str() +
                            " and has no element " + indexText(index));
}

class Asker {
 public:
  Asker(const ElementQuestion &question, ProgramIndexing &maps,
        ComputationId computation, const Instruction *reader,
        const Budget &budget)
      : question_(question),
        maps_(maps),
        computation_(computation),
        reader_(reader),
        used_(question.runtime.size(), false) {
    how_.exact = ExactOptions(budget);
    how_.runtimeValue = [this](const IndexingMap &map,
                               size_t i) -> std::optional<int64_t> {
      const RuntimeSource &source = map.runtime()[i].source;
      if (source.kind != RuntimeSource::Kind::Element) return std::nullopt;
      const StringRef name = nameOf(source.tensor);
      for (size_t k = 0; k < question_.runtime.size(); ++k)
        if (name == question_.runtime[k].first) {
          used_[k] = true;
          return question_.runtime[k].second;
        }
      return std::nullopt;
    };
  }

  absl::Status ask(const LeafAnswer &answer, std::vector<ArrayElements> &all) {
    auto known = maps_.withKnownValues(answer.relation);
    if (known.ok()) known = withConstantIndices(maps_, *known);
    INDEXICAL_RETURN_IF_ERROR(known.status());
    INDEXICAL_ASSIGN_OR_RETURN(auto elements,
                               elementsAt(*known, question_.element, how_));
    ArrayElements &own = all.emplace_back();
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
                               question_.runtime[k].first + "`");
    return absl::OkStatus();
  }

 private:
  StringRef nameOf(int64_t tensor) const {
    return sourceName(maps_.module(), computation_, reader_,
                      maps_.value(tensor));
  }

  const ElementQuestion &question_;
  ProgramIndexing &maps_;
  const ComputationId computation_;
  const Instruction *reader_;
  ElementsOptions how_;
  std::vector<bool> used_;
};

/// Finds the answers about the element, for the pairs that have one.
absl::Status askAll(const ElementQuestion &question, Place place, Asker &asker,
                    ElementAnswer &found) {
  const Item &item = found.item;
  const int64_t asked = question.result;
  const StringRef name = found.name();
  if (!found.isBackward) {
    if (asked < 0 || asked >= static_cast<int64_t>(item.results.size()))
      return errorAt(place, "`" + name.str() + "` has " +
                                std::to_string(item.results.size()) +
                                " arrays, and no array " +
                                std::to_string(asked));
    if (!contains(item.results[asked], question.element))
      return noElement(item.results[asked], name, question.element, place);
  } else if (llvm::none_of(item.operandShapes, [&](const ArrayShape &shape) {
               return contains(shape, question.element);
             })) {
    return errorAt(place, "no operand of `" + name.str() + "` has an element " +
                              indexText(question.element));
  }
  const auto &all =
      found.isBackward ? *item.inputToOutput : *item.outputToInput;
  for (const LeafAnswer &answer : all) {
    const bool isMeant =
        found.isBackward
            ? contains(item.operandShapes[answer.operand], question.element)
            : answer.result == asked;
    if (!isMeant) continue;
    INDEXICAL_RETURN_IF_ERROR(asker.ask(answer, found.arrays));
  }
  return asker.checkUsed();
}

}  // namespace

std::string indexText(llvm::ArrayRef<int64_t> index, StringRef brackets) {
  std::string text(1, brackets[0]);
  llvm::ListSeparator comma;
  for (int64_t value : index)
    text += (StringRef(comma) + llvm::Twine(value)).str();
  return text + brackets[1];
}

absl::StatusOr<ElementAnswer> elementOf(const Program &program,
                                        const ElementQuestion &question,
                                        const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(const Subject subject,
                             subjectOf(question, program));
  const Module &module = program.modules[subject.module];
  ElementAnswer found;
  found.computation = &module.computations[subject.plan.computation];
  if (subject.instruction >= 0)
    found.instruction = &found.computation->instructions[subject.instruction];
  found.isBackward = question.way == DumpQuestion::Way::InputToOutput;
  found.element = question.element;
  found.result = question.result;
  const Place place =
      found.instruction ? found.instruction->place : found.computation->place;
  ExactProver prover(ExactProver::ofProofs(ask.budget));
  ProgramIndexing maps(module, &prover, ask.budget);
  ItemMaker items(maps, question);
  found.item = found.instruction ? items.ofInstruction(subject.plan.computation,
                                                       subject.instruction)
                                 : items.ofComputation(subject.plan);
  for (const absl::Status &error : found.item.errors) ask.messages.error(error);
  Asker asker(question, maps, subject.plan.computation, found.instruction,
              ask.budget);
  if (auto status = askAll(question, place, asker, found); !status.ok())
    return withPlace(status, place);
  return found;
}

}  // namespace indexical
