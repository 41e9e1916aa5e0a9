#include "tests/same/values/linalg_programs.h"

#include <algorithm>

namespace indexical::testing {
namespace {

LinalgTensor empty(int64_t rows, int64_t columns) {
  return {rows, columns, std::vector<int64_t>(rows * columns)};
}

struct Sizes {
  int64_t rows, columns;
};

/// The number of 32 bits that a sum or product is.
int64_t wrapped(int64_t number) {
  return static_cast<int32_t>(static_cast<uint64_t>(number));
}

int64_t combined(const LinalgStep &step, int64_t a, int64_t b) {
  b = wrapped(b * step.times);
  if (step.op == "arith.addi") return wrapped(a + b);
  if (step.op == "arith.muli") return wrapped(a * b);
  if (step.op == "arith.subi") return wrapped(a - b);
  return std::max(a, b);
}

/// The numbers of the step's result. Of a tile that is read elsewhere the rows
/// are `shift` further on.
LinalgTensor run(const LinalgStep &step, const std::vector<LinalgTensor> &of) {
  const LinalgTensor &a = of[step.a], &b = of[step.b];
  if (step.kind == LinalgStep::Kind::Product) {
    LinalgTensor made = empty(a.rows, b.columns);
    for (int64_t i = 0; i < a.rows; ++i)
      for (int64_t j = 0; j < b.columns; ++j)
        for (int64_t k = 0; k < a.columns; ++k)
          made.at(i, j) = wrapped(made.at(i, j) + a.at(i, k) * b.at(k, j));
    return made;
  }
  LinalgTensor made =
      empty(a.rows, step.kind == LinalgStep::Kind::SumRows ? 1 : a.columns);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.columns; ++j) {
      if (step.kind == LinalgStep::Kind::SumRows) {
        made.at(i, 0) = wrapped(made.at(i, 0) + a.at(i, j));
        continue;
      }
      // A mistake reads the rows of the next tile; the last one its own.
      int64_t row = i;
      if (step.shift && i + step.shift < a.rows) row += step.shift;
      made.at(i, j) =
          combined(step, a.at(row, j), step.isTurned ? b.at(j, i) : b.at(i, j));
    }
  return made;
}

constexpr int64_t kOpen = -1;

std::string sizeText(int64_t size) {
  return size == kOpen ? "?" : std::to_string(size);
}

std::string typeOf(int64_t rows, int64_t columns) {
  return "tensor<" + sizeText(rows) + "x" + sizeText(columns) + "xi32>";
}

class Writer {
 public:
  std::string text;

  std::string fresh(const std::string &prefix) {
    return "%" + prefix + std::to_string(next_++);
  }
  void line(const std::string &words) { text += words + "\n"; }
  std::string number(int64_t value) {
    const std::string name = fresh("c");
    line(name + " = arith.constant " + std::to_string(value) + " : index");
    return name;
  }
  std::string emptyOf(const std::string &type) {
    const std::string name = fresh("e");
    line(name + " = tensor.empty() : " + type);
    return name;
  }

  /// `out[i, j] = a[i, j] op (b[..] * times)` of tensors of these sizes.
  std::string combine(const LinalgStep &step, const std::string &a,
                      const std::string &b, const std::string &out,
                      int64_t rows, int64_t columns, bool isInterchanged) {
    const std::string type = typeOf(rows, columns);
    const std::string typeOfB = step.isTurned ? typeOf(columns, rows) : type;
    const std::string name = fresh("g");
    const std::string own = isInterchanged ? "affine_map<(d0, d1) -> (d1, d0)>"
                                           : "affine_map<(d0, d1) -> (d0, d1)>";
    const std::string turned = !isInterchanged
                                   ? "affine_map<(d0, d1) -> (d1, d0)>"
                                   : "affine_map<(d0, d1) -> (d0, d1)>";
    line(name + " = linalg.generic {indexing_maps = [" + own + ", " +
         (step.isTurned ? turned : own) + ", " + own +
         "], iterator_types = [\"parallel\", \"parallel\"]} ins(" + a + ", " +
         b + " : " + type + ", " + typeOfB + ") outs(" + out + " : " + type +
         ") {\n^bb0(%p: i32, %q: i32, %o: i32):\n  %k = arith.constant " +
         std::to_string(step.times) +
         " : i32\n  %s = arith.muli %q, %k : i32\n"
         "  %t = " +
         step.op + " %p, %s : i32\n  linalg.yield %t : i32\n} -> " + type);
    return name;
  }

  std::string slice(const std::string &from, const std::string &row,
                    const std::string &column, int64_t rows, int64_t columns,
                    const Sizes &whole) {
    const std::string name = fresh("s");
    line(name + " = tensor.extract_slice " + from + "[" + row + ", " + column +
         "] [" + std::to_string(rows) + ", " + std::to_string(columns) +
         "] [1, 1] : " + typeOf(whole.rows, whole.columns) + " to " +
         typeOf(rows, columns));
    return name;
  }

  /// One tile of a step, from and into `out`, which is returned whole.
  std::string tile(const LinalgStep &step, const std::string &a,
                   const std::string &b, const std::string &out,
                   const std::string &row, const std::string &column,
                   const Sizes &sizes, int64_t columns, std::string *insert) {
    std::string from = row;
    if (step.shift) {
      // The next rows, where there are such.
      const std::string next = fresh("n"),
                        last = number(sizes.rows - step.tile);
      const std::string by = number(step.shift);
      line(next + " = arith.addi " + row + ", " + by + " : index");
      from = fresh("n");
      const std::string goes = fresh("b");
      line(goes + " = arith.cmpi sle, " + next + ", " + last + " : index");
      line(from + " = arith.select " + goes + ", " + next + ", " + row +
           " : index");
    }
    const std::string x = slice(a, from, column, step.tile, columns, sizes);
    const std::string y =
        step.isTurned ? slice(b, column, row, columns, step.tile,
                              {sizes.columns, sizes.rows})
                      : slice(b, row, column, step.tile, columns, sizes);
    const std::string z = slice(out, row, column, step.tile, columns, sizes);
    const std::string made = combine(step, x, y, z, step.tile, columns, false);
    const std::string words = made + " into " + out + "[" + row + ", " +
                              column + "] [" + std::to_string(step.tile) +
                              ", " + std::to_string(columns) +
                              "] [1, 1] : " + typeOf(step.tile, columns) +
                              " into " + typeOf(sizes.rows, sizes.columns);
    if (insert) {
      *insert = "tensor.parallel_insert_slice " + words;
      return "";
    }
    const std::string name = fresh("i");
    line(name + " = tensor.insert_slice " + words);
    return name;
  }

  /// A loop over rows by a tile that need not divide them.
  std::string unevenTiles(const LinalgStep &step, const std::string &a,
                          const std::string &b, const Sizes &sizes) {
    const std::string type = typeOf(sizes.rows, sizes.columns),
                      out = emptyOf(type), zero = number(0),
                      rows = number(sizes.rows), by = number(step.tile),
                      name = fresh("r"), i = fresh("x"), o = fresh("o"),
                      count = fresh("n");
    line(name + " = scf.for " + i + " = " + zero + " to " + rows + " step " +
         by + " iter_args(" + o + " = " + out + ") -> (" + type + ") {");
    line(count + " = affine.min affine_map<(d0) -> (" +
         std::to_string(step.tile) + ", " + std::to_string(sizes.rows) +
         " - d0)>(" + i + ")");
    const std::string columns = std::to_string(sizes.columns),
                      tile = typeOf(kOpen, sizes.columns);
    auto part = [&](const std::string &from) {
      const std::string made = fresh("s");
      line(made + " = tensor.extract_slice " + from + "[" + i + ", 0] [" +
           count + ", " + columns + "] [1, 1] : " + type + " to " + tile);
      return made;
    };
    const std::string x = part(a), y = part(b);
    std::string times = y;
    for (int64_t k = 1; k < step.times; ++k) {
      const std::string sum = fresh("t");
      line(sum + " = arith.addi " + times + ", " + y + " : " + tile);
      times = sum;
    }
    const std::string made = fresh("g");
    line(made + " = " + step.op + " " + x + ", " + times + " : " + tile);
    const std::string whole = fresh("i");
    line(whole + " = tensor.insert_slice " + made + " into " + o + "[" + i +
         ", 0] [" + count + ", " + columns +
         "] [1, 1] : " + typeOf(kOpen, sizes.columns) + " into " + type);
    line("scf.yield " + whole + " : " + type + "\n}");
    return name;
  }

  /// The same with ops of linalg on the tiles, whose sizes are open. A product
  /// has tiles of rows and of what it sums.
  std::string unevenOps(const LinalgStep &step, const std::string &a,
                        const std::string &b, const Sizes &sizes,
                        int64_t columnsOfB) {
    const bool isProduct = step.kind == LinalgStep::Kind::Product;
    const int64_t columns = isProduct ? columnsOfB
                            : step.kind == LinalgStep::Kind::SumRows
                                ? 1
                                : sizes.columns;
    const std::string type = typeOf(sizes.rows, columns),
                      tile = typeOf(kOpen, columns), name = fresh("r"),
                      i = fresh("x"), o = fresh("o");
    std::string begin = emptyOf(type);
    if (step.kind != LinalgStep::Kind::Combine) {
      const std::string zero = scalar(0), filled = fresh("f");
      line(filled + " = linalg.fill ins(" + zero + " : i32) outs(" + begin +
           " : " + type + ") -> " + type);
      begin = filled;
    }
    const std::string zero = number(0), rows = number(sizes.rows),
                      by = number(step.tile);
    auto slice = [&](const std::string &from, const std::string &place,
                     const std::string &size, const Sizes &whole,
                     const std::string &to) {
      const std::string made = fresh("s");
      line(made + " = tensor.extract_slice " + from + "[" + place + "] [" +
           size + "] [1, 1] : " + typeOf(whole.rows, whole.columns) + " to " +
           to);
      return made;
    };
    auto sizeAt = [&](const std::string &counter, int64_t by, int64_t whole) {
      const std::string made = fresh("n");
      line(made + " = affine.min affine_map<(d0) -> (" + std::to_string(by) +
           ", " + std::to_string(whole) + " - d0)>(" + counter + ")");
      return made;
    };
    line(name + " = scf.for " + i + " = " + zero + " to " + rows + " step " +
         by + " iter_args(" + o + " = " + begin + ") -> (" + type + ") {");
    const std::string own = sizeAt(i, step.tile, sizes.rows),
                      width = std::to_string(sizes.columns),
                      part = own + ", " + std::to_string(columns);
    const std::string z =
        slice(o, i + ", 0", part, {sizes.rows, columns}, tile);
    std::string made;
    if (isProduct) {
      // The second operand has rows of its own.
      const std::string inner = fresh("r"), j = fresh("x"), p = fresh("o"),
                        end = number(sizes.columns),
                        step2 = number(step.tileColumns);
      line(inner + " = scf.for " + j + " = " + zero + " to " + end + " step " +
           step2 + " iter_args(" + p + " = " + z + ") -> (" + tile + ") {");
      const std::string depth = sizeAt(j, step.tileColumns, sizes.columns);
      const std::string x = slice(a, i + ", " + j, own + ", " + depth, sizes,
                                  typeOf(kOpen, kOpen));
      const std::string y =
          slice(b, j + ", 0", depth + ", " + std::to_string(columns),
                {sizes.columns, columns}, tile);
      const std::string product = fresh("m");
      line(product + " = linalg.matmul ins(" + x + ", " + y + " : " +
           typeOf(kOpen, kOpen) + ", " + tile + ") outs(" + p + " : " + tile +
           ") -> " + tile);
      line("scf.yield " + product + " : " + tile + "\n}");
      made = inner;
    } else {
      const std::string x = slice(a, i + ", 0", own + ", " + width, sizes,
                                  typeOf(kOpen, sizes.columns));
      if (step.kind == LinalgStep::Kind::SumRows) {
        made = fresh("m");
        line(made +
             " = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> "
             "(d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], "
             "iterator_types = [\"parallel\", \"parallel\", "
             "\"reduction\"]} ins(" +
             x + " : " + typeOf(kOpen, sizes.columns) + ") outs(" + z + " : " +
             tile +
             ") {\n^bb0(%p: i32, %o: i32):\n  %t = arith.addi %p, %o : i32\n"
             "  linalg.yield %t : i32\n} -> " +
             tile);
      } else {
        const std::string y =
            step.isTurned
                ? slice(b, "0, " + i, width + ", " + own,
                        {sizes.columns, sizes.rows},
                        typeOf(sizes.columns, kOpen))
                : slice(b, i + ", 0", own + ", " + width, sizes, tile);
        made = combine(step, x, y, z, kOpen, sizes.columns, false);
      }
    }
    const std::string whole = fresh("i");
    line(whole + " = tensor.insert_slice " + made + " into " + o + "[" + i +
         ", 0] [" + part + "] [1, 1] : " + tile + " into " + type);
    line("scf.yield " + whole + " : " + type + "\n}");
    return name;
  }

  std::string scalar(int64_t value) {
    const std::string name = fresh("p");
    line(name + " = arith.constant " + std::to_string(value) + " : i32");
    return name;
  }

  static std::string vectorOf(int64_t rows, int64_t columns) {
    return "vector<" + std::to_string(rows) + "x" + std::to_string(columns) +
           "xi32>";
  }

  /// The tensor, turned or not, as a vector of these sizes; 0 beyond its end.
  std::string read(const std::string &from, const Sizes &sizes, int64_t rows,
                   int64_t columns, bool isTurned) {
    const std::string zero = number(0), padding = scalar(0), name = fresh("v");
    const bool fits = isTurned ? rows <= sizes.columns && columns <= sizes.rows
                               : rows <= sizes.rows && columns <= sizes.columns;
    const std::string inside = fits ? "true, true" : "false, false";
    line(name + " = vector.transfer_read " + from + "[" + zero + ", " + zero +
         "], " + padding + " {in_bounds = [" + inside + "]" +
         (isTurned ? ", permutation_map = affine_map<(d0, d1) -> (d1, d0)>"
                   : "") +
         "} : " + typeOf(sizes.rows, sizes.columns) + ", " +
         vectorOf(rows, columns));
    return name;
  }

  /// A tensor of these sizes with what of the vector is inside.
  std::string written(const std::string &vector, int64_t rows, int64_t columns,
                      const Sizes &sizes) {
    const std::string zero = number(0),
                      type = typeOf(sizes.rows, sizes.columns),
                      out = emptyOf(type), name = fresh("w");
    const bool fits = rows <= sizes.rows && columns <= sizes.columns;
    line(name + " = vector.transfer_write " + vector + ", " + out + "[" + zero +
         ", " + zero + "] {in_bounds = [" +
         (fits ? "true, true" : "false, false") +
         "]} : " + vectorOf(rows, columns) + ", " + type);
    return name;
  }

  std::string constantVector(int64_t value, const std::string &type) {
    const std::string name = fresh("q");
    line(name + " = arith.constant dense<" + std::to_string(value) +
         "> : " + type);
    return name;
  }

  /// The step on vectors.
  std::string vectors(const LinalgStep &step, const std::string &a,
                      const std::string &b, const Sizes &sizes,
                      int64_t columnsOfB) {
    const int64_t rows = sizes.rows + step.beyond,
                  columns = sizes.columns + step.beyond;
    const std::string x = read(a, sizes, rows, columns, false),
                      type = vectorOf(rows, columns), name = fresh("v");
    if (step.kind == LinalgStep::Kind::SumRows) {
      const std::string line1 = "vector<" + std::to_string(rows) + "xi32>";
      const std::string zero = constantVector(0, line1);
      line(name + " = vector.multi_reduction <add>, " + x + ", " + zero +
           " [1] : " + type + " to " + line1);
      const std::string cast = fresh("v");
      line(cast + " = vector.shape_cast " + name + " : " + line1 + " to " +
           vectorOf(rows, 1));
      return written(cast, rows, 1, {sizes.rows, 1});
    }
    if (step.kind == LinalgStep::Kind::Product) {
      const bool isTurned = step.form == 7;
      const std::string typeOfB = isTurned ? vectorOf(columnsOfB, columns)
                                           : vectorOf(columns, columnsOfB);
      const std::string y = isTurned ? read(b, {sizes.columns, columnsOfB},
                                            columnsOfB, columns, true)
                                     : read(b, {sizes.columns, columnsOfB},
                                            columns, columnsOfB, false);
      const std::string result = vectorOf(rows, columnsOfB),
                        zero = constantVector(0, result);
      line(name +
           " = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> "
           "(d0, d2)>, affine_map<(d0, d1, d2) -> (" +
           std::string(isTurned ? "d1, d2" : "d2, d1") +
           ")>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = "
           "[\"parallel\", \"parallel\", \"reduction\"], kind = "
           "#vector.kind<add>} " +
           x + ", " + y + ", " + zero + " : " + type + ", " + typeOfB +
           " into " + result);
      return written(name, rows, columnsOfB, {sizes.rows, columnsOfB});
    }
    const Sizes of = step.isTurned ? Sizes{sizes.columns, sizes.rows} : sizes;
    const std::string y = read(b, of, rows, columns, step.isTurned),
                      times = constantVector(step.times, type);
    const std::string product = fresh("v");
    line(product + " = arith.muli " + y + ", " + times + " : " + type);
    line(name + " = " + step.op + " " + x + ", " + product + " : " + type);
    return written(name, rows, columns, sizes);
  }

  std::string write(const LinalgStep &step, const std::string &a,
                    const std::string &b, const Sizes &sizes,
                    int64_t columnsOfB) {
    const std::string type = typeOf(sizes.rows, sizes.columns);
    if (step.form == 9) return unevenOps(step, a, b, sizes, columnsOfB);
    if (step.form == 8 && step.kind == LinalgStep::Kind::Combine &&
        !step.isTurned)
      return unevenTiles(step, a, b, sizes);
    if (step.form == 6 || step.form == 7)
      return vectors(step, a, b, sizes, columnsOfB);
    if (step.kind == LinalgStep::Kind::SumRows) return sum(step, a, sizes);
    if (step.kind == LinalgStep::Kind::Product)
      return product(step, a, b, sizes, columnsOfB);
    const std::string out = emptyOf(type);
    if (step.form == 0 || step.form == 4 || step.form == 8)
      return combine(step, a, b, out, sizes.rows, sizes.columns,
                     step.form == 4);
    const std::string zero = number(0), rows = number(sizes.rows),
                      by = number(step.tile), name = fresh("r");
    if (step.form == 1 || step.form == 5) {
      const std::string i = fresh("x"), o = fresh("o");
      const bool isAffine = step.form == 5;
      line(name + " = " +
           (isAffine
                ? "affine.for " + i + " = 0 to " + std::to_string(sizes.rows) +
                      " step " + std::to_string(step.tile)
                : "scf.for " + i + " = " + zero + " to " + rows + " step " +
                      by) +
           " iter_args(" + o + " = " + out + ") -> (" + type + ") {");
      const std::string made =
          tile(step, a, b, o, i, zero, sizes, sizes.columns, nullptr);
      line((isAffine ? "affine.yield " : "scf.yield ") + made + " : " + type +
           "\n}");
      return name;
    }
    if (step.form == 2) {
      const std::string i = fresh("x"), o = fresh("o"), row = fresh("k");
      line(name + " = scf.forall (" + i + ") in (" +
           std::to_string(sizes.rows / step.tile) + ") shared_outs(" + o +
           " = " + out + ") -> (" + type + ") {");
      line(row + " = affine.apply affine_map<(d0) -> (d0 * " +
           std::to_string(step.tile) + ")>(" + i + ")");
      std::string insert;
      tile(step, a, b, o, row, zero, sizes, sizes.columns, &insert);
      line("scf.forall.in_parallel {\n" + insert + "\n}\n}");
      return name;
    }
    const std::string columns = number(sizes.columns),
                      byColumns = number(step.tileColumns);
    const std::string i = fresh("x"), j = fresh("x"), o = fresh("o"),
                      p = fresh("o"), inner = fresh("r");
    line(name + " = scf.for " + i + " = " + zero + " to " + rows + " step " +
         by + " iter_args(" + o + " = " + out + ") -> (" + type + ") {");
    line(inner + " = scf.for " + j + " = " + zero + " to " + columns +
         " step " + byColumns + " iter_args(" + p + " = " + o + ") -> (" +
         type + ") {");
    const std::string made =
        tile(step, a, b, p, i, j, sizes, step.tileColumns, nullptr);
    line("scf.yield " + made + " : " + type + "\n}");
    line("scf.yield " + inner + " : " + type + "\n}");
    return name;
  }

  std::string sum(const LinalgStep &step, const std::string &a,
                  const Sizes &sizes) {
    const std::string type = typeOf(sizes.rows, sizes.columns);
    const std::string row = typeOf(sizes.rows, 1), name = fresh("r");
    const std::string zero = fresh("z"), out = emptyOf(row),
                      filled = fresh("f");
    line(zero + " = arith.constant 0 : i32");
    line(filled + " = linalg.fill ins(" + zero + " : i32) outs(" + out + " : " +
         row + ") -> " + row);
    const bool isTurned = step.form % 2;
    line(name + " = linalg.generic {indexing_maps = [" +
         (isTurned ? "affine_map<(d0, d1, d2) -> (d1, d0)>, "
                     "affine_map<(d0, d1, d2) -> (d1, d2)>"
                   : "affine_map<(d0, d1, d2) -> (d0, d2)>, "
                     "affine_map<(d0, d1, d2) -> (d0, d1)>") +
         "], iterator_types = [" +
         (isTurned ? "\"reduction\", \"parallel\", \"parallel\""
                   : "\"parallel\", \"parallel\", \"reduction\"") +
         "]} ins(" + a + " : " + type + ") outs(" + filled + " : " + row +
         ") {\n^bb0(%p: i32, %o: i32):\n  %t = arith.addi " +
         (isTurned ? "%o, %p" : "%p, %o") +
         " : i32\n  linalg.yield %t : i32\n} -> " + row);
    return name;
  }

  std::string product(const LinalgStep &step, const std::string &a,
                      const std::string &b, const Sizes &sizes,
                      int64_t columns) {
    const std::string zero = fresh("z"), type = typeOf(sizes.rows, columns),
                      out = emptyOf(type), filled = fresh("f"),
                      name = fresh("r");
    const std::string types = typeOf(sizes.rows, sizes.columns) + ", " +
                              typeOf(sizes.columns, columns);
    line(zero + " = arith.constant 0 : i32");
    line(filled + " = linalg.fill ins(" + zero + " : i32) outs(" + out + " : " +
         type + ") -> " + type);
    if (step.form % 2 == 0)
      line(name + " = linalg.matmul ins(" + a + ", " + b + " : " + types +
           ") outs(" + filled + " : " + type + ") -> " + type);
    else
      line(name +
           " = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> "
           "(d1, d0)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, "
           "d1, d2) -> (d1, d2)>], iterator_types = [\"reduction\", "
           "\"parallel\", \"parallel\"]} ins(" +
           a + ", " + b + " : " + types + ") outs(" + filled + " : " + type +
           ") {\n^bb0(%p: i32, %q: i32, %o: i32):\n  %s = arith.muli %q, %p : "
           "i32\n  %t = arith.addi %s, %o : i32\n  linalg.yield %t : i32\n} "
           "-> " +
           type);
    return name;
  }

 private:
  int next_ = 0;
};

}  // namespace

std::string textOf(const LinalgProgram &program) {
  Writer writer;
  const std::string type = typeOf(program.size, program.size);
  std::vector<std::string> names = {"%x", "%y"};
  std::vector<Sizes> sizes(2, {program.size, program.size});
  for (const LinalgStep &step : program.steps) {
    names.push_back(writer.write(step, names[step.a], names[step.b],
                                 sizes[step.a], sizes[step.b].columns));
    Sizes made = sizes[step.a];
    if (step.kind == LinalgStep::Kind::SumRows) made.columns = 1;
    if (step.kind == LinalgStep::Kind::Product)
      made.columns = sizes[step.b].columns;
    sizes.push_back(made);
  }
  return "func.func @main(%x: " + type + ", %y: " + type + ") -> " +
         typeOf(sizes.back().rows, sizes.back().columns) + " {\n" +
         writer.text + "return " + names.back() + " : " +
         typeOf(sizes.back().rows, sizes.back().columns) + "\n}\n";
}

LinalgTensor run(const LinalgProgram &program, const LinalgTensor &x,
                 const LinalgTensor &y) {
  std::vector<LinalgTensor> of = {x, y};
  for (const LinalgStep &step : program.steps) of.push_back(run(step, of));
  return of.back();
}

LinalgProgram randomLinalgProgram(Random &random) {
  LinalgProgram program;
  program.size = random.oneIn(2) ? 4 : 6;
  std::vector<size_t> square = {0, 1};
  const int64_t count = random.in(1, 3);
  for (int64_t k = 0; k < count; ++k) {
    LinalgStep step;
    step.a = square[random.in(0, square.size() - 1)];
    step.b = square[random.in(0, square.size() - 1)];
    const int64_t kind = random.in(0, 5);
    const bool isLast = k + 1 == count;
    if (kind == 0 && isLast) step.kind = LinalgStep::Kind::SumRows;
    if (kind == 1 && isLast) step.kind = LinalgStep::Kind::Product;
    const char *ops[] = {"arith.addi", "arith.muli", "arith.subi",
                         "arith.maxsi"};
    step.op = ops[random.in(0, 3)];
    step.times = random.in(1, 3);
    step.isTurned = random.oneIn(3);
    square.push_back(program.steps.size() + 2);
    program.steps.push_back(step);
  }
  return program;
}

LinalgProgram rewritten(LinalgProgram program, Random &random) {
  for (LinalgStep &step : program.steps) {
    step.form = random.in(0, 9);
    step.beyond = random.in(0, 2);
    const int64_t divisors[] = {1, 2, program.size / 2, program.size};
    step.tile = divisors[random.in(0, 3)];
    step.tileColumns = divisors[random.in(0, 3)];
    if (step.form >= 8) step.tile = random.in(1, program.size);
    if (step.form == 9) step.tileColumns = random.in(1, program.size);
  }
  return program;
}

void mutate(LinalgProgram &program, Random &random) {
  LinalgStep &step = program.steps[random.in(0, program.steps.size() - 1)];
  switch (random.in(0, 3)) {
    case 0:
      step.times += 1;
      break;
    case 1:
      step.isTurned = !step.isTurned;
      break;
    case 2:
      step.op = step.op == "arith.addi" ? "arith.subi" : "arith.addi";
      break;
    default:
      if (step.kind != LinalgStep::Kind::Combine) break;
      step.form = 1;
      step.tile = 1;
      step.shift = 1;
  }
}

LinalgTensor randomTensor(int64_t size, Random &random) {
  LinalgTensor made = empty(size, size);
  // Also numbers whose sums and products leave 32 bits.
  const bool isLarge = random.oneIn(2);
  for (int64_t &number : made.numbers)
    number =
        isLarge ? wrapped(random.in(INT32_MIN, INT32_MAX)) : random.in(-9, 9);
  return made;
}

}  // namespace indexical::testing
