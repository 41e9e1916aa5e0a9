#include "indexical/tools/traffic_rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/module/callees.h"
#include "indexical/ops/sizes.h"
#include "indexical/tools/result.h"
#include "indexical/tools/wording.h"

namespace indexical {

using llvm::StringRef;

//===-- Measuring ---------------------------------------------------------===//

MeasuredKernel measured(const Module &module, size_t number, Kernel kernel,
                        TrafficMeter &meter, ReuseMeter &reuse) {
  auto of = std::make_shared<Measurement>();
  of->kernel = std::move(kernel);
  of->traffic = meter.measure(of->kernel);
  of->demand = demandOf(module, of->kernel, of->traffic, reuse);
  if (of->demand) of->time = predictedTime(*of->demand, meter.device());
  const ComputationId computation = of->kernel.computation;
  const InstructionId instruction = of->kernel.instruction;
  return {number, computation, instruction, std::move(of)};
}

void shareTime(std::vector<MeasuredKernel> &kernels) {
  std::vector<double> whole;
  for (const MeasuredKernel &kernel : kernels) {
    if (whole.size() <= kernel.module) whole.resize(kernel.module + 1);
    whole[kernel.module] += kernel.allTrips();
  }
  for (MeasuredKernel &kernel : kernels)
    if (kernel.time() && whole[kernel.module] > 0)
      kernel.share = kernel.allTrips() / whole[kernel.module];
}

//===-- Names -------------------------------------------------------------===//

const Module &KernelNames::moduleOf(const MeasuredKernel &kernel) const {
  return program.modules[kernel.module];
}

const Computation &KernelNames::computationOf(
    const MeasuredKernel &kernel) const {
  return moduleOf(kernel).computations[kernel.computation];
}

const Instruction &KernelNames::instructionOf(
    const MeasuredKernel &kernel) const {
  return computationOf(kernel).instructions[kernel.instruction];
}

StringRef KernelNames::arrayOf(const MeasuredKernel &kernel,
                               const Traffic &traffic, bool isRead) const {
  if (!isRead) return instructionOf(kernel).name;
  const Computation &computation = computationOf(kernel);
  const OperandLeaf of = computation.operandLeaf(
      kernel.instruction, kernel.kernel().leafOf(traffic.access));
  return of.instruction < 0 ? ""
                            : computation.instructions[of.instruction].name;
}

namespace {

/// Returns the leaf behind tuples and bitcasts.
InstructionLeaf behindBitcasts(const Computation &computation,
                               InstructionLeaf leaf) {
  leaf = behindTuples(computation, leaf);
  while (computation.instructions[leaf.instruction].op.is<BitcastOp>())
    leaf = behindTuples(
        computation, {computation.instructions[leaf.instruction].operands[0]});
  return leaf;
}

/// Returns the operand whose memory the op updates, for that leaf of its
/// result.
std::optional<InstructionLeaf> updatedBy(const Instruction &instruction,
                                         LeafId leaf) {
  if (instruction.op.is<DynamicUpdateSliceOp>())
    return InstructionLeaf{instruction.operands[0]};
  if (instruction.op.is<ScatterOp>())
    return InstructionLeaf{instruction.operands[static_cast<size_t>(leaf)]};
  return std::nullopt;
}

/// Returns the array whose memory the kernel updates in place, or nothing if it
/// writes all of an array of its own.
std::optional<InstructionLeaf> updatedInPlace(const Module &module,
                                              const Computation &computation,
                                              InstructionLeaf leaf) {
  const Instruction &kernel = computation.instructions[leaf.instruction];
  const auto callee = calleeOfCall(kernel);
  if (!callee) return updatedBy(kernel, leaf.leaf);
  if (callee->computation < 0) return std::nullopt;
  const Computation &fused = module.computations[callee->computation];
  const InstructionLeaf root = behindBitcasts(fused, {fused.root, leaf.leaf});
  const auto updated =
      updatedBy(fused.instructions[root.instruction], root.leaf);
  if (!updated) return std::nullopt;
  const InstructionLeaf from = behindBitcasts(fused, *updated);
  const int32_t number = fused.instructions[from.instruction].parameterNumber;
  if (number < 0 || number >= static_cast<int64_t>(callee->arguments.size()))
    return std::nullopt;
  return InstructionLeaf{kernel.operands[callee->arguments[number]], from.leaf};
}

}  // namespace

std::string KernelNames::sourceArrayOf(const MeasuredKernel &kernel,
                                       const Traffic &traffic,
                                       bool isRead) const {
  const Computation &computation = computationOf(kernel);
  const LeafId number = kernel.kernel().leafOf(traffic.access);
  InstructionLeaf leaf{kernel.instruction, number};
  if (isRead) {
    const OperandLeaf of = computation.operandLeaf(kernel.instruction, number);
    if (of.instruction < 0) return "";
    leaf = behindBitcasts(computation, {of.instruction, of.result});
  }
  // An update in place goes on with the array that it updates.
  while (const auto updated =
             updatedInPlace(moduleOf(kernel), computation, leaf))
    leaf = behindBitcasts(computation, *updated);
  const Instruction &source = computation.instructions[leaf.instruction];
  std::string name = program.modules.size() > 1
                         ? (moduleOf(kernel).name + "/").str()
                         : std::string();
  name += source.name;
  if (source.shape.leafCount() > 1)
    name += "{" + std::to_string(leaf.leaf) + "}";
  return name;
}

const Metadata &KernelNames::metadataOf(const MeasuredKernel &kernel,
                                        const Traffic &traffic) const {
  const Kernel &of = kernel.kernel();
  const KernelUser &user = of.userOf(traffic.access);
  // For an access of the kernel itself, `of` may be an equal kernel.
  if (user.computation == of.computation && user.instruction == of.instruction)
    return instructionOf(kernel).metadata;
  const Metadata &own = moduleOf(kernel)
                            .computations[user.computation]
                            .instructions[user.instruction]
                            .metadata;
  if (!own.opName.empty() || own.frame >= 0) return own;
  return instructionOf(kernel).metadata;
}

llvm::SmallVector<StackFrame, 8> KernelNames::stackOf(
    const MeasuredKernel &kernel, const Metadata &metadata) const {
  return moduleOf(kernel).frames.stackFrom(metadata.frame);
}

std::string KernelNames::sourceOf(const MeasuredKernel &kernel,
                                  const Metadata &metadata) const {
  const auto stack = stackOf(kernel, metadata);
  return stack.empty() ? "" : ownFrame(stack).place();
}

std::vector<std::string> KernelNames::shapesOf(
    const MeasuredKernel &kernel) const {
  std::vector<std::string> shapes;
  for (const ArrayShape &shape :
       indexical::shapesOf(instructionOf(kernel).op).results)
    shapes.push_back(shape.str(/*withLayout=*/true));
  return shapes;
}

//===-- Keys --------------------------------------------------------------===//

namespace {

std::string stackText(const KernelNames &names, const AccessRow &row) {
  std::string text;
  for (const StackFrame &frame :
       names.stackOf(*row.kernel, names.metadataOf(*row.kernel, *row.traffic)))
    text += (text.empty() ? "" : "\n") + frame.str();
  return text;
}

constexpr RowKey kRowKeys[] = {
    {"pattern", true,
     [](const KernelNames &, const AccessRow &row) {
       return row.traffic->figures ? nameOf(row.traffic->finding.pattern)
                                   : std::string("not measured");
     }},
    {"op_name", true,
     [](const KernelNames &names, const AccessRow &row) {
       return names.metadataOf(*row.kernel, *row.traffic).opName.str();
     }},
    {"source", true,
     [](const KernelNames &names, const AccessRow &row) {
       return names.sourceOf(*row.kernel,
                             names.metadataOf(*row.kernel, *row.traffic));
     }},
    {"emitter", true,
     [](const KernelNames &, const AccessRow &row) {
       const auto &emitter = row.kernel->kernel().emitter;
       return emitter ? nameOf(*emitter).str() : std::string("linear");
     }},
    {"opcode", true,
     [](const KernelNames &names, const AccessRow &row) {
       return names.instructionOf(*row.kernel).opcode.str();
     }},
    {"computation", true,
     [](const KernelNames &names, const AccessRow &row) {
       return names.computationOf(*row.kernel).name.str();
     }},
    {kArrayKey, true,
     [](const KernelNames &names, const AccessRow &row) {
       return names.sourceArrayOf(*row.kernel, *row.traffic, row.isRead);
     }},
    {"stack", false, stackText},
    {"kernel", false,
     [](const KernelNames &names, const AccessRow &row) {
       return names.instructionOf(*row.kernel).name.str();
     }},
    {"instruction", false,
     [](const KernelNames &names, const AccessRow &row) {
       return names.arrayOf(*row.kernel, *row.traffic, row.isRead).str();
     }},
    {"access", false,
     [](const KernelNames &, const AccessRow &row) {
       return std::string(row.isRead ? "read" : "write");
     }},
    {"shape", false,
     [](const KernelNames &, const AccessRow &row) {
       return row.kernel->kernel().buffers[row.traffic->access.buffer].str(
           /*withLayout=*/true);
     }},
};

constexpr SortKey kSortKeys[] = {
    {"wasted",
     [](const TrafficSums &sums) {
       return static_cast<double>(sums.wastedSure);
     }},
    {"moved",
     [](const TrafficSums &sums) {
       return static_cast<double>(sums.movedSure);
     }},
    {"time", [](const TrafficSums &sums) { return sums.time; }},
    {"lost", [](const TrafficSums &sums) { return sums.lost; }},
    {"measured", [](const TrafficSums &sums) { return sums.measured; }},
    {"ratio", [](const TrafficSums &sums) { return sums.ratio; }},
    {"received", [](const TrafficSums &sums) { return sums.received; }},
    {"name", nullptr},
};

}  // namespace

llvm::ArrayRef<RowKey> rowKeys() { return kRowKeys; }
llvm::ArrayRef<SortKey> sortKeys() { return kSortKeys; }

const SortKey *findSortKey(StringRef name) {
  for (const SortKey &key : kSortKeys)
    if (key.name == name) return &key;
  return nullptr;
}

const RowKey *findRowKey(StringRef name) {
  for (const RowKey &key : kRowKeys)
    if (key.name == name) return &key;
  return nullptr;
}

//===-- Sums --------------------------------------------------------------===//

namespace {

constexpr int64_t TrafficSums::*kBytes[] = {
    &TrafficSums::moved,      &TrafficSums::wasted,
    &TrafficSums::movedLeast, &TrafficSums::wastedLeast,
    &TrafficSums::movedSure,  &TrafficSums::wastedSure};

}  // namespace

void TrafficSums::add(const TrafficSums &other) {
  for (int64_t TrafficSums::*of : kBytes)
    this->*of = sumOf(this->*of, other.*of);
  time += other.time;
  measured += other.measured;
  lost += other.lost;
  received += other.received;
}

namespace {

int64_t times(int64_t a, int64_t b) {
  return checkedMul(a, b).value_or(INT64_MAX);
}

}  // namespace

bool areBytesKnown(const AccessRow &row) {
  const auto &buffers = row.kernel->kernel().buffers;
  return row.traffic->figures || row.traffic->bytes > 0 ||
         !hasOpenSize(buffers[row.traffic->access.buffer]);
}

bool areBytesKnown(const KernelRow &row) {
  auto areKnown = [&](const Traffic *traffic) {
    return areBytesKnown(AccessRow{row.kernel, traffic, true});
  };
  return llvm::all_of(row.reads, areKnown) &&
         llvm::all_of(row.writes, areKnown);
}

TrafficSums sumsOf(const Traffic &traffic, const Device &device) {
  TrafficSums sums;
  sums.moved = sums.movedLeast = sums.movedSure = traffic.bytes;
  if (!traffic.figures) return sums;
  const AccessFigures &of = *traffic.figures;
  const LeastFigures least = of.least();
  sums.moved = times(of.sectors.most, device.sector);
  sums.movedLeast = times(of.sectors.least, device.sector);
  sums.movedSure = times(least.sectors, device.sector);
  sums.wasted = std::min(of.wastedBytes.most, sums.moved);
  sums.wastedLeast = of.wastedBytes.least;
  sums.wastedSure = least.wastedBytes;
  return sums;
}

namespace {

TrafficSums ofAllTrips(const TrafficSums &one, int64_t trips) {
  TrafficSums all;
  for (int64_t TrafficSums::*of : kBytes) all.*of = times(one.*of, trips);
  return all;
}

}  // namespace

TrafficSums sumsOf(const AccessRow &row, const Device &device) {
  return ofAllTrips(sumsOf(*row.traffic, device), row.kernel->kernel().trips);
}

TrafficSums sumsOf(const MeasuredKernel &kernel, const Device &device) {
  TrafficSums sums;
  for (const auto *accesses :
       {&kernel.traffic().reads, &kernel.traffic().writes})
    for (const Traffic &traffic : *accesses)
      sums.add(ofAllTrips(sumsOf(traffic, device), kernel.kernel().trips));
  sums.time = kernel.allTrips();
  sums.lost = kernel.lost();
  return sums;
}

//===-- Selection ---------------------------------------------------------===//

namespace {

class Selection {
 public:
  Selection(const KernelNames &names, const Device &device,
            const RowChoice &choice)
      : names_(names), device_(device), choice_(choice) {}

  SelectedRows run(const std::vector<MeasuredKernel> &kernels) {
    for (const MeasuredKernel &kernel : kernels) add(kernel);
    if (choice_.alikeTogether && !choice_.group) joinAlike();
    sort(rows_.kernels, [&](const KernelRow &row) -> StringRef {
      return names_.instructionOf(*row.kernel).name;
    });
    auto isWanted = [&](const auto &row) {
      return row.sums.wastedSure >= choice_.leastWasted;
    };
    if (choice_.group) {
      rows_.groups = groups();
      rows_.groupCount = rows_.groups.size();
      sort(rows_.groups,
           [](const GroupRow &row) -> StringRef { return row.name; });
      llvm::erase_if(rows_.groups,
                     [&](const GroupRow &row) { return !isWanted(row); });
      rows_.shown = rows_.groups.size();
    } else {
      // The rows that are erased stay in the sums.
      llvm::erase_if(rows_.kernels,
                     [&](const KernelRow &row) { return !isWanted(row); });
      rows_.shown = rows_.kernels.size();
    }
    if (choice_.top) rows_.shown = std::min(rows_.shown, *choice_.top);
    return std::move(rows_);
  }

 private:
  /// Whether no thread makes the access. A read that never happens has no
  /// entry.
  static bool isIdle(const Traffic &traffic) {
    return traffic.figures && traffic.figures->accesses.most == 0;
  }

  bool isTaken(const AccessRow &row) {
    return llvm::all_of(choice_.filters, [&](const RowFilter &filter) {
      return filter.glob.match(filter.key->of(names_, row));
    });
  }

  void add(const MeasuredKernel &kernel) {
    KernelRow row;
    row.kernel = &kernel;
    TrafficSums ofReads, ofWrites;
    for (const bool isRead : {true, false})
      for (const Traffic &traffic :
           isRead ? kernel.traffic().reads : kernel.traffic().writes) {
        const AccessRow access{&kernel, &traffic, isRead};
        const TrafficSums sums = sumsOf(access, device_);
        rows_.all.add(sums);
        if (isIdle(traffic) || !isTaken(access)) continue;
        (isRead ? row.reads : row.writes).push_back(&traffic);
        (isRead ? ofReads : ofWrites).add(sums);
        row.sums.add(sums);
      }
    // A kernel that neither reads nor writes is a row, too.
    const bool isEmpty = row.reads.empty() && row.writes.empty();
    rows_.all.time += kernel.allTrips();
    if (isEmpty && !choice_.filters.empty()) return;
    row.sums.time = kernel.allTrips();
    row.sums.lost = kernel.lost();
    if (choice_.addTimes) choice_.addTimes(kernel, row.sums);
    rows_.reads.add(ofReads);
    rows_.writes.add(ofWrites);
    rows_.sums.add(row.sums);
    rows_.bytesOnly += kernel.kernel().bytesOnly;
    rows_.openKernels += !areBytesKnown(row);
    ++rows_.kernelCount;
    rows_.uses.add(kernel, choice_.addTimes ? row.sums.measured : row.sums.time,
                   row.sums.movedSure > 0
                       ? static_cast<double>(row.sums.wastedSure) /
                             static_cast<double>(row.sums.movedSure)
                       : 0);
    rows_.kernels.push_back(std::move(row));
  }

  /// Joins alike kernels that exist for one reason into one row: the first,
  /// with the sums of all.
  void joinAlike() {
    std::map<std::pair<size_t, CopyCause>, size_t> first;
    std::vector<KernelRow> joined;
    for (KernelRow &row : rows_.kernels) {
      const KernelFacts &facts = row.kernel->facts;
      const auto [known, isNew] =
          first.try_emplace({facts.alike, facts.why.cause}, joined.size());
      if (isNew) {
        joined.push_back(std::move(row));
        continue;
      }
      KernelRow &all = joined[known->second];
      all.sums.add(row.sums);
      all.others.push_back(row.kernel);
    }
    rows_.kernels = std::move(joined);
  }

  template <typename Row, typename NameOf>
  void sort(std::vector<Row> &rows, NameOf nameOf) {
    auto *of = choice_.sort->of;
    llvm::stable_sort(rows, [&](const Row &a, const Row &b) {
      if (!of) return nameOf(a).compare_numeric(nameOf(b)) < 0;
      const double x = of(a.sums), y = of(b.sums);
      if (x != y) return x > y;
      auto bytes = [](const TrafficSums &sums) {
        return std::tuple(sums.wastedSure, sums.movedSure, sums.wasted,
                          sums.moved);
      };
      return bytes(a.sums) > bytes(b.sums);
    });
  }

  std::vector<GroupRow> groups() {
    std::vector<GroupRow> groups;
    llvm::StringMap<size_t> numbers;
    std::vector<const MeasuredKernel *> last;
    for (const KernelRow &row : rows_.kernels) {
      llvm::StringMap<TrafficSums> ofKernel;
      for (const bool isRead : {true, false})
        for (const Traffic *traffic : isRead ? row.reads : row.writes) {
          const AccessRow access{row.kernel, traffic, isRead};
          const std::string name = choice_.group->of(names_, access);
          auto [number, isNew] = numbers.try_emplace(name, groups.size());
          if (isNew) {
            groups.emplace_back().name = name;
            last.push_back(nullptr);
          }
          GroupRow &group = groups[number->second];
          const TrafficSums sums = sumsOf(access, device_);
          group.sums.add(sums);
          ++group.accesses;
          auto &users = isRead ? group.readers : group.writers;
          if (users.empty() || users.back() != row.kernel)
            users.push_back(row.kernel);
          if (!isRead)
            group.array = row.kernel->kernel().buffers[traffic->access.buffer];
          if (std::exchange(last[number->second], row.kernel) != row.kernel) {
            ++group.kernels;
            group.sums.time += row.kernel->allTrips();
          }
          TrafficSums &own = ofKernel[name];
          own.add(sums);
          auto wasted = [](const TrafficSums &of) {
            return std::pair(of.wastedSure, of.wasted);
          };
          if (!group.worst || wasted(own) > wasted(group.ofWorst)) {
            group.ofWorst = own;
            group.worst = row.kernel;
          }
        }
    }
    // Other arrays are operands of the module, or results.
    if (choice_.group->name == kArrayKey)
      llvm::erase_if(groups, [](const GroupRow &group) {
        return group.writers.empty() || group.readers.empty();
      });
    return groups;
  }

  const KernelNames &names_;
  const Device &device_;
  const RowChoice &choice_;
  SelectedRows rows_;
};

}  // namespace

SelectedRows select(const KernelNames &names,
                    const std::vector<MeasuredKernel> &kernels,
                    const Device &device, const RowChoice &choice) {
  return Selection(names, device, choice).run(kernels);
}

std::vector<ListedRow> listByOpAndSource(const KernelNames &names,
                                         const SelectedRows &rows) {
  std::vector<ListedRow> list;
  llvm::StringMap<size_t> numbers;
  for (const KernelRow &row : rows.kernels) {
    const Instruction &instruction = names.instructionOf(*row.kernel);
    const Metadata &metadata = instruction.metadata;
    const std::string line = names.sourceOf(*row.kernel, metadata);
    const StringRef source = line.empty() ? metadata.opName : StringRef(line);
    auto [number, isNew] = numbers.try_emplace(
        (instruction.opcode + "\n" + source).str(), list.size());
    if (isNew)
      list.push_back({instruction.opcode.str(), source.str(), 0, &row});
    ++list[number->second].instructions;
  }
  return list;
}

}  // namespace indexical
