#include "indexical/cost/profile/op_finder.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/cost/profile/joined_profile.h"
#include "indexical/import/profile/launch_details.h"
#include "indexical/ops/op.h"

namespace indexical {

using llvm::StringRef;

namespace {

constexpr StringRef kBuffer = "command_buffer";

/// By their texts: a layout is a part of a kernel.
bool areSame(const ShapeList &a, const ShapeList &b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i].str(/*withLayout=*/true) != b[i].str(/*withLayout=*/true))
      return false;
  return true;
}

/// Whether the computation is a command buffer.
bool isBufferOf(const Computation &computation) {
  return computation.name.starts_with(kBuffer);
}

/// Whether one may run the kernel of the other: the same op on the same shapes.
bool mayShareKernel(const Instruction &a, const Instruction &b) {
  const OpShapes &x = shapesOf(a.op), &y = shapesOf(b.op);
  return a.opcode == b.opcode && a.fusionKind == b.fusionKind &&
         a.customCallTarget == b.customCallTarget &&
         areSame(x.operands, y.operands) && areSame(x.results, y.results);
}

}  // namespace

std::string kernelNameOf(StringRef instruction) {
  std::string name;
  for (const char c : instruction)
    name += llvm::isAlnum(c) || c == '_' || c == '$' ? c : '_';
  if (!name.empty() && llvm::isDigit(name.front())) name.insert(0, "_");
  return name;
}

StringRef plainKernelName(StringRef name) {
  if (!name.consume_back(".kd")) name.consume_back(" [clone .kd]");
  return name;
}

OpFinder::OpFinder(const Module &module) : module_(module) {
  std::set<std::pair<ComputationId, InstructionId>> seen;
  ofComputation_.resize(module.computations.size());
  for (const KernelSite &site : kernelSites(module)) {
    // A computation that is called twice is there twice.
    if (!seen.insert({site.computation, site.instruction}).second) continue;
    ofComputation_[site.computation].push_back(sites_.size());
    byName_.try_emplace(at(site).name, sites_.size());
    all_.push_back(sites_.size());
    sites_.push_back(site);
  }
  for (size_t c = 0; c < module.computations.size(); ++c) {
    if (isBufferOf(module.computations[c]))
      addAllOf(ComputationId(c), inBuffers_);
    const auto &instructions = module.computations[c].instructions;
    for (size_t i = 0; i < instructions.size(); ++i)
      if (!instructions[i].called.empty() &&
          !seen.count({ComputationId(c), InstructionId(i)}))
        addWrapper(instructions[i]);
  }
  // A kernel that wraps another computation goes by both names.
  for (size_t s = 0; s < sites_.size(); ++s)
    if (StringRef(at(sites_[s]).opcode).contains("-start"))
      for (const CalledComputation &called : at(sites_[s]).called)
        if (called.computation >= 0 && called.role != CallRole::Other)
          for (const Instruction &inner :
               module.computations[called.computation].instructions)
            if (inner.parameterNumber < 0) byName_.try_emplace(inner.name, s);
}

void OpFinder::addWrapper(const Instruction &instruction) {
  std::vector<size_t> sites;
  for (const CalledComputation &called : instruction.called) {
    if (called.computation < 0 || called.role == CallRole::Other) continue;
    if (!isBufferOf(module_.computations[called.computation])) {
      llvm::append_range(sites, ofComputation_[called.computation]);
      continue;
    }
    addAllOf(called.computation, sites);
    buffers_.insert(instruction.name);
  }
  if (!sites.empty()) inside_.try_emplace(instruction.name, std::move(sites));
}

void OpFinder::addAllOf(ComputationId computation,
                        std::vector<size_t> &sites) const {
  std::set<ComputationId> seen;
  std::vector<ComputationId> open{computation};
  while (!open.empty()) {
    const ComputationId c = open.back();
    open.pop_back();
    if (!seen.insert(c).second) continue;
    for (const size_t s : ofComputation_[c])
      if (!llvm::is_contained(sites, s)) sites.push_back(s);
    for (const Instruction &instruction : module_.computations[c].instructions)
      for (const CalledComputation &called : instruction.called)
        if (called.computation >= 0 && called.role != CallRole::Other)
          open.push_back(called.computation);
  }
}

bool OpFinder::knows(StringRef op) const {
  return byName_.count(op) || inside_.count(op);
}

bool OpFinder::isBuffer(StringRef op) const {
  return buffers_.contains(op) && inside_.contains(op);
}

bool OpFinder::runsOnce(ComputationId computation,
                        InstructionId instruction) const {
  if (module_.entry >= 0 && computation == module_.entry) return true;
  for (const size_t s : ofComputation_[computation])
    if (sites_[s].instruction == instruction)
      return isBufferOf(module_.computations[computation]) &&
             sites_[s].trips == 1 && sites_[s].tripsKnown;
  return false;
}

std::optional<KernelSite> OpFinder::find(const KernelKind &kind,
                                         GridOf gridOf) const {
  if (!kind.op.empty()) {
    if (const auto named = byName_.find(kind.op); named != byName_.end())
      return sites_[named->second];
    if (const auto inside = inside_.find(kind.op); inside != inside_.end()) {
      if (isBuffer(kind.op)) return inBuffer(inside->second, kind, gridOf);
      // The copies that a loop itself makes are none of the kernels in it.
      if (inside->second.size() == 1 &&
          kernelNameOf(at(sites_[inside->second.front()]).name) ==
              plainKernelName(kind.name))
        return sites_[inside->second.front()];
      return std::nullopt;
    }
    if (!kind.op.starts_with(kBuffer)) return std::nullopt;
  } else if (inBuffers_.empty() && !kind.inGraph) {
    // Copies of the runtime name nothing.
    return std::nullopt;
  }
  // Kernels of a buffer name the buffer, or nothing. Kernels outside of buffers
  // name their instruction.
  return inBuffer(inBuffers_.empty() ? all_ : inBuffers_, kind, gridOf);
}

llvm::ArrayRef<size_t> OpFinder::bufferOf(const KernelKind &kind) const {
  const auto inside = inside_.find(kind.op);
  if (inside != inside_.end() && isBuffer(kind.op)) return inside->second;
  return inBuffers_;
}

bool OpFinder::isLaunchedSo(size_t site, const KernelKind &kind,
                            GridOf gridOf) const {
  const LaunchDetails details = launchDetailsOf(kind.details);
  const auto grid = gridOf(sites_[site]);
  if (!grid || !details.grid || !details.block) return true;
  return grid->blocks == *details.grid && grid->threads == *details.block;
}

std::optional<KernelSite> OpFinder::inBuffer(llvm::ArrayRef<size_t> sites,
                                             const KernelKind &kind,
                                             GridOf gridOf) const {
  std::optional<size_t> found;
  for (const size_t s : sites) {
    if (kernelNameOf(at(sites_[s]).name) != plainKernelName(kind.name) ||
        !isLaunchedSo(s, kind, gridOf))
      continue;
    if (found) return std::nullopt;
    found = s;
  }
  if (!found) return std::nullopt;
  for (const size_t s : sites)
    if (s != *found && mayShareKernel(at(sites_[*found]), at(sites_[s])))
      return std::nullopt;
  return sites_[*found];
}

/// Follows operands, in one computation.
bool OpFinder::dependsOn(size_t later, size_t earlier) const {
  if (sites_[later].computation != sites_[earlier].computation) return false;
  const auto &instructions =
      module_.computations[sites_[later].computation].instructions;
  std::vector<bool> seen(instructions.size(), false);
  std::vector<InstructionId> open{sites_[later].instruction};
  while (!open.empty()) {
    const InstructionId i = open.back();
    open.pop_back();
    if (i == sites_[earlier].instruction) return true;
    for (const InstructionId operand : instructions[i].operands)
      if (!seen[operand]) {
        seen[operand] = true;
        open.push_back(operand);
      }
  }
  return false;
}

std::vector<KernelSite> OpFinder::sharers(const KernelKind &kind,
                                          const llvm::StringSet<> &launched,
                                          GridOf gridOf) const {
  // Two buffers may run equal fusions, if the module does not say which do.
  if (inBuffers_.empty()) return {};
  const llvm::ArrayRef<size_t> sites = bufferOf(kind);
  auto nameOf = [&](size_t s) { return kernelNameOf(at(sites_[s]).name); };
  auto isOwner = [&](size_t s) {
    return nameOf(s) == plainKernelName(kind.name);
  };
  // If two instructions have the same kernel name, XLA gives the second's
  // kernel another one.
  std::map<std::string, int> named;
  for (const size_t s : sites) ++named[nameOf(s)];
  if (llvm::count_if(sites, isOwner) != 1) return {};
  const size_t owner = *llvm::find_if(sites, isOwner);
  std::vector<size_t> found;
  for (const size_t s : sites) {
    if (s != owner) {
      if (!mayShareKernel(at(sites_[owner]), at(sites_[s]))) continue;
      if (named[nameOf(s)] > 1) return {};
      if (launched.contains(nameOf(s))) continue;
      // It runs the kernel of another instruction, which is known if only one
      // is possible.
      for (const size_t other : sites)
        if (other != s && other != owner && launched.contains(nameOf(other)) &&
            mayShareKernel(at(sites_[other]), at(sites_[s])))
          return {};
    }
    if (!isLaunchedSo(s, kind, gridOf)) return {};
    if (!found.empty() && !dependsOn(s, found.back())) return {};
    found.push_back(s);
  }
  std::vector<KernelSite> inOrder;
  for (const size_t s : found) inOrder.push_back(sites_[s]);
  return inOrder;
}

}  // namespace indexical
