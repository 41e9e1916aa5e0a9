// Ops whose maps come from an object outside of this library.
//
//   Rotate by 3, f32[8] -> f32[8]
//   output to input   (d0) -> ((d0 + 3) mod 8)
//
// The maps that the object returns are checked here, because all other code
// takes maps as they are.
#include "absl/strings/str_cat.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/family.h"

namespace indexical {
namespace families {
namespace {

absl::Status wrong(const std::string &message) {
  return invalid("the maps of a custom op are wrong: " + message);
}

absl::Status checkSource(const CustomOp &op, const RuntimeVariable &variable) {
  const RuntimeSource &source = variable.source;
  if (source.kind == RuntimeSource::Kind::None) return absl::OkStatus();
  if (source.kind != RuntimeSource::Kind::Element &&
      source.kind != RuntimeSource::Kind::Size)
    return wrong("a runtime variable is of a collective");
  const int64_t operands = op.operands.size();
  const bool isSize = source.kind == RuntimeSource::Kind::Size;
  const int64_t tensors = operands + (isSize ? op.results.size() : 0);
  if (source.tensor < 0 || source.tensor >= tensors)
    return wrong(absl::StrCat("a runtime variable has its source in operand ",
                              source.tensor, "; the op has ",
                              counted(operands, "operand")));
  const ArrayShape &shape = source.tensor < operands
                                ? op.operands[source.tensor]
                                : op.results[source.tensor - operands];
  if (source.kind == RuntimeSource::Kind::Element) {
    const int64_t given = variable.index.size();
    if (given == shape.rank()) return absl::OkStatus();
    return wrong(absl::StrCat("a runtime variable is an element of operand ",
                              source.tensor, ", ", textOf(shape),
                              ", with an index of ", given, " numbers"));
  }
  if (source.dimension >= 0 && source.dimension < shape.rank())
    return absl::OkStatus();
  return wrong(absl::StrCat("a runtime variable is the size of dimension ",
                            source.dimension, " of operand ", source.tensor,
                            ", ", textOf(shape)));
}

Answer checked(const CustomOp &op, Answer answer, const ArrayShape &from,
               const ArrayShape &to) {
  if (!answer.ok()) return answer;
  for (const IndexingMap &piece : answer->pieces()) {
    const int64_t dimensions = piece.dimensions().size();
    const int64_t results = piece.results().size();
    if (dimensions != from.rank() || results != to.rank())
      return wrong(absl::StrCat("a map from ", textOf(from), " to ", textOf(to),
                                " has ", counted(dimensions, "dimension"),
                                " and ", counted(results, "result")));
    if (!piece.collectives().empty()) return wrong("a map passes a collective");
    for (const RuntimeVariable &variable : piece.runtime())
      INDEXICAL_RETURN_IF_ERROR(checkSource(op, variable));
  }
  return answer;
}

}  // namespace

absl::Status verify(const CustomOp &op) {
  if (!op.maps) return invalid("a custom op has no maps");
  return op.maps->verify(op);
}

// The object has a map for either direction (ops/op_interface.h). An object
// with accesses derives both from them: AccessMaps (ops/access.h).
Answer reads(const CustomOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  return checked(op,
                 sides.direction() == Direction::OutputToInput
                     ? op.maps->outputToInput(op, result, operand)
                     : op.maps->inputToOutput(op, result, operand),
                 sides.from(), sides.to());
}

}  // namespace families
}  // namespace indexical
