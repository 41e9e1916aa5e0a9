#include "indexical/writers/sparsity.h"

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include "indexical/answers/pictures/pictures.h"
#include "indexical/writers/values.h"

namespace indexical {
namespace {

/// Longer lists of columns are left to the other formats.
constexpr size_t kMostSeedsShown = 8;
constexpr int64_t kMostColumnsShown = 64;

/// What the matrix is of: `r f32[5] by p f32[6]`.
std::string titleOf(const Sparsity &of) {
  return (of.root->name + " " + of.resultShape().str() + " by " +
          of.parameter->name + " " + of.parameterShape().str())
      .str();
}

/// `columns  3 colours: 3 products J * v (JVPs) for all entries; …`
void writeColors(const std::optional<Coloring> &of, llvm::StringRef side,
                 llvm::StringRef products, int64_t length, bool all,
                 llvm::raw_ostream &os) {
  os << "  " << side << ": ";
  if (!of) {
    os << "no colours were found\n";
    return;
  }
  os << counted(of->count, "colour") << ", so " << of->count << ' ' << products
     << " find all entries";
  if (of->count == of->least)
    os << "; no fewer do\n";
  else
    os << "; fewer than " << of->least << " never do\n";
  const auto seeds = of->seeds();
  if (!all && (length > kMostColumnsShown || seeds.size() > kMostSeedsShown))
    return;
  for (const auto &together : seeds) {
    os << "    {";
    llvm::interleaveComma(together, os);
    os << "}\n";
  }
}

}  // namespace

void SparsityResult::text(llvm::raw_ostream &os, TextStyle) {
  const Sparsity &of = entry_.of;
  const Jacobian &found = of.jacobian;
  os << titleOf(of) << '\n';
  os << "  " << found.rows << " x " << found.columns << ", ";
  if (found.entries) {
    os << (found.isExact ? "" : "at most ")
       << (*found.entries == 1 ? std::string("1 entry")
                               : std::to_string(*found.entries) + " entries");
    if (const auto density = found.density())
      os << llvm::format(" (%.4g%%)", 100 * *density);
  } else {
    os << "how many entries is undecided";
  }
  os << '\n';
  if (!of.reason.empty()) os << "  a cover: " << of.reason << '\n';
  if (found.band)
    os << "  within " << counted(found.band->lower, "diagonal")
       << " below the main one and " << found.band->upper << " above it\n";
  if (of.blocks && found.entries != 0) {
    if (of.blocks->rows * of.blocks->columns > 1)
      os << "  made of blocks of " << of.blocks->rows << " x "
         << of.blocks->columns << '\n';
    os << "  " << counted(*of.parts, "part")
       << (*of.parts == 1 ? "\n" : " without a common row or column\n");
  }
  if (!found.pattern) {
    os << "  too many entries to list, so no colours\n";
    return;
  }
  writeColors(of.ofColumns, "columns", "products J * v (JVPs)", found.columns,
              entry_.seeds, os);
  writeColors(of.ofRows, "rows", "products v * J (VJPs)", found.rows,
              entry_.seeds, os);
  if (!entry_.places) return;
  os << "  entries\n";
  for (int64_t row = 0; row < found.pattern->rows(); ++row) {
    const auto columns = found.pattern->row(row);
    if (columns.empty()) continue;
    os << "    row " << row << ": ";
    llvm::interleaveComma(columns, os);
    os << '\n';
  }
}

void SparsityResult::structure(Structure &to) {
  to.head([&](ValueSink &sink) { writeKeys(entry_, sink); });
}

void SparsityResult::picture(llvm::raw_ostream &os) {
  const Sparsity &of = entry_.of;
  Picture picture = pictureOfPattern(
      titleOf(of), *of.jacobian.pattern,
      of.ofColumns ? of.ofColumns->colors : std::vector<int64_t>());
  if (!of.reason.empty()) picture.notes.push_back("a cover: " + of.reason);
  writeSvg(picture, os);
}

void SparsityResult::matrix(llvm::raw_ostream &os) {
  const Sparsity &of = entry_.of;
  const SparsePattern &pattern = *of.jacobian.pattern;
  os << "%%MatrixMarket matrix coordinate pattern general\n";
  // A line break in a name would end the comment.
  std::string title =
      titleOf(of) + (of.reason.empty() ? ", exact" : ", a cover: " + of.reason);
  for (char &c : title)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  os << "% " << title << '\n';
  os << pattern.rows() << ' ' << pattern.columnCount() << ' '
     << pattern.entries() << '\n';
  for (int64_t row = 0; row < pattern.rows(); ++row)
    for (int64_t column : pattern.row(row))
      os << row + 1 << ' ' << column + 1 << '\n';
}

}  // namespace indexical
