#include "indexical/cost/reshard/local_module.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/address.h"
#include "indexical/program/sharding/reshard.h"

namespace indexical {

using Kind = LocalOp::Kind;

size_t LocalModule::parameter(llvm::ArrayRef<int64_t> sizes) {
  LocalOp op;
  op.sizes.assign(sizes.begin(), sizes.end());
  return add(std::move(op));
}

size_t LocalModule::zeros(llvm::ArrayRef<int64_t> sizes) {
  LocalOp op;
  op.kind = Kind::Zeros;
  op.sizes.assign(sizes.begin(), sizes.end());
  return add(std::move(op));
}

size_t LocalModule::reshape(size_t value, llvm::ArrayRef<int64_t> sizes) {
  if (llvm::ArrayRef<int64_t>(sizesOf(value)) == sizes) return value;
  // A reshape of a reshape is one of what that reads.
  if (ops[value].kind == Kind::Reshape) value = ops[value].operands[0];
  if (llvm::ArrayRef<int64_t>(sizesOf(value)) == sizes) return value;
  LocalOp op;
  op.kind = Kind::Reshape;
  op.operands = {value};
  op.sizes.assign(sizes.begin(), sizes.end());
  return add(std::move(op));
}

size_t LocalModule::transpose(size_t value, llvm::ArrayRef<int64_t> order) {
  if (llvm::is_sorted(order)) return value;
  LocalOp op;
  op.kind = Kind::Transpose;
  op.operands = {value};
  op.order.assign(order.begin(), order.end());
  for (int64_t k : order) op.sizes.push_back(sizesOf(value)[k]);
  return add(std::move(op));
}

size_t LocalModule::resize(size_t value, llvm::ArrayRef<int64_t> sizes) {
  LocalSizes least, most;
  for (auto [is, wanted] : llvm::zip_equal(sizesOf(value), sizes)) {
    least.push_back(std::min(is, wanted));
    most.push_back(wanted);
  }
  for (Kind kind : {Kind::Crop, Kind::Pad}) {
    const LocalSizes &to = kind == Kind::Crop ? least : most;
    if (sizesOf(value) == to) continue;
    LocalOp op;
    op.kind = kind;
    op.operands = {value};
    op.sizes = to;
    value = add(std::move(op));
  }
  return value;
}

size_t LocalModule::dynamicSlice(size_t value,
                                 std::vector<std::vector<int64_t>> offsets,
                                 llvm::ArrayRef<int64_t> sizes) {
  if (llvm::ArrayRef<int64_t>(sizesOf(value)) == sizes) return value;
  LocalOp op;
  op.kind = Kind::DynamicSlice;
  op.operands = {value};
  op.offsets = std::move(offsets);
  op.sizes.assign(sizes.begin(), sizes.end());
  return add(std::move(op));
}

size_t LocalModule::dynamicUpdate(size_t value, size_t update,
                                  std::vector<std::vector<int64_t>> offsets) {
  if (sizesOf(value) == sizesOf(update)) return update;
  LocalOp op;
  op.kind = Kind::DynamicUpdate;
  op.operands = {value, update};
  op.offsets = std::move(offsets);
  op.sizes = sizesOf(value);
  return add(std::move(op));
}

size_t LocalModule::select(std::vector<int64_t> flags, size_t yes, size_t no) {
  if (llvm::all_of(flags, [](int64_t flag) { return flag == 1; })) return yes;
  LocalOp op;
  op.kind = Kind::Select;
  op.operands = {yes, no};
  op.sizes = sizesOf(yes);
  op.offsets = {std::move(flags)};
  return add(std::move(op));
}

int64_t LocalModule::peakBytes() const {
  // Each value in the memory of the operation that made its array.
  std::vector<size_t> home(ops.size()), last(ops.size(), 0);
  for (auto [k, op] : llvm::enumerate(ops)) {
    home[k] = op.kind == Kind::Reshape ? home[op.operands[0]] : k;
    for (size_t operand : op.operands) last[home[operand]] = k;
    last[home[k]] = std::max(last[home[k]], k);
  }
  if (!ops.empty()) last[home.back()] = ops.size();
  const int64_t bits = storedBits(ArrayShape(type, {}));
  std::vector<int64_t> bytes(ops.size(), 0);
  for (auto [k, op] : llvm::enumerate(ops)) {
    int64_t elements = 1;
    for (int64_t size : op.sizes) elements *= size;
    if (home[k] == k) bytes[k] = bytesOf(elements, bits);
  }
  int64_t peak = 0;
  for (size_t now = 0; now < ops.size(); ++now) {
    int64_t live = 0;
    for (size_t k = 0; k <= now; ++k)
      if (home[k] == k && last[k] >= now) live += bytes[k];
    peak = std::max(peak, live);
  }
  return peak;
}

}  // namespace indexical
