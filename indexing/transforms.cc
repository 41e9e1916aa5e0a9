#include "indexical/indexing/transforms.h"

#include "indexical/indexing/bounds.h"

namespace indexical {
namespace {

/// A map copied into a builder, with chosen changes.
class Copy {
 public:
  explicit Copy(const IndexingMap &map) : map_(map) {}

  llvm::function_ref<FormId(VariableId)> replace;
  IndexingMapBuilder builder;

  void dimensions() {
    for (const Variable &v : map_.dimensions())
      builder.dimension(v.bounds, v.name);
  }
  void ranges() {
    for (const Variable &v : map_.ranges()) builder.range(v.bounds, v.name);
  }
  ExpressionImport &import() {
    if (!import_) import_.emplace(map_.expressions(), builder.pool(), replace);
    return *import_;
  }
  /// Runtime variable i, its index copied.
  RuntimeVariable runtime(size_t i) {
    RuntimeVariable variable = map_.runtime()[i];
    for (FormId &form : variable.index) form = import()(form);
    return variable;
  }
  void results() {
    for (FormId form : map_.results())
      builder.result(builder.expression(import()(form)));
    for (size_t i = 0; i < map_.collectives().size(); ++i)
      builder.member(map_.collectives()[i],
                     builder.expression(import()(map_.members()[i])));
  }
  void constraints() {
    for (const Constraint &c : map_.constraints())
      builder.constraint(builder.expression(import()(c.form)), c.bounds);
  }
  /// Returns the copy. A copy of a valid map is valid; of any other map this
  /// may be the empty map.
  IndexingMap build() {
    auto map = builder.build();
    return map.ok() ? *std::move(map) : IndexingMap::knownEmpty();
  }

 private:
  const IndexingMap &map_;
  std::optional<ExpressionImport> import_;
};

}  // namespace

IndexingMap withSources(const IndexingMap &map, const SourceNames &names) {
  if (map.runtime().empty() && map.collectives().empty()) return map;
  auto collective = [&](int64_t number) {
    return names.collective ? names.collective(number) : number;
  };
  llvm::SmallVector<RuntimeVariable, 4> runtime(map.runtime());
  for (RuntimeVariable &variable : runtime) {
    for (int64_t &number : variable.collectives) number = collective(number);
    int64_t &tensor = variable.source.tensor;
    switch (variable.source.kind) {
      case RuntimeSource::Kind::None:
        break;
      case RuntimeSource::Kind::Element:
      case RuntimeSource::Kind::Size:
        tensor = names.tensor(tensor);
        break;
      case RuntimeSource::Kind::GroupPosition:
      case RuntimeSource::Kind::GroupSize:
      case RuntimeSource::Kind::DeviceId:
        tensor = collective(tensor);
        break;
    }
  }
  llvm::SmallVector<int64_t, 4> collectives;
  for (int64_t number : map.collectives())
    collectives.push_back(collective(number));
  IndexingMap::Contents contents = *map.data_;
  contents.runtime = runtime;
  contents.collectives = collectives;
  return IndexingMap(contents);
}

IndexingRelation withSources(const IndexingRelation &relation,
                             const SourceNames &names) {
  IndexingRelation named;
  for (const IndexingMap &piece : relation.pieces())
    named.add(withSources(piece, names));
  named.weaken(relation.precision());
  return named;
}

absl::StatusOr<IndexingMap> withRuntime(
    const IndexingMap &map,
    llvm::function_ref<void(IndexingMapBuilder &, RuntimeVariable &)> edit) {
  if (map.runtime().empty() || map.isKnownEmpty()) return map;
  Copy copy(map);
  auto same = [&](VariableId id) { return copy.builder.pool().variable(id); };
  copy.replace = same;
  copy.dimensions();
  copy.ranges();
  for (size_t i = 0; i < map.runtime().size(); ++i) {
    RuntimeVariable variable = copy.runtime(i);
    edit(copy.builder, variable);
    copy.builder.runtime(std::move(variable));
  }
  copy.results();
  copy.constraints();
  return copy.builder.build();
}

IndexingMap rangesToDimensions(const IndexingMap &map) {
  if (map.ranges().empty() || map.isKnownEmpty()) return map;
  Copy copy(map);
  uint32_t shift = map.dimensions().size();
  auto moved = [&](VariableId id) {
    if (id.kind == VariableKind::Range)
      id = {VariableKind::Dimension, id.index + shift};
    return copy.builder.pool().variable(id);
  };
  copy.replace = moved;
  copy.dimensions();
  for (const Variable &v : map.ranges())
    copy.builder.dimension(v.bounds, v.name);
  for (size_t i = 0; i < map.runtime().size(); ++i)
    copy.builder.runtime(copy.runtime(i));
  copy.results();
  copy.constraints();
  return copy.build();
}

IndexingMap asSet(const IndexingMap &map) {
  if (map.isKnownEmpty()) return map;
  IndexingMapBuilder b;
  const uint32_t shift[] = {
      0, static_cast<uint32_t>(map.dimensions().size()),
      static_cast<uint32_t>(map.dimensions().size() + map.ranges().size())};
  auto moved = [&](VariableId id) {
    return b.pool().variable(
        {VariableKind::Dimension, id.index + shift[static_cast<int>(id.kind)]});
  };
  ExpressionImport import(map.expressions(), b.pool(), moved);
  for (const Variable &v : map.dimensions()) b.dimension(v.bounds);
  for (const Variable &v : map.ranges()) b.dimension(v.bounds);
  for (const RuntimeVariable &v : map.runtime()) b.dimension(v.bounds);
  for (FormId form : map.resultsAndMembers())
    b.result(b.expression(import(form)));
  for (const Constraint &c : map.constraints())
    b.constraint(b.expression(import(c.form)), c.bounds);
  auto set = b.build();
  return set.ok() ? *std::move(set) : IndexingMap::knownEmpty();
}

IndexingMap dropUnused(const IndexingMap &map) {
  if (map.isKnownEmpty()) return map;
  llvm::SmallVector<bool, 8> used[3];
  used[1].assign(map.ranges().size(), false);
  used[2].assign(map.runtime().size(), false);
  llvm::SmallVector<size_t, 8> work;
  auto mark = [&](VariableId id) {
    if (id.kind == VariableKind::Dimension) return;
    bool &flag = used[static_cast<int>(id.kind)][id.index];
    if (!flag && id.kind == VariableKind::Runtime) work.push_back(id.index);
    flag = true;
  };
  llvm::SmallVector<FormId, 8> forms(map.resultsAndMembers());
  for (const Constraint &c : map.constraints()) forms.push_back(c.form);
  map.expressions().visitVariables(forms, mark);
  for (uint32_t i = 0; i < map.runtime().size(); ++i) {
    if (map.runtime()[i].restricts()) mark({VariableKind::Runtime, i});
  }
  while (!work.empty())
    map.expressions().visitVariables(map.runtime()[work.pop_back_val()].index,
                                     mark);
  llvm::SmallVector<uint32_t, 8> number[3];
  for (int kind : {1, 2}) {
    uint32_t next = 0;
    for (bool u : used[kind]) number[kind].push_back(u ? next++ : 0);
  }
  Copy copy(map);
  auto renumbered = [&](VariableId id) {
    if (id.kind != VariableKind::Dimension)
      id.index = number[static_cast<int>(id.kind)][id.index];
    return copy.builder.pool().variable(id);
  };
  copy.replace = renumbered;
  copy.dimensions();
  for (size_t i = 0; i < map.ranges().size(); ++i)
    if (used[1][i])
      copy.builder.range(map.ranges()[i].bounds, map.ranges()[i].name);
  for (size_t i = 0; i < map.runtime().size(); ++i)
    if (used[2][i]) copy.builder.runtime(copy.runtime(i));
  copy.results();
  copy.constraints();
  return copy.build();
}

absl::StatusOr<IndexingMap> replaceRuntime(
    const IndexingMap &map, size_t i,
    llvm::function_ref<Expr(IndexingMapBuilder &, llvm::ArrayRef<Expr>)>
        value) {
  Copy copy(map);
  FormId replacement = 0;
  bool known = false;
  auto renumbered = [&](VariableId id) -> FormId {
    if (id.kind == VariableKind::Runtime) {
      if (id.index == i && known) return replacement;
      if (id.index > i) --id.index;
    }
    return copy.builder.pool().variable(id);
  };
  copy.replace = renumbered;
  copy.dimensions();
  copy.ranges();
  // The others first, so that new ones stand behind them; their indices may
  // need the value, and are given later.
  for (size_t r = 0; r < map.runtime().size(); ++r) {
    if (r == i) continue;
    RuntimeVariable variable = map.runtime()[r];
    variable.index.clear();
    copy.builder.runtime(std::move(variable));
  }
  // The index does not depend on the variable itself.
  llvm::SmallVector<Expr, 4> index;
  for (FormId form : map.runtime()[i].elementIndex())
    index.push_back(copy.builder.expression(copy.import()(form)));
  replacement = value(copy.builder, index).form();
  known = true;
  for (size_t r = 0; r < map.runtime().size(); ++r)
    if (r != i)
      copy.builder.setSourceIndex(r < i ? r : r - 1, copy.runtime(r).index);
  copy.results();
  copy.constraints();
  return copy.builder.build();
}

absl::StatusOr<IndexingMap> withBody(
    const IndexingMap &map,
    llvm::function_ref<void(IndexingMapBuilder &, MapBody &)> edit) {
  if (map.isKnownEmpty()) return map;
  Copy copy(map);
  IndexingMapBuilder &b = copy.builder;
  auto same = [&](VariableId id) { return b.pool().variable(id); };
  copy.replace = same;
  copy.dimensions();
  copy.ranges();
  for (size_t i = 0; i < map.runtime().size(); ++i) b.runtime(copy.runtime(i));
  auto expression = [&](FormId form) {
    return b.expression(copy.import()(form));
  };
  MapBody body;
  for (FormId form : map.results()) body.results.push_back(expression(form));
  for (FormId form : map.members()) body.members.push_back(expression(form));
  for (const Constraint &c : map.constraints())
    body.constraints.push_back({expression(c.form), c.bounds});
  edit(b, body);
  for (Expr result : body.results) b.result(result);
  for (size_t i = 0; i < body.members.size(); ++i)
    b.member(map.collectives()[i], body.members[i]);
  for (const auto &[form, bounds] : body.constraints)
    b.constraint(form, bounds);
  return b.build();
}

absl::StatusOr<IndexingMap> restricted(
    const IndexingMap &map,
    llvm::function_ref<void(IndexingMapBuilder &, llvm::ArrayRef<Expr>)> add) {
  auto addOnly = [&](IndexingMapBuilder &b, MapBody &body) {
    add(b, body.results);
  };
  return withBody(map, addOnly);
}

absl::Status verify(const IndexingMap &map) {
  auto boundsOf = [&](VariableId id) { return map.variable(id).bounds; };
  FormBounds bounds(map.expressions(), boundsOf);
  absl::Status status;
  for (FormId form : map.resultsAndMembers()) status.Update(bounds.check(form));
  for (const Constraint &c : map.constraints())
    status.Update(bounds.check(c.form));
  // Follow the sources: meeting a variable again on the way is a cycle.
  size_t count = map.runtime().size();
  enum { New, Open, Done };
  llvm::SmallVector<int, 8> state(count, New);
  for (size_t start = 0; start < count; ++start) {
    llvm::SmallVector<size_t, 8> stack{start};
    while (!stack.empty()) {
      size_t i = stack.back();
      if (state[i] != New) {
        state[i] = Done;
        stack.pop_back();
        continue;
      }
      state[i] = Open;
      for (FormId form : map.runtime()[i].index)
        status.Update(bounds.check(form));
      auto visit = [&](VariableId id) {
        if (id.kind != VariableKind::Runtime) return;
        if (state[id.index] == Open)
          status.Update(absl::InvalidArgumentError(
              "the source of runtime variable " + map.nameOf(id) +
              " depends on itself"));
        if (state[id.index] == New) stack.push_back(id.index);
      };
      map.expressions().visitVariables(map.runtime()[i].index, visit);
    }
  }
  return status;
}

}  // namespace indexical
