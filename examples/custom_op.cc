// Gives the library maps that it does not have, in the two ways there are:
//
//   - an op of one's own: a class that says which element each iteration gives
//     and which one it reads, and
//   - a custom call of HLO text, whose target is registered as that op, or as
//     one that the library has.
//
//   bazel run //examples:custom_op

#include <memory>

#include "absl/status/status.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/ops/access.h"
#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/custom_calls.h"

namespace {

using namespace indexical;

/// Element i of the result is element (i + shift) mod size of the operand.
class Rotate : public AccessMaps {
 public:
  explicit Rotate(int64_t shift) : shift_(shift) {}

  absl::Status verify(const OpShapes &shapes) const override {
    if (shapes.operands.size() == 1 && shapes.results.size() == 1 &&
        shapes.operands[0].rank() == 1 &&
        !shapes.operands[0].hasUnknownSize() &&
        sameDimensions(shapes.operands[0], shapes.results[0]))
      return absl::OkStatus();
    return absl::InvalidArgumentError(
        "rotate takes one array of rank 1 and gives one of the same size");
  }

  absl::Status describe(const OpShapes &shapes, int64_t, int64_t,
                        AccessList &list) const override {
    Access &access = list.add();
    const Expr i = access.loopsOver(shapes.results[0])[0];
    access.result = {i};
    access.operand = {mod(i + shift_, shapes.results[0].dimensions[0])};
    return absl::OkStatus();
  }

 private:
  const int64_t shift_;
};

void print(llvm::StringRef what, const IndexingRelation &relation) {
  llvm::outs() << what << " (" << precisionName(relation.precision()) << "):\n";
  for (const IndexingMap &piece : relation.pieces())
    llvm::outs() << "  " << piece.strOneLine() << '\n';
}

// Without any text: a descriptor that holds the maps.
absl::Status askOp() {
  CustomOp rotate;
  rotate.operands = {ArrayShape(ElementType::F32, {8})};
  rotate.results = rotate.operands;
  rotate.maps = std::make_shared<Rotate>(3);
  if (absl::Status status = verify(rotate); !status.ok()) return status;
  for (Direction direction :
       {Direction::OutputToInput, Direction::InputToOutput}) {
    absl::StatusOr<IndexingRelation> relation =
        indexing(rotate, direction, /*result=*/0, /*operand=*/0);
    if (!relation.ok()) return relation.status();
    print(direction == Direction::OutputToInput ? "rotate reads"
                                                : "rotate is read by",
          *relation);
  }
  return absl::OkStatus();
}

// The target "flatten" is a reshape, which the library knows.
absl::StatusOr<Op> flatten(const CustomCall &) { return ReshapeOp(); }

// The target "rotate" is the op above; how far stands in the text.
absl::StatusOr<Op> rotate(const CustomCall &call) {
  int64_t shift = 0;
  if (llvm::StringRef(call.backendConfig).getAsInteger(10, shift))
    return absl::InvalidArgumentError(
        "backend_config holds the shift, as in backend_config=\"3\"");
  CustomOp op;
  op.maps = std::make_shared<Rotate>(shift);
  return op;
}

constexpr char kProgram[] = R"(
  ENTRY main {
    a = f32[2,4] parameter(0)
    flat = f32[8] custom-call(a), custom_call_target="flatten"
    ROOT turned = f32[8] custom-call(flat), custom_call_target="rotate",
      backend_config="3"
  }
)";

absl::Status askProgram() {
  CustomCallRegistry calls;
  calls.add("flatten", flatten);
  calls.add("rotate", rotate);
  HloOptions options;
  options.customCalls = &calls;
  absl::StatusOr<Program> program = parseHlo(kProgram, "rotate.hlo", options);
  if (!program.ok()) return program.status();
  const Module &module = program->modules.front();
  ProgramIndexing maps(module);
  absl::StatusOr<IndexingRelation> relation = maps.computation(
      module.entry, LeafId(0), ParameterLeaf{0}, Direction::OutputToInput);
  if (!relation.ok()) return relation.status();
  print("main reads of a", *relation);
  return absl::OkStatus();
}

}  // namespace

int main() {
  for (absl::Status (*ask)() : {askOp, askProgram})
    if (absl::Status status = ask(); !status.ok()) {
      llvm::errs() << "custom_op: " << std::string(status.message()) << '\n';
      return 1;
    }
  return 0;
}
