#include "indexical/answers/verdict/keys.h"

#include <array>

#include "indexical/program/kernel/checks.h"

namespace indexical {
namespace {

using Kind = Witness::Kind;

void giveIndex(const Witness &of, KeyValue &to) {
  to.integers(of.second.index);
}
void giveElement(const Witness &of, KeyValue &to) { to.integers(of.element); }
/// Gives the number of an element in memory.
void giveNumber(const Witness &of, KeyValue &to) { to.integer(of.element[0]); }
void giveArray(const Witness &of, KeyValue &to) { to.integer(of.array); }
void giveProgram(const Witness &of, KeyValue &to) {
  to.integers(of.first.program);
}
void giveRuntime(const Witness &of, KeyValue &to) {
  to.list(of.runtime, [](const auto &each, KeyValue &value) {
    value.integer(each.second);
  });
}
void giveRuntimeIfAny(const Witness &of, KeyValue &to) {
  if (!of.runtime.empty()) giveRuntime(of, to);
}
void giveRuntimeNames(const Witness &of, KeyValue &to) {
  if (!of.runtime.empty())
    to.list(of.runtime,
            [](const auto &each, KeyValue &name) { name.text(each.first); });
}
/// Gives the numbers of parameters, if numbers are what differs.
void giveInputs(const Witness &of, KeyValue &to) {
  if (of.first.value.empty()) return;
  to.list(of.inputs, [&](const Witness::Input &input, KeyValue &each) {
    each.object(input, keysOfInputs(of.kind).keys);
  });
}
void giveOthers(const Witness &of, KeyValue &to) {
  if (of.others) to.integer(*of.others);
}
void giveFirstValue(const Witness &of, KeyValue &to) {
  to.textIfAny(of.first.value);
}
void giveSecondValue(const Witness &of, KeyValue &to) {
  to.textIfAny(of.second.value);
}

constexpr Key<Witness> kRead[] = {
    {"index", "list of integers", "never", "the values of the dimensions",
     giveIndex},
    {"runtime", "list of integers", "never",
     "the values of the runtime variables", giveRuntime},
    {"runtime_names", "list of strings", "`runtime` is empty",
     "the names of these values. For modules: parameters of the first one, as "
     "`i`, `indices(2, 0)` (an element) and `size 0 of x`; for maps: the "
     "runtime variables. With open sizes, the list has all sizes that are "
     "given and all elements that state sizes: both modules run with these "
     "numbers",
     giveRuntimeNames},
    {"element", "list of integers", "never", "the index of the element",
     giveElement},
    {"only_in", "`\"first\"` or `\"second\"`", "never",
     "the side that reads it",
     [](const Witness &of, KeyValue &to) { to.text(sideOf(of)); }},
};

constexpr Key<Witness> kNumbers[] = {
    {"result", "integer >= 0", "never", "the array of the result",
     [](const Witness &of, KeyValue &to) { to.integer(of.result); }},
    {"index", "list of integers", "never", "its element", giveIndex},
    {"inputs", "list of [inputs](#an-input)", "never",
     "the elements of parameters that both were computed of, at most 16",
     giveInputs},
    {"others", "integer", "these are all",
     "the number of all other elements that both were computed of", giveOthers},
    {"first", "string", "never",
     "the value that the first module computes; for a float it may be one of "
     "several allowed values",
     giveFirstValue},
    {"second", "string", "never", "the value that the second module computes",
     giveSecondValue},
};

constexpr Key<Witness> kDeviceNumbers[] = {
    {"device", "integer >= 0", "never",
     "the device; for a sum over devices, the first one",
     [](const Witness &of, KeyValue &to) { to.integer(of.second.device); }},
    {"index", "list of integers", "never", "the index on that device",
     giveIndex},
    {"global_index", "list of integers", "both modules are local",
     "the index in the whole",
     [](const Witness &of, KeyValue &to) {
       if (!of.isLocal) to.integers(of.first.index);
     }},
    {"runtime", "list of integers", "never",
     "the values of those of the `inputs` that decide what is read",
     giveRuntime},
    {"element", "list of integers", "the reads are equal; it is padding",
     "the element of the whole parameter that one side reads",
     [](const Witness &of, KeyValue &to) {
       if (of.array) giveElement(of, to);
     }},
    {"element_device", "integer >= 0",
     "a module is the whole one; all devices have the same",
     "the device that has the parameter of which `element` is",
     [](const Witness &of, KeyValue &to) { to.integer(of.elementDevice); }},
    {"only_in", "`\"first\"` or `\"second\"`", "the reads are equal",
     "the side that reads it; `first` is the module before",
     [](const Witness &of, KeyValue &to) {
       if (of.array || of.isPadding) to.text(sideOf(of));
     }},
    {"padding", "`true`", "it is not padding",
     "the second module reads padding, which may be any number",
     [](const Witness &of, KeyValue &to) { to.ifTrue(of.isPadding); }},
    {"counted", "integer >= 2", "equal summands are counted once",
     "how often a summand is counted, if nothing else differs",
     [](const Witness &of, KeyValue &to) { to.integer(of.counted); }},
    {"inputs", "list of [inputs](#an-input)", "never",
     "numbers of the whole parameters that show it, at most 16", giveInputs},
    {"others", "integer", "these are all",
     "the number of all other elements that are read", giveOthers},
    {"first", "string", "never",
     "the value that the first module computes from them; for a float it may "
     "be one of several allowed values",
     giveFirstValue},
    {"second", "string", "never",
     "the value that the device computes in the second module",
     giveSecondValue},
};

constexpr Key<Witness> kOutOfBounds[] = {
    {"program", "list of integers", "never", "along x, y and z", giveProgram},
    {"loops", "list of integers", "never",
     "the number of completed turns of each loop, the outermost first",
     [](const Witness &of, KeyValue &to) { to.integers(of.first.loops); }},
    {"tile", "list of integers", "never", "the coordinates in the tile",
     [](const Witness &of, KeyValue &to) { to.integers(of.first.tile); }},
    {"element", "integer", "never", "what is accessed there", giveNumber},
    {"size", "integer >= 0", "it is not known: the element is below 0",
     "the elements of the buffer",
     [](const Witness &of, KeyValue &to) { to.integer(of.size); }},
    {"runtime", "list of integers",
     "the call gives no bounds on which it depends",
     "the values of the variables whose bounds `--runtime` gives",
     giveRuntimeIfAny},
    {"runtime_names", "list of strings", "with no `runtime`", "their names",
     giveRuntimeNames},
};

/// Gives both programs of a witness.
void givePrograms(const Witness &of, KeyValue &to) {
  to.items([&](KeyValue &each) {
    each.integers(of.first.program);
    each.integers(of.second.program);
  });
}

constexpr Key<Witness> kWrittenTwice[] = {
    {"argument", "integer >= 0", "never", "the buffer", giveArray},
    {"element", "integer", "never", "", giveNumber},
    {"race", "`\"programs\"`, `\"program\"` or `\"atomic\"`", "never",
     "`programs`: two programs store it. `program`: one program stores it "
     "twice, by two ops or at two coordinates of a tile. `atomic`: one "
     "program stores it, and another one changes it by an atomic operation",
     [](const Witness &of, KeyValue &to) { to.text(kernels::raceOf(of)); }},
    {"programs", "list of lists of integers", "never",
     "the two programs that write it, or one program twice", givePrograms},
    {"writers", "list of [writers](#a-writer)", "never",
     "what these programs write it by, in the same order",
     [](const Witness &of, KeyValue &to) {
       to.items([&](KeyValue &each) {
         each.object(WriterEntry{of.first, of.second.isAtomic});
         each.object(WriterEntry{of.second, of.second.isAtomic});
       });
     }},
    {"lines", "list of integers", "never", "of the stores to that buffer",
     [](const Witness &of, KeyValue &to) { to.integers(of.lines); }},
};

constexpr Key<Witness> kOverwritten[] = {
    {"argument", "integer >= 0", "never", "the pointer that is loaded",
     giveArray},
    {"element", "integer", "never", "of that pointer's elements", giveNumber},
    {"programs", "list of lists of integers", "never",
     "the program that stores it, and the one that loads it", givePrograms},
    {"writers", "list of [writers](#a-writer)", "never",
     "what the first of these stores it by",
     [](const Witness &of, KeyValue &to) {
       to.items(
           [&](KeyValue &each) { each.object(WriterEntry{of.first, false}); });
     }},
    {"readers", "list of [writers](#a-writer)", "never",
     "what the second one loads it by",
     [](const Witness &of, KeyValue &to) {
       to.items(
           [&](KeyValue &each) { each.object(WriterEntry{of.second, false}); });
     }},
};

constexpr Key<Witness> kSharedOverwritten[] = {
    {"symbol", "string", "never", "the variable that is loaded",
     [](const Witness &of, KeyValue &to) { to.text(of.variable); }},
    {"element", "integer", "never", "the number of the element in it",
     giveNumber},
    {"offset_bytes", "integer", "never",
     "where the element begins, from the beginning of the variable",
     [](const Witness &of, KeyValue &to) { to.integer(of.offsetBytes); }},
    {"program", "list of integers", "never", "the block of both threads",
     giveProgram},
    {"writers", "list of [writers](#a-writer)", "never",
     "the store; its tile begins with the numbers of the thread",
     [](const Witness &of, KeyValue &to) {
       to.items(
           [&](KeyValue &each) { each.object(WriterEntry{of.first, false}); });
     }},
    {"readers", "list of [writers](#a-writer)", "never",
     "the load by another thread",
     [](const Witness &of, KeyValue &to) {
       to.items(
           [&](KeyValue &each) { each.object(WriterEntry{of.second, false}); });
     }},
};

constexpr Key<Witness> kStored[] = {
    {"program", "list of integers", "never", "its place along x, y and z",
     giveProgram},
    {"result", "integer >= 0", "never", "the leaf of the result", giveArray},
    {"element", "integer", "never", "its number in memory", giveNumber},
    {"line", "integer >= 0", "never", "of the store",
     [](const Witness &of, KeyValue &to) { to.integer(of.first.line); }},
    {"kernel", "string", "the store is outside", "what is stored, as a term",
     [](const Witness &of, KeyValue &to) { to.textIfAny(of.first.term); }},
    {"fusion", "string", "the store is outside",
     "what the fusion computes, as a term",
     [](const Witness &of, KeyValue &to) { to.textIfAny(of.second.term); }},
    {"kernel_value", "string", "the store is outside",
     "the number that is stored, or the bounds between which it is",
     giveFirstValue},
    {"fusion_value", "string", "the store is outside",
     "the number that the fusion computes, or its bounds", giveSecondValue},
    {"inputs", "list of [inputs](#a-number-of-a-witness)",
     "the store is outside", "the numbers of the parameters, at most 16",
     giveInputs},
    {"others", "integer", "the store is outside; these are all",
     "the number of all other elements that are read", giveOthers},
};

constexpr Key<Witness> kNotStored[] = {
    {"result", "integer >= 0", "never", "the leaf of the result", giveArray},
    {"element", "integer >= 0", "never", "its number in memory", giveNumber},
};

constexpr Key<Witness> kTouched[] = {
    {"program", "list of integers", "never", "empty: no program stores it",
     giveProgram},
    {"element", "integer", "never", "its number in memory", giveNumber},
    {"only_in", "`\"kernel\"` or `\"fusion\"`", "never", "",
     [](const Witness &of, KeyValue &to) {
       to.text(of.isOnlyInFirst() ? "kernel" : "fusion");
     }},
};

/// Returns the keys of a check with such a witness.
constexpr std::array<Key<Check>, 3> keysOfCheck(const char *meaning,
                                                const char *witness) {
  return {
      {{"answer", "`\"proved\"`, `\"undecided\"` or `\"violated\"`", "never",
        meaning,
        [](const Check &of, KeyValue &to) { to.text(wordOf(of.answer)); }},
       {"reason", "string", "with `witness`; it is proved",
        "why it is not decided",
        [](const Check &of, KeyValue &to) { to.textIfAny(of.reason); }},
       {"witness", witness, "with `reason`; it is proved", "",
        [](const Check &of, KeyValue &to) { giveWitness(of.witness, to); }}}};
}

void giveName(const Witness::Input &of, KeyValue &to) { to.text(of.name); }
void giveIndexOfInput(const Witness::Input &of, KeyValue &to) {
  to.integers(of.element);
}
void giveValue(const Witness::Input &of, KeyValue &to) { to.text(of.value); }

}  // namespace

KeyList<Witness> keysOfWitness(Witness::Kind kind) {
  switch (kind) {
    case Kind::Read:
      return {"A witness", kRead};
    case Kind::Numbers:
      return {"Numbers that differ", kNumbers};
    case Kind::DeviceNumbers:
      return {"A witness of a device", kDeviceNumbers};
    case Kind::Touched:
      return {"An element of one side", kTouched};
    case Kind::StoredOutside:
    case Kind::StoredOther:
      return {"A store outside of its result", kStored};
    case Kind::NotStored:
      return {"An element that is not stored", kNotStored};
    case Kind::OutOfBounds:
      return {"What is outside", kOutOfBounds};
    case Kind::WrittenTwice:
      return {"What is written twice", kWrittenTwice};
    case Kind::Overwritten:
      return {"What is overwritten", kOverwritten};
    case Kind::SharedOverwritten:
      return {"What is overwritten in shared memory", kSharedOverwritten};
  }
  return {"", {}};
}

void giveWitness(const std::optional<Witness> &witness, KeyValue &to) {
  if (witness) to.object(*witness, keysOfWitness(witness->kind).keys);
}

void giveCheck(const std::optional<Check> &check, KeyList<Check> keys,
               KeyValue &to) {
  if (check) to.object(*check, keys.keys);
}

KeyList<Check> keysOfBounds() {
  static constexpr auto kKeys =
      keysOfCheck("whether every element is in its buffer, in the whole launch",
                  "[witness](#what-is-outside)");
  return {"In bounds", kKeys};
}

KeyList<Check> keysOfWrittenOnce() {
  static constexpr auto kKeys =
      keysOfCheck("", "[witness](#what-is-written-twice)");
  return {"Written once", kKeys};
}

KeyList<Check> keysOfOverwritten() {
  static constexpr auto kKeys =
      keysOfCheck("", "[witness](#what-is-overwritten)");
  return {"Overwritten", kKeys};
}

KeyList<Check> keysOfSharedOverwritten() {
  static constexpr auto kKeys =
      keysOfCheck("", "[witness](#what-is-overwritten-in-shared-memory)");
  return {"Overwritten in shared memory", kKeys};
}

KeyList<Witness::Input> keysOfInputs(Witness::Kind kind) {
  static constexpr Key<Witness::Input> kOfModules[] = {
      {"parameter", "string", "never", "its name in the first module",
       giveName},
      {"element", "list of integers", "never", "", giveIndexOfInput},
      {"value", "string", "never", "", giveValue},
      {"device", "integer >= 0",
       "no device runs both modules; all devices have the same parameter",
       "the device that has this parameter",
       [](const Witness::Input &of, KeyValue &to) { to.integer(of.device); }},
  };
  static constexpr Key<Witness::Input> kOfKernel[] = {
      {"parameter", "string", "never", "its name", giveName},
      {"element", "list of integers", "never", "its index", giveIndexOfInput},
      {"value", "string", "never", "its number", giveValue},
  };
  if (kind == Kind::StoredOther) return {"A number of a witness", kOfKernel};
  return {"An input", kOfModules};
}

template <>
KeyList<WriterEntry> keysOf<WriterEntry>() {
  static constexpr Key<WriterEntry> kKeys[] = {
      {"line", "integer >= 0", "never",
       "the place of the op in the file; 0: not known",
       [](const WriterEntry &of, KeyValue &to) { to.integer(of.writer.line); }},
      {"tile", "list of integers", "`race` is `atomic`",
       "the coordinates in the tile",
       [](const WriterEntry &of, KeyValue &to) {
         if (!of.hasAtomic) to.integers(of.writer.tile);
       }},
      {"loops", "list of integers",
       "it is in no loop; the witness is of `written_once`",
       "the number of completed turns of each loop, the outermost first",
       [](const WriterEntry &of, KeyValue &to) {
         if (!of.writer.loops.empty()) to.integers(of.writer.loops);
       }},
  };
  return {"A writer", kKeys};
}

}  // namespace indexical
