#include "indexical/import/triton/layouts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/triton/dialect.h"
#include "indexical/import/triton/layout_demands.h"
#include "indexical/import/triton/value_types.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"
#include "indexical/program/kernel/vectors.h"

namespace indexical::triton {

using layouts::Coordinates;
using layouts::Layout;

namespace {

absl::StatusOr<layouts::Encoding> encodingOf(mlir::Attribute attribute) {
  if (!llvm::isa_and_nonnull<NamedAttr>(attribute))
    return absl::UnimplementedError("the layout of a tensor is not understood");
  return layouts::parseEncoding(textOf(attribute));
}

std::string typeText(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

}  // namespace

absl::StatusOr<Layout> layoutOf(mlir::Attribute encoding,
                                llvm::ArrayRef<int64_t> shape) {
  INDEXICAL_ASSIGN_OR_RETURN(const layouts::Encoding of, encodingOf(encoding));
  return layouts::encodedTensor(of, shape, "");
}

absl::StatusOr<Layout> sharedLayoutOf(mlir::RankedTensorType memory,
                                      llvm::ArrayRef<int64_t> whole) {
  INDEXICAL_ASSIGN_OR_RETURN(const layouts::Encoding of,
                             encodingOf(memory.getEncoding()));
  return layouts::encodedMemory(of, whole, typeText(memory.getElementType()));
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
  const auto encoding = encodingOf(memory.getEncoding());
  if (!encoding.ok()) return std::nullopt;
  const llvm::StringRef kind = encoding->kind;
  if (kind == "nvmma_shared") {
    const int64_t fastest =
        memory.getRank() - (encoding->isTrue("transposed") ? 2 : 1);
    return fastest == dimension ? std::max<int64_t>(1, 128 / elementBits) : 1;
  }
  if (kind != "swizzled_shared" && kind != "shared") return std::nullopt;
  const auto order = encoding->numbers("order");
  const auto vec = encoding->number("vec");
  const auto phases = encoding->number("maxPhase");
  if (!order || order->empty() || !vec || !phases) return std::nullopt;
  if (order->front() != dimension) return 1;
  return *phases == 1 ? memory.getDimSize(dimension) : *vec;
}

/// Returns how many elements in a row along `dimension` a thread has in its
/// lowest registers.
int64_t registersInRow(const Layout &layout, int64_t dimension) {
  int64_t count = 1;
  const auto bases = layouts::basesOf(layout);
  if (!bases) return count;
  for (const Coordinates &basis : bases->front()) {
    Coordinates wanted(basis.size(), 0);
    wanted[dimension] = count;
    if (basis != wanted) break;
    count *= 2;
  }
  return count;
}

/// The parameters of a blocked layout. Each list has one number a dimension;
/// `order` begins with the fastest dimension.
struct BlockedParameters {
  Coordinates sizePerThread, threadsPerWarp, warpsPerCta, order;
};

/// Returns the blocked layout in which a thread has a number of elements along
/// the fastest dimension, and one along the others. Lanes, then warps, go along
/// `order`; the last dimension takes those that are left.
BlockedParameters blockedAlong(llvm::ArrayRef<int64_t> shape,
                               llvm::ArrayRef<int64_t> order,
                               int64_t elementsPerThread, int64_t lanes,
                               int64_t warps) {
  const size_t rank = shape.size();
  BlockedParameters made;
  made.sizePerThread.assign(rank, 1);
  made.threadsPerWarp.assign(rank, 1);
  made.warpsPerCta.assign(rank, 1);
  made.order.assign(order.begin(), order.end());
  if (rank == 0) return made;
  made.sizePerThread[order[0]] = elementsPerThread;
  int64_t threads = lanes * warps, lanesLeft = lanes, warpsLeft = warps;
  for (size_t n = 0; n + 1 < rank; ++n) {
    const int64_t k = order[n];
    const int64_t here = std::clamp<int64_t>(
        threads, 1, std::max<int64_t>(1, shape[k] / made.sizePerThread[k]));
    made.threadsPerWarp[k] = std::clamp<int64_t>(here, 1, lanesLeft);
    made.warpsPerCta[k] =
        std::clamp<int64_t>(here / made.threadsPerWarp[k], 1, warpsLeft);
    threads /= here;
    lanesLeft /= made.threadsPerWarp[k];
    warpsLeft /= made.warpsPerCta[k];
  }
  made.threadsPerWarp[order[rank - 1]] = lanesLeft;
  made.warpsPerCta[order[rank - 1]] = warpsLeft;
  return made;
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

/// Returns the layout of a tile whose encoding has this text.
absl::StatusOr<Layout> layoutOfText(llvm::StringRef text,
                                    llvm::ArrayRef<int64_t> shape) {
  INDEXICAL_ASSIGN_OR_RETURN(const layouts::Encoding of,
                             layouts::parseEncoding(text));
  return layouts::encodedTensor(of, shape, "");
}

class LayoutChoice {
 public:
  LayoutChoice(const Trace &trace, int64_t vectorBytes,
               kernels::TritonKernel &kernel)
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
    for (const LayoutDemand &demand : *demands) {
      const BlockedParameters &blocked = *chosen_[*numberOf(demand.anchor)];
      Coordinates shape(access.tile.begin(), access.tile.end());
      for (int64_t axis : demand.axes) {
        if (axis < 0 || axis > static_cast<int64_t>(shape.size())) return false;
        shape.insert(shape.begin() + axis, 1);
      }
      if (shape.size() != blocked.order.size()) return false;
      std::string name = blockedText(blocked);
      for (size_t k = demand.axes.size(); k-- > 0;)
        name = absl::StrCat("#ttg.slice<{dim = ", demand.axes[k],
                            ", parent = ", name, "}>");
      if (!text.empty() && name != text) return false;
      text = std::move(name);
    }
    auto layout = layoutOfText(text, access.tile);
    if (!layout.ok()) return false;
    access.layout = *std::move(layout);
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
    const BlockedParameters blocked =
        blockedAlong(access.tile, order, width, kernel_.lanes, *kernel_.warps);
    chosen_[i] = blocked;
    access.layoutText = blockedText(blocked);
    access.layoutFrom = kernels::LayoutSource::Coalescing;
    auto layout = layoutOfText(access.layoutText, access.tile);
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
  kernels::TritonKernel &kernel_;
  std::map<int64_t, int64_t> divisors_;
  std::vector<std::optional<AxisInfo>> infos_;
  /// The layouts that are chosen here, of accesses by their number.
  std::vector<std::optional<BlockedParameters>> chosen_;
};

}  // namespace

void setLayouts(const Trace &trace, int64_t vectorBytes,
                kernels::TritonKernel &kernel) {
  LayoutChoice(trace, vectorBytes, kernel).run();
}

}  // namespace indexical::triton
