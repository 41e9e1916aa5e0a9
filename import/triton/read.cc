#include "indexical/import/triton/read.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/triton/dialect.h"
#include "indexical/import/triton/inlined_calls.h"
#include "indexical/import/triton/kernel_function.h"
#include "indexical/import/triton/layouts.h"
#include "indexical/import/triton/source_places.h"
#include "indexical/import/triton/stored_values.h"
#include "indexical/import/triton/subtiles.h"
#include "indexical/import/triton/tolerant_parse.h"
#include "indexical/import/triton/trace.h"
#include "indexical/import/triton/value_types.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/kernel/named_arguments.h"

namespace indexical::kernels {

namespace {

using llvm::StringRef;
using mlir::Operation;
using triton::addFrames;
using triton::findFunction;
using triton::nameOf;
using triton::placeIn;

/// Returns how many elements a tile takes in shared memory, gaps included.
int64_t placesIn(const layouts::Layout &memory) {
  if (memory.inputs()[0].name == "offset") return memory.inputs()[0].size;
  return layouts::boundsOf(memory)[0].upper + 1;
}

/// Whether bounds that are known show an element whose number of bytes leaves
/// 64 bits: its address is that of another element.
bool mayLeaveAddresses(const IndexingMap &map, int64_t elementBits) {
  const Interval bounds = boundsOfResults(map)[0];
  const int64_t most = std::numeric_limits<int64_t>::max() /
                       std::max<int64_t>(1, elementBits / 8);
  auto leaves = [&](int64_t end) { return end > most || end < -most; };
  return (bounds.hasLower() && leaves(bounds.lower)) ||
         (bounds.hasUpper() && leaves(bounds.upper));
}

class KernelReader {
 public:
  KernelReader(const MlirModule &parsed,
               const triton::WrittenSubtiles &subtiles, Operation *function,
               const ReadOptions &options)
      : parsed_(parsed),
        subtiles_(subtiles),
        function_(function),
        options_(options) {}

  absl::StatusOr<TritonKernel> read() {
    triton::KnownSizes sizes;
    INDEXICAL_RETURN_IF_ERROR(traceAll(sizes));
    const Budget budget{std::nullopt, options_.stop};
    if (trace_.unknown)
      kernel_.incomplete = {trace_.reason, placeOf(trace_.unknown)};
    if (trace_.openLoop) {
      const Place place = placeOf(trace_.openLoop);
      const std::string where =
          place.known() ? absl::StrCat(" in line ", place.line) : "";
      kernel_.mayNotEnd = {absl::StrCat("a loop", where, " may not end"),
                           place};
    }
    for (const triton::Trace::PassedOver &op : trace_.passedOver)
      kernel_.passedOver.push_back({op.name, placeOf(op.first), op.count});
    readModule();
    for (int64_t threads : {kernel_.lanes, kernel_.warps.value_or(1)})
      if (threads < 1 || threads > 1024 || !llvm::isPowerOf2_64(threads))
        return errorAt({}, absl::StrCat("a program has warps and a warp has "
                                        "lanes by powers of two up to 1024, "
                                        "not ",
                                        threads));
    if (options_.open)
      INDEXICAL_RETURN_IF_ERROR(readSizes());
    else if (options_.grid)
      kernel_.grid = *options_.grid;
    else if (trace_.mapPrograms)
      kernel_.grid = {*trace_.mapPrograms, 1, 1};
    else
      return errorAt(placeOf(function_),
                     "the number of programs is not known; --grid=X[,Y[,Z]] "
                     "gives it");
    for (int64_t programs : kernel_.grid)
      if (programs < 1 || programs > INT32_MAX)
        return errorAt({},
                       "a grid has from 1 to 2147483647 programs along "
                       "each axis");
    addBarriers();
    findReadOnly();
    for (const triton::TracedAccess &traced : trace_.accesses) {
      addAccess(traced);
      INDEXICAL_RETURN_IF_ERROR(budget.check());
    }
    if (options_.sizes) findWraps();
    if (options_.values) INDEXICAL_RETURN_IF_ERROR(addValues(sizes));
    INDEXICAL_RETURN_IF_ERROR(budget.check());
    triton::setLayouts(trace_, options_.vectorBytes, kernel_);
    for (const triton::TracedShared &traced : trace_.shared) addShared(traced);
    addAllocated();
    return std::move(kernel_);
  }

  /// Returns the products of sizes in the addresses of each array.
  absl::StatusOr<ProductsOfArrays> readProducts() {
    triton::KnownSizes sizes;
    INDEXICAL_RETURN_IF_ERROR(traceAll(sizes));
    SizedTerms sized(trace_.terms, *options_.open, argumentNames());
    ProductsOfArrays found;
    for (const triton::TracedAccess &traced : trace_.accesses) {
      if (!traced.pointer) continue;
      const auto address = sized.apart(*traced.pointer);
      // An access that is not followed says why when it is read.
      if (!address.ok()) continue;
      found[address->argument].merge(
          SizedTerms::productsOf(*address, trace_.terms));
    }
    return found;
  }

 private:
  absl::Status traceAll(triton::KnownSizes &sizes) {
    kernel_.function = nameOf(function_);
    INDEXICAL_RETURN_IF_ERROR(readArguments());
    if (!options_.open) sizes.grid = options_.grid;
    for (const KernelArgument &argument : kernel_.arguments)
      sizes.arguments.push_back(argument.value);
    INDEXICAL_ASSIGN_OR_RETURN(sizes.arrays, readArrays());
    trace_ = triton::traceFunction(
        function_, sizes, {options_.steps, options_.accesses, options_.stop});
    return Budget{std::nullopt, options_.stop}.check();
  }

  Place placeOf(Operation *op) const {
    if (!options_.madeOf.empty()) return placeIn(op->getLoc(), options_.madeOf);
    if (!parsed_.state) return {};
    const auto *definition = parsed_.state->getOpDef(subtiles_.originalOf(op));
    return definition ? parsed_.placeOf(definition->loc) : Place();
  }

  absl::Status readArguments() {
    mlir::Block &body = function_->getRegion(0).front();
    const auto attributes =
        function_->getAttrOfType<mlir::ArrayAttr>("arg_attrs");
    argumentPlaces_.resize(body.getNumArguments());
    for (auto [number, argument] : llvm::enumerate(body.getArguments())) {
      KernelArgument made;
      made.name = absl::StrCat("arg", number);
      if (parsed_.state)
        if (const auto *block = parsed_.state->getBlockDef(&body);
            block && number < block->arguments.size()) {
          const auto &written = block->arguments[number].loc;
          made.name = parsed_.textOf(written).ltrim('%').str();
          if (options_.madeOf.empty())
            argumentPlaces_[number] = parsed_.placeOf(written);
        }
      llvm::raw_string_ostream os(made.type);
      argument.getType().print(os);
      made.isPointer = triton::isPointer(argument.getType()) ||
                       triton::isDescriptor(argument.getType()) ||
                       triton::isPixelDescriptor(argument.getType());
      made.elementBits = triton::bitsOf(argument.getType());
      made.isFloat = llvm::isa<mlir::FloatType>(argument.getType());
      if (attributes && number < attributes.size())
        if (auto of = llvm::dyn_cast<mlir::DictionaryAttr>(attributes[number]))
          if (const auto divisor = triton::integerOf(of.get("tt.divisibility"));
              divisor && *divisor > 0)
            made.divisibility = *divisor;
      kernel_.arguments.push_back(std::move(made));
    }
    return setGiven(options_, kernel_, placeOf(function_), argumentPlaces_);
  }

  std::vector<std::string> argumentNames() const {
    std::vector<std::string> names;
    for (const KernelArgument &argument : kernel_.arguments)
      names.push_back(argument.name);
    return names;
  }

  /// Reads the kernel for all sizes: the grid is the largest one.
  absl::Status readSizes() {
    sized_.emplace(trace_.terms, *options_.open, argumentNames());
    INDEXICAL_ASSIGN_OR_RETURN(kernel_.grid,
                               sized_->mostPrograms(options_.stop));
    return absl::OkStatus();
  }

  /// Returns the arrays of descriptors that the call knows. The last one of an
  /// argument counts.
  absl::StatusOr<std::vector<std::optional<triton::ArraySides>>> readArrays() {
    std::vector<std::optional<triton::ArraySides>> arrays(
        kernel_.arguments.size());
    mlir::Block &body = function_->getRegion(0).front();
    for (const ReadOptions::ArgumentArray &array : options_.arrays) {
      const bool hasPlace = array.argument.rfind('#', 0) == 0;
      size_t arraysBefore = 0;
      for (size_t k = 0; k < arrays.size(); ++k) {
        const bool isArray = kernel_.arguments[k].isPointer ||
                             kernel_.arguments[k].type[0] == '!';
        const bool isPlaced =
            isArray && array.argument == absl::StrCat("#", arraysBefore++);
        const mlir::Type type = body.getArgument(k).getType();
        if (!triton::isDescriptor(type) ||
            !(hasPlace ? isPlaced : isNamed(kernel_, k, array.argument)))
          continue;
        const size_t sides = triton::memoryOf(type).getRank();
        const bool fits =
            array.sizes.size() == sides && array.strides.size() == sides;
        if (!fits && hasPlace) continue;
        if (!fits)
          return errorAt(
              argumentPlaces_[k],
              absl::StrCat("the box of the descriptor `",
                           kernel_.arguments[k].name, "` has ", sides,
                           " sides, and its array ", array.sizes.size()));
        arrays[k] = {array.sizes, array.strides};
      }
    }
    return arrays;
  }

  void readModule() {
    kernel_.form = "ttir";
    mlir::ModuleOp module = *parsed_.module;
    for (StringRef space : {"ttg", "triton_gpu"}) {
      const std::string prefix = space.str();
      auto number = [&](const char *name) {
        return triton::integerOf(
            module->getAttr(absl::StrCat(prefix, ".", name)));
      };
      if (auto warps = number("num-warps")) {
        kernel_.warps = warps;
        kernel_.form = "ttgir";
      }
      if (auto lanes = number("threads-per-warp")) kernel_.lanes = *lanes;
      if (auto blocks = number("num-ctas"); blocks && *blocks != 1) {
        kernel_.notMeasured = "several blocks work on one tile";
      }
    }
    if (!kernel_.warps) kernel_.warps = options_.warps;
  }

  void addAccess(const triton::TracedAccess &traced) {
    KernelAccess access;
    access.kind = traced.kind;
    access.op = traced.op->getName().getStringRef().str();
    access.place = placeOf(traced.op);
    addFrames(traced.op->getLoc(), options_.path, "", access.stack);
    access.elementBits = triton::bitsOf(traced.type);
    llvm::raw_string_ostream(access.elementType)
        << mlir::getElementTypeOrSelf(traced.type);
    if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(traced.type))
      access.tile.assign(tensor.getShape().begin(), tensor.getShape().end());
    access.notMeasured = traced.notMeasured;
    if (traced.isBehindOpenLoop)
      access.mayNotCome = kernel_.mayNotEnd->reason;
    access.warps = traced.warps;
    access.phase = traced.phase;
    access.mask = traced.isMasked ? MaskKind::Exact : MaskKind::None;
    if (auto status = addMaps(traced, access); !status.ok()) {
      access.maps.clear();
      access.reason = std::string(status.message());
    }
    addView(traced, access);
    kernel_.accesses.push_back(std::move(access));
  }

  void findWraps() {
    kernels::WrapSpace space;
    space.grid = options_.sizes->grid;
    space.values = options_.sizes->values;
    for (const KernelArgument &argument : kernel_.arguments) {
      space.arguments.push_back(argument.name);
      if (argument.value) space.values[argument.name] = *argument.value;
    }
    // Sizes are positive.
    const int64_t most = greatestOfBits(space.bits);
    for (const auto &[name, range] : options_.ranges)
      if (range.second >= 1 && range.first <= most)
        space.ranges[name] = {std::max<int64_t>(1, range.first),
                              std::min(most, range.second)};
    space.conditions = options_.conditions;
    std::vector<kernels::WrapAccess> accesses;
    std::string obstacle;
    Place place;
    for (const triton::TracedAccess &traced : trace_.accesses) {
      if (!traced.pointer || !traced.obstacle.empty()) {
        if (obstacle.empty()) place = placeOf(traced.op);
        obstacle = "the pointer of an access is not known";
        continue;
      }
      kernels::WrapAccess access;
      access.pointer = *traced.pointer;
      access.mask = traced.mask;
      for (const triton::TracedLoop &loop : traced.loops)
        access.loops.push_back({loop.number, loop.trips});
      if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(traced.type))
        access.tile.assign(tensor.getShape().begin(), tensor.getShape().end());
      access.place = placeOf(traced.op);
      accesses.push_back(std::move(access));
    }
    kernel_.wraps = kernels::wrapsOf(trace_.terms, accesses, space);
    if (kernel_.wraps->answer != kernels::WrapsCheck::Never) return;
    if (obstacle.empty() && trace_.unknown) obstacle = trace_.reason;
    if (obstacle.empty()) return;
    kernel_.wraps->answer = kernels::WrapsCheck::Undecided;
    kernel_.wraps->reason = obstacle;
    kernel_.wraps->place = place;
  }

  /// Follows what is stored. The functions that are called are then in place of
  /// the calls, and the accesses in the same order.
  absl::Status addValues(const triton::KnownSizes &sizes) {
    const triton::InlinedCalls inlined(function_);
    std::optional<triton::Trace> own;
    if (inlined.isNew()) {
      own = triton::traceFunction(
          inlined.function(), sizes,
          {options_.steps, options_.accesses, options_.stop});
      INDEXICAL_RETURN_IF_ERROR(Budget{std::nullopt, options_.stop}.check());
      if (own->accesses.size() != trace_.accesses.size())
        return absl::OkStatus();
    }
    triton::Trace &trace = own ? *own : trace_;
    std::optional<SizedTerms> sized;
    if (options_.open)
      sized.emplace(trace.terms, *options_.open, argumentNames());
    std::map<int64_t, double> numbers;
    for (auto [number, argument] : llvm::enumerate(kernel_.arguments))
      if (argument.number) numbers[number] = *argument.number;
    triton::StoredValues values(
        trace, inlined.function(), spaceOfPrograms(), std::move(numbers),
        [&](Operation *op) { return placeOf(inlined.originalOf(op)).line; },
        options_.stop, sized ? &*sized : nullptr);
    for (auto [traced, access] : llvm::zip(trace.accesses, kernel_.accesses))
      if (traced.kind != AccessKind::Load)
        access.value = values.storedBy(traced);
    kernel_.values = values.take();
    return absl::OkStatus();
  }

  void addShared(const triton::TracedShared &traced) {
    kernels::SharedAccess access;
    access.kind = traced.kind;
    access.op = traced.op->getName().getStringRef().str();
    access.place = placeOf(traced.op);
    addFrames(traced.op->getLoc(), options_.path, "", access.stack);
    access.elementBits = triton::bitsOf(traced.memory);
    access.tile = triton::shapeOf(traced.memory);
    if (traced.tensor.getEncoding())
      access.layoutText = triton::textOf(traced.tensor.getEncoding());
    if (traced.memory.getEncoding())
      access.memoryText = triton::textOf(traced.memory.getEncoding());
    auto layout = triton::layoutOf(traced.tensor.getEncoding(),
                                   triton::shapeOf(traced.tensor));
    auto memory = triton::sharedLayoutOf(traced.memory, traced.whole);
    if (!layout.ok())
      access.reason = std::string(layout.status().message());
    else if (!memory.ok())
      access.reason = std::string(memory.status().message());
    else if (triton::shapeOf(traced.tensor) != access.tile)
      access.reason = "the tensor and the memory have different shapes";
    else
      access.reason = kernel_.notMeasured;
    if (access.reason.empty()) {
      access.layout = *std::move(layout);
      access.memory = *std::move(memory);
    }
    kernel_.shared.push_back(std::move(access));
  }

  /// Adds up the tiles that are allocated; one whose layout is not understood
  /// counts without gaps.
  void addAllocated() {
    for (mlir::RankedTensorType tile : trace_.allocated) {
      const auto layout = triton::sharedLayoutOf(tile, triton::shapeOf(tile));
      const int64_t elements =
          layout.ok() ? placesIn(*layout) : tile.getNumElements();
      const auto bytes =
          checkedMul(elements, std::max<int64_t>(1, triton::bitsOf(tile) / 8));
      const auto sum =
          bytes ? checkedAdd(kernel_.sharedBytes, *bytes) : std::nullopt;
      kernel_.sharedBytes = sum.value_or(std::numeric_limits<int64_t>::max());
    }
  }

  void addBarriers() {
    for (const triton::TracedBarrier &traced : trace_.barriers) {
      kernels::KernelBarrier barrier;
      barrier.isAlways = traced.isAlways;
      barrier.isInEachTurn = traced.isAlways;
      barrier.before = traced.before;
      if (sized_)
        for (const PieceSpace::LoopCount &loop : sized_->loops())
          barrier.loops.push_back(loop.loop);
      for (const triton::TracedLoop &loop : traced.loops)
        barrier.loops.push_back(loop.number);
      kernel_.barriers.push_back(std::move(barrier));
    }
  }

  /// Finds the arguments whose arrays the kernel does not change. What is not
  /// understood may change all.
  void findReadOnly() {
    if (trace_.unknown) return;
    std::set<int64_t> found;
    for (size_t k = 0; k < kernel_.arguments.size(); ++k)
      if (kernel_.arguments[k].isPointer) found.insert(k);
    for (const triton::TracedAccess &traced : trace_.accesses) {
      if (traced.kind == AccessKind::Load) continue;
      const auto stored = traced.pointer
                              ? trace_.terms.buffersOf(*traced.pointer)
                              : std::nullopt;
      if (!stored) return;
      for (int64_t argument : *stored) found.erase(argument);
    }
    std::set<int64_t> changed;
    const auto count = static_cast<int64_t>(kernel_.arguments.size());
    for (int64_t k = 0; k < count; ++k)
      if (!found.count(k)) changed.insert(kernel_.arrayOf(k));
    for (int64_t k = 0; k < count; ++k)
      if (changed.count(kernel_.arrayOf(k))) found.erase(k);
    readOnly_ = std::move(found);
  }

  PieceSpace spaceOfPrograms() const {
    PieceSpace space;
    space.grid = kernel_.grid;
    if (sized_) space.loops = sized_->loops();
    for (auto [number, argument] : llvm::enumerate(kernel_.arguments)) {
      space.argumentNames.push_back(argument.name);
      if (argument.value) space.values[number] = *argument.value;
      if (const auto range = options_.ranges.find(argument.name);
          range != options_.ranges.end())
        space.argumentBounds[number] = {range->second.first,
                                        range->second.second};
    }
    return space;
  }

  void addView(const triton::TracedAccess &traced, KernelAccess &access) {
    PieceMaker maker(trace_.terms, spaceOfPrograms(), options_.stop);
    for (const auto &[size, tile] : traced.view) {
      const auto bounds = maker.bounds(size);
      if (!bounds.ok() || !bounds->isPoint()) return access.view.clear();
      access.view.push_back({bounds->lower, tile});
    }
  }

  absl::Status addMaps(const triton::TracedAccess &traced,
                       KernelAccess &access) {
    if (!traced.obstacle.empty())
      return absl::UnimplementedError(traced.obstacle);
    if (!traced.pointer)
      return absl::UnimplementedError("the pointer is not known");
    PieceSpace space = spaceOfPrograms();
    space.readOnly = readOnly_;
    space.number = static_cast<int64_t>(kernel_.accesses.size());
    std::optional<TermId> mask = traced.mask;
    Terms &terms = trace_.terms;
    if (sized_) {
      INDEXICAL_ASSIGN_OR_RETURN(const auto isThere, sized_->isInGrid());
      if (isThere && mask)
        mask = terms.make(TermKind::And, 1, {*mask, *isThere});
      else if (isThere)
        mask = isThere;
    }
    for (const triton::TracedLoop &loop : traced.loops) {
      TermId trips = loop.trips;
      if (sized_) {
        INDEXICAL_ASSIGN_OR_RETURN(trips, sized_->wide(trips));
      }
      INDEXICAL_ASSIGN_OR_RETURN(
          auto count, PieceMaker(terms, space, options_.stop).bounds(trips));
      if (!count.hasUpper())
        return absl::UnimplementedError("how often a loop runs is not known");
      if (count.upper < 1) return absl::OkStatus();  // never
      space.loops.push_back({loop.number, count.upper, loop.stages});
      if (count.isPoint()) continue;
      const TermId runs =
          terms.make(TermKind::LessS, 1,
                     {terms.leaf(TermKind::Loop, loop.number, 64), trips});
      mask = mask ? terms.make(TermKind::And, 1, {*mask, runs}) : runs;
    }
    access.loops = space.loops;
    space.tile = access.tile;
    if (sized_) {
      INDEXICAL_ASSIGN_OR_RETURN(
          access.maps,
          sized_->elements(space, *traced.pointer, mask, options_.stop));
      return absl::OkStatus();
    }
    PieceMaker maker(terms, space, options_.stop);
    INDEXICAL_ASSIGN_OR_RETURN(auto maps,
                               maker.elements(*traced.pointer, mask));
    for (const PointerMap &map : maps) {
      if (map.argument < 0)
        return absl::UnimplementedError("the pointer is of no argument");
      if (mayLeaveAddresses(map.map, access.elementBits))
        return absl::UnimplementedError(
            "an address that may leave 64 bits has no map");
    }
    access.maps = std::move(maps);
    for (const RuntimeVariable &value : maker.runtime())
      access.values[value.name] = value.bounds;
    if (maker.isCover()) access.mask = MaskKind::Cover;
    return absl::OkStatus();
  }

  const MlirModule &parsed_;
  const triton::WrittenSubtiles &subtiles_;
  Operation *function_;
  const ReadOptions &options_;
  TritonKernel kernel_;
  triton::Trace trace_;
  std::vector<Place> argumentPlaces_;
  std::set<int64_t> readOnly_;
  std::optional<SizedTerms> sized_;  ///< if sizes have no values
};

}  // namespace

bool looksLikeTriton(StringRef text) {
  return text.contains("tt.func") || text.contains("\"tt.func\"");
}

namespace {

/// Parses the text, and returns what `ask` makes of its reader.
template <typename Result>
absl::StatusOr<Result> readWith(
    StringRef text, const ReadOptions &options,
    llvm::function_ref<absl::StatusOr<Result>(KernelReader &)> ask) {
  if (!hasStack(kStackOfReader))
    return onDeepStack([&] { return readWith<Result>(text, options, ask); });
  if (isMlirBytecode(text))
    return errorAt({},
                   "bytecode of Triton's IR loses the attributes of its "
                   "ops; the text can be read");
  const std::unique_ptr<mlir::MLIRContext> context =
      triton::makeTritonContext();
  const std::vector<MlirChunk> chunks = splitMlir(text);
  INDEXICAL_ASSIGN_OR_RETURN(
      auto parsed, triton::parseTolerantly(*context, chunks.front(),
                                           options.path, options.stop));
  const triton::WrittenSubtiles subtiles(*parsed.module);
  INDEXICAL_ASSIGN_OR_RETURN(auto function,
                             findFunction(parsed, options.function));
  KernelReader reader(parsed, subtiles, function, options);
  return ask(reader);
}

}  // namespace

absl::StatusOr<TritonKernel> parseKernel(StringRef text,
                                         const ReadOptions &options) {
  return readWith<TritonKernel>(
      text, options, [](KernelReader &reader) { return reader.read(); });
}

absl::StatusOr<ProductsOfArrays> productsOfSizes(StringRef text,
                                                 const ReadOptions &options) {
  return readWith<ProductsOfArrays>(text, options, [](KernelReader &reader) {
    return reader.readProducts();
  });
}

}  // namespace indexical::kernels
