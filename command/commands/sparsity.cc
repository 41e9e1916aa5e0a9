#include "indexical/writers/sparsity.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "indexical/answers/sparsity/keys.h"
#include "indexical/command/command.h"
#include "indexical/command/read_options.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

struct SparsityOptions : SparsityQuestion {
  std::optional<size_t> resultGiven, parameterGiven;
  bool seeds = false, entries = false;
  ReadOptions readAs;
};

const Format &matrixFormat() {
  for (const Format &format : formats())
    if (format.needs == Offer::Matrix) return format;
  return formats().front();
}

absl::StatusOr<int> sparsity(const SparsityOptions &options,
                             const Format &format, Call &call) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto program,
                             readProgram(call, options.readAs));
  SparsityQuestion question = options;
  if (options.resultGiven) question.result = *options.resultGiven;
  if (options.parameterGiven) question.parameter = *options.parameterGiven;
  INDEXICAL_ASSIGN_OR_RETURN(const auto found,
                             sparsityOf(program, question, call.ask()));
  const bool needsList =
      format.needs == Offer::Matrix || format.needs == Offer::Picture;
  if (needsList && !found.jacobian.pattern)
    return absl::ResourceExhaustedError(
        "the entries are too many to be listed one by one; --budget=N lists up "
        "to N");
  SparsityResult result({found, options.seeds, options.entries});
  return call.writeAndEnd(result, kDone);
}

}  // namespace

Command makeSparsity() {
  auto asked = std::make_shared<SparsityOptions>();
  Command sparsity;
  sparsity.name = "sparsity";
  sparsity.sentence =
      "the structural non-zeros of a Jacobian, and a colouring that "
      "recovers them with few Jacobian-vector products";
  sparsity.example =
      "echo 'f { p = f32[6] parameter(0)\n"
      "          a = f32[5] slice(p), slice={[0:5]}\n"
      "          b = f32[5] slice(p), slice={[1:6]}\n"
      "          ROOT r = f32[5] subtract(a, b) }' |\n"
      "  indexical sparsity";
  sparsity.offers = {Offer::Text, Offer::Structure, Offer::Picture,
                     Offer::Matrix};
  sparsity.options = {
      nameOption("computation", Names::Computations, asked->computation,
                 "The computation (default: the entry)"),
      countOption("result", asked->resultGiven, "the number of an array",
                  "The array of its root, from 0, whose elements are the rows "
                  "(default: the first of floats)"),
      countOption("parameter", asked->parameterGiven, "the number of an array",
                  "The array of its parameters, from 0, whose elements are the "
                  "columns (default: the first of floats)"),
      flagOption("seeds", asked->seeds,
                 "Also list the columns, and the rows, of each colour"),
      flagOption("entries", asked->entries, "Also list the entries"),
  };
  // A file of that ending is a matrix, as those who read it expect.
  sparsity.check = [settings =
                        sparsity.settings]() -> std::optional<std::string> {
    if (llvm::StringRef(settings->output).ends_with(".mtx"))
      settings->format = &matrixFormat();
    return std::nullopt;
  };
  addReadOptions(sparsity, asked->readAs);
  sparsity.run = [asked, settings = sparsity.settings](Call &call) {
    return indexical::sparsity(*asked, *settings->format, call);
  };
  return sparsity;
}

}  // namespace indexical
