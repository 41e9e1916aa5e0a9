// A local module in StableHLO.
#include <map>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/cost/reshard/local_module.h"

namespace indexical {
namespace {

using Kind = LocalOp::Kind;

std::string listed(llvm::ArrayRef<int64_t> numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

/// Returns MLIR's name of the type: `i1`, `ui8`, `f8E4M3FN`, `complex<f32>`.
std::string mlirName(ElementType type) {
  const llvm::StringRef name = elementTypeName(type);
  if (type == ElementType::Pred) return "i1";
  if (isComplex(type)) return name == "c64" ? "complex<f32>" : "complex<f64>";
  if (isInteger(type))
    return (name[0] == 's' ? "i" : "ui") + name.drop_front().str();
  if (name.starts_with("f8") || name.starts_with("f4"))
    return "f" + name.drop_front().upper();
  return name.str();
}

class StableHloWriter {
 public:
  explicit StableHloWriter(const LocalModule &module) : module_(module) {}

  std::string all() {
    for (const LocalOp &op : module_.ops) names_.push_back(write(op));
    const std::string result = typed(module_.ops.back().sizes);
    std::string text = "module @reshard attributes {mhlo.num_partitions = " +
                       std::to_string(module_.devices) +
                       " : i32, mhlo.num_replicas = 1 : i32} {\n"
                       "  func.func public @main(%arg0: " +
                       typed(module_.ops.front().sizes) + ") -> " + result +
                       " {\n";
    for (const std::string &line : lines_) text += "    " + line + "\n";
    return text + "    return " + names_.back() + " : " + result + "\n  }\n}\n";
  }

 private:
  std::string typed(llvm::ArrayRef<int64_t> sizes,
                    const std::string &element) const {
    std::string text = "tensor<";
    for (int64_t size : sizes) text += std::to_string(size) + "x";
    return text + element + ">";
  }
  std::string typed(llvm::ArrayRef<int64_t> sizes) const {
    return mlirTensorText(sizes, module_.type);
  }
  std::string typeOf(size_t value) const {
    return typed(module_.sizesOf(value));
  }

  std::string line(const std::string &text) {
    const std::string name = "%" + std::to_string(count_++);
    lines_.push_back(name + " = " + text);
    return name;
  }

  std::string number(const std::vector<int64_t> &of) {
    auto &name = numbers_[of];
    if (!name.empty()) return name;
    if (llvm::all_equal(of))
      return name = line("stablehlo.constant dense<" + std::to_string(of[0]) +
                         "> : tensor<i32>");
    if (device_.empty())
      device_ = line("stablehlo.partition_id : tensor<ui32>");
    const std::string type = typed({static_cast<int64_t>(of.size())}, "i32");
    const std::string table =
        line("stablehlo.constant dense<[" + listed(of) + "]> : " + type);
    const std::string slice =
        line("stablehlo.dynamic_slice " + table + ", " + device_ +
             ", sizes = [1] : (" + type + ", tensor<ui32>) -> tensor<1xi32>");
    return name = line("stablehlo.reshape " + slice +
                       " : (tensor<1xi32>) -> tensor<i32>");
  }
  std::string offsets(const LocalOp &op) {
    std::string text;
    for (const auto &of : op.offsets) text += ", " + number(of);
    return text;
  }
  static std::string indexTypes(size_t count) {
    std::string text;
    for (size_t k = 0; k < count; ++k) text += ", tensor<i32>";
    return text;
  }
  std::string zeroText() const {
    if (module_.type == ElementType::Pred) return "false";
    if (isComplex(module_.type)) return "(0.0, 0.0)";
    return isInteger(module_.type) ? "0" : "0.0";
  }
  std::string channel() {
    return "channel_handle = #stablehlo.channel_handle<handle = " +
           std::to_string(++channels_) + ", type = 1>";
  }
  std::string groups(const LocalOp &op) {
    std::string text;
    for (const auto &group : op.groups)
      text += (text.empty() ? "[" : ", [") + listed(group) + "]";
    return channel() + ", replica_groups = dense<[" + text + "]> : " +
           typed({static_cast<int64_t>(op.groups.size()),
                  static_cast<int64_t>(op.groups[0].size())},
                 "i64");
  }
  std::string pairs(const LocalOp &op) {
    std::string text;
    for (auto [source, target] : op.pairs)
      text += (text.empty() ? "[" : ", [") + std::to_string(source) + ", " +
              std::to_string(target) + "]";
    return channel() + ", source_target_pairs = dense<[" + text + "]> : " +
           typed({static_cast<int64_t>(op.pairs.size()), 2}, "i64");
  }
  std::string reducer() const {
    const std::string type = typed({});
    const std::string &of = module_.reduction;
    const std::string op = of == "max"   ? "maximum"
                           : of == "min" ? "minimum"
                                         : "add";
    return "({\n    ^bb0(%a: " + type + ", %b: " + type +
           "):\n      %c = stablehlo." + op + " %a, %b : " + type +
           "\n      stablehlo.return %c : " + type + "\n    })";
  }

  /// Returns the line of a collective with these attributes.
  std::string collective(const std::string &name, const LocalOp &op,
                         const std::string &attributes, bool reduces = false) {
    return line("\"stablehlo." + name + "\"(" + names_[op.operands[0]] + ") " +
                (reduces ? reducer() + " " : "") + "{" + attributes + "} : (" +
                typeOf(op.operands[0]) + ") -> " + typed(op.sizes));
  }

  std::string write(const LocalOp &op) {
    const std::string type = typed(op.sizes);
    const std::string of = op.operands.empty() ? "" : names_[op.operands[0]];
    const std::string from = op.operands.empty() ? "" : typeOf(op.operands[0]);
    const std::string dimension = std::to_string(op.dimension) + " : i64";
    switch (op.kind) {
      case Kind::Parameter:
        return "%arg0";
      case Kind::Zeros:
        return line("stablehlo.constant dense<" + zeroText() + "> : " + type);
      case Kind::Reshape:
        return line("stablehlo.reshape " + of + " : (" + from + ") -> " + type);
      case Kind::Transpose:
        return line("stablehlo.transpose " + of + ", dims = [" +
                    listed(op.order) + "] : (" + from + ") -> " + type);
      case Kind::Pad: {
        const std::string fill = line("stablehlo.constant dense<" + zeroText() +
                                      "> : " + typed({}));
        llvm::SmallVector<int64_t, 6> none(op.sizes.size(), 0), high;
        for (auto [is, to] :
             llvm::zip_equal(module_.sizesOf(op.operands[0]), op.sizes))
          high.push_back(to - is);
        return line("stablehlo.pad " + of + ", " + fill + ", low = [" +
                    listed(none) + "], high = [" + listed(high) +
                    "], interior = [" + listed(none) + "] : (" + from + ", " +
                    typed({}) + ") -> " + type);
      }
      case Kind::Crop: {
        std::string ranges;
        for (int64_t size : op.sizes)
          ranges += (ranges.empty() ? "0:" : ", 0:") + std::to_string(size);
        return line("stablehlo.slice " + of + " [" + ranges + "] : (" + from +
                    ") -> " + type);
      }
      case Kind::DynamicSlice: {
        const std::string at = offsets(op);
        return line("stablehlo.dynamic_slice " + of + at + ", sizes = [" +
                    listed(op.sizes) + "] : (" + from +
                    indexTypes(op.offsets.size()) + ") -> " + type);
      }
      case Kind::DynamicUpdate: {
        const std::string at = offsets(op);
        return line("stablehlo.dynamic_update_slice " + of + ", " +
                    names_[op.operands[1]] + at + " : (" + from + ", " +
                    typeOf(op.operands[1]) + indexTypes(op.offsets.size()) +
                    ") -> " + type);
      }
      case Kind::Select: {
        const std::string flag = number(op.offsets[0]), one = number({1});
        const std::string holds =
            line("stablehlo.compare EQ, " + flag + ", " + one +
                 " : (tensor<i32>, tensor<i32>) -> tensor<i1>");
        return line("stablehlo.select " + holds + ", " + of + ", " +
                    names_[op.operands[1]] + " : tensor<i1>, " + type);
      }
      case Kind::AllGather:
        return collective("all_gather", op,
                          "all_gather_dim = " + dimension + ", " + groups(op) +
                              ", use_global_device_ids");
      case Kind::AllToAll:
        return collective("all_to_all", op,
                          "split_dimension = " + dimension +
                              ", concat_dimension = " + dimension +
                              ", split_count = " +
                              std::to_string(op.groups[0].size()) +
                              " : i64, " + groups(op));
      case Kind::ReduceScatter:
        return collective("reduce_scatter", op,
                          "scatter_dimension = " + dimension + ", " +
                              groups(op) + ", use_global_device_ids",
                          /*reduces=*/true);
      case Kind::AllReduce:
        return collective("all_reduce", op,
                          groups(op) + ", use_global_device_ids",
                          /*reduces=*/true);
      case Kind::Permute:
        return collective("collective_permute", op, pairs(op));
    }
    return "";
  }

  const LocalModule &module_;
  std::vector<std::string> names_, lines_;
  std::map<std::vector<int64_t>, std::string> numbers_;
  std::string device_;
  int64_t channels_ = 0, count_ = 0;
};

}  // namespace

std::string mlirTensorText(llvm::ArrayRef<int64_t> sizes, ElementType type) {
  std::string text = "tensor<";
  for (int64_t size : sizes) text += std::to_string(size) + "x";
  return text + mlirName(type) + ">";
}

std::string stablehloTextOf(const LocalModule &module) {
  return StableHloWriter(module).all();
}

}  // namespace indexical
