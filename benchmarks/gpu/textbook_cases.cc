#include "benchmarks/gpu/textbook_cases.h"

#include <cmath>
#include <utility>

#include "indexical/cost/launch/predicted_time.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/map_text.h"

namespace indexical {
namespace gpu {
namespace {

/// `(d0, d1) -> (RESULTS)` on all of an index space. The cases are our own, so
/// that a map is always made.
IndexingMap onSpace(llvm::ArrayRef<int64_t> sizes, const std::string &results,
                    const std::string &rangesAndRuntime = "",
                    const std::string &more = "") {
  std::string dimensions, domain;
  for (size_t k = 0; k < sizes.size(); ++k) {
    const std::string name = "d" + std::to_string(k);
    dimensions += (k > 0 ? ", " : "") + name;
    domain += (k > 0 ? ", " : "") + name + " in [0, " +
              std::to_string(sizes[k] - 1) + "]";
  }
  return parseMap("(" + dimensions + ")" + rangesAndRuntime + " -> (" +
                  results + "), domain: " + domain + more)
      .value();
}

ArrayShape shape(llvm::ArrayRef<int64_t> sizes,
                 ElementType type = ElementType::F32) {
  return ArrayShape(type, sizes);
}

ArrayShape packed(int64_t elements, ElementType type, int64_t bits) {
  ArrayShape array = shape({elements}, type);
  Layout &layout = array.layout.emplace();
  layout.minorToMajor = {0};
  layout.elementBits = bits;
  return array;
}

class Cases {
 public:
  explicit Cases(int64_t elements)
      : n_(elements), side_(std::llround(std::sqrt(elements))) {}

  std::vector<TextbookCase> all() && {
    copies();
    strides();
    broadcasts();
    transposes();
    reductions();
    gathers();
    return std::move(cases_);
  }

 private:
  TextbookCase &add(std::string name, IndexingMap threads, IndexingMap map,
                    ArrayShape operand) {
    TextbookCase kernel;
    kernel.name = std::move(name);
    kernel.threads = std::move(threads);
    kernel.reads.push_back({std::move(map), std::move(operand)});
    cases_.push_back(std::move(kernel));
    return cases_.back();
  }
  /// One element a lane, `index` of `operand`.
  TextbookCase &addLinear(std::string name, const std::string &index,
                          ArrayShape operand) {
    return add(std::move(name), *linearThreads(shape({n_})),
               onSpace({n_}, index), std::move(operand));
  }

  void copies() {
    addLinear("copy f32", "d0", shape({n_}));
    addLinear("copy f32, written", "d0", shape({n_})).write =
        CaseAccess{onSpace({n_}, "d0"), shape({n_})};
    for (int64_t vector : {2, 4}) {
      TextbookCase &kernel =
          add("copy f32 by " + std::to_string(vector) + ", written",
              *linearThreads(shape({n_}), {128, 1, vector}),
              onSpace({n_}, "d0"), shape({n_}));
      kernel.vector = vector;
      kernel.write = CaseAccess{onSpace({n_}, "d0"), shape({n_})};
    }
    addLinear("copy bf16", "d0", shape({n_}, ElementType::BF16));
    addLinear("copy f64", "d0", shape({n_}, ElementType::F64));
    addLinear("copy s4 in 4 bits", "d0", packed(n_, ElementType::S4, 4));
    const int64_t partial = n_ - 24;
    add("copy f32, partial last warp", *linearThreads(shape({partial})),
        onSpace({partial}, "d0"), shape({partial}));
    addLinear("start + 1", "d0 + 1", shape({n_ + 8}));
    addLinear("start + 8", "d0 + 8", shape({n_ + 8}));
  }

  void strides() {
    for (int64_t step : {2, 3, 32})
      addLinear("stride " + std::to_string(step),
                "d0 * " + std::to_string(step), shape({n_ * step}));
    addLinear("column of [N,33]", "d0, 0", shape({n_, 33}));
  }

  void broadcasts() {
    addLinear("broadcast of a scalar", "", shape({}));
    add("broadcast of a row", *linearThreads(shape({side_, side_})),
        onSpace({side_, side_}, "d1"), shape({side_}));
  }

  void transposes() {
    const ArrayShape square = shape({side_, side_});
    const IndexingMap same = onSpace(square.dimensions, "d0, d1");
    const IndexingMap turned = onSpace(square.dimensions, "d1, d0");
    add("transpose, naive", *linearThreads(square), turned, square);
    add("transpose, naive, written", *linearThreads(square), turned, square)
        .write = CaseAccess{same, square};
    TextbookCase &tiled = add("transpose, tiled, written",
                              *tileThreads(square, 1, 0), turned, square);
    // Blocks of one number have tiles that lie across from each other: the
    // write takes its block's coordinates in the other order.
    tiled.stage = TextbookCase::Stage{
        {onSpace(square.dimensions, "d0 mod 32, d1 mod 32"), shape({32, 33})},
        parseMap(
            "(th_x, th_y, th_z, bl_x, bl_y, bl_z)[step] -> "
            "(bl_x * 32 + step * 4 + th_y, bl_y * 32 + th_x), domain: "
            "th_x in [0, 31], th_y in [0, 3], th_z in [0, 0], bl_x in [0, " +
            std::to_string(side_ / 32 - 1) + "], bl_y in [0, " +
            std::to_string(side_ / 32 - 1) +
            "], bl_z in [0, 0], step in [0, 7]")
            .value()};
    tiled.write = CaseAccess{same, square};
  }

  void reductions() {
    const ArrayShape square = shape({side_, side_});
    const std::string along = ", s0 in [0, " + std::to_string(side_ - 1) + "]";
    add("rows summed, a warp each", *rowThreads(square, 1),
        onSpace(square.dimensions, "d0, d1"), square);
    add("rows summed, a thread each", *linearThreads(shape({side_})),
        onSpace({side_}, "d0, s0", "[s0]", along), square);
    add("columns summed, a thread each", *linearThreads(shape({side_})),
        onSpace({side_}, "s0, d0", "[s0]", along), square);
  }

  void gathers() {
    // 40503 is odd: of a power of two every element is met once.
    const std::string scattered = "(d0 * 40503) mod " + std::to_string(n_);
    for (const auto &[name, indices] :
         {std::pair<std::string, std::string>{"sorted", "d0"},
          {"equal", "d0 floordiv 32"},
          {"scattered", scattered}}) {
      TextbookCase &kernel = addLinear("gather, " + name + " indices", "d0",
                                       shape({n_}, ElementType::S32));
      kernel.indices = indices;
      kernel.reads.push_back(
          {onSpace({n_}, "rt0", "{rt0}",
                   ", rt0 in [0, " + std::to_string(n_ - 1) + "]"),
           shape({n_})});
    }
  }

  const int64_t n_, side_;
  std::vector<TextbookCase> cases_;
};

}  // namespace

std::vector<TextbookCase> textbookCases(int64_t elements) {
  return Cases(elements).all();
}

absl::StatusOr<Prediction> predict(const TextbookCase &kernel,
                                   const Device &device) {
  Prediction sum;
  KernelAccesses kernelAccesses;
  KernelTraffic traffic;
  auto keep = [&](const CaseAccess &access, const IndexingMap &threads,
                  const AccessFigures &figures) {
    Traffic of;
    of.access.launch = traffic.threads.size();
    of.access.buffer = kernelAccesses.buffers.size();
    of.access.map = IndexingRelation(access.map);
    of.figures = figures;
    kernelAccesses.buffers.push_back(access.shape);
    traffic.threads.push_back(threads);
    traffic.reads.push_back(std::move(of));
  };
  auto add = [&](const CaseAccess &access,
                 const IndexingMap &threads) -> absl::Status {
    CoalescingOptions options;
    options.byWarps = true;  // hardware counts what each warp asks for
    if (access.map.visibleRuntimeCount() > 0)
      options.runtime = {{"rt0", kernel.indices}};
    auto figures = coalescing(IndexingRelation(access.map), access.shape,
                              threads, device, options);
    if (!figures.ok())
      return absl::InternalError("an access of `" + kernel.name +
                                 "` has no figures");
    if (figures->vector != kernel.vector)
      return absl::InternalError("`" + kernel.name + "` has vectors of " +
                                 std::to_string(figures->vector));
    for (const Figure &figure : {figures->accesses, figures->sectors,
                                 figures->distinctSectors, figures->bytesUsed})
      if (!figure.isKnown())
        return absl::InternalError("a figure of `" + kernel.name +
                                   "` is not one number");
    sum.accesses += figures->accesses.most;
    sum.sectors += figures->sectors.most;
    sum.distinctSectors += figures->distinctSectors.most;
    sum.bytesUsed += figures->bytesUsed.most;
    keep(access, threads, *figures);
    return absl::OkStatus();
  };
  for (const CaseAccess &read : kernel.reads)
    if (auto status = add(read, kernel.threads); !status.ok()) return status;
  if (kernel.write)
    if (auto status = add(*kernel.write, kernel.threadsOfWrite()); !status.ok())
      return status;
  CoalescingOptions options;
  if (!kernel.indices.empty()) options.runtime = {{"rt0", kernel.indices}};
  ReuseMeter reuse(device, options);
  const Demand demand = demandOf(kernelAccesses, traffic, reuse);
  sum.milliseconds = predictedTime(demand, device).total() / 1e3;
  return sum;
}

absl::StatusOr<std::vector<int32_t>> indexValues(const TextbookCase &kernel) {
  const int64_t count = kernel.reads.front().shape.dimensions.front();
  const IndexingMap values = onSpace({count}, kernel.indices);
  std::vector<int32_t> all;
  for (int64_t i = 0; i < count; ++i) {
    auto value = values.evaluate({{i}, {}, {}});
    if (!value) return absl::OutOfRangeError("an index leaves 64 bits");
    all.push_back(static_cast<int32_t>(value->front()));
  }
  return all;
}

}  // namespace gpu
}  // namespace indexical
