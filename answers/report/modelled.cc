#include "indexical/answers/report/modelled.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/op.h"

namespace indexical {
namespace {

Figure sumOf(const Figure &a, const Figure &b) {
  return {checkedAdd(a.least, b.least).value_or(INT64_MAX),
          checkedAdd(a.most, b.most).value_or(INT64_MAX)};
}

bool meet(const Figure &a, const Figure &b) {
  return a.least <= b.most && b.least <= a.most;
}

/// The accesses of one array, by whether they read, and its leaf.
using ArrayKey = std::pair<bool, size_t>;
/// Nothing: an access has no figures.
using ArraySums = std::map<ArrayKey, std::optional<RequestFigures>>;

ArraySums sumsOf(const KernelWithTraffic &of, llvm::ArrayRef<size_t> arrays) {
  ArraySums sums;
  for (const bool isRead : {true, false})
    for (const Traffic &traffic :
         isRead ? of.traffic.reads : of.traffic.writes) {
      size_t leaf = of.kernel.leafOf(traffic.access);
      if (isRead && leaf < arrays.size()) leaf = arrays[leaf];
      auto &sum =
          sums.try_emplace({!isRead, leaf}, RequestFigures()).first->second;
      if (!traffic.figures || !sum) {
        sum.reset();
        continue;
      }
      const AccessFigures &figures = *traffic.figures;
      // An address that all threads read is a sector of each request.
      const auto &shared = figures.requests;
      sum->requests = sumOf(sum->requests, shared.value_or(figures.accesses));
      sum->sectors = sumOf(sum->sectors, shared.value_or(figures.sectors));
    }
  return sums;
}

}  // namespace

std::optional<Modelled> modelledOtherwise(const KernelWithTraffic &compiled,
                                          const KernelWithTraffic &model,
                                          llvm::ArrayRef<size_t> arrays) {
  if (!model.kernel.grid || !compiled.kernel.grid || model.kernel.bytesOnly ||
      !model.kernel.complete)
    return std::nullopt;
  Modelled made;
  made.emitter = model.kernel.emitter;
  made.grid = model.kernel.grid;
  made.isLaunchOther =
      model.kernel.grid->blocks != compiled.kernel.grid->blocks ||
      model.kernel.grid->threads != compiled.kernel.grid->threads;
  ArraySums ofModel = sumsOf(model, arrays);
  ArraySums ofCode = sumsOf(compiled, arrays);
  // An access that was not understood may be of any array.
  if (compiled.kernel.complete)
    for (const auto &[key, sum] : ofModel)
      ofCode.try_emplace(key, RequestFigures());
  for (const auto &[key, code] : ofCode) {
    const auto &theirs =
        ofModel.try_emplace(key, RequestFigures()).first->second;
    if (!code || !theirs ||
        (meet(code->requests, theirs->requests) &&
         meet(code->sectors, theirs->sectors)))
      continue;
    made.arrays.push_back({!key.first, key.second, *theirs, *code});
  }
  if (made.arrays.empty() && !made.isLaunchOther) return std::nullopt;
  return made;
}

namespace {

std::string textOf(const Figure &figure) {
  return figure.isKnown() ? absl::StrCat(figure.least)
                          : absl::StrCat(figure.least, " to ", figure.most);
}

std::string textOf(const RequestFigures &of) {
  return textOf(of.requests) + " requests and " + textOf(of.sectors) +
         " sectors";
}

std::string textOf(const Grid &grid) {
  int64_t blocks = 1, threads = 1;
  for (const int64_t n : grid.blocks) blocks *= n;
  for (const int64_t n : grid.threads) threads *= n;
  return absl::StrCat(blocks, " blocks of ", threads, " threads");
}

}  // namespace

std::string wordsOf(const Modelled &modelled, const Grid &compiled,
                    llvm::ArrayRef<std::string> names) {
  std::string words = "compiled otherwise than modelled: ";
  if (modelled.isLaunchOther)
    absl::StrAppend(&words, textOf(compiled), ", modelled ",
                    textOf(*modelled.grid),
                    modelled.arrays.empty() ? "" : "; ");
  if (modelled.arrays.empty()) return words;
  const ModelledArray &first = modelled.arrays.front();
  absl::StrAppend(&words, first.isRead ? "reads of " : "writes of ",
                  names.empty() ? std::string() : names.front(), " are ",
                  textOf(first.compiled), ", modelled ", textOf(first.model));
  if (const size_t others = modelled.arrays.size() - 1)
    absl::StrAppend(&words, "; so are ", others,
                    others == 1 ? " other array" : " other arrays");
  return words;
}

}  // namespace indexical
