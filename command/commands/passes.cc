#include "indexical/writers/passes.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/inputs/dump_chains.h"
#include "indexical/answers/kernel/compiled_step.h"
#include "indexical/answers/passes/keys.h"
#include "indexical/answers/passes/passes.h"
#include "indexical/command/command.h"
#include "indexical/command/option.h"
#include "indexical/command/progress.h"
#include "indexical/command/read_options.h"
#include "indexical/command/values_options.h"

namespace indexical {
namespace {

using llvm::StringRef;

struct PassesOptions {
  std::set<Verdict::Answer> only;
  ValuesAsked values;
  ReadOptions readAs;
};

Option onlyOption(PassesOptions &asked) {
  Option option;
  option.name = "only";
  option.value = "VERDICTS";
  option.sentence =
      "Show only these: different, undecided, fewer-reads, other-reads, equal; "
      "the others "
      "are counted";
  option.take = [&asked](StringRef word) -> std::optional<std::string> {
    for (StringRef each : llvm::split(word, ',')) {
      const auto answer = answerNamed(each.trim());
      if (!answer)
        return "verdicts with `,` between: different, undecided, fewer-reads, "
               "other-reads, equal";
      asked.only.insert(*answer);
    }
    return std::nullopt;
  };
  return option;
}

absl::StatusOr<int> checkChain(const PassesOptions &asked, Call &call) {
  const DumpChain &chain = *call.chain();
  Progress progress(call.err(), call.showsProgress(), chain.dumps.size() - 1,
                    call.progressPrefix(), " passes");
  PassesQuestion question;
  question.values = asked.values.options();
  question.only = asked.only;
  question.mistake = [&](const Dump &dump, const DumpText *text,
                         const absl::Status &status) {
    progress.clear();
    Reporter(call.err(), Input{dump.file, std::string()}.displayName(),
             text ? text->text() : StringRef())
        .error(status);
  };
  Ask ask = call.ask();
  question.compiled = [&](const Dump &before, StringRef compiled) {
    return compareCompiled(before.file, compiled, asked.values.floats,
                           ask.budget);
  };
  ask.itemDone = [&] { progress.step(); };
  const PassesAnswer found =
      passesOf(chain, dumpReader(asked.readAs), question, ask);
  progress.clear();
  PassesResult result(found);
  return call.writeAndEnd(result, found.hasMistakes         ? kWrongInput
                                  : found.figures.different ? kDifferent
                                  : found.figures.undecided ? kUndecided
                                                            : kDone);
}

}  // namespace

Command makePasses() {
  auto asked = std::make_shared<PassesOptions>();
  Command passes;
  passes.name = "passes";
  passes.words = {"reads", "undecided", "witness"};
  passes.sentence =
      "which passes of a compiler change the elements that are read: the "
      "dumps between passes, each compared with the one before";
  passes.example =
      "printf '%s\\n' '// -----// IR Dump Before CSE (cse) //----- //' \\\n"
      "  'func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {' \\\n"
      "  '  return %a : tensor<4xf32>' '}' \\\n"
      "  '// -----// IR Dump After CSE (cse) //----- //' \\\n"
      "  'func.func @f(%b: tensor<4xf32>) -> tensor<4xf32> {' \\\n"
      "  '  return %b : tensor<4xf32>' '}' | indexical passes -";
  passes.reads = Reads::Chains;
  passes.arguments = "[DIR|FILE|@LIST|-]...";
  passes.statuses = {{kDifferent, "a pass changes what is read"},
                     {kUndecided,
                      "a pass is undecided, and none is known to change it"}};
  passes.offers = {Offer::Text, Offer::Structure, Offer::Table, Offer::Page};
  passes.columns = inOrder(columnsOf<PassEntry>());
  passes.page = PageKind::Sections;
  passes.options = {onlyOption(*asked)};
  llvm::append_range(passes.options, valuesOptions(asked->values));
  passes.check = [asked] { return asked->values.mistake(); };
  addReadOptions(passes, asked->readAs);
  passes.run = [asked](Call &call) { return checkChain(*asked, call); };
  return passes;
}

}  // namespace indexical
