#include "indexical/answers/kernel/find_kernel.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/answers/inputs/shape_words.h"
#include "indexical/answers/kernel/given_values.h"
#include "indexical/answers/kernel/kernel_reading.h"
#include "indexical/answers/kernel/missing.h"
#include "indexical/answers/kernel/read_kernel.h"
#include "indexical/answers/kernel/sized_launch.h"
#include "indexical/answers/ordered.h"
#include "indexical/import/llvm/read.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/address.h"
#include "indexical/program/kernel/named_arguments.h"
#include "indexical/program/kernel/overwritten.h"
#include "indexical/same/kernel/call_arguments.h"
#include "indexical/same/kernel/fusion_grid.h"
#include "indexical/same/kernel/fusion_values.h"

namespace indexical {
namespace {

using kernels::BufferSizes;
using kernels::KernelSource;

/// An error if the elements of the shape have another size than those that the
/// pointer points to. Elements of less than a byte are not compared.
absl::Status checkElement(const std::string &name,
                          const kernels::KernelArgument &argument,
                          const ArrayShape &shape) {
  const int64_t bits = storedBits(shape);
  if (argument.elementBits < 8 || bits < 8 || argument.elementBits == bits)
    return absl::OkStatus();
  return errorAt(
      {}, absl::StrCat("--shape: `", name, "` is ", argument.type,
                       ", with elements of ", argument.elementBits,
                       " bits, and those of ", shape.str(), " have ", bits));
}

/// Sets the shapes of the arguments and their sizes.
class ArgumentShapes {
 public:
  ArgumentShapes(KernelFindings &found, BufferSizes &sizes)
      : found_(found), sizes_(sizes) {
    sizes.assign(found.kernel.arguments.size(), std::nullopt);
    found.arrays.assign(found.kernel.arguments.size(), std::nullopt);
  }

  void set(size_t number, const ArrayShape &shape) {
    if (number >= sizes_.size() || !found_.kernel.arguments[number].isPointer)
      return;
    sizes_[number] = storedElements(shape);
    found_.arrays[number] = shape;
  }

  absl::Status setNamed(const std::string &name, const std::string &text) {
    INDEXICAL_ASSIGN_OR_RETURN(auto shape, shapeOfWords(text));
    const auto &arguments = found_.kernel.arguments;
    size_t number = 0;
    for (; number < arguments.size(); ++number)
      if (arguments[number].name == name ||
          absl::StrCat("arg", number) == name || absl::StrCat(number) == name)
        break;
    if (number == arguments.size() || !arguments[number].isPointer)
      return errorAt({}, absl::StrCat("--shape: there is no pointer `", name,
                                      "` among the arguments"));
    INDEXICAL_RETURN_IF_ERROR(checkElement(name, arguments[number], shape));
    set(number, shape);
    return absl::OkStatus();
  }

 private:
  KernelFindings &found_;
  BufferSizes &sizes_;
};

/// Sets the shapes that the source, the fusion and the call know, in this
/// order.
absl::Status setShapes(const KernelSource &source, const NamedShapes &named,
                       const std::optional<Fusion> &fusion,
                       KernelFindings &found, BufferSizes &sizes) {
  ArgumentShapes shapes(found, sizes);
  for (auto [size, argument] : llvm::zip(sizes, found.kernel.arguments))
    if (argument.bytes && argument.elementBits >= 8)
      size = *argument.bytes / (argument.elementBits / 8);
  for (const auto &[number, shape] : source.shapes) shapes.set(number, shape);
  if (fusion)
    if (const auto arguments = kernels::argumentsOfLeaves(
            found.kernel, *fusion->module, fusion->computation, fusion->caller))
      for (auto [number, shape] :
           llvm::zip(*arguments,
                     kernels::argumentShapes(
                         fusion->module->computations[fusion->computation])))
        shapes.set(number, shape);
  for (const auto &[name, text] : named)
    INDEXICAL_RETURN_IF_ERROR(shapes.setNamed(name, text));
  return absl::OkStatus();
}

/// Adds the traffic, its sums and the time of the accesses that have figures.
void measureTraffic(const KernelQuestion &question, const BufferSizes &sizes,
                    const Budget &budget, KernelFindings &found) {
  const CoalescingOptions coalescing(budget);
  TrafficMeter meter(question.on(), coalescing);
  found.traffic = kernels::measure(found.kernel, sizes, meter);
  bool isMeasured = !found.traffic.accesses.empty();
  for (auto [access, traced] :
       llvm::zip(found.traffic.accesses, found.kernel.accesses)) {
    const bool hasFigures = access.traffic && access.traffic->figures;
    // The cost of an atomic operation is not known, whatever it touches.
    const bool isAtomic = traced.kind == kernels::AccessKind::Atomic;
    // Warps that work apart share the time in a way that is not known.
    isMeasured &= hasFigures && !isAtomic && !traced.warps;
    ++(hasFigures && !isAtomic ? found.summed : found.unsummed);
    if (hasFigures && !isAtomic)
      found.sums.add(sumsOf(*access.traffic, question.on()));
  }
  if (!isMeasured) return;
  ReuseMeter reuse(question.on(), coalescing);
  found.demand = demandOf(found.traffic.measured, found.traffic.traffic, reuse);
  found.time = predictedTime(*found.demand, question.on());
}

/// Returns an error about a kernel inside another text, with the kernel's place
/// there and the line within the kernel.
absl::Status placedIn(const KernelSource &source, const absl::Status &status) {
  if (!source.place.known()) return status;
  std::string where;
  if (const auto inner = placeOf(status); inner && inner->known())
    where = absl::StrCat("line ", inner->line, " of ");
  return errorAt(
      source.place,
      absl::StrCat(where, "its kernel: ", std::string(status.message())));
}

/// Names each op that was passed over.
void warnOfPassedOver(const KernelSource &source,
                      const kernels::TritonKernel &kernel, Messages &messages) {
  for (const kernels::PassedOver &op : kernel.passedOver) {
    const bool isInside = source.place.known();
    messages.warning(
        isInside ? source.place : op.place,
        absl::StrCat(
            isInside && op.place.known()
                ? absl::StrCat("line ", op.place.line, " of its kernel: ")
                : "",
            "the op `", op.name, "` is not known: ", op.count,
            op.count == 1 ? " op is passed over, and its results are opaque"
                          : " ops are passed over, and their results are "
                            "opaque"));
  }
}

/// Returns an error about the TTIR of a kernel in Python, with the place of the
/// kernel: the lines of the TTIR are nowhere.
absl::Status ofWritten(const KernelSource &source, const absl::Status &status) {
  if (!source.written || status.code() != absl::StatusCode::kInvalidArgument)
    return status;
  return errorAt(source.written->place, std::string(status.message()),
                 suggestionOf(status));
}

/// Takes the maps of all accesses: the grid is not a number.
void closeMaps(const SizedLaunch &launch, kernels::TritonKernel &kernel) {
  for (kernels::KernelAccess &access : kernel.accesses) {
    access.closedArgument = access.argument();
    access.maps.clear();
    access.reason = launch.reason;
  }
}

/// Adds what is taken of the launch, and the ranges of sizes that have no
/// value.
void addTaken(const KernelReading &reading, KernelFindings &found) {
  // A grid that the call gives overrides that of the file.
  if (reading.options.grid && !reading.launch.isOfFile)
    llvm::erase_if(found.taken, [](const kernels::Taken &taken) {
      return taken.what == "grid";
    });
  found.taken.insert(found.taken.end(), reading.launch.taken.begin(),
                     reading.launch.taken.end());
  for (const kernels::KernelArgument &argument : found.kernel.arguments)
    if (!argument.isPointer && !argument.isFloat && !argument.value) {
      const auto range = reading.options.ranges.find(argument.name);
      if (range == reading.options.ranges.end()) {
        found.taken.push_back(
            {"range", argument.name, "1..2147483647", "default"});
        continue;
      }
      found.taken.push_back(
          {"range", argument.name,
           absl::StrCat(std::max<int64_t>(1, range->second.first), "..",
                        std::min<int64_t>(INT32_MAX, range->second.second)),
           "assume"});
    }
}

/// A kernel that was measured, and the sizes of its buffers.
struct SizedKernel {
  KernelFindings found;
  BufferSizes sizes;
  bool isGridGuessed = false;
};

/// Whether a kernel that loads what it stores is read with its values, which
/// say in which order it does.
enum class Order : uint8_t { Ignored, Asked };

/// Sets what the elements of a compiled kernel's arguments are, by those of the
/// fusion.
absl::Status takeTypes(llvm::StringRef text, const Fusion &fusion,
                       kernels::ReadOptions &read) {
  kernels::ReadOptions plain = read;
  plain.values = false;
  INDEXICAL_ASSIGN_OR_RETURN(const auto kernel,
                             kernels::readKernel(text, plain));
  const auto arguments = kernels::argumentsOfLeaves(
      kernel, *fusion.module, fusion.computation, fusion.caller);
  if (!arguments) return absl::OkStatus();
  const std::vector<ArrayShape> leaves =
      kernels::argumentShapes(fusion.module->computations[fusion.computation]);
  for (auto [number, leaf] : llvm::zip(*arguments, leaves))
    // A byte is the least that an address names.
    if (const int64_t bits = storedBits(leaf); bits >= 8)
      read.elementTypes[number] = elementTypeName(leaf.type).str();
  return absl::OkStatus();
}

/// Sets them by the question, and by the shapes of the call.
absl::Status takeTypes(llvm::StringRef text, const KernelQuestion &question,
                       const NamedShapes &shapes, kernels::ReadOptions &read) {
  for (const auto &[number, type] : question.elementTypes)
    read.elementTypes[number] = type;
  if (shapes.empty()) return absl::OkStatus();
  kernels::ReadOptions plain = read;
  plain.values = false;
  INDEXICAL_ASSIGN_OR_RETURN(const auto kernel,
                             kernels::readKernel(text, plain));
  for (const auto &[name, words] : shapes) {
    INDEXICAL_ASSIGN_OR_RETURN(const ArrayShape shape, shapeOfWords(words));
    for (size_t k = 0; k < kernel.arguments.size(); ++k)
      if (kernels::isNamed(kernel, k, name) && storedBits(shape) >= 8)
        read.elementTypes[static_cast<int64_t>(k)] =
            elementTypeName(shape.type).str();
  }
  return absl::OkStatus();
}

/// Sets the types of elements that are shorter than what a compiled kernel
/// accesses at once, as copies of 16 bytes are. Returns whether there are some.
bool takeShortTypes(const kernels::TritonKernel &kernel,
                    const NamedShapes &shapes, kernels::ReadOptions &read) {
  bool isShort = false;
  for (const auto &[name, words] : shapes) {
    const auto shape = shapeOfWords(words);
    if (!shape.ok() || storedBits(*shape) < 8) continue;
    for (size_t k = 0; k < kernel.arguments.size(); ++k)
      if (kernels::isNamed(kernel, k, name) &&
          storedBits(*shape) < kernel.arguments[k].elementBits) {
        read.elementTypes[static_cast<int64_t>(k)] =
            elementTypeName(shape->type).str();
        isShort = true;
      }
  }
  return isShort;
}

bool takesDefaultWarps(const KernelSource &source,
                       const kernels::TritonKernel &kernel,
                       const std::optional<Fusion> &fusion,
                       const KernelQuestion &question) {
  return !kernel.warps && !fusion && question.block.empty() &&
         !kernels::looksLikeLlvm(source.text);
}

absl::StatusOr<SizedKernel> measureSized(const KernelSource &source,
                                         const KernelQuestion &question,
                                         const std::optional<Fusion> &fusion,
                                         Order order, const Budget &budget) {
  if (source.written)
    INDEXICAL_RETURN_IF_ERROR(
        refusalOf(source, question, /*hasFusion=*/fusion.has_value()));
  INDEXICAL_ASSIGN_OR_RETURN(auto reading,
                             readingOf(source, question, fusion, budget));
  if (fusion && kernels::looksLikeLlvm(source.text))
    INDEXICAL_RETURN_IF_ERROR(takeTypes(source.text, *fusion, reading.options));
  else if (question.readsValues && kernels::looksLikeLlvm(source.text))
    INDEXICAL_RETURN_IF_ERROR(takeTypes(
        source.text, question, reading.launch.shapes, reading.options));
  auto read = kernels::readKernel(source.text, reading.options);
  if (!read.ok() && !reading.options.grid)
    return ofWritten(
        source, withWhatIsOpen(source, reading.options, reading.launch.shapes,
                               read.status()));
  if (!read.ok()) return ofWritten(source, read.status());
  kernels::TritonKernel kernel = *std::move(read);
  if (takesDefaultWarps(source, kernel, fusion, question)) {
    reading.options.warps = kDefaultWarps;
    reading.launch.taken.push_back(
        {"warps", "", absl::StrCat(kDefaultWarps), "default"});
    INDEXICAL_ASSIGN_OR_RETURN(
        kernel, kernels::readKernel(source.text, reading.options));
  }
  if (kernels::looksLikeLlvm(source.text) &&
      takeShortTypes(kernel, reading.launch.shapes, reading.options)) {
    INDEXICAL_ASSIGN_OR_RETURN(
        kernel, kernels::readKernel(source.text, reading.options));
  }
  if (reading.launch.isOpen()) closeMaps(reading.launch, kernel);
  if (order == Order::Asked && !reading.options.values &&
      kernels::isLoadedAndStored(kernel)) {
    reading.options.values = true;
    INDEXICAL_ASSIGN_OR_RETURN(
        kernel, kernels::readKernel(source.text, reading.options));
  }
  INDEXICAL_RETURN_IF_ERROR(takeAsked(question, kernel));
  // Values and listings name accesses by their numbers.
  if (order == Order::Ignored) kernels::splitByArgument(kernel);
  if (!kernel.warps && !fusion)
    return errorAt({},
                   "the number of warps of a program is not known; "
                   "--num-warps=N gives it");
  SizedKernel sized;
  sized.isGridGuessed = reading.isGridGuessed;
  KernelFindings &found = sized.found;
  found.kernel = std::move(kernel);
  found.level = question.level;
  // Places are those of the text that people wrote.
  found.text = source.written ? *source.written->text : source.text;
  if (question.printsText) found.ttir = source.text;
  found.launch = source.launch;
  found.instruction = source.instruction;
  if (reading.launch.isOpen()) found.openGrid = reading.launch.text;
  if (source.written) {
    found.taken = source.written->taken;
    found.constants = source.written->constants;
    found.config = source.written->config;
    found.configNumber = source.written->configNumber;
    addTaken(reading, found);
  } else {
    for (const kernels::Taken &taken : reading.launch.taken)
      if (taken.what == "warps") found.taken.push_back(taken);
  }
  INDEXICAL_RETURN_IF_ERROR(
      setShapes(source, reading.launch.shapes, fusion, found, sized.sizes));
  measureTraffic(question, sized.sizes, budget, found);
  return sized;
}

/// Holds each access against the sizes of arrays.
absl::Status checkBounds(SizedKernel &sized, const Budget &budget) {
  for (const kernels::KernelAccess &access : sized.found.kernel.accesses) {
    INDEXICAL_RETURN_IF_ERROR(budget.check());
    sized.found.bounds.push_back(
        kernels::inBounds(access, sized.sizes, ExactOptions(budget)));
  }
  return absl::OkStatus();
}

/// Takes back what is said against a kernel whose grid was guessed. Less
/// programs may store the results, too.
void doubtGrid(KernelFindings &found) {
  const std::string reason = absl::StrCat(
      "one program for each tile that is stored makes ", found.kernel.grid[0],
      " programs, which is a guess; --grid=X[,Y[,Z]] says how many there are");
  for (Check &check : found.bounds)
    if (check.answer == Check::Violated) check = Check::undecided(reason);
  if (found.once.answer == Check::Violated)
    found.once = Check::undecided(reason);
  if (found.overwritten && found.overwritten->answer == Check::Violated)
    found.overwritten = Check::undecided(reason);
  if (found.sharedOverwritten &&
      found.sharedOverwritten->answer == Check::Violated)
    found.sharedOverwritten = Check::undecided(reason);
  Verdict &verdict = found.comparison->verdict;
  if (verdict.answer == Verdict::Different) verdict.doubt(reason);
}

}  // namespace

python::PythonOptions pythonOptionsOf(const KernelQuestion &question) {
  python::PythonOptions options;
  options.function = question.function;
  options.types = question.types;
  options.constants = question.constants;
  options.arguments = question.arguments;
  options.numbers = question.numbers;
  return options;
}

absl::StatusOr<KernelFindings> measureKernel(const KernelSource &source,
                                             const KernelQuestion &question,
                                             const Budget &budget) {
  INDEXICAL_ASSIGN_OR_RETURN(
      auto sized, measureSized(source, question, /*fusion=*/std::nullopt,
                               Order::Ignored, budget));
  if (question.checksBounds)
    INDEXICAL_RETURN_IF_ERROR(checkBounds(sized, budget));
  return std::move(sized.found);
}

absl::StatusOr<KernelFindings> findKernel(const KernelSource &source,
                                          const KernelQuestion &question,
                                          const std::optional<Fusion> &fusion,
                                          const Budget &budget) {
  INDEXICAL_ASSIGN_OR_RETURN(
      auto sized, measureSized(source, question, fusion, Order::Asked, budget));
  KernelFindings &found = sized.found;
  const ExactOptions exact(budget);
  INDEXICAL_RETURN_IF_ERROR(checkBounds(sized, budget));
  found.once = kernels::writtenOnce(found.kernel, exact);
  if (kernels::isLoadedAndStored(found.kernel))
    found.overwritten = kernels::overwritten(found.kernel, exact);
  if (kernels::isSharedLoadedAndStored(found.kernel))
    found.sharedOverwritten = kernels::sharedOverwritten(found.kernel, exact);
  for (const kernels::SharedAccess &access : found.kernel.shared)
    found.shared.push_back(kernels::sharedFigures(found.kernel, access));
  if (question.at) {
    INDEXICAL_ASSIGN_OR_RETURN(
        found.ofThread,
        kernels::accessesOf(found.kernel, *question.at,
                            question.loadsHashes
                                ? kernels::LoadedBytes(kernels::hashedBytes)
                                : kernels::LoadedBytes(),
                            budget));
  }
  if (fusion) {
    auto compared =
        kernels::compareWithFusion(found.kernel, *fusion->module,
                                   fusion->computation, exact, fusion->caller);
    if (!compared.ok())
      return errorAt(
          {}, aboutFusion(std::string(compared.status().message()), *fusion));
    found.comparison = *std::move(compared);
    INDEXICAL_RETURN_IF_ERROR(kernels::compareStoredValues(
        found.kernel, *fusion->module, fusion->computation,
        ValueOptions{question.floats}, exact, *found.comparison));
    if (sized.isGridGuessed) doubtGrid(found);
  }
  addMissing(found);
  INDEXICAL_RETURN_IF_ERROR(budget.check());
  return std::move(found);
}

absl::StatusOr<size_t> findEach(llvm::ArrayRef<KernelSource> sources,
                                const Ask &ask, FindKernel find,
                                TakeKernel take) {
  std::vector<uint32_t> owners(sources.size());
  const size_t jobs = std::min(ask.jobs, owners.size());
  for (auto [step, owner] : llvm::enumerate(owners)) owner = step % jobs;
  size_t failed = 0;
  absl::Status ended;
  inOrder<absl::StatusOr<KernelFindings>>(
      owners, [&](size_t, size_t step) { return find(sources[step]); },
      [&](size_t step, absl::StatusOr<KernelFindings> found) {
        if (found.ok()) {
          warnOfPassedOver(sources[step], found->kernel, ask.messages);
          ended = take(sources[step], *std::move(found));
          return ended.ok();
        }
        const absl::Status placed = placedIn(sources[step], found.status());
        // An input that is one kernel ends with its error.
        if (sources.size() == 1 || !ask.budget.check().ok()) {
          ended = placed;
          return false;
        }
        ask.messages.error(placed);
        ++failed;
        return true;
      });
  INDEXICAL_RETURN_IF_ERROR(ended);
  return failed;
}

}  // namespace indexical
