// Asks which elements a result depends on, in the two ways there are:
//
//   - of a program that was read from text (hlo/, program/), and
//   - of one op that is described by its shapes alone (ops/), as a compiler
//     with an IR of its own would do.
//
//   bazel run //examples:query_maps

#include "absl/status/status.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/simplifier/simplify.h"

namespace {

using namespace indexical;

// A fusion that scales the columns of a matrix and transposes it.
constexpr char kProgram[] = R"(
  scale_and_transpose {
    x = f32[4,8] parameter(0)
    scale = f32[8] parameter(1)
    wide = f32[4,8] broadcast(scale), dimensions={1}
    scaled = f32[4,8] multiply(x, wide)
    ROOT turned = f32[8,4] transpose(scaled), dimensions={1,0}
  }
  ENTRY main {
    a = f32[4,8] parameter(0)
    b = f32[8] parameter(1)
    ROOT fusion = f32[8,4] fusion(a, b), kind=kLoop, calls=scale_and_transpose
  }
)";

void print(llvm::StringRef what, const IndexingRelation &relation) {
  llvm::outs() << what << " (" << precisionName(relation.precision()) << "):\n";
  for (const IndexingMap &piece : relation.pieces())
    llvm::outs() << "  " << piece.strOneLine() << '\n';
}

// Prints what the fusion of the text reads of its operands, through its
// computation.
absl::Status askProgram() {
  absl::StatusOr<Program> program = parseHlo(kProgram);
  if (!program.ok()) return program.status();
  const Module &module = program->modules.front();
  ComputationId main = module.entry;
  InstructionId fusion = module.computations[main].find("fusion");

  ProgramIndexing maps(module);
  for (int64_t operand : {0, 1}) {
    absl::StatusOr<IndexingRelation> relation = maps.instruction(
        {main, fusion}, LeafId(operand), Direction::OutputToInput);
    if (!relation.ok()) return relation.status();
    print(operand == 0 ? "fusion reads of a" : "fusion reads of b", *relation);
  }
  return absl::OkStatus();
}

// Prints the same relation for b from two descriptors, without text or program.
absl::Status askOps() {
  TransposeOp transpose;
  transpose.operands = {ArrayShape(ElementType::F32, {4, 8})};
  transpose.results = {ArrayShape(ElementType::F32, {8, 4})};
  transpose.permutation = {1, 0};

  BroadcastOp broadcast;
  broadcast.operands = {ArrayShape(ElementType::F32, {8})};
  broadcast.results = {ArrayShape(ElementType::F32, {4, 8})};
  broadcast.dimensions = {1};

  // Shapes and attributes come from outside, so they are checked first.
  for (const Op &op : {Op(transpose), Op(broadcast)})
    if (absl::Status status = verify(op); !status.ok()) return status;

  absl::StatusOr<IndexingRelation> turned = indexing(
      transpose, Direction::OutputToInput, /*result=*/0, /*operand=*/0);
  if (!turned.ok()) return turned.status();
  absl::StatusOr<IndexingRelation> wide = indexing(
      broadcast, Direction::OutputToInput, /*result=*/0, /*operand=*/0);
  if (!wide.ok()) return wide.status();

  // The multiplication between them keeps the index: nothing to compose.
  absl::StatusOr<IndexingRelation> composed = compose(*turned, *wide);
  if (!composed.ok()) return composed.status();
  print("transpose of broadcast reads of its operand", *composed);
  return absl::OkStatus();
}

}  // namespace

int main() {
  for (absl::Status (*ask)() : {askProgram, askOps})
    if (absl::Status status = ask(); !status.ok()) {
      llvm::errs() << "query_maps: " << std::string(status.message()) << '\n';
      return 1;
    }
  return 0;
}
