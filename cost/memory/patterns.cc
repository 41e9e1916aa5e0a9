#include "indexical/cost/memory/patterns.h"

#include <cstdlib>
#include <optional>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/address.h"

namespace indexical {
namespace {

/// Whether the read is shifted by range values, as windows are: overlapping.
bool isWindow(const IndexingRelation &read) {
  for (const IndexingMap &piece : read.pieces())
    for (FormId form : piece.results()) {
      bool dimension = false, range = false;
      for (const Term &term : piece.expressions().terms(form)) {
        const Atom &atom = piece.expressions().atom(term.atom);
        if (atom.kind != AtomKind::Variable) continue;
        dimension |= atom.variable().kind == VariableKind::Dimension;
        range |= atom.variable().kind == VariableKind::Range;
      }
      if (dimension && range) return true;
    }
  return false;
}

/// The dimension of the buffer along which elements so far apart lie, by whole
/// steps, and the step of that dimension.
struct Along {
  int64_t dimension = 0, step = 1;
};
std::optional<Along> alongOf(const ArrayShape &shape, int64_t elements) {
  std::optional<Along> along;
  int64_t step = 1;
  for (int64_t k : shape.minorToMajor()) {
    if (shape.dimensions[k] > 1 && elements % step == 0 &&
        elements / step < shape.dimensions[k])
      along = Along{k, step};
    step *= shape.dimensions[k];
  }
  return along;
}

using Order = llvm::SmallVector<int64_t, 6>;

/// The buffer's dimensions in the order in which the space has those that they
/// follow; what follows none comes last.
Order orderOfLanes(const MemoryAccess &access, const ArrayShape &buffer,
                   const LaunchSpace &space) {
  Order order = buffer.minorToMajor();
  if (access.map.pieces().empty()) return order;
  const IndexingMap &map = access.map.pieces()[0];
  const auto lanes = space.shape.minorToMajor();
  Order rank(order.size(), INT64_MAX);
  for (auto [k, form] : llvm::enumerate(map.results()))
    map.expressions().visitVariables({form}, [&, k = k](VariableId id) {
      if (id.kind != VariableKind::Dimension || id.index >= lanes.size())
        return;
      const int64_t at = llvm::find(lanes, id.index) - lanes.begin();
      rank[k] = std::min(rank[k], at);
    });
  llvm::stable_sort(order,
                    [&](int64_t a, int64_t b) { return rank[a] < rank[b]; });
  return order;
}

Order withFirst(const Order &order, int64_t first) {
  Order moved = {first};
  for (int64_t k : order)
    if (k != first) moved.push_back(k);
  return moved;
}

class Advice {
 public:
  using WastedIf =
      llvm::function_ref<int64_t(const ArrayShape &, const LaunchSpace &)>;

  Advice(const MemoryAccess &access, const ArrayShape &buffer,
         const LaunchSpace &space, const AccessFigures &figures,
         const Device &device, WastedIf wastedIf)
      : access_(access),
        shape_(buffer),
        space_(space),
        figures_(figures),
        device_(device),
        bits_(storedBits(buffer)),
        wastes_(figures.wastedBytes.most > 0),
        wastedIf_(wastedIf) {}

  Finding make() const {
    Finding found = ofLanes();
    found.pattern.byEveryThread = figures_.byEveryThread;
    return found;
  }

 private:
  Finding ofLanes() const {
    if (figures_.accesses.most == 0) return {{PatternKind::Never}};
    if (!figures_.wastedBytes.isKnown()) {
      Finding found{
          {figures_.gathered ? PatternKind::Gathered : PatternKind::Unknown}};
      found.pattern.isBound = true;
      return found;
    }
    if (figures_.gathered)
      return {{PatternKind::Gathered}, ifWasted(RemedyKind::SortedIndices)};
    if (shape_.elementCount() == 1) return {{PatternKind::Scalar}};
    if (!figures_.laneStride)
      return {{PatternKind::FewLanes}, ifWasted(RemedyKind::MoreLanes)};
    if (*figures_.laneStride == 0) return {{PatternKind::Broadcast}};
    const int64_t step = std::abs(*figures_.laneStride);
    const int64_t width = bits_ * figures_.vector;
    Finding found;
    if (step > width)
      found = apart(step);
    else if (figures_.laneRuns == 1 || figures_.isCoalesced())
      found = contiguous(step < width);
    else
      found = shortRows();
    found.pattern.halo = isWindow(access_.map);
    return found;
  }

  Remedy ifWasted(RemedyKind kind) const {
    return {wastes_ ? kind : RemedyKind::None};
  }
  bool isTiled() const {
    return shape_.layout && !shape_.layout->tiles.empty();
  }
  /// Whether that would leave a quarter of the waste at most.
  bool mends(const ArrayShape &shape, const LaunchSpace &space) const {
    return wastedIf_(shape, space) <= figures_.wastedBytes.most / 4;
  }

  Finding contiguous(bool overlaps) const {
    Finding found;
    found.pattern.kind =
        overlaps ? PatternKind::Overlapping : PatternKind::Contiguous;
    found.pattern.reversed = *figures_.laneStride < 0;
    found.pattern.unaligned = wastes_;
    if (!wastes_) return found;
    if (paddingMends())
      found.remedy.kind = RemedyKind::PaddedRows;
    else if (isWindow(access_.map))
      found.remedy.kind = RemedyKind::HaloTile;
    else
      found.remedy.kind = RemedyKind::AlignedWarps;
    return found;
  }

  bool vectorsDivide() const {
    return shape_.dimensions[shape_.minorToMajor()[0]] % figures_.vectorLoop ==
           0;
  }
  /// Returns whether vectors divide the rows, but the read begins at a place
  /// that is known only at run time.
  bool startsAnywhere() const {
    return vectorsDivide() &&
           llvm::any_of(access_.map.pieces(), [](const IndexingMap &piece) {
             return piece.visibleRuntimeCount() > 0;
           });
  }

  /// Runs of lanes that are too short for a sector.
  Finding shortRows() const {
    const int64_t lanes =
        std::max<int64_t>(1, device_.warp / figures_.laneRuns);
    Finding found{{PatternKind::Rows, lanes * bits_ * figures_.vector}};
    if (!wastes_) return found;
    if (auto layout = mendingLayout(std::nullopt))
      found.remedy = {RemedyKind::OtherLayout, *std::move(layout)};
    else if (paddingMends())
      found.remedy.kind = RemedyKind::PaddedRows;
    return found;
  }

  Finding apart(int64_t step) const {
    const auto along = step % bits_ == 0 && !isTiled()
                           ? alongOf(shape_, step / bits_)
                           : std::nullopt;
    if (along && along->step > 1) {
      Finding found{{PatternKind::Transposed, along->step * bits_}};
      if (wastes_ && space_.followTile)
        found.remedy.kind = RemedyKind::MoreLanes;
      else if (wastes_)
        found.remedy = {RemedyKind::SharedTile,
                        mendingLayout(along->dimension).value_or(Order())};
      return found;
    }
    Finding found{{PatternKind::Strided, step}};
    if (!wastes_ || isTiled()) return found;
    if (space_.followTile)
      found.remedy.kind = RemedyKind::MoreLanes;
    else if (figures_.vectorLoop > figures_.vector &&
             step == figures_.vectorLoop * bits_)
      found.remedy.kind = startsAnywhere()  ? RemedyKind::AlignedStart
                          : vectorsDivide() ? RemedyKind::OneElement
                                            : RemedyKind::WholeVectors;
    else if (auto layout = mendingLayout(std::nullopt))
      found.remedy = {RemedyKind::SharedTile, *std::move(layout)};
    else
      found.remedy.kind = RemedyKind::PackedElements;
    return found;
  }

  /// A layout that wastes less, if there is one: that dimension first, or all
  /// in the order of the lanes.
  std::optional<Order> mendingLayout(std::optional<int64_t> first) const {
    if (isTiled()) return std::nullopt;
    const Order now = shape_.minorToMajor();
    llvm::SmallVector<Order, 2> candidates;
    if (first) candidates.push_back(withFirst(now, *first));
    candidates.push_back(orderOfLanes(access_, shape_, space_));
    for (const Order &order : candidates) {
      if (order == now) continue;
      ArrayShape turned = shape_;
      Layout layout = shape_.layout ? *shape_.layout : Layout();
      layout.minorToMajor = order;
      turned.layout = layout;
      if (mends(turned, space_)) return order;
    }
    return std::nullopt;
  }

  /// Rows of the buffer and of the threads that are as many whole sectors.
  bool paddingMends() const {
    const int64_t sector = device_.sector * 8;
    if (isTiled() || sector % bits_ != 0) return false;
    auto padded = [&](ArrayShape shape) {
      if (!shape.isScalar() && !shape.hasUnknownSize()) {
        int64_t &size = shape.dimensions[shape.minorToMajor()[0]];
        size = ceilDiv(size, sector / bits_) * (sector / bits_);
      }
      return shape;
    };
    LaunchSpace space = space_;
    space.shape = padded(space.shape);
    const ArrayShape buffer = padded(shape_);
    if (buffer.dimensions == shape_.dimensions && space == space_) return false;
    return mends(buffer, space);
  }

  const MemoryAccess &access_;
  const ArrayShape &shape_;
  const LaunchSpace &space_;
  const AccessFigures &figures_;
  const Device &device_;
  const int64_t bits_;
  const bool wastes_;
  const WastedIf wastedIf_;
};

}  // namespace

Finding patternOf(const MemoryAccess &access, const ArrayShape &buffer,
                  const LaunchSpace &space, const AccessFigures &figures,
                  const Device &device,
                  llvm::function_ref<int64_t(const ArrayShape &buffer,
                                             const LaunchSpace &space)>
                      wastedIf) {
  return Advice(access, buffer, space, figures, device, wastedIf).make();
}

}  // namespace indexical
