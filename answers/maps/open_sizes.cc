#include "indexical/answers/maps/open_sizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

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

std::vector<NamedSize> openSizesOf(const IndexingMap &map,
                                   const ProgramIndexing &program,
                                   llvm::ArrayRef<uint32_t> also) {
  std::vector<NamedSize> sizes;
  for (uint32_t i : sizesIn(map, also)) {
    const RuntimeSource &source = map.runtime()[i].source;
    sizes.push_back({map.nameOf({VariableKind::Runtime, i}),
                     program.value(source.tensor), source.dimension});
  }
  return sizes;
}

}  // namespace indexical
