// TOSA's reductions, pools, convolutions and products.
#include <algorithm>
#include <vector>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include "indexical/import/stablehlo/dialect/tosa_text.h"

namespace indexical {
namespace {

using llvm::StringRef;
using mlir::RankedTensorType;

enum class Limit : uint8_t { Lowest, Highest };

// The finite number at an end of the type, as MLIR's lowering begins with.
mlir::DenseElementsAttr limitOf(mlir::Type element, Limit limit) {
  const auto scalar = RankedTensorType::get({}, element);
  const bool isLow = limit == Limit::Lowest;
  if (auto floats = llvm::dyn_cast<mlir::FloatType>(element))
    return mlir::DenseElementsAttr::get(
        scalar, llvm::APFloat::getLargest(floats.getFloatSemantics(), isLow));
  const unsigned bits = element.getIntOrFloatBitWidth();
  return mlir::DenseElementsAttr::get(
      scalar, isLow ? llvm::APInt::getSignedMinValue(bits)
                    : llvm::APInt::getSignedMaxValue(bits));
}

std::string scalarOf(mlir::Type element) {
  return strOf(RankedTensorType::get({}, element));
}

struct Reducer {
  StringRef op;
  std::string begin;  // the value that it begins with
};

std::optional<Reducer> reducerOf(TosaText &t, StringRef kind) {
  const mlir::Type element = t.result().getElementType();
  const auto scalar = RankedTensorType::get({}, element);
  if ((kind == "all" || kind == "any") != element.isInteger(1))
    return std::nullopt;
  if (kind == "all") return Reducer{"stablehlo.and", t.splat(scalar, 1)};
  if (kind == "any") return Reducer{"stablehlo.or", t.splat(scalar, 0)};
  if (kind == "sum") return Reducer{"stablehlo.add", t.splat(scalar, 0)};
  if (kind == "prod" || kind == "product")
    return Reducer{"stablehlo.multiply", t.splat(scalar, 1)};
  if (!t.keepsNan()) return std::nullopt;
  if (kind == "max")
    return Reducer{"stablehlo.maximum",
                   t.constant(limitOf(element, Limit::Lowest))};
  if (kind == "min")
    return Reducer{"stablehlo.minimum",
                   t.constant(limitOf(element, Limit::Highest))};
  return std::nullopt;
}

// How a window goes along a dimension of the input.
struct Window {
  int64_t size, before, after, stride, dilation;

  bool isValid() const {
    // Below so much no product leaves 64 bits.
    constexpr int64_t kMost = int64_t{1} << 30;
    return size > 0 && before >= 0 && after >= 0 && stride > 0 &&
           dilation > 0 && size < kMost && before < kMost && after < kMost &&
           dilation < kMost;
  }
  bool leads(int64_t input, int64_t output) const {
    if (!isValid() || input > (int64_t{1} << 60)) return false;
    const int64_t reach = (size - 1) * dilation + 1;
    const int64_t room = input + before + after - reach;
    return room >= 0 && room / stride + 1 == output;
  }
};

// Returns the windows along the dimensions behind the first one.
std::optional<std::vector<Window>> windowsOf(TosaText &t,
                                             llvm::ArrayRef<int64_t> sizes) {
  const auto pad = t.integers("pad"), stride = t.integers("stride");
  auto dilation = t.integers("dilation");
  if (!dilation && !t.attribute("dilation"))
    dilation = TosaSizes(sizes.size(), 1);
  if (!pad || !stride || !dilation || pad->size() != 2 * sizes.size() ||
      stride->size() != sizes.size() || dilation->size() != sizes.size())
    return std::nullopt;
  std::vector<Window> windows;
  for (size_t k = 0; k < sizes.size(); ++k) {
    windows.push_back({sizes[k], (*pad)[2 * k], (*pad)[2 * k + 1], (*stride)[k],
                       (*dilation)[k]});
    if (!windows.back().leads(t.typeOf(0).getDimSize(k + 1),
                              t.result().getDimSize(k + 1)))
      return std::nullopt;
  }
  return windows;
}

// Whether sums are kept in the type of the result.
bool accumulatesInResult(TosaText &t) {
  const mlir::Attribute own = t.attribute("acc_type");
  if (!own) return true;
  auto type = llvm::dyn_cast<mlir::TypeAttr>(own);
  return type && type.getValue() == t.result().getElementType();
}

std::string zeros(TosaText &t, RankedTensorType type) {
  const std::string zero = t.line(
      "arith.constant " +
      std::string(llvm::isa<mlir::FloatType>(type.getElementType()) ? "0.0"
                                                                    : "0") +
      " : " + strOf(type.getElementType()));
  const std::string empty = t.line("tensor.empty() : " + strOf(type));
  return t.line("linalg.fill ins(" + zero + " : " +
                strOf(type.getElementType()) + ") outs(" + empty + " : " +
                strOf(type) + ") -> " + strOf(type));
}

// How many elements of the input lie in each window along a dimension.
TosaSizes countsOf(const Window &window, int64_t input, int64_t output) {
  TosaSizes counts;
  for (int64_t o = 0; o < output; ++o) {
    int64_t count = 0;
    for (int64_t k = 0; k < window.size; ++k) {
      const int64_t at = o * window.stride - window.before + k;
      count += at >= 0 && at < input;
    }
    counts.push_back(count);
  }
  return counts;
}

// Divides the sums by the numbers of elements that are in the windows.
WrittenTosa averages(TosaText &t, const std::string &sums,
                     llvm::ArrayRef<Window> windows) {
  const RankedTensorType result = t.result();
  constexpr int64_t kMostCounts = 1 << 20;
  for (size_t k : {0, 1})
    if (result.getDimSize(k + 1) > kMostCounts / windows[k].size)
      return std::nullopt;
  const auto high =
      countsOf(windows[0], t.typeOf(0).getDimSize(1), result.getDimSize(1));
  const auto wide =
      countsOf(windows[1], t.typeOf(0).getDimSize(2), result.getDimSize(2));
  if (static_cast<int64_t>(high.size() * wide.size()) > kMostCounts)
    return std::nullopt;
  const auto floats = llvm::cast<mlir::FloatType>(result.getElementType());
  std::vector<llvm::APFloat> counts;
  for (int64_t h : high)
    for (int64_t w : wide) {
      if (h * w == 0) return std::nullopt;
      llvm::APFloat count(static_cast<double>(h * w));
      bool losesInfo = false;
      count.convert(floats.getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &losesInfo);
      counts.push_back(count);
    }
  const auto type = RankedTensorType::get(
      {1, result.getDimSize(1), result.getDimSize(2), 1}, floats);
  const auto by = t.broadcast(t.constant(mlir::DenseElementsAttr::get(
                                  type, llvm::ArrayRef<llvm::APFloat>(counts))),
                              type, result.getShape());
  if (!by) return std::nullopt;
  return t.line("stablehlo.divide " + sums + ", " + *by + " : " +
                strOf(result));
}

// Returns the input with zeros around it, and its type.
std::pair<std::string, RankedTensorType> padded(
    TosaText &t, llvm::ArrayRef<Window> windows) {
  const RankedTensorType from = t.typeOf(0);
  TosaSizes low(from.getRank(), 0), high(low), sizes(from.getShape());
  for (auto [k, window] : llvm::enumerate(windows)) {
    low[k + 1] = window.before;
    high[k + 1] = window.after;
    sizes[k + 1] += window.before + window.after;
  }
  const auto type = RankedTensorType::get(sizes, from.getElementType());
  if (type == from) return {"%a0", from};
  const auto scalar = RankedTensorType::get({}, from.getElementType());
  const std::string zero = t.splat(scalar, 0);
  return {t.line("stablehlo.pad %a0, " + zero + ", low = [" + listOf(low) +
                 "], high = [" + listOf(high) + "], interior = [" +
                 listOf(TosaSizes(from.getRank(), 0)) + "] : (" + strOf(from) +
                 ", " + strOf(scalar) + ") -> " + strOf(type)),
          type};
}

// Returns a call of an op of linalg of two inputs, which adds to zeros.
std::string product(TosaText &t, const llvm::Twine &op, const std::string &a,
                    RankedTensorType typeOfA, const std::string &b,
                    RankedTensorType typeOfB, RankedTensorType result) {
  const std::string to = zeros(t, result);
  return t.line(op + " ins(" + a + ", " + b + " : " + strOf(typeOfA) + ", " +
                strOf(typeOfB) + ") outs(" + to + " : " + strOf(result) +
                ") -> " + strOf(result));
}

// Adds the bias, which is along the last dimension.
WrittenTosa withBias(TosaText &t, const std::string &sums) {
  const RankedTensorType bias = t.typeOf(2), result = t.result();
  if (bias.getRank() != 1 || bias.getElementType() != result.getElementType())
    return std::nullopt;
  const auto all = t.broadcast("%a2", bias, result.getShape());
  if (!all) return std::nullopt;
  return t.line("stablehlo.add " + sums + ", " + *all + " : " + strOf(result));
}

// Whether elements are floats of one type, or integers that become wider.
bool areFactors(TosaText &t) {
  const mlir::Type a = t.typeOf(0).getElementType(),
                   b = t.typeOf(1).getElementType(),
                   to = t.result().getElementType();
  if (llvm::isa<mlir::FloatType>(to)) return a == to && b == to;
  return a.isSignlessInteger() && b.isSignlessInteger() && !a.isInteger(1) &&
         !b.isInteger(1) &&
         a.getIntOrFloatBitWidth() <= to.getIntOrFloatBitWidth() &&
         b.getIntOrFloatBitWidth() <= to.getIntOrFloatBitWidth();
}

}  // namespace

WrittenTosa writeTosaReduction(TosaText &t) {
  if (t.count() != 1 || !t.isStatic(1)) return std::nullopt;
  const RankedTensorType from = t.typeOf(0), to = t.result();
  const auto axis = t.integer("axis");
  if (!axis || *axis < 0 || *axis >= from.getRank() ||
      from.getElementType() != to.getElementType())
    return std::nullopt;
  TosaSizes left(from.getShape()), kept(from.getShape());
  left.erase(left.begin() + *axis);
  kept[*axis] = 1;
  if (to.getShape() != llvm::ArrayRef<int64_t>(kept)) return std::nullopt;
  StringRef kind = t.name();
  kind.consume_front("reduce_");
  const auto reducer = reducerOf(t, kind);
  if (!reducer) return std::nullopt;
  const auto type = RankedTensorType::get(left, to.getElementType());
  const std::string all =
      t.line("stablehlo.reduce(%a0 init: " + reducer->begin + ") applies " +
             reducer->op + " across dimensions = [" + std::to_string(*axis) +
             "] : (" + strOf(from) + ", " + scalarOf(to.getElementType()) +
             ") -> " + strOf(type));
  return t.reshape(all, type, to);
}

WrittenTosa writeTosaPool(TosaText &t) {
  const bool isMaximum = t.name() == "max_pool2d";
  const auto kernel = t.integers("kernel");
  if (t.count() < 1 || !t.isStatic(1) || !kernel || kernel->size() != 2 ||
      t.typeOf(0).getRank() != 4 || t.result().getRank() != 4 ||
      !accumulatesInResult(t) || !t.isZeroOrAbsent(1) || !t.isZeroOrAbsent(2) ||
      t.attribute("quantization_info"))
    return std::nullopt;
  const mlir::Type element = t.result().getElementType();
  if (element.isInteger(1) || element != t.typeOf(0).getElementType() ||
      (!isMaximum && !llvm::isa<mlir::FloatType>(element)))
    return std::nullopt;
  const auto windows = windowsOf(t, *kernel);
  if (!windows) return std::nullopt;
  const auto reducer = reducerOf(t, isMaximum ? "max" : "sum");
  if (!reducer) return std::nullopt;
  TosaSizes pads;
  for (const Window &window : *windows)
    pads.append({window.before, window.after});
  const std::string scalar = scalarOf(element);
  const Window &h = (*windows)[0], &w = (*windows)[1];
  const std::string all = t.line(
      "\"stablehlo.reduce_window\"(%a0, " + reducer->begin +
      ") ({\n  ^bb0(%p: " + scalar + ", %q: " + scalar +
      "):\n    %s = " + reducer->op.str() + " %p, %q : " + scalar +
      "\n    stablehlo.return %s : " + scalar +
      "\n  }) {window_dimensions = array<i64: 1, " + listOf(*kernel) +
      ", 1>, window_strides = array<i64: 1, " + listOf({h.stride, w.stride}) +
      ", 1>, padding = dense<[[0, 0], [" + listOf({h.before, h.after}) +
      "], [" + listOf({w.before, w.after}) +
      "], [0, 0]]> : tensor<4x2xi64>} : (" + strOf(t.typeOf(0)) + ", " +
      scalar + ") -> " + strOf(t.result()));
  return isMaximum ? WrittenTosa(all) : averages(t, all, *windows);
}

WrittenTosa writeTosaConvolution(TosaText &t) {
  const bool isDeep = t.name() == "conv3d";
  const bool isApart = t.name() == "depthwise_conv2d";
  const int64_t rank = isDeep ? 5 : 4;
  const auto local =
      llvm::dyn_cast_or_null<mlir::BoolAttr>(t.attribute("local_bound"));
  if (t.count() < 3 || t.count() > 5 || !t.isStatic(3) ||
      t.typeOf(0).getRank() != rank || t.typeOf(1).getRank() != rank ||
      t.result().getRank() != rank || !areFactors(t) ||
      !accumulatesInResult(t) || !t.isZeroOrAbsent(3) || !t.isZeroOrAbsent(4) ||
      (local && local.getValue()) || t.attribute("quantization_info"))
    return std::nullopt;
  const RankedTensorType weights = t.typeOf(1), result = t.result();
  // Weights are OHWI, or HWCM where channels stay apart.
  const TosaSizes kernel(isApart ? weights.getShape().take_front(2)
                                 : weights.getShape().drop_front().drop_back());
  const auto windows = windowsOf(t, kernel);
  if (!windows) return std::nullopt;
  TosaSizes strides, dilations;
  for (const Window &window : *windows) {
    strides.push_back(window.stride);
    dilations.push_back(window.dilation);
  }
  const std::string vector =
      "> : vector<" + std::to_string(kernel.size()) + "xi64>";
  const std::string attributes = " {dilations = dense<[" + listOf(dilations) +
                                 "]" + vector + ", strides = dense<[" +
                                 listOf(strides) + "]" + vector + "}";
  const auto [input, type] = padded(t, *windows);
  if (isDeep) {
    TosaSizes moved(weights.getShape().drop_front());
    moved.push_back(weights.getDimSize(0));
    const auto last = RankedTensorType::get(moved, weights.getElementType());
    const std::string turned =
        t.line("stablehlo.transpose %a1, dims = [1, 2, 3, 4, 0] : (" +
               strOf(weights) + ") -> " + strOf(last));
    return withBias(t, product(t, "linalg.conv_3d_ndhwc_dhwcf" + attributes,
                               input, type, turned, last, result));
  }
  if (!isApart)
    return withBias(t, product(t, "linalg.conv_2d_nhwc_fhwc" + attributes,
                               input, type, "%a1", weights, result));
  const int64_t channels = weights.getDimSize(2), each = weights.getDimSize(3);
  if (channels * each != result.getDimSize(3)) return std::nullopt;
  TosaSizes apart(result.getShape().drop_back());
  apart.append({channels, each});
  const auto wide = RankedTensorType::get(apart, result.getElementType());
  const std::string sums =
      product(t, "linalg.depthwise_conv_2d_nhwc_hwcm" + attributes, input, type,
              "%a1", weights, wide);
  return withBias(t, t.reshape(sums, wide, result));
}

WrittenTosa writeTosaProduct(TosaText &t) {
  const bool isLayer = t.name() == "fully_connected";
  const size_t operands = isLayer ? 3 : 2;
  if (t.count() < operands || !t.isStatic(operands) || !areFactors(t) ||
      !t.isZeroOrAbsent(operands) || !t.isZeroOrAbsent(operands + 1) ||
      t.attribute("quantization_info"))
    return std::nullopt;
  if (!isLayer)
    return product(t, "linalg.batch_matmul", "%a0", t.typeOf(0), "%a1",
                   t.typeOf(1), t.result());
  const std::string maps =
      "linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
      "affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]";
  return withBias(
      t, product(t, maps, "%a0", t.typeOf(0), "%a1", t.typeOf(1), t.result()));
}

}  // namespace indexical
