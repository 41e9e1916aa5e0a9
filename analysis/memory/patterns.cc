#include "indexical/analysis/memory/patterns.h"

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

/// The dimension of the operand along which elements so far apart lie, by whole
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

std::string layoutText(const Order &minorToMajor) {
  std::string text = "{";
  for (int64_t k : minorToMajor)
    text += (text.size() > 1 ? "," : "") + std::to_string(k);
  return text + "}";
}

std::string bytesText(int64_t bits) {
  return bits % 8 == 0 ? std::to_string(bits / 8) + " B"
                       : std::to_string(bits) + " bits";
}

/// The operand's dimensions in the order in which the space has those that they
/// follow; what follows none comes last.
Order orderOfLanes(const KernelAccess &access, const KernelSpace &space) {
  Order order = access.shape.minorToMajor();
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
  Advice(const KernelAccess &access, const KernelSpace &space,
         const AccessFigures &figures, const Device &device,
         llvm::function_ref<int64_t(const ArrayShape &, const KernelSpace &)>
             wastedIf)
      : access_(access),
        shape_(access.shape),
        space_(space),
        figures_(figures),
        device_(device),
        bits_(storedBits(access.shape)),
        wastedIf_(wastedIf) {}

  Pattern make() const {
    const bool wastes = figures_.wastedBytes.most > 0;
    if (figures_.accesses.most == 0) return {"never", ""};
    if (figures_.gathered)
      return {"gathered", wastes ? "sorted indices, or longer slices" : ""};
    if (shape_.elementCount() == 1) return {"scalar", ""};
    if (!figures_.laneStride)
      return {"few lanes",
              wastes ? "more lanes along the most minor dimension" : ""};
    if (*figures_.laneStride == 0) return {"broadcast", ""};
    const int64_t step = std::abs(*figures_.laneStride);
    const bool window = isWindow(access_.map);
    const int64_t width = bits_ * figures_.vector;
    if (step <= width && (figures_.laneRuns == 1 || figures_.isCoalesced()))
      return contiguous(step < width, window, wastes);
    Pattern pattern = step <= width ? shortRows(wastes) : apart(step, wastes);
    if (window) pattern.name += ", halo";
    return pattern;
  }

 private:
  bool isTiled() const {
    return shape_.layout && !shape_.layout->tiles.empty();
  }
  /// Whether that would leave a quarter of the waste at most.
  bool mends(const ArrayShape &shape, const KernelSpace &space) const {
    return wastedIf_(shape, space) <= figures_.wastedBytes.most / 4;
  }

  Pattern contiguous(bool overlaps, bool window, bool wastes) const {
    Pattern pattern{overlaps ? "overlapping"
                    : window ? "halo"
                             : "contiguous",
                    ""};
    if (*figures_.laneStride < 0) pattern.name += ", reversed";
    if (!wastes) return pattern;
    pattern.name += ", unaligned";
    // Runtime variables alone make the difference.
    if (figures_.wastedBytes.least == 0)
      pattern.remedy = "a start at whole sectors";
    else if (paddingMends())
      pattern.remedy = "rows padded to whole sectors";
    else if (window)
      pattern.remedy = "a tile with its halo through shared memory";
    else
      pattern.remedy = "warps that begin where a sector does";
    return pattern;
  }

  /// Runs of lanes that are too short for a sector.
  Pattern shortRows(bool wastes) const {
    const int64_t lanes =
        std::max<int64_t>(1, device_.warp / figures_.laneRuns);
    Pattern pattern{"rows of " + bytesText(lanes * bits_ * figures_.vector),
                    ""};
    if (!wastes) return pattern;
    pattern.remedy = layoutRemedy(std::nullopt);
    if (pattern.remedy.empty() && paddingMends())
      pattern.remedy = "rows padded to whole sectors";
    return pattern;
  }

  Pattern apart(int64_t step, bool wastes) const {
    const auto along = step % bits_ == 0 && !isTiled()
                           ? alongOf(shape_, step / bits_)
                           : std::nullopt;
    if (along && along->step > 1) {
      Pattern pattern{"transposed, stride " + bytesText(along->step * bits_),
                      ""};
      if (wastes) {
        pattern.remedy = "a tile through shared memory";
        if (std::string layout = layoutRemedy(along->dimension);
            !layout.empty())
          pattern.remedy += ", or " + layout;
      }
      return pattern;
    }
    Pattern pattern{"stride " + bytesText(step), ""};
    if (!wastes || isTiled()) return pattern;
    if (figures_.vectorLoop > figures_.vector &&
        step == figures_.vectorLoop * bits_)
      pattern.remedy = "rows that vectors divide, or one element a lane";
    else if (std::string layout = layoutRemedy(std::nullopt); !layout.empty())
      pattern.remedy = "a tile through shared memory, or " + layout;
    else
      pattern.remedy = "elements packed together";
    return pattern;
  }

  /// `layout {0,1}`, where a layout mends it: that dimension first, or all in
  /// the order of the lanes.
  std::string layoutRemedy(std::optional<int64_t> first) const {
    if (isTiled()) return "";
    const Order now = shape_.minorToMajor();
    llvm::SmallVector<Order, 2> candidates;
    if (first) candidates.push_back(withFirst(now, *first));
    candidates.push_back(orderOfLanes(access_, space_));
    for (const Order &order : candidates) {
      if (order == now) continue;
      ArrayShape turned = shape_;
      Layout layout = shape_.layout ? *shape_.layout : Layout();
      layout.minorToMajor = order;
      turned.layout = layout;
      if (mends(turned, space_)) return "layout " + layoutText(order);
    }
    return "";
  }

  /// Rows of the operand and of the threads that are as many whole sectors.
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
    KernelSpace space = space_;
    space.shape = padded(space.shape);
    const ArrayShape operand = padded(shape_);
    if (operand.dimensions == shape_.dimensions && space == space_)
      return false;
    return mends(operand, space);
  }

  const KernelAccess &access_;
  const ArrayShape &shape_;
  const KernelSpace &space_;
  const AccessFigures &figures_;
  const Device &device_;
  const int64_t bits_;
  llvm::function_ref<int64_t(const ArrayShape &, const KernelSpace &)>
      wastedIf_;
};

}  // namespace

Pattern patternOf(const KernelAccess &access, const KernelSpace &space,
                  const AccessFigures &figures, const Device &device,
                  llvm::function_ref<int64_t(const ArrayShape &operand,
                                             const KernelSpace &space)>
                      wastedIf) {
  return Advice(access, space, figures, device, wastedIf).make();
}

}  // namespace indexical
