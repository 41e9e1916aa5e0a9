// Convolutions of cuDNN, as XLA calls them.
//
//   (f32[8,30,30,64], u8[0]) custom-call(x, w), window={size=3x3},
//     dim_labels=b01f_01io->b01f, custom_call_target="__cudnn$convForward"
//   (f32[8,32,32,3], u8[0]) custom-call(dy, w), window={size=3x3},
//     dim_labels=b01f_01io->b01f,
//     custom_call_target="__cudnn$convBackwardInput"
//
// Window and labels are those of the forward convolution, of an input x, a
// kernel w and an output y. The gradient of x or w is computed of the gradient
// of y and of the other one. An iteration of the forward convolution multiplies
// an element of x by one of w and adds to one of y. An iteration backward reads
// and writes the same three.
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/ops/access.h"
#include "indexical/ops/families.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/module/library_parts.h"

namespace indexical {
namespace library {
namespace {

//===-- Attributes --------------------------------------------------------===//

/// Returns the numbers of `3x3` or `1_1x0_2`, in order.
std::optional<Int64s> numbersIn(llvm::StringRef text) {
  Int64s numbers;
  llvm::SmallVector<llvm::StringRef, 8> words;
  llvm::SplitString(text, words, "x_");
  for (llvm::StringRef word : words) {
    int64_t number = 0;
    if (word.getAsInteger(10, number)) return std::nullopt;
    numbers.push_back(number);
  }
  return numbers;
}

/// `{size=3x3 pad=1_1x1_1}`.
bool takeWindow(llvm::StringRef text, ConvolutionOp &op) {
  text = text.trim();
  text.consume_front("{");
  text.consume_back("}");
  llvm::SmallVector<llvm::StringRef, 6> words;
  llvm::SplitString(text, words, " ");
  op.window.resize(op.inputSpatial.size());
  for (llvm::StringRef word : words) {
    const auto [key, value] = word.split('=');
    const auto numbers = numbersIn(value);
    const size_t each = key == "pad" ? 2 : 1;
    if (!numbers || numbers->size() != each * op.window.size()) return false;
    for (auto [k, w] : llvm::enumerate(op.window)) {
      const int64_t number = (*numbers)[k * each];
      if (key == "size") {
        w.size = number;
      } else if (key == "stride") {
        w.stride = number;
      } else if (key == "pad") {
        w.padLow = number;
        w.padHigh = (*numbers)[k * each + 1];
      } else if (key == "lhs_dilate") {
        w.baseDilation = number;
      } else if (key == "rhs_dilate") {
        w.windowDilation = number;
      } else if (key == "rhs_reversal") {
        w.reversed = number != 0;
      } else {
        return false;
      }
    }
  }
  return true;
}

/// Two letters and the digits of the window's dimensions.
bool takePlaces(llvm::StringRef labels, char first, int64_t &firstPlace,
                char second, int64_t &secondPlace, Int64s &spatial) {
  firstPlace = secondPlace = -1;
  spatial.assign(labels.size() < 2 ? 0 : labels.size() - 2, -1);
  for (auto [k, label] : llvm::enumerate(labels)) {
    const int64_t place = k;
    if (label == first)
      firstPlace = place;
    else if (label == second)
      secondPlace = place;
    else if (label >= '0' && static_cast<size_t>(label - '0') < spatial.size())
      spatial[label - '0'] = place;
    else
      return false;
  }
  return firstPlace >= 0 && secondPlace >= 0 &&
         !llvm::is_contained(spatial, -1);
}

/// `b01f_01io->b01f`.
bool takeLabels(llvm::StringRef text, ConvolutionOp &op) {
  const auto [operands, output] = text.trim().split("->");
  const auto [input, kernel] = operands.split('_');
  return takePlaces(input, 'b', op.inputBatch, 'f', op.inputFeature,
                    op.inputSpatial) &&
         takePlaces(kernel, 'i', op.kernelInputFeature, 'o',
                    op.kernelOutputFeature, op.kernelSpatial) &&
         takePlaces(output, 'b', op.outputBatch, 'f', op.outputFeature,
                    op.outputSpatial);
}

//===-- Gradients ---------------------------------------------------------===//

/// The arrays of a convolution.
enum class Array : uint8_t { Input, Kernel, Output };

/// The indices of the elements that an iteration touches, in each array.
struct Iteration {
  Iteration(Access &access, const ConvolutionOp &op) : op(op) {
    const auto &input = op.operands[0].dimensions;
    const auto &kernel = op.operands[1].dimensions;
    const int64_t outputs = kernel[op.kernelOutputFeature] / op.featureGroups;
    auto loop = [&](int64_t size) { return access.loop({0, size - 1}); };
    batch = loop(input[op.inputBatch]);
    inputs = kernel[op.kernelInputFeature];
    const Expr group = loop(op.featureGroups);
    feature = loop(inputs);
    inputFeature = group * inputs + feature;
    outputFeature = group * outputs + loop(outputs);
    for (auto [k, w] : llvm::enumerate(op.window)) {
      place.push_back(loop(w.size));
      output.push_back(loop(op.results[0].dimensions[op.outputSpatial[k]]));
    }
  }

  Access::Exprs of(Array array) const {
    Access::Exprs index(op.results[0].rank());
    switch (array) {
      case Array::Input:
        index[op.inputBatch] = batch;
        index[op.inputFeature] = inputFeature;
        for (auto [k, w] : llvm::enumerate(op.window))
          index[op.inputSpatial[k]] =
              output[k] * w.stride + place[k] * w.windowDilation - w.padLow;
        break;
      case Array::Kernel:
        index[op.kernelInputFeature] = feature;
        index[op.kernelOutputFeature] = outputFeature;
        for (auto [k, w] : llvm::enumerate(op.window))
          index[op.kernelSpatial[k]] =
              w.reversed ? -place[k] + (w.size - 1) : place[k];
        break;
      case Array::Output:
        index[op.outputBatch] = batch;
        index[op.outputFeature] = outputFeature;
        for (size_t k = 0; k < output.size(); ++k)
          index[op.outputSpatial[k]] = output[k];
        break;
    }
    return index;
  }

  const ConvolutionOp &op;
  int64_t inputs = 0;
  Expr batch, feature, inputFeature, outputFeature;
  Access::Exprs place, output;
};

const ArrayShape &shapeOf(const ConvolutionOp &op, Array array) {
  return array == Array::Output ? op.results[0]
                                : op.operands[array == Array::Kernel];
}

/// Returns the op by which one array, computed as a gradient, reads another
/// one.
Op gradient(const ConvolutionOp &op, Array of, Array read) {
  auto made = opOf<CustomOp>(shapeOf(op, read), shapeOf(op, of));
  made.maps = std::make_shared<FunctionMaps>(
      [op, of, read](const OpShapes &, int64_t, int64_t, AccessList &list) {
        Access &access = list.add();
        const Iteration iteration(access, op);
        access.result = iteration.of(of);
        access.operand = iteration.of(read);
        // An input that is padding takes part in no product.
        if (of == Array::Input || read == Array::Input) return absl::OkStatus();
        const Access::Exprs input = iteration.of(Array::Input);
        for (int64_t k : op.inputSpatial)
          access.constraint(input[k], {0, op.operands[0].dimensions[k] - 1});
        return absl::OkStatus();
      });
  return Op(std::move(made));
}

/// Returns the convolution of the forward direction, whichever of its arrays is
/// computed.
std::optional<ConvolutionOp> forwardOf(const CustomCall &call,
                                       const ArrayShape &input,
                                       const ArrayShape &kernel,
                                       const ArrayShape &output) {
  ConvolutionOp op;
  auto plain = [](ArrayShape shape) {
    shape.layout.reset();
    return shape;
  };
  op.operands = {plain(input), plain(kernel)};
  op.results = {plain(output)};
  if (!takeLabels(call.attribute("dim_labels"), op) ||
      !takeWindow(call.attribute("window"), op))
    return std::nullopt;
  const llvm::StringRef groups = call.attribute("feature_group_count").trim();
  if (!groups.empty() && groups.getAsInteger(10, op.featureGroups))
    return std::nullopt;
  // Labels may name more dimensions than the shapes have.
  if (!verify(op).ok()) return std::nullopt;
  return op;
}

bool areWorkspaces(const ShapeList &results) {
  for (size_t r = 1; r < results.size(); ++r)
    if (!isWorkspace(results[r])) return false;
  return true;
}

}  // namespace

std::optional<Op> convolution(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  if (operands.size() < 2 || results.empty()) return std::nullopt;
  const auto forward = forwardOf(call, operands[0], operands[1], results[0]);
  if (!forward) return std::nullopt;
  const ConvolutionOp &op = *forward;
  const ArrayShape out = op.results[0];
  Parts parts;
  parts.add({0, 0, op, 0});
  parts.add({0, 1, op, 1});
  // The other operands are a bias, an array that is added beside it, and
  // scales.
  for (size_t k = 2; k < operands.size(); ++k) {
    const ArrayShape &more = operands[k];
    const int64_t number = k;
    if (more.isScalar())
      parts.add({0, number, along(more, out, {})});
    else if (more.dimensions == out.dimensions)
      parts.add({0, number, identity(out)});
    else if (more.rank() == 1 &&
             more.dimensions[0] == out.dimensions[op.outputFeature])
      parts.add({0, number, along(more, out, {op.outputFeature})});
    else
      return std::nullopt;
  }
  // Beside the output, a graph has a result that is its largest number.
  const bool isGraph = call.target.ends_with("Graph");
  for (size_t r = 1; r < results.size(); ++r) {
    const int64_t number = r;
    if (isGraph && results[r].isScalar())
      for (size_t k = 0; k < operands.size(); ++k)
        parts.add({number, static_cast<int64_t>(k),
                   everything(operands[k], results[r])});
    else if (!isWorkspace(results[r]))
      return std::nullopt;
  }
  return custom(operands, results, std::move(parts));
}

std::optional<Op> convolutionGradient(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  if (operands.size() != 2 || results.empty() || !areWorkspaces(results))
    return std::nullopt;
  // The gradient of an input takes the output's and the kernel; that of a
  // kernel takes the input and the output's.
  const bool ofInput = call.target.ends_with("Input");
  const auto op = ofInput
                      ? forwardOf(call, results[0], operands[1], operands[0])
                      : forwardOf(call, operands[0], results[0], operands[1]);
  if (!op) return std::nullopt;
  // A gradient's iterations are counted by the sizes of all three arrays.
  if (hasOpenSizes(*op)) return std::nullopt;
  for (const WindowDimension &w : op->window)
    if (w.baseDilation != 1) return std::nullopt;
  const Array made = ofInput ? Array::Input : Array::Kernel;
  const Array first = ofInput ? Array::Output : Array::Input;
  const Array second = ofInput ? Array::Kernel : Array::Output;
  Parts parts;
  parts.add({0, 0, gradient(*op, made, first)});
  parts.add({0, 1, gradient(*op, made, second)});
  return custom(operands, results, std::move(parts));
}

}  // namespace library
}  // namespace indexical
