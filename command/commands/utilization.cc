#include "indexical/analysis/use/utilization.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include "indexical/analysis/tiles/use_formulas.h"
#include "indexical/answers/find_instruction.h"
#include "indexical/answers/words.h"
#include "indexical/command/command.h"
#include "indexical/command/read_options.h"
#include "indexical/command/thread_map_file.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/open_sizes.h"

namespace indexical {
namespace {

namespace json = llvm::json;
using llvm::StringRef;

struct UseOptions {
  std::string computation, instruction;  ///< empty: not given
  std::vector<int64_t> tile, at;         ///< empty: not given
  std::string threadMap;                 ///< a file; empty: not given
  std::optional<IndexingMap> threads;    ///< what it holds
  std::vector<int64_t> block;            ///< empty: not given
  /// Values of elements, by instruction, for runtime variables.
  std::vector<std::pair<std::string, int64_t>> runtime;
  bool inside = false;
  ReadOptions readAs;

  std::vector<int64_t> blockIndex() const {
    std::vector<int64_t> index = block;
    index.resize(3, 0);
    return index;
  }
};

struct UseReport {
  const Module *module;
  const Computation *computation;
  const Instruction *instruction;
  Utilization all;
  std::map<int64_t, std::string> sourceNames;  ///< of Footprint::dependsOn
  /// For operands whose figures depend on unknown sizes.
  std::map<int64_t, UseFormulas> formulas;
  /// The tensors whose sizes formulas name, by number.
  std::map<int64_t, Value> sources;

  /// Returns the sources that the unknown figures depend on, or "" if there are
  /// none.
  std::string dependsOn(const Footprint &footprint) const {
    std::string text;
    for (int64_t source : footprint.dependsOn)
      text += (text.empty() ? "" : ", ") + sourceNames.at(source);
    return text;
  }

  StringRef nameOf(const Use &use) const {
    const Computation &own = use.computation < 0
                                 ? *computation
                                 : module->computations[use.computation];
    return own.instructions[use.instruction].name;
  }
};

/// Returns a tile of a result of unknown sizes. The number of its points is
/// unknown, so figures are formulas.
absl::StatusOr<Share> openTile(const ArrayShape &shape,
                               llvm::ArrayRef<int64_t> sizes,
                               llvm::ArrayRef<int64_t> at) {
  llvm::SmallVector<int64_t, 4> least(shape.dimensions.begin(),
                                      shape.dimensions.end());
  for (size_t k = 0; k < std::min(least.size(), at.size()); ++k)
    if (least[k] == kDynamicSize && at[k] < Interval::kInfinity - 1)
      least[k] = at[k] + 1;
  auto share = Share::tile(least, sizes, at);
  if (share.ok()) share->points = std::nullopt;
  return share;
}

absl::StatusOr<Share> shareOf(const UseOptions &options,
                              const Instruction &instruction,
                              const ArrayShape &shape) {
  if (options.threads) {
    if (options.threads->results().size() != shape.dimensions.size())
      return errorAt(instruction.place,
                     "the thread map has " +
                         std::to_string(options.threads->results().size()) +
                         " results, and `" + instruction.name.str() + "` is " +
                         shape.str());
    return Share::block(*options.threads, options.blockIndex());
  }
  if (options.tile.empty()) return Share::whole();
  std::vector<int64_t> at = options.at;
  if (at.empty()) at.assign(options.tile.size(), 0);
  if (shape.hasUnknownSize()) return openTile(shape, options.tile, at);
  return Share::tile(shape.dimensions, options.tile, at);
}

/// Adds formulas for the operands that have no figures because of sizes.
absl::Status addFormulas(const UseOptions &options, ComputationId computation,
                         InstructionId instruction, ProgramIndexing &maps,
                         UseReport &found) {
  if (options.threads) return absl::OkStatus();
  AskedShare share;
  share.tile.assign(options.tile.begin(), options.tile.end());
  share.at.assign(options.at.begin(), options.at.end());
  if (share.at.empty()) share.at.assign(share.tile.size(), 0);
  for (const Use &use : found.all.operands) {
    const Footprint &f = use.footprint;
    if (f.why == Unfound::Nothing && f.size) continue;
    INDEXICAL_ASSIGN_OR_RETURN(auto formulas,
                               useFormulasOf(maps, computation, instruction,
                                             LeafId(use.operand), share));
    for (const RuntimeVariable &size : formulas.sizes.runtime())
      found.sources[size.source.tensor] = maps.value(size.source.tensor);
    if (formulas.size && !formulas.sizes.runtime().empty())
      found.formulas[use.operand] = std::move(formulas);
  }
  return absl::OkStatus();
}

absl::StatusOr<UseReport> answer(const UseOptions &options,
                                 const Program &program, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(
      auto named,
      findInstruction(program, options.computation, options.instruction));
  if (named.inOthers)
    call.reporter().note({},
                         "several modules have it; the first one's is meant");
  UseReport found;
  found.module = &program.modules[named.module];
  found.computation = &found.module->computations[named.computation];
  found.instruction = &found.computation->instructions[named.instruction];
  const auto leaves = found.instruction->shape.leaves();
  if (leaves.empty())
    return errorAt(found.instruction->place,
                   "`" + found.instruction->name.str() + "` has no array");
  auto share = shareOf(options, *found.instruction, leaves[0]);
  if (!share.ok()) return withPlace(share.status(), found.instruction->place);
  ProgramIndexing maps(*found.module, /*prover=*/nullptr, call.budget());
  llvm::SmallVector<bool, 4> used(options.runtime.size(), false);
  UtilizationOptions how;
  how.exact = ExactOptions(call.budget());
  how.mostPoints = call.budget().operationsOr(how.mostPoints);
  how.unread = call.isForPeople();
  how.jobs = call.jobs();
  how.runtimeValue = [&](const IndexingMap &map,
                         size_t i) -> std::optional<int64_t> {
    const RuntimeVariable &variable = map.runtime()[i];
    if (variable.source.kind != RuntimeSource::Kind::Element)
      return std::nullopt;
    const StringRef name =
        sourceName(*found.module, named.computation, found.instruction,
                   maps.value(variable.source.tensor));
    for (size_t k = 0; k < options.runtime.size(); ++k)
      if (StringRef(options.runtime[k].first) == name) {
        used[k] = true;
        return options.runtime[k].second;
      }
    return std::nullopt;
  };
  INDEXICAL_ASSIGN_OR_RETURN(
      auto all, utilizationOf(maps, named.computation, named.instruction,
                              *share, options.inside, how));
  for (size_t k = 0; k < used.size(); ++k)
    if (!used[k])
      return errorAt({}, "no runtime variable has the value of `" +
                             options.runtime[k].first +
                             "` for the whole share");
  found.all = std::move(all);
  INDEXICAL_RETURN_IF_ERROR(
      addFormulas(options, named.computation, named.instruction, maps, found));
  for (const auto *uses : {&found.all.operands, &found.all.inside})
    for (const Use &use : *uses)
      for (int64_t source : use.footprint.dependsOn)
        found.sourceNames[source] =
            sourceName(*found.module, named.computation, found.instruction,
                       maps.value(source))
                .str();
  return found;
}

//===-- JSON --------------------------------------------------------------===//

template <typename T>
json::Value orNull(const std::optional<T> &figure) {
  return figure ? json::Value(*figure) : json::Value(nullptr);
}

void writeFormulas(const UseReport &found, const UseFormulas &of,
                   json::OStream &json) {
  json.attributeObject("formulas", [&] {
    for (auto [name, formula] :
         {std::pair("size", of.size), std::pair("distinct", of.distinct),
          std::pair("bytes", of.bytes), std::pair("reads", of.reads)})
      if (formula) json.attribute(name, of.str(*formula));
    if (of.box.empty()) return;
    json.attributeArray("box", [&] {
      for (const auto &[least, greatest] : of.box)
        json.array([&, least = least, greatest = greatest] {
          json.value(of.str(least));
          json.value(of.str(greatest));
        });
    });
  });
  writeOpenSizes(json, *found.module, of.sizes, found.sources);
}

void writeUse(const UseReport &found, const Use &use, json::OStream &json) {
  const Footprint &f = use.footprint;
  if (use.operand >= 0)
    json.attribute("operand", use.operand);
  else
    json.attribute("instruction", jsonString(found.nameOf(use)));
  if (use.operand < 0 && use.leaf > 0)
    json.attribute("result", int64_t{use.leaf});
  json.attribute("size", orNull(f.size));
  json.attribute("distinct", orNull(f.distinct));
  json.attribute("bytes", orNull(f.bytes));
  if (f.distinct != 0) {
    json.attributeBegin("box");
    if (f.hasBox)
      json.array([&] {
        for (const Interval &side : f.box)
          json.array([&] {
            json.value(side.lower);
            json.value(side.upper);
          });
      });
    else
      json.value(nullptr);
    json.attributeEnd();
  }
  json.attribute("density", orNull(f.density));
  json.attribute("reads", orNull(f.reads));
  json.attribute("reuse", orNull(f.reuse));
  if (!f.overlap.empty() || found.instruction->shape.leaves()[0].isScalar())
    json.attributeArray("overlap", [&] {
      for (const auto &shared : f.overlap) json.value(orNull(shared));
    });
  else
    json.attribute("overlap", nullptr);
  if (!f.dependsOn.empty())
    json.attribute("depends_on", jsonString(found.dependsOn(f)));
  if (auto formulas = found.formulas.find(use.operand);
      formulas != found.formulas.end())
    writeFormulas(found, formulas->second, json);
}

//===-- Text --------------------------------------------------------------===//

std::string times(double ratio) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", ratio);
  return text;
}

/// Writes the formulas and the sizes in them.
void writeFormulas(const UseReport &found, const UseFormulas &of,
                   llvm::raw_ostream &os) {
  os << "    of " << of.str(*of.size) << " elements: ";
  if (of.distinct) {
    os << of.str(*of.distinct) << " read";
    if (of.bytes) os << ", " << of.str(*of.bytes) << " bytes";
  } else {
    os << "those read are undecided";
  }
  if (of.reads) os << ", " << of.str(*of.reads) << " reads";
  os << '\n';
  if (!of.box.empty()) {
    os << "    within ";
    llvm::ListSeparator by(" x ");
    for (const auto &[least, greatest] : of.box)
      os << by << '[' << of.str(least) << ", " << of.str(greatest) << ']';
    os << '\n';
  }
  writeOpenSizes(os, *found.module, of.sizes, found.sources);
}

void writeFigures(const UseReport &found, const Footprint &f,
                  llvm::raw_ostream &os) {
  auto line = [&]() -> llvm::raw_ostream & { return os << "    "; };
  const std::string dependsOn =
      f.dependsOn.empty() ? "" : ": depends on " + found.dependsOn(f);
  if (!f.distinct) {
    line() << "elements read: undecided, " << wordsOf(f) << dependsOn << '\n';
    if (f.reads) line() << *f.reads << " reads\n";
    return;
  }
  if (*f.distinct == 0) {
    line() << "nothing is read\n";
    return;
  }
  line() << *f.distinct << (*f.distinct == 1 ? " element" : " elements")
         << " read";
  if (f.size && *f.size > 0)
    os << llvm::format(" (%.4g%%)", 100.0 * *f.distinct / *f.size);
  if (f.bytes) os << ", " << *f.bytes << " bytes";
  if (f.reads)
    os << ", " << *f.reads << " reads, " << times(*f.reuse)
       << " of each element";
  os << '\n';
  if (f.hasBox && !f.box.empty()) {
    line() << "within ";
    llvm::ListSeparator by(" x ");
    for (const Interval &side : f.box) os << by << side.str();
    os << ", of which " << llvm::format("%.4g%%", 100 * *f.density) << '\n';
  } else if (!f.hasBox) {
    line() << "where they are: undecided, " << wordsOf(f) << dependsOn << '\n';
  }
  bool shares = false;
  for (const auto &shared : f.overlap) shares |= !shared || *shared > 0;
  if (shares) {
    line() << "shared with the next tile along each dimension: ";
    llvm::ListSeparator comma;
    for (const auto &shared : f.overlap) {
      os << comma;
      if (shared)
        os << *shared;
      else
        os << "undecided";
    }
    os << '\n';
  }
  if (!f.unread || f.unread->isEmpty()) return;
  line() << "never read:\n";
  constexpr size_t kMost = 8;
  for (size_t i = 0; i < f.unread->pieces().size(); ++i) {
    if (i == kMost) {
      line() << "  and " << f.unread->pieces().size() - kMost << " more\n";
      break;
    }
    line() << "  " << f.unread->pieces()[i].strOneLine() << '\n';
  }
}

void writeText(const UseOptions &options, const UseReport &found,
               llvm::raw_ostream &os) {
  os << found.instruction->name << " = "
     << found.instruction->shape->str(/*withLayout=*/false) << ' '
     << found.instruction->opcode;
  auto list = [&](llvm::ArrayRef<int64_t> values) {
    llvm::ListSeparator comma;
    for (int64_t value : values) os << comma << value;
  };
  if (!options.threadMap.empty()) {
    os << ", block (";
    list(options.blockIndex());
    os << ")";
  } else if (!options.tile.empty()) {
    os << ", tile (";
    list(options.tile);
    os << ") at (";
    list(options.at.empty() ? std::vector<int64_t>(options.tile.size(), 0)
                            : options.at);
    os << ")";
  }
  os << '\n';
  for (const auto *uses : {&found.all.operands, &found.all.inside})
    for (const Use &use : *uses) {
      os << "\n  ";
      if (use.operand >= 0) os << "operand " << use.operand << ", ";
      os << found.nameOf(use);
      if (use.leaf > 0) os << " leaf " << use.leaf;
      os << ": " << use.shape.str();
      if (use.operand < 0) os << ", inside";
      os << '\n';
      const auto formulas = found.formulas.find(use.operand);
      if (formulas != found.formulas.end())
        writeFormulas(found, formulas->second, os);
      else
        writeFigures(found, use.footprint, os);
    }
}

class UseResult : public Result {
 public:
  UseResult(const UseOptions &options, const UseReport &found)
      : options_(options), found_(found) {}

  void text(llvm::raw_ostream &os, TextStyle) override {
    writeText(options_, found_, os);
  }

  void structure(Structure &to) override {
    to.head([&](json::OStream &json) {
      json.attribute("instruction", jsonString(found_.instruction->name));
    });
    list("operands", "operand", found_.all.operands, to);
    if (options_.inside) list("inside", "inside", found_.all.inside, to);
  }

 private:
  void list(StringRef name, StringRef kind, llvm::ArrayRef<Use> uses,
            Structure &to) {
    auto of = [&](json::OStream &json) {
      json.attribute("of", jsonString(found_.instruction->name));
    };
    to.beginList(name);
    for (const Use &use : uses) {
      auto members = [&](json::OStream &json) { writeUse(found_, use, json); };
      to.item({kind, members, of});
    }
    to.endList();
  }

  const UseOptions &options_;
  const UseReport &found_;
};

absl::StatusOr<int> utilization(const UseOptions &options, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto program,
                             readProgram(call, options.readAs));
  INDEXICAL_ASSIGN_OR_RETURN(const auto found, answer(options, program, call));
  UseResult result(options, found);
  INDEXICAL_RETURN_IF_ERROR(call.write(result));
  return kDone;
}

std::vector<Option> optionsOf(UseOptions &asked) {
  return {
      nameOption("computation", Names::Computations, asked.computation,
                 "The computation (default: the entry)"),
      nameOption("instruction", Names::Instructions, asked.instruction,
                 "The instruction that reads (default: the root)"),
      numbersOption("tile", "SIZES", 1, asked.tile,
                    "A tile of the result: its sizes, one a dimension"),
      numbersOption("at", "INDEX", 0, asked.at,
                    "Where the tile begins, in elements (default: 0,0,…)"),
      fileOption("thread-map", asked.threadMap,
                 "A file with a map (th_x, th_y, th_z, bl_x, bl_y, "
                 "bl_z)[loops] to the result, of which one block is asked "
                 "about"),
      numbersOption("block", "INDEX", 0, asked.block,
                    "The block, with --thread-map (default: 0,0,0)"),
      runtimeOption(asked.runtime,
                    "The value of the element of that instruction which a "
                    "runtime variable has"),
      flagOption("inside", asked.inside,
                 "Also what is read of every instruction in a fusion or call"),
  };
}

std::optional<std::string> wrongTogether(const UseOptions &asked) {
  if (!asked.at.empty() && asked.tile.empty()) return "--at goes with --tile";
  if (!asked.block.empty() && asked.threadMap.empty())
    return "--block goes with --thread-map";
  if (!asked.tile.empty() && !asked.threadMap.empty())
    return "either --tile or --thread-map says which share";
  if (asked.block.size() > 3) return "--block has the block's three indices";
  return std::nullopt;
}

}  // namespace

Command makeUtilization() {
  auto asked = std::make_shared<UseOptions>();
  Command utilization;
  utilization.name = "utilization";
  utilization.sentence =
      "which part of its operands an instruction reads, and how often: the "
      "whole of it, a tile, or a block of a thread map";
  utilization.example =
      "echo 'f { p = f32[64,64] parameter(0)\n"
      "          ROOT s = f32[32,64] slice(p), slice={[0:64:2], [0:64]} }' |\n"
      "  indexical utilization --tile=8,16";
  utilization.offers = {Offer::Text, Offer::Structure};
  utilization.options = optionsOf(*asked);
  utilization.check = [asked] { return wrongTogether(*asked); };
  utilization.prepare = [asked](llvm::raw_ostream &err) {
    return readThreadMap(asked->threadMap, asked->threads, err);
  };
  addReadOptions(utilization, asked->readAs);
  utilization.run = [asked](Call &call) {
    return indexical::utilization(*asked, call);
  };
  return utilization;
}

}  // namespace indexical
