#include "indexical/answers/hazards/keys.h"

#include "indexical/answers/dump/keys.h"
#include "indexical/answers/maps/keys.h"

namespace indexical {
namespace {

void conditionsOf(const ModulePlace &of, KeyValue &to) {
  if (of.place.conditions.empty()) return;
  to.list(of.place.conditions, [](const HazardCondition &all, KeyValue &each) {
    each.list(all, [](const HazardConstraint &one, KeyValue &constraint) {
      constraint.object(ConstraintEntry{one.expression, one.bounds});
    });
  });
}

void runtimeOf(const ModulePlace &of, KeyValue &to) {
  if (of.place.conditions.empty()) return;
  to.list(of.place.runtime, [&](const HazardVariable &one, KeyValue &each) {
    each.object(HazardVariableEntry{*of.module, one});
  });
}

void countsOf(const HazardsEntry &of, KeyValue &to) {
  std::vector<llvm::StringRef> names;
  for (size_t k = 0; k < of.of.counts.size(); ++k)
    names.push_back(wordOf(HazardAnswer(k)));
  to.integersByName(names, of.of.counts);
}

/// The names and numbers of runtime variables.
void numbersOf(const HazardWitness &of, KeyValue &to) {
  if (of.runtime.empty()) return;
  std::vector<std::string> names;
  std::vector<int64_t> numbers;
  for (const auto &[name, number] : of.runtime) {
    names.push_back(name);
    numbers.push_back(number);
  }
  to.integersByName(names, numbers);
}

bool isSafe(HazardAnswer answer) {
  return answer == HazardAnswer::SafeInPlace ||
         answer == HazardAnswer::SafeIf || answer == HazardAnswer::NeedlessCopy;
}

}  // namespace

template <>
KeyList<HazardsEntry> keysOf<HazardsEntry>() {
  static constexpr Key<HazardsEntry> kKeys[] = {
      {kKeysOf, "[the head](#the-head)", "", "", nullptr},
      {"source", "[input](#the-input)", "never", "what was read",
       [](const HazardsEntry &of, KeyValue &to) {
         to.object(InputEntry{of.path, of.format});
       }},
      {"scheduled", "boolean", "never",
       "whether the modules have an order in which kernels run",
       [](const HazardsEntry &of, KeyValue &to) {
         to.boolean(of.of.isScheduled);
       }},
      {"counts", "integers by name", "never", "by answer: the number of places",
       countsOf},
      {"places", "list of [places](#a-place-in-memory)", "never",
       "in the order of the file; with `--share`, those pairs", nullptr},
  };
  return {"Which arrays share memory?", kKeys};
}

template <>
KeyList<ModulePlace> keysOf<ModulePlace>() {
  static constexpr Key<ModulePlace> kKeys[] = {
      {"kind",
       "`\"update\"`, `\"scatter\"`, `\"fusion\"`, `\"alias\"`, `\"call\"`, "
       "`\"carry\"`, `\"copy\"`, `\"async\"` or `\"share\"`",
       "never", "why the result lies, or could lie, in the operand's memory",
       [](const ModulePlace &of, KeyValue &to) {
         to.text(nameOf(of.place.kind));
       }},
      {"module", "integer >= 0", "never", "the number of the module",
       [](const ModulePlace &of, KeyValue &to) {
         to.integer(static_cast<int64_t>(of.number));
       }},
      {"line", "integer >= 0", "never",
       "where the instruction is; 0: not known",
       [](const ModulePlace &of, KeyValue &to) {
         to.integer(of.instruction().place.line);
       }},
      {"computation", "string", "never", "",
       [](const ModulePlace &of, KeyValue &to) {
         to.text(of.computation().name);
       }},
      {"instruction", "string", "never", "",
       [](const ModulePlace &of, KeyValue &to) {
         to.text(of.instruction().name);
       }},
      {"opcode", "string", "never", "",
       [](const ModulePlace &of, KeyValue &to) {
         to.text(of.instruction().opcode);
       }},
      {"mark", "`\"must\"`, `\"may\"` or `\"none\"`", "never",
       "what the module says of it",
       [](const ModulePlace &of, KeyValue &to) {
         to.text(nameOf(of.place.mark));
       }},
      {"result", "integer >= 0", "never",
       "the array of the instruction's result; for an alias in the header, of "
       "the module's result",
       [](const ModulePlace &of, KeyValue &to) {
         to.integer(int64_t{of.place.result});
       }},
      {"operand", "integer >= 0", "never",
       "the operand whose memory it is; for an alias in the header, the "
       "parameter",
       [](const ModulePlace &of, KeyValue &to) {
         to.integer(of.place.operand);
       }},
      {"operand_result", "integer >= 0", "never", "the array of that operand",
       [](const ModulePlace &of, KeyValue &to) {
         to.integer(of.place.operandResult);
       }},
      {"answer",
       "`\"safe in place\"`, `\"safe if\"`, `\"hazard\"`, `\"must copy\"`, "
       "`\"needless copy\"` or `\"undecided\"`",
       "never", "",
       [](const ModulePlace &of, KeyValue &to) {
         to.text(wordOf(of.place.answer));
       }},
      {"because",
       "`\"same element\"`, `\"apart\"`, `\"unchanged\"`, `\"read before\"` or "
       "`\"not read\"`",
       "the answer is not safe", "why it is safe",
       [](const ModulePlace &of, KeyValue &to) {
         if (isSafe(of.place.answer)) to.text(wordOf(of.place.because));
       }},
      {"conditions", "list of lists of [constraints](#a-constraint)",
       "it depends on no value of the run",
       "it is safe exactly if all constraints of one of these lists hold",
       conditionsOf},
      {"runtime",
       "list of [variables of conditions](#a-variable-of-a-condition)",
       "with no `conditions`", "the variables of these", runtimeOf},
      {"order", "list of [orders](#an-order)", "no order is needed",
       "if the instructions run in these orders, the place is safe or, if it "
       "is a copy, needless once the parameter of `donate` is donated",
       [](const ModulePlace &of, KeyValue &to) {
         if (!of.place.order.empty()) to.objects(of.place.order);
       }},
      {"witness", "[an overwritten element](#an-overwritten-element)",
       "the answer is neither `hazard` nor `must copy`",
       "an element that is read after it was overwritten",
       [](const ModulePlace &of, KeyValue &to) {
         const HazardAnswer answer = of.place.answer;
         if (of.place.witness && (answer == HazardAnswer::Hazard ||
                                  answer == HazardAnswer::MustCopy))
           to.object(*of.place.witness);
       }},
      {"reason", "string", "it is decided", "what is not known",
       [](const ModulePlace &of, KeyValue &to) {
         to.textIfAny(of.place.reason);
       }},
      {"bytes", "integer >= 0", "it is not a copy", "the array that is copied",
       [](const ModulePlace &of, KeyValue &to) { to.integer(of.place.bytes); }},
      {"predicted_us", "number", "it is not a copy",
       "the copy's time on the device",
       [](const ModulePlace &of, KeyValue &to) {
         if (const auto time = of.predictedUs()) to.number(*time, 3);
       }},
      {"donate", "string", "no such parameter would make it needless",
       "the parameter that the caller would donate",
       [](const ModulePlace &of, KeyValue &to) {
         if (!of.place.donate) return;
         const Computation &entry = of.module->entryComputation();
         to.text(
             entry.instructions[entry.parameters[of.place.donate->first]].name);
       }},
      {"donate_too", "list of strings",
       "with no `donate`; the copy is one of a parameter alone",
       "the other parameters that the caller would donate, because the "
       "computation of the copy is called for several",
       [](const ModulePlace &of, KeyValue &to) {
         if (of.place.donateToo.empty()) return;
         const Computation &entry = of.module->entryComputation();
         to.list(of.place.donateToo, [&](const auto &given, KeyValue &each) {
           each.text(entry.instructions[entry.parameters[given.first]].name);
         });
       }},
      {"confirmed", "`\"equal\"` or `\"undecided\"`",
       "the answer is not `needless copy`",
       "the module, compared by values with the module without the needless "
       "copies",
       [](const ModulePlace &of, KeyValue &to) {
         if (of.place.isConfirmed)
           to.text(*of.place.isConfirmed ? "equal" : "undecided");
       }},
  };
  return {"A place in memory", kKeys};
}

template <>
KeyList<HazardVariableEntry> keysOf<HazardVariableEntry>() {
  static constexpr Key<HazardVariableEntry> kKeys[] = {
      {"name", "string", "never", "as constraints name it",
       [](const HazardVariableEntry &of, KeyValue &to) {
         to.text(of.of.name);
       }},
      {"lower", "integer or null", "never", "inclusive; `null` is open",
       [](const HazardVariableEntry &of, KeyValue &to) {
         of.of.bounds.hasLower() ? to.integer(of.of.bounds.lower) : to.null();
       }},
      {"upper", "integer or null", "never", "inclusive; `null` is open",
       [](const HazardVariableEntry &of, KeyValue &to) {
         of.of.bounds.hasUpper() ? to.integer(of.of.bounds.upper) : to.null();
       }},
      {"clamped", "boolean", "never",
       "`true`: the scalar, clamped to the bounds; `false`: the scalar itself",
       [](const HazardVariableEntry &of, KeyValue &to) {
         to.boolean(of.of.isClamped);
       }},
      {"source", "[scalar](#a-scalar)", "never", "the scalar",
       [](const HazardVariableEntry &of, KeyValue &to) {
         to.object(ScalarEntry{of.module, of.of.source});
       }},
  };
  return {"A variable of a condition", kKeys};
}

template <>
KeyList<ScalarEntry> keysOf<ScalarEntry>() {
  static constexpr Key<ScalarEntry> kKeys[] = {
      {"computation", "string", "never", "where the scalar is",
       [](const ScalarEntry &of, KeyValue &to) {
         to.text(of.module.computations[of.of.computation].name);
       }},
      {"instruction", "string", "never",
       "the instruction that makes the scalar",
       [](const ScalarEntry &of, KeyValue &to) {
         to.text(instructionOf(of.module, of.of).name);
       }},
      {"result", "integer >= 0", "never", "which of its arrays it is",
       [](const ScalarEntry &of, KeyValue &to) {
         to.integer(int64_t{of.of.result});
       }},
  };
  return {"A scalar", kKeys};
}

template <>
KeyList<HazardOrder> keysOf<HazardOrder>() {
  static constexpr Key<HazardOrder> kKeys[] = {
      {"first", "string", "never", "the instruction that runs first",
       [](const HazardOrder &of, KeyValue &to) { to.text(of.first); }},
      {"then", "string", "never", "the one that runs after it",
       [](const HazardOrder &of, KeyValue &to) { to.text(of.then); }},
  };
  return {"An order", kKeys};
}

template <>
KeyList<HazardWitness> keysOf<HazardWitness>() {
  static constexpr Key<HazardWitness> kKeys[] = {
      {"array", "string", "never", "the instruction that makes the array",
       [](const HazardWitness &of, KeyValue &to) { to.text(of.array); }},
      {"element", "list of integers", "never", "the index in that array",
       [](const HazardWitness &of, KeyValue &to) { to.integers(of.element); }},
      {"writer", "[an access](#who-overwrites-or-reads)", "never",
       "who overwrites it",
       [](const HazardWitness &of, KeyValue &to) { to.object(of.writer); }},
      {"reader", "[an access](#who-overwrites-or-reads)", "never",
       "who still reads it: a kernel, or the end of the module, with the "
       "result or the parameter that has the element",
       [](const HazardWitness &of, KeyValue &to) { to.object(of.reader); }},
      {"runtime", "integers by name", "no value of the run decides",
       "the variables of conditions, by name", numbersOf},
      {"turn", "integer >= 0", "no counted loop is around both",
       "the turn of the loop, from 0",
       [](const HazardWitness &of, KeyValue &to) { to.integer(of.turn); }},
  };
  return {"An overwritten element", kKeys};
}

template <>
KeyList<HazardAccess> keysOf<HazardAccess>() {
  static constexpr Key<HazardAccess> kKeys[] = {
      {"instruction", "string", "never", "",
       [](const HazardAccess &of, KeyValue &to) { to.text(of.instruction); }},
      {"index", "list of integers", "never",
       "the index that the thread computes: of the result, of a scatter's "
       "update, or of the element itself",
       [](const HazardAccess &of, KeyValue &to) { to.integers(of.index); }},
  };
  return {"Who overwrites or reads", kKeys};
}

std::vector<Described> hazardsTables() {
  return {described<HazardsEntry>(),        described<ModulePlace>(),
          described<HazardVariableEntry>(), described<ScalarEntry>(),
          described<HazardOrder>(),         described<HazardWitness>(),
          described<HazardAccess>()};
}

}  // namespace indexical
