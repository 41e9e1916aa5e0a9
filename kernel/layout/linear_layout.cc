#include "indexical/kernel/layout/linear_layout.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/Support/MathExtras.h"

namespace indexical::kernels {

namespace {

int log2Of(int64_t size) { return static_cast<int>(llvm::Log2_64(size)); }

}  // namespace

absl::StatusOr<TileLayout> TileLayout::of(llvm::ArrayRef<int64_t> shape,
                                          llvm::ArrayRef<Coordinates> registers,
                                          llvm::ArrayRef<Coordinates> lanes,
                                          llvm::ArrayRef<Coordinates> warps) {
  TileLayout layout;
  layout.shape_.assign(shape.begin(), shape.end());
  int bits = 0;
  for (int64_t side : shape) {
    if (side < 1 || !llvm::isPowerOf2_64(side))
      return absl::InvalidArgumentError(absl::StrCat(
          "a layout has sides that are powers of two, and not ", side));
    bits += log2Of(side);
  }
  if (bits > 62 || registers.size() + lanes.size() + warps.size() > 62)
    return absl::InvalidArgumentError("a layout has more than 62 bits");
  std::vector<uint64_t> bases;
  for (llvm::ArrayRef<Coordinates> group : {registers, lanes, warps})
    for (const Coordinates &basis : group) {
      if (basis.size() != shape.size())
        return absl::InvalidArgumentError(absl::StrCat(
            "a basis has ", basis.size(), " numbers, and the tile ",
            shape.size(), " dimensions"));
      for (size_t k = 0; k < basis.size(); ++k)
        if (basis[k] < 0 || basis[k] >= shape[k])
          return absl::InvalidArgumentError(absl::StrCat(
              "a basis has ", basis[k], " in a dimension of size ", shape[k]));
      bases.push_back(layout.join(basis));
    }
  layout.map_ = LinearMap(std::move(bases), bits);
  layout.registers_ = registers.size();
  layout.lanes_ = lanes.size();
  layout.warps_ = warps.size();
  return layout;
}

Coordinates TileLayout::split(uint64_t word) const {
  Coordinates all(shape_.size(), 0);
  for (size_t k = shape_.size(); k-- > 0;) {
    all[k] = static_cast<int64_t>(word & (shape_[k] - 1));
    word >>= log2Of(shape_[k]);
  }
  return all;
}

uint64_t TileLayout::join(llvm::ArrayRef<int64_t> coordinates) const {
  uint64_t word = 0;
  for (size_t k = 0; k < shape_.size(); ++k)
    word = word << log2Of(shape_[k]) | static_cast<uint64_t>(coordinates[k]);
  return word;
}

Coordinates TileLayout::held(const Holder &by) const {
  const uint64_t word = static_cast<uint64_t>(by.reg) |
                        static_cast<uint64_t>(by.lane) << registers_ |
                        static_cast<uint64_t>(by.warp) << (registers_ + lanes_);
  return split(map_.apply(word));
}

std::vector<Holder> TileLayout::holders(llvm::ArrayRef<int64_t> element) const {
  const auto first = map_.preimage(join(element));
  std::vector<Holder> all;
  if (!first) return all;
  const std::vector<uint64_t> kernel = map_.kernel();
  for (uint64_t choice = 0; choice < uint64_t{1} << kernel.size(); ++choice) {
    uint64_t word = *first;
    for (size_t i = 0; i < kernel.size(); ++i)
      if (choice >> i & 1) word ^= kernel[i];
    const auto part = [&](int from, int count) {
      return static_cast<int64_t>(word >> from & ((uint64_t{1} << count) - 1));
    };
    all.push_back({part(0, registers_), part(registers_, lanes_),
                   part(registers_ + lanes_, warps_)});
  }
  return all;
}

TileLayout TileLayout::withoutEqualRegisters() const {
  std::vector<uint64_t> bases;
  for (int bit = 0; bit < map_.inputBits(); ++bit)
    if (bit >= registers_ || map_.bases()[bit] != 0)
      bases.push_back(map_.bases()[bit]);
  TileLayout layout = *this;
  layout.registers_ -= map_.bases().size() - bases.size();
  layout.map_ = LinearMap(std::move(bases), map_.outputBits());
  return layout;
}

TileLayout TileLayout::withoutDimension(int64_t dimension) const {
  TileLayout layout = *this;
  layout.shape_.erase(layout.shape_.begin() + dimension);
  std::vector<uint64_t> bases;
  for (int bit = 0; bit < map_.inputBits(); ++bit) {
    Coordinates basis = split(map_.bases()[bit]);
    basis.erase(basis.begin() + dimension);
    bases.push_back(layout.join(basis));
  }
  layout.map_ = LinearMap(std::move(bases),
                          map_.outputBits() - log2Of(shape_[dimension]));
  return layout;
}

}  // namespace indexical::kernels
