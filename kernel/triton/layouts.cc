#include "indexical/kernel/triton/layouts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/kernel/layout/layouts.h"
#include "indexical/kernel/triton/dialect.h"
#include "indexical/kernel/triton/layout_demands.h"
#include "indexical/kernel/triton/value_types.h"
#include "indexical/kernel/vectors.h"

namespace indexical::triton {

using kernels::BlockedParameters;
using kernels::Coordinates;
using kernels::TileLayout;

namespace {

std::optional<Coordinates> numbersOf(mlir::Attribute attribute) {
  const auto list = llvm::dyn_cast_or_null<mlir::ArrayAttr>(attribute);
  if (!list) return std::nullopt;
  Coordinates numbers;
  for (mlir::Attribute each : list) {
    const auto number = integerOf(each);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<Coordinates> basesOf(mlir::Attribute attribute) {
  std::vector<Coordinates> bases;
  if (auto list = llvm::dyn_cast_or_null<mlir::ArrayAttr>(attribute))
    for (mlir::Attribute each : list)
      if (auto numbers = numbersOf(each)) bases.push_back(*numbers);
  return bases;
}

absl::StatusOr<TileLayout> sliceLayout(mlir::DictionaryAttr parameters,
                                       llvm::ArrayRef<int64_t> shape) {
  const auto dim = integerOf(parameters.get("dim"));
  if (!dim || *dim < 0 || *dim > static_cast<int64_t>(shape.size()))
    return absl::InvalidArgumentError("a slice has no dimension");
  Coordinates around(shape.begin(), shape.end());
  around.insert(around.begin() + *dim, 1);
  INDEXICAL_ASSIGN_OR_RETURN(auto parent,
                             layoutOf(parameters.get("parent"), around));
  return parent.withoutDimension(*dim).withoutEqualRegisters();
}

/// Reads `[32:+4, 128:+8]`; false if the text does not begin so.
bool takeGaps(llvm::StringRef text, kernels::SharedParameters &parameters) {
  if (!text.consume_front("[")) return false;
  for (llvm::StringRef gap : llvm::split(text.split(']').first, ',')) {
    const auto [interval, count] = gap.trim().split(":+");
    std::pair<int64_t, int64_t> numbers;
    if (interval.getAsInteger(10, numbers.first) ||
        count.getAsInteger(10, numbers.second))
      return false;
    parameters.gaps.push_back(numbers);
  }
  return true;
}

/// Reads `order = [1, 0]` of a text.
bool takeOrder(llvm::StringRef text, kernels::SharedParameters &parameters) {
  text = text.substr(text.find("order"));
  const llvm::StringRef list = text.split('[').second.split(']').first;
  for (llvm::StringRef each : llvm::split(list, ','))
    if (each.trim().getAsInteger(10, parameters.order.emplace_back()))
      return false;
  return true;
}

}  // namespace

absl::StatusOr<kernels::SharedLayout> sharedLayoutOf(
    mlir::Attribute encoding, llvm::ArrayRef<int64_t> shape) {
  const auto named = llvm::dyn_cast_or_null<NamedAttr>(encoding);
  if (!named)
    return absl::UnimplementedError(
        "the layout of shared memory is not understood");
  kernels::SharedParameters parameters;
  const llvm::StringRef kind = named.kind().split('.').second;
  if (kind == "swizzled_shared" || kind == "shared") {
    const mlir::DictionaryAttr of = named.parameters();
    const auto order = of ? numbersOf(of.get("order")) : std::nullopt;
    auto number = [&](const char *name) { return integerOf(of.get(name)); };
    if (!order || !number("vec") || !number("perPhase") || !number("maxPhase"))
      return absl::InvalidArgumentError(
          "a layout of shared memory lacks a parameter");
    parameters = {
        *order, *number("vec"), *number("perPhase"), *number("maxPhase"), {}};
    return kernels::SharedLayout::of(shape, std::move(parameters));
  }
  if (kind == "padded_shared") {
    if (!takeGaps(named.body(), parameters) ||
        !takeOrder(named.body(), parameters))
      return absl::InvalidArgumentError(
          "a padded layout has intervals and an order");
    return kernels::SharedLayout::of(shape, std::move(parameters));
  }
  return absl::UnimplementedError(
      absl::StrCat("the layout #", named.kind().str(), " is not understood"));
}

absl::StatusOr<TileLayout> layoutOf(mlir::Attribute encoding,
                                    llvm::ArrayRef<int64_t> shape) {
  const auto named = llvm::dyn_cast_or_null<NamedAttr>(encoding);
  if (!named || !named.parameters())
    return absl::UnimplementedError("the layout of a tensor is not understood");
  const mlir::DictionaryAttr parameters = named.parameters();
  const llvm::StringRef kind = named.kind().split('.').second;
  if (kind == "slice") return sliceLayout(parameters, shape);
  if (kind == "blocked") {
    const auto elements = numbersOf(parameters.get("sizePerThread"));
    const auto lanes = numbersOf(parameters.get("threadsPerWarp"));
    const auto warps = numbersOf(parameters.get("warpsPerCTA"));
    const auto order = numbersOf(parameters.get("order"));
    if (!elements || !lanes || !warps || !order)
      return absl::InvalidArgumentError("a blocked layout lacks a parameter");
    return kernels::blockedLayout(shape, {*elements, *lanes, *warps, *order});
  }
  if (kind == "linear")
    return TileLayout::of(shape, basesOf(parameters.get("register")),
                          basesOf(parameters.get("lane")),
                          basesOf(parameters.get("warp")));
  if (kind == "nvidia_mma") {
    const auto version = integerOf(parameters.get("versionMajor"));
    const auto warps = numbersOf(parameters.get("warpsPerCTA"));
    const auto instruction = numbersOf(parameters.get("instrShape"));
    if (!version || !warps || !instruction || instruction->size() < 2)
      return absl::InvalidArgumentError("a matrix layout lacks a parameter");
    return kernels::mmaLayout(shape, *version, *warps, (*instruction)[1]);
  }
  return absl::UnimplementedError(
      absl::StrCat("the layout #", named.kind().str(), " is not understood"));
}

namespace {

using kernels::AccessKind;
using kernels::AxisAnalysis;
using kernels::AxisInfo;
using kernels::KernelAccess;

int64_t bytesOf(const KernelAccess &access) {
  return std::max<int64_t>(1, access.elementBits / 8);
}

/// Returns how many elements in a row along `dimension` lie in a row in shared
/// memory, too; nothing if the layout of the memory is not understood. A row of
/// a layout for tensor cores is in pieces of 16 bytes.
std::optional<int64_t> sharedInRow(mlir::RankedTensorType memory,
                                   int64_t dimension, int64_t elementBits) {
  const auto named = llvm::dyn_cast_or_null<NamedAttr>(memory.getEncoding());
  if (!named || !named.parameters()) return std::nullopt;
  const mlir::DictionaryAttr of = named.parameters();
  const llvm::StringRef kind = named.kind().split('.').second;
  if (kind == "nvmma_shared") {
    const auto transposed = of.getAs<mlir::BoolAttr>("transposed");
    const int64_t fastest =
        memory.getRank() - (transposed && transposed.getValue() ? 2 : 1);
    return fastest == dimension ? std::max<int64_t>(1, 128 / elementBits) : 1;
  }
  if (kind != "swizzled_shared" && kind != "shared") return std::nullopt;
  const auto order = numbersOf(of.get("order"));
  const auto vec = integerOf(of.get("vec"));
  const auto phases = integerOf(of.get("maxPhase"));
  if (!order || order->empty() || !vec || !phases) return std::nullopt;
  if (order->front() != dimension) return 1;
  return *phases == 1 ? memory.getDimSize(dimension) : *vec;
}

/// Returns how many elements in a row along `dimension` a thread has in its
/// lowest registers.
int64_t registersInRow(const TileLayout &layout, int64_t dimension) {
  int64_t count = 1;
  for (int bit = 0; bit < layout.registerBits(); ++bit) {
    const Coordinates basis = layout.basis(bit);
    Coordinates wanted(basis.size(), 0);
    wanted[dimension] = count;
    if (basis != wanted) break;
    count *= 2;
  }
  return count;
}

std::string blockedText(const BlockedParameters &of) {
  auto list = [](const Coordinates &numbers) {
    return absl::StrCat("[", absl::StrJoin(numbers, ", "), "]");
  };
  return absl::StrCat("#ttg.blocked<{sizePerThread = ", list(of.sizePerThread),
                      ", threadsPerWarp = ", list(of.threadsPerWarp),
                      ", warpsPerCTA = ", list(of.warpsPerCta),
                      ", order = ", list(of.order), "}>");
}

class LayoutChoice {
 public:
  LayoutChoice(const Trace &trace, int64_t vectorBytes, kernels::Kernel &kernel)
      : trace_(trace), vectorBytes_(vectorBytes), kernel_(kernel) {
    for (auto [number, argument] : llvm::enumerate(kernel.arguments))
      if (argument.divisibility) divisors_[number] = *argument.divisibility;
    for (const TracedAccess &traced : trace.accesses)
      infos_.push_back(infoOf(traced, kernel.accesses[infos_.size()]));
  }

  void run() {
    chosen_.resize(kernel_.accesses.size());
    for (size_t i = 0; i < kernel_.accesses.size(); ++i)
      if (!isSmall(i)) setLayout(i);
    for (size_t i = 0; i < kernel_.accesses.size(); ++i)
      if (isSmall(i)) setLayout(i);
  }

 private:
  /// Whether the access is a load whose layout may be that of its uses.
  bool isSmall(size_t i) const {
    const KernelAccess &access = kernel_.accesses[i];
    return access.kind == AccessKind::Load && !access.tile.empty() &&
           !trace_.accesses[i].encoding && hasFewElements(access);
  }

  bool hasFewElements(const KernelAccess &access) const {
    return kernel_.warps && elementsOf(access) < kernel_.lanes * *kernel_.warps;
  }

  static int64_t elementsOf(const KernelAccess &access) {
    int64_t elements = 1;
    for (int64_t side : access.tile) elements *= side;
    return elements;
  }

  void setLayout(size_t i) {
    KernelAccess &access = kernel_.accesses[i];
    if (access.tile.empty()) return;
    if (!trace_.accesses[i].hasThreads) {
      access.layoutReason = "no threads take part";
      return;
    }
    if (!infos_[i]) {
      access.layoutReason = "the pointer is not known";
      return;
    }
    if (trace_.accesses[i].encoding)
      takeEncoding(access, trace_.accesses[i].encoding);
    else if (!isSmall(i) || !takeDemanded(access, i))
      chooseBlocked(access, i);
    if (access.layout) setVector(access, i);
  }

  /// Gives a small load the layout in which it is used. Returns false if there
  /// is none, or several.
  bool takeDemanded(KernelAccess &access, size_t i) {
    const auto numberOf = [&](mlir::Operation *op) -> std::optional<size_t> {
      for (size_t k = 0; k < chosen_.size(); ++k)
        if (trace_.accesses[k].op == op && chosen_[k]) return k;
      return std::nullopt;
    };
    const auto demands =
        layoutDemands(trace_.accesses[i].op, [&](mlir::Operation *op) {
          const auto number = numberOf(op);
          return number && !hasFewElements(kernel_.accesses[*number]);
        });
    if (!demands || demands->empty()) return false;
    std::string text;
    std::optional<TileLayout> layout;
    for (const LayoutDemand &demand : *demands) {
      const BlockedParameters &blocked = *chosen_[*numberOf(demand.anchor)];
      Coordinates shape(access.tile.begin(), access.tile.end());
      for (int64_t axis : demand.axes) {
        if (axis < 0 || axis > static_cast<int64_t>(shape.size())) return false;
        shape.insert(shape.begin() + axis, 1);
      }
      if (shape.size() != blocked.order.size()) return false;
      auto parent = kernels::blockedLayout(shape, blocked);
      if (!parent.ok()) return false;
      TileLayout own = *std::move(parent);
      std::string name = blockedText(blocked);
      for (size_t k = demand.axes.size(); k-- > 0;) {
        own = own.withoutDimension(demand.axes[k]).withoutEqualRegisters();
        name = absl::StrCat("#ttg.slice<{dim = ", demand.axes[k],
                            ", parent = ", name, "}>");
      }
      if (layout && name != text) return false;
      layout = std::move(own);
      text = std::move(name);
    }
    access.layout = std::move(layout);
    access.layoutText = std::move(text);
    access.layoutFrom = kernels::LayoutSource::Coalescing;
    return true;
  }

  std::optional<AxisInfo> infoOf(const TracedAccess &traced,
                                 const KernelAccess &access) {
    if (!traced.pointer) return std::nullopt;
    AxisAnalysis analysis(trace_.terms, access.tile, divisors_);
    return analysis.of(*traced.pointer, bytesOf(access));
  }

  /// Returns how many elements along its fastest dimension the access would
  /// take if it were alone.
  int64_t ownWidth(size_t i) const {
    const KernelAccess &access = kernel_.accesses[i];
    const int64_t fastest = kernels::orderOf(*infos_[i])[0];
    return std::min(access.tile[fastest],
                    kernels::alignedElements(*infos_[i], fastest,
                                             bytesOf(access), vectorBytes_));
  }

  void takeEncoding(KernelAccess &access, mlir::Attribute encoding) {
    access.layoutText = textOf(encoding);
    access.layoutFrom = kernels::LayoutSource::File;
    auto layout = layoutOf(encoding, access.tile);
    if (layout.ok())
      access.layout = *std::move(layout);
    else
      access.layoutReason = std::string(layout.status().message());
  }

  void chooseBlocked(KernelAccess &access, size_t i) {
    if (!kernel_.warps) {
      access.layoutReason = "the number of warps is not known";
      return;
    }
    const auto order = kernels::orderOf(*infos_[i]);
    int64_t width = ownWidth(i);
    if (access.kind == AccessKind::Load)
      for (size_t k = 0; k < kernel_.accesses.size(); ++k) {
        if (!infos_[k] || kernel_.accesses[k].tile != access.tile ||
            trace_.accesses[k].web != trace_.accesses[i].web ||
            kernels::orderOf(*infos_[k]) != order)
          continue;
        width = std::max(width, ownWidth(k));
      }
    const int64_t threads = kernel_.lanes * *kernel_.warps;
    width = std::clamp<int64_t>(
        width, 1, std::max<int64_t>(1, elementsOf(access) / threads));
    const BlockedParameters blocked = kernels::blockedAlong(
        access.tile, order, width, kernel_.lanes, *kernel_.warps);
    chosen_[i] = blocked;
    access.layoutText = blockedText(blocked);
    access.layoutFrom = kernels::LayoutSource::Coalescing;
    auto layout = kernels::blockedLayout(access.tile, blocked);
    if (layout.ok())
      access.layout = *std::move(layout);
    else
      access.layoutReason = std::string(layout.status().message());
  }

  void setVector(KernelAccess &access, size_t i) {
    access.order = kernels::orderOf(*infos_[i]);
    const int64_t fastest = access.order[0];
    const TracedAccess &traced = trace_.accesses[i];
    int64_t vector = std::min(
        registersInRow(*access.layout, fastest),
        std::max(traced.contiguity,
                 kernels::alignedElements(*infos_[i], fastest, bytesOf(access),
                                          vectorBytes_)));
    if (traced.memory) {
      const auto shared =
          sharedInRow(traced.memory, fastest, access.elementBits);
      if (!shared) {
        access.layout.reset();
        access.layoutReason = "the layout of shared memory is not understood";
        return;
      }
      vector = std::min(vector, *shared);
    }
    if (const auto mask = traced.mask) {
      AxisAnalysis analysis(trace_.terms, access.tile, divisors_);
      vector = std::min(vector,
                        analysis.of(*mask, bytesOf(access)).constancy[fastest]);
    }
    if (access.kind == AccessKind::Atomic && vector > 1) {
      if (traced.atomicWidth == AtomicWidth::One) vector = 1;
      if (traced.atomicWidth == AtomicWidth::Unknown) {
        access.layout.reset();
        access.layoutReason =
            "how many elements an atomic takes at once depends on the GPU";
        return;
      }
    }
    access.vector = std::max<int64_t>(1, vector);
  }

  const Trace &trace_;
  const int64_t vectorBytes_;
  kernels::Kernel &kernel_;
  std::map<int64_t, int64_t> divisors_;
  std::vector<std::optional<AxisInfo>> infos_;
  /// The layouts that are chosen here, of accesses by their number.
  std::vector<std::optional<BlockedParameters>> chosen_;
};

}  // namespace

void setLayouts(const Trace &trace, int64_t vectorBytes,
                kernels::Kernel &kernel) {
  LayoutChoice(trace, vectorBytes, kernel).run();
}

}  // namespace indexical::triton
