#include "indexical/import/python/inductor_grid.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/launch.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical::python {
namespace {

using llvm::StringRef;
using Grid = std::array<int64_t, 3>;

/// Most programs along y and z.
constexpr int64_t kMostAlongY = 65535;

class GridReader {
 public:
  GridReader(const InductorLaunch &launch, std::string &why)
      : launch_(launch), why_(why) {}

  std::optional<Grid> run() {
    auto grid = launch_.grid ? ofCall(*launch_.grid) : ofType();
    if (grid && llvm::any_of(*grid, [](int64_t n) { return n < 1; }))
      return fails("it has no programs");
    return grid;
  }

 private:
  std::nullopt_t fails(std::string why) {
    if (why_.empty()) why_ = std::move(why);
    return std::nullopt;
  }

  std::optional<int64_t> size(StringRef name) {
    const auto found = launch_.values.find(name.str());
    if (found != launch_.values.end()) return found->second;
    return fails(absl::StrCat("`", name.str(), "` has no value"));
  }

  /// Returns what a key of a dictionary of the host is, as an integer.
  std::optional<int64_t> entry(const Node *dict, StringRef key) {
    const Node *value = entryOf(dict, key);
    const auto number = value ? launch_.numberOf(*value) : std::nullopt;
    if (number) return number;
    return fails(absl::StrCat("`", key.str(), "` has no value"));
  }

  /// The numbers of elements, each divided by its block.
  std::optional<Grid> ofSizes() {
    Grid grid = {1, 1, 1};
    if (launch_.kernel.grid.empty())
      return fails("the kernel has no number of elements");
    for (auto [side, term] : llvm::zip(grid, launch_.kernel.grid)) {
      const auto value = valueOf(term, launch_.values);
      if (!value)
        return fails(absl::StrCat("`", textOf(term), "` has no value"));
      side = *value;
    }
    // A side along y that is too long goes on along z.
    if (launch_.kernel.grid.size() == 2 && grid[1] > kMostAlongY) {
      grid[2] = ceilDiv(grid[1], kMostAlongY);
      grid[1] = ceilDiv(grid[1], grid[2]);
    }
    return grid;
  }

  std::optional<Grid> ofScan() {
    auto rows = size("xnumel");
    const bool isNew = launch_.values.count("r0_numel") != 0;
    auto numel = size(isNew ? "r0_numel" : "rnumel");
    auto block = size(isNew ? "R0_BLOCK" : "RBLOCK");
    if (!rows || !numel || !block || *block < 1) return std::nullopt;
    return Grid{ceilDiv(*numel, *block), *rows, 1};
  }

  //===-- grid=… ----------------------------------------------------------===//

  std::optional<Grid> ofNumbers(llvm::ArrayRef<Node *> parts) {
    Grid grid = {1, 1, 1};
    if (parts.size() > 3) return fails("it has more than three sides");
    for (auto [side, part] : llvm::zip(grid, parts)) {
      const auto number = launch_.numberOf(*part);
      if (!number) return fails("a side is no number");
      side = *number;
    }
    return grid;
  }

  std::optional<Grid> ofCall(const Node &node) {
    if (node.kind == NodeKind::Tuple || node.kind == NodeKind::List)
      return ofNumbers(node.parts);
    if (node.kind == NodeKind::Name) {
      const Node *value = launch_.constant(node.text);
      if (value && value->kind == NodeKind::Tuple)
        return ofNumbers(value->parts);
    }
    if (node.kind != NodeKind::Call)
      return fails(absl::StrCat("it is computed by the host (`",
                                lastNameOf(&node).str(), "`)"));
    const StringRef name = lastNameOf(&node);
    if (name == "grid") return ofSizes();
    if (name == "split_scan_grid") return ofScan();
    // Of templates: sizes, then a dictionary of constants.
    if (node.parts.size() < 3) return unknownFunction(name);
    const Node *meta = node.parts.back();
    if (meta->kind == NodeKind::Name) meta = launch_.constant(meta->text);
    std::vector<int64_t> sizes;
    for (size_t k = 1; k + 1 < node.parts.size(); ++k) {
      const auto number = launch_.numberOf(*node.parts[k]);
      if (!number) return fails("a size is no number");
      sizes.push_back(*number);
    }
    if (name == "mm_grid" && sizes.size() == 2)
      return ofTiles(sizes[0], sizes[1], 1, meta);
    if (name == "bmm_grid" && sizes.size() == 3)
      return ofTiles(sizes[1], sizes[2], sizes[0], meta);
    if ((name == "conv_grid" || name == "conv2d_grid") && sizes.size() == 4) {
      const auto m = entry(meta, "BLOCK_M"), n = entry(meta, "BLOCK_N"),
                 groups = entry(meta, "GROUPS");
      if (!m || !n || !groups || *m < 1 || *n < 1) return std::nullopt;
      const auto pixels = checkedMul(sizes[0], sizes[2]);
      const auto rows = pixels ? checkedMul(*pixels, sizes[3]) : std::nullopt;
      if (!rows) return fails("it has too many programs");
      return Grid{ceilDiv(*rows, *m), ceilDiv(sizes[1], *n), *groups};
    }
    return unknownFunction(name);
  }

  std::nullopt_t unknownFunction(StringRef name) {
    return fails(absl::StrCat("the function `", name.str(), "` makes it"));
  }

  std::optional<Grid> ofTiles(int64_t rows, int64_t columns, int64_t batch,
                              const Node *meta) {
    const auto m = entry(meta, "BLOCK_M"), n = entry(meta, "BLOCK_N");
    if (!m || !n || *m < 1 || *n < 1) return std::nullopt;
    const auto tiles = checkedMul(ceilDiv(rows, *m), ceilDiv(columns, *n));
    if (!tiles) return fails("it has too many programs");
    return Grid{*tiles, batch, 1};
  }

  //===-- 'grid_type': … --------------------------------------------------===//

  const Node *meta() const {
    for (const Node *decorator : launch_.function.decorators)
      if (decorator->kind == NodeKind::Call)
        if (const Node *found = keywordOf(*decorator, "inductor_meta"))
          return found;
    return nullptr;
  }

  std::optional<Grid> ofType() {
    const Node *own = meta();
    const Node *type = entryOf(own, "grid_type");
    const StringRef name =
        type && type->kind == NodeKind::String ? type->text : StringRef();
    if (name == "FixedGrid") return ofFixed(entryOf(own, "fixed_grid"));
    if (name == "SplitScanGrid") return ofScan();
    if (name == "SequentialComboKernelGrid")
      return ofCombination(entryOf(own, "combo_grid_meta"));
    if (name == "CooperativeReductionGrid") {
      const auto split = size("RSPLIT"), numel = size("xnumel");
      if (!split || !numel) return std::nullopt;
      const auto block = launch_.values.find("XBLOCK");
      return Grid{*split,
                  block == launch_.values.end()
                      ? *numel
                      : ceilDiv(*numel, std::max<int64_t>(1, block->second)),
                  1};
    }
    static constexpr StringRef kOfSizes[] = {"", "Grid1D", "Grid2D", "Grid3D",
                                             "Grid2DWithYZOverflow"};
    if (llvm::is_contained(kOfSizes, name)) return ofSizes();
    return fails(absl::StrCat("its type is `", name.str(), "`"));
  }

  /// `['_grid_0', '_grid_1', 1]`, whose names are arguments of the launcher.
  std::optional<Grid> ofFixed(const Node *list) {
    if (!list || list->parts.size() != 3) return fails("it has no three sides");
    Grid grid = {1, 1, 1};
    for (auto [side, part] : llvm::zip(grid, list->parts)) {
      StringRef name = part->kind == NodeKind::String ? part->text : "";
      size_t number = 0;
      if (name.consume_front("_grid_")) {
        if (name.getAsInteger(10, number) || number >= launch_.behind.size())
          return fails("the launch does not give it");
        side = launch_.behind[number];
        continue;
      }
      std::optional<int64_t> value;
      if (!name.empty()) {
        int64_t digits = 0;
        value = name.getAsInteger(10, digits) ? size(name)
                                              : std::optional<int64_t>(digits);
      } else {
        value = launch_.numberOf(*part);
      }
      if (!value) return fails("a side is no number");
      side = *value;
    }
    return grid;
  }

  /// Of kernels that are one: their blocks, one after another.
  std::optional<Grid> ofCombination(const Node *combination) {
    const auto count = entry(combination, "num_kernels");
    if (!count || *count < 1 || *count > 4096) return std::nullopt;
    const Node *constants = entryOf(combination, "default_config");
    auto block = constants && constants->kind == NodeKind::Dict
                     ? entry(constants, "XBLOCK")
                     : size("XBLOCK");
    if (!block || *block < 1) return std::nullopt;
    int64_t blocks = 0;
    for (int64_t k = 0; k < *count; ++k) {
      if (entryOf(combination, absl::StrCat("ynumel_", k)))
        return fails("its kernels have two dimensions");
      const std::string name = absl::StrCat("xnumel_", k);
      const Node *value = entryOf(combination, name);
      auto numel = value ? launch_.numberOf(*value) : std::nullopt;
      if (!numel) numel = size(name);
      if (!numel) return std::nullopt;
      const Node *plain = entryOf(combination, absl::StrCat("no_x_dim_", k));
      const bool isWhole = plain && plain->text == "True";
      const auto sum =
          checkedAdd(blocks, isWhole ? *numel : ceilDiv(*numel, *block));
      if (!sum) return fails("it has too many programs");
      blocks = *sum;
    }
    return Grid{blocks, 1, 1};
  }

  const InductorLaunch &launch_;
  std::string &why_;
};

}  // namespace

std::optional<std::array<int64_t, 3>> gridOf(const InductorLaunch &launch,
                                             std::string &why) {
  return GridReader(launch, why).run();
}

}  // namespace indexical::python
