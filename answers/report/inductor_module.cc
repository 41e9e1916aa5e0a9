#include "indexical/answers/report/inductor_module.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/inputs/kernel_input.h"

namespace indexical {
namespace {

using llvm::StringRef;
using python::HostStep;
using python::HostTensor;

/// Returns the order of the dimensions in memory, the most minor first, if the
/// elements lie together.
std::optional<std::vector<int64_t>> minorToMajor(const HostTensor &array) {
  std::vector<int64_t> order, ones;
  for (size_t k = array.sizes.size(); k-- > 0;)
    (array.sizes[k] == 1 ? ones : order).push_back(static_cast<int64_t>(k));
  llvm::stable_sort(order, [&](int64_t a, int64_t b) {
    return array.strides[a] < array.strides[b];
  });
  int64_t step = 1;
  for (int64_t k : order) {
    if (array.sizes[k] != 0 && array.strides[k] != step) return std::nullopt;
    step *= array.sizes[k];
  }
  llvm::append_range(order, ones);
  return order;
}

std::string shapeText(StringRef element, llvm::ArrayRef<int64_t> sizes,
                      llvm::ArrayRef<int64_t> order) {
  return absl::StrCat(element.str(), "[", absl::StrJoin(sizes, ","), "]{",
                      absl::StrJoin(order, ","), "}");
}

/// Returns the shape of an array as HLO has it. Dimensions without a stride are
/// those of a broadcast, and are left out.
std::string shapeOf(const HostTensor &array) {
  if (!array.isKnown || array.element.empty()) return "u8[0]{0}";
  HostTensor own = array;
  own.sizes.clear();
  own.strides.clear();
  for (auto [size, stride] : llvm::zip(array.sizes, array.strides)) {
    if (stride == 0 && size > 1) continue;
    own.sizes.push_back(size);
    own.strides.push_back(stride);
  }
  if (const auto order = minorToMajor(own))
    return shapeText(own.element, own.sizes, *order);
  std::vector<int64_t> rows(own.sizes.size());
  for (size_t k = 0; k < rows.size(); ++k)
    rows[k] = static_cast<int64_t>(rows.size() - 1 - k);
  return shapeText(own.element, own.sizes, rows);
}

/// The shape of a memory: that of its first array, or all its elements in a
/// row.
std::string wholeShapeOf(const HostTensor &first) {
  if (!first.isKnown || first.element.empty() || minorToMajor(first))
    return shapeOf(first);
  return shapeText(first.element, {first.extent()}, {0});
}

int64_t countOf(const HostTensor &array) {
  int64_t count = 1;
  for (int64_t size : array.sizes) count *= size;
  return count;
}

/// The function of a library without its place: `mm`, `convolution`, `sort`.
StringRef functionOf(StringRef name) {
  if (name.consume_front("extern_kernels.")) return name;
  if (name.consume_front("torch.ops.")) name = name.split('.').second;
  name.consume_front("aten.");
  return name.split('.').first;
}

class Writer {
 public:
  Writer(const python::OutputCode &code, llvm::ArrayRef<LaunchUses> uses,
         LibraryForm form)
      : code_(code), uses_(uses), form_(form), current_(code.memories.size()) {}

  InductorModule write(StringRef name) {
    made_.arrays.resize(code_.memories.size());
    std::string own;
    for (char c : name)
      own += llvm::isAlnum(c) || c == '_' || c == '.' || c == '-' ? c : '_';
    if (own.empty() || llvm::isDigit(own.front())) own.insert(0, "_");
    made_.text = absl::StrCat("HloModule ", own,
                              ", is_scheduled=true\n\nENTRY call {\n");
    size_t parameters = 0;
    for (auto [number, memory] : llvm::enumerate(code_.memories)) {
      if (!memory.isInput) continue;
      const std::string parameter =
          line(memory.name, wholeShapeOf(memory.first),
               absl::StrCat("parameter(", parameters++, ")"));
      hold(number, parameter);
    }
    for (auto [number, step] : llvm::enumerate(code_.steps)) {
      if (step.isLaunch)
        launch(step, uses_[number]);
      else
        library(step);
    }
    std::vector<std::string> results, shapes;
    for (auto [number, memory] : llvm::enumerate(code_.memories))
      if ((memory.isResult || written_.count(number)) &&
          (memory.isResult || memory.isInput)) {
        results.push_back(valueOf(number));
        shapes.push_back(wholeShapeOf(memory.first));
      }
    absl::StrAppend(&made_.text, "  ROOT ", unique("result"), " = (",
                    absl::StrJoin(shapes, ", "), ") tuple(",
                    absl::StrJoin(results, ", "), ")\n}\n");
    return std::move(made_);
  }

 private:
  static std::string plain(StringRef wanted) {
    std::string name;
    for (char c : wanted)
      name += llvm::isAlnum(c) || c == '_' || c == '.' ? c : '_';
    if (name.empty() || llvm::isDigit(name.front())) name.insert(0, "_");
    return name;
  }

  std::string unique(StringRef wanted) {
    const std::string name = plain(wanted);
    std::string made = name;
    for (int k = 1; !names_.insert(made).second; ++k)
      made = absl::StrCat(name, ".", k);
    return made;
  }

  /// Adds an instruction; returns its name.
  std::string line(StringRef wanted, const std::string &shape,
                   const std::string &op) {
    std::string name = unique(wanted);
    absl::StrAppend(&made_.text, "  ", name, " = ", shape, " ", op, "\n");
    return name;
  }
  std::string viewLine(StringRef wanted, const std::string &shape,
                       llvm::ArrayRef<std::string> operands) {
    made_.views.push_back(
        line(wanted, shape,
             absl::StrCat("custom-call(", absl::StrJoin(operands, ", "),
                          "), custom_call_target=\"view\"")));
    return made_.views.back();
  }

  const HostTensor &wholeOf(size_t memory) const {
    return code_.memories[memory].first;
  }
  StringRef nameOf(size_t memory) const { return code_.memories[memory].name; }

  /// Sets the array that a memory holds from now on.
  void hold(size_t memory, std::string array) {
    if (made_.arrays[memory].empty()) made_.arrays[memory] = array;
    current_[memory] = std::move(array);
  }
  /// Returns the array that a memory holds now.
  const std::string &valueOf(size_t memory) {
    if (current_[memory].empty())
      hold(memory,
           viewLine(nameOf(memory), wholeShapeOf(wholeOf(memory)), {}));
    return current_[memory];
  }

  /// Whether the array is all of its memory.
  bool isWhole(const HostTensor &array) const {
    const HostTensor &whole = wholeOf(array.memory);
    return array.isKnown && whole.isKnown && array.offset == 0 &&
           array.element == whole.element && array.extent() == whole.extent();
  }
  /// Whether it is a shape that a bitcast makes of its memory.
  bool isDense(const HostTensor &array) const {
    return isWhole(array) && minorToMajor(array) &&
           minorToMajor(wholeOf(array.memory)) &&
           countOf(array) == countOf(wholeOf(array.memory));
  }

  /// Returns an array as an operand.
  std::string operandOf(const HostTensor &array) {
    const std::string whole = valueOf(array.memory);
    const std::string shape = shapeOf(array);
    if (isWhole(array) && shape == wholeShapeOf(wholeOf(array.memory)))
      return whole;
    std::string &known =
        operands_[absl::StrCat(whole, " ", array.offset, " ", shape)];
    if (known.empty())
      known = isDense(array) ? line(nameOf(array.memory), shape,
                                    absl::StrCat("bitcast(", whole, ")"))
                             : viewLine(nameOf(array.memory), shape, {whole});
    return known;
  }

  /// Makes a result of a step what its memory holds.
  void store(const HostTensor &array, const std::string &made) {
    const size_t memory = array.memory;
    const std::string shape = wholeShapeOf(wholeOf(memory));
    written_.insert(memory);
    if (isDense(array)) {
      hold(memory,
           line(nameOf(memory), shape, absl::StrCat("bitcast(", made, ")")));
      return;
    }
    std::vector<std::string> parts = {made};
    if (!current_[memory].empty()) parts.push_back(current_[memory]);
    hold(memory, viewLine(nameOf(memory), shape, parts));
  }

  //===-- Launches --------------------------------------------------------===//

  void launch(const HostStep &step, const LaunchUses &uses) {
    InductorStep &made = made_.steps.emplace_back();
    std::vector<std::string> operands, shapes, shared;
    std::vector<size_t> memories;
    std::map<size_t, size_t> operandOfMemory;
    for (auto [number, array] : llvm::enumerate(step.arrays)) {
      const HostTensor &tensor = array.second;
      const LaunchedArray use = uses ? (*uses)[number] : LaunchedArray();
      // Elements that the launch does not store keep what they held.
      const bool remains =
          use.isStored && !current_[tensor.memory].empty() &&
          (!isWhole(tensor) || code_.memories[tensor.memory].isInput);
      made.operandOf.push_back(std::nullopt);
      if (!use.isLoaded && !remains) continue;
      made.operandOf.back() = operands.size();
      operandOfMemory.try_emplace(tensor.memory, operands.size());
      operands.push_back(valueOf(tensor.memory));
    }
    for (auto [number, array] : llvm::enumerate(step.arrays)) {
      const size_t memory = array.second.memory;
      const LaunchedArray use = uses ? (*uses)[number] : LaunchedArray();
      made.resultOf.push_back(std::nullopt);
      if (!use.isStored) continue;
      const auto known = llvm::find(memories, memory);
      made.resultOf.back() = known - memories.begin();
      if (known != memories.end()) continue;
      memories.push_back(memory);
      shapes.push_back(wholeShapeOf(wholeOf(memory)));
      // Memory of its own is the allocator's to share, or not.
      const auto operand = operandOfMemory.find(memory);
      if (operand != operandOfMemory.end() && code_.memories[memory].isInput)
        shared.push_back(absl::StrCat("{", memories.size() - 1, "}: (",
                                      operand->second, ", {})"));
    }
    std::string op = absl::StrCat("custom-call(", absl::StrJoin(operands, ", "),
                                  "), custom_call_target=\"inductor\"");
    if (!shared.empty())
      absl::StrAppend(&op, ", output_to_operand_aliasing={",
                      absl::StrJoin(shared, ", "), "}");
    made.name = line(step.name,
                     absl::StrCat("(", absl::StrJoin(shapes, ", "), ")"), op);
    if (!uses) made_.views.push_back(made.name);
    for (auto [number, memory] : llvm::enumerate(memories)) {
      written_.insert(memory);
      hold(memory, line(nameOf(memory), shapes[number],
                        absl::StrCat("get-tuple-element(", made.name,
                                     "), index=", number)));
    }
  }

  //===-- Libraries -------------------------------------------------------===//

  /// Returns the numbers of an argument that is given by its name or place.
  static const std::vector<int64_t> *constant(const HostStep &step,
                                              StringRef name, StringRef place) {
    for (const auto &[key, numbers] : step.constants)
      if (key == name || key == place) return &numbers;
    return nullptr;
  }

  void library(const HostStep &step) {
    std::vector<std::string> operands;
    for (const HostTensor &operand : step.operands)
      operands.push_back(operandOf(operand));
    InductorStep &made = made_.steps.emplace_back();
    const StringRef function = functionOf(step.name);
    std::string op;
    if (form_ == LibraryForm::Ops && step.results.size() == 1) {
      if (function == "convolution")
        op = convolution(step, operands);
      else if (function.ends_with("mm"))
        op = product(step, function, operands);
    }
    if (!op.empty()) {
      made.name = line(step.name, shapeOf(step.results[0]), op);
      store(step.results[0], made.name);
      return;
    }
    std::vector<std::string> shapes;
    for (const HostTensor &result : step.results)
      shapes.push_back(shapeOf(result));
    made.name =
        line(step.name, absl::StrCat("(", absl::StrJoin(shapes, ", "), ")"),
             absl::StrCat("custom-call(", absl::StrJoin(operands, ", "),
                          "), custom_call_target=\"", plain(step.name), "\""));
    const std::string name = made.name;
    for (auto [number, result] : llvm::enumerate(step.results))
      store(result, line(absl::StrCat(name, ".result"), shapes[number],
                         absl::StrCat("get-tuple-element(", name,
                                      "), index=", number)));
  }

  /// A product of matrices, or of as many as a batch has: `dot`, or a call of
  /// cuBLAS if something is added.
  static std::string product(const HostStep &step, StringRef function,
                             llvm::ArrayRef<std::string> operands) {
    const bool adds = function == "addmm" || function == "baddbmm";
    const bool isPlain =
        function == "mm" || function == "_int_mm" || function == "bmm";
    const size_t first = adds ? 1 : 0;
    const size_t rank = function == "bmm" || function == "baddbmm" ? 3 : 2;
    if ((!adds && !isPlain) || operands.size() != first + 2) return "";
    const HostTensor &lhs = step.operands[first],
                     &rhs = step.operands[first + 1];
    for (const HostTensor *side : {&lhs, &rhs, &step.results[0]})
      if (!side->isKnown || side->element.empty() ||
          side->sizes.size() != rank ||
          llvm::any_of(llvm::zip(side->sizes, side->strides), [](auto each) {
            return std::get<0>(each) > 1 && std::get<1>(each) == 0;
          }))
        return "";
    const std::vector<int64_t> &a = lhs.sizes, &b = rhs.sizes,
                               &c = step.results[0].sizes;
    if (a[rank - 1] != b[rank - 2] || c[rank - 2] != a[rank - 2] ||
        c[rank - 1] != b[rank - 1] ||
        (rank == 3 && (a[0] != b[0] || a[0] != c[0])))
      return "";
    const bool isBatch = rank == 3;
    if (isPlain)
      return absl::StrCat(
          "dot(", operands[0], ", ", operands[1], "), ",
          isBatch ? "lhs_batch_dims={0}, rhs_batch_dims={0}, "
                    "lhs_contracting_dims={2}, rhs_contracting_dims={1}"
                  : "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
    const char *batch = isBatch ? "[\"0\"]" : "[]";
    // A row that is added to each row is a bias.
    const bool isBias =
        shapeOf(step.operands[0]).find(',') == std::string::npos;
    return absl::StrCat(
        "custom-call(", operands[1], ", ", operands[2], ", ", operands[0],
        "), custom_call_target=\"__cublas$lt$matmul\", "
        "backend_config={\"gemm_backend_config\":{\"dot_dimension_numbers\":{"
        "\"lhs_contracting_dimensions\":[\"",
        rank - 1, "\"],\"rhs_contracting_dimensions\":[\"", rank - 2,
        "\"],\"lhs_batch_dimensions\":", batch,
        ",\"rhs_batch_dimensions\":", batch, "},\"epilogue\":\"",
        isBias ? "BIAS" : "DEFAULT", "\"}}");
  }

  /// A convolution that goes forward.
  static std::string convolution(const HostStep &step,
                                 llvm::ArrayRef<std::string> operands) {
    if (operands.size() != 2) return "";
    const HostTensor &of = step.operands[0], &by = step.operands[1],
                     &to = step.results[0];
    const size_t rank = of.sizes.size();
    if (!of.isKnown || !by.isKnown || !to.isKnown || of.element.empty() ||
        by.element.empty() || to.element.empty() || rank < 3 || rank > 5 ||
        by.sizes.size() != rank || to.sizes.size() != rank)
      return "";
    const auto *transposed = constant(step, "transposed", "6");
    if (transposed && transposed->front() != 0) return "";
    auto all = [&](StringRef name, StringRef place, int64_t otherwise) {
      const auto *given = constant(step, name, place);
      std::vector<int64_t> made(rank - 2, otherwise);
      for (size_t k = 0; given && k < made.size(); ++k)
        made[k] = given->size() == made.size() ? (*given)[k] : given->front();
      return made;
    };
    const auto strides = all("stride", "3", 1), pads = all("padding", "4", 0),
               dilations = all("dilation", "5", 1);
    const auto *grouped = constant(step, "groups", "8");
    const int64_t groups = grouped ? grouped->front() : 1;
    // The call is no convolution of these shapes.
    if (by.sizes[0] != to.sizes[1] || of.sizes[0] != to.sizes[0] ||
        groups < 1 || by.sizes[1] * groups != of.sizes[1])
      return "";
    for (size_t k = 0; k < rank - 2; ++k) {
      const int64_t room = of.sizes[k + 2] + 2 * pads[k] -
                           dilations[k] * (by.sizes[k + 2] - 1) - 1;
      if (strides[k] < 1 || room < 0 ||
          room / strides[k] + 1 != to.sizes[k + 2])
        return "";
    }
    std::vector<std::string> size, stride, padding, dilation;
    for (size_t k = 0; k < rank - 2; ++k) {
      size.push_back(std::to_string(by.sizes[k + 2]));
      stride.push_back(std::to_string(strides[k]));
      const std::string pad = std::to_string(pads[k]);
      padding.push_back(absl::StrCat(pad, "_", pad));
      dilation.push_back(std::to_string(dilations[k]));
    }
    const std::string axes = std::string("012").substr(0, rank - 2);
    return absl::StrCat("convolution(", operands[0], ", ", operands[1],
                        "), window={size=", absl::StrJoin(size, "x"),
                        " stride=", absl::StrJoin(stride, "x"),
                        " pad=", absl::StrJoin(padding, "x"),
                        " rhs_dilate=", absl::StrJoin(dilation, "x"),
                        "}, dim_labels=bf", axes, "_oi", axes, "->bf", axes,
                        ", feature_group_count=", groups);
  }

  const python::OutputCode &code_;
  const llvm::ArrayRef<LaunchUses> uses_;
  const LibraryForm form_;
  InductorModule made_;
  std::vector<std::string>
      current_;  ///< what each memory holds; empty: nothing
  std::map<std::string, std::string> operands_;  ///< views of these
  std::set<size_t> written_;
  std::set<std::string> names_;
};

}  // namespace

InductorModule inductorModuleOf(const python::OutputCode &code, StringRef name,
                                llvm::ArrayRef<LaunchUses> uses,
                                LibraryForm form) {
  return Writer(code, uses, form).write(name);
}

}  // namespace indexical
