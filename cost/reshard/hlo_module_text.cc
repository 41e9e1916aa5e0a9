// A local module in HLO.
#include <map>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/cost/reshard/local_module.h"

namespace indexical {
namespace {

using Kind = LocalOp::Kind;

std::string braced(llvm::ArrayRef<int64_t> numbers) {
  std::string text = "{";
  for (int64_t number : numbers)
    text += (text.size() > 1 ? "," : "") + std::to_string(number);
  return text + "}";
}

std::string groupsText(const DeviceLists &groups) {
  std::string text = "{";
  for (const auto &group : groups)
    text += (text.size() > 1 ? "," : "") + braced(group);
  return text + "}";
}

std::string pairsText(const DevicePairs &pairs) {
  std::string text = "{";
  for (auto [source, target] : pairs)
    text += (text.size() > 1 ? ",{" : "{") + std::to_string(source) + "," +
            std::to_string(target) + "}";
  return text + "}";
}

class HloWriter {
 public:
  explicit HloWriter(const LocalModule &module) : module_(module) {}

  std::string all() {
    for (const LocalOp &op : module_.ops) {
      names_.push_back("");
      names_.back() = write(op);
    }
    // The last line is the root's.
    if (!lines_.empty() && rootLine_ == lines_.size() - 1)
      lines_.back().insert(0, "ROOT ");
    else
      lines_.push_back("ROOT out = " + typed(module_.ops.back().sizes) +
                       " copy(" + names_.back() + ")");
    std::string text = "HloModule reshard, num_partitions=" +
                       std::to_string(module_.devices) + "\n\n" + reducer() +
                       "ENTRY main_spmd {\n";
    for (const std::string &line : lines_) text += "  " + line + "\n";
    return text + "}\n";
  }

 private:
  std::string typed(llvm::ArrayRef<int64_t> sizes) const {
    return ArrayShape(module_.type, sizes).str();
  }
  std::string combination() const {
    const std::string &of = module_.reduction;
    return of == "max" ? "maximum" : of == "min" ? "minimum" : "add";
  }
  bool isSummed() const {
    return llvm::any_of(module_.ops, [](const LocalOp &op) {
      return op.kind == Kind::ReduceScatter || op.kind == Kind::AllReduce;
    });
  }
  std::string reducer() const {
    if (!isSummed()) return "";
    const std::string type = typed({});
    return "combine {\n  a = " + type + " parameter(0)\n  b = " + type +
           " parameter(1)\n  ROOT c = " + type + " " + combination() +
           "(a, b)\n}\n\n";
  }

  std::string line(const std::string &type, const std::string &text) {
    const std::string name = "v" + std::to_string(lines_.size());
    lines_.push_back(name + " = " + type + " " + text);
    return name;
  }

  /// Returns the name of a number that each device has of this list.
  std::string number(const std::vector<int64_t> &of) {
    auto &name = numbers_[of];
    if (!name.empty()) return name;
    if (llvm::all_equal(of))
      return name = line("s32[]", "constant(" + std::to_string(of[0]) + ")");
    if (device_.empty()) device_ = line("u32[]", "partition-id()");
    const std::string table = line("s32[" + std::to_string(of.size()) + "]",
                                   "constant(" + spaced(of) + ")");
    const std::string slice =
        line("s32[1]", "dynamic-slice(" + table + ", " + device_ +
                           "), dynamic_slice_sizes={1}");
    return name = line("s32[]", "reshape(" + slice + ")");
  }
  static std::string spaced(const std::vector<int64_t> &of) {
    std::string text = "{";
    for (int64_t each : of)
      text += (text.size() > 1 ? ", " : "") + std::to_string(each);
    return text + "}";
  }
  std::string offsets(const LocalOp &op) {
    std::string text;
    for (const auto &of : op.offsets) text += ", " + number(of);
    return text;
  }
  std::string zero() {
    if (zero_.empty())
      zero_ = line(typed({}),
                   module_.type == ElementType::Pred ? "constant(false)"
                   : isComplex(module_.type)         ? "constant((0, 0))"
                                                     : "constant(0)");
    return zero_;
  }
  std::string channel() {
    return ", channel_id=" + std::to_string(++channels_);
  }
  std::string groups(const LocalOp &op) {
    return channel() + ", replica_groups=" + groupsText(op.groups);
  }

  std::string write(const LocalOp &op) {
    const std::string type = typed(op.sizes);
    const std::string of = op.operands.empty() ? "" : names_[op.operands[0]];
    std::string name;
    switch (op.kind) {
      case Kind::Parameter:
        name = line(type, "parameter(0)");
        break;
      case Kind::Zeros: {
        const std::string of = zero();
        name = line(type, "broadcast(" + of + "), dimensions={}");
        break;
      }
      case Kind::Reshape:
        name = line(type, "reshape(" + of + ")");
        break;
      case Kind::Transpose:
        name = line(type, "transpose(" + of +
                              "), dimensions=" + braced(op.order));
        break;
      case Kind::Pad: {
        const std::string fill = zero();
        std::string sides;
        for (auto [is, to] :
             llvm::zip_equal(module_.sizesOf(op.operands[0]), op.sizes))
          sides += (sides.empty() ? "0_" : "x0_") + std::to_string(to - is);
        name = line(type, "pad(" + of + ", " + fill + "), padding=" + sides);
        break;
      }
      case Kind::Crop: {
        std::string ranges;
        for (int64_t size : op.sizes)
          ranges += (ranges.empty() ? "[0:" : ", [0:") + std::to_string(size) +
                    "]";
        name = line(type, "slice(" + of + "), slice={" + ranges + "}");
        break;
      }
      case Kind::DynamicSlice: {
        const std::string at = offsets(op);
        name = line(type, "dynamic-slice(" + of + at +
                              "), dynamic_slice_sizes=" + braced(op.sizes));
        break;
      }
      case Kind::DynamicUpdate: {
        const std::string at = offsets(op);
        name = line(type, "dynamic-update-slice(" + of + ", " +
                              names_[op.operands[1]] + at + ")");
        break;
      }
      case Kind::Select: {
        const std::string flag = number(op.offsets[0]),
                          one = number({1}),
                          holds = line("pred[]", "compare(" + flag + ", " +
                                                     one + "), direction=EQ"),
                          all = line(ArrayShape(ElementType::Pred, op.sizes)
                                         .str(),
                                     "broadcast(" + holds +
                                         "), dimensions={}");
        name = line(type, "select(" + all + ", " + of + ", " +
                              names_[op.operands[1]] + ")");
        break;
      }
      case Kind::AllGather:
        name = line(type, "all-gather(" + of + ")" + groups(op) +
                              ", use_global_device_ids=true, dimensions={" +
                              std::to_string(op.dimension) + "}");
        break;
      case Kind::AllToAll:
        name = line(type, "all-to-all(" + of + ")" + groups(op) +
                              ", dimensions={" + std::to_string(op.dimension) +
                              "}");
        break;
      case Kind::ReduceScatter:
        name = line(type, "reduce-scatter(" + of + ")" + groups(op) +
                              ", use_global_device_ids=true, dimensions={" +
                              std::to_string(op.dimension) +
                              "}, to_apply=combine");
        break;
      case Kind::AllReduce:
        name = line(type, "all-reduce(" + of + ")" + groups(op) +
                              ", use_global_device_ids=true, "
                              "to_apply=combine");
        break;
      case Kind::Permute:
        name = line(type, "collective-permute(" + of + ")" + channel() +
                              ", source_target_pairs=" + pairsText(op.pairs));
        break;
    }
    rootLine_ = lines_.size() - 1;
    return name;
  }

  const LocalModule &module_;
  std::vector<std::string> names_, lines_;
  std::map<std::vector<int64_t>, std::string> numbers_;
  std::string device_, zero_;
  int64_t channels_ = 0;
  size_t rootLine_ = 0;
};

}  // namespace

std::string hloTextOf(const LocalModule &module) {
  return HloWriter(module).all();
}

}  // namespace indexical
