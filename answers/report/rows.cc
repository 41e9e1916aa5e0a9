#include "indexical/answers/report/rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include "indexical/answers/report/keys.h"
#include "indexical/answers/report/ranking.h"
#include "indexical/answers/words.h"

namespace indexical {

using llvm::StringRef;

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
       const Kernel &kernel = row.kernel->kernel();
       if (kernel.emitter) return nameOf(*kernel.emitter).str();
       const bool isCompiled = kernel.model == LaunchModel::Compiled;
       return isCompiled ? nameOf(Emitter::Unknown).str()
                         : nameOf(LaunchModel::Linear).str();
     }},
    {"opcode", true,
     [](const KernelNames &names, const AccessRow &row) {
       return names.instructionOf(*row.kernel).opcode.str();
     }},
    {"computation", true,
     [](const KernelNames &names, const AccessRow &row) {
       return names.computationOf(*row.kernel).name.str();
     }},
    {"module", true,
     [](const KernelNames &names, const AccessRow &row) {
       return names.moduleOf(*row.kernel).name.str();
     }},
    {"file", true,
     [](const KernelNames &names, const AccessRow &row) {
       return names.fileOf(*row.kernel).str();
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
    {"avoidable", [](const TrafficSums &sums) { return sums.avoidable; }},
    {"lost", [](const TrafficSums &sums) { return sums.lost; }},
    {"measured", [](const TrafficSums &sums) { return sums.measured; }},
    // The slowest against its prediction first.
    {"ratio",
     [](const TrafficSums &sums) {
       return sums.ratio > 0 ? 1 / sums.ratio : 0;
     }},
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

absl::StatusOr<RowFilter> rowFilterOf(llvm::StringRef text) {
  const auto [name, pattern] = text.split('=');
  const RowKey *key = findRowKey(name);
  if (!key || !text.contains('=')) {
    std::vector<llvm::StringRef> names;
    for (const RowKey &each : rowKeys()) names.push_back(each.name);
    return absl::InvalidArgumentError("KEY=GLOB, where the key is one of " +
                                      llvm::join(names, ", "));
  }
  auto kept = std::make_shared<const std::string>(pattern.str());
  auto glob = llvm::GlobPattern::create(*kept, /*MaxSubPatterns=*/64);
  if (!glob)
    return absl::InvalidArgumentError("a glob; in this one: " +
                                      llvm::toString(glob.takeError()));
  return RowFilter{key, std::move(kept), *std::move(glob)};
}

bool areBytesKnown(const KernelRow &row) {
  auto areKnown = [&](const Traffic *traffic) {
    return areBytesKnown(AccessRow{row.kernel, traffic, true});
  };
  return llvm::all_of(row.reads, areKnown) &&
         llvm::all_of(row.writes, areKnown);
}

//===-- Selection ---------------------------------------------------------===//

namespace {

/// Sorts by the key; null: by what is wasted.
template <typename Row, typename NameOf>
void sort(const SortKey *key, std::vector<Row> &rows, NameOf nameOf) {
  auto *of = (key ? key : findSortKey("wasted"))->of;
  const bool isTime = of == findSortKey("avoidable")->of;
  llvm::stable_sort(rows, [&](const Row &a, const Row &b) {
    if (!of) return nameOf(a).compare_numeric(nameOf(b)) < 0;
    const double x = of(a.sums), y = of(b.sums);
    if (x != y) return x > y;
    auto rest = [&](const TrafficSums &sums) {
      return std::tuple(isTime ? std::max(sums.time, sums.measured) : 0,
                        sums.wastedSure, sums.movedSure, sums.wasted,
                        sums.moved);
    };
    return rest(a.sums) > rest(b.sums);
  });
}

class Selection {
 public:
  Selection(const KernelNames &names, const RowChoice &choice,
            const AddSums &addSums)
      : names_(names), choice_(choice), addSums_(addSums) {}

  SelectedRows run(const std::vector<KernelCost> &kernels) {
    for (const KernelCost &kernel : kernels) add(kernel);
    sortRows(names_, choice_.sort, rows_.kernels);
    if (choice_.ranks) rank();
    if (choice_.alikeTogether && !choice_.group)
      rows_.kernels = joinedByChange(names_, std::move(rows_.kernels));
    if (!choice_.group) sortRows(names_, choice_.sort, rows_.kernels);
    auto isWanted = [&](const auto &row) {
      return row.sums.wastedSure >= choice_.leastWasted;
    };
    if (choice_.group) {
      rows_.groups = groups();
      rows_.groupCount = rows_.groups.size();
      sort(choice_.sort, rows_.groups,
           [](const GroupRow &row) -> StringRef { return row.name; });
      llvm::erase_if(rows_.groups,
                     [&](const GroupRow &row) { return !isWanted(row); });
      rows_.shown = rows_.groups.size();
    } else {
      // The rows that are erased stay in the sums.
      llvm::erase_if(rows_.kernels,
                     [&](const KernelRow &row) { return !isWanted(row); });
      rows_.shown = rows_.kernels.size();
      if (choice_.endsAtLittle) {
        rows_.shown = withoutLittle(rows_.sums, rows_.kernels);
        rows_.little = rows_.kernels.size() - rows_.shown;
      }
    }
    if (choice_.top) rows_.shown = std::min(rows_.shown, *choice_.top);
    return std::move(rows_);
  }

 private:
  /// Adds the rows that people see.
  void rank() {
    rows_.isRanked = true;
    rows_.ranking = choice_.ranksEach ? rows_.kernels
                                      : joinedByChange(names_, rows_.kernels);
    sortRows(names_, choice_.sort, rows_.ranking);
    llvm::erase_if(rows_.ranking, [&](const KernelRow &row) {
      return row.sums.wastedSure < choice_.leastWasted;
    });
    rows_.ranked = choice_.top && !choice_.isUsualTop
                       ? rows_.ranking.size()
                       : withoutLittle(rows_.sums, rows_.ranking);
    if (choice_.top) rows_.ranked = std::min(rows_.ranked, *choice_.top);
  }

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

  void add(const KernelCost &kernel) {
    KernelRow row;
    row.kernel = &kernel;
    TrafficSums ofReads, ofWrites;
    for (const bool isRead : {true, false})
      for (const Traffic &traffic :
           isRead ? kernel.traffic().reads : kernel.traffic().writes) {
        const AccessRow access{&kernel, &traffic, isRead};
        const TrafficSums sums = sumsOf(access);
        if (!kernel.isAlternative) rows_.all.add(sums);
        if (isIdle(traffic) || !isTaken(access)) continue;
        (isRead ? row.reads : row.writes).push_back(&traffic);
        (isRead ? ofReads : ofWrites).add(sums);
        row.sums.add(sums);
      }
    // A kernel that neither reads nor writes is a row, too.
    const bool isEmpty = row.reads.empty() && row.writes.empty();
    if (!kernel.isAlternative) {
      rows_.all.time += kernel.allTrips();
      rows_.predicted += kernel.allTrips();
    }
    if (isEmpty && !choice_.filters.empty()) return;
    row.sums.time = kernel.allTripsAsWritten();
    row.sums.lost = kernel.lost();
    row.sums.avoidable = asWritten(kernel.avoided().microseconds);
    const auto trips = static_cast<double>(kernel.kernel().trips);
    row.sums.operations = kernel.facts.operations.count * trips;
    row.sums.atomics = static_cast<double>(kernel.facts.atomics) * trips;
    if (addSums_) addSums_(kernel, row.sums);
    rows_.bytesOnly += kernel.kernel().bytesOnly;
    rows_.openKernels += !areBytesKnown(row);
    rows_.alternatives += kernel.isAlternative;
    ++rows_.kernelCount;
    if (!kernel.isAlternative) addToSums(kernel, row, ofReads, ofWrites);
    rows_.kernels.push_back(std::move(row));
  }

  void addToSums(const KernelCost &kernel, const KernelRow &row,
                 const TrafficSums &ofReads, const TrafficSums &ofWrites) {
    rows_.reads.add(ofReads);
    rows_.writes.add(ofWrites);
    rows_.sums.add(row.sums);
    const double time = choice_.isMeasured ? row.sums.measured : row.sums.time;
    // A profile's total leaves out kernels that were not launched.
    if (!choice_.isMeasured || row.sums.measured > 0)
      rows_.isTimeLeast |= !kernel.time() || isTimeAtLeast(kernel);
    rows_.uses.add(kernel, names_.instructionOf(kernel).name, time,
                   row.sums.movedSure > 0
                       ? static_cast<double>(row.sums.wastedSure) /
                             static_cast<double>(row.sums.movedSure)
                       : 0);
    if (time > 0)
      rows_.work[size_t(kernel.facts.work)].add(
          names_.instructionOf(kernel).name, time);
  }

  std::vector<GroupRow> groups() {
    std::vector<GroupRow> groups;
    llvm::StringMap<size_t> numbers;
    std::vector<const KernelCost *> last;
    for (const KernelRow &row : rows_.kernels) {
      if (row.kernel->isAlternative) continue;
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
          const TrafficSums sums = sumsOf(access);
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
            group.sums.avoidable += row.sums.avoidable;
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
  const RowChoice &choice_;
  const AddSums &addSums_;
  SelectedRows rows_;
};

}  // namespace

void sortRows(const KernelNames &names, const SortKey *key,
              std::vector<KernelRow> &rows) {
  sort(key, rows, [&](const KernelRow &row) -> StringRef {
    return names.instructionOf(*row.kernel).name;
  });
}

SelectedRows select(const KernelNames &names,
                    const std::vector<KernelCost> &kernels,
                    const RowChoice &choice, const AddSums &addSums) {
  return Selection(names, choice, addSums).run(kernels);
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
