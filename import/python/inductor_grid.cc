#include "indexical/import/python/inductor_grid.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/kernels_of.h"
#include "indexical/import/python/launch.h"
#include "indexical/import/python/lowering.h"
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
      if (!number) return fails("a side is not a number");
      side = *number;
    }
    return grid;
  }

  static std::optional<Grid> ofSides(llvm::ArrayRef<int64_t> sides) {
    if (sides.empty() || sides.size() > 3) return std::nullopt;
    Grid grid = {1, 1, 1};
    llvm::copy(sides, grid.begin());
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
    if (node.kind == NodeKind::Name || node.kind == NodeKind::Lambda)
      if (const auto sides = launch_.sidesBy(node))
        return sides->empty() || sides->size() > 3
                   ? fails("it has no sides, or more than three")
                   : ofSides(*sides);
    if (node.kind != NodeKind::Call) {
      const std::string own = lastNameOf(&node).str();
      return fails(absl::StrCat("it is computed by the host",
                                own.empty() ? "" : " (`", own,
                                own.empty() ? "" : "`)"));
    }
    const StringRef name = lastNameOf(&node);
    if (name == "grid") return ofSizes();
    if (name == "split_scan_grid") return ofScan();
    if (name == "cooperative_reduction_grid" ||
        (name == "maybe_cooperative_reduction_grid" &&
         launch_.values.count("RSPLIT")))
      return ofCooperation();
    if (name == "maybe_cooperative_reduction_grid") return ofSizes();
    // Of templates: sizes, then a dictionary of constants.
    if (node.parts.size() < 3) return unknownFunction(name);
    const Node *meta = node.parts.back();
    if (meta->kind == NodeKind::Name) meta = launch_.constant(meta->text);
    std::vector<int64_t> sizes;
    for (size_t k = 1; k + 1 < node.parts.size(); ++k) {
      const auto number = launch_.numberOf(*node.parts[k]);
      if (!number) return fails("a size is not a number");
      sizes.push_back(*number);
    }
    return ofTemplate(name, sizes, meta);
  }

  std::optional<Grid> ofTemplate(StringRef name, llvm::ArrayRef<int64_t> sizes,
                                 const Node *meta) {
    if (name == "mm_grid" && sizes.size() == 2)
      return ofTiles(sizes[0], sizes[1], 1, meta);
    if (name == "bmm_grid" && sizes.size() == 3)
      return ofTiles(sizes[1], sizes[2], sizes[0], meta);
    if (name == "persistent_mm_grid" && sizes.size() == 2) {
      const auto cores = entry(meta, "NUM_SMS");
      const auto tiles = ofTiles(sizes[0], sizes[1], 1, meta);
      if (!cores || !tiles) return std::nullopt;
      return Grid{std::min(*cores, (*tiles)[0]), 1, 1};
    }
    const bool isPlane =
        (name == "conv_grid" || name == "conv2d_grid") && sizes.size() == 4;
    if (isPlane || (name == "conv3d_grid" && sizes.size() == 5)) {
      const auto m = entry(meta, "BLOCK_M"), n = entry(meta, "BLOCK_N"),
                 groups = entry(meta, "GROUPS");
      if (!m || !n || !groups || *m < 1 || *n < 1) return std::nullopt;
      auto pixels = product(sizes.drop_front(2));
      if (pixels) pixels = checkedMul(*pixels, sizes[0]);
      if (!pixels) return fails("it has too many programs");
      return Grid{ceilDiv(*pixels, *m), ceilDiv(sizes[1], *n), *groups};
    }
    return ofAttention(name, sizes, meta);
  }

  /// Of FlexAttention, whose sizes begin with those of the batch and the heads.
  std::optional<Grid> ofAttention(StringRef name, llvm::ArrayRef<int64_t> sizes,
                                  const Node *meta) {
    const auto rows = sizes.size() < 2 ? std::nullopt
                                       : checkedMul(sizes[0], sizes[1]);
    if ((name == "flex_attention_grid" || name == "sdpa_grid") &&
        sizes.size() == 4 && rows) {
      const auto block = entry(meta, "BLOCK_M");
      if (!block || *block < 1) return std::nullopt;
      return Grid{ceilDiv(sizes[2], *block), *rows, 1};
    }
    if (name == "flex_decoding_grid" && (sizes.size() == 4 ||
                                         sizes.size() == 5) && rows) {
      const auto split = entry(meta, "SPLIT_KV");
      if (!split) return std::nullopt;
      return Grid{*rows, *split, 1};
    }
    if (name == "flex_attention_backward_grid" && sizes.size() == 6 &&
        sizes[4] > 0) {
      const auto m = entry(meta, "BLOCK_M2"), n = entry(meta, "BLOCK_N1");
      if (!m || !n || *m < 1 || *n < 1) return std::nullopt;
      const auto queries =
          checkedMul(ceilDiv(sizes[2], *m), sizes[1] / sizes[4]);
      const auto all = queries ? checkedAdd(*queries, ceilDiv(sizes[5], *n))
                               : std::nullopt;
      const auto heads = checkedMul(sizes[0], sizes[4]);
      if (!all || !heads) return fails("it has too many programs");
      return Grid{*all, 1, *heads};
    }
    return unknownFunction(name);
  }

  static std::optional<int64_t> product(llvm::ArrayRef<int64_t> sizes) {
    std::optional<int64_t> all = 1;
    for (int64_t size : sizes)
      if (all) all = checkedMul(*all, size);
    return all;
  }

  std::optional<Grid> ofCooperation() {
    const auto split = size("RSPLIT"), numel = size("xnumel");
    if (!split || !numel) return std::nullopt;
    const auto block = launch_.values.find("XBLOCK");
    return Grid{*split,
                block == launch_.values.end()
                    ? *numel
                    : ceilDiv(*numel, std::max<int64_t>(1, block->second)),
                1};
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
    if (name == "PrecomputedGrid") return ofConfig(own);
    if (name == "SequentialComboKernelGrid")
      return ofCombination(entryOf(own, "combo_grid_meta"), /*inTurn=*/false);
    if (name == "RoundRobinComboKernelGrid")
      return ofCombination(entryOf(own, "combo_grid_meta"), /*inTurn=*/true);
    if (name == "CooperativeReductionGrid") return ofCooperation();
    if (name == "MixOrderReductionGrid") {
      const auto rows = size("xnumel"), split = size("RSPLIT_SIZE");
      if (!rows || !split || *split < 1) return std::nullopt;
      return Grid{ceilDiv(*rows, *split), 1, 1};
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
      if (!value) return fails("a side is not a number");
      side = *value;
    }
    return grid;
  }

  /// `'precomputed_grids': [{'config': {'B': 64}, 'python': ['8', '1', '1']}]`:
  /// that of the kernel's constants.
  std::optional<Grid> ofConfig(const Node *own) {
    const Node *list = entryOf(own, "precomputed_grids");
    if (!list || list->kind != NodeKind::List)
      return fails("its configurations are not a list");
    for (const Node *each : list->parts) {
      const Node *config = entryOf(each, "config");
      const Node *sides = entryOf(each, "python");
      if (!config || config->kind != NodeKind::Dict || !sides ||
          sides->parts.size() != 3)
        return fails("a configuration has no grid");
      if (!isOfKernel(*config)) continue;
      std::vector<int64_t> numbers;
      for (const Node *side : sides->parts) {
        const auto number = side && side->kind == NodeKind::String
                                ? numberIn(side->text, own)
                                : std::nullopt;
        if (!number) return fails("a side is not a number");
        numbers.push_back(*number);
      }
      return ofSides(numbers);
    }
    return fails("no configuration has the kernel's constants");
  }

  /// Whether the constants of a configuration are those of the kernel.
  bool isOfKernel(const Node &config) const {
    for (size_t k = 0; k + 1 < config.parts.size(); k += 2) {
      const Node *key = config.parts[k];
      if (!key || key->kind != NodeKind::String) return false;
      const auto known = launch_.values.find(key->text.str());
      if (known == launch_.values.end()) continue;  // `num_stages`
      if (launch_.numberOf(*config.parts[k + 1]) != known->second) return false;
    }
    return true;
  }

  /// Returns what an expression of arguments is, and of those of the launcher.
  std::optional<int64_t> numberIn(StringRef text, const Node *own) {
    std::map<std::string, Value> known;
    for (const auto &[name, value] : launch_.values)
      known[name] = Value::whole(value);
    const Node *more = entryOf(own, "extra_launcher_args");
    if (more && more->kind == NodeKind::List)
      for (auto [part, value] : llvm::zip(more->parts, launch_.behind))
        if (part && part->kind == NodeKind::String)
          known[part->text.str()] = Value::whole(value);
    ModuleText store;
    const Node *node = expressionOf(text, store);
    if (!node) return std::nullopt;
    Lowering host(store, "");
    const Value value = host.evaluate(node, known);
    return host.refusal ? std::nullopt : smallOf(value);
  }

  /// Of kernels that are one: their blocks, one kernel after another, or a block
  /// of each in turn.
  std::optional<Grid> ofCombination(const Node *combination, bool inTurn) {
    const auto count = entry(combination, "num_kernels");
    if (!count || *count < 1 || *count > 4096) return std::nullopt;
    const Node *constants = entryOf(combination, "default_config");
    auto blockOf = [&](StringRef name) -> std::optional<int64_t> {
      const auto block = constants && constants->kind == NodeKind::Dict
                             ? entry(constants, name)
                             : size(name);
      return block && *block >= 1 ? block : std::nullopt;
    };
    auto numelOf = [&](const std::string &name) {
      const Node *value = entryOf(combination, name);
      const auto numel = value ? launch_.numberOf(*value) : std::nullopt;
      return numel ? numel : size(name);
    };
    int64_t sum = 0, most = 0;
    Grid grid = {1, 1, 1};
    for (int64_t k = 0; k < *count; ++k) {
      auto blocks = numelOf(absl::StrCat("xnumel_", k));
      if (!blocks) return std::nullopt;
      const Node *plain = entryOf(combination, absl::StrCat("no_x_dim_", k));
      if (!plain || plain->text != "True") {
        const auto block = blockOf("XBLOCK");
        if (!block) return std::nullopt;
        blocks = ceilDiv(*blocks, *block);
      }
      most = std::max(most, *blocks);
      const auto all = checkedAdd(sum, *blocks);
      if (!all) return fails("it has too many programs");
      sum = *all;
      // The other sides are the longest ones.
      for (const size_t axis : {1, 2}) {
        const std::string numel =
            absl::StrCat(axis == 1 ? "y" : "z", "numel_", k);
        if (!entryOf(combination, numel)) continue;
        const auto own = numelOf(numel);
        const auto block = blockOf(axis == 1 ? "YBLOCK" : "ZBLOCK");
        if (!own || !block) return std::nullopt;
        grid[axis] = std::max(grid[axis], ceilDiv(*own, *block));
      }
    }
    const auto turns = checkedMul(most, *count);
    if (inTurn && !turns) return fails("it has too many programs");
    const Node *least = entryOf(combination, "min_blocks");
    const auto number = least ? launch_.numberOf(*least) : std::nullopt;
    grid[0] = std::max(inTurn ? *turns : sum, number.value_or(1));
    return grid;
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
