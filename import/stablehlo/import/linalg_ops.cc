// linalg: structured ops by their indexing maps and their bodies.
//
//   linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>)
//                 outs(%c : tensor<4x16xf32>)
//     loops l0 in [0, 3], l1 in [0, 15], l2 in [0, 7]
//     operand 0   result (l0, l1), operand (l0, l2):  (d0, d1)[s0] -> (d0, s0)
//     operand 2   the init, which the body adds to:   (d0, d1) -> (d0, d1)
//
// A result reads an operand where the value that the body yields for it depends
// on the operand's argument; fill does not read its init, pooling not the
// tensor that gives its window a size. An element of a result that no iteration
// defines is that of the init. Iterations that define one element several times
// without a use of what was there before leave the last one's value, whichever
// that is: a cover.
//
// A result that depends on the running value of another one (an argmax) depends
// on all that the other one does.
#include <algorithm>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "indexical/import/stablehlo/import/accesses.h"
#include "indexical/import/stablehlo/import/linalg_relayout.h"
#include "indexical/import/stablehlo/import/region_reads.h"
#include "indexical/indexing/affine_map.h"

namespace indexical {
namespace {

/// One loop of the iteration space.
struct LoopExtent {
  int64_t size = kDynamicSize;
  int64_t leaf = 0, dimension = 0;  ///< whose size it is
  bool isNamed = false;             ///< whether it is a coordinate by itself
  bool isKnown() const { return size != kDynamicSize; }
};

/// The structure of an op that its maps follow from.
struct Structure {
  llvm::SmallVector<LoopExtent, 6> loops;
  /// For each operand, its coordinates over the loops.
  llvm::SmallVector<mlir::AffineMap, 4> maps;
  int64_t inputs = 0;

  /// The reads of a result's yielded value.
  struct Yield {
    /// The arguments that are read in all iterations together, and those of
    /// them that the result's own value is computed from.
    llvm::SmallBitVector arguments, direct;
    llvm::SmallVector<RegionRead, 2> captured;
    bool exact = true;  ///< whether every iteration counts
  };
  llvm::SmallVector<Yield, 1> yields;
  const RegionReads *reads = nullptr;

  Access::Exprs begin(Access &access) const;
  std::optional<Access::Exprs> coordinates(Access &access,
                                           int64_t operand) const;
  bool addInit(const OpShapes &shapes, int64_t result, AccessList &list) const;
  absl::Status describe(const OpShapes &shapes, int64_t result, int64_t operand,
                        AccessList &list) const;
};

/// Returns the position of the result of the map that is this loop alone, or
/// -1.
int64_t placeOf(mlir::AffineMap map, unsigned loop) {
  for (auto [place, expr] : llvm::enumerate(map.getResults()))
    if (auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr))
      if (dim.getPosition() == loop) return place;
  return -1;
}

LoopExtent extentOf(unsigned loop, llvm::ArrayRef<mlir::AffineMap> maps,
                    const OpShapes &shapes) {
  LoopExtent extent;
  for (auto [leaf, map] : llvm::enumerate(maps)) {
    const int64_t place = placeOf(map, loop);
    if (place < 0) continue;
    const ArrayShape &shape = shapes.operands[leaf];
    const bool bounded = !shape.dynamic.empty() && shape.dynamic[place];
    const int64_t size = bounded ? kDynamicSize : shape.dimensions[place];
    if (extent.isNamed && (extent.isKnown() || size == kDynamicSize)) continue;
    extent.isNamed = true;
    extent.size = size;
    extent.leaf = leaf;
    extent.dimension = place;
  }
  return extent;
}

Access::Exprs Structure::begin(Access &access) const {
  Access::Exprs made;
  for (const LoopExtent &loop : loops)
    made.push_back(
        access.loop({0, loop.isKnown() ? loop.size - 1 : Interval::kInfinity}));
  return made;
}

std::optional<Access::Exprs> Structure::coordinates(Access &access,
                                                    int64_t operand) const {
  const mlir::AffineMap map = maps[operand];
  Access::Exprs result;
  for (mlir::AffineExpr expr : map.getResults()) {
    IndexingMapBuilder builder;
    auto made = fromAffineExpr(expr, builder, 0);
    if (!made.ok() || builder.pool().overflowed()) return std::nullopt;
    auto put = [&](VariableId id) {
      return access.loopNumber(id.index).form();
    };
    ExpressionImport import(builder.pool(), access.pool(), put);
    result.push_back({&access.pool(), import(made->form())});
  }
  return result;
}

/// Bounds each loop whose extent is unknown and that is no coordinate of the
/// two tensors by a variable for its size.
void boundLoops(Access &access, const Structure &structure,
                mlir::AffineMap result, mlir::AffineMap operand) {
  for (auto [j, loop] : llvm::enumerate(structure.loops))
    if (!loop.isKnown() && placeOf(result, j) < 0 && placeOf(operand, j) < 0)
      access.constraint(
          access.loopNumber(j) - access.sizeOf(loop.leaf, loop.dimension),
          {Interval::kMinusInfinity, -1});
}

/// Adds the reads of the result's own init, for a body that does not use it:
/// the elements that no iteration defines. Returns false if they cannot be
/// given exactly.
bool Structure::addInit(const OpShapes &shapes, int64_t result,
                        AccessList &list) const {
  const ArrayShape &shape = shapes.results[result];
  const mlir::AffineMap map = maps[inputs + result];
  bool onto = true;
  for (auto [k, expr] : llvm::enumerate(map.getResults())) {
    // A coordinate takes all indices if it is a loop by itself and the loop is
    // no earlier coordinate.
    auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr);
    onto = onto && dim &&
           placeOf(map, dim.getPosition()) == static_cast<int64_t>(k);
  }
  bool mayBeEmpty = false, isEmpty = false;
  for (auto [j, loop] : llvm::enumerate(loops)) {
    isEmpty |= loop.size == 0;
    mayBeEmpty |= !loop.isKnown() && placeOf(map, j) < 0;
  }
  if (isEmpty) {
    list.addIdentity(shape);
    return true;
  }
  if (onto) return !mayBeEmpty;
  if (mayBeEmpty) return false;
  // A lattice: every coordinate is a constant or a multiple of its own loop.
  struct Line {
    int64_t start = 0, stride = 1, count = 1;
  };
  llvm::SmallVector<Line, 6> lines;
  Access probe;
  begin(probe);
  auto exprs = coordinates(probe, inputs + result);
  if (!exprs) return false;
  llvm::SmallBitVector taken(loops.size());
  for (const Expr &e : *exprs) {
    Line line;
    line.start = probe.pool().constant(e.form());
    llvm::ArrayRef<Term> terms = probe.pool().terms(e.form());
    if (terms.size() > 1) return false;
    if (!terms.empty()) {
      const Atom &atom = probe.pool().atom(terms[0].atom);
      if (atom.kind != AtomKind::Variable || terms[0].coefficient < 1 ||
          taken[atom.variable().index] ||
          !loops[atom.variable().index].isKnown())
        return false;
      taken.set(atom.variable().index);
      line.stride = terms[0].coefficient;
      line.count = loops[atom.variable().index].size;
    }
    lines.push_back(line);
  }
  addOutside(list, lines.size(), [&](Access &access) {
    access.result = access.loopsOver(shape);
    access.operand = access.result;
    llvm::SmallVector<Stretch, 6> box;
    for (auto [k, line] : llvm::enumerate(lines))
      box.push_back({access.result[k], access.constant(line.start),
                     access.constant(line.count),
                     access.constant(line.stride)});
    return box;
  });
  return true;
}

absl::Status Structure::describe(const OpShapes &shapes, int64_t result,
                                 int64_t operand, AccessList &list) const {
  const Yield &yield = yields[result];
  const int64_t out = inputs + result;
  const int64_t own = static_cast<int64_t>(maps.size());
  if (operand == out) {
    if (yield.arguments[out]) {
      list.addIdentity(shapes.results[result]);
      if (!yield.direct[out]) list.weaken(Precision::Cover);
    } else if (!addInit(shapes, result, list)) {
      list.addIdentity(shapes.results[result]);
      list.weaken(Precision::Cover);
    }
    return absl::OkStatus();
  }
  auto start = [&](Access &access) {
    begin(access);
    if (auto at = coordinates(access, out)) access.result = *at;
  };
  if (operand < own) {
    if (!yield.arguments[operand]) return absl::OkStatus();
    Access &access = list.add();
    start(access);
    auto at = coordinates(access, operand);
    if (!at)
      return absl::InvalidArgumentError(
          "an indexing map needs more than 64 bits");
    access.operand = *at;
    boundLoops(access, *this, maps[out], maps[operand]);
    if (!yield.exact || !yield.direct[operand]) list.weaken(Precision::Cover);
    return absl::OkStatus();
  }
  auto argument = [&](Access &access, unsigned number,
                      Interval bounds) -> std::optional<Expr> {
    // The running value of a result is not an element of an operand.
    if (static_cast<int64_t>(number) >= inputs) return std::nullopt;
    auto at = coordinates(access, number);
    if (!at || !isInteger(shapes.operands[number].type)) return std::nullopt;
    return access.element(bounds, number, *at);
  };
  auto loop = [](Access &access, int64_t dimension) {
    return std::optional<Expr>(access.loopNumber(dimension));
  };
  for (const RegionRead &read : yield.captured) {
    if (read.number != operand) continue;
    reads->addCaptured(
        list, read, shapes.operands[operand],
        [&](Access &access) {
          start(access);
          boundLoops(access, *this, maps[out], maps[out]);
        },
        argument, loop);
  }
  if (!yield.exact) list.weaken(Precision::Cover);
  return absl::OkStatus();
}

/// Returns the loops with their sizes and places, or null if a map needs more
/// than 64 bits.
std::shared_ptr<const BodyLoops> bodyLoopsOf(const Structure &structure) {
  auto made = std::make_shared<BodyLoops>();
  made->inputs = structure.inputs;
  for (const LoopExtent &loop : structure.loops) {
    made->sizes.push_back(loop.size);
    made->extents.push_back({loop.isNamed ? loop.leaf : -1, loop.dimension});
  }
  for (mlir::AffineMap map : structure.maps) {
    IndexingMapBuilder builder;
    for (const LoopExtent &loop : structure.loops)
      builder.dimension(
          {0, loop.isKnown() ? loop.size - 1 : Interval::kInfinity});
    for (mlir::AffineExpr expr : map.getResults()) {
      auto place = fromAffineExpr(expr, builder, 0);
      if (!place.ok()) return nullptr;
      builder.result(*place);
    }
    auto place = builder.build();
    if (!place.ok()) return nullptr;
    made->places.push_back(*std::move(place));
  }
  return made;
}

/// Returns what distinguishes the op, beside its shapes and the computation
/// that its body is: its places and kinds of loops. Attributes of its dialect
/// say nothing more; those of others may mean anything.
std::string textOf(mlir::linalg::LinalgOp op) {
  std::string text = "loops over ";
  llvm::raw_string_ostream os(text);
  for (mlir::AffineMap map : op.getIndexingMapsArray()) os << map << ", ";
  for (mlir::utils::IteratorType type : op.getIteratorTypesArray())
    os << mlir::utils::stringifyIteratorType(type) << ' ';
  for (mlir::NamedAttribute attribute : op->getDiscardableAttrs())
    if (attribute.getName() !=
        mlir::linalg::LinalgDialect::kMemoizedIndexingMapsAttrName)
      os << attribute.getName() << '=' << attribute.getValue() << ' ';
  return text;
}

/// Whether every element is defined by one iteration.
bool isExactlyOnce(const Structure &structure, int64_t result) {
  const mlir::AffineMap map = structure.maps[structure.inputs + result];
  for (auto [j, loop] : llvm::enumerate(structure.loops))
    if (loop.size != 1 && loop.size != 0 && placeOf(map, j) < 0) return false;
  return true;
}

/// Returns the size rules: a tensor with a loop by itself as a coordinate has
/// the loop's size, and a result has the sizes of its init. The maps may be
/// gone when the sizes are asked for.
SizedMaps::Sizes sizesOf(const Structure &structure) {
  llvm::SmallVector<std::pair<SizeRef, SizeRef>, 6> equal;
  for (unsigned loop = 0; loop < structure.loops.size(); ++loop) {
    std::optional<SizeRef> first;
    for (auto [leaf, map] : llvm::enumerate(structure.maps))
      for (auto [place, expr] : llvm::enumerate(map.getResults())) {
        auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr);
        if (!dim || dim.getPosition() != loop) continue;
        const SizeRef ref = {static_cast<int64_t>(leaf),
                             static_cast<int64_t>(place)};
        if (first)
          equal.push_back({*first, ref});
        else
          first = ref;
      }
  }
  const int64_t inputs = structure.inputs;
  return [equal, inputs](const OpShapes &shapes, SizeRules &rules) {
    for (const auto &[a, b] : equal) rules.equal(a, b);
    const int64_t operands = shapes.operands.size();
    for (auto [r, shape] : llvm::enumerate(shapes.results))
      addSame(rules, shape, inputs + r, operands + r);
  };
}

/// Finds the reads of all yielded values. If several iterations define an
/// element, they include reads through the running values of other results.
void closeYields(mlir::linalg::LinalgOp op, Structure &structure) {
  mlir::Operation *terminator = op.getBlock()->getTerminator();
  const int64_t results = op->getNumResults();
  llvm::SmallVector<llvm::SmallVector<RegionRead, 4>, 1> direct;
  for (int64_t r = 0; r < results; ++r)
    direct.push_back(structure.reads->of(terminator->getOperand(r)));
  for (int64_t r = 0; r < results; ++r) {
    Structure::Yield yield;
    yield.arguments.resize(structure.maps.size());
    yield.direct.resize(structure.maps.size());
    const bool once = isExactlyOnce(structure, r);
    llvm::SmallVector<int64_t, 2> reached = {r};
    for (size_t i = 0; i < reached.size(); ++i) {
      for (RegionRead read : direct[reached[i]]) {
        if (read.kind == RegionRead::Kind::Captured) {
          read.exact &= i == 0;
          yield.captured.push_back(read);
          continue;
        }
        yield.arguments.set(read.number);
        if (i == 0) yield.direct.set(read.number);
        const int64_t other = read.number - structure.inputs;
        if (other >= 0 && !once && !llvm::is_contained(reached, other))
          reached.push_back(other);
      }
    }
    yield.exact = once || yield.direct[structure.inputs + r];
    structure.yields.push_back(std::move(yield));
  }
}

/// Whether a result depends on the running value of another result at other
/// coordinates.
bool mixesCoordinates(const Structure &structure) {
  const int64_t leaves = structure.maps.size();
  for (auto [r, yield] : llvm::enumerate(structure.yields))
    for (int64_t m = structure.inputs; m < leaves; ++m)
      if (yield.arguments[m] &&
          structure.maps[m] != structure.maps[structure.inputs + r])
        return true;
  return false;
}

absl::StatusOr<Op> describeStructured(mlir::Operation *op, OpShapes shapes) {
  auto linalg = llvm::dyn_cast<mlir::linalg::LinalgOp>(op);
  if (!linalg)
    return coverOp(std::move(shapes), Precision::Opaque,
                   "the op has no indexing maps");
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  Structure structure;
  structure.maps.assign(linalg.getIndexingMapsArray());
  structure.inputs = linalg.getNumDpsInputs();
  for (unsigned j = 0; j < linalg.getNumLoops(); ++j)
    structure.loops.push_back(extentOf(j, structure.maps, shapes));
  const RegionReads reads(op, op->getRegion(0));
  structure.reads = &reads;
  closeYields(linalg, structure);
  if (mixesCoordinates(structure))
    return coverOp(std::move(shapes), Precision::Cover,
                   "a result depends on the running value of another one at "
                   "other coordinates");
  auto described = regionOp(
      op, std::move(shapes),
      [&](const OpShapes &s, int64_t result, int64_t operand,
          AccessList &list) {
        return structure.describe(s, result, operand, list);
      },
      sizesOf(structure), bodyLoopsOf(structure));
  if (!described.ok()) return described;
  return described->changed(
      [&](OpDraft &draft) { draft->configuration = textOf(linalg); });
}

/// An index of the iteration in which it stands.
absl::StatusOr<Op> describeIndex(mlir::Operation *, OpShapes shapes) {
  return Op(make<NullaryOp>(std::move(shapes)));
}

/// Along the dimension a result reads all of the input, and nothing of the
/// init.
absl::StatusOr<Op> describeSoftmax(mlir::Operation *op, OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  const int64_t dimension =
      llvm::cast<mlir::linalg::SoftmaxOp>(op).getDimension();
  return accessOp(
      std::move(shapes),
      [dimension](const OpShapes &s, int64_t, int64_t operand,
                  AccessList &list) {
        if (operand != 0) return absl::OkStatus();
        Access &access = list.add();
        access.result = access.loopsOver(s.results[0]);
        access.operand = access.result;
        Access::Exprs whole = access.loopsOver(s.operands[0]);
        access.operand[dimension] = whole[dimension];
        return absl::OkStatus();
      },
      [](const OpShapes &s, SizeRules &rules) {
        addSame(rules, s.results[0], 0, 1);
        addSame(rules, s.results[0], 0, s.operands.size());
      });
}

absl::StatusOr<Op> describeWinograd(mlir::Operation *, OpShapes shapes) {
  return coverOp(std::move(shapes), Precision::Cover,
                 "which elements a Winograd transform reads follows from its "
                 "matrices of constants");
}

constexpr llvm::StringLiteral kBodies =
    "an element that is defined several times without a use of its running "
    "value, or a tensor that the body reads at an index that is not affine, is "
    "a cover";

constexpr MlirOpInfo structured(llvm::StringLiteral name) {
  return {name, describeStructured, Precision::Exact, ""};
}

/// The row of a contraction or a convolution.
constexpr MlirOpInfo product(llvm::StringLiteral name) {
  return {name, describeStructured, Precision::Exact, "", KernelRole::Bytes};
}

/// The row of an op whose body is given by the user.
constexpr MlirOpInfo withBody(llvm::StringLiteral name) {
  return {name, describeStructured, Precision::Cover, kBodies};
}

constexpr MlirOpInfo winograd(llvm::StringLiteral name) {
  return {name, describeWinograd, Precision::Cover,
          "the matrices of the transform are not evaluated"};
}

constexpr MlirOpInfo kLinalgOps[] = {
    structured("linalg.abs"),
    structured("linalg.add"),
    product("linalg.batch_matmul"),
    product("linalg.batch_matvec"),
    product("linalg.batch_mmt4d"),
    product("linalg.batch_reduce_matmul"),
    product("linalg.batch_vecmat"),
    structured("linalg.broadcast"),
    structured("linalg.ceil"),
    product("linalg.contract"),
    product("linalg.conv_1d"),
    product("linalg.conv_1d_ncw_fcw"),
    product("linalg.conv_1d_nwc_wcf"),
    product("linalg.conv_2d"),
    product("linalg.conv_2d_nchw_fchw"),
    product("linalg.conv_2d_nchw_fchw_q"),
    product("linalg.conv_2d_ngchw_fgchw"),
    product("linalg.conv_2d_ngchw_gfchw"),
    product("linalg.conv_2d_ngchw_gfchw_q"),
    product("linalg.conv_2d_nhwc_fhwc"),
    product("linalg.conv_2d_nhwc_fhwc_q"),
    product("linalg.conv_2d_nhwc_hwcf"),
    product("linalg.conv_2d_nhwc_hwcf_q"),
    product("linalg.conv_2d_nhwgc_gfhwc"),
    product("linalg.conv_2d_nhwgc_gfhwc_q"),
    product("linalg.conv_3d"),
    product("linalg.conv_3d_ncdhw_fcdhw"),
    product("linalg.conv_3d_ndhwc_dhwcf"),
    product("linalg.conv_3d_ndhwc_dhwcf_q"),
    structured("linalg.copy"),
    product("linalg.depthwise_conv_1d_ncw_cw"),
    product("linalg.depthwise_conv_1d_nwc_wc"),
    product("linalg.depthwise_conv_1d_nwc_wcm"),
    product("linalg.depthwise_conv_2d_nchw_chw"),
    product("linalg.depthwise_conv_2d_nhwc_hwc"),
    product("linalg.depthwise_conv_2d_nhwc_hwc_q"),
    product("linalg.depthwise_conv_2d_nhwc_hwcm"),
    product("linalg.depthwise_conv_2d_nhwc_hwcm_q"),
    product("linalg.depthwise_conv_3d_ncdhw_cdhw"),
    product("linalg.depthwise_conv_3d_ndhwc_dhwc"),
    product("linalg.depthwise_conv_3d_ndhwc_dhwcm"),
    structured("linalg.div"),
    structured("linalg.div_unsigned"),
    product("linalg.dot"),
    structured("linalg.elementwise"),
    structured("linalg.erf"),
    structured("linalg.exp"),
    structured("linalg.fill"),
    structured("linalg.fill_rng_2d"),
    structured("linalg.floor"),
    withBody("linalg.generic"),
    {"linalg.index", describeIndex, Precision::Exact, ""},
    structured("linalg.log"),
    withBody("linalg.map"),
    product("linalg.matmul"),
    product("linalg.matvec"),
    structured("linalg.max"),
    structured("linalg.min"),
    product("linalg.mmt4d"),
    structured("linalg.mul"),
    structured("linalg.negf"),
    {"linalg.pack", describePack, Precision::Exact, ""},
    structured("linalg.pooling_nchw_max"),
    structured("linalg.pooling_nchw_sum"),
    structured("linalg.pooling_ncw_max"),
    structured("linalg.pooling_ncw_sum"),
    structured("linalg.pooling_ndhwc_max"),
    structured("linalg.pooling_ndhwc_min"),
    structured("linalg.pooling_ndhwc_sum"),
    structured("linalg.pooling_nhwc_max"),
    structured("linalg.pooling_nhwc_max_unsigned"),
    structured("linalg.pooling_nhwc_min"),
    structured("linalg.pooling_nhwc_min_unsigned"),
    structured("linalg.pooling_nhwc_sum"),
    structured("linalg.pooling_nwc_max"),
    structured("linalg.pooling_nwc_max_unsigned"),
    structured("linalg.pooling_nwc_min"),
    structured("linalg.pooling_nwc_min_unsigned"),
    structured("linalg.pooling_nwc_sum"),
    structured("linalg.powf"),
    product("linalg.quantized_batch_matmul"),
    product("linalg.quantized_matmul"),
    structured("linalg.reciprocal"),
    withBody("linalg.reduce"),
    structured("linalg.round"),
    structured("linalg.rsqrt"),
    structured("linalg.select"),
    {"linalg.softmax", describeSoftmax, Precision::Exact, ""},
    structured("linalg.sqrt"),
    structured("linalg.square"),
    structured("linalg.sub"),
    structured("linalg.tanh"),
    structured("linalg.transpose"),
    {"linalg.unpack", describeUnpack, Precision::Exact, ""},
    product("linalg.vecmat"),
    winograd("linalg.winograd_filter_transform"),
    winograd("linalg.winograd_input_transform"),
    winograd("linalg.winograd_output_transform"),
};

}  // namespace

llvm::ArrayRef<MlirOpInfo> linalgOps() { return kLinalgOps; }

}  // namespace indexical
