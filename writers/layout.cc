#include "indexical/writers/layout.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/layout/encoding.h"

namespace indexical {

namespace json = llvm::json;
using layouts::AccessFigures;
using layouts::Conversion;
using layouts::Coordinates;
using layouts::Digit;
using layouts::Equality;
using layouts::Layout;
using layouts::Level;
using layouts::Memory;
using layouts::Notation;
using layouts::Notes;
using layouts::Parity;
using layouts::Space;
using layouts::Sum;

absl::StatusOr<std::optional<int64_t>> elementBitsOf(
    const Layout &layout, const LayoutQuestions &asked) {
  const std::string &type =
      asked.type.empty() ? layout.notes().elementType : asked.type;
  if (type.empty()) return std::nullopt;
  const auto bits = layouts::bitsOfType(type);
  if (!bits)
    return absl::InvalidArgumentError(
        absl::StrCat("`", type, "` is no type of an element"));
  return bits;
}

layouts::MemorySizes memorySizesOf(const LayoutQuestions &asked) {
  layouts::MemorySizes sizes;
  sizes.banks = Device::kBanks;
  sizes.sector = asked.device->sector;
  sizes.line = asked.device->line;
  sizes.vector = asked.device->vectorBytes;
  return sizes;
}

namespace {

bool isOfThreads(const Layout &layout) {
  return !layout.inputs().empty() &&
         llvm::all_of(layout.inputs(), [](const Space &space) {
           return space.name == "register" || space.name == "lane" ||
                  space.name == "warp" || space.name == "block";
         });
}

/// Returns the memory that a layout of offsets is in.
std::optional<Memory> memoryOf(const Layout &layout,
                               const LayoutQuestions &asked) {
  const Notes::Memory space = asked.space != Notes::Memory::Unknown
                                  ? asked.space
                                  : layout.notes().memory;
  if (space == Notes::Memory::Shared) return Memory::Shared;
  if (space == Notes::Memory::Global) return Memory::Global;
  return std::nullopt;
}

absl::StatusOr<LayoutAccess> accessTo(const Layout &places, int64_t bits,
                                      Memory memory,
                                      const LayoutQuestions &asked) {
  LayoutAccess made;
  made.memory = memory;
  INDEXICAL_ASSIGN_OR_RETURN(
      made.figures, layouts::accessOf(places, bits, memory, asked.registers,
                                      memorySizesOf(asked)));
  return made;
}

absl::StatusOr<Coordinates> pointAsked(const Layout &layout,
                                       const LayoutQuestions &asked) {
  Coordinates point(layout.inputs().size(), 0);
  for (const auto &[name, number] : asked.at) {
    const auto *space =
        llvm::find_if(layout.inputs(),
                      [&, &n = name](const Space &s) { return s.name == n; });
    if (space == layout.inputs().end())
      return absl::InvalidArgumentError(
          absl::StrCat("the layout has no input `", name, "`"));
    if (number < 0 || number >= space->size)
      return absl::InvalidArgumentError(absl::StrCat(
          name, " is 0 to ", space->size - 1, ", and not ", number));
    point[space - layout.inputs().begin()] = number;
  }
  return point;
}

std::string joined(llvm::ArrayRef<int64_t> numbers) {
  return absl::StrCat("(", absl::StrJoin(numbers, ", "), ")");
}

}  // namespace

absl::StatusOr<DescribedLayout> describeLayout(const Layout &layout,
                                               const LayoutQuestions &asked) {
  DescribedLayout made{layout,
                       layouts::factsOf(layout),
                       layouts::boundsOf(layout),
                       "",
                       {},
                       {},
                       {},
                       {},
                       {},
                       {}};
  made.map = print(layout, Notation::Map).value_or("");
  made.cute = print(layout, Notation::Cute);
  made.linear = print(layout, Notation::Linear, asked.type);
  made.xla = print(layout, Notation::Xla, asked.type);
  if (!asked.at.empty()) {
    INDEXICAL_ASSIGN_OR_RETURN(const Coordinates point,
                               pointAsked(layout, asked));
    made.value = layout.at(point);
  }
  if (asked.element) {
    INDEXICAL_ASSIGN_OR_RETURN(made.holders, layout.holders(*asked.element));
  }
  const bool isAccess = isOfThreads(layout) && layout.outputs().size() == 1 &&
                        layout.outputs()[0].name == "offset";
  const auto memory = memoryOf(layout, asked);
  INDEXICAL_ASSIGN_OR_RETURN(const auto bits, elementBitsOf(layout, asked));
  if (isAccess && memory && bits) {
    INDEXICAL_ASSIGN_OR_RETURN(made.access,
                               accessTo(layout, *bits, *memory, asked));
  }
  return made;
}

absl::StatusOr<std::optional<LayoutMove>> moveBetween(
    const Layout &from, const Layout &to, const std::optional<Layout> &through,
    const LayoutQuestions &asked) {
  const bool isFromThreads = isOfThreads(from), isToThreads = isOfThreads(to);
  LayoutMove made;
  // Of pointers and what they point to, the memory has the latter.
  const bool isFirstMemory = isToThreads && !isFromThreads;
  const Layout &memoryFirst = isFirstMemory ? from : to;
  INDEXICAL_ASSIGN_OR_RETURN(auto bits, elementBitsOf(memoryFirst, asked));
  if (!bits) {
    INDEXICAL_ASSIGN_OR_RETURN(bits,
                               elementBitsOf(isFirstMemory ? to : from, asked));
  }
  if (isFromThreads && isToThreads) {
    if (from.outputs().size() != to.outputs().size()) return std::nullopt;
    auto conversion = layouts::conversion(from, to);
    if (absl::IsResourceExhausted(conversion.status())) return std::nullopt;
    INDEXICAL_ASSIGN_OR_RETURN(made.conversion, std::move(conversion));
    if (through) {
      INDEXICAL_ASSIGN_OR_RETURN(const Layout in,
                                 layouts::placesOf(from, *through));
      INDEXICAL_ASSIGN_OR_RETURN(const Layout out,
                                 layouts::placesOf(to, *through));
      if (!bits)
        return absl::InvalidArgumentError(
            "--through needs the type of an element: --type=f16");
      INDEXICAL_ASSIGN_OR_RETURN(made.store,
                                 accessTo(in, *bits, Memory::Shared, asked));
      INDEXICAL_ASSIGN_OR_RETURN(made.load,
                                 accessTo(out, *bits, Memory::Shared, asked));
    }
    return made;
  }
  if (!bits) return std::nullopt;
  if (isFromThreads != isToThreads) {
    const Layout &threads = isFromThreads ? from : to;
    const Layout &memory = isFromThreads ? to : from;
    const auto kind = memoryOf(memory, asked);
    if (!kind) return std::nullopt;
    made.kind = LayoutMove::Kind::Access;
    auto places = layouts::placesOf(threads, memory);
    if (absl::IsResourceExhausted(places.status())) return std::nullopt;
    INDEXICAL_RETURN_IF_ERROR(places.status());
    INDEXICAL_ASSIGN_OR_RETURN(made.access,
                               accessTo(*places, *bits, *kind, asked));
    return made;
  }
  made.kind = LayoutMove::Kind::Copy;
  const auto run = layouts::commonRun(from, to, *bits, memorySizesOf(asked));
  if (!run.ok()) return std::nullopt;
  made.vector = *run;
  return made;
}

namespace {

llvm::StringRef answerWord(const Equality &equality) {
  return equality.answer == Answer::Yes  ? "equal"
         : equality.answer == Answer::No ? "different"
                                         : "undecided";
}

llvm::StringRef memoryWord(Memory memory) {
  return memory == Memory::Shared ? "shared" : "global";
}

}  // namespace

void writeFigures(const LayoutAccess &access, llvm::raw_ostream &os) {
  const AccessFigures &f = access.figures;
  os << "vectors of " << f.vector << ", " << f.accesses << " accesses, ";
  if (access.memory == Memory::Shared)
    os << f.wavefronts << " wavefronts (" << f.wavefrontsFewest
       << " at least), conflicts " << f.conflicts << '\n';
  else
    os << f.sectors << " sectors (" << f.sectorsFewest << " at least), "
       << f.lines << " lines\n";
}

namespace {

void writeSpaces(const DescribedLayout &described, llvm::raw_ostream &os) {
  const Layout &layout = described.layout;
  const char *separator = "";
  for (const Space &space : layout.inputs()) {
    os << separator << space.name << " in [0, " << space.size - 1 << "]";
    separator = ", ";
  }
  if (layout.inputs().empty()) os << "()";
  os << " -> ";
  separator = "";
  for (auto [space, bounds] : llvm::zip(layout.outputs(), described.bounds)) {
    os << separator << space.name;
    if (space.size != 0)
      os << " of " << space.size;
    else
      os << " in " << bounds.str();
    separator = ", ";
  }
  os << '\n';
}

/// Writes how the element changes from lane to lane.
void writeStrides(const Layout &layout, llvm::raw_ostream &os) {
  int lane = -1;
  for (const auto &[k, space] : llvm::enumerate(layout.inputs()))
    if (space.name == "lane") lane = static_cast<int>(k);
  if (lane < 0 || !layout.form()) return;
  std::vector<std::pair<int64_t, std::string>> strides;
  for (auto [sum, space] : llvm::zip(*layout.form(), layout.outputs()))
    for (const Digit &digit : sum.digits)
      if (digit.input == lane)
        strides.push_back(
            {digit.step, absl::StrCat(space.name, " by ", digit.weight, ", ",
                                      digit.size, " times")});
  if (strides.empty()) return;
  llvm::stable_sort(strides, llvm::less_first());
  os << "lane to lane: ";
  os << absl::StrJoin(strides, "; ", [](std::string *to, const auto &each) {
    to->append(each.second);
  }) << '\n';
}

void writeFacts(const layouts::Facts &facts, llvm::raw_ostream &os) {
  if (!facts.image) {
    os << "the number of values was not found\n";
    return;
  }
  if (*facts.oneToOne)
    os << "one to one";
  else
    os << *facts.points << " points, " << *facts.image << " values";
  if (!*facts.oneToOne && facts.copies)
    os << ", each " << *facts.copies << " times";
  if (facts.onto) os << (*facts.onto ? ", onto" : ", not onto");
  os << '\n';
}

}  // namespace

void writeLayout(const DescribedLayout &described, llvm::raw_ostream &os) {
  const Layout &layout = described.layout;
  writeSpaces(described, os);
  if (layout.form()) {
    for (auto [sum, space] : llvm::zip(*layout.form(), layout.outputs()))
      os << "  " << space.name << " = " << printSum(sum, layout.inputs())
         << '\n';
  } else {
    os << "  no form: " << layout.reason() << "\n  " << described.map << '\n';
  }
  writeFacts(described.facts, os);
  if (layout.notes().beyond.value_or(false))
    os << "the inner layout goes beyond the outer one\n";
  if (layout.notes().fills)
    os << (*layout.notes().fills ? "fills all offsets\n" : "leaves gaps\n");
  writeStrides(layout, os);
  if (described.cute) os << "cute: " << *described.cute << '\n';
  if (described.xla) os << "xla: " << *described.xla << '\n';
  if (described.value) os << "value: " << joined(*described.value) << '\n';
  if (described.holders) {
    os << "holders:";
    if (described.holders->empty()) os << " none";
    for (const Coordinates &holder : *described.holders)
      os << ' ' << joined(holder);
    os << '\n';
  }
  if (described.access) {
    os << memoryWord(described.access->memory) << ": ";
    writeFigures(*described.access, os);
  }
}

void writeMove(const LayoutMove &move, llvm::raw_ostream &os) {
  switch (move.kind) {
    case LayoutMove::Kind::Convert: {
      const Conversion &c = move.conversion;
      os << "convert: " << levelName(c.level);
      if (c.element) os << ", nobody has " << joined(*c.element);
      if (c.moved > 0)
        os << ", " << c.moved << " elements move, " << c.least
           << " at most to a thread";
      os << '\n';
      break;
    }
    case LayoutMove::Kind::Access:
      os << memoryWord(move.access->memory) << ": ";
      writeFigures(*move.access, os);
      break;
    case LayoutMove::Kind::Copy:
      os << "copy: runs of " << move.vector << '\n';
      break;
  }
  if (move.store) {
    os << "store: ";
    writeFigures(*move.store, os);
    os << "load: ";
    writeFigures(*move.load, os);
  }
}

//===-- JSON --------------------------------------------------------------===//

namespace {

void numberList(json::OStream &json, llvm::StringRef key,
                llvm::ArrayRef<int64_t> numbers) {
  json.attributeArray(key, [&] {
    for (int64_t number : numbers) json.value(number);
  });
}

void formMembers(const Layout &layout, json::OStream &json) {
  json.attributeArray("form", [&] {
    for (const Sum &sum : *layout.form())
      json.object([&] {
        json.attribute("constant", sum.constant);
        json.attributeArray("digits", [&] {
          for (const Digit &digit : sum.digits)
            json.object([&] {
              json.attribute("input", layout.inputs()[digit.input].name);
              json.attribute("step", digit.step);
              json.attribute("size", digit.size);
              json.attribute("weight", digit.weight);
            });
        });
        json.attributeArray("parities", [&] {
          for (const Parity &parity : sum.parities)
            json.object([&] {
              json.attribute("weight", parity.weight);
              json.attributeArray("bits", [&] {
                for (const auto &bit : parity.bits)
                  json.object([&] {
                    json.attribute("input", layout.inputs()[bit.first].name);
                    json.attribute("bit", bit.second);
                  });
              });
            });
        });
      });
  });
}

}  // namespace

void accessMembers(const LayoutAccess &access, json::OStream &json) {
  const AccessFigures &f = access.figures;
  json.attribute("kind", memoryWord(access.memory));
  json.attribute("vector", f.vector);
  json.attribute("accesses", f.accesses);
  if (access.memory == Memory::Shared) {
    json.attribute("conflicts", f.conflicts);
    json.attribute("wavefronts", f.wavefronts);
    json.attribute("wavefronts_fewest", f.wavefrontsFewest);
  } else {
    json.attribute("sectors", f.sectors);
    json.attribute("sectors_fewest", f.sectorsFewest);
    json.attribute("lines", f.lines);
  }
}

namespace {

void spacesMembers(const DescribedLayout &described, json::OStream &json) {
  json.attributeArray("inputs", [&] {
    for (const Space &space : described.layout.inputs())
      json.object([&] {
        json.attribute("name", space.name);
        json.attribute("size", space.size);
      });
  });
  json.attributeArray("outputs", [&] {
    for (auto [space, bounds] :
         llvm::zip(described.layout.outputs(), described.bounds))
      json.object([&, &space = space, &bounds = bounds] {
        json.attribute("name", space.name);
        if (space.size != 0) {
          json.attribute("size", space.size);
        } else if (bounds.isFinite()) {
          json.attribute("least", bounds.lower);
          json.attribute("greatest", bounds.upper);
        }
      });
  });
}

}  // namespace

void layoutMembers(const DescribedLayout &described, json::OStream &json) {
  const Layout &layout = described.layout;
  const Notes &notes = layout.notes();
  if (!notes.text.empty()) json.attribute("text", notes.text);
  if (!described.map.empty()) json.attribute("map", described.map);
  spacesMembers(described, json);
  if (layout.form())
    formMembers(layout, json);
  else
    json.attribute("reason", layout.reason());
  const auto optional = [&](llvm::StringRef key, const auto &value) {
    if (value) json.attribute(key, *value);
  };
  optional("points", described.facts.points);
  optional("image", described.facts.image);
  optional("one_to_one", described.facts.oneToOne);
  optional("onto", described.facts.onto);
  optional("copies", described.facts.copies);
  optional("cute", described.cute);
  optional("linear", described.linear);
  optional("xla", described.xla);
  optional("beyond", notes.beyond);
  optional("fills", notes.fills);
  if (described.value) numberList(json, "value", *described.value);
  if (described.holders)
    json.attributeArray("holders", [&] {
      for (const Coordinates &holder : *described.holders)
        json.object([&] {
          for (auto [space, number] : llvm::zip(layout.inputs(), holder))
            json.attribute(space.name, number);
        });
    });
  if (described.access)
    json.attributeObject("access",
                         [&] { accessMembers(*described.access, json); });
}

namespace {

void equalityMembers(const Equality &equality, json::OStream &json) {
  json.attribute("answer", answerWord(equality));
  json.attribute("engine", equality.engine);
  if (!equality.reason.empty()) json.attribute("reason", equality.reason);
  if (!equality.point) return;
  numberList(json, "point", *equality.point);
  numberList(json, "first", *equality.first);
  numberList(json, "second", *equality.second);
}

}  // namespace

void moveMembers(const LayoutMove &move, json::OStream &json) {
  if (move.kind == LayoutMove::Kind::Access) {
    accessMembers(*move.access, json);
    return;
  }
  if (move.kind == LayoutMove::Kind::Copy) {
    json.attribute("kind", "copy");
    json.attribute("vector", move.vector);
    return;
  }
  json.attribute("kind", "convert");
  json.attribute("level", levelName(move.conversion.level));
  if (move.conversion.element)
    numberList(json, "element", *move.conversion.element);
  if (move.conversion.level != Level::Impossible) {
    json.attribute("moved", move.conversion.moved);
    json.attribute("least", move.conversion.least);
  }
  if (!move.store) return;
  json.attributeObject("store", [&] { accessMembers(*move.store, json); });
  json.attributeObject("load", [&] { accessMembers(*move.load, json); });
}

void LayoutResult::text(llvm::raw_ostream &os, TextStyle) {
  if (asked_.to) {
    for (const DescribedLayout &each : described_)
      os << print(each.layout, *asked_.to, asked_.type).value_or("") << '\n';
    return;
  }
  for (const DescribedLayout &each : described_) {
    writeLayout(each, os);
    if (asked_.wantsTable())
      // The size of the table was checked before.
      (void)writeLayoutTable(each.layout, asked_.view, os);
  }
  if (equality_) {
    os << answerWord(*equality_);
    if (equality_->point)
      os << ": at " << joined(*equality_->point) << " the first has "
         << joined(*equality_->first) << ", the second "
         << joined(*equality_->second);
    else if (!equality_->reason.empty())
      os << ": " << equality_->reason;
    os << " (" << equality_->engine << ")\n";
  }
  if (move_) writeMove(*move_, os);
}

void LayoutResult::structure(Structure &to) {
  to.head([&](json::OStream &json) {
    json.attributeArray("layouts", [&] {
      for (const DescribedLayout &each : described_)
        json.object([&] { layoutMembers(each, json); });
    });
    if (equality_)
      json.attributeObject("equal", [&] { equalityMembers(*equality_, json); });
    if (move_) json.attributeObject("move", [&] { moveMembers(*move_, json); });
  });
}

}  // namespace indexical
