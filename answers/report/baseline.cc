#include "indexical/answers/report/baseline.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"

#include "indexical/answers/saturated.h"
#include "indexical/answers/schema.h"
#include "indexical/indexing/diagnostic.h"

namespace indexical {

namespace json = llvm::json;
using llvm::StringRef;

namespace {

/// A kernel of a document, or the line of one.
std::optional<OldKernel> kernelIn(const json::Object &object) {
  OldKernel kernel;
  const auto instruction = object.getString("instruction");
  // With unknown sizes, the earlier report has no bytes.
  auto bytesOf = [&](StringRef name) -> std::optional<int64_t> {
    const json::Value *value = object.get(name);
    if (value && value->kind() == json::Value::Null) return 0;
    return object.getInteger(name);
  };
  const auto moved = bytesOf("moved_bytes");
  const auto used = bytesOf("used_bytes");
  const auto wasted = bytesOf("wasted_bytes");
  const json::Array *shapes = object.getArray("shapes");
  if (!instruction || !moved || !used || !wasted || !shapes)
    return std::nullopt;
  kernel.instruction = instruction->str();
  kernel.opName = object.getString("op_name").value_or("").str();
  for (const json::Value &shape : *shapes) {
    const auto text = shape.getAsString();
    if (!text) return std::nullopt;
    kernel.shapes.push_back(text->str());
  }
  kernel.sums.moved = *moved;
  kernel.used = *used;
  kernel.sums.wasted = *wasted;
  if (const auto time = object.getNumber("measured_us"))
    kernel.measured = *time;
  if (const auto time = object.getNumber("measured_min_us"))
    kernel.measuredLeast = *time;
  if (const auto time = object.getNumber("predicted_us"))
    kernel.predicted = *time;
  kernel.trips = object.getInteger("trips").value_or(1);
  if (const auto time = object.getNumber("avoidable_us"))
    kernel.avoidable = *time;
  return kernel;
}

class BaselineReader {
 public:
  /// Whether the object is of a report; what it holds is added.
  bool add(const json::Object &object) {
    if (object.getString("schema") != StringRef(kSchema)) return false;
    const std::string file = object.getString("file").value_or("").str();
    // A file that failed, and the sum over all files.
    if (object.get("error") || object.getString("kind") == "total") return true;
    // A part of a report would make kernels new that are not.
    leftOut_ += object.getInteger("rows_left_out").value_or(0);
    if (auto kind = object.getString("kind")) {
      OldReport &report = reportOf(file);
      if (kind != "kernel") return true;
      auto kernel = kernelIn(object);
      if (kernel) report.kernels.push_back(*std::move(kernel));
      return kernel.has_value();
    }
    const json::Array *kernels = object.getArray("kernels");
    if (!kernels) return false;
    for (const json::Value &each : *kernels) {
      const json::Object *of = each.getAsObject();
      auto kernel = of ? kernelIn(*of) : std::nullopt;
      if (!kernel) return false;
      // Of several files that are one report, each kernel says its own.
      reportOf(of->getString("file").value_or(file).str())
          .kernels.push_back(*std::move(kernel));
    }
    if (kernels->empty()) reportOf(file);
    return true;
  }

  absl::StatusOr<std::vector<OldReport>> take() {
    if (leftOut_ == 0) return std::move(reports_);
    return absl::InvalidArgumentError(
        "the earlier report leaves out " + std::to_string(leftOut_) +
        " kernels: --top=all writes one with all of them");
  }

 private:
  OldReport &reportOf(const std::string &file) {
    for (OldReport &known : reports_)
      if (known.file == file) return known;
    reports_.push_back({file, {}});
    return reports_.back();
  }

  std::vector<OldReport> reports_;
  int64_t leftOut_ = 0;
};

absl::Status noReport(uint32_t line) {
  return errorAt({line, 1},
                 "this is nothing that `report --format=json` or "
                 "`--format=jsonl` prints");
}

}  // namespace

absl::StatusOr<std::vector<OldReport>> readBaseline(StringRef text) {
  // One document, perhaps over many lines.
  if (auto whole = json::parse(text)) {
    if (const json::Object *document = whole->getAsObject())
      return baselineOf(*document);
    return noReport(1);
  } else {
    llvm::consumeError(whole.takeError());
  }
  BaselineReader reader;
  uint32_t line = 0, found = 0;
  while (!text.empty()) {
    ++line;
    auto [first, rest] = text.split('\n');
    text = rest;
    if (first.trim().empty()) continue;
    auto value = json::parse(first);
    if (!value) {
      llvm::consumeError(value.takeError());
      return noReport(line);
    }
    const json::Object *object = value->getAsObject();
    if (!object || !reader.add(*object)) return noReport(line);
    ++found;
  }
  if (found == 0) return noReport(1);
  return reader.take();
}

absl::StatusOr<std::vector<OldReport>> baselineOf(
    const json::Object &document) {
  BaselineReader reader;
  if (!reader.add(document)) return noReport(1);
  return reader.take();
}

TimeChange changeOf(const OldKernel &then, double now, double nowLeast,
                    double step) {
  if (!then.measured) return TimeChange::None;
  const double was = *then.measured;
  const double spread =
      std::max(now - nowLeast, was - then.measuredLeast.value_or(was));
  if (std::abs(now - was) <= std::max(step, spread) * (1 + 1e-9))
    return TimeChange::None;
  return now > was ? TimeChange::Slower : TimeChange::Faster;
}

void Comparison::addTimes(const KernelCost &kernel, const OldKernel &then,
                          double now, double nowLeast, double step) {
  const TimeChange change = changeOf(then, now, nowLeast, step);
  if (change == TimeChange::None) return;
  const double was = *then.measured;
  if (change == TimeChange::Faster) {
    ++faster;
    fasterBy += was - now;
    return;
  }
  ++slower;
  slowerBy += now - was;
  const double percent = 100 * (now - was) / std::max(was, 1e-6);
  if (!slowest || percent > slowest->percent)
    slowest = Slower{&kernel, was, now, percent};
}

const OldReport *reportAbout(llvm::ArrayRef<OldReport> reports,
                             StringRef file) {
  for (const OldReport &report : reports)
    if (report.file == file) return &report;
  return reports.size() == 1 ? &reports.front() : nullptr;
}

Comparison compare(const KernelNames &names,
                   const std::vector<KernelCost> &kernels,
                   std::shared_ptr<const OldReport> then) {
  using Key = std::pair<std::string, std::vector<std::string>>;
  std::map<Key, std::vector<const OldKernel *>> left;
  for (const OldKernel &old : then->kernels)
    left[{old.opName, old.shapes}].push_back(&old);
  auto keyOf = [&](const KernelCost &kernel) {
    return Key{names.instructionOf(kernel).metadata.opName.str(),
               names.shapesOf(kernel)};
  };
  Comparison comparison;
  comparison.then = then;
  auto match = [&](const KernelCost &kernel, bool byName) {
    if (comparison.was.count(&kernel)) return;
    auto known = left.find(keyOf(kernel));
    if (known == left.end()) return;
    auto &alike = known->second;
    auto one = llvm::find_if(alike, [&](const OldKernel *old) {
      return !byName ||
             StringRef(old->instruction) == names.instructionOf(kernel).name;
    });
    if (one == alike.end()) return;
    comparison.was[&kernel] = *one;
    alike.erase(one);
  };
  for (const bool byName : {true, false})
    for (const KernelCost &kernel : kernels) match(kernel, byName);
  for (const KernelCost &kernel : kernels) {
    const OldKernel *old = comparison.was.lookup(&kernel);
    if (!old) {
      ++comparison.added;
      continue;
    }
    const int64_t now = sumsOf(kernel).wasted, was = old->sums.wasted;
    comparison.better += now < was;
    comparison.worse += now > was;
    if (now < was)
      comparison.wastedLess = sumOf(comparison.wastedLess, was - now);
    else
      comparison.wastedMore = sumOf(comparison.wastedMore, now - was);
  }
  llvm::DenseMap<const OldKernel *, bool> isLeft;
  for (const auto &entry : left)
    for (const OldKernel *old : entry.second) isLeft[old] = true;
  for (const OldKernel &old : then->kernels)
    if (isLeft.count(&old)) comparison.gone.push_back(&old);
  return comparison;
}

}  // namespace indexical
