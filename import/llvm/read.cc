#include "indexical/import/llvm/read.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/exact/exact.h"
#include "indexical/import/llvm/barriers.h"
#include "indexical/import/llvm/endings.h"
#include "indexical/import/llvm/failures.h"
#include "indexical/import/llvm/launch.h"
#include "indexical/import/llvm/memory_ops.h"
#include "indexical/import/llvm/memory_types.h"
#include "indexical/import/llvm/merged_pieces.h"
#include "indexical/import/llvm/module.h"
#include "indexical/import/llvm/placed_access.h"
#include "indexical/import/llvm/stored_values.h"
#include "indexical/import/llvm/thread_tile.h"
#include "indexical/import/llvm/value_terms.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/kernel/named_arguments.h"

namespace indexical::kernels {
namespace {

using compiled::arraysOf;
using compiled::CompiledModule;
using compiled::MemoryOp;
using compiled::ValueTerms;
using llvm::StringRef;

constexpr unsigned kGenericSpace = 0, kSharedSpace = 3, kLocalSpace = 5;

/// Returns whether an address is one of a thread's own memory, or of what the
/// launch gives by value.
bool isLocal(const llvm::Value *memory) {
  if (llvm::isa<llvm::AllocaInst>(memory)) return true;
  if (const auto *argument = llvm::dyn_cast<llvm::Argument>(memory))
    return argument->hasByValAttr() || argument->hasByRefAttr();
  return memory->getType()->getPointerAddressSpace() == kLocalSpace;
}

bool isShared(const llvm::Value *memory) {
  return memory->getType()->getPointerAddressSpace() == kSharedSpace;
}

class KernelReader {
 public:
  KernelReader(CompiledModule &module, llvm::Function &function,
               const ReadOptions &options)
      : module_(module),
        function_(module.prepare(function)),
        options_(options) {}

  absl::StatusOr<TritonKernel> read() {
    kernel_.function = function_.getName().str();
    kernel_.form = "llvm";
    INDEXICAL_RETURN_IF_ERROR(compiled::setLaunch(
        function_, options_, module_.placeOf(function_), kernel_));
    compiled::addArguments(function_, kernel_);
    INDEXICAL_RETURN_IF_ERROR(
        setGiven(options_, kernel_, module_.placeOf(function_)));
    module_.putLaunch(function_, kernel_);
    ops_ = compiled::memoryOpsOf(
        function_, module_.analyses().getResult<llvm::LoopAnalysis>(function_));
    for (const compiled::UnknownMemory &unknown : ops_.unknown) pass(unknown);
    findWaits();
    tile_.emplace(*kernel_.block, kernel_.lanes);
    kernel_.threadSides = tile_->sides().size();
    kernel_.warps = tile_->threads() / kernel_.lanes;
    // Widths are known once the arrays are; an address that is no multiple of
    // its array's shows when its term is divided.
    findWidths(ValueTerms(function_, module_.analyses(), tile_->space(), {}));
    for (int tries = 0; tries < 3; ++tries) {
      terms_.emplace(function_, module_.analyses(), tile_->space(), widths_);
      placer_.emplace(*terms_, *tile_, kernel_, readOnly_, options_.stop);
      kernel_.accesses.clear();
      kernel_.shared.clear();
      placed_.clear();
      accessOps_.clear();
      sharedOps_.clear();
      kernel_.sharedUnknown.clear();
      order_ = 0;
      findCertain();
      findReadOnly();
      for (const MemoryOp &op : ops_.ops) {
        if (order_ >= options_.accesses) {
          kernel_.incomplete = {absl::StrCat("the kernel has more than ",
                                             options_.accesses, " accesses"),
                                module_.placeOf(*op.at)};
          break;
        }
        INDEXICAL_RETURN_IF_ERROR(add(op));
        INDEXICAL_RETURN_IF_ERROR(
            Budget({std::nullopt, options_.stop}).check());
      }
      if (placer_->narrowed().empty()) break;
      for (int64_t array : placer_->narrowed()) widths_[array] = 1;
    }
    addBarriers();
    findFailures();
    for (size_t k = 0; k < kernel_.arguments.size(); ++k)
      if (const auto width = widths_.find(static_cast<int64_t>(k));
          width != widths_.end() && kernel_.arguments[k].isPointer)
        kernel_.arguments[k].elementBits = width->second * 8;
    for (const auto &[number, type] : options_.elementTypes)
      if (number >= 0 &&
          number < static_cast<int64_t>(kernel_.arguments.size()))
        kernel_.arguments[number].elementType = compiled::nameInMemory(type);
    if (options_.values) addValues();
    addAllocated();
    return std::move(kernel_);
  }

 private:
  void pass(const compiled::UnknownMemory &unknown) {
    const Place place = module_.placeOf(*unknown.at);
    for (PassedOver &known : kernel_.passedOver)
      if (known.name == unknown.name) {
        ++known.count;
        return;
      }
    kernel_.passedOver.push_back({unknown.name, place, 1});
    if (!kernel_.incomplete)
      kernel_.incomplete = {
          absl::StrCat("`", unknown.name,
                       "` may touch memory that is not known"),
          place};
  }

  /// Says what may keep threads from the end of the kernel.
  void findWaits() {
    waits_.emplace(
        function_, module_.analyses().getResult<llvm::LoopAnalysis>(function_),
        module_.analyses().getResult<llvm::ScalarEvolutionAnalysis>(function_),
        ops_.barriers);
    if (const llvm::Instruction *first = waits_->first())
      kernel_.mayNotEnd = doubtAt(*first, waits_->what(), waits_->mayNot());
  }

  NotUnderstood doubtAt(const llvm::Instruction &at, StringRef what,
                        StringRef does) const {
    const Place place = module_.placeOf(at);
    const std::string where =
        place.known() ? absl::StrCat(" in line ", place.line) : "";
    return {
        absl::StrCat(what.str(), where, does.empty() ? "" : " ", does.str()),
        place};
  }

  /// Returns why a thread may not come to the instruction, or "".
  std::string mayNotCome(const llvm::Instruction &at) const {
    return waits_->mayComeBefore(at) ? kernel_.mayNotEnd->reason : "";
  }

  /// Finds threads that have no defined result.
  void findFailures() {
    compiled::Failures failures(function_, *terms_, *placer_, *tile_, order_,
                                options_.stop);
    const auto doubt = [&](const compiled::Doubt &found) {
      return doubtAt(*found.at, found.what, found.does);
    };
    if (!kernel_.mayNotEnd)
      if (const auto found = failures.first())
        kernel_.mayNotEnd = doubt(*found);
    if (const auto found = failures.assumed()) kernel_.assumed = doubt(*found);
    kernel_.hasAssumptions = failures.hasAssumptions();
  }

  void findWidths(ValueTerms terms) {
    for (const auto &[number, type] : options_.elementTypes)
      if (const int64_t bits = compiled::bitsInMemory(type);
          bits % 8 == 0 && llvm::isPowerOf2_64(bits))
        widths_[number] = bits / 8;
    std::vector<std::pair<std::set<int64_t>, int64_t>> uses;
    for (const MemoryOp &op : ops_.ops)
      if (const auto arrays = arraysOf(op, terms))
        uses.push_back({*arrays, op.elementBytes});
    for (bool isChanged = true; isChanged;) {
      isChanged = false;
      for (const auto &[arrays, bytes] : uses) {
        int64_t least = llvm::isPowerOf2_64(bytes) ? bytes : 1;
        for (int64_t array : arrays)
          if (const auto known = widths_.find(array); known != widths_.end())
            least = std::min(least, known->second);
        for (int64_t array : arrays) {
          const auto [known, isNew] = widths_.try_emplace(array, least);
          isChanged |= isNew || known->second != least;
          known->second = least;
        }
      }
    }
  }

  void findReadOnly() {
    readOnly_.clear();
    if (kernel_.incomplete) return;
    std::set<int64_t> changed;
    for (const MemoryOp &op : ops_.ops) {
      if (op.kind == AccessKind::Load) continue;
      const auto arrays = arraysOf(op, *terms_);
      if (!arrays) return;
      for (int64_t array : *arrays) changed.insert(kernel_.arrayOf(array));
    }
    for (size_t k = 0; k < kernel_.arguments.size(); ++k)
      if (kernel_.arguments[k].isPointer &&
          !changed.count(kernel_.arrayOf(static_cast<int64_t>(k))))
        readOnly_.insert(static_cast<int64_t>(k));
  }

  /// Finds the barriers that all threads pass once.
  void findCertain() {
    certain_.clear();
    for (const llvm::Instruction *at : ops_.barriers) {
      const llvm::BasicBlock *block = at->getParent();
      if (!terms_->loopOf(block) && compiled::isWholeBarrier(*at) &&
          terms_->reaches(block) == terms_->number(1, 1))
        certain_.push_back(at);
    }
  }

  /// Adds the barriers, each with its place among the accesses.
  void addBarriers() {
    PieceSpace space = placer_->space(order_);
    space.tile.assign(tile_->sides().begin(), tile_->sides().end());
    compiled::BarrierPlacer placer(function_, *terms_, ops_, readOnly_,
                                   std::move(space), options_.stop);
    if (const llvm::Instruction *at = placer.notPassedByAll();
        at && !kernel_.mayNotEnd)
      kernel_.mayNotEnd =
          doubtAt(*at, "a barrier", "may not be passed by all threads");
    kernel_.barriers = placer.barriers();
    kernel_.otherOrder = placer.otherOrder();
    kernel_.orderOfPrograms = placer.orderOfPrograms();
    kernel_.orderOfLanes = placer.orderOfLanes();
    for (auto [number, barrier] : llvm::enumerate(kernel_.barriers)) {
      const auto isBefore = [&, k = ops_.before[number]](const MemoryOp *op) {
        return op < ops_.ops.data() + k;
      };
      barrier.before = llvm::count_if(accessOps_, isBefore);
      barrier.sharedBefore = llvm::count_if(sharedOps_, isBefore);
      if (barrier.isAlways) continue;
      for (const auto &[ops, with] : {std::pair(&accessOps_, &barrier.with),
                                      {&sharedOps_, &barrier.sharedWith}})
        for (auto [access, op] : llvm::enumerate(*ops))
          if (placer.isPassedWith(number, *op->at)) with->push_back(access);
    }
  }

  /// Returns how many barriers all threads of a block have passed before, or -1
  /// if that is not one number.
  int32_t phaseOf(const llvm::Instruction *at) {
    if (terms_->loopOf(at->getParent())) return -1;
    if (certain_.size() != ops_.barriers.size()) return -1;
    auto &dominators =
        module_.analyses().getResult<llvm::DominatorTreeAnalysis>(function_);
    int32_t passed = 0;
    for (const llvm::Instruction *barrier : certain_)
      passed += dominators.dominates(barrier, at);
    return passed;
  }

  std::vector<SourceFrame> stackOf(const llvm::Instruction *at) const {
    std::vector<SourceFrame> stack;
    for (const llvm::DILocation *place = at->getDebugLoc();
         place && stack.size() < 64; place = place->getInlinedAt()) {
      const llvm::DISubprogram *function =
          place->getScope() ? place->getScope()->getSubprogram() : nullptr;
      if (place->getLine() == 0) continue;
      stack.push_back({function ? function->getName().str() : "",
                       place->getFilename().str(), place->getLine(),
                       place->getColumn()});
    }
    return stack;
  }

  absl::Status add(const MemoryOp &op) {
    const auto arrays = arraysOf(op, *terms_);
    const int64_t order = order_++;
    bool isSharedMemory = op.isShared, isMixed = false;
    unsigned space = kGenericSpace;
    if (arrays && !arrays->empty()) {
      const auto areLocal = llvm::count_if(*arrays, [&](int64_t array) {
        return isLocal(terms_->memoryOf(array));
      });
      if (areLocal == static_cast<int64_t>(arrays->size()))
        return absl::OkStatus();
      const auto areShared = llvm::count_if(*arrays, [&](int64_t array) {
        return isShared(terms_->memoryOf(array));
      });
      isMixed =
          areLocal > 0 ||
          (areShared > 0 && areShared < static_cast<int64_t>(arrays->size()));
      isSharedMemory |= areShared == static_cast<int64_t>(arrays->size());
    } else if (op.address->getType()->isPointerTy()) {
      space = op.address->getType()->getPointerAddressSpace();
      if (space == kLocalSpace) return absl::OkStatus();
      isSharedMemory |= space == kSharedSpace;
    }
    int64_t width = llvm::isPowerOf2_64(op.elementBytes) ? op.elementBytes : 1;
    if (arrays)
      for (int64_t array : *arrays)
        if (const auto known = widths_.find(array); known != widths_.end())
          width = std::min(width, known->second);
    llvm::SmallVector<int64_t, 4> tile(tile_->sides());
    const int64_t elements = op.bytes / width;
    const auto padded = static_cast<int64_t>(
        llvm::PowerOf2Ceil(std::max<int64_t>(elements, 1)));
    if (padded > 1) tile.push_back(padded);
    INDEXICAL_ASSIGN_OR_RETURN(auto layout, tile_->layout(padded));
    // One instruction takes as many bytes as the address is aligned to.
    const int64_t atOnce = std::clamp<int64_t>(
        std::min<int64_t>({op.align, 16, padded * width}) / width, 1, padded);
    absl::StatusOr<compiled::PlacedAccess> made =
        placer_->place(op, order, width, tile);
    if (made.ok() && padded > elements)
      made = absl::UnimplementedError(
          "a vector whose length is not a power of two has no figures");
    if (isMixed)
      made = absl::UnimplementedError(
          "the pointer may be to an array or to other memory");
    else if (isSharedMemory && arrays && arrays->size() > 1)
      made = absl::UnimplementedError(
          "the pointer may be of several variables of shared memory");
    if (isSharedMemory) {
      SharedAccess access;
      access.kind = op.kind;
      access.op = op.name;
      access.place = module_.placeOf(*op.at);
      access.stack = stackOf(op.at);
      access.mayNotCome = mayNotCome(*op.at);
      access.elementBits = width * 8;
      access.tile.assign(tile.begin(), tile.end());
      access.vector = atOnce;
      access.number = order;
      access.layout = std::move(layout);
      auto areOfVariables = [](llvm::ArrayRef<PointerMap> maps) {
        return llvm::none_of(
            maps, [](const PointerMap &map) { return map.argument < 0; });
      };
      if (made.ok() &&
          (!areOfVariables(made->maps) || !areOfVariables(made->enumerated))) {
        access.reason = "the pointer is of no variable";
      } else if (made.ok() && !made->notMeasured.empty()) {
        access.reason = std::move(made->notMeasured);
      } else if (made.ok()) {
        access.loops = std::move(made->loops);
        access.maps = std::move(made->maps);
        access.mask = made->mask;
        access.reason = std::move(made->reason);
        access.enumerated = std::move(made->enumerated);
      } else {
        access.reason = std::string(made.status().message());
      }
      if (arrays && arrays->size() == 1)
        access.symbol = terms_->memoryOf(*arrays->begin())->getName().str();
      if (options_.values)
        placed_.push_back(
            {&op, -1,
             sharedPlaceOf(
                 op,
                 arrays && arrays->size() == 1 ? *arrays->begin() : int64_t{-1},
                 order)});
      if (access.symbol.empty())
        kernel_.sharedUnknown = "a variable of shared memory is not known";
      sharedOps_.push_back(&op);
      kernel_.shared.push_back(std::move(access));
      return absl::OkStatus();
    }
    KernelAccess access;
    access.kind = op.kind;
    access.op = op.name;
    access.place = module_.placeOf(*op.at);
    access.stack = stackOf(op.at);
    access.mayNotCome = mayNotCome(*op.at);
    access.elementBits = width * 8;
    access.elementType =
        compiled::elementTypeOf(op, width, arrays, options_.elementTypes);
    access.tile.assign(tile.begin(), tile.end());
    access.number = order;
    access.layout = std::move(layout);
    access.layoutFrom = LayoutSource::File;
    access.vector = atOnce;
    for (size_t k = tile.size(); k-- > 0;)
      access.order.push_back(static_cast<int64_t>(k));
    access.phase = phaseOf(op.at);
    if (!made.ok()) {
      access.reason = std::string(made.status().message());
    } else {
      access.loops = std::move(made->loops);
      access.values = std::move(made->values);
      access.mask = made->mask;
      access.notMeasured = std::move(made->notMeasured);
      const bool isEnumerated = !made->enumerated.empty();
      for (const PointerMap &map : isEnumerated ? made->enumerated : made->maps)
        if (map.argument < 0)
          access.reason = "the pointer is of no argument";
        else if (map.argument >= static_cast<int64_t>(function_.arg_size()))
          access.reason =
              absl::StrCat("`", terms_->memoryOf(map.argument)->getName().str(),
                           "` is a variable of the module and no argument");
      if (access.reason.empty()) {
        access.maps = std::move(made->maps);
        access.enumerated = std::move(made->enumerated);
        access.reason = std::move(made->reason);
      }
    }
    placed_.push_back({&op, static_cast<int64_t>(kernel_.accesses.size()), {}});
    // A pointer to any memory may be one to a variable of shared memory.
    if (isMixed || (!arrays && space == kGenericSpace))
      kernel_.sharedUnknown = access.reason;
    accessOps_.push_back(&op);
    kernel_.accesses.push_back(std::move(access));
    return absl::OkStatus();
  }

  /// Returns where shared memory is accessed, in elements of the op's own.
  compiled::SharedPlace sharedPlaceOf(const MemoryOp &op, int64_t array,
                                      int64_t order) {
    compiled::SharedPlace place;
    place.array = array;
    place.number = order;
    place.width = op.elementBytes;
    place.phase = phaseOf(op.at);
    place.tile.assign(tile_->sides().begin(), tile_->sides().end());
    const int64_t count = op.bytes / std::max<int64_t>(1, op.elementBytes);
    if (count > 1) place.tile.push_back(count);
    if (!llvm::isPowerOf2_64(op.elementBytes) || !llvm::isPowerOf2_64(count)) {
      place.reason = "the length of a vector is not a power of two";
      return place;
    }
    auto made = placer_->place(op, order, place.width, place.tile,
                               compiled::Misaligned::Fails);
    if (!made.ok())
      place.reason = std::string(made.status().message());
    else if (made->mask == MaskKind::Cover || !made->loops.empty())
      place.reason = "when shared memory is accessed is not known";
    else
      place.maps = compiled::mergedPieces(std::move(made->maps));
    return place;
  }

  /// Adds what stores store.
  void addValues() {
    PieceSpace programs = placer_->space(order_);
    programs.loops.clear();
    programs.tile.clear();
    compiled::StoredValues values(
        *terms_, *tile_, function_, kernel_, programs, options_.elementTypes,
        placed_,
        [&](const llvm::Instruction &at) {
          return static_cast<int64_t>(module_.placeOf(at).line);
        },
        options_.stop);
    for (const compiled::PlacedOp &op : placed_)
      if (op.access >= 0) {
        const int64_t number = values.storedBy(op);
        kernel_.accesses[op.access].value = number;
      }
    if (const llvm::Instruction *op = values.mayFail(); op && !kernel_.assumed)
      kernel_.assumed =
          doubtAt(*op, "the op", "has no result for some numbers");
    kernel_.values = values.take();
  }

  /// Adds up the variables in shared memory.
  void addAllocated() {
    const llvm::DataLayout &layout = module_.module().getDataLayout();
    for (const llvm::Value *memory : terms_->otherMemory())
      if (const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(memory);
          global && isShared(global))
        kernel_.sharedBytes += static_cast<int64_t>(
            layout.getTypeAllocSize(global->getValueType()).getFixedValue());
  }

  CompiledModule &module_;
  llvm::Function &function_;
  const ReadOptions &options_;
  TritonKernel kernel_;
  compiled::MemoryOps ops_;
  std::optional<compiled::Waits> waits_;
  std::optional<compiled::ThreadTile> tile_;
  std::optional<ValueTerms> terms_;
  std::map<int64_t, int64_t> widths_;  ///< bytes of an array's elements
  std::set<int64_t> readOnly_;
  std::optional<compiled::AccessPlacer> placer_;
  std::vector<const llvm::Instruction *> certain_;
  std::vector<const MemoryOp *> accessOps_, sharedOps_;  ///< of each access
  std::vector<compiled::PlacedOp> placed_;               ///< if values are read
  int64_t order_ = 0;
};

absl::StatusOr<llvm::Function *> kernelNamed(const CompiledModule &module,
                                             StringRef wanted) {
  const std::vector<llvm::Function *> all = module.kernels();
  if (all.empty())
    return errorAt({},
                   "the module has no kernel: no function of a GPU's calling "
                   "convention, and none that `nvvm.annotations` names");
  if (wanted.empty() && all.size() == 1) return all.front();
  std::vector<StringRef> names;
  for (llvm::Function *function : all) {
    names.push_back(function->getName());
    if (function->getName() == wanted) return function;
  }
  if (wanted.empty())
    return errorAt({}, absl::StrCat("the module has ", all.size(),
                                    " kernels; --function=NAME says which, "
                                    "such as ",
                                    names.front().str()));
  return errorAt({}, absl::StrCat("there is no kernel `", wanted.str(), "`"),
                 nearest(wanted, names));
}

}  // namespace

absl::StatusOr<TritonKernel> readLlvmKernel(StringRef text,
                                            const ReadOptions &options) {
  if (!hasStack(kStackOfReader))
    return onDeepStack([&] { return readLlvmKernel(text, options); });
  INDEXICAL_ASSIGN_OR_RETURN(const auto module, CompiledModule::parse(text));
  INDEXICAL_ASSIGN_OR_RETURN(auto function,
                             kernelNamed(*module, options.function));
  return KernelReader(*module, *function, options).read();
}

absl::StatusOr<std::vector<TritonKernel>> readLlvmKernels(
    StringRef text, const ReadOptions &options) {
  if (!hasStack(kStackOfReader))
    return onDeepStack([&] { return readLlvmKernels(text, options); });
  INDEXICAL_ASSIGN_OR_RETURN(const auto module, CompiledModule::parse(text));
  std::vector<TritonKernel> all;
  for (llvm::Function *function : module->kernels()) {
    if (!options.function.empty() && function->getName() != options.function)
      continue;
    INDEXICAL_ASSIGN_OR_RETURN(
        auto kernel, KernelReader(*module, *function, options).read());
    all.push_back(std::move(kernel));
  }
  return all;
}

}  // namespace indexical::kernels
