#include "indexical/indexing/indexing_map.h"

#include <memory>
#include <new>

#include "llvm/ADT/Hashing.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"

namespace indexical {

std::string standardName(VariableId id) {
  static constexpr const char *kPrefix[] = {"d", "s", "rt"};
  return kPrefix[static_cast<int>(id.kind)] + std::to_string(id.index);
}

Interval RuntimeSource::values() const {
  switch (kind) {
    case Kind::None:
    case Kind::Element:
      return Interval::all();
    case Kind::Size:
      return {0, count < 0 ? Interval::kInfinity : count};
    case Kind::GroupPosition:
    case Kind::DeviceId:
      return {0, count < 0 ? Interval::kInfinity : count - 1};
    case Kind::GroupSize:
      break;
  }
  return {1, Interval::kInfinity};
}

//===-- Memory ------------------------------------------------------------===//

namespace {

/// Arrays one behind the other: the bytes that they take, and, once there is
/// memory, where each lies.
class Block {
 public:
  template <typename T>
  void reserve(llvm::ArrayRef<T> from) {
    static_assert(alignof(T) <= kAlignment);
    bytes_ += bytesOf(from);
  }
  size_t bytes() const { return bytes_; }

  void begin(void *memory) { next_ = static_cast<char *>(memory); }
  /// Copies the array to the next place and refers to the copy from now on.
  template <typename T>
  void move(llvm::ArrayRef<T> &array) {
    T *to = reinterpret_cast<T *>(next_);
    std::uninitialized_copy(array.begin(), array.end(), to);
    next_ += bytesOf(array);
    array = llvm::ArrayRef<T>(to, array.size());
  }

 private:
  static constexpr size_t kAlignment = 8;
  template <typename T>
  static size_t bytesOf(llvm::ArrayRef<T> array) {
    return llvm::alignTo<kAlignment>(array.size() * sizeof(T));
  }

  size_t bytes_ = 0;
  char *next_ = nullptr;
};

/// Calls `visit` with each array of the contents.
template <typename Contents, typename Visit>
void visitArrays(Contents &c, Visit visit) {
  visit(c.dimensions);
  visit(c.ranges);
  visit(c.runtime);
  visit(c.results);
  visit(c.collectives);
  visit(c.constraints);
  visit(c.resultBounds);
}

template <typename T>
void destroyAll(llvm::ArrayRef<T> array) {
  for (const T &each : array) each.~T();
}

}  // namespace

llvm::IntrusiveRefCntPtr<const IndexingMap::Data> IndexingMap::Data::copyOf(
    const Contents &from) {
  Block block;
  auto reserve = [&](auto array) { block.reserve(array); };
  visitArrays(from, reserve);
  reserve(from.table.atoms_);
  reserve(from.table.forms_);
  reserve(from.table.terms_);
  void *memory = ::operator new(sizeof(Data) + block.bytes());
  Data *data = new (memory) Data(from);
  block.begin(data + 1);
  auto move = [&](auto &array) { block.move(array); };
  visitArrays(*data, move);
  move(data->table.atoms_);
  move(data->table.forms_);
  move(data->table.terms_);
  return data;
}

IndexingMap::Data::~Data() {
  destroyAll(dimensions);
  destroyAll(ranges);
  destroyAll(runtime);
}

IndexingMap::IndexingMap() {
  static const auto *const kNullary = new IndexingMap(Contents());
  *this = *kNullary;
}

IndexingMap IndexingMap::knownEmpty() {
  static const auto *const kEmpty = [] {
    Contents contents;
    contents.empty = true;
    return new IndexingMap(contents);
  }();
  return *kEmpty;
}

//===-- Access ------------------------------------------------------------===//

const Variable &IndexingMap::variable(VariableId id) const {
  switch (id.kind) {
    case VariableKind::Dimension:
      return data_->dimensions[id.index];
    case VariableKind::Range:
      return data_->ranges[id.index];
    case VariableKind::Runtime:
      break;
  }
  return data_->runtime[id.index];
}

std::string IndexingMap::nameOf(VariableId id) const {
  const std::string &name = variable(id).name;
  if (!name.empty()) return name;
  return standardName(id);
}

IndexingMap IndexingMap::sourceMap(size_t i) const {
  IndexingMapBuilder b;
  for (const Variable &d : dimensions()) b.dimension(d.bounds, d.name);
  for (const Variable &s : ranges()) b.range(s.bounds, s.name);
  // The runtime variables that the index uses, and those that their sources
  // use: numbered anew in their old order.
  llvm::SmallVector<bool, 8> used(runtime().size(), false);
  llvm::SmallVector<size_t, 8> work{i};
  while (!work.empty())
    expressions().visitVariables(
        runtime()[work.pop_back_val()].index, [&](VariableId id) {
          if (id.kind != VariableKind::Runtime || used[id.index]) return;
          used[id.index] = true;
          work.push_back(id.index);
        });
  llvm::SmallVector<uint32_t, 8> number(runtime().size(), 0);
  uint32_t count = 0;
  for (size_t r = 0; r < used.size(); ++r)
    if (used[r]) number[r] = count++;
  auto replace = [&](VariableId id) {
    if (id.kind == VariableKind::Runtime) id.index = number[id.index];
    return b.pool().variable(id);
  };
  ExpressionImport import(expressions(), b.pool(), replace);
  for (size_t r = 0; r < used.size(); ++r) {
    if (!used[r]) continue;
    RuntimeVariable variable = runtime()[r];
    variable.name = nameOf({VariableKind::Runtime, static_cast<uint32_t>(r)});
    for (FormId &form : variable.index) form = import(form);
    b.runtime(std::move(variable));
  }
  const RuntimeVariable &variable = runtime()[i];
  for (FormId form : variable.elementIndex())
    b.result(b.expression(import(form)));
  for (size_t c = 0; c < variable.collectives.size(); ++c)
    b.member(variable.collectives[c],
             b.expression(import(variable.members()[c])));
  auto map = b.build();
  return map.ok() ? *std::move(map) : knownEmpty();
}

int64_t IndexingMap::valueAt(const Point &point, VariableId id) const {
  switch (id.kind) {
    case VariableKind::Dimension:
      return point.dimensions[id.index];
    case VariableKind::Range:
      return point.ranges[id.index];
    case VariableKind::Runtime:
      break;
  }
  return point.runtime[id.index];
}

bool IndexingMap::contains(const Point &point) const {
  if (isKnownEmpty() || point.dimensions.size() != dimensions().size() ||
      point.ranges.size() != ranges().size() ||
      point.runtime.size() < visibleRuntimeCount())
    return false;
  for (size_t i = 0; i < dimensions().size(); ++i)
    if (!dimensions()[i].bounds.contains(point.dimensions[i])) return false;
  for (size_t i = 0; i < ranges().size(); ++i)
    if (!ranges()[i].bounds.contains(point.ranges[i])) return false;
  for (size_t i = 0; i < visibleRuntimeCount(); ++i)
    if (!runtime()[i].bounds.contains(point.runtime[i])) return false;
  auto value = [&](VariableId id) { return valueAt(point, id); };
  Evaluation evaluate(expressions(), value);
  return llvm::all_of(constraints(), [&](const Constraint &c) {
    return evaluate.isIn(c.bounds, c.form);
  });
}

std::optional<llvm::SmallVector<int64_t, 6>> IndexingMap::evaluateAll(
    const Point &point) const {
  if (point.dimensions.size() != dimensions().size() ||
      point.ranges.size() != ranges().size() ||
      point.runtime.size() < visibleRuntimeCount())
    return std::nullopt;
  auto value = [&](VariableId id) { return valueAt(point, id); };
  Evaluation evaluate(expressions(), value);
  llvm::SmallVector<int64_t, 6> index;
  for (FormId form : resultsAndMembers()) {
    auto at = evaluate(form);
    if (!at) return std::nullopt;
    index.push_back(*at);
  }
  return index;
}

std::optional<llvm::SmallVector<int64_t, 6>> IndexingMap::evaluate(
    const Point &point) const {
  auto all = evaluateAll(point);
  if (all) all->resize(results().size());
  return all;
}

std::optional<llvm::SmallVector<int64_t, 6>> IndexingMap::evaluateMembers(
    const Point &point) const {
  auto all = evaluateAll(point);
  if (all) all->erase(all->begin(), all->begin() + results().size());
  return all;
}

std::string IndexingMap::str() const { return printMap(*this); }

std::string IndexingMap::strOneLine() const {
  return printMap(*this, MapTextStyle::OneLine);
}

std::string IndexingMap::str(FormId form) const {
  return printExpression(*this, form);
}

size_t IndexingMap::hash() const {
  const Data &data = *data_;
  if (size_t known = data.hash.load(std::memory_order_relaxed)) return known;
  auto ofBounds = [](const Variable &variable) {
    return llvm::hash_combine(variable.bounds.lower, variable.bounds.upper);
  };
  llvm::hash_code hash = llvm::hash_combine(data.empty, data.table.hash());
  for (const Variable &v : data.dimensions)
    hash = llvm::hash_combine(hash, ofBounds(v));
  for (const Variable &v : data.ranges)
    hash = llvm::hash_combine(hash, ofBounds(v));
  for (const RuntimeVariable &v : data.runtime)
    hash = llvm::hash_combine(hash, ofBounds(v), v.clamped, v.source.tensor);
  for (FormId form : data.results) hash = llvm::hash_combine(hash, form);
  for (const Constraint &c : data.constraints)
    hash = llvm::hash_combine(hash, c.form, c.bounds.lower, c.bounds.upper);
  for (int64_t collective : data.collectives)
    hash = llvm::hash_combine(hash, collective);
  data.hash.store(hash, std::memory_order_relaxed);
  return hash;
}

bool IndexingMap::operator==(const IndexingMap &other) const {
  const Data &a = *data_, &b = *other.data_;
  if (&a == &b) return true;
  if (a.empty || b.empty) return a.empty == b.empty;
  const size_t hash = a.hash.load(std::memory_order_relaxed),
               otherHash = b.hash.load(std::memory_order_relaxed);
  if (hash && otherHash && hash != otherHash) return false;
  auto sameBounds = [](const Variable &x, const Variable &y) {
    return x.bounds == y.bounds;
  };
  auto sameRuntime = [](const RuntimeVariable &x, const RuntimeVariable &y) {
    return x.bounds == y.bounds && x.clamped == y.clamped &&
           x.source == y.source && x.index == y.index &&
           x.collectives == y.collectives;
  };
  auto all = [](const auto &x, const auto &y, auto same) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
  };
  return a.hiddenRuntime == b.hiddenRuntime && a.results == b.results &&
         a.collectives == b.collectives && a.constraints == b.constraints &&
         all(a.dimensions, b.dimensions, sameBounds) &&
         all(a.ranges, b.ranges, sameBounds) &&
         all(a.runtime, b.runtime, sameRuntime) && a.table == b.table;
}

}  // namespace indexical
