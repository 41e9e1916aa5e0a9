#include "indexical/answers/report/alike_kernels.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/indexed/dynamic_slice.h"
#include "indexical/ops/op.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace {

/// Comparing more pairs takes longer than it saves.
constexpr size_t kMostPairs = 64;

/// Whether the op alone determines the reads of every instruction with it: no
/// map names a value, and no size comes from elsewhere.
bool readsByItself(const Op &op) {
  const OpShapes &shapes = shapesOf(op);
  const size_t results = shapes.results.size();
  const size_t operands = shapes.operands.size();
  if (results * operands > kMostPairs || hasOpenSizes(shapes)) return false;
  auto namesNoValue = [](const IndexingMap &map) {
    return map.runtime().empty() && map.collectives().empty();
  };
  for (size_t r = 0; r < results; ++r)
    for (size_t o = 0; o < operands; ++o)
      for (const Direction direction :
           {Direction::OutputToInput, Direction::InputToOutput}) {
        const auto relation = indexing(op, direction, r, o);
        if (!relation.ok() || !llvm::all_of(relation->pieces(), namesNoValue))
          return false;
      }
  return true;
}

/// Returns a text of what the maps of a slice say of its offsets. Slices of one
/// op with equal texts read alike. Returns "" if a map names a value that is no
/// scalar.
std::string offsetsOf(const KernelSite &site, size_t operands,
                      ProgramIndexing &maps) {
  std::string text;
  std::map<int64_t, size_t> numbers;
  for (size_t o = 0; o < operands; ++o)
    for (const Direction direction :
         {Direction::OutputToInput, Direction::InputToOutput}) {
      auto relation = maps.instruction(
          {ComputationId(site.computation), InstructionId(site.instruction)},
          LeafId(o), direction);
      if (relation.ok()) relation = maps.withKnownValues(*relation);
      if (!relation.ok()) return "";
      for (const IndexingMap &map : relation->pieces()) {
        if (!map.collectives().empty() ||
            map.visibleRuntimeCount() != map.runtime().size())
          return "";
        text += map.str();
        for (const RuntimeVariable &variable : map.runtime()) {
          const RuntimeSource &source = variable.source;
          if (source.kind != RuntimeSource::Kind::Element ||
              !variable.index.empty())
            return "";
          // Two offsets may be one value.
          numbers.try_emplace(source.tensor, numbers.size());
          text += ";" + std::to_string(numbers[source.tensor]) +
                  (variable.clamped ? " clamped" : "");
        }
        text += "\n";
      }
    }
  return text;
}

}  // namespace

std::shared_ptr<const Measurement> *AlikeKernels::placeOf(
    const Instruction &instruction, const KernelSite &site, LaunchModel model,
    ProgramIndexing &maps) {
  if (!instruction.called.empty()) return nullptr;
  const Key key{&instruction.op.descriptor(),
                site.trips,
                site.tripsKnown,
                model,
                instruction.indicesAreSorted,
                instruction.uniqueIndices,
                instruction.backendConfig,
                instruction.customCallTarget};
  auto [known, isNew] = places_.try_emplace(key);
  Entry &place = known->second;
  if (isNew) place.isShared = readsByItself(instruction.op);
  if (place.isShared) return &place.kept;
  if (!instruction.op.is<DynamicSliceOp>()) return nullptr;
  const OpShapes &shapes = shapesOf(instruction.op);
  if (hasOpenSizes(shapes)) return nullptr;
  const std::string offsets = offsetsOf(site, shapes.operands.size(), maps);
  return offsets.empty() ? nullptr : &place.byOffsets[offsets];
}

std::string AlikeTexts::of(const KernelCost &kernel, const void *part,
                           llvm::function_ref<std::string()> write) {
  // No other kernel shares the measurement.
  if (kernel.measurement.use_count() == 1) return write();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (auto known = texts_.find(part); known != texts_.end())
      return known->second;
  }
  std::string text = write();
  const std::lock_guard<std::mutex> lock(mutex_);
  return texts_.try_emplace(part, std::move(text)).first->second;
}

}  // namespace indexical
