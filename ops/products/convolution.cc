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
//
// If the number of output features is not known but a variable rt0, two groups
// have rt0 / 2 features each, which no variable stands for. So the group of
// feature d3 is (d3 * 2) floordiv rt0, and a group has feature s2 if
// s2 * 2 - rt0 in [-inf, -1].
#include <algorithm>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
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

/// The input's dimension that is cut into groups, a group's size of it, and a
/// group's number of output features.
struct Groups {
  int64_t dimension, parts, features;
};

bool isGrouped(const ConvolutionOp &op) {
  return op.featureGroups > 1 || op.batchGroups > 1;
}

/// The groups, or nothing if a size is open, or 0.
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

/// Groups of the batch are known if their sizes are; groups of features always.
Precision precisionOf(const ConvolutionOp &op) {
  return op.batchGroups > 1 && !groupsOf(op) ? Precision::Cover
                                             : Precision::Exact;
}

//===-- Verification ------------------------------------------------------===//

/// The dimensions of one tensor: two and the spatial ones are all.
/// The numbers of a tensor's dimensions: as many spatial ones as there are
/// beside the two others, and each once.
struct TensorNumbers {
  Rule count, unique;
  Name spatial, all;
  int64_t first, second;
  const Int64s &spatialDims;
};

absl::Status verifyNumbers(const TensorNumbers &n, int64_t rank) {
  Int64s all = {n.first};
  all.append(n.spatialDims.begin(), n.spatialDims.end());
  all.push_back(n.second);
  absl::Status status = checkCount(n.count, n.spatial, n.spatialDims, rank - 2,
                                   "the rank less 2");
  status.Update(checkUnique(n.unique, n.all, all));
  status.Update(checkRange(n.unique, n.all, all, rank, "the rank"));
  return status;
}

/// C1, C12, C13, C17–C20, C26.
absl::Status verifyRanks(const ConvolutionOp &op) {
  const int64_t rank = inputOf(op).rank();
  if (kernelOf(op).rank() != rank || rank < 2)
    return Broken("C1") << "lhs and rhs must have the same rank, at least 2, "
                           "but have "
                        << rank << " and " << kernelOf(op).rank();
  absl::Status status =
      verifyNumbers({"C12",
                     "C13",
                     {"dim_labels of the input", "input_spatial_dimensions"},
                     {"dim_labels of the input", "input_dimensions"},
                     op.inputBatch,
                     op.inputFeature,
                     op.inputSpatial},
                    rank);
  status.Update(
      verifyNumbers({"C17",
                     "C18",
                     {"dim_labels of the kernel", "kernel_spatial_dimensions"},
                     {"dim_labels of the kernel", "kernel_dimensions"},
                     op.kernelInputFeature,
                     op.kernelOutputFeature,
                     op.kernelSpatial},
                    rank));
  status.Update(
      verifyNumbers({"C19",
                     "C20",
                     {"dim_labels of the result", "output_spatial_dimensions"},
                     {"dim_labels of the result", "output_dimensions"},
                     op.outputBatch,
                     op.outputFeature,
                     op.outputSpatial},
                    rank));
  if (status.ok() && resultOf(op).rank() != rank)
    return Broken("C26") << "result must have the rank of lhs, " << rank
                         << ", but has " << resultOf(op).rank();
  return status;
}

absl::Status verifyDivides(Rule rule, llvm::StringRef what,
                           const ArrayShape &shape, int64_t k, int64_t groups,
                           llvm::StringRef name) {
  if (!isFixed(shape, k) || shape.dimensions[k] % groups == 0)
    return absl::OkStatus();
  return Broken(rule) << what << " must be a multiple of " << name << ", "
                      << groups << ", but is " << shape.dimensions[k];
}

/// C10, C11, C15, C16, C21–C23: groups of features and of the batch.
absl::Status verifyGroups(const ConvolutionOp &op) {
  const char *feature = "feature_group_count", *batch = "batch_group_count";
  absl::Status status = checkLeast("C21", feature, {op.featureGroups}, 1);
  status.Update(checkLeast("C22", batch, {op.batchGroups}, 1));
  INDEXICAL_RETURN_IF_ERROR(status);
  if (op.featureGroups > 1 && op.batchGroups > 1)
    return Broken("C23") << "feature_group_count or batch_group_count must be "
                            "1, but they are "
                         << op.featureGroups << " and " << op.batchGroups;
  status = verifyDivides("C10", "the batch size of lhs", inputOf(op),
                         op.inputBatch, op.batchGroups, batch);
  status.Update(verifyDivides("C11", "the number of input features",
                              inputOf(op), op.inputFeature, op.featureGroups,
                              feature));
  status.Update(verifyDivides("C15", "the number of output features",
                              kernelOf(op), op.kernelOutputFeature,
                              op.batchGroups, batch));
  status.Update(verifyDivides("C16", "the number of output features",
                              kernelOf(op), op.kernelOutputFeature,
                              op.featureGroups, feature));
  return status;
}

/// C14; and the window has the kernel's sizes.
absl::Status verifyKernel(const ConvolutionOp &op) {
  const ArrayShape &kernel = kernelOf(op);
  const int64_t features = fixedSize(inputOf(op), op.inputFeature);
  const int64_t expected =
      features == kDynamicSize ? kDynamicSize : features / op.featureGroups;
  if (!canHaveSize(kernel, op.kernelInputFeature, expected))
    return Broken("C14")
           << "the kernel must have as many input features as a group of lhs, "
           << features << " / " << op.featureGroups << " = " << expected
           << ", but has " << kernel.dimensions[op.kernelInputFeature];
  Int64s sizes(kernel.rank(), kDynamicSize);
  for (size_t i = 0; i < op.window.size(); ++i) {
    const int64_t size = op.window[i].size, k = op.kernelSpatial[i];
    if (size == kDynamicSize && kernel.dimensions[k] != kDynamicSize)
      return Broken("") << "the window must have the kernel's size, "
                        << kernel.dimensions[k] << ", along dimension " << k;
    sizes[k] = size;
  }
  return checkShape("", {"operand 1, the kernel,", "rhs"}, kernel, sizes,
                    "that of the window");
}

/// C4, if an operand says the padding.
absl::Status verifyPadding(const ConvolutionOp &op) {
  const ArrayShape &padding = op.operands[2];
  const int64_t rows = op.window.size();
  const bool integers =
      padding.type == ElementType::Unknown || isInteger(padding.type);
  // MHLO lists the numbers one after the other.
  const bool isTable = padding.rank() == 2 && canHaveSize(padding, 0, rows) &&
                       canHaveSize(padding, 1, 2);
  const bool isList = padding.rank() == 1 && canHaveSize(padding, 0, 2 * rows);
  if (!integers || !(isTable || isList))
    return Broken("C4") << Name{"operand 2, the padding,", "padding"}
                        << " must have integers of the shape "
                        << llvm::ArrayRef<int64_t>(Int64s{rows, 2})
                        << ", but has " << padding;
  for (const WindowDimension &w : op.window)
    if (w.padLow != 0 || w.padHigh != 0)
      return invalid(
          "the padding is given by operand 2, and once more by the "
          "window");
  return absl::OkStatus();
}

/// Where operand 2 has the padding of spatial dimension i in front or behind.
Int64s placeOfPadding(const ConvolutionOp &op, int64_t i, int64_t behind) {
  return op.operands[2].rank() == 1 ? Int64s{2 * i + behind}
                                    : Int64s{i, behind};
}

/// The elements that window `w` of spatial dimension i looks at, or the other
/// way round the windows that look at element `w`, if an operand says the
/// padding.
Expr throughGivenPadding(const ConvolutionOp &op, IndexingMapBuilder &builder,
                         SizeVariables &variables, int64_t i, Expr w,
                         Direction direction) {
  const WindowDimension &window = op.window[i];
  const bool forward = direction == Direction::OutputToInput;
  Expr low = variables.element(2, placeOfPadding(op, i, 0), Interval::all());
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

/// C1, C3, C6, C8, C10–C23, C25, C26; C4 if an operand says the padding. The
/// front end checks lists (C2, C5, C7, C9), precision (C24), types and scales
/// (C27–C34).
absl::Status verify(const ConvolutionOp &op) {
  const size_t operands = op.operands.size() == 3 ? 3 : 2;
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, operands, 1));
  INDEXICAL_RETURN_IF_ERROR(verifyRanks(op));
  WindowRules rules;
  rules.openSizes = true;
  rules.stride = "C3", rules.baseDilation = "C6", rules.dilation = "C8";
  rules.sizeName = "the kernel";
  rules.baseDilationName = "lhs_dilation", rules.dilationName = "rhs_dilation";
  INDEXICAL_ASSIGN_OR_RETURN(auto counts, windowCounts(op.window, inputOf(op),
                                                       op.inputSpatial, rules));
  if (isPaddingGiven(op)) {
    INDEXICAL_RETURN_IF_ERROR(verifyPadding(op));
    counts.assign(counts.size(), kDynamicSize);
  }
  INDEXICAL_RETURN_IF_ERROR(verifyGroups(op));
  INDEXICAL_RETURN_IF_ERROR(verifyKernel(op));
  Int64s sizes(resultOf(op).rank(), kDynamicSize);
  for (size_t i = 0; i < counts.size(); ++i)
    sizes[op.outputSpatial[i]] = counts[i];
  if (isFixed(inputOf(op), op.inputBatch))
    sizes[op.outputBatch] =
        inputOf(op).dimensions[op.inputBatch] / op.batchGroups;
  sizes[op.outputFeature] = fixedSize(kernelOf(op), op.kernelOutputFeature);
  return checkShape("C25", "result", resultOf(op), sizes,
                    "batch, output features and the number of windows");
}

//===-- Maps --------------------------------------------------------------===//

namespace {

/// Whether groups of features are known to have none, so that nothing is read.
bool hasNoFeatures(const ConvolutionOp &op, const OpSizes &sizes) {
  const SizeRef all[] = {{0, op.inputFeature},
                         {1, op.kernelInputFeature},
                         {1, op.kernelOutputFeature}};
  return llvm::any_of(all, [&](SizeRef ref) {
    return sizes.isFixed(ref) && sizes.value(ref) == 0;
  });
}

/// Features that are cut into equal groups, if sizes are not known.
class OpenFeatures {
 public:
  OpenFeatures(const ConvolutionOp &op, const OpSizes &sizes,
               SizeVariables &variables, IndexingMapBuilder &builder)
      : op_(op), sizes_(sizes), variables_(variables), builder_(builder) {}

  /// A feature of the group in which `feature` is: of the input if an output
  /// feature is given, and the other way round.
  Expr across(Expr feature, Direction direction) const {
    const bool forward = direction == Direction::OutputToInput;
    const FeatureGroups from = forward ? output() : input();
    const FeatureGroups to = forward ? input() : output();
    const Expr group = floorDiv(feature * from.scale, from.size);
    const Expr member = builder_.range(to.indices);
    if (!builder_.valueOf(to.size))
      builder_.constraint(member * to.scale - to.size,
                          {-Interval::kInfinity, -1});
    return floorDiv(group * to.size, to.scale) + member;
  }

 private:
  /// A group has `size / scale` features.
  struct FeatureGroups {
    Expr size;
    int64_t scale;
    Interval indices;
  };
  FeatureGroups input() const {
    // A group of the input has as many features as the kernel takes.
    const SizeRef all = {0, op_.inputFeature};
    const SizeRef group = {1, op_.kernelInputFeature};
    if (!sizes_.isFixed(group) && sizes_.isFixed(all))
      return ofNumber(sizes_.value(all) / op_.featureGroups);
    return {variables_.size(group), 1, indicesBelow(sizes_.value(group), 1)};
  }
  FeatureGroups output() const {
    const SizeRef all = {1, op_.kernelOutputFeature};
    if (sizes_.isFixed(all))
      return ofNumber(sizes_.value(all) / op_.featureGroups);
    return {variables_.size(all), op_.featureGroups,
            indicesBelow(sizes_.value(all), op_.featureGroups)};
  }
  FeatureGroups ofNumber(int64_t size) const {
    return {builder_.constant(size), 1, indicesBelow(size, 1)};
  }
  static Interval indicesBelow(int64_t bound, int64_t scale) {
    return bound == kDynamicSize ? Interval{0, Interval::kInfinity}
                                 : Interval{0, bound / scale - 1};
  }

  const ConvolutionOp &op_;
  const OpSizes &sizes_;
  SizeVariables &variables_;
  IndexingMapBuilder &builder_;
};

/// Adds the features and the batch of the input that an output feature and an
/// output batch read.
void addFeaturesAndBatch(const ConvolutionOp &op, const OpenFeatures &open,
                         const Sides &sides, AccessBuilder &access) {
  const std::optional<Groups> groups = groupsOf(op);
  const bool known = isGrouped(op) && groups;
  if (!known && op.featureGroups > 1)
    access.related(op.outputFeature, op.inputFeature, [&](Expr feature) {
      return open.across(feature, sides.direction());
    });
  else if (!known || op.batchGroups > 1)
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
  INDEXICAL_ASSIGN_OR_RETURN(const auto windows, windowsOf(op));
  const Precision precision = precisionOf(op);
  if (!given && windows.areEmpty(precision)) return sides.nothing();
  const OpSizes opSizes(op);
  if (op.featureGroups > 1 && hasNoFeatures(op, opSizes))
    return sides.nothing();
  Bounds places = indicesOf(sides.result());
  Bounds indices = indicesOf(sides.operand());
  places[op.outputFeature] = outputFeatures(op);
  places[op.outputBatch] = outputBatches(op);
  if (op.batchGroups == 1) indices[op.inputBatch] = outputBatches(op);
  IndexingMapBuilder builder;
  // The sizes of groups divide.
  SizeVariables variables(opSizes, builder, op.featureGroups > 1 ? 1 : 0);
  const OpenFeatures open(op, opSizes, variables, builder);
  AccessBuilder access(sides, builder, places, indices);
  for (size_t i = 0; i < op.window.size(); ++i)
    access.related(op.outputSpatial[i], op.inputSpatial[i], [&](Expr index) {
      return given ? throughGivenPadding(op, builder, variables, i, index,
                                         sides.direction())
                   : windows.axes[i].across(builder, sides.direction(), index);
    });
  addFeaturesAndBatch(op, open, sides, access);
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
          return windowCount(
              s, op.window[i], s.size({0, op.inputSpatial[i]}),
              s.element(2, placeOfPadding(op, i, 0), Interval::all()) +
                  s.element(2, placeOfPadding(op, i, 1), Interval::all()));
        });
}

}  // namespace families
}  // namespace indexical
