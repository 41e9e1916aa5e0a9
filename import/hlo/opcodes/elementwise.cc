// Opcodes that keep the index, that read nothing, and that read all.
#include "indexical/import/hlo/literal.h"
#include "indexical/import/hlo/opcodes/builders.h"

namespace indexical {
namespace opcodes {

/// A scalar stands beside arrays if the opcode says so, and nowhere else:
/// HLO broadcasts by an instruction.
bool buildElementwise(const ResolvedInstruction &in, const Shape &result,
                      OpDraft &out) {
  if (result.isArray() && !result.array.isScalar())
    for (size_t i = 0; i < in.operands.size(); ++i)
      if (in.operands[i]->isArray() && in.operands[i]->array.isScalar())
        return in.fail("operand " + llvm::Twine(i) + " of " + in.opcodeText() +
                       " is " + in.operands[i]->str() + ", the result " +
                       result.str() + "; a `broadcast` would make them alike");
  return buildWithScalars(in, result, out);
}

bool buildWithScalars(const ResolvedInstruction &in, const Shape &result,
                      OpDraft &out) {
  return makeOfArrays<ElementwiseOp>(in, result, out) != nullptr;
}

// The first operand that is not a scalar has the sizes.
bool inferElementwise(const ResolvedInstruction &in, Shape &shape) {
  llvm::StringRef name = in.opcode->name;
  if (in.operands.empty() || name == "convert" || name == "rng" ||
      name == "stochastic-convert")
    return cannotInfer(in);
  ArrayShape array;
  for (size_t i = 0; i < in.operands.size(); ++i) {
    ArrayShape candidate;
    if (!takeArray(in, i, candidate)) return false;
    if (i == 0 || array.isScalar()) array = std::move(candidate);
  }
  // The operand that has the element type.
  ElementType type = in.operands[0]->array.type;
  if (name == "select" || name == "clamp") type = in.operands[1]->array.type;
  bool isComplex = type == ElementType::C64 || type == ElementType::C128;
  if (name == "compare" || name == "is-finite")
    type = ElementType::Pred;
  else if (name == "complex")
    type = type == ElementType::F64 ? ElementType::C128 : ElementType::C64;
  else if (isComplex && (name == "real" || name == "imag" || name == "abs"))
    type = type == ElementType::C128 ? ElementType::F64 : ElementType::F32;
  else if (name == "map" && !in.calledRoots.empty() && in.calledRoots[0] &&
           in.calledRoots[0]->isArray())
    type = in.calledRoots[0]->array.type;
  array.type = type;
  return finish(shape, std::move(array));
}

bool buildNullary(const ResolvedInstruction &in, const Shape &result,
                  OpDraft &out) {
  auto &op = make<NullaryOp>(in, result, out);
  // Another argument than a number is refused if parameters are counted.
  if (in.opcode->kind == kindOf<NullaryOp>("parameter") &&
      in.syntax.argument.trim().getAsInteger(10, op.parameter))
    op.parameter = -1;
  return true;
}

bool buildConstant(const ResolvedInstruction &in, const Shape &result,
                   OpDraft &out) {
  if (!result.isArray()) {  // a tuple of literals, or a token
    make<NullaryOp>(in, result, out);
    return true;
  }
  auto &op = make<ConstantOp>(in, result, out);
  return parseLiteral(in.source, in.syntax.argument, result.array, op);
}

bool buildIota(const ResolvedInstruction &in, const Shape &result,
               OpDraft &out) {
  auto *op = makeOfArrays<IotaOp>(in, result, out);
  if (!op) return false;
  if (in.attributes.has("iota_dimension") || result.array.rank() > 1)
    return in.attributes.requiredInteger("iota_dimension", op->dimension);
  return true;
}

bool buildCover(const ResolvedInstruction &in, const Shape &result,
                OpDraft &out) {
  make<CoverOp>(in, result, out).reason =
      "the maps of " + in.opcodeText() + " are not known exactly";
  return true;
}

bool buildOpaque(const ResolvedInstruction &in, const Shape &result,
                 OpDraft &out) {
  auto &op = make<CoverOp>(in, result, out);
  op.precision = Precision::Opaque;
  llvm::StringRef target = in.attributes.raw("custom_call_target").trim('"');
  op.reason =
      !in.opcode ? "the opcode " + in.opcodeText() + " is not known"
      : target.empty()
          ? "the meaning of a custom call is not known"
          : ("the meaning of the custom call to `" + target + "` is not known")
                .str();
  return true;
}

}  // namespace opcodes
}  // namespace indexical
