#include "indexical/writers/open_sizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/writers/format.h"

namespace indexical {
namespace {

llvm::SmallVector<uint32_t, 4> sizesIn(const IndexingMap &map,
                                       llvm::ArrayRef<uint32_t> also) {
  llvm::SmallVector<FormId, 12> forms(map.results());
  for (const Constraint &condition : map.constraints())
    forms.push_back(condition.form);
  llvm::SmallVector<uint32_t, 4> sizes;
  auto add = [&](uint32_t runtime) {
    if (map.runtime()[runtime].source.kind == RuntimeSource::Kind::Size &&
        !llvm::is_contained(sizes, runtime))
      sizes.push_back(runtime);
  };
  map.expressions().visitVariables(forms, [&](VariableId id) {
    if (id.kind == VariableKind::Runtime) add(id.index);
  });
  llvm::for_each(also, add);
  llvm::sort(sizes);
  return sizes;
}

}  // namespace

void writeOpenSizes(llvm::raw_ostream &os, const Module &module,
                    const IndexingMap &map,
                    const std::map<int64_t, Value> &sources,
                    llvm::ArrayRef<uint32_t> also) {
  for (uint32_t i : sizesIn(map, also)) {
    const RuntimeSource &source = map.runtime()[i].source;
    const Value &of = sources.at(source.tensor);
    os << "    where " << map.nameOf({VariableKind::Runtime, i})
       << " = size of "
       << module.computations[of.computation].instructions[of.instruction].name
       << ", dimension " << source.dimension << '\n';
  }
}

void writeOpenSizes(llvm::json::OStream &json, const Module &module,
                    const IndexingMap &map,
                    const std::map<int64_t, Value> &sources,
                    llvm::ArrayRef<uint32_t> also) {
  const auto sizes = sizesIn(map, also);
  if (sizes.empty()) return;
  json.attributeArray("open_sizes", [&] {
    for (uint32_t i : sizes)
      json.object([&] {
        const RuntimeSource &source = map.runtime()[i].source;
        const Value &of = sources.at(source.tensor);
        const Computation &where = module.computations[of.computation];
        json.attribute("name",
                       jsonString(map.nameOf({VariableKind::Runtime, i})));
        json.attributeObject("size_of", [&] {
          json.attribute("computation", jsonString(where.name));
          json.attribute("instruction",
                         jsonString(where.instructions[of.instruction].name));
          json.attribute("result", int64_t{of.result});
          json.attribute("dimension", source.dimension);
        });
      });
  });
}

}  // namespace indexical
