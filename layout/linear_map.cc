#include "indexical/layout/linear_map.h"

#include <utility>

#include "llvm/Support/MathExtras.h"

namespace indexical::layouts {

namespace {

/// The image of a map in a reduced form: every row is an image with an input
/// that it is the image of, and has a highest bit that no later row has.
struct Reduced {
  struct Row {
    uint64_t image, input;
  };
  std::vector<Row> rows;
  std::vector<uint64_t> kernel;

  explicit Reduced(llvm::ArrayRef<uint64_t> bases) {
    for (size_t i = 0; i < bases.size(); ++i) {
      Row row{bases[i], uint64_t{1} << i};
      reduce(row);
      if (row.image == 0)
        kernel.push_back(row.input);
      else
        rows.push_back(row);
    }
  }
  /// Clears the highest bits of the known rows from the row. One pass is
  /// enough: a known row has none of the highest bits of those before it.
  void reduce(Row &row) const {
    for (const Row &known : rows)
      if (row.image >> llvm::Log2_64(known.image) & 1) {
        row.image ^= known.image;
        row.input ^= known.input;
      }
  }
};

}  // namespace

LinearMap LinearMap::identity(int bits) {
  std::vector<uint64_t> bases;
  for (int i = 0; i < bits; ++i) bases.push_back(uint64_t{1} << i);
  return {std::move(bases), bits};
}

uint64_t LinearMap::apply(uint64_t input) const {
  uint64_t output = 0;
  for (size_t i = 0; i < bases_.size(); ++i)
    if (input >> i & 1) output ^= bases_[i];
  return output;
}

int LinearMap::rank() const {
  return static_cast<int>(Reduced(bases_).rows.size());
}

std::optional<uint64_t> LinearMap::preimage(uint64_t output) const {
  Reduced::Row row{output, 0};
  Reduced(bases_).reduce(row);
  if (row.image != 0) return std::nullopt;
  return row.input;
}

std::vector<uint64_t> LinearMap::kernel() const {
  return Reduced(bases_).kernel;
}

std::optional<LinearMap> LinearMap::inverse() const {
  if (inputBits() != outputBits_ || rank() != outputBits_) return std::nullopt;
  std::vector<uint64_t> bases;
  for (int i = 0; i < outputBits_; ++i) {
    const auto input = preimage(uint64_t{1} << i);
    if (!input) return std::nullopt;
    bases.push_back(*input);
  }
  return LinearMap(std::move(bases), inputBits());
}

LinearMap compose(const LinearMap &first, const LinearMap &second) {
  std::vector<uint64_t> bases;
  for (uint64_t basis : first.bases()) bases.push_back(second.apply(basis));
  return {std::move(bases), second.outputBits()};
}

}  // namespace indexical::layouts
