#include "indexical/import/hlo/resolver.h"

#include <string>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include "indexical/import/hlo/attributes.h"
#include "indexical/import/hlo/call_graph.h"
#include "indexical/import/hlo/computation_resolver.h"
#include "indexical/import/hlo/cut_text.h"
#include "indexical/import/hlo/resolve_in_pieces.h"
#include "indexical/import/hlo/stack_tables.h"
#include "indexical/import/hlo/token_operands.h"

namespace indexical {
namespace {

class ModuleResolver {
 public:
  ModuleResolver(Source &source, ModuleSyntax &syntax,
                 const HloOptions &options, Program &program)
      : source_(source),
        syntax_(syntax),
        options_(options),
        program_(program),
        module_(program.modules.emplace_back()) {}

  bool resolve();
  bool resolveTogether(Crew &crew);

 private:
  bool declare();
  bool takeCount(llvm::StringRef text, int64_t &count);
  bool nameComputations();
  llvm::StringRef inlineName(const ComputationSyntax &computation);
  bool findCalls(Source &source, int32_t computation, int32_t begin,
                 int32_t end);
  bool findCall(Source &source, Instruction &instruction,
                llvm::StringRef opcode, CallRole role,
                const AttributeSyntax &attribute);
  bool undefined(Source &source, const CalledComputation &called,
                 llvm::StringRef opcode, Place place);
  bool findEntry();

  Source &source_;
  ModuleSyntax &syntax_;
  const HloOptions &options_;
  Program &program_;
  Module &module_;
  llvm::DenseMap<llvm::StringRef, int32_t> computations_;
  /// Names that are not defined and that a note was made of: of one that does
  /// not matter, and of one that does.
  llvm::DenseSet<llvm::StringRef> noted_[2];
  llvm::StringMap<int> inlineNumbers_;
  bool isTogether_ = false;
};

struct CallAttribute {
  llvm::StringLiteral key;
  CallRole role;
};
constexpr CallAttribute kCallAttributes[] = {
    {"to_apply", CallRole::ToApply},
    {"calls", CallRole::Calls},
    {"condition", CallRole::Condition},
    {"body", CallRole::Body},
    {"true_computation", CallRole::Branch},
    {"false_computation", CallRole::Branch},
    {"branch_computations", CallRole::Branch},
    {"select", CallRole::Other},
    {"scatter", CallRole::Other},
    {"called_computations", CallRole::Other},
};

bool ModuleResolver::takeCount(llvm::StringRef text, int64_t &count) {
  if (text.empty()) return true;
  if (!text.getAsInteger(10, count) && count > 0) return true;
  return source_.fail(text, "`" + text + "` is not a number of devices");
}

bool ModuleResolver::declare() {
  passTokensBy(syntax_, program_.keptStrings);
  module_.name = syntax_.name;
  module_.text = syntax_.text;
  module_.hasHeader = syntax_.hasHeader;
  module_.isScheduled = syntax_.isScheduled.trim() == "true";
  module_.keepsOrder = module_.isScheduled;
  return takeCount(syntax_.replicaCount, module_.replicaCount) &&
         takeCount(syntax_.numPartitions, module_.partitionCount) &&
         nameComputations();
}

bool ModuleResolver::resolve() {
  if (!declare()) return false;
  ResolverState state;
  for (ComputationSyntax &computation : syntax_.computations)
    if (!fillCut(source_, computation, state.shapes)) return false;
  for (size_t c = 0; c < module_.computations.size(); ++c) {
    const size_t count = syntax_.computations[c].instructions.size();
    module_.computations[c].instructions.resize(count);
    if (!findCalls(source_, c, 0, count)) return false;
  }
  std::vector<int32_t> order;
  if (!orderByCalls(source_, module_, order)) return false;
  const FrameNumbers frames(source_, syntax_.tables, program_, module_);
  state.customCalls = options_.customCalls;
  state.frames = &frames;
  state.added = &module_.frames;
  for (int32_t c : order)
    if (!ComputationResolver(program_, module_, module_.computations[c],
                             syntax_.computations[c])
             .resolve(source_, state))
      return false;
  addNotes(state.unknownOpcodes, program_);
  return findEntry();
}

bool ModuleResolver::resolveTogether(Crew &crew) {
  isTogether_ = true;
  if (!declare()) return false;
  auto callsOf = [&](Source &source, const InstructionRange &range) {
    return findCalls(source, range.computation, range.begin, range.end);
  };
  return resolveInPieces({source_, program_, module_, syntax_, options_, crew},
                         callsOf) &&
         findEntry();
}

bool ModuleResolver::nameComputations() {
  auto &computations = module_.computations;
  computations.resize(syntax_.computations.size());
  computations_.reserve(computations.size());
  for (size_t c = 0; c < computations.size(); ++c) {
    const ComputationSyntax &syntax = syntax_.computations[c];
    computations[c].name = syntax.name;
    computations[c].place = syntax.place;
    computations[c].entry = syntax.entry;
    if (!syntax.name.empty() &&
        !computations_.try_emplace(syntax.name, c).second)
      return source_.fail(syntax.place,
                          "computation `" + syntax.name + "` is defined twice");
  }
  for (size_t c = 0; c < computations.size(); ++c) {
    if (!computations[c].name.empty()) continue;
    computations[c].name = inlineName(syntax_.computations[c]);
    computations_.try_emplace(computations[c].name, c);
  }
  return true;
}

// A name that no other computation has: `call.1.to_apply`.
llvm::StringRef ModuleResolver::inlineName(
    const ComputationSyntax &computation) {
  std::string base = (computation.ownerName + "." + computation.ownerKey).str();
  std::string name = base;
  int &number = inlineNumbers_[base];
  while (computations_.contains(name))
    name = base + "." + std::to_string(++number);
  return program_.keptStrings.emplace_back(std::move(name));
}

bool ModuleResolver::findCalls(Source &source, int32_t c, int32_t begin,
                               int32_t end) {
  const ComputationSyntax &syntax = syntax_.computations[c];
  std::vector<Instruction> &instructions = module_.computations[c].instructions;
  for (int32_t i = begin; i < end; ++i) {
    const llvm::StringRef opcode = syntax.instructions[i].opcode;
    instructions[i].place = syntax.instructions[i].place;
    // conditional's false branch may be written first.
    const AttributeSyntax *falseBranch = nullptr;
    for (const AttributeSyntax &a :
         syntax.attributesOf(syntax.instructions[i])) {
      for (const CallAttribute &call : kCallAttributes) {
        if (a.key != call.key) continue;
        if (a.key == "false_computation") {
          falseBranch = &a;
        } else if (!findCall(source, instructions[i], opcode, call.role, a)) {
          return false;
        }
      }
    }
    if (falseBranch && !findCall(source, instructions[i], opcode,
                                 CallRole::Branch, *falseBranch))
      return false;
  }
  return true;
}

bool ModuleResolver::findCall(Source &source, Instruction &instruction,
                              llvm::StringRef opcode, CallRole role,
                              const AttributeSyntax &attribute) {
  if (attribute.computation >= 0) {
    instruction.called.push_back(
        {role,
         module_.computations[attribute.computation].name,
         ComputationId(attribute.computation),
         {}});
    return true;
  }
  llvm::SmallVector<llvm::StringRef, 4> names;
  if (!parseNames(source, attribute.value, names)) return false;
  for (llvm::StringRef name : names) {
    auto found = computations_.find(name);
    CalledComputation called{role, name, {}, {}};
    if (found != computations_.end())
      called.computation = ComputationId(found->second);
    else if (!undefined(source, called, opcode, instruction.place))
      return false;
    instruction.called.push_back(called);
  }
  return true;
}

// An error in a module; a snippet may name computations of a larger whole.
bool ModuleResolver::undefined(Source &source, const CalledComputation &called,
                               llvm::StringRef opcode, Place place) {
  if (isTogether_) return false;
  llvm::StringRef name = called.name;
  if (module_.hasHeader && syntax_.cut.empty()) {
    llvm::SmallVector<llvm::StringRef, 16> names;
    for (const Computation &computation : module_.computations)
      names.push_back(computation.name);
    return source.fail(name, "computation `" + name + "` is not defined",
                       nearest(name, names));
  }
  // Reducers, comparators and the like are not looked into.
  bool matters =
      called.role == CallRole::ToApply
          ? opcode == "call" || opcode == "scatter"
          : called.role != CallRole::Other && opcode != "custom-call";
  if (noted_[matters].insert(name).second)
    program_.notes.push_back(
        {Note::Kind::Note, place,
         ("computation `" + name + "` is not in this snippet: the maps of `" +
          opcode + (matters ? "` are covers" : "` do not depend on it"))
             .str()});
  return true;
}

bool ModuleResolver::findEntry() {
  for (size_t c = 0; c < module_.computations.size(); ++c) {
    Computation &computation = module_.computations[c];
    if (!computation.entry) continue;
    if (module_.entry >= 0)
      return source_.fail(computation.place, "a module has one ENTRY");
    module_.entry = ComputationId(c);
  }
  // Without ENTRY the last one; those in attributes stand before their users.
  if (module_.entry < 0) {
    module_.entry = ComputationId(module_.computations.size() - 1);
    Computation &last = module_.computations.back();
    last.entry = true;
    // What a compiler scheduled has one.
    if (module_.isScheduled)
      program_.notes.push_back(
          {Note::Kind::Warning, last.place,
           ("the module has no ENTRY, which may have been cut off: its last "
            "computation, `" +
            last.name + "`, is taken for it")
               .str()});
  }
  return true;
}

}  // namespace

bool resolveModule(Source &source, ModuleSyntax &syntax,
                   const HloOptions &options, Program &program) {
  return ModuleResolver(source, syntax, options, program).resolve();
}

bool resolveModuleTogether(Source &source, ModuleSyntax &syntax,
                           const HloOptions &options, Program &program,
                           Crew &crew) {
  return ModuleResolver(source, syntax, options, program).resolveTogether(crew);
}

}  // namespace indexical
