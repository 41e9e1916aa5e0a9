#include "indexical/cost/profile/joined_profile.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include "indexical/cost/profile/op_finder.h"

namespace indexical {

using llvm::StringRef;

StringRef wordsOf(Unattributed reason) {
  switch (reason) {
    case Unattributed::NoOp:
      return "no hlo_op";
    case Unattributed::NoModule:
      return "no module";
    case Unattributed::NoInstruction:
      return "no such instruction";
    case Unattributed::CommandBuffer:
      return "command buffer";
  }
  return "";
}

namespace {

/// Whether the launches can be of that module, by program and name.
bool canBeOf(const KernelKind &kind, const ProfiledModule &module) {
  if (kind.program && module.program) return *kind.program == *module.program;
  return !kind.module.empty() && kind.module == module.name;
}

/// The order of the lists in JSON: the largest total first.
template <typename Entry, typename KeyOf>
void sortByTotal(std::vector<Entry> &entries, KeyOf keyOf) {
  llvm::stable_sort(entries, [&](const Entry &a, const Entry &b) {
    if (a.times.total != b.times.total) return a.times.total > b.times.total;
    return keyOf(a) < keyOf(b);
  });
}

class Join {
 public:
  Join(Profile &profile, std::vector<ProfiledModule> modules,
       const JoinChoice &choice, LaunchOf launchOf)
      : profile_(profile), choice_(choice), launchOf_(launchOf) {
    llvm::stable_sort(modules, [](const auto &a, const auto &b) {
      return std::tuple(!a.program, a.program.value_or(0), a.name) <
             std::tuple(!b.program, b.program.value_or(0), b.name);
    });
    for (ProfiledModule &module : modules)
      joined_.modules.push_back({std::move(module), 0, std::nullopt});
    finders_.resize(joined_.modules.size());
  }

  JoinedProfile run() {
    std::vector<int64_t> busy;
    for (ProfiledGpu &gpu : profile_.gpus)
      busy.push_back(isTaken(gpu) ? busyTime(gpu) : 0);
    groups_ = groupsOf(profile_);
    assign();
    for (size_t g = 0; g < profile_.gpus.size(); ++g)
      if (isTaken(profile_.gpus[g])) {
        gpuAt_[g] = joined_.gpus.size();
        joined_.gpus.push_back({g, 0, 0, busy[g], 0});
      }
    makeOps();
    makeUnattributed();
    countExecutions();
    return std::move(joined_);
  }

 private:
  struct Owner {
    size_t module = 0;
    ComputationId computation;
    InstructionId instruction;
    bool operator<(const Owner &o) const {
      return std::tie(module, computation, instruction) <
             std::tie(o.module, o.computation, o.instruction);
    }
  };

  using OpsOfGroups = std::map<Owner, std::vector<size_t>>;

  bool isTaken(const ProfiledGpu &gpu) const {
    return choice_.gpus.empty() || llvm::is_contained(choice_.gpus, gpu.number);
  }
  const KernelKind &kindOf(const KernelGroup &group) const {
    return profile_.gpus[group.gpu].kinds[group.kind];
  }

  //===-- Which instruction -----------------------------------------------===//

  /// The module of the kind: the one of its program, or the only one of its
  /// name, else that of a file.
  std::optional<size_t> moduleOf(const KernelKind &kind) {
    const auto key = std::pair(kind.program, kind.module);
    const auto known = moduleOf_.find(key);
    if (known != moduleOf_.end()) return known->second;
    std::vector<size_t> embedded, files;
    for (size_t m = 0; m < joined_.modules.size(); ++m) {
      const ProfiledModule &of = joined_.modules[m].of;
      if (!canBeOf(kind, of)) continue;
      (of.embedded ? embedded : files).push_back(m);
    }
    std::optional<size_t> found;
    if (embedded.size() == 1)
      found = embedded.front();
    else if (embedded.empty())
      found = ofFile(kind, files);
    return moduleOf_[key] = found;
  }

  /// The module of a file, for launches whose program has none in the profile.
  /// A program and a module belong together if the module has all instructions
  /// that the program's launches name, and neither fits another one.
  std::optional<size_t> ofFile(const KernelKind &kind,
                               const std::vector<size_t> &modules) {
    if (modules.empty()) return std::nullopt;
    std::map<std::optional<int64_t>, std::set<StringRef>> programs;
    for (const KernelGroup &group : groups_) {
      const KernelKind &other = kindOf(group);
      if (other.module != kind.module || isEmbedded(other)) continue;
      auto &ops = programs[other.program];
      if (!other.op.empty()) ops.insert(other.op);
    }
    if (modules.size() == 1 && programs.size() == 1) return modules.front();
    auto fits = [&](size_t m, const std::set<StringRef> &ops) {
      OpFinder *finder = finderOf(m);
      return finder &&
             llvm::all_of(ops, [&](StringRef op) { return finder->knows(op); });
    };
    std::optional<size_t> found;
    for (const size_t m : modules) {
      if (!fits(m, programs[kind.program])) continue;
      if (found) return std::nullopt;
      found = m;
    }
    if (!found) return std::nullopt;
    for (const auto &[program, ops] : programs)
      if (program != kind.program && fits(*found, ops)) return std::nullopt;
    return found;
  }

  bool isEmbedded(const KernelKind &kind) const {
    return llvm::any_of(joined_.modules, [&](const ModuleTimes &module) {
      return module.of.embedded && kind.program == module.of.program &&
             kind.program.has_value();
    });
  }

  OpFinder *finderOf(size_t m) {
    const Module *module = joined_.modules[m].of.module;
    if (!module) return nullptr;
    if (!finders_[m]) finders_[m].emplace(*module);
    return &*finders_[m];
  }

  void assign() {
    std::vector<size_t> left;
    for (size_t i = 0; i < groups_.size(); ++i) {
      if (!isTaken(profile_.gpus[groups_[i].gpu])) continue;
      const KernelKind &kind = kindOf(groups_[i]);
      const auto module = moduleOf(kind);
      if (choice_.program) {
        const auto program = kind.program || !module
                                 ? kind.program
                                 : joined_.modules[*module].of.program;
        if (program != choice_.program) continue;
      }
      if (auto owner = ownerOf(kind, module))
        ofOp_[*owner].push_back(i);
      else if (module && reasonOf(kind, module) == Unattributed::CommandBuffer)
        left.push_back(i);
      else
        ofNone_[{kind.name, reasonOf(kind, module)}].push_back(i);
    }
    const OpsOfGroups certain = ofOp_;
    for (const size_t i : left) assignInOrder(i, certain);
  }

  /// Assigns launches of a buffer's kernel that several of its instructions
  /// run, one after the other: each instruction has its share of them. Does so
  /// only if none is lost: there are as many for each as there are of a kernel
  /// that is certain.
  void assignInOrder(size_t i, const OpsOfGroups &certain) {
    const KernelKind &kind = kindOf(groups_[i]);
    const size_t module = *moduleOf(kind);
    const size_t gpu = groups_[i].gpu;
    auto isOfBuffer = [&](const KernelGroup &group) {
      const KernelKind &other = kindOf(group);
      return group.gpu == gpu && other.op == kind.op &&
             other.program == kind.program && other.module == kind.module;
    };
    llvm::StringSet<> launched;
    std::map<StringRef, int64_t> kinds;
    for (const KernelGroup &group : groups_)
      if (isOfBuffer(group)) {
        launched.insert(plainKernelName(kindOf(group).name));
        ++kinds[plainKernelName(kindOf(group).name)];
      }
    std::optional<int64_t> runs;
    bool areSame = true;
    for (const auto &[owner, groups] : certain)
      for (const size_t g : groups) {
        if (owner.module != module || !isOfBuffer(groups_[g])) continue;
        const int64_t count = groups_[g].launches.size();
        areSame &= !runs || *runs == count;
        runs = count;
      }
    std::vector<KernelSite> sites;
    // Launches of two kinds are in no order with each other.
    if (runs && areSame && kinds[plainKernelName(kind.name)] == 1 &&
        kind.occurrences == 0)
      sites =
          finderOf(module)->sharers(kind, launched, [&](const KernelSite &at) {
            return launchOf_(*joined_.modules[module].of.module, at);
          });
    const auto launches = groups_[i].launches;
    auto overlap = [](const KernelLaunch &a, const KernelLaunch &b) {
      return b.start <= a.start || b.start - a.start < a.duration;
    };
    const bool isSerial = std::adjacent_find(launches.begin(), launches.end(),
                                             overlap) == launches.end();
    if (sites.empty() || !isSerial ||
        static_cast<int64_t>(launches.size()) !=
            static_cast<int64_t>(sites.size()) * *runs) {
      ofNone_[{kind.name, Unattributed::CommandBuffer}].push_back(i);
      return;
    }
    // Moves the launches of one instruction next to each other, by their
    // starts.
    const std::vector<KernelLaunch> byStart = launches.vec();
    std::vector<KernelLaunch> &all = profile_.gpus[gpu].launches;
    const size_t first = launches.data() - all.data();
    for (size_t k = 0; k < sites.size(); ++k) {
      for (int64_t run = 0; run < *runs; ++run)
        all[first + k * *runs + run] = byStart[run * sites.size() + k];
      KernelGroup part = groups_[i];
      part.launches = launches.slice(k * *runs, *runs);
      ofOp_[{module, sites[k].computation, sites[k].instruction}].push_back(
          groups_.size());
      groups_.push_back(part);
    }
  }

  std::optional<Owner> ownerOf(const KernelKind &kind,
                               std::optional<size_t> module) {
    OpFinder *finder = module ? finderOf(*module) : nullptr;
    if (!finder) return std::nullopt;
    const auto site = finder->find(kind, [&](const KernelSite &at) {
      return launchOf_(*joined_.modules[*module].of.module, at);
    });
    if (!site) return std::nullopt;
    return Owner{*module, site->computation, site->instruction};
  }

  Unattributed reasonOf(const KernelKind &kind, std::optional<size_t> module) {
    OpFinder *finder = module ? finderOf(*module) : nullptr;
    if (kind.inGraph || StringRef(kind.op).starts_with("command_buffer") ||
        (finder && finder->isBuffer(kind.op)))
      return Unattributed::CommandBuffer;
    if (kind.op.empty()) return Unattributed::NoOp;
    if (!finder) return Unattributed::NoModule;
    return Unattributed::NoInstruction;
  }

  //===-- Times -----------------------------------------------------------===//

  /// How often each group runs in a launch of the op on its GPU.
  std::vector<int64_t> runsALaunch(const std::vector<size_t> &groups) {
    std::map<size_t, int64_t> least;
    auto countOf = [&](size_t i) {
      return timesOf(profile_, groups_[i]).count;
    };
    std::vector<int64_t> counts;
    for (const size_t i : groups) {
      counts.push_back(countOf(i));
      auto [at, isNew] = least.try_emplace(groups_[i].gpu, counts.back());
      if (!isNew) at->second = std::min(at->second, counts.back());
    }
    std::vector<int64_t> runs;
    for (size_t k = 0; k < groups.size(); ++k)
      runs.push_back(std::max<int64_t>(
          std::llround(static_cast<double>(counts[k]) /
                       static_cast<double>(std::max<int64_t>(
                           least[groups_[groups[k]].gpu], 1))),
          1));
    return runs;
  }

  void addToGpu(const KernelGroup &group, const KernelTimes &times) {
    GpuTimes &gpu = joined_.gpus[gpuAt_[group.gpu]];
    gpu.kernels = sumOfTimes(gpu.kernels, times.count);
    gpu.kernelTime = sumOfTimes(gpu.kernelTime, times.total);
  }

  void makeOps() {
    for (auto &[owner, groups] : ofOp_) {
      MeasuredOp op;
      op.module = owner.module;
      op.computation = owner.computation;
      op.instruction = owner.instruction;
      // Two kinds of one kernel differ only in details that do not matter here.
      std::map<std::pair<StringRef, StringRef>, std::vector<size_t>> kernels;
      std::vector<int64_t> left(groups.size());
      if (choice_.first > 0) {
        const auto runs = runsALaunch(groups);
        for (size_t k = 0; k < groups.size(); ++k)
          left[k] = choice_.first > INT64_MAX / runs[k]
                        ? INT64_MAX
                        : choice_.first * runs[k];
      }
      for (size_t k = 0; k < groups.size(); ++k)
        kernels[{kindOf(groups_[groups[k]]).name,
                 kindOf(groups_[groups[k]]).details}]
            .push_back(k);
      std::vector<int64_t> countsOfAll;
      for (const auto &[key, numbers] : kernels) {
        std::vector<KernelGroup> of;
        std::vector<int64_t> out;
        for (const size_t k : numbers) {
          of.push_back(groups_[groups[k]]);
          out.push_back(left[k]);
          addToGpu(of.back(), timesOf(profile_, of.back(), out.back()));
        }
        DeviceKernel kernel{key.first, launchDetailsOf(key.second),
                            timesOf(profile_, of, out)};
        const KernelTimes all = timesOf(profile_, of);
        countsOfAll.push_back(all.count);
        joined_.leftOut =
            sumOfTimes(joined_.leftOut, all.total - kernel.times.total);
        if (kernel.times.count > 0) op.kernels.push_back(std::move(kernel));
      }
      op.launchesOfAll = *llvm::min_element(countsOfAll);
      // A module of a file has the program number of its launches.
      ProfiledModule &of = joined_.modules[owner.module].of;
      if (!of.embedded && !of.program)
        of.program = kindOf(groups_[groups.front()]).program;
      if (op.kernels.empty()) continue;
      sumUp(op);
      joined_.total = sumOfTimes(joined_.total, op.total);
      ModuleTimes &module = joined_.modules[op.module];
      module.kernelTime = sumOfTimes(module.kernelTime, op.total);
      joined_.ops.push_back(std::move(op));
    }
  }

  static void sumUp(MeasuredOp &op) {
    op.launches = INT64_MAX;
    for (const DeviceKernel &kernel : op.kernels) {
      op.launches = std::min(op.launches, kernel.times.count);
      op.total = sumOfTimes(op.total, kernel.times.total);
    }
    op.median = op.least = op.most = 0;
    for (const DeviceKernel &kernel : op.kernels) {
      const KernelTimes &times = kernel.times;
      if (!times.median) {
        op.median = op.least = op.most = std::nullopt;
        break;
      }
      const double runs = std::round(static_cast<double>(times.count) /
                                     static_cast<double>(op.launches));
      *op.median += *times.median * runs;
      *op.least += static_cast<double>(*times.least) * runs;
      *op.most += static_cast<double>(*times.most) * runs;
    }
    sortByTotal(op.kernels, [](const DeviceKernel &kernel) {
      return std::tuple(kernel.name, kernel.details.grid, kernel.details.block);
    });
  }

  void makeUnattributed() {
    for (const auto &[key, numbers] : ofNone_) {
      std::vector<KernelGroup> groups;
      for (const size_t i : numbers) {
        groups.push_back(groups_[i]);
        const KernelTimes times = timesOf(profile_, groups_[i]);
        addToGpu(groups_[i], times);
        int64_t &sum = joined_.gpus[gpuAt_[groups_[i].gpu]].unattributed;
        sum = sumOfTimes(sum, times.total);
      }
      joined_.unattributed.push_back(
          {key.first, key.second, timesOf(profile_, groups)});
      joined_.total =
          sumOfTimes(joined_.total, joined_.unattributed.back().times.total);
    }
    sortByTotal(joined_.unattributed, [](const UnattributedKernel &kernel) {
      return std::pair(kernel.name, kernel.reason);
    });
  }

  //===-- Executions ------------------------------------------------------===//

  void countExecutions() {
    // The host states only the name, so it counts if only one module has it.
    std::map<StringRef, std::set<std::optional<int64_t>>> named;
    std::map<size_t, std::set<size_t>> gpusOf;
    std::map<size_t, std::set<size_t>> takenOf;
    for (const KernelGroup &group : groups_) {
      const KernelKind &kind = kindOf(group);
      const auto module = moduleOf(kind);
      if (!module) continue;
      named[joined_.modules[*module].of.name].insert(
          kind.program ? kind.program : joined_.modules[*module].of.program);
      gpusOf[*module].insert(group.gpu);
      if (isTaken(profile_.gpus[group.gpu])) takenOf[*module].insert(group.gpu);
    }
    for (size_t m = 0; m < joined_.modules.size(); ++m) {
      if (takenOf[m].empty()) continue;
      ModuleTimes &module = joined_.modules[m];
      const int64_t all = gpusOf[m].size(), taken = takenOf[m].size();
      if (named[module.of.name].size() == 1)
        for (const HostRuns &runs : profile_.runs)
          if (runs.module == module.of.name && runs.count % all == 0)
            module.executions = runs.count / all * taken;
      if (!module.executions) module.executions = leastOutsideLoops(m);
    }
  }

  std::optional<int64_t> leastOutsideLoops(size_t m) {
    OpFinder *finder = finderOf(m);
    if (!finder) return std::nullopt;
    std::optional<int64_t> least;
    for (const MeasuredOp &op : joined_.ops) {
      if (op.module != m || !finder->runsOnce(op.computation, op.instruction))
        continue;
      least = std::min(least.value_or(INT64_MAX), op.launchesOfAll);
    }
    return least;
  }

  Profile &profile_;
  const JoinChoice &choice_;
  const LaunchOf launchOf_;
  JoinedProfile joined_;
  std::vector<KernelGroup> groups_;
  std::map<size_t, size_t> gpuAt_;
  std::vector<std::optional<OpFinder>> finders_;
  std::map<std::pair<std::optional<int64_t>, StringRef>, std::optional<size_t>>
      moduleOf_;
  OpsOfGroups ofOp_;
  std::map<std::pair<StringRef, Unattributed>, std::vector<size_t>> ofNone_;
};

}  // namespace

JoinedProfile join(Profile &profile, std::vector<ProfiledModule> modules,
                   const JoinChoice &choice, LaunchOf launchOf) {
  return Join(profile, std::move(modules), choice, launchOf).run();
}

std::vector<bool> ranOf(const Profile &profile,
                        llvm::ArrayRef<ProfiledModule> modules) {
  std::set<std::pair<std::optional<int64_t>, StringRef>> seen;
  for (const ProfiledGpu &gpu : profile.gpus)
    for (const KernelKind &kind : gpu.kinds)
      seen.insert({kind.program, kind.module});
  std::vector<bool> ran;
  for (const ProfiledModule &module : modules)
    ran.push_back(llvm::any_of(seen, [&](const auto &of) {
      KernelKind kind;
      kind.program = of.first;
      kind.module = of.second;
      return canBeOf(kind, module);
    }));
  return ran;
}

}  // namespace indexical
