// The control of a program of all devices: calls, loops, branches.
#include "indexical/same/partitioned/stacker.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/op_identity.h"
#include "indexical/program/values/term_ops.h"

namespace indexical {
namespace {

using llvm::StringRef;

constexpr int kDeepest = 64;

bool hasOpenShape(const Instruction &of) {
  for (const ArrayShape &shape : of.shape.leaves())
    if (shape.type == ElementType::Unknown || shape.hasUnknownSize() ||
        shape.dynamic.any())
      return true;
  return false;
}

}  // namespace

bool isTransfer(const Instruction &of) {
  return of.customCallTarget == "Sharding" ||
         of.customCallTarget == "MoveToHost" ||
         of.customCallTarget == "MoveToDevice" ||
         of.customCallTarget == "annotate_device_placement";
}

bool hasManualParts(const Module &module) {
  for (const Computation &computation : module.computations)
    for (const Instruction &of : computation.instructions)
      if (of.customCallTarget == "SPMDFullToShardShape" ||
          of.customCallTarget == "SPMDShardToFullShape" ||
          of.opcode == "sdy.manual_computation")
        return true;
  return false;
}

StackedLeaves Stacker::computation(
    ComputationId c, const std::vector<StackedLeaves> &arguments) {
  // Writing adds computations, which moves the others.
  const size_t count = module_.computations[c].instructions.size();
  const InstructionOrder order = module_.computations[c].postOrder();
  std::vector<StackedLeaves> done(count);
  ++depth_;
  auto note = [&](InstructionId i) {
    for (const Stacked &value : done[i])
      if (loops_ == 0 && value.isKnown()) values_.push_back({c, i, value});
  };
  for (InstructionId i : order) {
    const Instruction of = module_.computations[c].instructions[i];
    if (of.parameterNumber >= 0) {
      if (of.parameterNumber < static_cast<int32_t>(arguments.size()))
        done[i] = arguments[of.parameterNumber];
      note(i);
      continue;
    }
    Site site{c, i, of, {}};
    for (const OperandLeaf &leaf : module_.computations[c].operandLeaves(i)) {
      const bool isKnown =
          leaf.instruction >= 0 &&
          leaf.result < static_cast<int64_t>(done[leaf.instruction].size());
      site.operands.push_back(isKnown ? done[leaf.instruction][leaf.result]
                                      : Stacked());
    }
    done[i] = instruction(site);
    note(i);
  }
  --depth_;
  return done[module_.computations[c].root];
}

StackedLeaves Stacker::open(const Site &site, std::string reason) {
  causes_.push_back({site.computation, site.instruction, std::move(reason)});
  StackedLeaves leaves;
  for (const ArrayShape &shape : site.of.shape.leaves())
    leaves.push_back(hasOpenShape(site.of) ? Stacked()
                                           : writer_.unknown(shape, true));
  return leaves;
}

StackedLeaves Stacker::instruction(Site &site) {
  if (hasOpenShape(site.of)) return open(site, "a size is not known");
  for (const Stacked &operand : site.operands)
    if (!operand.isKnown()) return open(site, "an operand is not known");
  reason_.clear();
  auto leaves = followed(site);
  if (!leaves)
    return open(site, reason_.empty() ? "it is not followed" : reason_);
  if (collectiveOf(site.of.op) && loops_ == 0)
    for (const Stacked &value : *leaves)
      collectives_.push_back({site.computation, site.instruction, value});
  return *std::move(leaves);
}

std::optional<StackedLeaves> Stacker::followed(Site &site) {
  const Instruction &of = site.of;
  const Op &op = of.op;
  if (isTransfer(of) && site.operands.size() == 1) return site.operands;
  if (const auto known = known_.find({site.computation, site.instruction});
      known != known_.end())
    if (const auto value = known->second(site.operands))
      return StackedLeaves{*value};
  if (of.customCallTarget == "SPMDFullToShardShape" ||
      of.customCallTarget == "SPMDShardToFullShape")
    return shapeChange(site);
  if (of.opcode == "sdy.manual_computation") return manualComputation(site);
  if (op.is<WhileOp>()) return loop(site);
  if (op.is<ConditionalOp>()) return branch(site);
  if (op.is<CallOp>()) {
    if (!isInlined(op)) return fail("it says more than what it calls");
    for (const CalledComputation &callee : of.called)
      if (callee.role == CallRole::Calls || callee.role == CallRole::ToApply)
        return called(site, callee);
    return fail("what it calls is not known");
  }
  if (collectiveOf(op)) return collective(site, op);
  if (const auto *start = op.as<StartOp>()) {
    std::optional<StackedLeaves> inner;
    if (start->inner.is<CallOp>() && of.called.size() == 1)
      inner = called(site, of.called[0]);
    else if (start->inner.isOneOf<CallOp, NullaryOp>())
      return fail("what it starts is not followed");
    else
      inner = leafOp(site, start->inner);
    if (!inner) return std::nullopt;
    StackedLeaves leaves;
    for (int64_t k = 0; k < start->forwards; ++k)
      leaves.push_back(site.operands[k]);
    leaves.append(inner->begin(), inner->end());
    const ShapeList &results = of.shape.leaves();
    while (leaves.size() < results.size())
      leaves.push_back(writer_.unknown(results[leaves.size()], true));
    return leaves;
  }
  return leafOp(site, op);
}

std::optional<StackedLeaves> Stacker::called(const Site &site,
                                             const CalledComputation &callee) {
  if (callee.computation < 0) return fail("what it calls is not in the file");
  if (depth_ > kDeepest) return fail("calls are nested too deep");
  std::vector<StackedLeaves> operands(site.of.operands.size()), arguments;
  const auto leaves =
      module_.computations[site.computation].operandLeaves(site.instruction);
  for (auto [k, leaf] : llvm::enumerate(leaves))
    operands[leaf.operand].push_back(site.operands[k]);
  if (callee.arguments.empty()) arguments = std::move(operands);
  for (int32_t argument : callee.arguments)
    arguments.push_back(operands[argument]);
  return computation(callee.computation, arguments);
}

/// The computation becomes one of the arrays of the state, each with or without
/// devices, as often as the body makes one of devices out of one without.
std::optional<StackedLeaves> Stacker::loop(const Site &site) {
  const auto condition = calleeOf(site.of, CallRole::Condition);
  const auto body = calleeOf(site.of, CallRole::Body);
  const size_t count = site.of.shape.leaves().size();
  if (!condition || !body || site.operands.size() != count ||
      module_.computations[body->computation].captured > 0 ||
      module_.computations[condition->computation].captured > 0)
    return fail("the loop is not followed");
  const ComputationId bodyOf = body->computation,
                      conditionOf = condition->computation;
  if (depth_ > kDeepest) return fail("calls are nested too deep");
  llvm::SmallVector<Stacked, 8> state(site.operands.begin(),
                                      site.operands.end());
  // Parameters are tuples in HLO, and one for each array in MLIR.
  auto argumentsOf = [&](ComputationId c, llvm::ArrayRef<Stacked> leaves) {
    std::vector<StackedLeaves> arguments;
    size_t next = 0;
    for (InstructionId p : module_.computations[c].parameters) {
      arguments.emplace_back();
      const size_t own =
          module_.computations[c].instructions[p].shape.leaves().size();
      for (size_t k = 0; k < own && next < leaves.size(); ++k)
        arguments.back().push_back(leaves[next++]);
    }
    return arguments;
  };
  auto write = [&](ComputationId c, StackedLeaves &results) {
    const ComputationId made = writer_.begin();
    llvm::SmallVector<Stacked, 8> parameters;
    for (auto [k, each] : llvm::enumerate(state))
      parameters.push_back(
          writer_.parameter(k, {each.shape}, each.isOfDevice)[0]);
    ++loops_;
    results = computation(c, argumentsOf(c, parameters));
    --loops_;
    return made;
  };
  const size_t causes = causes_.size();
  StackedLeaves results;
  ComputationId written[2];
  for (bool changes = true; changes;) {
    changes = false;
    causes_.resize(causes);
    written[1] = write(bodyOf, results);
    bool isWhole = results.size() == count;
    for (size_t k = 0; isWhole && k < count; ++k) {
      if (!results[k].isKnown()) isWhole = false;
      if (state[k].isOfDevice || !results[k].isOfDevice) continue;
      state[k] = Stacked(state[k]);
      changes = true;
    }
    if (!isWhole) {
      writer_.end({});
      return fail("the loop's body is not followed");
    }
    for (size_t k = 0; k < count; ++k)
      if (state[k].isOfDevice) results[k] = writer_.onDevices(results[k]);
    writer_.end(results);
    if (!changes) break;
    for (size_t k = 0; k < count; ++k)
      if (results[k].isOfDevice) state[k] = writer_.onDevices(state[k]);
  }
  written[0] = write(conditionOf, results);
  const bool isOne =
      results.size() == 1 && results[0].isKnown() && !results[0].isOfDevice;
  writer_.end(results.empty() || !results[0].isKnown()
                  ? llvm::ArrayRef<Stacked>()
                  : llvm::ArrayRef<Stacked>(results));
  if (!isOne) return fail("devices may make different numbers of trips");
  WhileOp op;
  CalledComputation called[2];
  called[0].role = CallRole::Condition;
  called[1].role = CallRole::Body;
  for (int k : {0, 1}) {
    called[k].computation = written[k];
    for (size_t p = 0; p < count; ++p) called[k].arguments.push_back(p);
  }
  for (const Stacked &each : state) {
    op.operands.push_back(each.shape);
    op.results.push_back(each.shape);
  }
  StackedLeaves leaves = writer_.add(Op(op), state, false, called, &site.of);
  for (size_t k = 0; k < count; ++k) leaves[k].isOfDevice = state[k].isOfDevice;
  return leaves;
}

ComputationsWith Stacker::computationsThatMeet(const Module &module) {
  return ComputationsWith(module, [](const Instruction &each) {
    return collectiveOf(each.op) || hasEffects(each.op) ||
           each.op.is<StartOp>() ||
           llvm::any_of(each.called, [](const CalledComputation &called) {
             return called.computation < 0;
           });
  });
}

/// Each branch is computed, and the choice selects. What a branch that does not
/// run would compute does not count, for it has no effects.
std::optional<StackedLeaves> Stacker::branch(const Site &site) {
  const Stacked choice = site.operands[0];
  std::vector<StackedLeaves> results;
  for (const CalledComputation &callee : site.of.called) {
    if (callee.role != CallRole::Branch || callee.computation < 0 ||
        callee.arguments.empty() ||
        module_.computations[callee.computation].captured > 0)
      return fail("the branch is not followed");
    if (meets_.has(callee.computation))
      return fail("only some devices may take part in its collectives");
    auto leaves = called(site, callee);
    if (!leaves) return std::nullopt;
    results.push_back(*std::move(leaves));
  }
  const ElementType type = choice.shape.type;
  if (results.empty() || (type == ElementType::Pred ? results.size() != 2
                                                    : type != ElementType::S32))
    return fail("the branch is not followed");
  StackedLeaves leaves = results.back();
  for (size_t b = results.size() - 1; b-- > 0;) {
    Stacked isTaken = choice;
    if (type != ElementType::Pred) {
      Stacked number = writer_.integers(type, {}, {static_cast<int64_t>(b)});
      if (choice.isOfDevice) number = writer_.onDevices(number);
      isTaken = writer_.compare("EQ", choice, number);
    }
    if (results[b].size() != leaves.size())
      return fail("the branch is not followed");
    for (size_t k = 0; k < leaves.size(); ++k) {
      Stacked yes = results[b][k], no = leaves[k], which = isTaken;
      if (!yes.isKnown() || !no.isKnown())
        return fail("the branch is not followed");
      if (which.isOfDevice || yes.isOfDevice || no.isOfDevice) {
        yes = writer_.onDevices(yes);
        no = writer_.onDevices(no);
        which = writer_.onDevices(which);
      }
      if (which.shape.rank() != yes.shape.rank())
        which = writer_.broadcast(which, yes.shape.dimensions,
                                  which.isOfDevice ? Int64s{0} : Int64s{});
      leaves[k] = writer_.elementwise(kindOf<ElementwiseOp>("select"),
                                      {which, yes, no}, yes.shape.type);
    }
  }
  return leaves;
}

}  // namespace indexical
