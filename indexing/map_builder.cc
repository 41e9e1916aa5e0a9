#include "indexical/indexing/map_builder.h"

#include <algorithm>
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

VariableId idOf(VariableKind kind, size_t index) {
  return {kind, static_cast<uint32_t>(index)};
}

}  // namespace

IndexingMapBuilder::IndexingMapBuilder()
    : own_(std::in_place), pool_(own_->get()) {}

IndexingMapBuilder::IndexingMapBuilder(ExpressionPool &pool) : pool_(&pool) {}

void IndexingMapBuilder::addDimension(Interval bounds, std::string name) {
  empty_ |= bounds.isEmpty();
  dimensions_.push_back({bounds, std::move(name)});
}

void IndexingMapBuilder::addRange(Interval bounds, std::string name) {
  empty_ |= bounds.isEmpty();
  ranges_.push_back({bounds, std::move(name)});
}

Expr IndexingMapBuilder::dimension(Interval bounds, std::string name) {
  addDimension(bounds, std::move(name));
  return expression(
      pool_->variable(idOf(VariableKind::Dimension, dimensions_.size() - 1)));
}

Expr IndexingMapBuilder::range(Interval bounds, std::string name) {
  addRange(bounds, std::move(name));
  return expression(
      pool_->variable(idOf(VariableKind::Range, ranges_.size() - 1)));
}

Expr IndexingMapBuilder::runtime(Interval bounds, std::string name) {
  RuntimeVariable variable;
  variable.bounds = bounds;
  variable.name = std::move(name);
  return runtime(std::move(variable));
}

Expr IndexingMapBuilder::runtimeElement(Interval bounds, bool clamped,
                                        int64_t tensor,
                                        llvm::ArrayRef<Expr> index) {
  RuntimeVariable variable;
  variable.bounds = bounds;
  variable.clamped = clamped;
  variable.source.kind = RuntimeSource::Kind::Element;
  variable.source.tensor = tensor;
  for (const Expr &e : index) variable.index.push_back(e.form());
  return runtime(std::move(variable));
}

Expr IndexingMapBuilder::runtimeOfDevice(const RuntimeSource &source) {
  RuntimeVariable variable;
  variable.bounds = source.values();
  variable.source = source;
  return runtime(std::move(variable));
}

Expr IndexingMapBuilder::runtime(RuntimeVariable variable) {
  empty_ |= variable.bounds.isEmpty();
  runtime_.push_back(std::move(variable));
  return expression(
      pool_->variable(idOf(VariableKind::Runtime, runtime_.size() - 1)));
}

void IndexingMapBuilder::setSourceIndex(size_t i,
                                        llvm::ArrayRef<FormId> index) {
  runtime_[i].index.assign(index.begin(), index.end());
}

Expr IndexingMapBuilder::constant(int64_t value) {
  return expression(pool_->constantForm(value));
}

void IndexingMapBuilder::constraint(Expr expression, Interval bounds) {
  FormId form = expression.form();
  if (pool_->isConstant(form)) {
    empty_ |= !bounds.contains(pool_->constant(form));
    return;
  }
  for (Constraint &other : constraints_) {
    if (other.form != form) continue;
    other.bounds = other.bounds.intersect(bounds);
    empty_ |= other.bounds.isEmpty();
    return;
  }
  empty_ |= bounds.isEmpty();
  if (bounds != Interval::all()) constraints_.push_back({form, bounds});
}

// Runtime variables that only sources use go last. Their numbers change with
// that, so all expressions are written again.
void IndexingMapBuilder::orderRuntime() {
  llvm::SmallVector<bool, 8> visible(runtime_.size(), false);
  llvm::SmallVector<bool, 8> inSource(runtime_.size(), false);
  auto mark = [](llvm::SmallVectorImpl<bool> &flags) {
    return [&flags](VariableId id) {
      if (id.kind == VariableKind::Runtime) flags[id.index] = true;
    };
  };
  llvm::SmallVector<FormId, 16> shown(results_.begin(), results_.end());
  for (const Constraint &c : constraints_) shown.push_back(c.form);
  pool_->visitVariables(shown, mark(visible));
  for (const RuntimeVariable &r : runtime_)
    pool_->visitVariables(r.index, mark(inSource));
  llvm::SmallVector<uint32_t, 8> order, number(runtime_.size(), 0);
  for (size_t i = 0; i < runtime_.size(); ++i)
    if (visible[i] || !inSource[i]) order.push_back(i);
  hiddenRuntime_ = runtime_.size() - order.size();
  for (size_t i = 0; i < runtime_.size(); ++i)
    if (!visible[i] && inSource[i]) order.push_back(i);
  if (std::is_sorted(order.begin(), order.end())) return;

  for (size_t i = 0; i < order.size(); ++i) number[order[i]] = i;
  auto replace = [&](VariableId id) {
    if (id.kind == VariableKind::Runtime) id.index = number[id.index];
    return pool_->variable(id);
  };
  ExpressionPool copy = *pool_;  // read from one, write to the other
  ExpressionImport import(copy, *pool_, replace);
  for (FormId &form : results_) form = import(form);
  for (Constraint &c : constraints_) c.form = import(c.form);
  llvm::SmallVector<RuntimeVariable, 0> ordered;
  for (uint32_t i : order) {
    ordered.push_back(std::move(runtime_[i]));
    for (FormId &form : ordered.back().index) form = import(form);
  }
  runtime_ = std::move(ordered);
}

absl::Status IndexingMapBuilder::checkExpressions() const {
  auto boundsOf = [&](VariableId id) {
    switch (id.kind) {
      case VariableKind::Dimension:
        return dimensions_[id.index].bounds;
      case VariableKind::Range:
        return ranges_[id.index].bounds;
      case VariableKind::Runtime:
        break;
    }
    return runtime_[id.index].bounds;
  };
  // Most forms are sums of variables, which need no walk.
  auto isFiniteSum = [&](FormId form) {
    Interval sum = Interval::point(pool_->constant(form));
    return llvm::all_of(pool_->terms(form), [&](const Term &term) {
      const auto variable = pool_->atom(term.atom).asVariable();
      return variable && sum.addFinite(boundsOf(*variable), term.coefficient);
    });
  };
  std::optional<FormBounds> bounds;
  absl::Status status;
  auto check = [&](FormId form) {
    if (isFiniteSum(form)) return;
    if (!bounds) bounds.emplace(*pool_, boundsOf);
    status.Update(bounds->check(form));
  };
  for (FormId form : results_) check(form);
  for (const Constraint &c : constraints_) check(c.form);
  for (const RuntimeVariable &r : runtime_)
    for (FormId form : r.index) check(form);
  return status;
}

// Two variables of one name could not be distinguished in the text. Most maps
// have only the names by position, which differ.
void IndexingMapBuilder::makeNamesUnique() {
  auto isNamed = [](const Variable &v) { return !v.name.empty(); };
  if (llvm::none_of(dimensions_, isNamed) && llvm::none_of(ranges_, isNamed) &&
      llvm::none_of(runtime_, isNamed))
    return;
  llvm::StringSet<> names;
  auto visit = [&](auto &variables, const char *prefix) {
    for (size_t i = 0; i < variables.size(); ++i) {
      std::string &name = variables[i].name;
      std::string written = name.empty() ? prefix + std::to_string(i) : name;
      if (names.insert(written).second) continue;
      while (!names.insert(written).second) written += '_';
      name = written;
    }
  };
  visit(dimensions_, "d");
  visit(ranges_, "s");
  visit(runtime_, "rt");
}

absl::StatusOr<IndexingMap> IndexingMapBuilder::build() {
  if (pool_->overflowed())
    return absl::OutOfRangeError(
        "arithmetic on the map's constants leaves the range of 64-bit "
        "integers");
  if (empty_) return IndexingMap::knownEmpty();
  if (!runtime_.empty()) orderRuntime();
  makeNamesUnique();
  INDEXICAL_RETURN_IF_ERROR(checkExpressions());
  std::sort(constraints_.begin(), constraints_.end(),
            [&](const Constraint &a, const Constraint &b) {
              return pool_->compareForms(a.form, b.form) < 0;
            });

  llvm::SmallVector<FormId, 16> forms(results_.begin(), results_.end());
  for (const Constraint &c : constraints_) forms.push_back(c.form);
  for (const RuntimeVariable &r : runtime_)
    forms.append(r.index.begin(), r.index.end());
  const FrozenExpressions table(*pool_, forms);
  auto next = forms.begin();
  for (FormId &form : results_) form = *next++;
  for (Constraint &c : constraints_) c.form = *next++;
  for (RuntimeVariable &r : runtime_)
    for (FormId &form : r.index) form = *next++;
  IndexingMap::Contents contents;
  contents.table = table;
  contents.dimensions = dimensions_;
  contents.ranges = ranges_;
  contents.runtime = runtime_;
  contents.results = results_;
  contents.collectives = collectives_;
  contents.constraints = constraints_;
  contents.resultBounds = resultBounds_;
  contents.hiddenRuntime = hiddenRuntime_;
  contents.canonical = canonical_;
  contents.delinearization = std::move(delinearization_);
  return IndexingMap(contents);
}

}  // namespace indexical
