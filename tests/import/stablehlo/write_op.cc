#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "tests/import/stablehlo/write_stablehlo.h"
#include "tests/support/visit_op.h"

namespace indexical::testing {
namespace {

std::string list(llvm::ArrayRef<int64_t> values) {
  std::string text;
  for (int64_t value : values)
    absl::StrAppend(&text, text.empty() ? "" : ", ", value);
  return text;
}

std::string array(llvm::ArrayRef<int64_t> values) {
  return values.empty() ? "array<i64>" : "array<i64: " + list(values) + ">";
}

std::string elementText(ElementType type) {
  const std::string name = elementTypeName(type).str();
  switch (type) {
    case ElementType::Pred:
      return "i1";
    case ElementType::C64:
      return "complex<f32>";
    case ElementType::C128:
      return "complex<f64>";
    default:
      break;
  }
  if (name[0] == 's') return "i" + name.substr(1);
  if (name[0] == 'u') return "ui" + name.substr(1);
  if (name.substr(0, 2) == "f8" || name.substr(0, 2) == "f4") {
    std::string upper = "f";
    for (char c : name.substr(1)) upper += static_cast<char>(std::toupper(c));
    return upper;
  }
  return name;
}

class Attributes {
 public:
  void add(const std::string &key, const std::string &value) {
    absl::StrAppend(&text_, text_.empty() ? "" : ", ", key, " = ", value);
  }
  void add(const std::string &key, int64_t value) {
    add(key, absl::StrCat(value, " : i64"));
  }
  void add(const std::string &key, llvm::ArrayRef<int64_t> values) {
    add(key, array(values));
  }
  const std::string &text() const { return text_; }

 private:
  std::string text_;
};

/// Named lists as in `#stablehlo.gather<…>`; empty ones are left out.
class Fields {
 public:
  void add(const char *key, llvm::ArrayRef<int64_t> values) {
    if (!values.empty()) put(key, "[" + list(values) + "]");
  }
  void add(const char *key, int64_t value) { put(key, absl::StrCat(value)); }
  std::string text(const std::string &mnemonic) const {
    return "#" + mnemonic + "<" + text_ + ">";
  }

 private:
  void put(const char *key, const std::string &value) {
    absl::StrAppend(&text_, text_.empty() ? "" : ", ", key, " = ", value);
  }
  std::string text_;
};

std::string scalarText(ElementType type) {
  return "tensor<" + elementText(type) + ">";
}

/// A body that returns its first `results` arguments.
std::string body(llvm::ArrayRef<ElementType> arguments, size_t results) {
  std::string header, values, types;
  for (size_t k = 0; k < arguments.size(); ++k)
    absl::StrAppend(&header, k ? ", " : "", "%b", k, ": ",
                    scalarText(arguments[k]));
  for (size_t k = 0; k < results; ++k) {
    absl::StrAppend(&values, k ? ", " : "", "%b", k);
    absl::StrAppend(&types, k ? ", " : "", scalarText(arguments[k]));
  }
  return absl::StrCat("({ ^bb0(", header, "): \"stablehlo.return\"(", values,
                      ") : (", types, ") -> () })");
}

/// A region that compares two scalars.
std::string comparison(llvm::ArrayRef<ElementType> arguments) {
  std::string header;
  for (size_t k = 0; k < arguments.size(); ++k)
    absl::StrAppend(&header, k ? ", " : "", "%b", k, ": ",
                    scalarText(arguments[k]));
  const std::string type = scalarText(arguments[0]);
  return absl::StrCat(
      "({ ^bb0(", header,
      "): %p = \"stablehlo.compare\"(%b0, %b1) "
      "{comparison_direction = #stablehlo<comparison_direction LT>} : (",
      type, ", ", type,
      ") -> tensor<i1> \"stablehlo.return\"(%p) : (tensor<i1>) -> "
      "() })");
}

class Writer {
 public:
  using Result = std::optional<WrittenOp>;

  Result operator()(const IotaOp &op) {
    if (!op.operands.empty()) return std::nullopt;
    a.add("iota_dimension", op.dimension);
    return stablehlo("iota");
  }
  Result operator()(const BroadcastOp &op) {
    if (op.operands.size() != 1) return std::nullopt;
    a.add("broadcast_dimensions", op.dimensions);
    return stablehlo("broadcast_in_dim");
  }
  Result operator()(const BroadcastingOp &op) {
    const int64_t rank = op.results[0].rank();
    if (op.operands.size() != 2) return std::nullopt;
    // In NumPy's way, or the one of lower rank along listed dimensions.
    for (size_t k = 0; k < 2; ++k) {
      const int64_t own = op.operands[k].rank();
      bool trailing = true;
      for (int64_t j = 0; j < own; ++j)
        trailing &= op.dimensions[k][j] == rank - own + j;
      if (trailing) continue;
      if (!a.text().empty() || op.operands[1 - k].rank() != rank)
        return std::nullopt;
      a.add("broadcast_dimensions", op.dimensions[k]);
    }
    return chlo("broadcast_add");
  }
  Result operator()(const TransposeOp &op) {
    a.add("permutation", op.permutation);
    return stablehlo("transpose");
  }
  Result operator()(const ReverseOp &op) {
    a.add("dimensions", op.dimensions);
    return stablehlo("reverse");
  }
  Result operator()(const ReshapeOp &) { return stablehlo("reshape"); }
  Result operator()(const BitcastConvertOp &) {
    return stablehlo("bitcast_convert");
  }
  Result operator()(const SliceOp &op) {
    if (op.operands.size() != 1) return std::nullopt;
    a.add("start_indices", op.starts);
    a.add("limit_indices", op.limits);
    a.add("strides", op.strides);
    return stablehlo("slice");
  }
  Result operator()(const DynamicSliceOp &op) {
    if (hasListOfStarts(op, 1)) return std::nullopt;
    a.add("slice_sizes", op.sizes);
    return stablehlo("dynamic_slice");
  }
  Result operator()(const DynamicUpdateSliceOp &op) {
    if (hasListOfStarts(op, 2)) return std::nullopt;
    return stablehlo("dynamic_update_slice");
  }
  Result operator()(const ConcatenateOp &op) {
    a.add("dimension", op.dimension);
    return stablehlo("concatenate");
  }
  Result operator()(const PadOp &op) {
    if (op.operands.size() != 2) return std::nullopt;
    a.add("edge_padding_low", op.low);
    a.add("edge_padding_high", op.high);
    a.add("interior_padding", op.interior);
    return stablehlo("pad");
  }
  Result operator()(const GatherOp &op) {
    if (op.operands.size() != 2) return std::nullopt;
    Fields f;
    f.add("offset_dims", op.offsetDims);
    f.add("collapsed_slice_dims", op.collapsedSliceDims);
    f.add("operand_batching_dims", op.operandBatchingDims);
    f.add("start_indices_batching_dims", op.startIndicesBatchingDims);
    f.add("start_index_map", op.startIndexMap);
    f.add("index_vector_dim", op.indexVectorDim);
    a.add("dimension_numbers", f.text("stablehlo.gather"));
    a.add("slice_sizes", op.sliceSizes);
    return stablehlo("gather");
  }
  Result operator()(const ScatterOp &op) {
    auto region = scatterBody(op);
    if (!region || op.partlyOutside != ScatterOp::PartlyOutside::SkipElements)
      return std::nullopt;
    Fields f;
    f.add("update_window_dims", op.updateWindowDims);
    f.add("inserted_window_dims", op.insertedWindowDims);
    f.add("input_batching_dims", op.inputBatchingDims);
    f.add("scatter_indices_batching_dims", op.scatterIndicesBatchingDims);
    f.add("scatter_dims_to_operand_dims", op.scatterDimsToOperandDims);
    f.add("index_vector_dim", op.indexVectorDim);
    a.add("scatter_dimension_numbers", f.text("stablehlo.scatter"));
    regions = *region;
    return stablehlo("scatter");
  }
  Result operator()(const DotOp &op) {
    Fields f;
    dot(f, op);
    a.add("dot_dimension_numbers", f.text("stablehlo.dot"));
    return stablehlo("dot_general");
  }
  Result operator()(const RaggedDotOp &op) {
    // The fields are written whether they are empty or not.
    auto field = [](llvm::ArrayRef<int64_t> v) { return "[" + list(v) + "]"; };
    a.add("ragged_dot_dimension_numbers",
          absl::StrCat(
              "#chlo.ragged_dot<lhs_batching_dimensions = ", field(op.lhsBatch),
              ", rhs_batching_dimensions = ", field(op.rhsBatch),
              ", lhs_contracting_dimensions = ", field(op.lhsContracting),
              ", rhs_contracting_dimensions = ", field(op.rhsContracting),
              ", lhs_ragged_dimensions = ", field(op.lhsRagged),
              ", rhs_group_dimensions = ", field(op.rhsGroup), ">"));
    return chlo("ragged_dot");
  }
  Result operator()(const ReduceOp &op) {
    a.add("dimensions", op.dimensions);
    regions = body(folded(op), op.results.size());
    return stablehlo("reduce");
  }
  Result operator()(const ReduceWindowOp &op) {
    Int64s sizes;
    for (const WindowDimension &d : op.window) {
      if (d.reversed) return std::nullopt;
      sizes.push_back(d.size);
    }
    a.add("window_dimensions", sizes);
    window(op.window, "base_dilations", "window_dilations");
    regions = body(folded(op), op.results.size());
    return stablehlo("reduce_window");
  }
  Result operator()(const SelectAndScatterOp &op) {
    Int64s sizes;
    for (const WindowDimension &d : op.window) {
      if (d.reversed || d.baseDilation != 1 || d.windowDilation != 1)
        return std::nullopt;
      sizes.push_back(d.size);
    }
    a.add("window_dimensions", sizes);
    window(op.window, "", "");
    const ElementType type = op.operands[0].type;
    std::string select = comparison({type, type});
    select.pop_back();
    regions = select + ", " + body({type, type}, 1).substr(1);
    return stablehlo("select_and_scatter");
  }
  Result operator()(const ConvolutionOp &op) {
    if (op.operands.size() != 2) return std::nullopt;
    window(op.window, "lhs_dilation", "rhs_dilation");
    std::string reversal;
    for (const WindowDimension &d : op.window)
      absl::StrAppend(&reversal, reversal.empty() ? "" : ", ",
                      d.reversed ? "true" : "false");
    a.add("window_reversal",
          reversal.empty() ? "array<i1>" : "array<i1: " + reversal + ">");
    a.add("dimension_numbers", convolution(op));
    a.add("feature_group_count", op.featureGroups);
    a.add("batch_group_count", op.batchGroups);
    return stablehlo("convolution");
  }
  Result operator()(const SortOp &op) {
    a.add("dimension", op.dimension);
    std::vector<ElementType> types;
    for (const ArrayShape &shape : op.operands) {
      types.push_back(shape.type);
      types.push_back(shape.type);
    }
    regions = comparison(types);
    return stablehlo("sort");
  }
  Result operator()(const TopKOp &op) {
    a.add("k", op.k);
    return chlo("top_k");
  }
  Result operator()(const FftOp &op) {
    static const char *const kinds[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
    a.add("fft_type", absl::StrCat("#stablehlo<fft_type ",
                                   kinds[static_cast<int>(op.kind)], ">"));
    a.add("fft_length", op.lengths);
    return stablehlo("fft");
  }
  Result operator()(const BatchNormOp &op) {
    static const char *const names[] = {"training", "inference", "grad"};
    a.add("epsilon", "1.0e-3 : f32");
    a.add("feature_index", op.featureIndex);
    return stablehlo(std::string("batch_norm_") +
                     names[static_cast<int>(op.kind)]);
  }
  Result operator()(const CholeskyOp &op) {
    a.add("lower", op.lower ? "true" : "false");
    return stablehlo("cholesky");
  }
  Result operator()(const TriangularSolveOp &op) {
    a.add("left_side", op.leftSide ? "true" : "false");
    a.add("lower", op.lower ? "true" : "false");
    a.add("unit_diagonal", op.unitDiagonal ? "true" : "false");
    a.add("transpose_a", op.transposed ? "#stablehlo<transpose TRANSPOSE>"
                                       : "#stablehlo<transpose NO_TRANSPOSE>");
    return stablehlo("triangular_solve");
  }
  Result operator()(const SetDimensionSizeOp &op) {
    a.add("dimension", op.dimension);
    return stablehlo("set_dimension_size");
  }
  Result operator()(const DynamicReshapeOp &op) {
    if (op.operands.size() != 2 || op.operands[1].rank() != 1)
      return std::nullopt;
    return stablehlo("dynamic_reshape");
  }
  Result operator()(const ConstantOp &op) {
    if (op.results.size() != 1) return std::nullopt;
    const ArrayShape &shape = op.results[0];
    std::string values;
    if (!isInteger(shape.type)) {
      values = isComplex(shape.type) ? "(0.0, 0.0)" : "0.0";
    } else if (!op.values.empty() && !llvm::all_equal(op.values)) {
      size_t next = 0;
      values = nested(op, 0, next);
    } else {
      values = absl::StrCat(op.values.empty() ? 0 : op.values[0]);
    }
    if (shape.isEmpty()) values.clear();
    a.add("value", absl::StrCat("dense<", values, "> : ", typeText(shape)));
    return stablehlo("constant");
  }
  /// By shapes alone: what the op is called does not matter to its maps.
  Result operator()(const ElementwiseOp &op) {
    const size_t count = op.operands.size();
    auto same = [&](const ArrayShape &s) {
      return sameDimensions(s, op.results[0]);
    };
    if (count == 1 && op.keepsValues()) return stablehlo("convert");
    if (llvm::all_of(op.operands, same)) {
      if (count == 1) return stablehlo("abs");
      if (count == 2) return stablehlo("add");
      if (count == 0) return std::nullopt;
      Int64s all;
      std::vector<ElementType> types;
      for (int64_t d = 0; d < op.results[0].rank(); ++d) all.push_back(d);
      for (const ArrayShape &s : op.operands) types.push_back(s.type);
      a.add("dimensions", all);
      regions = body(types, 1);
      return stablehlo("map");
    }
    if (count != 3) return std::nullopt;
    if (same(op.operands[1]) && same(op.operands[2]))
      return stablehlo("select");
    if (same(op.operands[1]) && op.operands[2].isScalar())
      return stablehlo("clamp");
    return std::nullopt;
  }
  template <typename T>
  Result operator()(const T &) {
    return std::nullopt;
  }

 private:
  Result stablehlo(const std::string &name) {
    return WrittenOp{"stablehlo." + name, a.text(), regions};
  }
  Result chlo(const std::string &name) {
    return WrittenOp{"chlo." + name, a.text(), regions};
  }

  static bool hasListOfStarts(const OpShapes &op, size_t first) {
    return op.operands.size() == first + 1 && !op.operands[first].isScalar();
  }

  static void dot(Fields &f, const DotDimensions &d) {
    f.add("lhs_batching_dimensions", d.lhsBatch);
    f.add("rhs_batching_dimensions", d.rhsBatch);
    f.add("lhs_contracting_dimensions", d.lhsContracting);
    f.add("rhs_contracting_dimensions", d.rhsContracting);
  }

  /// Two scalars an input: what is folded, the new one.
  static std::vector<ElementType> folded(const OpShapes &op) {
    std::vector<ElementType> types;
    for (int side = 0; side < 2; ++side)
      for (size_t k = 0; k < op.results.size(); ++k)
        types.push_back(op.operands[k].type);
    return types;
  }

  void window(llvm::ArrayRef<WindowDimension> window, const char *base,
              const char *own) {
    Int64s strides, bases, owns;
    std::string padding;
    for (const WindowDimension &d : window) {
      strides.push_back(d.stride);
      bases.push_back(d.baseDilation);
      owns.push_back(d.windowDilation);
      absl::StrAppend(&padding, padding.empty() ? "" : ", ", "[", d.padLow,
                      ", ", d.padHigh, "]");
    }
    a.add("window_strides", strides);
    if (*base) a.add(base, bases);
    if (*own) a.add(own, owns);
    a.add("padding",
          absl::StrCat("dense<", padding.empty() ? "" : "[" + padding + "]",
                       "> : tensor<", window.size(), "x2xi64>"));
  }

  static std::string convolution(const ConvolutionOp &op) {
    auto part = [](int64_t first, const char *one, int64_t second,
                   const char *other, const Int64s &spatial) {
      std::vector<std::string> names(spatial.size() + 2);
      names[first] = one;
      names[second] = other;
      for (size_t k = 0; k < spatial.size(); ++k)
        names[spatial[k]] = std::to_string(k);
      std::string text;
      for (const std::string &name : names)
        absl::StrAppend(&text, text.empty() ? "" : ", ", name);
      return "[" + text + "]";
    };
    return "#stablehlo.conv<" +
           part(op.inputBatch, "b", op.inputFeature, "f", op.inputSpatial) +
           "x" +
           part(op.kernelInputFeature, "i", op.kernelOutputFeature, "o",
                op.kernelSpatial) +
           "->" +
           part(op.outputBatch, "b", op.outputFeature, "f", op.outputSpatial) +
           ">";
  }

  /// A body that reads just the arguments that it says it reads.
  static std::optional<std::string> scatterBody(const ScatterOp &op) {
    const size_t n = op.results.size();
    const std::string type = scalarText(ElementType::F32);
    if (op.bodyReads.size() != n * n) return std::nullopt;
    std::string header, text, values, types;
    for (size_t k = 0; k < 2 * n; ++k)
      absl::StrAppend(&header, k ? ", " : "", "%b", k, ": ", type);
    int next = 0;
    for (size_t r = 0; r < n; ++r) {
      std::string value = absl::StrCat("%b", n + r);
      for (size_t k = 0; k < n; ++k) {
        if (op.bodyReads[r * n + k] == ScatterOp::BodyRead::Maybe)
          return std::nullopt;
        if (op.bodyReads[r * n + k] == ScatterOp::BodyRead::Never) continue;
        const std::string sum = absl::StrCat("%s", next++);
        absl::StrAppend(&text, sum, " = \"stablehlo.add\"(", value, ", %b", k,
                        ") : (", type, ", ", type, ") -> ", type, "\n");
        value = sum;
      }
      absl::StrAppend(&values, r ? ", " : "", value);
      absl::StrAppend(&types, r ? ", " : "", type);
    }
    return absl::StrCat("({ ^bb0(", header, "):\n", text,
                        "\"stablehlo.return\"(", values, ") : (", types,
                        ") -> () })");
  }

  static std::string nested(const ConstantOp &op, size_t level, size_t &next) {
    llvm::ArrayRef<int64_t> sizes = op.results[0].dimensions;
    if (level == sizes.size()) {
      const int64_t value = op.values[next++];
      if (op.results[0].type == ElementType::Pred)
        return value ? "true" : "false";
      return absl::StrCat(value);
    }
    std::string text;
    for (int64_t i = 0; i < sizes[level]; ++i)
      absl::StrAppend(&text, i ? ", " : "", nested(op, level + 1, next));
    return "[" + text + "]";
  }

  Attributes a;
  std::string regions;
};

}  // namespace

std::string typeText(const ArrayShape &shape) {
  std::string text = "tensor<", bounds;
  bool bounded = false;
  for (int64_t k = 0; k < shape.rank(); ++k) {
    const bool open = !shape.dynamic.empty() && shape.dynamic[k];
    const int64_t size = shape.dimensions[k];
    const bool unknown = open || size == kDynamicSize;
    absl::StrAppend(&text, unknown ? "?" : absl::StrCat(size), "x");
    const bool hasBound = open && size != kDynamicSize;
    bounded |= hasBound;
    absl::StrAppend(&bounds, k ? ", " : "",
                    hasBound ? absl::StrCat(size) : "?");
  }
  text += elementText(shape.type);
  if (bounded) text += ", #stablehlo.bounds<" + bounds + ">";
  return text + ">";
}

std::string typeText(const Shape &shape) {
  if (shape.isArray()) return typeText(shape.array);
  if (!shape.isTuple()) return "!stablehlo.token";
  std::string text;
  for (const Shape &element : shape.elements)
    absl::StrAppend(&text, text.empty() ? "" : ", ", typeText(element));
  return "tuple<" + text + ">";
}

std::string WrittenOp::line(const std::string &result,
                            llvm::ArrayRef<std::string> operands,
                            const std::string &operandTypes,
                            const std::string &resultTypes) const {
  std::string text =
      (result.empty() ? "" : result + " = ") + "\"" + name + "\"(";
  for (size_t k = 0; k < operands.size(); ++k)
    absl::StrAppend(&text, k ? ", " : "", operands[k]);
  text += ")";
  if (!regions.empty()) text += " " + regions;
  if (!attributes.empty()) text += " {" + attributes + "}";
  return text + " : (" + operandTypes + ") -> (" + resultTypes + ")\n";
}

std::optional<WrittenOp> written(const Op &op) {
  return visitOp([](const auto &family) { return Writer()(family); }, op);
}

}  // namespace indexical::testing
