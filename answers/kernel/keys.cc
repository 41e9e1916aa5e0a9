#include "indexical/answers/kernel/keys.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/Sequence.h"

#include "indexical/answers/report/keys.h"
#include "indexical/answers/words.h"
#include "indexical/program/maps/map_copy.h"

namespace indexical {

using kernels::AccessKind;

llvm::StringRef nameOf(AccessKind kind) {
  switch (kind) {
    case AccessKind::Load:
      return "load";
    case AccessKind::Store:
      return "store";
    case AccessKind::Atomic:
      break;
  }
  return "atomic";
}

llvm::StringRef nameOf(kernels::MaskKind mask) {
  switch (mask) {
    case kernels::MaskKind::None:
      return "none";
    case kernels::MaskKind::Exact:
      return "exact";
    case kernels::MaskKind::Cover:
      break;
  }
  return "cover";
}

std::string reasonOf(const KernelAccessEntry &of) {
  if (of.figures) return of.access.reason;
  if (!of.measured.reason.empty()) return of.measured.reason;
  return of.measured.traffic ? wordsOf(of.measured.traffic->why) : "";
}

namespace {

//===-- What several keys ask ---------------------------------------------===//

bool hasLayout(const KernelAccessEntry &of) {
  return of.access.layoutFrom != kernels::LayoutSource::None;
}

void accessesOf(const FindingsEntry &of, AccessKind kind, KeyValue &to) {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < of.found.kernel.accesses.size(); ++i)
    if (of.found.kernel.accesses[i].kind == kind) numbers.push_back(i);
  to.list(numbers, [&](size_t number, KeyValue &each) {
    each.object(KernelAccessEntry{of.found, number, of.device});
  });
}

void sharedAccessesOf(const FindingsEntry &of, KeyValue &to) {
  const auto &accesses = of.found.kernel.shared;
  if (accesses.empty()) return;
  to.list(llvm::seq(accesses.size()), [&](size_t number, KeyValue &each) {
    each.object(SharedAccessEntry{accesses[number], of.found.shared[number]});
  });
}

}  // namespace

//===-- The keys ----------------------------------------------------------===//

template <>
KeyList<FindingsEntry> keysOf<FindingsEntry>() {
  static constexpr Key<FindingsEntry> kKeys[] = {
      {kKeysOf, "[the head](#the-head)", "", "", nullptr},
      {"device", "[device](#a-device)", "never", "",
       [](const FindingsEntry &of, KeyValue &to) { to.object(of.device); }},
      {"function", "string", "never", "the name of the function",
       [](const FindingsEntry &of, KeyValue &to) {
         to.text(of.found.kernel.function);
       },
       Column{1}},
      {"form", "`\"ttir\"`, `\"ttgir\"` or `\"llvm\"`", "never",
       "the language of the file; of one in Python, that into which it is read",
       [](const FindingsEntry &of, KeyValue &to) {
         to.text(of.found.kernel.form);
       }},
      {"instruction", "string", "it is of no module",
       "the custom call that holds the kernel",
       [](const FindingsEntry &of, KeyValue &to) {
         to.textIfAny(of.found.instruction);
       },
       Column{2}},
      {"launch", "integer >= 0", "it is not a launch of a record",
       "the number of the launch in the record",
       [](const FindingsEntry &of, KeyValue &to) {
         if (of.found.launch >= 0) to.integer(of.found.launch);
       },
       Column{3}},
      {"request", "integer >= 1", "`--requests` was not given",
       "the line of the request",
       [](const FindingsEntry &of, KeyValue &to) {
         if (of.found.request > 0) to.integer(of.found.request);
       }},
      {"id", "string", "`--requests` was not given, or the request has none",
       "the `id` of the request",
       [](const FindingsEntry &of, KeyValue &to) {
         to.textIfAny(of.found.id);
       }},
      {"grid", "list of integers", "with `grid_sizes`",
       "programs along x, y and z",
       [](const FindingsEntry &of, KeyValue &to) {
         if (of.found.openGrid.empty()) to.integers(of.found.kernel.grid);
       }},
      {"grid_sizes", "string", "the grid is known: `grid`",
       "the grid in names, some of which have no value; of the accesses only "
       "`wraps` is then known",
       [](const FindingsEntry &of, KeyValue &to) {
         to.textIfAny(of.found.openGrid);
       }},
      {"constants", "list of [constants](#a-constant-of-a-kernel)",
       "the file is not in Python",
       "parameters of the function that are constants",
       [](const FindingsEntry &of, KeyValue &to) {
         namedValuesOf(of.found.constants, to);
       }},
      {"config", "list of [constants](#a-constant-of-a-kernel)",
       "the kernel has no `triton.Config`",
       "the values of the configuration; each configuration has a document of "
       "its own",
       [](const FindingsEntry &of, KeyValue &to) {
         if (of.found.configNumber >= 0) namedValuesOf(of.found.config, to);
       }},
      {"config_number", "integer >= 0", "with no `config`",
       "the number of the configuration among those of the kernel",
       [](const FindingsEntry &of, KeyValue &to) {
         if (of.found.configNumber >= 0) to.integer(of.found.configNumber);
       }},
      {"missing", "list of strings", "nothing is missing",
       "options that would decide more: the value of an integer, "
       "`--arg=n=NUMBER`, and the shape of an array, `--shape=x=SHAPE`",
       [](const FindingsEntry &of, KeyValue &to) {
         to.textsIfAny(of.found.missing);
       }},
      {"taken", "list of [what is taken](#what-is-taken)",
       "the file is not in Python, and says the warps",
       "the assumptions of the answer",
       [](const FindingsEntry &of, KeyValue &to) {
         if (of.found.taken.empty()) return;
         to.list(of.found.taken, [](const kernels::Taken &taken,
                                    KeyValue &each) { each.object(taken); });
       }},
      {"wraps", "[wraps](#wraps)",
       "the file is not in Python, and the grid has no names",
       "the sizes from which 32-bit integers overflow",
       [](const FindingsEntry &of, KeyValue &to) {
         if (of.found.kernel.wraps) to.object(*of.found.kernel.wraps);
       }},
      {"ttir", "string", "without `--print=ttir`", "the TTIR that was read",
       [](const FindingsEntry &of, KeyValue &to) {
         to.textIfAny(of.found.ttir);
       }},
      {"block", "list of integers",
       "nothing says the warps: `--of` names a computation that no fusion "
       "calls",
       "threads of a program along x, y and z",
       [](const FindingsEntry &of, KeyValue &to) {
         if (of.found.kernel.warps)
           to.integers(kernels::blockOf(of.found.kernel));
       }},
      {"arguments", "list of [arguments](#an-argument-of-a-kernel)", "never",
       "in order",
       [](const FindingsEntry &of, KeyValue &to) {
         to.list(llvm::seq(of.found.kernel.arguments.size()),
                 [&](size_t number, KeyValue &each) {
                   each.object(ArgumentEntry{of.found, number});
                 });
       }},
      {"in_bounds", "[check](#in-bounds)", "never", "the worst of all accesses",
       [](const FindingsEntry &of, KeyValue &to) {
         to.object(of.found.worstBounds(), keysOfBounds().keys);
       }},
      {"written_once", "[check](#written-once)", "never",
       "whether no element has two writes without an order: two stores, by "
       "two programs or by one, or a store of one program and an atomic "
       "operation of another one; arguments are different buffers, except "
       "those of `--alias`",
       [](const FindingsEntry &of, KeyValue &to) {
         to.object(of.found.once, keysOfWrittenOnce().keys);
       }},
      {"overwritten", "[check](#overwritten)",
       "no array is both loaded and stored, and `--alias` was not given",
       "whether no load reads an element that another access may have "
       "overwritten",
       [](const FindingsEntry &of, KeyValue &to) {
         giveCheck(of.found.overwritten, keysOfOverwritten(), to);
       }},
      {"shared_overwritten", "[check](#overwritten-in-shared-memory)",
       "the kernel was not compiled, or no variable of shared memory is both "
       "loaded and stored",
       "whether no thread loads an element of shared memory that another "
       "thread of its block may store without a barrier between them",
       [](const FindingsEntry &of, KeyValue &to) {
         giveCheck(of.found.sharedOverwritten, keysOfSharedOverwritten(), to);
       }},
      {"of", "[comparison](#a-kernel-and-its-fusion)",
       "`--of` was not given, or names a kernel", "",
       [](const FindingsEntry &of, KeyValue &to) {
         if (of.found.comparison) to.object(*of.found.comparison);
       }},
      {"judge", "[judge](#a-judged-kernel)",
       "`--of` was not given, or names no kernel",
       "whether the kernel does what the kernel of `--of` does",
       [](const FindingsEntry &of, KeyValue &to) {
         if (of.found.judge) to.object(JudgeEntry{of.found, *of.found.judge});
       }},
      {"complete", "`false`", "all is understood",
       "something is not understood: what depends on it is missing",
       [](const FindingsEntry &of, KeyValue &to) {
         to.ifFalse(!of.found.kernel.incomplete);
       }},
      {"reason", "string", "with no `complete`", "what that is",
       [](const FindingsEntry &of, KeyValue &to) {
         if (const auto &incomplete = of.found.kernel.incomplete)
           to.text(incomplete->reason);
       }},
      {"line", "integer >= 1", "with no `complete`; it has no place",
       "where it stands",
       [](const FindingsEntry &of, KeyValue &to) {
         if (const auto &incomplete = of.found.kernel.incomplete;
             incomplete && incomplete->place.known())
           to.integer(incomplete->place.line);
       }},
      {"moved_bytes", "integer >= 0 or null", "never",
       "an upper bound on the bytes of the sectors of all loads and stores; "
       "`null` if none of these has figures. With `bytes_least`, a lower bound",
       [](const FindingsEntry &of, KeyValue &to) {
         to.integerOrNull(of.found.moved());
       }},
      {"used_bytes", "integer >= 0 or null", "never",
       "`moved_bytes` less `wasted_bytes`; `null` also with `bytes_least` if "
       "these have bounds",
       [](const FindingsEntry &of, KeyValue &to) {
         to.integerOrNull(of.found.used());
       }},
      {"wasted_bytes", "integer >= 0 or null", "never",
       "an upper bound on the bytes of the sectors beyond the fewest; `null`, "
       "or with `bytes_least` a lower bound, as for `moved_bytes`",
       [](const FindingsEntry &of, KeyValue &to) {
         to.integerOrNull(of.found.wasted());
       }},
      {"bytes_least", "`true`", "`moved_bytes` has all accesses, or is `null`",
       "`moved_bytes`, `used_bytes` and `wasted_bytes` leave something out: an "
       "access without figures, an atomic operation, or what is not understood",
       [](const FindingsEntry &of, KeyValue &to) {
         to.ifTrue(of.found.areSumsKnown() && !of.found.areSumsWhole());
       }},
      {"predicted_us", "number", "an access has no figures",
       "how long a launch takes, by [the model](report.md#predicted-times)",
       [](const FindingsEntry &of, KeyValue &to) {
         if (of.found.time) to.number(of.found.time->total(), 3);
       }},
      {"predicted_least", "`true`", "with no `predicted_us`; it does not hold",
       "`predicted_us` is a lower bound: for some of its bytes only bounds "
       "are known",
       [](const FindingsEntry &of, KeyValue &to) {
         to.ifTrue(of.found.demand && of.found.demand->isLeast);
       }},
      {"shared_bytes", "integer >= 1", "it allocates none",
       "the bytes of shared memory that the file allocates for a program",
       [](const FindingsEntry &of, KeyValue &to) {
         if (of.found.kernel.sharedBytes > 0)
           to.integer(of.found.kernel.sharedBytes);
       }},
      {"reads", "list of [accesses](#an-access-of-a-kernel)", "never",
       "loads, in the order of the file",
       [](const FindingsEntry &of, KeyValue &to) {
         accessesOf(of, AccessKind::Load, to);
       }},
      {"writes", "list of [accesses](#an-access-of-a-kernel)", "never",
       "stores",
       [](const FindingsEntry &of, KeyValue &to) {
         accessesOf(of, AccessKind::Store, to);
       }},
      {"atomics", "list of [accesses](#an-access-of-a-kernel)", "never",
       "atomic operations; no sum includes their traffic",
       [](const FindingsEntry &of, KeyValue &to) {
         accessesOf(of, AccessKind::Atomic, to);
       }},
      {"shared",
       "list of [accesses of shared memory](#an-access-of-shared-memory)",
       "there are none",
       "loads and stores of shared memory, in the order of the file",
       [](const FindingsEntry &of, KeyValue &to) { sharedAccessesOf(of, to); }},
      {"thread_accesses",
       "list of [accesses of a thread](#an-access-of-a-thread)",
       "`--at` was not given", "what the thread accesses, in order",
       [](const FindingsEntry &of, KeyValue &to) {
         if (!of.found.ofThread) return;
         to.list(*of.found.ofThread,
                 [](const kernels::ListedAccess &access, KeyValue &each) {
                   each.object(ThreadAccessEntry{access});
                 });
       }},
  };
  return {"What a kernel touches", kKeys};
}

template <>
KeyList<ArgumentEntry> keysOf<ArgumentEntry>() {
  static constexpr Key<ArgumentEntry> kKeys[] = {
      {"number", "integer >= 0", "never", "from 0",
       [](const ArgumentEntry &of, KeyValue &to) { to.integer(of.number); }},
      {"name", "string", "never", "as in the file, without `%`",
       [](const ArgumentEntry &of, KeyValue &to) {
         to.text(of.argument().name);
       }},
      {"type", "string", "never", "MLIR's",
       [](const ArgumentEntry &of, KeyValue &to) {
         to.text(of.argument().type);
       }},
      {"shape", "string", "it is not known",
       "the array behind a pointer, of `--shape`, `--of`, the launch or the "
       "custom call",
       [](const ArgumentEntry &of, KeyValue &to) {
         if (const auto &array = of.found.arrays[of.number])
           to.text(array->str(/*withLayout=*/true));
       }},
      {"value", "integer", "it is not known", "of `--arg`, or of the launch",
       [](const ArgumentEntry &of, KeyValue &to) {
         to.integer(of.argument().value);
       }},
      {"float", "string", "it is not a float, or not known",
       "the value of an argument that is a float, of `--arg`",
       [](const ArgumentEntry &of, KeyValue &to) {
         if (of.argument().number) to.text(absl::StrCat(*of.argument().number));
       }},
      {"divisibility", "integer >= 1", "the file has none",
       "`tt.divisibility`: what divides the pointer's bytes, or the integer",
       [](const ArgumentEntry &of, KeyValue &to) {
         to.integer(of.argument().divisibility);
       }},
  };
  return {"An argument of a kernel", kKeys};
}

template <>
KeyList<KernelAccessEntry> keysOf<KernelAccessEntry>() {
  static constexpr Key<KernelAccessEntry> kKeys[] = {
      {"op", "string", "never", "`tt.load`",
       [](const KernelAccessEntry &of, KeyValue &to) { to.text(of.access.op); },
       Column{5}},
      {"line", "integer >= 0", "never",
       "the place of the op in the file; 0: not known",
       [](const KernelAccessEntry &of, KeyValue &to) {
         to.integer(of.access.place.line);
       },
       Column{6}},
      {"column", "integer >= 0", "never",
       "the column of the op in its line; 0: not known",
       [](const KernelAccessEntry &of, KeyValue &to) {
         to.integer(of.access.place.column);
       },
       Column{7}},
      {"source", "string", "the op has no `loc`",
       "the line of the program that it comes from, the innermost",
       [](const KernelAccessEntry &of, KeyValue &to) {
         sourceOf(of.access.stack, to);
       },
       Column{8}},
      {"stack", "list of strings", "with no `source`",
       "all lines, the innermost first",
       [](const KernelAccessEntry &of, KeyValue &to) {
         stackOf(of.access.stack, to);
       },
       Column{9}},
      {"argument", "integer >= 0", "it may be one of several, or is never made",
       "the buffer",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.access.argument() >= 0) to.integer(of.access.argument());
       },
       Column{10}},
      {"map", "string", "it is not affine, or is never made",
       "`(bl_x, bl_y, bl_z)[loops, t0, …] -> (element)`: from the program, its "
       "loops and the coordinates of the tile to the number of the element, "
       "where the mask holds; several pieces with `; ` between them, which do "
       "not overlap unless `mask` is `cover`",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (!of.access.maps.empty()) to.text(mapText(of.access.maps));
       },
       Column{11}},
      {"map_arguments", "list of integers", "with `argument`, or with no `map`",
       "the buffer of each piece of `map`; -1: it is not known",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.access.argument() >= 0 || of.access.maps.empty()) return;
         std::vector<int64_t> arguments;
         for (const kernels::PointerMap &map : of.access.maps)
           arguments.push_back(map.argument);
         to.integers(arguments);
       }},
      {"thread_map", "string",
       "there is none: the layout combines bits by xor, or is not known",
       "from the ids of thread and block, the loops, `step` and `vector` to "
       "the coordinates of the tile",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.measured.threads)
           to.text(kernels::tileThreads(*of.measured.threads, of.access)
                       .strOneLine());
       },
       Column{12}},
      {"layout", "string", "a scalar has none", "the layout of the tile",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (hasLayout(of)) to.text(of.access.layoutText);
       },
       Column{13}},
      {"layout_from", "`\"file\"` or `\"coalescing\"`", "with no `layout`",
       "whether the file has it, or the compiler's pass for coalescing will "
       "choose it",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (hasLayout(of))
           to.text(of.access.layoutFrom == kernels::LayoutSource::File
                       ? "file"
                       : "coalescing");
       },
       Column{14}},
      {"mask", "`\"none\"`, `\"exact\"` or `\"cover\"`", "never",
       "`cover`: a part of the mask is not known, and the map has all that it "
       "may let through",
       [](const KernelAccessEntry &of, KeyValue &to) {
         to.text(indexical::nameOf(of.access.mask));
       },
       Column{15}},
      {"replicas", "integer >= 2", "it is 1", "threads that load one element",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (const int64_t replicas = kernels::replicasOf(of.access);
             replicas != 1)
           to.integer(replicas);
       },
       Column{16}},
      {"moved_bytes", "[figure](#a-figure)", "with `reason`",
       "the bytes of the sectors",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.figures) figure(movedOf(*of.figures, of.device), to);
       },
       Column{17}},
      {"accesses", "[figure](#a-figure)", "with `reason`",
       "accesses with an active lane",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.figures) figure(of.figures->accesses, to);
       },
       Column{18}},
      {"active_lanes", "[figure](#a-figure)", "with `reason`",
       "lanes that take part, summed over the accesses",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.figures) figure(of.figures->activeLanes, to);
       },
       Column{19}},
      {"bytes_used", "[figure](#a-figure)", "with `reason`",
       "the different bytes of each access, summed",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.figures) figure(of.figures->bytesUsed, to);
       },
       Column{20}},
      {"sectors", "[figure](#a-figure)", "with `reason`",
       "sectors that the accesses touch, summed",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.figures) figure(of.figures->sectors, to);
       },
       Column{21}},
      {"sectors_fewest", "[figure](#a-figure)", "with `reason`",
       "sectors that the bytes of each access need, summed",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.figures) figure(of.figures->sectorsFewest, to);
       },
       Column{22}},
      {"lines", "[figure](#a-figure)", "with `reason`",
       "cache lines that the accesses touch, summed",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.figures) figure(of.figures->lines, to);
       },
       Column{23}},
      {"distinct_sectors", "[figure](#a-figure)", "with `reason`",
       "different sectors in the whole launch",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.figures) figure(of.figures->distinctSectors, to);
       },
       Column{24}},
      {"wasted_bytes", "[figure](#a-figure)", "with `reason`",
       "the bytes of the sectors beyond the fewest",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.figures) figure(of.figures->wastedBytes, to);
       },
       Column{25}},
      {"exact", "boolean", "with `reason`",
       "whether the figures are attained; otherwise they are bounds, or those "
       "of a load of TTIR with fewer elements than threads, which may get "
       "another layout later",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.figures) to.boolean(of.figures->exact);
       },
       Column{26}},
      {"vector", "integer >= 1", "with `reason`, if there is no layout",
       "elements that a lane takes at once",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.figures)
           to.integer(of.figures->vector);
         else if (of.access.layout || of.access.tile.empty())
           to.integer(of.access.vector);
       },
       Column{27}},
      {"coalesced", "boolean", "with `reason`",
       "whether the access touches less than twice the fewest sectors",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.figures) to.boolean(of.figures->isCoalesced());
       },
       Column{28}},
      {"pattern", "string", "with `reason`",
       "what the lanes do, [in words](#patterns)",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.figures) to.text(nameOf(of.pattern()));
       },
       Column{29}},
      {"pattern_bits", "integer >= 0",
       "with `reason`; the pattern has no figure", "the figure of the pattern",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.figures && hasBits(of.pattern())) to.integer(of.pattern().bits);
       },
       Column{30}},
      {"reversed", "`true`", "with `reason`; it does not hold",
       "the lanes access the elements in reverse order",
       [](const KernelAccessEntry &of, KeyValue &to) {
         to.ifTrue(of.figures && of.pattern().reversed);
       },
       Column{31}},
      {"unaligned", "`true`", "with `reason`; it does not hold",
       "the runs of lanes cut sectors",
       [](const KernelAccessEntry &of, KeyValue &to) {
         to.ifTrue(of.figures && of.pattern().unaligned);
       },
       Column{32}},
      {"remedy", "string",
       "with `reason`; no remedy is plain; `wasted_bytes` has bounds",
       "the recommendation, [in words](#remedies)",
       [](const KernelAccessEntry &of, KeyValue &to) {
         if (of.figures)
           to.textIfAny(wordsOf(of.measured.traffic->finding.remedy));
       },
       Column{33}},
      {"reason", "string", "there are figures and a map, or nothing is made",
       "why there are no figures, or no `map`",
       [](const KernelAccessEntry &of, KeyValue &to) {
         to.textIfAny(reasonOf(of));
       },
       Column{34}},
      {"in_bounds", "[check](#in-bounds)", "never", "",
       [](const KernelAccessEntry &of, KeyValue &to) {
         to.object(of.found.bounds[of.number], keysOfBounds().keys);
       },
       Column{35}},
  };
  return {"An access of a kernel", kKeys};
}

std::vector<llvm::StringRef> kernelColumns() {
  return inOrder({columnsOf<FindingsEntry>(),
                  columnsOf<KernelAccessEntry>(),
                  {{4, "access"}}});
}

std::vector<Described> kernelTables() {
  using Kind = Witness::Kind;
  return {described<FindingsEntry>(),
          described<RefusedKernel>(),
          described<ArgumentEntry>(),
          described<NamedValue>(),
          described<kernels::Taken>(),
          described<kernels::WrapsCheck>(),
          described<WrapSize>(),
          described<KernelAccessEntry>(),
          described<SharedAccessEntry>(),
          described<ThreadAccessEntry>(),
          described(keysOfBounds()),
          described(keysOfWitness(Kind::OutOfBounds)),
          described(keysOfWrittenOnce()),
          described(keysOfWitness(Kind::WrittenTwice)),
          described(keysOfOverwritten()),
          described(keysOfWitness(Kind::Overwritten)),
          described(keysOfSharedOverwritten()),
          described(keysOfWitness(Kind::SharedOverwritten)),
          described<WriterEntry>(),
          described<kernels::FusionComparison>(),
          described(keysOfWitness(Kind::StoredOther)),
          described(keysOfInputs(Kind::StoredOther)),
          described<kernels::ValueDifference>(),
          described(keysOfWitness(Kind::NotStored)),
          described<kernels::ArgumentPair>(),
          described(keysOfWitness(Kind::Touched)),
          described<UnmatchedEntry>(),
          described<JudgeEntry>(),
          described<JudgeSizes>(),
          described<JudgeWitness>(),
          described<JudgeInput>(),
          described<JudgeLane>(),
          described<JudgeSafety>(),
          described<JudgeViolation>(),
          described<JudgeCost>()};
}

}  // namespace indexical
