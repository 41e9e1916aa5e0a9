#include "indexical/answers/kernel/fusion_grids.h"

#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/answers/kernel/kernel_fusion.h"
#include "indexical/import/triton/sources/configuration_text.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/products/dot.h"
#include "indexical/program/module/callees.h"
#include "indexical/same/kernel/fusion_grid.h"

namespace indexical {
namespace {

using llvm::StringRef;

constexpr StringRef kGemmConfig = "triton_gemm_config";

/// The configuration of a product of matrices in an instruction's.
class GemmConfig {
 public:
  explicit GemmConfig(const Instruction &instruction) {
    if (!instruction.backendConfig.contains(kGemmConfig)) return;
    auto parsed =
        llvm::json::parse(configurationText(instruction.backendConfig));
    if (!parsed) {
      llvm::consumeError(parsed.takeError());
      return;
    }
    whole_ = *std::move(parsed);
    config_ = whole_.getAsObject();
    for (StringRef key : {StringRef("fusion_backend_config"), kGemmConfig})
      if (config_) config_ = config_->getObject(key);
  }
  GemmConfig(const GemmConfig &) = delete;

  bool isThere() const { return config_ != nullptr; }
  /// Returns what it has under the key, as a number or as a text of one.
  std::optional<int64_t> number(StringRef key) const {
    if (!config_) return std::nullopt;
    if (const auto number = config_->getInteger(key)) return *number;
    int64_t number = 0;
    const auto text = config_->getString(key);
    if (!text || text->getAsInteger(10, number)) return std::nullopt;
    return number;
  }

 private:
  llvm::json::Value whole_ = nullptr;
  const llvm::json::Object *config_ = nullptr;
};

/// The rows and columns of a product of matrices, and how many there are.
struct ProductSizes {
  int64_t rows = 1, columns = 1, batch = 1;
};

/// Returns the sizes of the one product of a fusion, as the product has them:
/// the fusion may transpose its result.
std::optional<ProductSizes> productOf(const Module &module,
                                      const Instruction &instruction) {
  const auto callee = calleeOfCall(instruction);
  if (!callee || callee->computation < 0) return std::nullopt;
  const DotOp *product = nullptr;
  for (const Instruction &inside :
       module.computations[callee->computation].instructions)
    if (const auto *dot = inside.op.as<DotOp>()) {
      if (product) return std::nullopt;
      product = dot;
    }
  if (!product) return std::nullopt;
  ProductSizes sizes;
  auto multiply = [](int64_t &by, int64_t size) {
    by = checkedMul(by, size).value_or(-1);
  };
  const ArrayShape &lhs = product->operands[0], &rhs = product->operands[1];
  for (auto [k, size] : llvm::enumerate(lhs.dimensions)) {
    const auto dimension = static_cast<int64_t>(k);
    if (llvm::is_contained(product->lhsBatch, dimension))
      multiply(sizes.batch, size);
    else if (!llvm::is_contained(product->lhsContracting, dimension))
      multiply(sizes.rows, size);
  }
  for (auto [k, size] : llvm::enumerate(rhs.dimensions)) {
    const auto dimension = static_cast<int64_t>(k);
    if (!llvm::is_contained(product->rhsBatch, dimension) &&
        !llvm::is_contained(product->rhsContracting, dimension))
      multiply(sizes.columns, size);
  }
  if (lhs.hasUnknownSize() || rhs.hasUnknownSize() || sizes.rows < 1 ||
      sizes.columns < 1 || sizes.batch < 1)
    return std::nullopt;
  return sizes;
}

/// The most blocks along y.
constexpr int64_t kMostBlocksY = 65535;

}  // namespace

std::optional<int64_t> warpsOfProduct(const Instruction &instruction) {
  return GemmConfig(instruction).number("num_warps");
}

std::vector<int64_t> gridOfProduct(const Module &module,
                                   const Instruction &instruction) {
  const GemmConfig config(instruction);
  if (!config.isThere()) return {};
  const auto sizes = productOf(module, instruction);
  if (!sizes || sizes->batch > kMostBlocksY) return {};
  const auto rows = config.number("block_m"),
             columns = config.number("block_n"),
             split = config.number("split_k");
  if (!rows || !columns || *rows < 1 || *columns < 1 || split.value_or(1) != 1)
    return {};
  const auto tiles = checkedMul(ceilDiv(sizes->rows, *rows),
                                ceilDiv(sizes->columns, *columns));
  if (!tiles) return {};
  return {*tiles, sizes->batch};
}

std::vector<int64_t> gridOfFusion(const Module &module,
                                  const Instruction &instruction) {
  if (auto grid = gridOfProduct(module, instruction); !grid.empty())
    return grid;
  Fusion fusion;
  fusion.module = &module;
  fusion.caller = &instruction;
  const FusionLaunch launch = launchOf(fusion);
  const auto &results = shapesOf(instruction.op).results;
  if (launch.tiles.empty() || launch.tiles.size() > results.size()) return {};
  std::optional<int64_t> blocks;
  for (auto [result, tile] : llvm::zip(results, launch.tiles)) {
    if (tile.size() != result.dimensions.size()) return {};
    const int64_t own = kernels::programsOf(result, tile);
    if (blocks && own != *blocks) return {};
    blocks = own;
  }
  return {ceilDiv(*blocks, launch.tilesOfProgram)};
}

}  // namespace indexical
