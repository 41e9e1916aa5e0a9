#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/draw/subject.h"
#include "indexical/answers/find_instruction.h"
#include "indexical/answers/pictures/pictures.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

using llvm::StringRef;

absl::StatusOr<llvm::SmallVector<size_t, 2>> shownOf(
    llvm::ArrayRef<int64_t> dims, size_t rank, StringRef space) {
  llvm::SmallVector<size_t, 2> shown;
  for (int64_t k : dims) {
    if (k < 0 || k >= static_cast<int64_t>(rank))
      return absl::InvalidArgumentError("there is no dimension " +
                                        std::to_string(k) + ": " + space.str() +
                                        " has " + std::to_string(rank));
    shown.push_back(k);
  }
  return shown;
}

namespace {

std::optional<int64_t> given(const PictureQuestion &asked, StringRef name) {
  for (const auto &[known, value] : asked.runtime)
    if (name == known) return value;
  return std::nullopt;
}

/// Sets the element, or the tile, in a result of the rank; by default the first
/// element.
absl::Status setShown(const PictureQuestion &asked, PictureOfReads &question) {
  const auto &sides = question.result.sides;
  for (const Interval &side : sides) question.at.push_back(side.lower);
  if (asked.element)
    question.at.assign(asked.element->begin(), asked.element->end());
  if (!asked.at.empty()) question.at.assign(asked.at.begin(), asked.at.end());
  question.sizes.assign(sides.size(), 1);
  if (!asked.tile.empty())
    question.sizes.assign(asked.tile.begin(), asked.tile.end());
  INDEXICAL_ASSIGN_OR_RETURN(question.result.shown,
                             shownOf(asked.dims, sides.size(), "the result"));
  for (PictureOperand &operand : question.operands) {
    INDEXICAL_ASSIGN_OR_RETURN(
        operand.space.shown,
        shownOf(asked.operandDims, operand.space.sides.size(), "an operand"));
  }
  return absl::OkStatus();
}

absl::Status checkSides(llvm::ArrayRef<Interval> sides, const char *what) {
  for (const Interval &side : sides)
    if (!side.isFinite())
      return absl::InvalidArgumentError(
          std::string(what) +
          " has no end: it cannot be drawn (--size gives the size of a "
          "parameter)");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Picture> pictureOfMaps(llvm::ArrayRef<IndexingMap> maps,
                                      const PictureQuestion &asked,
                                      const Ask &ask) {
  if (const auto mistake = mistakeOfPicture(asked))
    return absl::InvalidArgumentError(*mistake);
  if (asked.warp || !asked.sharding.empty() || !asked.computation.empty() ||
      !asked.instruction.empty())
    return absl::InvalidArgumentError(
        "of maps the elements are drawn that they read, without --warp, "
        "--sharding, --computation and --instruction");
  PictureOfReads question;
  question.title = "what is read by an index";
  question.result.title = "indices";
  for (const auto &[number, map] : llvm::enumerate(maps)) {
    if (map.isKnownEmpty()) continue;
    auto &sides = question.result.sides;
    const auto dimensions = map.dimensions();
    if (sides.empty())
      for (const Variable &variable : dimensions)
        sides.push_back(variable.bounds);
    if (sides.size() != dimensions.size())
      return absl::InvalidArgumentError(
          "maps of one picture have as many dimensions; map " +
          std::to_string(number + 1) + " has " +
          std::to_string(dimensions.size()) + ", not " +
          std::to_string(sides.size()));
    for (auto [side, variable] : llvm::zip_equal(sides, dimensions))
      side = side.hull(variable.bounds);
    PictureOperand operand;
    operand.space.title = maps.size() == 1
                              ? "elements"
                              : "elements of map " + std::to_string(number + 1);
    auto boundsOf = [&, &map = map](VariableId id) {
      return map.variable(id).bounds;
    };
    FormBounds bounds(map.expressions(), boundsOf);
    for (FormId form : map.results())
      operand.space.sides.push_back(bounds(form));
    INDEXICAL_RETURN_IF_ERROR(checkSides(operand.space.sides, "a result"));
    operand.relation = IndexingRelation(map);
    question.operands.push_back(std::move(operand));
  }
  if (question.operands.empty())
    return absl::InvalidArgumentError(
        "there is nothing to draw: the map is empty");
  INDEXICAL_RETURN_IF_ERROR(checkSides(question.result.sides, "a dimension"));
  INDEXICAL_RETURN_IF_ERROR(setShown(asked, question));
  ElementsOptions how;
  how.exact = ExactOptions(ask.budget);
  how.runtimeValue = [&](const IndexingMap &map, size_t i) {
    const auto value = given(
        asked, map.nameOf({VariableKind::Runtime, static_cast<uint32_t>(i)}));
    return value ? value : std::optional(map.runtime()[i].bounds.lower);
  };
  return pictureOfReads(question, how);
}

namespace drawing {
namespace {

llvm::SmallVector<Interval, 4> sidesOf(const ArrayShape &shape) {
  llvm::SmallVector<Interval, 4> sides;
  for (int64_t size : shape.dimensions)
    sides.push_back(size == kDynamicSize
                        ? Interval::all()
                        : Interval{0, std::max<int64_t>(0, size - 1)});
  return sides;
}

}  // namespace

absl::StatusOr<Picture> reads(const PictureQuestion &asked,
                              const Subject &subject, const Ask &ask) {
  const Instruction &root = subject.root();
  const auto results = root.shape.leaves();
  if (results.empty())
    return subject.error(
        absl::InvalidArgumentError("`" + root.name.str() + "` has no array"));
  PictureOfReads question;
  question.title =
      "what " + root.name.str() + " (" + root.opcode.str() + ") reads";
  question.result.title = subject.title(results[0]);
  question.result.sides = sidesOf(results[0]);
  ProgramIndexing maps(subject.module, /*prover=*/nullptr, ask.budget);
  const auto leaves = subject.where().operandLeaves(subject.instruction);
  for (auto [l, leaf] : llvm::enumerate(leaves)) {
    INDEXICAL_ASSIGN_OR_RETURN(
        auto relation, maps.instruction({ComputationId(subject.computation),
                                         InstructionId(subject.instruction)},
                                        LeafId(l), Direction::OutputToInput));
    const Instruction &from = subject.where().instructions[leaf.instruction];
    const ArrayShape shape = from.shape.leaves()[leaf.result];
    PictureOperand operand;
    operand.space.title =
        from.name.str() + " " + shape.str(/*withLayout=*/true);
    operand.space.sides = sidesOf(shape);
    operand.relation = std::move(relation);
    if (auto status = checkSides(operand.space.sides, "an operand");
        !status.ok())
      return subject.error(status);
    question.operands.push_back(std::move(operand));
  }
  auto status = checkSides(question.result.sides, "the result");
  if (status.ok()) status = setShown(asked, question);
  if (!status.ok()) return subject.error(status);
  ElementsOptions how;
  how.exact = ExactOptions(ask.budget);
  how.runtimeValue = [&](const IndexingMap &map,
                         size_t i) -> std::optional<int64_t> {
    const RuntimeSource &source = map.runtime()[i].source;
    if (source.kind != RuntimeSource::Kind::Element) return std::nullopt;
    return given(asked, sourceName(subject.module, subject.computation, &root,
                                   maps.value(source.tensor)));
  };
  auto picture = pictureOfReads(question, how);
  return picture.ok() ? picture : subject.error(picture.status());
}

}  // namespace drawing
}  // namespace indexical
