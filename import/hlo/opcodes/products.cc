// Opcodes that multiply and add: the dots and convolution.
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/import/hlo/opcodes/builders.h"

namespace indexical {
namespace opcodes {
namespace {

//===-- Dots --------------------------------------------------------------===//

bool takeDimensions(const ResolvedInstruction &in, DotDimensions &d) {
  const Attributes &a = in.attributes;
  return a.integers("lhs_batch_dims", d.lhsBatch) &&
         a.integers("rhs_batch_dims", d.rhsBatch) &&
         a.integers("lhs_contracting_dims", d.lhsContracting) &&
         a.integers("rhs_contracting_dims", d.rhsContracting);
}

bool takeRagged(const ResolvedInstruction &in, Int64s &ragged, Int64s &group) {
  return in.attributes.requiredIntegers("lhs_ragged_dims", ragged) &&
         in.attributes.integers("rhs_group_dims", group);
}

/// The sizes of a dot's result, behind those that are in `sizes`: of batch,
/// free dimensions of operand 0, and of operand 1 without the groups.
bool appendSizes(const ResolvedInstruction &in, const DotDimensions &d,
                 const Int64s &groups, Int64s &sizes) {
  ArrayShape lhs, rhs;
  if (!takeArray(in, 0, lhs) || !takeArray(in, 1, rhs)) return false;
  for (int64_t k : d.lhsBatch) {
    if (k < 0 || k >= lhs.rank()) return cannotInfer(in);
    sizes.push_back(lhs.dimensions[k]);
  }
  auto appendFree = [&](const ArrayShape &side, const Int64s &batch,
                        const Int64s &contracting, const Int64s &groups) {
    for (int64_t k = 0; k < side.rank(); ++k)
      if (!llvm::is_contained(batch, k) &&
          !llvm::is_contained(contracting, k) && !llvm::is_contained(groups, k))
        sizes.push_back(side.dimensions[k]);
  };
  appendFree(lhs, d.lhsBatch, d.lhsContracting, {});
  appendFree(rhs, d.rhsBatch, d.rhsContracting, groups);
  return true;
}

bool finishProduct(const ResolvedInstruction &in, const Int64s &sizes,
                   Shape &shape) {
  return finish(shape, ArrayShape(in.operands[0]->array.type, sizes));
}

bool inferProduct(const ResolvedInstruction &in, size_t operands,
                  Shape &shape) {
  if (in.operands.size() != operands ||
      !in.attributes.has("lhs_contracting_dims"))
    return cannotInfer(in);
  DotDimensions d;
  Int64s sizes;
  return takeDimensions(in, d) && appendSizes(in, d, {}, sizes) &&
         finishProduct(in, sizes, shape);
}

}  // namespace

bool buildDot(const ResolvedInstruction &in, const Shape &result,
              OpDraft &out) {
  if (in.operands.size() > 2) {  // a sparse operand's metadata
    make<CoverOp>(in, result, out).reason =
        "the maps of a sparse `dot` are not known exactly";
    return true;
  }
  auto *op = makeOfArrays<DotOp>(in, result, out);
  if (!op || !takeDimensions(in, *op)) return false;
  // The oldest texts leave out the numbers of a plain matrix product.
  int64_t lhs = op->operands[0].rank(), rhs = op->operands[1].rank();
  bool given = in.attributes.has("lhs_contracting_dims") ||
               in.attributes.has("rhs_contracting_dims") ||
               in.attributes.has("lhs_batch_dims");
  if (!given && lhs > 0 && rhs > 0 && result.array.rank() == lhs + rhs - 2) {
    op->lhsContracting = {lhs - 1};
    op->rhsContracting = {0};
  }
  return true;
}

bool inferDot(const ResolvedInstruction &in, Shape &shape) {
  return inferProduct(in, 2, shape);
}

bool buildScaledDot(const ResolvedInstruction &in, const Shape &result,
                    OpDraft &out) {
  auto *op = makeOfArrays<ScaledDotOp>(in, result, out);
  return op && takeDimensions(in, *op);
}

bool inferScaledDot(const ResolvedInstruction &in, Shape &shape) {
  return inferProduct(in, 4, shape);
}

bool buildRaggedDot(const ResolvedInstruction &in, const Shape &result,
                    OpDraft &out) {
  auto *op = makeOfArrays<RaggedDotOp>(in, result, out);
  return op && takeDimensions(in, *op) &&
         takeRagged(in, op->lhsRagged, op->rhsGroup);
}

// If the ragged dimension is contracted, the groups are the result's first
// dimension.
bool inferRaggedDot(const ResolvedInstruction &in, Shape &shape) {
  DotDimensions d;
  Int64s ragged, group, sizes;
  ArrayShape groupSizes;
  if (!takeDimensions(in, d) || !takeRagged(in, ragged, group) ||
      !takeArray(in, 2, groupSizes))
    return false;
  if (ragged.size() == 1 && llvm::is_contained(d.lhsContracting, ragged[0])) {
    if (groupSizes.isScalar()) return cannotInfer(in);
    sizes.push_back(groupSizes.dimensions.back());
  }
  return appendSizes(in, d, group, sizes) && finishProduct(in, sizes, shape);
}

//===-- Convolution -------------------------------------------------------===//

namespace {

/// One of the three parts of dim_labels: two letters, and a digit for each
/// dimension of the window.
class LabelParser {
 public:
  LabelParser(Source &source, llvm::StringRef labels)
      : source_(source), labels_(labels) {}

  bool parse(char first, int64_t &firstPlace, char second, int64_t &secondPlace,
             Int64s &spatial) {
    firstPlace = secondPlace = kNone;
    for (size_t k = 0; k < labels_.size(); ++k) {
      const char label = labels_[k];
      if (label == '?') {
        hasUnknown = true;
      } else if (label == first) {
        if (!set(firstPlace, k)) return false;
      } else if (label == second) {
        if (!set(secondPlace, k)) return false;
      } else if (label >= '0' && label <= '9') {
        const size_t i = label - '0';
        if (i >= spatial.size()) spatial.resize(i + 1, kNone);
        if (!set(spatial[i], k)) return false;
      } else {
        return fail(k, text(label) + " is not a label here; they are " +
                           text(first) + ", " + text(second) +
                           ", a digit for each dimension of the window, and "
                           "`?`");
      }
    }
    if (firstPlace == kNone) return failMissing(first);
    if (secondPlace == kNone) return failMissing(second);
    for (size_t i = 0; i < spatial.size(); ++i)
      if (spatial[i] == kNone) return failMissing('0' + i);
    return true;
  }

  bool hasUnknown = false;

 private:
  static constexpr int64_t kNone = -1;

  static std::string text(char label) { return std::string("`") + label + "`"; }
  bool fail(size_t k, const llvm::Twine &message) {
    return source_.fail(labels_.data() + k, message);
  }
  bool failMissing(char label) {
    return fail(
        0, "the label " + text(label) + " is missing in `" + labels_ + "`");
  }
  bool set(int64_t &place, size_t k) {
    if (place != kNone)
      return fail(k, "the label " + text(labels_[k]) + " is there twice in `" +
                         labels_ + "`");
    place = k;
    return true;
  }

  Source &source_;
  llvm::StringRef labels_;
};

/// dim_labels, as in `b01f_01io->b01f`. `unknown`: some dimension is `?`.
bool takeLabels(const ResolvedInstruction &in, ConvolutionDimensions &d,
                bool &unknown) {
  const char *example = "b01f_01io->b01f";
  if (!in.attributes.has("dim_labels"))
    return in.attributes.failMissing("dim_labels", example);
  const llvm::StringRef labels = in.attributes.raw("dim_labels");
  const size_t arrow = labels.find("->");
  const size_t line = labels.find('_');
  if (line == llvm::StringRef::npos || arrow == llvm::StringRef::npos ||
      line > arrow)
    return in.source.fail(labels, "`dim_labels` would be of the form `" +
                                      llvm::Twine(example) +
                                      "`: input, kernel, result");
  LabelParser input(in.source, labels.take_front(line));
  LabelParser kernel(in.source, labels.slice(line + 1, arrow));
  LabelParser output(in.source, labels.drop_front(arrow + 2));
  if (!input.parse('b', d.inputBatch, 'f', d.inputFeature, d.inputSpatial) ||
      !kernel.parse('i', d.kernelInputFeature, 'o', d.kernelOutputFeature,
                    d.kernelSpatial) ||
      !output.parse('b', d.outputBatch, 'f', d.outputFeature, d.outputSpatial))
    return false;
  unknown = input.hasUnknown || kernel.hasUnknown || output.hasUnknown;
  return true;
}

/// Reads an attribute of one integer. `value` does not change if there is no
/// such attribute.
bool takeInteger(const ResolvedInstruction &in, llvm::StringRef key,
                 int64_t &value) {
  return !in.attributes.has(key) || in.attributes.requiredInteger(key, value);
}

bool coverConvolution(const ResolvedInstruction &in, const Shape &result,
                      OpDraft &out, llvm::StringRef why) {
  make<CoverOp>(in, result, out).reason =
      ("the maps of a `convolution` " + why + " are not known exactly").str();
  return true;
}

}  // namespace

bool buildConvolution(const ResolvedInstruction &in, const Shape &result,
                      OpDraft &out) {
  if (in.operands.size() > 2 || in.attributes.has("sparsity_config"))
    return coverConvolution(in, result, out, "with sparse operands");
  auto *op = makeOfArrays<ConvolutionOp>(in, result, out);
  bool unknown = false;
  if (!op || !takeLabels(in, *op, unknown) ||
      !takeWindow(in, op->inputSpatial.size(), op->window) ||
      !takeInteger(in, "feature_group_count", op->featureGroups) ||
      !takeInteger(in, "batch_group_count", op->batchGroups))
    return false;
  return !unknown ||
         coverConvolution(in, result, out, "that has a dimension `?`");
}

bool inferConvolution(const ResolvedInstruction &in, Shape &shape) {
  ArrayShape input, kernel;
  ConvolutionDimensions d;
  llvm::SmallVector<WindowDimension, 4> window;
  bool unknown = false;
  int64_t groups = 1;
  if (!takeArray(in, 0, input) || !takeArray(in, 1, kernel) ||
      !takeLabels(in, d, unknown) ||
      !takeWindow(in, d.inputSpatial.size(), window) ||
      !takeInteger(in, "batch_group_count", groups))
    return false;
  const int64_t spatial = window.size(), rank = spatial + 2;
  auto fits = [&](const Int64s &places) {
    return static_cast<int64_t>(places.size()) == spatial;
  };
  if (unknown || groups < 1 || input.rank() != rank || kernel.rank() != rank ||
      !fits(d.inputSpatial) || !fits(d.kernelSpatial) || !fits(d.outputSpatial))
    return cannotInfer(in);
  Int64s sizes(rank, kDynamicSize);
  sizes[d.outputBatch] = input.dimensions[d.inputBatch];
  if (sizes[d.outputBatch] != kDynamicSize) sizes[d.outputBatch] /= groups;
  sizes[d.outputFeature] = kernel.dimensions[d.kernelOutputFeature];
  for (int64_t i = 0; i < spatial; ++i) {
    int64_t &size = sizes[d.outputSpatial[i]];
    size = input.dimensions[d.inputSpatial[i]];
    if (!windowed(window[i], size)) return cannotInfer(in);
  }
  if (llvm::is_contained(sizes, kDynamicSize)) return cannotInfer(in);
  return finishProduct(in, sizes, shape);
}

}  // namespace opcodes
}  // namespace indexical
