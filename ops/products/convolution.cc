// Convolution: windows over the input, contracted with a kernel.
//
//   input f32[8,32,32,16], kernel f32[3,3,16,64] -> f32[8,30,30,64]
//   b01f_01io->b01f, window={size=3x3}
//   input    (d0, d1, d2, d3)[s0, s1, s2] -> (d0, d1 + s0, d2 + s1, s2)
//            s0 in [0, 2], s1 in [0, 2], s2 in [0, 15]
//   kernel   (d0, d1, d2, d3)[s0, s1, s2] -> (s0, s1, s2, d3)
//
// The window moves as in ops/reduction/window.h; padding and holes read no
// input. The kernel is read whole for the output feature, whatever it meets.
//
// With groups, features (or the batch) of the input and output features are cut
// into equal parts. Part `p` of the output features reads part `p` of the input
// features, here two parts of 8 and 32:
//
//   (d0, d1, d2, d3)[s0, s1, s2] ->
//       (d0, d1 + s0, d2 + s1, (d3 floordiv 32) * 8 + s2),  s2 in [0, 7]
//
// and of the batch, where 8 of the input are 4 of the result, one after the
// other: (d3 floordiv 32) * 4 + d0.
#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"

#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/reduction/window.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {
namespace {

const ArrayShape &inputOf(const ConvolutionOp &op) { return op.operands[0]; }
const ArrayShape &kernelOf(const ConvolutionOp &op) { return op.operands[1]; }
const ArrayShape &resultOf(const ConvolutionOp &op) { return op.results[0]; }

/// Whether operand 2 says the padding.
bool isPaddingGiven(const ConvolutionOp &op) { return op.operands.size() == 3; }

absl::StatusOr<Windows> windowsOf(const ConvolutionOp &op) {
  return windowsOver(op.window, inputOf(op), op.inputSpatial, resultOf(op),
                     op.outputSpatial);
}

Interval outputFeatures(const ConvolutionOp &op) {
  return sharedIndices(kernelOf(op), op.kernelOutputFeature, resultOf(op),
                       op.outputFeature);
}

/// Batch elements, which the input has once for each group.
Interval outputBatches(const ConvolutionOp &op) {
  if (op.batchGroups > 1) return indicesOf(resultOf(op), op.outputBatch);
  return sharedIndices(inputOf(op), op.inputBatch, resultOf(op),
                       op.outputBatch);
}

/// The input's dimension of which groups are made, and what they have of it and
/// of the output features. Nothing where a size is open, or 0.
struct Groups {
  int64_t dimension, parts, features;
};

bool isGrouped(const ConvolutionOp &op) {
  return op.featureGroups > 1 || op.batchGroups > 1;
}

std::optional<Groups> groupsOf(const ConvolutionOp &op) {
  const int64_t dimension =
      op.batchGroups > 1 ? op.inputBatch : op.inputFeature;
  const int64_t count = std::max(op.batchGroups, op.featureGroups);
  if (!isFixed(inputOf(op), dimension) ||
      !isFixed(kernelOf(op), op.kernelOutputFeature))
    return std::nullopt;
  const Groups groups = {
      dimension, inputOf(op).dimensions[dimension] / count,
      kernelOf(op).dimensions[op.kernelOutputFeature] / count};
  if (groups.parts == 0 || groups.features == 0) return std::nullopt;
  return groups;
}

Precision precisionOf(const ConvolutionOp &op, const Windows &windows) {
  return isGrouped(op) && !groupsOf(op) ? Precision::Cover : windows.precision;
}

//===-- Verification ------------------------------------------------------===//

/// The dimensions of one tensor: two and the spatial ones are all.
absl::Status verifyNumbers(llvm::StringRef tensor, const ArrayShape &shape,
                           int64_t first, int64_t second,
                           const Int64s &spatial) {
  Int64s all = {first, second};
  all.append(spatial.begin(), spatial.end());
  const std::string name = absl::StrCat("dim_labels of the ", tensor.str());
  if (auto s = checkDimensions(name, all, shape); !s.ok()) return s;
  return checkOnePerDimension(name, all, shape);
}

absl::Status verifyDivides(llvm::StringRef name, int64_t groups,
                           llvm::StringRef what, const ArrayShape &shape,
                           int64_t k) {
  if (!isFixed(shape, k) || shape.dimensions[k] % groups == 0)
    return absl::OkStatus();
  return invalid(absl::StrCat(name.str(), " ", groups, " would divide the ",
                              what.str(), ", of which ", textOf(shape), " has ",
                              shape.dimensions[k]));
}

absl::Status verifyGroups(const ConvolutionOp &op) {
  const char *feature = "feature_group_count", *batch = "batch_group_count";
  for (auto [name, groups] :
       {std::pair(feature, op.featureGroups), std::pair(batch, op.batchGroups)})
    if (groups < 1)
      return invalid(absl::StrCat(name, " ", groups, " would be at least 1"));
  if (op.featureGroups > 1 && op.batchGroups > 1)
    return invalid(absl::StrCat(feature, " ", op.featureGroups, " and ", batch,
                                " ", op.batchGroups,
                                ": one of them would be 1"));
  absl::Status status =
      verifyDivides(feature, op.featureGroups, "input features", inputOf(op),
                    op.inputFeature);
  status.Update(verifyDivides(feature, op.featureGroups, "output features",
                              kernelOf(op), op.kernelOutputFeature));
  status.Update(verifyDivides(batch, op.batchGroups, "input batch", inputOf(op),
                              op.inputBatch));
  status.Update(verifyDivides(batch, op.batchGroups, "output features",
                              kernelOf(op), op.kernelOutputFeature));
  return status;
}

absl::Status verifyKernel(const ConvolutionOp &op) {
  Int64s sizes(kernelOf(op).rank(), kDynamicSize);
  if (isFixed(inputOf(op), op.inputFeature))
    sizes[op.kernelInputFeature] =
        inputOf(op).dimensions[op.inputFeature] / op.featureGroups;
  for (size_t i = 0; i < op.window.size(); ++i)
    sizes[op.kernelSpatial[i]] = op.window[i].size;
  return checkSizes("operand 1, the kernel,", kernelOf(op), sizes,
                    "the window and the features of the input");
}

absl::Status verifyPadding(const ConvolutionOp &op) {
  const ArrayShape &padding = op.operands[2];
  const int64_t rows = op.window.size();
  const bool integers =
      padding.type == ElementType::Unknown || isInteger(padding.type);
  if (!integers || padding.rank() != 2 || !canHaveSize(padding, 0, rows) ||
      !canHaveSize(padding, 1, 2))
    return invalid(absl::StrCat("operand 2, the padding, has the shape ",
                                textOf(padding), "; it would be of integers, ",
                                rows,
                                " x 2: low and high of each spatial "
                                "dimension"));
  for (const WindowDimension &w : op.window)
    if (w.padLow != 0 || w.padHigh != 0)
      return invalid(
          "the padding is given by operand 2, and once more by the "
          "window");
  return absl::OkStatus();
}

/// The elements that window `w` of spatial dimension i looks at, or the other
/// way round the windows that look at element `w`, where an operand says the
/// padding.
Expr throughGivenPadding(const ConvolutionOp &op, IndexingMapBuilder &builder,
                         SizeVariables &variables, int64_t i, Expr w,
                         Direction direction) {
  const WindowDimension &window = op.window[i];
  const bool forward = direction == Direction::OutputToInput;
  Expr low = variables.element(2, {i, 0}, Interval::all());
  Expr offset = low;
  if (window.size > 1)
    offset =
        low - builder.range(indicesOf(window.size)) * window.windowDilation;
  Expr place =
      forward ? w * window.stride - offset : w * window.baseDilation + offset;
  const int64_t step = forward ? window.baseDilation : window.stride;
  if (step > 1) builder.constraint(mod(place, step), Interval::point(0));
  return floorDiv(place, step);
}

}  // namespace

absl::Status verify(const ConvolutionOp &op) {
  const size_t operands = op.operands.size() == 3 ? 3 : 2;
  if (auto s = checkLeaves(op, operands, 1); !s.ok()) return s;
  absl::Status status = verifyNumbers("input", inputOf(op), op.inputBatch,
                                      op.inputFeature, op.inputSpatial);
  status.Update(verifyNumbers("kernel", kernelOf(op), op.kernelInputFeature,
                              op.kernelOutputFeature, op.kernelSpatial));
  status.Update(verifyNumbers("result", resultOf(op), op.outputBatch,
                              op.outputFeature, op.outputSpatial));
  if (!status.ok()) return status;
  auto counts = windowCounts(op.window, inputOf(op), op.inputSpatial);
  if (!counts.ok()) return counts.status();
  if (isPaddingGiven(op)) {
    if (auto s = verifyPadding(op); !s.ok()) return s;
    counts->assign(counts->size(), kDynamicSize);
  }
  if (auto s = verifyGroups(op); !s.ok()) return s;
  if (kernelOf(op).rank() != inputOf(op).rank() ||
      resultOf(op).rank() != inputOf(op).rank())
    return invalid(absl::StrCat("input ", textOf(inputOf(op)), ", kernel ",
                                textOf(kernelOf(op)), " and result ",
                                textOf(resultOf(op)), " would have one rank"));
  if (auto s = verifyKernel(op); !s.ok()) return s;
  Int64s sizes(resultOf(op).rank(), kDynamicSize);
  for (size_t i = 0; i < counts->size(); ++i)
    sizes[op.outputSpatial[i]] = (*counts)[i];
  if (isFixed(inputOf(op), op.inputBatch))
    sizes[op.outputBatch] =
        inputOf(op).dimensions[op.inputBatch] / op.batchGroups;
  if (isFixed(kernelOf(op), op.kernelOutputFeature))
    sizes[op.outputFeature] = kernelOf(op).dimensions[op.kernelOutputFeature];
  return checkSizes("the result", resultOf(op), sizes,
                    "the window, the batch and the output features");
}

//===-- Maps --------------------------------------------------------------===//

namespace {

/// What the output feature and the batch choose of the input.
void addFeaturesAndBatch(const ConvolutionOp &op, AccessBuilder &access) {
  const std::optional<Groups> groups = groupsOf(op);
  const bool known = isGrouped(op) && groups;
  if (!known || op.batchGroups > 1)
    access.operand(op.inputFeature,
                   access.loop(indicesOf(inputOf(op), op.inputFeature)));
  if (op.batchGroups == 1) access.same(op.outputBatch, op.inputBatch);
  if (!known) {
    if (op.batchGroups > 1)
      access.operand(op.inputBatch,
                     access.loop(indicesOf(inputOf(op), op.inputBatch)));
    return;
  }
  const Loop group =
      access.loop(indicesOf(std::max(op.featureGroups, op.batchGroups)));
  access.result(op.outputFeature,
                access.part(group * groups->features, groups->features));
  if (op.batchGroups == 1) {
    access.operand(op.inputFeature,
                   access.part(group * groups->parts, groups->parts));
    return;
  }
  const Loop batch = access.loop(outputBatches(op));
  access.result(op.outputBatch, batch);
  access.operand(op.inputBatch, group * groups->parts + batch);
}

}  // namespace

Answer reads(const ConvolutionOp &op, const Sides &sides, int64_t,
             int64_t operand) {
  if (operand == 1)
    return sides.sharing({{op.outputFeature, op.kernelOutputFeature}});
  if (operand == 2) return sides.everything();
  const bool given = isPaddingGiven(op);
  const auto windows = windowsOf(op);
  if (!windows.ok()) return windows.status();
  const Precision precision = precisionOf(op, *windows);
  if (!given && windows->areEmpty(precision)) return sides.nothing();
  Bounds places = indicesOf(sides.result());
  Bounds indices = indicesOf(sides.operand());
  places[op.outputFeature] = outputFeatures(op);
  places[op.outputBatch] = outputBatches(op);
  if (op.batchGroups == 1) indices[op.inputBatch] = outputBatches(op);
  IndexingMapBuilder builder;
  const OpSizes opSizes(op);
  SizeVariables variables(opSizes, builder);
  AccessBuilder access(sides, builder, places, indices);
  for (size_t i = 0; i < op.window.size(); ++i)
    access.related(op.outputSpatial[i], op.inputSpatial[i], [&](Expr index) {
      return given ? throughGivenPadding(op, builder, variables, i, index,
                                         sides.direction())
                   : windows->axes[i].across(builder, sides.direction(), index);
    });
  addFeaturesAndBatch(op, access);
  return access.answer(precision);
}

void addSizeRules(const ConvolutionOp &op, SizeCollector &c) {
  if (op.batchGroups == 1)
    c.equal({0, op.inputBatch}, {c.result(0), op.outputBatch});
  if (op.featureGroups == 1)
    c.equal({0, op.inputFeature}, {1, op.kernelInputFeature});
  c.equal({1, op.kernelOutputFeature}, {c.result(0), op.outputFeature});
  if (op.operands.size() == 2)
    return addWindowSizes(c, op.window, 0, op.inputSpatial, c.result(0),
                          op.outputSpatial);
  for (int64_t i = 0; i < static_cast<int64_t>(op.window.size()); ++i)
    c.rules.define(
        {c.result(0), op.outputSpatial[i]}, [i, &op](SizeContext &s) {
          return windowCount(s, op.window[i], s.size({0, op.inputSpatial[i]}),
                             s.element(2, {i, 0}, Interval::all()) +
                                 s.element(2, {i, 1}, Interval::all()));
        });
}

}  // namespace families
}  // namespace indexical
