#include "indexical/cost/tiles/use_formulas.h"

#include <map>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/tiles/tile.h"
#include "indexical/cost/tiles/tile_forms.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/ops/sizes.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

using Forms = llvm::SmallVector<FormId, 4>;

RootTile wholeOf(const ArrayShape &shape) {
  RootTile root;
  root.shape.assign(shape.dimensions.begin(), shape.dimensions.end());
  root.sizes.assign(shape.rank(), TileExtent::of(Interval::kInfinity));
  return root;
}

class FormulaFinder {
 public:
  FormulaFinder(ProgramIndexing &maps, Leaf reader, Leaf operand)
      : maps_(maps), reader_(reader), operand_(operand) {}

  absl::StatusOr<UseFormulas> run(const AskedShare &share) {
    INDEXICAL_ASSIGN_OR_RETURN(auto from, endsOf(reader_));
    INDEXICAL_ASSIGN_OR_RETURN(auto to, endsOf(operand_));
    open_ = {std::move(from), std::move(to)};
    INDEXICAL_ASSIGN_OR_RETURN(const Forms sizes,
                               sizesOf(operand_, open_.tensor));
    found_.size = productOf(sizes);
    INDEXICAL_ASSIGN_OR_RETURN(auto reads, maps_.until(reader_, {operand_}));
    const IndexingRelation &relation = reads[0];
    if (relation.precision() == Precision::Exact) {
      absl::Status status;
      if (relation.isEmpty())
        found_.distinct = found_.reads = f_.number(0);
      else if (relation.pieces().size() == 1)
        status = addUse(relation.pieces()[0], share);
      INDEXICAL_RETURN_IF_ERROR(status);
    }
    if (found_.distinct) {
      const int64_t bits = bitsOf(shapeOf(operand_).type);
      if (bits > 0 && bits % 8 == 0)
        found_.bytes = f_.scale(*found_.distinct, bits / 8);
    }
    return finished();
  }

 private:
  const ArrayShape &shapeOf(Leaf leaf) const {
    return shapesOf(maps_.module()
                        .computations[leaf.computation]
                        .instructions[leaf.instruction]
                        .op)
        .results[leaf.leaf];
  }

  /// Returns the map of every index of a leaf to itself, if one of its sizes is
  /// not known.
  absl::StatusOr<std::optional<IndexingMap>> endsOf(Leaf leaf) {
    if (!hasOpenSize(shapeOf(leaf))) return std::nullopt;
    INDEXICAL_ASSIGN_OR_RETURN(auto itself, maps_.until(leaf, {leaf}));
    if (itself[0].pieces().size() != 1) return std::nullopt;
    return itself[0].pieces()[0];
  }

  /// Returns the sizes of a tensor, as its tile of all elements has them. Sizes
  /// that depend on values of the run are variables: `n0` for the size of `s`
  /// in
  ///
  ///   s = f32[?] real-dynamic-slice(x, start, limit, stride)
  absl::StatusOr<Forms> sizesOf(Leaf leaf,
                                const std::optional<IndexingMap> &ends) {
    const ArrayShape &shape = shapeOf(leaf);
    INDEXICAL_ASSIGN_OR_RETURN(auto itself,
                               ends ? absl::StatusOr<IndexingMap>(*ends)
                                    : simplify(identityOf(shape)));
    Forms sizes;
    if (itself.isKnownEmpty()) {  // a size is 0
      for (int64_t size : shape.dimensions)
        sizes.push_back(f_.number(size == kDynamicSize ? 0 : size));
      return sizes;
    }
    INDEXICAL_ASSIGN_OR_RETURN(
        auto tile, tileThrough(itself, wholeOf(shape), shape.dimensions, true,
                               {ends, ends}));
    for (int64_t k = 0; k < shape.rank(); ++k) {
      const auto size = imported(tile, tile.sizes()[k], {});
      sizes.push_back(size ? size->front() : ownSize(leaf, k));
    }
    return sizes;
  }

  /// Returns the variable that is the size of a tensor's dimension.
  FormId ownSize(Leaf leaf, int64_t dimension) {
    RuntimeSource source;
    source.kind = RuntimeSource::Kind::Size;
    source.tensor =
        maps_.numberOf({leaf.computation, leaf.instruction, leaf.leaf, {}});
    source.dimension = dimension;
    if (shapeOf(leaf).dimensions[dimension] != kDynamicSize)
      source.count = shapeOf(leaf).dimensions[dimension];
    return *sizeOf(source);
  }

  /// Returns forms of a tile at offsets and symbols that are forms of sizes;
  /// nothing if they name anything else.
  std::optional<Forms> imported(
      const SymbolicTile &tile, llvm::ArrayRef<FormId> forms,
      llvm::ArrayRef<std::pair<FormId, FormId>> sides) {
    bool isKnown = true;
    auto replace = [&](VariableId id) -> FormId {
      std::optional<FormId> form;
      if (id.kind == VariableKind::Runtime)
        form = sizeOf(tile.map().runtime()[id.index].source);
      else if (sides.empty() && id.kind == VariableKind::Dimension)
        form = f_.number(0);
      else if (id.index < sides.size())
        form = id.kind == VariableKind::Dimension ? sides[id.index].first
                                                  : sides[id.index].second;
      isKnown = isKnown && form;
      return form.value_or(f_.number(0));
    };
    ExpressionImport import(tile.map().expressions(), f_.pool, replace);
    Forms found;
    for (FormId form : forms) found.push_back(import(form));
    if (!isKnown) return std::nullopt;
    return found;
  }

  /// Returns the variable of a size; nothing if the source is not a size.
  std::optional<FormId> sizeOf(const RuntimeSource &source) {
    if (source.kind != RuntimeSource::Kind::Size) return std::nullopt;
    for (auto [i, known] : llvm::enumerate(variables_))
      if (known.source == source) return forms_[i];
    RuntimeVariable added;
    added.source = source;
    added.bounds = source.values();
    added.bounds.lower = 1;  // of 0 there is nothing to read
    variables_.push_back(std::move(added));
    forms_.push_back(f_.add(VariableKind::Runtime, variables_.back().bounds));
    return forms_.back();
  }

  FormId productOf(llvm::ArrayRef<FormId> factors) {
    FormId product = f_.number(1);
    for (FormId factor : factors) product = f_.product(product, factor);
    return product;
  }

  absl::Status addUse(const IndexingMap &piece, const AskedShare &share) {
    const ArrayShape &from = shapeOf(reader_), &to = shapeOf(operand_);
    INDEXICAL_ASSIGN_OR_RETURN(auto ends, sizesOf(reader_, open_.root));
    RootTile root = wholeOf(from), one = root;
    one.sizes.assign(from.rank(), TileExtent::of(1));
    // The part of the result that is asked about: where it begins, and its
    // sizes.
    llvm::SmallVector<std::pair<FormId, FormId>, 4> sides;
    Forms extents = ends;
    for (size_t k = 0; k < share.tile.size(); ++k) {
      root.sizes[k] = TileExtent::symbol("t" + std::to_string(k));
      const FormId at = f_.number(share.at[k]);
      extents[k] = f_.smaller(f_.number(share.tile[k]), f_.sub(extents[k], at));
      sides.push_back({at, extents[k]});
    }
    INDEXICAL_ASSIGN_OR_RETURN(
        auto tile, tileThrough(piece, root, to.dimensions, true, open_));
    if (isOfAll(tile)) addElements(tile, sides);
    INDEXICAL_ASSIGN_OR_RETURN(
        auto element, tileThrough(piece, one, to.dimensions, true, open_));
    if (!isOfAll(element)) return absl::OkStatus();
    // Each index must read equally many.
    bool isSame = true;
    element.map().expressions().visitVariables(
        element.sizes(), [&](VariableId id) {
          isSame = isSame && id.kind == VariableKind::Runtime;
        });
    if (!isSame) return absl::OkStatus();
    if (const auto counts = imported(element, element.sizes(), {}))
      found_.reads = f_.product(productOf(extents), productOf(*counts));
    return absl::OkStatus();
  }

  static bool isOfAll(const SymbolicTile &tile) {
    return tile.isExact() && tile.conditions().empty() && tile.isOfAll();
  }

  void addElements(const SymbolicTile &tile,
                   llvm::ArrayRef<std::pair<FormId, FormId>> sides) {
    const auto first = imported(tile, tile.offsets(), sides);
    const auto counts = imported(tile, tile.sizes(), sides);
    const auto strides = imported(tile, tile.strides(), sides);
    if (!first || !counts || !strides) return;
    found_.distinct = productOf(*counts);
    for (auto [at, count, stride] : llvm::zip_equal(*first, *counts, *strides))
      found_.box.push_back(
          {at, f_.add(at, f_.product(f_.shift(count, -1), stride))});
  }

  /// The formulas as results of one map, which has the variables that they
  /// name.
  absl::StatusOr<UseFormulas> finished() {
    UseFormulas empty;
    if (f_.hasFailed()) return empty;
    IndexingMapBuilder b;
    std::map<uint32_t, FormId> named;
    auto replace = [&](VariableId id) {
      auto [known, isNew] = named.insert({id.index, 0});
      if (!isNew) return known->second;
      RuntimeVariable variable = variables_[id.index];
      variable.name = "n" + std::to_string(named.size() - 1);
      return known->second = b.runtime(std::move(variable)).form();
    };
    ExpressionImport import(f_.pool, b.pool(), replace);
    std::vector<FormId *> all;
    for (std::optional<FormId> *formula :
         {&found_.size, &found_.distinct, &found_.bytes, &found_.reads})
      if (*formula) all.push_back(&**formula);
    for (auto &[least, greatest] : found_.box) {
      all.push_back(&least);
      all.push_back(&greatest);
    }
    for (FormId *formula : all) b.result(b.expression(import(*formula)));
    INDEXICAL_ASSIGN_OR_RETURN(found_.sizes, b.build());
    for (auto [formula, result] : llvm::zip_equal(all, found_.sizes.results()))
      *formula = result;
    return std::move(found_);
  }

  ProgramIndexing &maps_;
  const Leaf reader_, operand_;
  OpenEnds open_;
  TileForms f_;
  std::vector<RuntimeVariable> variables_;
  Forms forms_;  ///< of the variables
  UseFormulas found_;
};

}  // namespace

std::optional<int64_t> UseFormulas::at(FormId formula,
                                       llvm::ArrayRef<int64_t> values) const {
  auto value = [&](VariableId id) {
    return id.index < values.size() ? values[id.index] : 0;
  };
  return Evaluation(sizes.expressions(), value)(formula);
}

absl::StatusOr<UseFormulas> useFormulasOf(ProgramIndexing &maps,
                                          ComputationId computation,
                                          InstructionId instruction,
                                          LeafId operandLeaf,
                                          const AskedShare &share) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] {
      return useFormulasOf(maps, computation, instruction, operandLeaf, share);
    });
  const Computation &own = maps.module().computations[computation];
  const Instruction &user = own.instructions[instruction];
  if (shapesOf(user.op).results.size() != 1) return UseFormulas();
  const OperandLeaf leaf = own.operandLeaf(instruction, operandLeaf);
  // If a leaf is two operands, only the reads of both together are known.
  int64_t times = 0;
  for (const OperandLeaf &other : own.operandLeaves(instruction))
    times +=
        other.instruction == leaf.instruction && other.result == leaf.result;
  if (times > 1 && !user.op.is<ElementwiseOp>()) return UseFormulas();
  return FormulaFinder(maps, {computation, instruction},
                       {computation, leaf.instruction, leaf.result})
      .run(share);
}

}  // namespace indexical
