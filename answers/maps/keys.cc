#include "indexical/answers/maps/keys.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

namespace indexical {
namespace {

//===-- What several keys ask ---------------------------------------------===//

void lowerOf(const Interval &bounds, KeyValue &to) {
  if (bounds.hasLower())
    to.integer(bounds.lower);
  else
    to.null();
}
void upperOf(const Interval &bounds, KeyValue &to) {
  if (bounds.hasUpper())
    to.integer(bounds.upper);
  else
    to.null();
}

void variablesOf(const IndexingMap &map, VariableKind kind, size_t count,
                 KeyValue &to) {
  to.list(llvm::seq<uint32_t>(0, count), [&](uint32_t i, KeyValue &each) {
    each.object(VariableEntry{map, {kind, i}});
  });
}

/// Returns the constraints in the order of the map's text.
std::vector<ConstraintEntry> constraintsOf(const IndexingMap &map) {
  std::vector<ConstraintEntry> constraints;
  for (const Constraint &constraint : map.constraints())
    constraints.push_back({map.str(constraint.form), constraint.bounds});
  std::sort(constraints.begin(), constraints.end(),
            [](const ConstraintEntry &a, const ConstraintEntry &b) {
              return a.expression < b.expression;
            });
  return constraints;
}

const Computation &computationOf(const MapEntry &in, const Value &value) {
  return in.program->module().computations[value.computation];
}

llvm::StringRef nameOf(const MapEntry &in, int64_t number) {
  const Value &value = in.program->value(number);
  return computationOf(in, value).instructions[value.instruction].name;
}

/// Returns the array whose element the source is, or null if it is the size of
/// one, or of a device.
const Value *elementOf(const SourceEntry &of) {
  return of.source().kind == RuntimeSource::Kind::Element
             ? &of.in.program->value(of.source().tensor)
             : nullptr;
}

/// Gives the members that are read on the path through collectives.
void membersOf(const MapEntry &in, llvm::ArrayRef<int64_t> collectives,
               llvm::ArrayRef<FormId> members, KeyValue &to) {
  if (collectives.empty() || !in.program) return;
  to.list(llvm::zip_equal(collectives, members),
          [&](const auto &pair, KeyValue &each) {
            each.object(MemberEntry{in, std::get<0>(pair), std::get<1>(pair)});
          });
}

}  // namespace

//===-- The keys ----------------------------------------------------------===//

template <>
KeyList<MapEntry> keysOf<MapEntry>() {
  static constexpr Key<MapEntry> kKeys[] = {
      {"text", "string", "never",
       "[the map](#1-the-text-of-a-map) on one line; the other keys say the "
       "same in parts",
       [](const MapEntry &of, KeyValue &to) {
         to.text(of.isUndefined ? "UNDEFINED" : of.map.strOneLine());
       }},
      {"dimensions", "list of [variables](#a-variable)", "never", "",
       [](const MapEntry &of, KeyValue &to) {
         variablesOf(of.map, VariableKind::Dimension,
                     of.map.dimensions().size(), to);
       }},
      {"ranges", "list of [variables](#a-variable)", "never", "",
       [](const MapEntry &of, KeyValue &to) {
         variablesOf(of.map, VariableKind::Range, of.map.ranges().size(), to);
       }},
      {"runtime", "list of [runtime variables](#a-runtime-variable)", "never",
       "",
       [](const MapEntry &of, KeyValue &to) {
         to.list(llvm::seq<uint32_t>(0, of.map.visibleRuntimeCount()),
                 [&](uint32_t i, KeyValue &each) {
                   each.object(RuntimeVariableEntry{of, i});
                 });
       }},
      {"results", "list of strings", "never", "expressions",
       [](const MapEntry &of, KeyValue &to) {
         to.list(of.map.results(), [&](FormId result, KeyValue &each) {
           each.text(of.map.str(result));
         });
       }},
      {"constraints", "list of [constraints](#a-constraint)", "never",
       "sorted by their expressions",
       [](const MapEntry &of, KeyValue &to) {
         to.list(constraintsOf(of.map),
                 [](const ConstraintEntry &constraint, KeyValue &each) {
                   each.object(constraint);
                 });
       }},
      {"replica", "list of [members](#a-member)",
       "the map passes no collective",
       "the collectives on the way, the result's side first",
       [](const MapEntry &of, KeyValue &to) {
         membersOf(of, of.map.collectives(), of.map.members(), to);
       }},
      {"empty", "boolean", "never", "whether the map is `KNOWN EMPTY`",
       [](const MapEntry &of, KeyValue &to) {
         to.boolean(of.map.isKnownEmpty());
       }},
      {"undefined", "boolean", "the map is known",
       "`true`: the map is `UNDEFINED`, and the lists say nothing",
       [](const MapEntry &of, KeyValue &to) {
         if (of.isUndefined) to.boolean(true);
       }},
  };
  return {"A map", kKeys};
}

template <>
KeyList<VariableEntry> keysOf<VariableEntry>() {
  static constexpr Key<VariableEntry> kKeys[] = {
      {"name", "string", "never", "",
       [](const VariableEntry &of, KeyValue &to) {
         to.text(of.map.nameOf(of.id));
       }},
      {"lower", "integer or null", "never", "inclusive; `null` is open",
       [](const VariableEntry &of, KeyValue &to) {
         lowerOf(of.map.variable(of.id).bounds, to);
       }},
      {"upper", "integer or null", "never", "inclusive; `null` is open",
       [](const VariableEntry &of, KeyValue &to) {
         upperOf(of.map.variable(of.id).bounds, to);
       }},
  };
  return {"A variable", kKeys};
}

template <>
KeyList<RuntimeVariableEntry> keysOf<RuntimeVariableEntry>() {
  static constexpr Key<RuntimeVariableEntry> kKeys[] = {
      {"name", "string", "never", "",
       [](const RuntimeVariableEntry &of, KeyValue &to) {
         to.text(of.in.map.nameOf({VariableKind::Runtime, of.index}));
       }},
      {"lower", "integer or null", "never", "inclusive; `null` is open",
       [](const RuntimeVariableEntry &of, KeyValue &to) {
         lowerOf(of.variable().bounds, to);
       }},
      {"upper", "integer or null", "never", "inclusive; `null` is open",
       [](const RuntimeVariableEntry &of, KeyValue &to) {
         upperOf(of.variable().bounds, to);
       }},
      {"clamped", "boolean", "never",
       "`true`: the value is the element, clamped to the bounds. `false`: the "
       "value is the element itself, and the map holds where the element is "
       "within the bounds",
       [](const RuntimeVariableEntry &of, KeyValue &to) {
         to.boolean(of.variable().clamped);
       }},
      {"source", "[source](#a-source)", "the map comes from text",
       "where the value comes from",
       [](const RuntimeVariableEntry &of, KeyValue &to) {
         if (of.in.program &&
             of.variable().source.kind != RuntimeSource::Kind::None)
           to.object(SourceEntry{of.in, of.index});
       }},
  };
  return {"A runtime variable", kKeys};
}

template <>
KeyList<ConstraintEntry> keysOf<ConstraintEntry>() {
  static constexpr Key<ConstraintEntry> kKeys[] = {
      {"expression", "string", "never", "",
       [](const ConstraintEntry &of, KeyValue &to) { to.text(of.expression); }},
      {"lower", "integer or null", "never", "inclusive; `null` is open",
       [](const ConstraintEntry &of, KeyValue &to) { lowerOf(of.bounds, to); }},
      {"upper", "integer or null", "never", "inclusive; `null` is open",
       [](const ConstraintEntry &of, KeyValue &to) { upperOf(of.bounds, to); }},
  };
  return {"A constraint", kKeys};
}

template <>
KeyList<MemberEntry> keysOf<MemberEntry>() {
  static constexpr Key<MemberEntry> kKeys[] = {
      {"instruction", "string", "never", "the collective",
       [](const MemberEntry &of, KeyValue &to) {
         to.text(nameOf(of.in, of.collective));
       }},
      {"member", "string", "never",
       "an expression: the position, within its group and counted from 0, of "
       "the device whose operand is read. For a collective-permute it is the "
       "number of that device",
       [](const MemberEntry &of, KeyValue &to) {
         to.text(of.in.map.str(of.member));
       }},
  };
  return {"A member", kKeys};
}

template <>
KeyList<SourceEntry> keysOf<SourceEntry>() {
  static constexpr Key<SourceEntry> kKeys[] = {
      {"computation", "string", "the source is not an element",
       "where the array is",
       [](const SourceEntry &of, KeyValue &to) {
         if (const Value *tensor = elementOf(of))
           to.text(computationOf(of.in, *tensor).name);
       }},
      {"instruction", "string", "with no `computation`",
       "the instruction that makes the array",
       [](const SourceEntry &of, KeyValue &to) {
         if (elementOf(of)) to.text(nameOf(of.in, of.source().tensor));
       }},
      {"result", "integer >= 0", "with no `computation`",
       "which of its arrays it is",
       [](const SourceEntry &of, KeyValue &to) {
         if (const Value *tensor = elementOf(of))
           to.integer(int64_t{tensor->result});
       }},
      {"map", "[map](#a-map)",
       "the source is not an element; the map has 4096 sources already, for "
       "sources can nest deeply",
       "from the dimensions and ranges of the map to the index of the element. "
       "It may have runtime variables of its own",
       [](const SourceEntry &of, KeyValue &to) {
         if (elementOf(of) && of.in.takeNested())
           to.object(MapEntry(of.in.map.sourceMap(of.index), of.in));
       }},
      {"replica", "list of [members](#a-member)",
       "the element is on the device itself",
       "the collectives that lead to the device whose element it is",
       [](const SourceEntry &of, KeyValue &to) {
         if (elementOf(of))
           membersOf(of.in, of.variable().collectives, of.variable().members(),
                     to);
       }},
      {"calls", "list of [calls](#a-call)",
       "the array is in the computation itself",
       "the calls that lead to the array, the outermost first",
       [](const SourceEntry &of, KeyValue &to) {
         if (const Value *tensor = elementOf(of);
             tensor && !tensor->calls.empty())
           to.list(tensor->calls, [&](const CallSite &call, KeyValue &each) {
             each.object(CallEntry{*of.in.program, call});
           });
       }},
      {"size_of", "[size of a tensor](#the-size-of-a-tensor)",
       "the source is not a size", "the value is an unknown size",
       [](const SourceEntry &of, KeyValue &to) {
         if (of.source().kind == RuntimeSource::Kind::Size)
           to.object(TensorSizeEntry{of.in.program->module(),
                                     of.in.program->value(of.source().tensor),
                                     of.source().dimension});
       }},
      {"group_position", "[place](#the-place-of-a-device)",
       "the source is not a position",
       "the value is the position of a device in its group",
       [](const SourceEntry &of, KeyValue &to) {
         if (of.source().kind == RuntimeSource::Kind::GroupPosition)
           to.object(DevicePlaceEntry{of});
       }},
      {"group_size", "[place](#the-place-of-a-device)",
       "the source is not a number of members",
       "the value is the number of members of the group",
       [](const SourceEntry &of, KeyValue &to) {
         if (of.source().kind == RuntimeSource::Kind::GroupSize)
           to.object(DevicePlaceEntry{of});
       }},
      {"device_id", "[place](#the-place-of-a-device)",
       "the source is not a device number", "the value is the number of a device",
       [](const SourceEntry &of, KeyValue &to) {
         if (of.source().kind == RuntimeSource::Kind::DeviceId)
           to.object(DevicePlaceEntry{of});
       }},
  };
  return {"A source", kKeys};
}

template <>
KeyList<CallEntry> keysOf<CallEntry>() {
  static constexpr Key<CallEntry> kKeys[] = {
      {"computation", "string", "never", "where the call is",
       [](const CallEntry &of, KeyValue &to) { to.text(of.caller().name); }},
      {"instruction", "string", "never", "the call",
       [](const CallEntry &of, KeyValue &to) { to.text(of.site().name); }},
      {"branch", "integer >= 0", "the instruction is not a conditional",
       "which branch it takes",
       [](const CallEntry &of, KeyValue &to) {
         /* Two branches may be one computation. */
         if (of.site().called[of.call.called].role == CallRole::Branch)
           to.integer(of.call.called);
       }},
  };
  return {"A call", kKeys};
}

template <>
KeyList<TensorSizeEntry> keysOf<TensorSizeEntry>() {
  static constexpr Key<TensorSizeEntry> kKeys[] = {
      {"computation", "string", "never", "where the tensor is",
       [](const TensorSizeEntry &of, KeyValue &to) {
         to.text(of.computation().name);
       }},
      {"instruction", "string", "never", "the instruction that makes it",
       [](const TensorSizeEntry &of, KeyValue &to) {
         to.text(instructionOf(of.module, of.tensor).name);
       }},
      {"result", "integer >= 0", "never", "which of its arrays it is",
       [](const TensorSizeEntry &of, KeyValue &to) {
         to.integer(int64_t{of.tensor.result});
       }},
      {"dimension", "integer >= 0", "never", "",
       [](const TensorSizeEntry &of, KeyValue &to) {
         to.integer(of.dimension);
       }},
  };
  return {"The size of a tensor", kKeys};
}

template <>
KeyList<DevicePlaceEntry> keysOf<DevicePlaceEntry>() {
  static constexpr Key<DevicePlaceEntry> kKeys[] = {
      {"instruction", "string", "never", "the collective whose groups are used",
       [](const DevicePlaceEntry &of, KeyValue &to) {
         to.text(nameOf(of.of.in, of.of.source().tensor));
       }},
      {"hop", "integer >= 0", "never",
       "the number of entries of the map's `replica` that lead to the device",
       [](const DevicePlaceEntry &of, KeyValue &to) {
         to.integer(of.of.variable().collectives.size());
       }},
  };
  return {"The place of a device", kKeys};
}

template <>
KeyList<NamedSizeEntry> keysOf<NamedSizeEntry>() {
  static constexpr Key<NamedSizeEntry> kKeys[] = {
      {"name", "string", "never", "as expressions have it",
       [](const NamedSizeEntry &of, KeyValue &to) { to.text(of.size.name); }},
      {"size_of", "[size of a tensor](#the-size-of-a-tensor)", "never",
       "what it is",
       [](const NamedSizeEntry &of, KeyValue &to) {
         to.object(
             TensorSizeEntry{of.module, of.size.tensor, of.size.dimension});
       }},
  };
  return {"An open size", kKeys};
}

void openSizes(const Module &module, llvm::ArrayRef<NamedSize> sizes,
               KeyValue &to) {
  if (sizes.empty()) return;
  to.list(sizes, [&](const NamedSize &size, KeyValue &each) {
    each.object(NamedSizeEntry{module, size});
  });
}

std::vector<Described> mapTables() {
  return {described<MapEntry>(),
          described<VariableEntry>(),
          described<RuntimeVariableEntry>(),
          described<ConstraintEntry>(),
          described<MemberEntry>(),
          described<SourceEntry>(),
          described<CallEntry>(),
          described<TensorSizeEntry>(),
          described<DevicePlaceEntry>(),
          described<NamedSizeEntry>()};
}

}  // namespace indexical
