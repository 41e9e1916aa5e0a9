// Whether an op may be speculated: run where the program would not reach it.
//
//   %0 = stablehlo.add %a, %b : tensor<4xf32>        may: its rules hold
//   %0 = stablehlo.add %a, %b : tensor<?xf32>        may not: if the sizes
//                                                    differ, anything happens
//   %0 = stablehlo.dynamic_reshape %a, %shape        may where all types are
//          : (tensor<8xf32>, tensor<2xi64>)          static and %shape is a
//          -> tensor<2x4xf32>                        constant
//
// StableHLO leaves it to the producer that shapes agree at run time (dynamism
// RFC, P2), and requires mlir::ConditionallySpeculatable: a pass that moves
// ops, such as loop-invariant-code-motion, calls it. base.td has the traits,
// and an op without one is never moved so: collectives, rng, infeed and outfeed
// of tokens, calls of external functions, and while, which may not end.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_SPECULATION_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_SPECULATION_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace indexical::stablehlo {

/// Returns whether every tensor among operands and results has only known
/// sizes. A bound is not a size.
bool hasStaticTypes(mlir::Operation *op);

/// Returns whether all operands after the first `data` ones are constants:
/// those that give a shape, or a place in one.
bool hasConstantShapes(mlir::Operation *op, unsigned data);

/// The trait of an op whose rules depend only on types and attributes.
template <typename Concrete>
struct StaticTypesSpeculate
    : mlir::OpTrait::TraitBase<Concrete, StaticTypesSpeculate> {
  mlir::Speculation::Speculatability getSpeculatability() {
    return hasStaticTypes(this->getOperation())
               ? mlir::Speculation::Speculatable
               : mlir::Speculation::NotSpeculatable;
  }
};

/// The trait of an op whose rules also depend on the values of shape operands.
/// These stand after the first `data` operands.
template <unsigned data>
struct ConstantShapesSpeculate {
  template <typename Concrete>
  struct Impl : mlir::OpTrait::TraitBase<Concrete, Impl> {
    mlir::Speculation::Speculatability getSpeculatability() {
      return hasStaticTypes(this->getOperation()) &&
                     hasConstantShapes(this->getOperation(), data)
                 ? mlir::Speculation::Speculatable
                 : mlir::Speculation::NotSpeculatable;
    }
  };
};

/// The trait of an op with bodies: it may be speculated if their ops may.
template <typename Concrete>
struct StaticBodiesSpeculate
    : mlir::OpTrait::TraitBase<Concrete, StaticBodiesSpeculate> {
  mlir::Speculation::Speculatability getSpeculatability() {
    return hasStaticTypes(this->getOperation())
               ? mlir::Speculation::RecursivelySpeculatable
               : mlir::Speculation::NotSpeculatable;
  }
};

}  // namespace indexical::stablehlo

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_SPECULATION_H
