// Shapes of results that many opcodes infer alike. Layouts are left out: XLA
// takes its default, row major.
#include "indexical/import/hlo/opcodes/builders.h"

namespace indexical {
namespace opcodes {
namespace {

bool sameAs(const ResolvedInstruction &in, size_t operand, Shape &shape) {
  if (operand >= in.operands.size()) return cannotInfer(in);
  shape = *in.operands[operand];
  return true;
}

bool elementOfFirst(const ResolvedInstruction &in, size_t index, Shape &shape) {
  if (in.operands.empty()) return cannotInfer(in);
  const Shape &tuple = *in.operands[0];
  if (!tuple.isTuple() || index >= tuple.elements.size())
    return cannotInfer(in);
  shape = tuple.elements[index];
  return true;
}

}  // namespace

bool cannotInfer(const ResolvedInstruction &in) {
  return in.fail("the shape of " + in.opcodeText() +
                 " does not follow from its operands; write it before the "
                 "opcode");
}

bool takeArray(const ResolvedInstruction &in, size_t i, ArrayShape &array) {
  if (i >= in.operands.size() || !in.operands[i]->isArray())
    return cannotInfer(in);
  array = in.operands[i]->array;
  array.layout.reset();
  return true;
}

bool finish(Shape &shape, ArrayShape array) {
  shape = Shape::ofArray(std::move(array));
  return true;
}

bool inferNothing(const ResolvedInstruction &in, Shape &) {
  return cannotInfer(in);
}

bool inferToken(const ResolvedInstruction &, Shape &shape) {
  shape = Shape::token();
  return true;
}

bool inferUnsigned(const ResolvedInstruction &, Shape &shape) {
  return finish(shape, ArrayShape(ElementType::U32, {}));
}

bool inferSigned(const ResolvedInstruction &, Shape &shape) {
  return finish(shape, ArrayShape(ElementType::S32, {}));
}

bool inferAsFirst(const ResolvedInstruction &in, Shape &shape) {
  return sameAs(in, 0, shape);
}

bool inferAsSecond(const ResolvedInstruction &in, Shape &shape) {
  return sameAs(in, 1, shape);
}

bool inferAsAll(const ResolvedInstruction &in, Shape &shape) {
  return in.operands.size() == 1 ? sameAs(in, 0, shape) : inferTuple(in, shape);
}

bool inferElementOfFirst(const ResolvedInstruction &in, Shape &shape) {
  return elementOfFirst(in, 0, shape);
}

bool inferSecondElementOfFirst(const ResolvedInstruction &in, Shape &shape) {
  return elementOfFirst(in, 1, shape);
}

}  // namespace opcodes
}  // namespace indexical
