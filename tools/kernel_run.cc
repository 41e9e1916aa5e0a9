#include "indexical/tools/kernel_run.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/hlo/hlo_parser.h"
#include "indexical/ops/address.h"
#include "indexical/tools/traffic_call.h"

namespace indexical {
namespace {

using kernels::BufferSizes;
using kernels::KernelSource;

/// The shape of that text, as HLO writes it.
absl::StatusOr<ArrayShape> shapeOf(llvm::StringRef text) {
  const auto program = parseHlo(
      absl::StrCat("shape { ROOT p = ", text.str(), " parameter(0) }"));
  if (program.ok() && !program->modules.empty()) {
    const Computation &only = program->modules[0].computations[0];
    const auto &results = shapesOf(only.instructions[only.root].op).results;
    if (results.size() == 1) return results[0];
  }
  return errorAt({}, absl::StrCat("`", text.str(),
                                  "` is no shape such as f32[16,1024]{1,0}"));
}

/// Sets the sizes and the texts of the arguments' shapes.
class ArgumentShapes {
 public:
  ArgumentShapes(KernelFindings &found, BufferSizes &sizes)
      : found_(found), sizes_(sizes) {
    sizes.assign(found.kernel.arguments.size(), std::nullopt);
    found.shapes.assign(found.kernel.arguments.size(), "");
  }

  void set(size_t number, const ArrayShape &shape) {
    if (number >= sizes_.size() || !found_.kernel.arguments[number].isPointer)
      return;
    sizes_[number] = storedElements(shape);
    found_.shapes[number] = shape.str(/*withLayout=*/true);
  }

  absl::Status setNamed(const std::string &name, const std::string &text) {
    auto shape = shapeOf(text);
    if (!shape.ok()) return shape.status();
    const auto &arguments = found_.kernel.arguments;
    size_t number = 0;
    for (; number < arguments.size(); ++number)
      if (arguments[number].name == name ||
          absl::StrCat("arg", number) == name || absl::StrCat(number) == name)
        break;
    if (number == arguments.size() || !arguments[number].isPointer)
      return errorAt({}, absl::StrCat("--shape: there is no pointer `", name,
                                      "` among the arguments"));
    set(number, *shape);
    return absl::OkStatus();
  }

 private:
  KernelFindings &found_;
  BufferSizes &sizes_;
};

/// Sets the shapes that the source, the fusion and the call know, in this
/// order.
absl::Status setShapes(const KernelSource &source,
                       const KernelQuestion &question,
                       const std::optional<Fusion> &fusion,
                       KernelFindings &found, BufferSizes &sizes) {
  ArgumentShapes shapes(found, sizes);
  for (const auto &[number, shape] : source.shapes) shapes.set(number, shape);
  if (fusion)
    for (auto [number, shape] : llvm::enumerate(kernels::argumentShapes(
             fusion->module->computations[fusion->computation])))
      shapes.set(number, shape);
  for (const auto &[name, text] : question.shapes)
    if (auto status = shapes.setNamed(name, text); !status.ok()) return status;
  return absl::OkStatus();
}

/// The programs that the tiles of the first root ask for; those that the kernel
/// stores, if the call names none.
std::optional<std::array<int64_t, 3>> gridOf(const KernelQuestion &question,
                                             const Fusion &fusion,
                                             llvm::StringRef text,
                                             kernels::ReadOptions read) {
  const Computation &computation =
      fusion.module->computations[fusion.computation];
  const auto &roots =
      shapesOf(computation.instructions[computation.root].op).results;
  if (roots.size() == 0) return std::nullopt;
  const ArrayShape &root = roots[0];
  std::vector<int64_t> tile = question.tiles;
  if (tile.empty()) {
    read.grid = std::array<int64_t, 3>{1, 1, 1};
    const auto kernel = kernels::parseKernel(text, read);
    if (!kernel.ok()) return std::nullopt;
    for (const kernels::KernelAccess &access : kernel->accesses)
      if (access.kind == kernels::AccessKind::Store)
        tile.assign(access.tile.begin(), access.tile.end());
  }
  if (tile.size() != root.dimensions.size()) return std::nullopt;
  return std::array<int64_t, 3>{kernels::programsOf(root, tile), 1, 1};
}

/// How the source's text is read.
kernels::ReadOptions readingOf(const KernelSource &source,
                               const KernelQuestion &question,
                               const std::optional<Fusion> &fusion) {
  kernels::ReadOptions read = source.read;
  if (!question.function.empty()) read.function = question.function;
  read.arguments.insert(read.arguments.end(), question.arguments.begin(),
                        question.arguments.end());
  read.vectorBytes = question.device->vectorBytes;
  if (question.warps) read.warps = static_cast<int64_t>(*question.warps);
  if (!question.grid.empty()) {
    std::array<int64_t, 3> grid = {1, 1, 1};
    std::copy(question.grid.begin(), question.grid.end(), grid.begin());
    read.grid = grid;
  } else if (fusion && !read.grid) {
    if (auto grid = gridOf(question, *fusion, source.text, read))
      read.grid = grid;
  }
  return read;
}

/// Adds the traffic, its sums and the time of the accesses that have figures.
void measureTraffic(const KernelQuestion &question, const BufferSizes &sizes,
                    const Budget &budget, KernelFindings &found) {
  const CoalescingOptions coalescing(budget);
  TrafficMeter meter(*question.device, coalescing);
  found.traffic = kernels::measure(found.kernel, sizes, meter);
  bool isMeasured = !found.traffic.accesses.empty();
  for (const kernels::MeasuredAccess &access : found.traffic.accesses) {
    const bool hasFigures = access.traffic && access.traffic->figures;
    isMeasured &= hasFigures;
    if (hasFigures) found.sums.add(sumsOf(*access.traffic, *question.device));
  }
  if (!isMeasured) return;
  ReuseMeter reuse(*question.device, coalescing);
  found.time = predictedTime(
      demandOf(found.traffic.measured, found.traffic.traffic, reuse),
      *question.device);
}

}  // namespace

absl::StatusOr<KernelFindings> findKernel(const KernelSource &source,
                                          const KernelQuestion &question,
                                          const std::optional<Fusion> &fusion,
                                          const Budget &budget) {
  auto kernel =
      kernels::parseKernel(source.text, readingOf(source, question, fusion));
  if (!kernel.ok()) return kernel.status();
  if (!kernel->warps && !fusion)
    return errorAt({},
                   "the number of warps of a program is not known; "
                   "--num-warps=N gives it");
  KernelFindings found;
  found.kernel = *std::move(kernel);
  found.text = source.text;
  found.launch = source.launch;
  found.instruction = source.instruction;
  BufferSizes sizes;
  if (auto status = setShapes(source, question, fusion, found, sizes);
      !status.ok())
    return status;
  measureTraffic(question, sizes, budget, found);
  const ExactOptions exact(budget);
  for (const kernels::KernelAccess &access : found.kernel.accesses)
    found.bounds.push_back(kernels::inBounds(access, sizes, exact));
  found.once = kernels::writtenOnce(found.kernel, exact);
  for (const kernels::SharedAccess &access : found.kernel.shared)
    found.shared.push_back(kernels::sharedFigures(access));
  if (fusion) {
    auto compared = kernels::compareWithFusion(found.kernel, *fusion->module,
                                               fusion->computation, exact);
    if (!compared.ok())
      return errorAt({}, std::string(compared.status().message()));
    found.comparison = *std::move(compared);
  }
  return found;
}

}  // namespace indexical
