// The walk over ops of those who ask what is known of a value.
//
// A value is an array that an instruction computes. Three questions are asked
// of it, and each has its own kind of answer:
//
//   question                         answer                    file
//   which number is the element      an expression of the      known_values.h
//   at an index?                     index, with its interval
//   which element decides a size?    an expression of sizes    shapes.h
//   are two values equal?            a term: equal terms are   program_terms.h
//                                    equal values
//
// All three follow from the definitions of ops, and from nothing else: no
// question looks at data. An op is one of few *steps*. It says what its
// elements are, moves elements of its operands, or computes with them:
//
//   c = s32[2] constant({3, 5})                literal
//   i = s32[8] iota(), iota_dimension=0        position
//   n = s32[] get-dimension-size(p)            size
//   t = s32[2] transpose(c)                    moved
//   a = s32[] add(x, y)                        computed
//   l = s32[3] concatenate(c, r)               parts
//
// `visitElements` is the one place that says which step an op is. Each question
// is a *domain*: it says what a step becomes. A domain that lacks a step does
// not compile. A question asks for maps of single ops only. So it never comes
// back to the maps of a program, which ask these questions
// (program/maps/program_facts.h).
//
// A domain's functions get the op, and return its `Result`:
//
//   literal(ConstantOp)      the numbers that the op lists
//   position(IotaOp)         the index along a dimension
//   size(NullaryOp)          a size of operand 0, or all its sizes
//   same(operand)            the element of that operand leaf
//   parts(ConcatenateOp)     the operands, one behind the other
//   padded(PadOp)            operand 0, and operand 1 around it
//   computed(ElementwiseOp)  of the elements at the same index
//   moved(op)                the element of operand 0 that the op's map names
//   extracted(op)            the same, at numbers that other operands are
//   listed(op)               element k, in row-major order, is operand k
//   splat(op)                operand 0 everywhere
//   broadcastSize(op)        the sizes to which those of the operands broadcast
//   product(op)              the product of the elements of operand 0
//   other(op)                nothing that is known; also of an op that says
//                            more than its kind (op_identity.h)
#ifndef INDEXICAL_PROGRAM_VALUES_OP_ELEMENTS_H
#define INDEXICAL_PROGRAM_VALUES_OP_ELEMENTS_H

#include <cstdint>

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/program/values/op_identity.h"

namespace indexical {

/// Returns what the domain makes of the elements of that result leaf of the op.
template <typename Domain>
typename Domain::Result visitElements(const Op &op, int64_t result,
                                      Domain &&domain) {
  if (!computesItsKind(op)) return domain.other(op);
  if (const auto *constant = op.as<ConstantOp>())
    return domain.literal(*constant);
  if (const auto *iota = op.as<IotaOp>()) return domain.position(*iota);
  if (const auto *nullary = op.as<NullaryOp>())
    return nullary->sizeOf ? domain.size(*nullary) : domain.other(op);
  if (const auto *forward = op.as<ForwardOp>()) {
    const int64_t from = forward->reads[result];
    return from >= 0 ? domain.same(from) : domain.other(op);
  }
  // To the type that it has: no bits are read otherwise.
  if (op.is<BitcastConvertOp>() &&
      shapesOf(op).operands[0].type == shapesOf(op).results[0].type)
    return domain.same(0);
  if (const auto *all = op.as<ConcatenateOp>()) return domain.parts(*all);
  if (const auto *pad = op.as<PadOp>()) return domain.padded(*pad);
  if (const auto *elementwise = op.as<ElementwiseOp>())
    return domain.computed(*elementwise);
  if (op.isOneOf<BroadcastOp, TransposeOp, ReverseOp, SliceOp, ReshapeOp,
                 BitcastOp, DynamicReshapeOp>())
    return domain.moved(op);
  if (op.is<DynamicSliceOp>()) return domain.extracted(op);
  switch (traitsOf(op).elements) {
    case ElementRule::Unknown:
      return domain.other(op);
    case ElementRule::Listed:
      return domain.listed(op);
    case ElementRule::Splat:
      return domain.splat(op);
    case ElementRule::Extracted:
      return domain.extracted(op);
    case ElementRule::BroadcastSize:
      return domain.broadcastSize(op);
    case ElementRule::Product:
      return domain.product(op);
  }
  return domain.other(op);
}

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_VALUES_OP_ELEMENTS_H
