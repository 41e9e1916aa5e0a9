#include "indexical/writers/uses.h"

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include "indexical/answers/uses/keys.h"
#include "indexical/answers/words.h"
#include "indexical/writers/format.h"
#include "indexical/writers/items.h"
#include "indexical/writers/open_sizes.h"

namespace indexical {

namespace {

std::string times(double ratio) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", ratio);
  return text;
}

/// Writes the formulas and the sizes in them.
void writeFormulas(const Module &module, const ArrayUse &use,
                   llvm::raw_ostream &os) {
  const UseFormulas &of = *use.formulas;
  os << "    of " << of.str(*of.size) << " elements: ";
  if (of.distinct) {
    os << of.str(*of.distinct) << " read";
    if (of.bytes) os << ", " << of.str(*of.bytes) << " bytes";
  } else {
    os << "those read are undecided";
  }
  if (of.reads) os << ", " << of.str(*of.reads) << " reads";
  os << '\n';
  if (!of.box.empty()) {
    os << "    within ";
    llvm::ListSeparator by(" x ");
    for (const auto &[least, greatest] : of.box)
      os << by << '[' << of.str(least) << ", " << of.str(greatest) << ']';
    os << '\n';
  }
  writeOpenSizes(os, module, use.openSizes);
}

void writeFigures(const ArrayUse &use, llvm::raw_ostream &os) {
  const Footprint &f = use.use.footprint;
  auto line = [&]() -> llvm::raw_ostream & { return os << "    "; };
  const std::string dependsOn =
      use.dependsOn.empty() ? "" : ": depends on " + use.dependsOn;
  if (!f.distinct) {
    line() << "elements read: undecided, " << wordsOf(f) << dependsOn << '\n';
    if (f.reads) line() << *f.reads << " reads\n";
    return;
  }
  if (*f.distinct == 0) {
    line() << "nothing is read\n";
    return;
  }
  line() << *f.distinct << (*f.distinct == 1 ? " element" : " elements")
         << " read";
  if (f.size && *f.size > 0)
    os << llvm::format(" (%.4g%%)", 100.0 * *f.distinct / *f.size);
  if (f.bytes) os << ", " << *f.bytes << " bytes";
  if (f.reads)
    os << ", " << *f.reads << " reads, " << times(*f.reuse)
       << " of each element";
  os << '\n';
  if (f.hasBox && !f.box.empty()) {
    line() << "within ";
    llvm::ListSeparator by(" x ");
    for (const Interval &side : f.box) os << by << side.str();
    os << ", of which " << llvm::format("%.4g%%", 100 * *f.density) << '\n';
  } else if (!f.hasBox) {
    line() << "where they are: undecided, " << wordsOf(f) << dependsOn << '\n';
  }
  bool shares = false;
  for (const auto &shared : f.overlap) shares |= !shared || *shared > 0;
  if (shares) {
    line() << "shared with the next tile along each dimension: ";
    llvm::ListSeparator comma;
    for (const auto &shared : f.overlap) {
      os << comma;
      if (shared)
        os << *shared;
      else
        os << "undecided";
    }
    os << '\n';
  }
  if (!f.unread || f.unread->isEmpty()) return;
  line() << "never read:\n";
  constexpr size_t kMost = 8;
  for (size_t i = 0; i < f.unread->pieces().size(); ++i) {
    if (i == kMost) {
      line() << "  and " << f.unread->pieces().size() - kMost << " more\n";
      break;
    }
    line() << "  " << f.unread->pieces()[i].strOneLine() << '\n';
  }
}

void writeShare(const UseQuestion &question, llvm::raw_ostream &os) {
  auto list = [&](llvm::ArrayRef<int64_t> values) {
    os << '(';
    llvm::interleaveComma(values, os);
    os << ')';
  };
  if (question.threads) {
    os << ", block ";
    list(question.blockIndex());
  } else if (!question.tile.empty()) {
    os << ", tile ";
    list(question.tile);
    os << " at ";
    list(question.tileBegin());
  }
}

}  // namespace

std::vector<llvm::StringRef> UsesResult::columns() {
  return inOrder({columnsOf<OperandUseEntry>(), columnsOf<InsideUseEntry>(),
                  columnsOf<FootprintEntry>()});
}

void UsesResult::text(llvm::raw_ostream &os, TextStyle) {
  os << found_.instruction->name << " = "
     << found_.instruction->shape->str(/*withLayout=*/false) << ' '
     << found_.instruction->opcode;
  writeShare(question_, os);
  os << '\n';
  for (const auto *uses : {&found_.operands, &found_.inside})
    for (const ArrayUse &each : *uses) {
      const Use &use = each.use;
      os << "\n  ";
      if (use.operand >= 0) os << "operand " << use.operand << ", ";
      os << each.name;
      if (use.leaf > 0) os << " leaf " << use.leaf;
      os << ": " << use.shape.str();
      if (use.operand < 0) os << ", inside";
      os << '\n';
      if (each.formulas)
        writeFormulas(*found_.module, each, os);
      else
        writeFigures(each, os);
    }
}

void UsesResult::structure(Structure &to) {
  to.head([&](ValueSink &sink) { writeKeys(found_, sink); });
  auto of = [&](ValueSink &sink) {
    KeyValue(sink, "of").text(found_.instruction->name);
  };
  to.beginList("operands");
  ListItem item{"operand"};
  item.context = of;
  item.place = found_.instruction;
  writeItems(
      found_.operands.size(), item, jobs_,
      [&](size_t k, ValueSink &sink) {
        writeKeys(OperandUseEntry{found_, found_.operands[k]}, sink);
      },
      to);
  to.endList();
  if (!question_.inside) return;
  to.beginList("inside");
  item.kind = "inside";
  writeItems(
      found_.inside.size(), item, jobs_,
      [&](size_t k, ValueSink &sink) {
        writeKeys(InsideUseEntry{found_, found_.inside[k]}, sink);
      },
      to);
  to.endList();
}

void UsesResult::rows(Row row) {
  for (const ArrayUse &use : found_.operands)
    row([&](ValueSink &to) {
      writeCells(OperandUseEntry{found_, use}, to);
      writeCells(FootprintEntry{found_, use}, to);
    });
  for (const ArrayUse &use : found_.inside)
    row([&](ValueSink &to) {
      writeCells(InsideUseEntry{found_, use}, to);
      writeCells(FootprintEntry{found_, use}, to);
    });
}

}  // namespace indexical
