#include "indexical/layout/bases.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/status_macros.h"

namespace indexical::layouts {

void Bases::along(size_t input, int64_t dimension, int64_t count) {
  for (; count > 1; count /= 2) {
    if (sizes_[dimension] > INT64_MAX / 2) {
      isPast64Bits_ = true;
      return;
    }
    Coordinates basis(sizes_.size(), 0);
    basis[dimension] = sizes_[dimension];
    sizes_[dimension] *= 2;
    bits_[input].push_back(std::move(basis));
  }
}

void Bases::copies(size_t input, int64_t count) {
  for (; count > 1; count /= 2)
    bits_[input].push_back(Coordinates(sizes_.size(), 0));
}

void Bases::along(size_t input, llvm::ArrayRef<int64_t> counts,
                  llvm::ArrayRef<int64_t> order) {
  for (int64_t dimension : order) along(input, dimension, counts[dimension]);
}

void Bases::add(size_t input, llvm::ArrayRef<Coordinates> bases,
                llvm::ArrayRef<int64_t> unit) {
  for (const Coordinates &basis : bases) {
    Coordinates scaled = basis;
    for (auto [number, step] : llvm::zip(scaled, unit))
      if (llvm::MulOverflow(number, step, number)) isPast64Bits_ = true;
    bits_[input].push_back(std::move(scaled));
  }
}

void Bases::fit(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> order) {
  for (int64_t k : order)
    if (sizes_[k] < shape[k]) along(0, k, shape[k] / sizes_[k]);
  for (auto &bits : bits_)
    for (Coordinates &basis : bits)
      for (auto [number, size] : llvm::zip(basis, shape)) number &= size - 1;
  setSizes(shape);
}

void Bases::dropCopies(size_t input) {
  llvm::erase_if(bits_[input], [](const Coordinates &basis) {
    return llvm::all_of(basis, [](int64_t number) { return number == 0; });
  });
}

void Bases::dropDimension(int64_t dimension) {
  sizes_.erase(sizes_.begin() + dimension);
  for (auto &bits : bits_)
    for (Coordinates &basis : bits) basis.erase(basis.begin() + dimension);
}

absl::Status Bases::check() const {
  if (!isPast64Bits_) return absl::OkStatus();
  return absl::InvalidArgumentError("a size of the layout leaves 64 bits");
}

absl::StatusOr<Layout> Bases::layout(
    llvm::ArrayRef<llvm::StringRef> inputs) const {
  INDEXICAL_RETURN_IF_ERROR(check());
  std::vector<Space> in, out;
  for (auto [name, bits] : llvm::zip(inputs, bits_)) {
    if (bits.size() > 62)
      return absl::InvalidArgumentError("an input has more than 62 bits");
    in.push_back({name.str(), int64_t{1} << bits.size()});
  }
  std::vector<Sum> sums;
  for (const auto &[k, size] : llvm::enumerate(sizes_)) {
    out.push_back({absl::StrCat("dim", k), size});
    Sum &sum = sums.emplace_back();
    for (int64_t weight = 1; weight < size; weight *= 2) {
      Parity parity{weight, {}};
      for (const auto &[input, bits] : llvm::enumerate(bits_))
        for (const auto &[bit, basis] : llvm::enumerate(bits))
          if ((basis[k] & weight) != 0)
            parity.bits.push_back(
                {static_cast<int>(input), static_cast<int>(bit)});
      if (!parity.bits.empty()) sum.parities.push_back(std::move(parity));
    }
  }
  return Layout::of(in, out, sums);
}

}  // namespace indexical::layouts
