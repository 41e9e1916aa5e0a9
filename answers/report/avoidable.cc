#include "indexical/answers/report/avoidable.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/report/kernel_cost.h"
#include "indexical/answers/report/memory_advice.h"
#include "indexical/answers/report/one_kernel.h"
#include "indexical/answers/report/scanned_windows.h"
#include "indexical/answers/report/sums.h"
#include "indexical/answers/report/view.h"
#include "indexical/answers/words.h"
#include "indexical/cost/launch/array_flow.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/launch/predicted_time.h"
#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/callees.h"

namespace indexical {

using llvm::StringRef;

//===-- The facts ---------------------------------------------------------===//

namespace {

/// Finds what is avoidable of a module's kernels.
class Finder {
 public:
  Finder(const Program &program, const std::vector<KernelCost> &kernels)
      : names_{program}, memory_(program) {
    for (const KernelCost &kernel : kernels)
      kernels_[{kernel.module, kernel.computation, kernel.instruction}] =
          &kernel;
  }

  Avoidable of(const KernelCost &kernel) {
    enter(kernel);
    Avoidable found;
    setOwn(kernel, found);
    if (kernel.facts.moved.onlyMoves) {
      partner_.reset();
      const ArrayUses uses = usesOf(kernel);
      setWhole(kernel, uses, found);
      memory_.check(kernel, uses, partner_, found);
    }
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
    maps_.reset();
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

  /// Calls `visit` with each read of an array whose elements the kernel moves.
  /// Arrays that only say which elements are moved, as the indices of a gather,
  /// are none of these.
  template <typename Visit>
  static void visitMoved(const KernelCost &kernel, Visit visit) {
    const std::set<int64_t> &sources = kernel.facts.moved.sources;
    for (const Traffic &read : kernel.traffic().reads)
      if (sources.count(kernel.kernel().leafOf(read.access)) != 0) visit(read);
  }

  /// Returns the largest array whose elements the kernel moves; nothing if it
  /// writes constants alone.
  std::optional<Leaf> largestSource(const KernelCost &kernel) const {
    std::optional<Leaf> source;
    int64_t most = -1;
    visitMoved(kernel, [&](const Traffic &read) {
      if (read.bytes <= most) return;
      most = read.bytes;
      source = flow_->sourceOf(kernel.computation, kernel.instruction,
                               kernel.kernel().leafOf(read.access));
    });
    return source;
  }

  /// Returns how many arrays hold the elements that the kernel moves.
  size_t sourceCount(const KernelCost &kernel) const {
    std::set<Leaf> sources;
    for (const int64_t leaf : kernel.facts.moved.sources)
      if (const auto source = flow_->sourceOf(kernel.computation,
                                              kernel.instruction, LeafId(leaf)))
        sources.insert(*source);
    return sources.size();
  }

  /// Whether the kernel writes one value everywhere: a constant, or the only
  /// element of an array.
  static bool isFill(const KernelCost &kernel) {
    const MovedElements &moved = kernel.facts.moved;
    if (moved.byValues) return false;
    if (moved.sources.empty()) return true;
    if (moved.sources.size() > 1 || moved.fills || moved.joins) return false;
    auto hasOne = [&](size_t buffer) {
      return llvm::all_of(kernel.kernel().buffers[buffer].dimensions,
                          [](int64_t n) { return n == 1; });
    };
    return hasOne(*moved.sources.begin()) &&
           llvm::none_of(kernel.traffic().writes, [&](const Traffic &write) {
             return hasOne(write.access.buffer);
           });
  }

  /// Whether the array that the kernel fills has fewer elements than its reader
  /// adds to it one by one. To write each element once, the reader would have
  /// to sort the updates, which takes longer than the fill.
  static bool isLittleOf(const KernelCost &kernel, const KernelCost *reader) {
    if (!reader || reader->facts.atomics == 0) return false;
    int64_t elements = 0;
    for (const Traffic &write : kernel.traffic().writes) {
      int64_t count = 1;
      for (const int64_t size :
           kernel.kernel().buffers[write.access.buffer].dimensions)
        count *= std::max<int64_t>(size, 1);
      elements += count;
    }
    return elements < reader->facts.atomics;
  }

  void setFill(const ArrayUses::Reader &reader, Avoidable &found) {
    found.whole = AvoidBy::Fill;
    found.isOverwritten =
        mayUpdate(instructionAt(reader.computation, reader.instruction));
    setReader(reader, found);
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

  /// Whether the reader overwrites a part of the array, and its result is the
  /// array: a scatter or an update of a slice, perhaps as the root of a fusion.
  bool updates(const ArrayUses::Reader &reader) const {
    const Instruction &instruction =
        instructionAt(reader.computation, reader.instruction);
    if (innermost(instruction.op).isOneOf<DynamicUpdateSliceOp, ScatterOp>())
      return int64_t{reader.operandLeaf} == 0;
    const auto callee = calleeOfCall(instruction);
    if (!callee || callee->computation < 0) return false;
    const Computation &body =
        names_.program.modules[module_].computations[callee->computation];
    for (const Instruction &inner : body.instructions) {
      if (!innermost(inner.op).isOneOf<DynamicUpdateSliceOp, ScatterOp>() ||
          inner.operands.empty())
        continue;
      const Instruction *of = &body.instructions[inner.operands[0]];
      while (innermost(of->op).is<BitcastOp>() && !of->operands.empty())
        of = &body.instructions[of->operands[0]];
      if (of->parameterNumber == int64_t{reader.operandLeaf}) return true;
    }
    return false;
  }

  /// Whether the reader of a copy may overwrite what is copied instead: it is
  /// no constant and no result of the module, and its other readers run before.
  bool mayBeOverwritten(const Leaf &source, const KernelCost &kernel,
                        const ArrayUses::Reader &reader) const {
    if (instructionAt(source.computation, source.instruction).opcode ==
        "constant")
      return false;
    const ArrayUses &uses = flow_->usesOf(source);
    if (uses.isResult || uses.isOpen) return false;
    return llvm::all_of(uses.readers, [&](const ArrayUses::Reader &each) {
      return each.computation == reader.computation &&
             kernel.computation == reader.computation &&
             each.instruction < reader.instruction;
    });
  }

  bool isParameter(const Leaf &leaf) const {
    return instructionAt(leaf.computation, leaf.instruction).parameterNumber >=
           0;
  }

  /// Whether one kernel alone reads the array.
  bool isOnlyReader(const Leaf &array) const {
    const ArrayUses &uses = flow_->usesOf(array);
    return uses.readers.size() == 1 && !uses.isResult && !uses.isOpen;
  }
  /// Whether the kernel, which may be begun and done later, is the only
  /// instruction that names the one of the array.
  bool isOnlyUser(const KernelCost &kernel, const Leaf &array) const {
    if (array.computation != kernel.computation) return false;
    const Computation &own = names_.computationOf(kernel);
    if (own.root == array.instruction) return false;
    size_t uses = 0;
    for (const Instruction &each : own.instructions)
      uses += llvm::count(each.operands, array.instruction);
    return uses == 1 &&
           llvm::is_contained(names_.instructionOf(kernel).operands,
                              array.instruction);
  }

  /// Whether what is copied is a result of the module in place of the array:
  /// nobody writes into either.
  bool isOnlyResult(const Leaf &array, const ArrayUses &ofCopy) const {
    const ArrayUses &uses = flow_->usesOf(array);
    return ofCopy.isResult && !ofCopy.isOpen && ofCopy.readers.empty() &&
           !uses.isResult && !uses.isOpen;
  }

  void setWith(const Leaf &source, Avoidable &found) {
    partner_ = {source.computation, source.instruction};
    found.with = nameAt(source);
    found.isWriter = true;
    found.isParameter = isParameter(source);
  }

  void setReader(const ArrayUses::Reader &reader, Avoidable &found) {
    partner_ = {reader.computation, reader.instruction};
    found.with = nameOf(reader);
  }

  void setWhole(const KernelCost &kernel, const ArrayUses &uses,
                Avoidable &found) {
    const std::optional<Leaf> source = largestSource(kernel);
    const CopyReason &why = kernel.facts.why;
    found.reader = why.reader.str();
    auto with = [&](AvoidBy by) {
      found.whole = by;
      if (source) setWith(*source, found);
    };
    const ArrayUses::Reader *reader = uses.onlyReader();
    const MovedElements &moved = kernel.facts.moved;
    const bool isViewed = source && isViewOf(kernel);
    if (source && !isViewed && isGathered(kernel, *source, found))
      return with(AvoidBy::Gather);
    switch (why.cause) {
      case CopyCause::NotDonated:
        // Of a module that is scheduled, and a copy by itself, the order says
        // more (memory_advice.h).
        if (source &&
            (!names_.moduleOf(kernel).isScheduled || isOnlyReader(*source) ||
             isOnlyUser(kernel, *source) || isOnlyResult(*source, uses)))
          return with(AvoidBy::Donate);
        break;
      case CopyCause::LayoutChange:
        if (found.reader.empty() && reader) found.reader = nameOf(*reader);
        return with(AvoidBy::Layout);
      case CopyCause::LoopOperand:
        return with(AvoidBy::Loop);
      case CopyCause::None:
        break;
    }
    if (isViewed) {
      // Of a module that is scheduled, the order says more (memory_advice.h).
      if (!names_.moduleOf(kernel).isScheduled && isOverwritten(*source))
        return;
      if (reader) found.reader = nameOf(*reader);
      found.isReturned = uses.isResult && !uses.isOpen && uses.readers.empty();
      found.isOverwritten = llvm::any_of(
          uses.readers,
          [&](const ArrayUses::Reader &each) { return updates(each); });
      // Whoever overwrites the view overwrites the source.
      if (found.isOverwritten &&
          (!reader || !mayBeOverwritten(*source, kernel, *reader)))
        return;
      return with(AvoidBy::View);
    }
    const KernelCost *by =
        reader ? kernelAt(reader->computation, reader->instruction) : nullptr;
    if (isFill(kernel)) {
      if (reader && !isLittleOf(kernel, by)) setFill(*reader, found);
      return;
    }
    if (!source) return;
    found.sources = sourceCount(kernel);
    const bool joins = found.sources > 1 && moved.joins && !moved.byValues &&
                       moved.results == 1;
    // An operand of a product is best one array before the program runs: the
    // product need not look for the part of each element.
    const bool isForProduct = by && by->facts.work == WorkKind::Products;
    if (by && isCompiled(*by) && !(joins && isForProduct)) {
      found.whole = AvoidBy::Fuse;
      return setReader(*reader, found);
    }
    found.converts = moved.converts;
    found.fills = moved.fills;
    found.isPart = moved.selects || (moved.joins && found.sources == 1);
    if (found.sources > 1) {
      // Arrays that are written apart, or where values of the run say, are not
      // joined.
      if (!joins) return;
      if (reader) found.reader = nameOf(*reader);
      return with(AvoidBy::Join);
    }
    const KernelCost *writer =
        kernelAt(source->computation, source->instruction);
    const bool isOnly = writer && isOnlyReader(*source);
    if (isOnly && isCompiled(*writer)) return with(AvoidBy::Fuse);
    const bool converts = moved.converts || moved.recasts;
    // A layout or type cannot be prepared for places that the run computes.
    if (!moved.byValues) {
      if (isOnly) return with(converts ? AvoidBy::Type : AvoidBy::Layout);
      if (by) found.reader = nameOf(*reader);
      if (by) return with(converts ? AvoidBy::Type : AvoidBy::Layout);
    }
    if (uses.isResult || uses.isOpen || uses.readers.size() < 2) return;
    if (converts && !moved.byValues && isParameter(*source))
      return with(AvoidBy::Type);
    if (!llvm::all_of(uses.readers, [&](const ArrayUses::Reader &each) {
          const KernelCost *of = kernelAt(each.computation, each.instruction);
          return of && isCompiled(*of);
        }))
      return;
    found.readers = uses.readers.size();
    with(AvoidBy::Readers);
  }

  /// Whether the kernel transposes what an all-gather gathers, so that the
  /// gathered dimension is the most major one of its result: the parts of the
  /// devices then lie one behind the other.
  bool isGathered(const KernelCost &kernel, const Leaf &source,
                  Avoidable &found) const {
    if (!kernel.facts.moved.areRearranged()) return false;
    const Instruction *gather =
        &instructionAt(source.computation, source.instruction);
    if (gather->opcode == "all-gather-done" && !gather->operands.empty())
      gather = &instructionAt(source.computation, gather->operands[0]);
    const auto *op = innermost(gather->op).as<AllGatherOp>();
    if (!op) return false;
    const Instruction *moves = &names_.instructionOf(kernel);
    if (const auto callee = calleeOfCall(*moves);
        callee && callee->computation >= 0) {
      // A fusion of one transpose or copy.
      const Computation &body =
          names_.moduleOf(kernel).computations[callee->computation];
      if (body.instructions.size() != 2 || body.root < 0) return false;
      moves = &body.instructions[body.root];
    }
    const OpShapes &shapes = shapesOf(moves->op);
    if (shapes.operands.size() != 1 || shapes.results.size() != 1) return false;
    int64_t dimension = op->dimension;
    const ArrayShape &gathered = shapes.operands[0],
                     &result = shapes.results[0];
    if (dimension >= static_cast<int64_t>(gathered.dimensions.size()))
      return false;
    if (const auto *transpose = moves->op.as<TransposeOp>()) {
      const auto at = llvm::find(transpose->permutation, dimension);
      if (at == transpose->permutation.end()) return false;
      dimension = at - transpose->permutation.begin();
    } else if (moves->opcode != "copy") {
      return false;
    }
    const auto order = result.minorToMajor();
    for (size_t k = order.size(); k-- > 0;) {
      if (order[k] == dimension) break;
      if (result.dimensions[order[k]] != 1) return false;
    }
    found.gathered = op->dimension;
    return true;
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

  /// Whether one kernel may make an array where it is read. A compiler makes
  /// the part of a fusion again that makes it. A call is a kernel as somebody
  /// wrote it, with programs of its own.
  bool passesOn(const KernelCost &writer, const ArrayUses::Reader &reader,
                const KernelCost &by) const {
    if (instructionAt(reader.computation, reader.instruction)
            .customCallTarget.empty())
      return true;
    if (reader.computation == writer.computation &&
        isKernelBetween(names_.computationOf(writer), writer.instruction,
                        reader.instruction))
      return false;
    return isReadByOneProgram(by.kernel(), reader.operandLeaf);
  }

  void setFused(const KernelCost &kernel, Avoidable &found) {
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
      if (!passesOn(kernel, *reader, *by)) continue;
      // It saves no more than the shorter of the two takes.
      const double saved =
          std::min(throughMemory(write.bytes, *kernel.device) +
                       kernel.device->rates.launchMicroseconds,
                   std::min(kernel.time()->total(), by->time()->total()));
      if (saved <= found.throughMemory) continue;
      if (!memory_.mayBeOne(kernel, reader->computation, reader->instruction))
        continue;
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
    found.threads = needed.threads;
    found.reads = needed.reads;
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
    found.window =
        scannedBy(names_.moduleOf(kernel), names_.instructionOf(kernel));
    if (found.window > 0) return AvoidBy::Scan;
    if (isNarrow(kernel, time, found)) return AvoidBy::Split;
    if (found.unused >= kLeastAvoidable) setWorst(kernel, found);
    switch (time.limit) {
      case TimeLimit::Blocks:
        return AvoidBy::Blocks;
      case TimeLimit::Waits:
        return AvoidBy::Waits;
      case TimeLimit::Cores:
        if (found.unused < kLeastAvoidable && found.blocks > 0 &&
            found.blocks < 2 * kernel.device->cores)
          return AvoidBy::Cores;
        break;
      case TimeLimit::Memory:
      case TimeLimit::Cache:
      case TimeLimit::Operations:
        break;
    }
    if (found.unused >= kLeastAvoidable) return AvoidBy::Sectors;
    found.atomics = kernel.facts.atomics;
    return AvoidBy::Again;
  }

  /// Whether a few blocks have so much to do, one thing after the other, that
  /// it takes longer than two launches, each of which waits for memory and for
  /// a shared tile. A kernel of one element has not. Half of the cores have no
  /// block then, so that each thread may make half of the reads.
  static bool isNarrow(const KernelCost &kernel, const PredictedTime &time,
                       const Avoidable &found) {
    constexpr int64_t kFewBlocks = 2;  // cores for each block
    if (time.limit != TimeLimit::Waits && time.limit != TimeLimit::Cores)
      return false;
    return found.blocks > 0 &&
           found.blocks * kFewBlocks <= kernel.device->cores &&
           found.reads > kernel.device->rates.readsAtOnce &&
           time.total() >
               2 * (time.launch + 2 * kernel.device->rates.waitMicroseconds);
  }

  /// Whether the kernel's result could be a view of its operand. Of one that
  /// was compiled, which reads element by element of registers, the op says it.
  bool isViewOf(const KernelCost &kernel) {
    const MovedElements &moved = kernel.facts.moved;
    if (kernel.kernel().model != LaunchModel::Compiled)
      return isView(kernel.kernel(), moved);
    if (!maps_) maps_.emplace(names_.moduleOf(kernel));
    const auto asWritten =
        indexical::kernelAt(*maps_, {kernel.computation, kernel.instruction});
    return asWritten.ok() && isView(*asWritten, moved);
  }

  /// Sets the access that wastes most for certain.
  void setWorst(const KernelCost &kernel, Avoidable &found) const {
    int64_t most = 0;
    for (const bool isRead : {true, false})
      for (const Traffic &of :
           isRead ? kernel.traffic().reads : kernel.traffic().writes) {
        if (!of.figures) continue;
        const int64_t wasted = of.figures->least().wastedBytes;
        if (wasted <= most) continue;
        most = wasted;
        found.isRead = isRead;
        found.array = names_.arrayOf(kernel, of, isRead).str();
        found.remedy =
            wordsOf(of.finding.remedy, isRead ? "`" + found.array + "`"
                                              : std::string("its result"));
      }
  }

  const KernelNames names_;
  MemoryAdvice memory_;
  /// The kernel or parameter that the advice is about.
  std::optional<std::pair<ComputationId, InstructionId>> partner_;
  llvm::DenseMap<std::tuple<size_t, int32_t, int32_t>, const KernelCost *>
      kernels_;
  size_t module_ = 0;
  std::optional<ArrayFlow> flow_;
  std::map<Leaf, bool> overwritten_;     ///< arrays that were asked for
  std::optional<ProgramIndexing> maps_;  ///< of the module, if it is asked
};

}  // namespace

void addAvoidable(const Program &program, std::vector<KernelCost> &kernels) {
  Finder finder(program, kernels);
  for (KernelCost &kernel : kernels) kernel.facts.avoidable = finder.of(kernel);
  for (KernelCost &kernel : kernels) {
    finder.addArrays(kernel, kernel.facts.avoidable);
    // Also of a parameter that a call passes on.
    if (kernel.facts.avoidable.whole == AvoidBy::Donate)
      kernel.facts.why.cause = CopyCause::NotDonated;
  }
}

AvoidedTime avoidedOf(const Avoidable &avoidable, double total,
                      double launches) {
  if (!(total > 0)) return {};
  if (avoidable.whole != AvoidBy::Nothing) return {avoidable.whole, total};
  const double own = total - avoidable.attainable * launches;
  const double fused = std::min(total, avoidable.throughMemory * launches);
  if (std::max(own, fused) < kLeastAvoidable * total) return {};
  if (fused >= own) return {AvoidBy::FuseArray, fused};
  // A profile may have more than the model explains.
  const double unexplained = total - avoidable.predicted * launches;
  if (avoidable.predicted > 0 && unexplained > own / 2)
    return {AvoidBy::Measured, own};
  return {avoidable.own, own};
}

}  // namespace indexical
