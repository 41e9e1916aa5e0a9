#ifndef INDEXICAL_OPS_ELEMENTWISE_ELEMENTWISE_H
#define INDEXICAL_OPS_ELEMENTWISE_ELEMENTWISE_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Every result element reads the operand element of the same index; an operand
/// of rank 0 beside a result of higher rank is read whole (select's predicate,
/// clamp's bounds). Also map, copy, convert: all ops that keep the index.
struct ElementwiseOp : OpDescriptor {
  static constexpr OpKind kKinds[] = {
      {"elementwise", {}},
      {"add", Traits().with(Arithmetic::Add)},
      {"clamp", Traits().with(Arithmetic::Clamp)},
      {"divide", Traits().with(Arithmetic::Divide)},
      {"maximum", Traits().with(Arithmetic::Maximum)},
      {"minimum", Traits().with(Arithmetic::Minimum)},
      {"multiply", Traits().with(Arithmetic::Multiply)},
      {"negate", Traits().with(Arithmetic::Negate)},
      {"remainder", Traits().with(Arithmetic::Remainder)},
      {"subtract", Traits().with(Arithmetic::Subtract)},
      {"cast", Traits().with(Arithmetic::Same).keeping()},
      {"convert", Traits().with(Arithmetic::Same).keeping()},
      {"copy", Traits().with(Arithmetic::Same).keeping()},
      {"truncate", Traits().with(Arithmetic::Same)},
      {"sign-extend", Traits().with(Arithmetic::SignExtend).keeping()},
      {"zero-extend", Traits().with(Arithmetic::ZeroExtend).ofUnsigned()},
      {"divide-floor", Traits().with(Arithmetic::Divide)},
      {"divide-unsigned", Traits().with(Arithmetic::Divide).ofUnsigned()},
      {"maximum-unsigned", Traits().with(Arithmetic::Maximum).ofUnsigned()},
      {"minimum-unsigned", Traits().with(Arithmetic::Minimum).ofUnsigned()},
      {"remainder-unsigned", Traits().with(Arithmetic::Remainder).ofUnsigned()},
      {"rng", Traits().with(KernelRole::Bytes).withSideEffects()},
      {"abs", {}},
      {"acos", {}},
      {"acosh", {}},
      {"and", {}},
      {"asin", {}},
      {"asin-acos-kernel", {}},
      {"asinh", {}},
      {"atan", {}},
      {"atan2", {}},
      {"atanh", {}},
      {"bessel-i1e", {}},
      {"cbrt", {}},
      {"ceil", {}},
      {"compare", {}},
      {"complex", {}},
      {"conj", {}},
      {"cosh", {}},
      {"cosine", {}},
      {"count-leading-zeros", {}},
      {"digamma", {}},
      {"erf", {}},
      {"erf-inv", {}},
      {"erfc", {}},
      {"exponential", {}},
      {"exponential-minus-one", {}},
      {"floor", {}},
      {"imag", {}},
      {"is-finite", {}},
      {"is-inf", {}},
      {"is-neg-inf", {}},
      {"is-pos-inf", {}},
      {"lgamma", {}},
      {"log", {}},
      {"log-plus-one", {}},
      {"logistic", {}},
      {"map", {}},
      {"mulhi", {}},
      {"next-after", {}},
      {"not", {}},
      {"or", {}},
      {"polygamma", {}},
      {"popcnt", {}},
      {"power", {}},
      {"real", {}},
      {"reduce-precision", {}},
      {"round-nearest-afz", {}},
      {"round-nearest-even", {}},
      {"rsqrt", {}},
      {"select", {}},
      {"shift-left", {}},
      {"shift-right-arithmetic", {}},
      {"shift-right-logical", {}},
      {"sign", {}},
      {"sine", {}},
      {"sinh", {}},
      {"sqrt", {}},
      {"square", {}},
      {"stochastic-convert", {}},
      {"tan", {}},
      {"tanh", {}},
      {"uniform-dequantize", {}},
      {"uniform-quantize", {}},
      {"xor", {}},
      {"zeta", {}},
  };
  /// Returns whether a result is the element of the one operand, if the
  /// result's type holds that value: a copy or a conversion, but not the sign
  /// extension of an i1.
  bool keepsValues() const {
    return opKind && opKind->traits.keepsValues &&
           (opKind->traits.arithmetic != Arithmetic::SignExtend ||
            (!operands.empty() && operands[0].type != ElementType::Pred));
  }
  template <typename Take>
  auto fields(Take take) const {
    return take();
  }
};
INDEXICAL_FAMILY_WITH_SIZES(ElementwiseOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_ELEMENTWISE_ELEMENTWISE_H
