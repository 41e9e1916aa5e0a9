// The operands of checks, traced back to constants through composed maps:
//
//   %a = stablehlo.constant …          %b = stablehlo.slice %a …
//   %c = stablehlo.reverse %b …        check.expect_eq_const %c, …
//
// The map of %c to %a, as a pass asks for it
// (import/stablehlo/indexical/queries.h), must be what the ops' own maps make
// of it one by one in this run, runtime variables being what the run computed;
// a cover must contain it. Calls are traced through; branches, loops and
// programs side by side are not. That these give the constants which are
// expected is shown by execute_corpus_test.
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/indexical/queries.h"
#include "tests/import/stablehlo/execute.h"
#include "tests/support/corpus_files.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

/// An element of a value that no op of the block made of others.
using Source = std::pair<size_t, int64_t>;  // number of the value, place

/// One value of the block that is looked at.
struct Traced {
  ArrayValue array;
  std::vector<std::vector<Source>> sources;  ///< of each element, sorted
  bool isSource = false;
  bool isLost = false;  ///< made by what is not run through maps of its own
  /// An op on the way says only what it may read, as a scatter does of its
  /// input. Composed maps may know more.
  bool isCovered = false;
};

struct Counts {
  int64_t values = 0, exact = 0, cover = 0, pairs = 0, skipped = 0;
};

class Tracer {
 public:
  /// Values of the block of `main` are traced.
  Tracer(mlir::ModuleOp module, Counts &counts)
      : module_(module), counts_(counts) {}

  absl::Status run() {
    auto maps = ModuleMaps::of(module_);
    if (!maps.ok()) return maps.status();
    maps_ = *std::move(maps);
    ExecutionReport report;
    Executor executor(module_, report);
    executor.observe([this](mlir::Operation *op, OpReads *reads,
                            const ArrayValues &operands,
                            const ArrayValues &results) {
      return op->getBlock()->getParentOp()->getParentOp() == module_
                 ? trace(op, reads, operands, results)
                 : absl::OkStatus();
    });
    auto results = executor.run();
    if (!results.ok()) return results.status();
    for (auto function : module_.getOps<mlir::FunctionOpInterface>())
      for (mlir::Operation &op : function.getFunctionBody().getOps())
        if (auto s = checkOp(&op); !s.ok()) return s;
    return absl::OkStatus();
  }

 private:
  absl::Status trace(mlir::Operation *op, OpReads *reads,
                     const ArrayValues &operands, const ArrayValues &results) {
    if (results.size() != op->getNumResults()) return absl::OkStatus();
    const bool isWhole = operands.size() == op->getNumOperands();
    for (size_t k = 0; k < operands.size() && isWhole; ++k)
      if (llvm::isa<mlir::BlockArgument>(op->getOperand(k)))
        start(op->getOperand(k), operands[k]).isSource = true;
    for (auto [r, value] : llvm::enumerate(op->getResults())) {
      Traced traced = untraced(results[r]);
      if (op->getNumOperands() == 0 && op->getNumRegions() == 0)
        traced.isSource = true;
      else if (!isWhole)
        traced.isLost = true;
      else if (reads)
        traceOp(op, r, *reads, operands, results, traced);
      else
        traceCall(op, r, traced);
      for (auto &each : traced.sources) {
        llvm::sort(each);
        each.erase(llvm::unique(each), each.end());
      }
      traced_[value] = std::move(traced);
    }
    return absl::OkStatus();
  }

  void traceOp(mlir::Operation *op, int64_t r, OpReads &reads,
               const ArrayValues &operands, const ArrayValues &results,
               Traced &traced) {
    std::vector<Index> sizes;
    for (const ArrayValue &result : results) sizes.push_back(result.sizes);
    // The values that a region captures are not among the operands.
    traced.isLost = reads.shapes().operands.size() != operands.size();
    for (size_t k = 0; k < operands.size() && !traced.isLost; ++k) {
      const auto found = traced_.find(op->getOperand(k));
      MapCounts counts;
      auto of = reads.of(r, k, operands, sizes, counts);
      traced.isLost =
          found == traced_.end() || found->second.isLost || !of.ok();
      if (traced.isLost) return;
      traced.isCovered |= counts.cover > 0 || found->second.isCovered ||
                          op->getName().getStringRef() == "stablehlo.scatter";
      for (size_t place = 0; place < (**of).size(); ++place)
        for (int64_t element : (**of)[place])
          addSource(op->getOperand(k), element, traced.sources[place]);
    }
  }

  /// Traces a call through its function, whose result has been traced to its
  /// arguments.
  void traceCall(mlir::Operation *op, int64_t r, Traced &traced) {
    traced.isLost = true;
    mlir::Attribute symbol = op->getAttr("callee");
    if (!symbol) symbol = op->getAttr("decomposition");
    auto name = llvm::dyn_cast_or_null<mlir::FlatSymbolRefAttr>(symbol);
    auto function =
        name ? module_.lookupSymbol<mlir::FunctionOpInterface>(name.getAttr())
             : mlir::FunctionOpInterface();
    if (!function || function.isExternal()) return;
    mlir::Block &block = function.getFunctionBody().front();
    mlir::Value returned = block.getTerminator()->getOperand(r);
    const auto found = traced_.find(returned);
    if (found == traced_.end() || found->second.isLost) return;
    for (mlir::Value operand : op->getOperands())
      if (auto own = traced_.find(operand);
          own == traced_.end() || own->second.isLost)
        return;
    traced.isLost = false;
    traced.isCovered = found->second.isCovered;
    for (mlir::Value operand : op->getOperands())
      traced.isCovered |= traced_.find(operand)->second.isCovered;
    for (size_t place = 0; place < traced.sources.size(); ++place) {
      std::vector<Source> inside;
      addSource(returned, place, inside);
      for (const auto &[number, element] : inside) {
        auto argument =
            llvm::dyn_cast<mlir::BlockArgument>(traced_.begin()[number].first);
        if (argument && argument.getOwner() == &block)
          addSource(op->getOperand(argument.getArgNumber()), element,
                    traced.sources[place]);
      }
    }
  }

  static Traced untraced(const ArrayValue &array) {
    Traced traced;
    traced.array = array;
    traced.sources.resize(array.elements.size());
    return traced;
  }

  Traced &start(mlir::Value value, const ArrayValue &array) {
    return traced_[value] = untraced(array);
  }

  /// An element of a traced value, or what it is made of.
  void addSource(mlir::Value value, int64_t element,
                 std::vector<Source> &into) const {
    const auto found = traced_.find(value);
    if (found->second.isSource)
      into.emplace_back(found - traced_.begin(), element);
    else
      llvm::append_range(into, found->second.sources[element]);
  }

  absl::Status checkOp(mlir::Operation *op) {
    auto target = op->getAttrOfType<mlir::StringAttr>("call_target_name");
    const bool isCheck = op->getName().getDialectNamespace() == "check" ||
                         (target && target.getValue().starts_with("check."));
    if (!isCheck) return absl::OkStatus();
    for (mlir::Value value : op->getOperands()) {
      auto found = traced_.find(value);
      if (found == traced_.end() || found->second.isLost) {
        ++counts_.skipped;
        continue;
      }
      if (found->second.isSource) continue;
      ++counts_.values;
      if (auto s = checkValue(value, found->second); !s.ok())
        return absl::InternalError(
            absl::StrCat(s.message(), " of ", valueText(value)));
    }
    return absl::OkStatus();
  }

  static std::string valueText(mlir::Value value) {
    std::string text;
    llvm::raw_string_ostream os(text);
    value.print(os);
    return text;
  }

  /// The composed maps of `value` to every source of its block.
  absl::Status checkValue(mlir::Value value, const Traced &traced) {
    for (size_t number = 0; number < traced_.size(); ++number) {
      mlir::Value source = traced_.begin()[number].first;
      const Traced &from = traced_.begin()[number].second;
      if (!from.isSource || source.getParentBlock() != value.getParentBlock())
        continue;
      ElementReads wanted(traced.sources.size());
      for (size_t place = 0; place < wanted.size(); ++place)
        for (const Source &each : traced.sources[place])
          if (each.first == number) wanted[place].push_back(each.second);
      if (auto s = compare(value, source, wanted); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  absl::Status compare(mlir::Value value, mlir::Value source,
                       const ElementReads &wanted) {
    const Index &from = traced_[value].array.sizes;
    const Index &to = traced_[source].array.sizes;
    for (Direction direction :
         {Direction::OutputToInput, Direction::InputToOutput}) {
      const bool down = direction == Direction::OutputToInput;
      auto relation = maps_->between(value, source, direction);
      if (!relation.ok()) return relation.status();
      std::vector<ArrayShape> shapes;
      OperandValues values;
      if (!takeSources(*relation, shapes, values)) {
        ++counts_.skipped;
        return absl::OkStatus();
      }
      auto pairs = pointsWithin(*relation, down ? from : to, down ? to : from,
                                {shapes, values});
      if (!pairs.ok()) return pairs.status();
      const auto found = down ? pairs->pairs : transposed(pairs->pairs);
      std::vector<PointPair> expected;
      for (size_t place = 0; place < wanted.size(); ++place)
        for (int64_t element : wanted[place])
          expected.emplace_back(place, element);
      const bool isExact = relation->precision() == Precision::Exact;
      const bool isWithin = std::includes(expected.begin(), expected.end(),
                                          found.begin(), found.end());
      const bool isAround = std::includes(found.begin(), found.end(),
                                          expected.begin(), expected.end());
      const bool mayKnowMore = isExact && traced_[value].isCovered;
      if (mayKnowMore ? !isWithin : !isAround || (isExact && !isWithin))
        return absl::InternalError(absl::StrCat(
            "composed maps ", isExact ? "differ" : "leave out elements",
            down ? "" : ", turned around"));
      ++(isExact ? counts_.exact : counts_.cover);
      counts_.pairs += found.size();
    }
    return absl::OkStatus();
  }

  /// Sets the values of runtime variables. Returns false if a variable's source
  /// is not traced.
  bool takeSources(const IndexingRelation &relation,
                   std::vector<ArrayShape> &shapes, OperandValues &values) {
    for (const IndexingMap &piece : relation.pieces())
      for (const RuntimeVariable &variable : piece.runtime()) {
        auto found = traced_.find(maps_->sourceOf(variable.source));
        if (found == traced_.end()) return false;
        const size_t number = variable.source.tensor;
        if (number >= shapes.size()) {
          shapes.resize(number + 1);
          values.resize(number + 1);
        }
        shapes[number].dimensions = found->second.array.sizes;
        values[number] = steering(found->second.array);
      }
    return true;
  }

  mlir::ModuleOp module_;
  Counts &counts_;
  std::unique_ptr<ModuleMaps> maps_;
  llvm::MapVector<mlir::Value, Traced> traced_;
};

struct Floors {
  int64_t values, exact;
};

/// Traces the checks of a folder of the corpus. What execute_corpus_test does
/// not run is left to it.
void traceFolder(const std::string &folder, Floors floors,
                 const std::string &prefix = "") {
  Counts counts;
  for (const CorpusFile &file : corpusFiles(folder, ".mlir")) {
    if (file.name.compare(0, prefix.size(), prefix) != 0) continue;
    const std::string text = textOf(file);
    for (const MlirChunk &chunk : splitMlir(text)) {
      auto context = makeMlirContext();
      auto parsed = parseMlirModule(*context, chunk, file.name);
      if (!parsed.ok() || parsed->module->getBody()->empty()) continue;
      auto status = Tracer(*parsed->module, counts).run();
      EXPECT_TRUE(status.ok() || absl::IsUnimplemented(status))
          << file.name << ": " << status;
    }
  }
  std::cout << folder << ": " << counts.values << " values traced, "
            << counts.exact << " exact composed maps and " << counts.cover
            << " covers, " << counts.pairs << " pairs; " << counts.skipped
            << " left out\n";
  EXPECT_GE(counts.values, floors.values);
  EXPECT_GE(counts.exact, floors.exact);
}

TEST(ExecuteComposedTest, Interpreter) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  traceFolder("stablehlo/interpret", {160, 536});
}

TEST(ExecuteComposedTest, Frameworks) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  traceFolder("stablehlo/testdata", {300, 1786});
}

TEST(ExecuteComposedTest, Quantized) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  traceFolder("stablehlo/testdata_quantized", {28, 136});
}

TEST(ExecuteComposedTest, GenericForm) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  traceFolder("stablehlo/generic_form_sherloc", {71, 460});
}

TEST(ExecuteComposedTest, EndToEnd) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  traceFolder("stablehlo/iree", {78, 258}, "tests__e2e");
}

//===-- Starts that are clamped -------------------------------------------===//

/// The lines of a `main`, traced.
Counts traceLines(const std::string &lines) {
  Counts counts;
  const std::string text = "func.func @main() {\n" + lines + "\nreturn\n}";
  auto context = makeMlirContext();
  auto parsed = parseMlirModule(*context, {text, 1}, "test.mlir");
  EXPECT_TRUE(parsed.ok()) << parsed.status() << text;
  if (!parsed.ok()) return counts;
  const auto status = Tracer(*parsed->module, counts).run();
  EXPECT_TRUE(status.ok()) << status << "\n" << text;
  return counts;
}

// Constants and iotas on either side of what is in range: composition writes
// the number that they are clamped to.
TEST(ExecuteComposedTest, StartsThatAreOutOfRange) {
  const std::string vector =
      "%x = stablehlo.constant dense<[4, 8, 1, 5, 9, 2, 6, 3]> : "
      "tensor<8xi32>\n";
  Counts counts;
  auto add = [&](const std::string &lines) {
    const Counts each = traceLines(vector + lines);
    EXPECT_EQ(each.skipped, 0) << lines;
    counts.values += each.values;
    counts.exact += each.exact;
  };
  for (const char *start : {"-9", "-1", "0", "4", "5", "6", "2147483647"}) {
    const std::string constant = "%i = stablehlo.constant dense<" +
                                 std::string(start) + "> : tensor<i32>\n";
    add(constant +
        "%r = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<8xi32>, "
        "tensor<i32>) -> tensor<3xi32>\n"
        "check.expect_eq %r, %r : tensor<3xi32>");
    add(constant +
        "%u = stablehlo.constant dense<[70, 71, 72]> : tensor<3xi32>\n"
        "%r = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<8xi32>, "
        "tensor<3xi32>, tensor<i32>) -> tensor<8xi32>\n"
        "check.expect_eq %r, %r : tensor<8xi32>");
  }
  // An iota gives three pieces.
  for (const char *indices : {"stablehlo.iota dim = 0 : tensor<12xi32>",
                              "stablehlo.constant dense<-7> : tensor<12xi32>",
                              "stablehlo.constant dense<99> : tensor<12xi32>"})
    for (const char *size : {"1", "3"})
      add("%i = " + std::string(indices) +
          "\n%r = \"stablehlo.gather\"(%x, %i) {dimension_numbers = "
          "#stablehlo.gather<offset_dims = [1], start_index_map = [0], "
          "index_vector_dim = 1>, slice_sizes = array<i64: " +
          size + ">} : (tensor<8xi32>, tensor<12xi32>) -> tensor<12x" + size +
          "xi32>\ncheck.expect_eq %r, %r : tensor<12x" + size + "xi32>");
  EXPECT_EQ(counts.values, 40);
  EXPECT_GE(counts.exact, 80);
}

}  // namespace
}  // namespace indexical::testing
