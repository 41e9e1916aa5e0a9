#include "indexical/answers/report/avoidable.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/analysis/launch/array_flow.h"
#include "indexical/analysis/launch/kernels.h"
#include "indexical/analysis/launch/predicted_time.h"
#include "indexical/answers/fields.h"
#include "indexical/answers/report/kernel_cost.h"
#include "indexical/answers/report/sums.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/module/callees.h"
#include "indexical/ops/address.h"
#include "indexical/ops/op.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {

using llvm::StringRef;

const std::string &Avoidable::partnerOf(AvoidBy by) const {
  return by == AvoidBy::FuseArray ? reader : with;
}

StringRef nameOf(AvoidBy by) {
  switch (by) {
    case AvoidBy::View:
      return "view";
    case AvoidBy::Donate:
      return "donate";
    case AvoidBy::Layout:
      return "layout";
    case AvoidBy::Type:
      return "type";
    case AvoidBy::Join:
      return "join";
    case AvoidBy::Loop:
      return "loop";
    case AvoidBy::Fill:
      return "fill";
    case AvoidBy::Fuse:
    case AvoidBy::FuseArray:
      return "fuse";
    case AvoidBy::Readers:
      return "readers";
    case AvoidBy::Sectors:
      return "sectors";
    case AvoidBy::Again:
      return "again";
    case AvoidBy::Cores:
      return "cores";
    case AvoidBy::Blocks:
      return "blocks";
    case AvoidBy::Waits:
      return "waits";
    case AvoidBy::Library:
      return "library";
    case AvoidBy::Measured:
      return "measured";
    case AvoidBy::Nothing:
      break;
  }
  return "";
}

//===-- Views -------------------------------------------------------------===//

namespace {

/// Returns the one map from the launch's index to places in memory, in
/// elements, if the access has one that is exact, without loops and values.
std::optional<IndexingMap> placesOf(const Kernel &kernel,
                                    const MemoryAccess &access) {
  const IndexingRelation &map = access.map;
  if (map.pieces().size() != 1 || map.precision() != Precision::Exact ||
      access.isSome)
    return std::nullopt;
  const IndexingMap &piece = map.pieces().front();
  if (!piece.ranges().empty() || !piece.runtime().empty() ||
      !piece.collectives().empty())
    return std::nullopt;
  auto address = addressMap(kernel.buffers[access.buffer]);
  if (!address.ok()) return std::nullopt;
  auto places = compose(piece, *address);
  if (!places.ok() || places->isKnownEmpty()) return std::nullopt;
  return *std::move(places);
}

/// Returns whether the maps' results have one distance on the whole domain of
/// the first.
bool haveOneDistance(const IndexingMap &a, const IndexingMap &b) {
  if (a.dimensions().size() != b.dimensions().size()) return false;
  IndexingMapBuilder builder;
  llvm::SmallVector<FormId, 6> dimensions;
  for (const Variable &of : a.dimensions())
    dimensions.push_back(builder.dimension(of.bounds, of.name).form());
  auto replace = [&](VariableId id) { return dimensions[id.index]; };
  ExpressionImport ofA(a.expressions(), builder.pool(), replace);
  ExpressionImport ofB(b.expressions(), builder.pool(), replace);
  builder.result(builder.expression(ofA(a.results()[0])) -
                 builder.expression(ofB(b.results()[0])));
  for (const Constraint &constraint : a.constraints())
    builder.constraint(builder.expression(ofA(constraint.form)),
                       constraint.bounds);
  auto difference = builder.build();
  if (!difference.ok()) return false;
  auto simplified = simplify(*difference);
  return simplified.ok() && !simplified->isKnownEmpty() &&
         simplified->expressions().isConstant(simplified->results()[0]);
}

}  // namespace

bool isView(const Kernel &kernel) {
  if (kernel.bytesOnly || kernel.reads.size() != 1 || kernel.writes.size() != 1)
    return false;
  const MemoryAccess &read = kernel.reads[0], &write = kernel.writes[0];
  if (read.launch != write.launch) return false;
  const ArrayShape &from = kernel.buffers[read.buffer];
  const ArrayShape &to = kernel.buffers[write.buffer];
  if (storedBits(from) != storedBits(to)) return false;
  const auto readPlaces = placesOf(kernel, read);
  const auto writtenPlaces = placesOf(kernel, write);
  return readPlaces && writtenPlaces &&
         haveOneDistance(*writtenPlaces, *readPlaces);
}

//===-- The facts ---------------------------------------------------------===//

namespace {

/// A part of the time below which nobody looks for a change.
constexpr double kLeastPart = 0.02;

/// Finds what is avoidable of a module's kernels.
class Finder {
 public:
  Finder(const Program &program, const std::vector<KernelCost> &kernels)
      : names_{program} {
    for (const KernelCost &kernel : kernels)
      kernels_[{kernel.module, kernel.computation, kernel.instruction}] =
          &kernel;
  }

  Avoidable of(const KernelCost &kernel) {
    enter(kernel);
    Avoidable found;
    setOwn(kernel, found);
    if (kernel.facts.onlyMoves) setWhole(kernel, found);
    return found;
  }

  /// Sets what an array of the kernel takes through memory. A reader that is
  /// avoidable whole counts that itself.
  void addArrays(const KernelCost &kernel, Avoidable &found) {
    enter(kernel);
    if (found.whole == AvoidBy::Nothing) setFused(kernel, found);
  }

 private:
  void enter(const KernelCost &kernel) {
    if (module_ == kernel.module && flow_) return;
    module_ = kernel.module;
    flow_.emplace(names_.moduleOf(kernel));
    overwritten_.clear();
  }

  const Instruction &instructionAt(ComputationId c, InstructionId i) const {
    return names_.program.modules[module_].computations[c].instructions[i];
  }
  std::string nameAt(const Leaf &leaf) const {
    return instructionAt(leaf.computation, leaf.instruction).name.str();
  }
  std::string nameOf(const ArrayUses::Reader &reader) const {
    return instructionAt(reader.computation, reader.instruction).name.str();
  }
  const KernelCost *kernelAt(ComputationId c, InstructionId i) const {
    const auto found = kernels_.find({module_, c, i});
    return found == kernels_.end() ? nullptr : found->second;
  }
  /// Returns whether a compiler makes the kernel's text: no library has it.
  static bool isCompiled(const KernelCost &kernel) {
    return !kernel.kernel().bytesOnly && kernel.time();
  }

  //===-- All of a kernel -------------------------------------------------===//

  /// Returns the uses of the kernel's results, of all of them together.
  ArrayUses usesOf(const KernelCost &kernel) const {
    ArrayUses all;
    llvm::DenseSet<std::pair<int32_t, int32_t>> seen;
    const Instruction &instruction = names_.instructionOf(kernel);
    for (LeafId leaf; leaf < instruction.shape.leafCount(); ++leaf) {
      const ArrayUses &uses =
          flow_->usesOf({kernel.computation, kernel.instruction, leaf});
      for (const ArrayUses::Reader &reader : uses.readers)
        if (seen.insert({reader.computation, reader.instruction}).second)
          all.readers.push_back(reader);
      all.isResult |= uses.isResult;
      all.isOpen |= uses.isOpen;
    }
    return all;
  }

  /// Returns the largest array that the kernel reads; nothing if what it reads
  /// is next to nothing beside what it writes: a value that fills an array.
  std::optional<Leaf> largestSource(const KernelCost &kernel) const {
    constexpr int64_t kFilled = 64;
    std::optional<Leaf> source;
    int64_t written = 0;
    for (const Traffic &write : kernel.traffic().writes)
      written = std::max(written, write.bytes);
    int64_t most = written / kFilled;
    for (const Traffic &read : kernel.traffic().reads) {
      if (read.bytes <= most) continue;
      most = read.bytes;
      source = flow_->sourceOf(kernel.computation, kernel.instruction,
                               kernel.kernel().leafOf(read.access));
    }
    return source;
  }

  /// Returns how many arrays are a part of what the kernel writes that counts.
  size_t sourceCount(const KernelCost &kernel) const {
    constexpr int64_t kLeastOf = 64;
    int64_t written = 0;
    for (const Traffic &write : kernel.traffic().writes)
      written = std::max(written, write.bytes);
    std::set<Leaf> sources;
    for (const Traffic &read : kernel.traffic().reads)
      if (read.bytes > written / kLeastOf)
        if (const auto source =
                flow_->sourceOf(kernel.computation, kernel.instruction,
                                kernel.kernel().leafOf(read.access)))
          sources.insert(*source);
    return sources.size();
  }

  /// Returns whether a kernel may write into the array that is given: an update
  /// of a part, or a call whose text does not say. What a view shows of it
  /// would then be another value.
  bool isOverwritten(const Leaf &array) {
    const auto [known, isNew] = overwritten_.try_emplace(array);
    if (!isNew) return known->second;
    const ArrayUses &uses = flow_->usesOf(array);
    known->second =
        uses.isOpen ||
        llvm::any_of(uses.readers, [&](const ArrayUses::Reader &reader) {
          return mayUpdate(
              instructionAt(reader.computation, reader.instruction));
        });
    return known->second;
  }
  bool mayUpdate(const Instruction &instruction) const {
    if (!instruction.customCallTarget.empty()) return true;
    const Op &op = innermost(instruction.op);
    if (op.isOneOf<DynamicUpdateSliceOp, ScatterOp>()) return true;
    const auto callee = calleeOfCall(instruction);
    if (!callee || callee->computation < 0) return false;
    return llvm::any_of(
        names_.program.modules[module_]
            .computations[callee->computation]
            .instructions,
        [&](const Instruction &inner) {
          return innermost(inner.op).isOneOf<DynamicUpdateSliceOp, ScatterOp>();
        });
  }

  bool isParameter(const Leaf &leaf) const {
    return instructionAt(leaf.computation, leaf.instruction).parameterNumber >=
           0;
  }

  void setWith(const Leaf &source, Avoidable &found) const {
    found.with = nameAt(source);
    found.isWriter = true;
    found.isParameter = isParameter(source);
  }

  void setWhole(const KernelCost &kernel, Avoidable &found) {
    const ArrayUses uses = usesOf(kernel);
    const std::optional<Leaf> source = largestSource(kernel);
    const CopyReason &why = kernel.facts.why;
    found.reader = why.reader.str();
    auto with = [&](AvoidBy by) {
      found.whole = by;
      if (source) setWith(*source, found);
    };
    switch (why.cause) {
      case CopyCause::NotDonated:
        return with(AvoidBy::Donate);
      case CopyCause::LayoutChange:
        return with(AvoidBy::Layout);
      case CopyCause::LoopOperand:
        return with(AvoidBy::Loop);
      case CopyCause::None:
        break;
    }
    const ArrayUses::Reader *reader = uses.onlyReader();
    if (source && isView(kernel.kernel())) {
      if (isOverwritten(*source)) return;
      if (reader) found.reader = nameOf(*reader);
      return with(AvoidBy::View);
    }
    if (!source) {
      // What it reads are scalars at most.
      if (!reader) return;
      found.whole = AvoidBy::Fill;
      found.with = nameOf(*reader);
      return;
    }
    const KernelCost *by =
        reader ? kernelAt(reader->computation, reader->instruction) : nullptr;
    if (by && isCompiled(*by)) {
      found.whole = AvoidBy::Fuse;
      found.with = nameOf(*reader);
      return;
    }
    found.sources = sourceCount(kernel);
    if (found.sources > 1) {
      if (reader) found.reader = nameOf(*reader);
      return with(AvoidBy::Join);
    }
    const KernelCost *writer =
        kernelAt(source->computation, source->instruction);
    const ArrayUses &ofSource = flow_->usesOf(*source);
    if (writer && ofSource.readers.size() == 1 && !ofSource.isResult &&
        !ofSource.isOpen)
      return with(isCompiled(*writer) ? AvoidBy::Fuse : AvoidBy::Layout);
    const bool converts = changesType(kernel);
    if (by) found.reader = nameOf(*reader);
    if (by) return with(converts ? AvoidBy::Type : AvoidBy::Layout);
    if (uses.isResult || uses.isOpen || uses.readers.size() < 2) return;
    if (converts && isParameter(*source)) return with(AvoidBy::Type);
    if (!llvm::all_of(uses.readers, [&](const ArrayUses::Reader &each) {
          const KernelCost *of = kernelAt(each.computation, each.instruction);
          return of && isCompiled(*of);
        }))
      return;
    found.readers = uses.readers.size();
    with(AvoidBy::Readers);
  }

  /// Whether what the kernel reads most of has elements of another type.
  static bool changesType(const KernelCost &kernel) {
    const Kernel &of = kernel.kernel();
    if (kernel.traffic().writes.empty()) return false;
    const Traffic *largest = nullptr;
    for (const Traffic &read : kernel.traffic().reads)
      if (!largest || read.bytes > largest->bytes) largest = &read;
    return largest &&
           of.buffers[largest->access.buffer].type !=
               of.buffers[kernel.traffic().writes[0].access.buffer].type;
  }

  //===-- An array between two kernels ------------------------------------===//

  /// Returns the microseconds in which an array of so many bytes is written to
  /// memory and read again.
  static double throughMemory(int64_t bytes, const Device &device) {
    const Rates &rates = device.rates;
    if (device.gigabytes <= 0 || rates.readShare <= 0 || rates.writeShare <= 0)
      return 0;
    return static_cast<double>(bytes) *
           (1 / rates.readShare + 1 / rates.writeShare) /
           static_cast<double>(device.gigabytes) * 1e-3;
  }

  void setFused(const KernelCost &kernel, Avoidable &found) const {
    if (!isCompiled(kernel)) return;
    const Kernel &of = kernel.kernel();
    for (const Traffic &write : kernel.traffic().writes) {
      const ArrayUses &uses = flow_->usesOf(
          {kernel.computation, kernel.instruction, of.leafOf(write.access)});
      const ArrayUses::Reader *reader = uses.onlyReader();
      const KernelCost *by =
          reader ? kernelAt(reader->computation, reader->instruction) : nullptr;
      if (!by || !isCompiled(*by) || by->kernel().trips != of.trips ||
          by->facts.avoidable.whole != AvoidBy::Nothing)
        continue;
      // It saves no more than the shorter of the two takes.
      const double saved =
          std::min(throughMemory(write.bytes, *kernel.device) +
                       kernel.device->rates.launchMicroseconds,
                   std::min(kernel.time()->total(), by->time()->total()));
      if (saved <= found.throughMemory) continue;
      found.throughMemory = saved;
      found.reader = nameOf(*reader);
    }
  }

  //===-- A part of a kernel ----------------------------------------------===//

  void setOwn(const KernelCost &kernel, Avoidable &found) const {
    found.attainable = kernel.facts.ideal;
    if (!kernel.time()) {
      // What a library does is known by its products alone.
      if (kernel.facts.operations.count > 0)
        found.own = AvoidBy::Library;
      else
        found.attainable = std::numeric_limits<double>::infinity();
      return;
    }
    const PredictedTime &time = *kernel.time();
    found.predicted = time.total();
    Demand needed = *kernel.measurement->demand;
    const double moved = needed.memoryBytes;
    found.blocks = needed.blocks;
    const auto bytes = static_cast<double>(kernel.facts.neededBytes);
    if (bytes > 0) found.again = std::max(1.0, moved / bytes);
    needed.writtenBytes = std::min(needed.writtenBytes, bytes);
    needed.memoryBytes = std::min(moved, bytes);
    const PredictedTime least = predictedTime(needed, *kernel.device);
    found.attainable = std::min(
        time.total(), least.launch + std::max(least.memory, least.operations));
    found.own = causeOf(kernel, time, found);
  }

  AvoidBy causeOf(const KernelCost &kernel, const PredictedTime &time,
                  Avoidable &found) const {
    if (kernel.kernel().bytesOnly) return AvoidBy::Library;
    const TrafficSums sums = sumsOf(kernel);
    if (sums.movedSure > 0)
      found.unused = static_cast<double>(sums.wastedSure) /
                     static_cast<double>(sums.movedSure);
    switch (time.limit) {
      case TimeLimit::Blocks:
        return AvoidBy::Blocks;
      case TimeLimit::Waits:
        return AvoidBy::Waits;
      case TimeLimit::Cores:
        if (found.unused < kLeastPart && found.blocks > 0 &&
            found.blocks < 2 * kernel.device->cores)
          return AvoidBy::Cores;
        break;
      case TimeLimit::Memory:
      case TimeLimit::Cache:
      case TimeLimit::Operations:
        break;
    }
    return found.unused >= kLeastPart ? AvoidBy::Sectors : AvoidBy::Again;
  }

  const KernelNames names_;
  llvm::DenseMap<std::tuple<size_t, int32_t, int32_t>, const KernelCost *>
      kernels_;
  size_t module_ = 0;
  std::optional<ArrayFlow> flow_;
  std::map<Leaf, bool> overwritten_;  ///< arrays that were asked for
};

}  // namespace

void addAvoidable(const Program &program, std::vector<KernelCost> &kernels) {
  Finder finder(program, kernels);
  for (KernelCost &kernel : kernels) kernel.facts.avoidable = finder.of(kernel);
  for (KernelCost &kernel : kernels)
    finder.addArrays(kernel, kernel.facts.avoidable);
}

AvoidedTime avoidedOf(const Avoidable &avoidable, double total,
                      double launches) {
  if (!(total > 0)) return {};
  if (avoidable.whole != AvoidBy::Nothing) return {avoidable.whole, total};
  const double own = total - avoidable.attainable * launches;
  const double fused = std::min(total, avoidable.throughMemory * launches);
  if (std::max(own, fused) < kLeastPart * total) return {};
  if (fused >= own) return {AvoidBy::FuseArray, fused};
  // A profile may have more than the model explains.
  const double unexplained = total - avoidable.predicted * launches;
  if (avoidable.predicted > 0 && unexplained > own / 2)
    return {AvoidBy::Measured, own};
  return {avoidable.own, own};
}

//===-- Words -------------------------------------------------------------===//

namespace {

std::string quoted(const std::string &name) { return "`" + name + "`"; }
std::string percent(double part) { return decimal(100 * part, 0) + "%"; }

std::string wordsForLayout(const Avoidable &of) {
  const std::string from =
      of.with.empty() ? std::string("an array") : quoted(of.with);
  const std::string to = of.reader.empty() ? "" : " for " + quoted(of.reader);
  if (of.isParameter)
    return "only changes the layout of " + from + to + ": keep " + from +
           " in that layout";
  return "only changes the layout of what " + from + " writes" + to + ": let " +
         from + " write that layout";
}

std::string wordsForJoin(const Avoidable &of) {
  const std::string more = std::to_string(of.sources - 1) + " more";
  const std::string to = of.reader.empty() ? "" : " for " + quoted(of.reader);
  if (of.isParameter)
    return "only joins " + quoted(of.with) + " and " + more + to +
           ": keep them as one array";
  return "only joins what " + quoted(of.with) + " writes and " + more + to +
         ": let them be written into one array (at most)";
}

}  // namespace

std::string adviceOf(const Avoidable &of, const AvoidedTime &time) {
  const std::string with = quoted(of.with);
  switch (time.by) {
    case AvoidBy::Nothing:
      break;
    case AvoidBy::View:
      return "only copies what lies in " + with + " in the same order" +
             (of.reader.empty() ? "" : ", for " + quoted(of.reader)) +
             ": a view of " + with + " would do";
    case AvoidBy::Donate:
      return "copies the parameter " + with +
             ", which is not donated: donate it (donate_argnums), and its "
             "memory is used again";
    case AvoidBy::Layout:
      return wordsForLayout(of);
    case AvoidBy::Join:
      return wordsForJoin(of);
    case AvoidBy::Type:
      return of.isParameter ? "only converts the parameter " + with +
                                  ": keep " + with + " in that type"
                            : "only converts what " + with + " writes: let " +
                                  with + " write that type";
    case AvoidBy::Loop:
      return "copies " + with +
             " for a loop that overwrites it: give the loop the only use of it";
    case AvoidBy::Fill:
      return "only fills an array for " + with + ": let " + with +
             " write all of it";
    case AvoidBy::Fuse:
      if (of.isWriter)
        return "only moves what " + with + " writes: " + with +
               " could write it so, as one kernel (at most)";
      return "only moves what " + with +
             " alone reads: as one kernel, this one goes (at most)";
    case AvoidBy::Readers:
      return "only moves data for " + std::to_string(of.readers) +
             " kernels: each could read " + with + " where it lies (at most)";
    case AvoidBy::FuseArray:
      return quoted(of.reader) +
             " alone reads the result: as one kernel, it does not pass through "
             "memory (at most)";
    case AvoidBy::Sectors:
      return "uncoalesced: " + percent(of.unused) +
             " of the bytes that it moves are not used";
    case AvoidBy::Again:
      return of.again >= 1 + kLeastPart
                 ? "moves " + decimal(of.again, 1) +
                       " times the bytes of its arrays: some of them again"
                 : "its cores and caches do more than its bytes need: the same "
                   "ones are read again";
    case AvoidBy::Cores:
      return "its " + std::to_string(of.blocks) +
             " blocks do not fill the device's cores evenly: smaller blocks";
    case AvoidBy::Blocks:
      return "launch-bound: " + std::to_string(of.blocks) +
             " blocks take longer to start than to run: more elements a thread";
    case AvoidBy::Waits:
      return "launch-bound: too little work to fill the device: make it a part "
             "of another kernel";
    case AvoidBy::Library:
      return "slower than its bytes and products need: another shape, type or "
             "algorithm of the library";
    case AvoidBy::Measured:
      return "takes longer than the figures explain";
  }
  return "";
}

}  // namespace indexical
