#include "indexical/same/equality/integer_literal.h"

#include <string>
#include <utility>

#include "indexical/ops/families.h"

namespace indexical {

Op integerLiteral(const ArrayShape &shape, llvm::ArrayRef<int64_t> elements) {
  ConstantOp literal;
  literal.results = {ArrayShape(shape.type, shape.dimensions)};
  literal.opKind = kindOf<ConstantOp>("constant");
  uint64_t count = 1;
  for (int64_t size : shape.dimensions) count *= size;
  if (elements.size() == count)
    literal.values.assign(elements.begin(), elements.end());
  const size_t bytes = (bitsOf(shape.type) + 7) / 8;
  std::string bits;
  for (int64_t element : elements)
    for (size_t k = 0; k < bytes; ++k)
      bits += static_cast<char>(static_cast<uint64_t>(element) >> (8 * k));
  literal.bits = ConstantOp::canonicalBits(bits, bytes);
  literal.isKnown = true;
  return Op(std::move(literal));
}

}  // namespace indexical
