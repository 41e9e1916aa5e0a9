#include "indexical/answers/layout/layout.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/layout/encoding.h"

namespace indexical {

using layouts::Coordinates;
using layouts::Layout;
using layouts::Memory;
using layouts::Notation;
using layouts::Notes;
using layouts::Space;

namespace {

/// Returns the bits of an element: of the type that the question says, else of
/// that which the layout says. Nothing: neither does.
absl::StatusOr<std::optional<int64_t>> elementBitsOf(
    const Layout &layout, const LayoutQuestion &question) {
  const std::string &type =
      question.type.empty() ? layout.notes().elementType : question.type;
  if (type.empty()) return std::nullopt;
  const auto bits = layouts::bitsOfType(type);
  if (!bits)
    return absl::InvalidArgumentError(
        absl::StrCat("`", type, "` is not a type of an element"));
  return bits;
}

/// Returns the banks, sectors and vectors of the device.
layouts::MemorySizes memorySizesOf(const LayoutQuestion &question) {
  layouts::MemorySizes sizes;
  sizes.banks = Device::kBanks;
  sizes.sector = question.device->sector;
  sizes.line = question.device->line;
  sizes.vector = question.device->vectorBytes;
  return sizes;
}

bool isOfThreads(const Layout &layout) {
  return !layout.inputs().empty() &&
         llvm::all_of(layout.inputs(), [](const Space &space) {
           return space.name == "register" || space.name == "lane" ||
                  space.name == "warp" || space.name == "block";
         });
}

/// Returns the memory that a layout of offsets is in.
std::optional<Memory> memoryOf(const Layout &layout,
                               const LayoutQuestion &question) {
  const Notes::Memory space = question.space != Notes::Memory::Unknown
                                  ? question.space
                                  : layout.notes().memory;
  if (space == Notes::Memory::Shared) return Memory::Shared;
  if (space == Notes::Memory::Global) return Memory::Global;
  return std::nullopt;
}

absl::StatusOr<LayoutAccess> accessTo(const Layout &places, int64_t bits,
                                      Memory memory,
                                      const LayoutQuestion &question) {
  LayoutAccess made;
  made.memory = memory;
  INDEXICAL_ASSIGN_OR_RETURN(
      made.figures, layouts::accessOf(places, bits, memory, question.registers,
                                      memorySizesOf(question)));
  return made;
}

absl::StatusOr<Coordinates> pointAsked(const Layout &layout,
                                       const LayoutQuestion &question) {
  Coordinates point(layout.inputs().size(), 0);
  for (const auto &[name, number] : question.at) {
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

}  // namespace

absl::StatusOr<DescribedLayout> describeLayout(const Layout &layout,
                                               const LayoutQuestion &question) {
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
  made.linear = print(layout, Notation::Linear, question.type);
  made.xla = print(layout, Notation::Xla, question.type);
  if (!question.at.empty()) {
    INDEXICAL_ASSIGN_OR_RETURN(const Coordinates point,
                               pointAsked(layout, question));
    made.value = layout.at(point);
  }
  if (question.element) {
    INDEXICAL_ASSIGN_OR_RETURN(made.holders, layout.holders(*question.element));
  }
  const bool isAccess = isOfThreads(layout) && layout.outputs().size() == 1 &&
                        layout.outputs()[0].name == "offset";
  const auto memory = memoryOf(layout, question);
  INDEXICAL_ASSIGN_OR_RETURN(const auto bits, elementBitsOf(layout, question));
  if (isAccess && memory && bits) {
    INDEXICAL_ASSIGN_OR_RETURN(made.access,
                               accessTo(layout, *bits, *memory, question));
  }
  return made;
}

absl::StatusOr<std::optional<LayoutMove>> moveBetween(
    const Layout &from, const Layout &to, const std::optional<Layout> &through,
    const LayoutQuestion &question) {
  const bool isFromThreads = isOfThreads(from), isToThreads = isOfThreads(to);
  LayoutMove made;
  // Of pointers and what they point to, the memory has the latter.
  const bool isFirstMemory = isToThreads && !isFromThreads;
  const Layout &memoryFirst = isFirstMemory ? from : to;
  INDEXICAL_ASSIGN_OR_RETURN(auto bits, elementBitsOf(memoryFirst, question));
  if (!bits) {
    INDEXICAL_ASSIGN_OR_RETURN(
        bits, elementBitsOf(isFirstMemory ? to : from, question));
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
                                 accessTo(in, *bits, Memory::Shared, question));
      INDEXICAL_ASSIGN_OR_RETURN(
          made.load, accessTo(out, *bits, Memory::Shared, question));
    }
    return made;
  }
  if (!bits) return std::nullopt;
  if (isFromThreads != isToThreads) {
    const Layout &threads = isFromThreads ? from : to;
    const Layout &memory = isFromThreads ? to : from;
    const auto kind = memoryOf(memory, question);
    if (!kind) return std::nullopt;
    made.kind = LayoutMove::Kind::Access;
    auto places = layouts::placesOf(threads, memory);
    if (absl::IsResourceExhausted(places.status())) return std::nullopt;
    INDEXICAL_RETURN_IF_ERROR(places.status());
    INDEXICAL_ASSIGN_OR_RETURN(made.access,
                               accessTo(*places, *bits, *kind, question));
    return made;
  }
  made.kind = LayoutMove::Kind::Copy;
  const auto run = layouts::commonRun(from, to, *bits, memorySizesOf(question));
  if (!run.ok()) return std::nullopt;
  made.vector = *run;
  return made;
}

absl::StatusOr<LayoutPair> comparedLayouts(
    std::vector<DescribedLayout> described,
    const std::optional<Layout> &through, const LayoutQuestion &question) {
  LayoutPair pair;
  if (described.size() == 2) {
    const Layout &first = described[0].layout, &second = described[1].layout;
    pair.equality = layouts::equal(first, second);
    INDEXICAL_ASSIGN_OR_RETURN(pair.move,
                               moveBetween(first, second, through, question));
  }
  pair.layouts = std::move(described);
  return pair;
}

absl::StatusOr<LayoutPair> layoutsOf(llvm::ArrayRef<Layout> layouts,
                                     const LayoutQuestion &question) {
  std::vector<DescribedLayout> described;
  for (const Layout &each : layouts) {
    INDEXICAL_ASSIGN_OR_RETURN(auto made, describeLayout(each, question));
    described.push_back(std::move(made));
  }
  return comparedLayouts(std::move(described), std::nullopt, question);
}

absl::StatusOr<SuitedMemories> memoriesFor(
    std::vector<DescribedLayout> accesses, size_t most,
    const LayoutQuestion &question) {
  SuitedMemories made;
  std::vector<Layout> layouts;
  std::optional<int64_t> bits;
  for (const DescribedLayout &each : accesses) {
    layouts.push_back(each.layout);
    INDEXICAL_ASSIGN_OR_RETURN(const auto own,
                               elementBitsOf(each.layout, question));
    if (!bits) bits = own;
  }
  if (!bits)
    return absl::InvalidArgumentError(
        "--search needs the type of an element: --type=f16");
  INDEXICAL_ASSIGN_OR_RETURN(
      made.search,
      layouts::searchMemory(layouts, *bits, most, memorySizesOf(question)));
  made.accesses = std::move(accesses);
  return made;
}

llvm::StringRef nameOf(const layouts::Equality &equality) {
  return equality.answer == Answer::Yes  ? "equal"
         : equality.answer == Answer::No ? "different"
                                         : "undecided";
}

llvm::StringRef nameOf(Memory memory) {
  return memory == Memory::Shared ? "shared" : "global";
}

}  // namespace indexical
