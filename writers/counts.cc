#include "indexical/writers/counts.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/count/keys.h"

namespace indexical {
namespace {

void writeFigure(const char *name, const Count &of, llvm::raw_ostream &os) {
  os << name;
  if (of.value)
    os << *of.value;
  else
    os << "undecided";
}

}  // namespace

std::vector<llvm::StringRef> CountResult::columns() {
  return inOrder({{{1, "index"}}, columnsOf<MapFigures>()});
}

void CountResult::text(llvm::raw_ostream &os, TextStyle) {
  for (const MapFigures &of : found_.maps) {
    writeFigure("domain ", of.domain, os);
    writeFigure(", image ", of.image, os);
    writeFigure(", pairs ", of.pairs, os);
    os << " (" << engineName(of.engine()) << ")\n";
  }
}

void CountResult::structure(Structure &to) {
  to.beginList("counts");
  for (auto [number, figures] : llvm::enumerate(found_.maps))
    to.item({"count",
             [&, &of = figures](ValueSink &sink) { writeKeys(of, sink); },
             [number = number](ValueSink &sink) {
               KeyValue(sink, "index").integer(number);
             }});
  to.endList();
}

void CountResult::rows(Row row) {
  for (auto [number, figures] : llvm::enumerate(found_.maps))
    row([&, number = number, &of = figures](ValueSink &to) {
      to.key("index");
      to.integer(static_cast<int64_t>(number));
      writeCells(of, to);
    });
}

}  // namespace indexical
