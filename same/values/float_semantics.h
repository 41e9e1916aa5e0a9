// The formats of floats, as LLVM's numbers have them.
#ifndef INDEXICAL_SAME_VALUES_FLOAT_SEMANTICS_H
#define INDEXICAL_SAME_VALUES_FLOAT_SEMANTICS_H

#include "llvm/ADT/APFloat.h"

#include "indexical/ops/shape.h"

namespace indexical {

/// Returns the format of f16, bf16, f32 or f64, or null for any other type.
inline const llvm::fltSemantics *semanticsOf(ElementType type) {
  switch (type) {
    case ElementType::F16:
      return &llvm::APFloat::IEEEhalf();
    case ElementType::BF16:
      return &llvm::APFloat::BFloat();
    case ElementType::F32:
      return &llvm::APFloat::IEEEsingle();
    case ElementType::F64:
      return &llvm::APFloat::IEEEdouble();
    default:
      return nullptr;
  }
}

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_FLOAT_SEMANTICS_H
