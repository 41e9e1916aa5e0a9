// Random programs of linalg, as their authors write them and as passes rewrite
// them: tiled by loops and threads, interchanged, generalised, made of vectors,
// which may be larger than the tensor and padded. A right
// rewrite is equal, and one with a mistake is equal only where an interpreter,
// which shares no code with the library, finds no difference.
//
//   %a = linalg.generic  …                 a[i, j] = x[j, i] + 2 * y[i, j]
//   %r = linalg.reduce   …                 r[i] = z[i] + a[i, 0] + a[i, 1] + …
//
// A program is a list of steps on integers, so that sums have no order.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/analysis/values/sameness.h"
#include "indexical/stablehlo/import/import.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

struct Tensor {
  int64_t rows = 0, columns = 0;
  std::vector<int64_t> numbers;
  int64_t &at(int64_t i, int64_t j) { return numbers[i * columns + j]; }
  int64_t at(int64_t i, int64_t j) const { return numbers[i * columns + j]; }
};

Tensor empty(int64_t rows, int64_t columns) {
  return {rows, columns, std::vector<int64_t>(rows * columns)};
}

/// One step: r[i, j] = a (+, *, max) b with b turned or not, times a number; or
/// r[i, 0] the sum of a row of a. What a step takes are numbers of tensors.
struct Step {
  enum class Kind { Combine, SumRows, Product } kind = Kind::Combine;
  size_t a = 0, b = 0;
  std::string op = "arith.addi";
  int64_t times = 1;
  bool isTurned = false;
  // How it is written: 0 plain, 1 a loop over rows, 2 threads, 3 loops in each
  // other, 4 interchanged, 5 affine, 6 and 7 vectors, 8 a loop whose last tile
  // may be smaller.
  int form = 0;
  int64_t beyond = 0;  ///< so much larger is a vector than the tensor
  int64_t tile = 1, tileColumns = 1;
  // A mistake in how it is written.
  int64_t shift = 0;  ///< of the slice that a tile reads
};

struct Sizes {
  int64_t rows, columns;
};

/// The number of 32 bits that a sum or product is.
int64_t wrapped(int64_t number) {
  return static_cast<int32_t>(static_cast<uint64_t>(number));
}

int64_t combined(const Step &step, int64_t a, int64_t b) {
  b = wrapped(b * step.times);
  if (step.op == "arith.addi") return wrapped(a + b);
  if (step.op == "arith.muli") return wrapped(a * b);
  if (step.op == "arith.subi") return wrapped(a - b);
  return std::max(a, b);
}

/// The numbers of the step's result. Of a tile that is read elsewhere the rows
/// are `shift` further on.
Tensor run(const Step &step, const std::vector<Tensor> &of) {
  const Tensor &a = of[step.a], &b = of[step.b];
  if (step.kind == Step::Kind::Product) {
    Tensor made = empty(a.rows, b.columns);
    for (int64_t i = 0; i < a.rows; ++i)
      for (int64_t j = 0; j < b.columns; ++j)
        for (int64_t k = 0; k < a.columns; ++k)
          made.at(i, j) = wrapped(made.at(i, j) + a.at(i, k) * b.at(k, j));
    return made;
  }
  Tensor made = empty(a.rows, step.kind == Step::Kind::SumRows ? 1 : a.columns);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.columns; ++j) {
      if (step.kind == Step::Kind::SumRows) {
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
  std::string combine(const Step &step, const std::string &a,
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
  std::string tile(const Step &step, const std::string &a, const std::string &b,
                   const std::string &out, const std::string &row,
                   const std::string &column, const Sizes &sizes,
                   int64_t columns, std::string *insert) {
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
  std::string unevenTiles(const Step &step, const std::string &a,
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
  std::string vectors(const Step &step, const std::string &a,
                      const std::string &b, const Sizes &sizes,
                      int64_t columnsOfB) {
    const int64_t rows = sizes.rows + step.beyond,
                  columns = sizes.columns + step.beyond;
    const std::string x = read(a, sizes, rows, columns, false),
                      type = vectorOf(rows, columns), name = fresh("v");
    if (step.kind == Step::Kind::SumRows) {
      const std::string line1 = "vector<" + std::to_string(rows) + "xi32>";
      const std::string zero = constantVector(0, line1);
      line(name + " = vector.multi_reduction <add>, " + x + ", " + zero +
           " [1] : " + type + " to " + line1);
      const std::string cast = fresh("v");
      line(cast + " = vector.shape_cast " + name + " : " + line1 + " to " +
           vectorOf(rows, 1));
      return written(cast, rows, 1, {sizes.rows, 1});
    }
    if (step.kind == Step::Kind::Product) {
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

  std::string write(const Step &step, const std::string &a,
                    const std::string &b, const Sizes &sizes,
                    int64_t columnsOfB) {
    const std::string type = typeOf(sizes.rows, sizes.columns);
    if (step.form == 8 && step.kind == Step::Kind::Combine && !step.isTurned)
      return unevenTiles(step, a, b, sizes);
    if (step.form == 6 || step.form == 7)
      return vectors(step, a, b, sizes, columnsOfB);
    if (step.kind == Step::Kind::SumRows) return sum(step, a, sizes);
    if (step.kind == Step::Kind::Product)
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

  std::string sum(const Step &step, const std::string &a, const Sizes &sizes) {
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

  std::string product(const Step &step, const std::string &a,
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

struct LinalgProgram {
  int64_t size = 4;
  std::vector<Step> steps;
};

std::string textOf(const LinalgProgram &program) {
  Writer writer;
  const std::string type = typeOf(program.size, program.size);
  std::vector<std::string> names = {"%x", "%y"};
  std::vector<Sizes> sizes(2, {program.size, program.size});
  for (const Step &step : program.steps) {
    names.push_back(writer.write(step, names[step.a], names[step.b],
                                 sizes[step.a], sizes[step.b].columns));
    Sizes made = sizes[step.a];
    if (step.kind == Step::Kind::SumRows) made.columns = 1;
    if (step.kind == Step::Kind::Product) made.columns = sizes[step.b].columns;
    sizes.push_back(made);
  }
  return "func.func @main(%x: " + type + ", %y: " + type + ") -> " +
         typeOf(sizes.back().rows, sizes.back().columns) + " {\n" +
         writer.text + "return " + names.back() + " : " +
         typeOf(sizes.back().rows, sizes.back().columns) + "\n}\n";
}

Tensor run(const LinalgProgram &program, const Tensor &x, const Tensor &y) {
  std::vector<Tensor> of = {x, y};
  for (const Step &step : program.steps) of.push_back(run(step, of));
  return of.back();
}

LinalgProgram randomLinalgProgram(Random &random) {
  LinalgProgram program;
  program.size = random.oneIn(2) ? 4 : 6;
  std::vector<size_t> square = {0, 1};
  const int64_t count = random.in(1, 3);
  for (int64_t k = 0; k < count; ++k) {
    Step step;
    step.a = square[random.in(0, square.size() - 1)];
    step.b = square[random.in(0, square.size() - 1)];
    const int64_t kind = random.in(0, 5);
    const bool isLast = k + 1 == count;
    if (kind == 0 && isLast) step.kind = Step::Kind::SumRows;
    if (kind == 1 && isLast) step.kind = Step::Kind::Product;
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

/// The same program, written in another way.
LinalgProgram rewritten(LinalgProgram program, Random &random) {
  for (Step &step : program.steps) {
    step.form = random.in(0, 8);
    step.beyond = random.in(0, 2);
    const int64_t divisors[] = {1, 2, program.size / 2, program.size};
    step.tile = divisors[random.in(0, 3)];
    step.tileColumns = divisors[random.in(0, 3)];
    if (step.form == 8) step.tile = random.in(1, program.size);
  }
  return program;
}

/// One mistake.
void mutate(LinalgProgram &program, Random &random) {
  Step &step = program.steps[random.in(0, program.steps.size() - 1)];
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
      if (step.kind != Step::Kind::Combine) break;
      step.form = 1;
      step.tile = 1;
      step.shift = 1;
  }
}

Tensor randomTensor(int64_t size, Random &random) {
  Tensor made = empty(size, size);
  // Also numbers whose sums and products leave 32 bits.
  const bool isLarge = random.oneIn(2);
  for (int64_t &number : made.numbers)
    number =
        isLarge ? wrapped(random.in(INT32_MIN, INT32_MAX)) : random.in(-9, 9);
  return made;
}

TEST(RandomMlirValues, RewritesAreEqualAndMistakesAreNot) {
  const int64_t seed = fromEnvironment("INDEXICAL_SEED", 20261127);
  const int64_t count = fromEnvironment("INDEXICAL_COUNT", 150);
  std::cout << "seed " << seed << std::endl;
  int64_t right = 0, decided = 0, mistakes = 0, found = 0;
  for (int64_t k = 0; k < count; ++k) {
    Random random(seed + k);
    const LinalgProgram program = randomLinalgProgram(random);
    LinalgProgram other = rewritten(program, random);
    if (random.oneIn(2)) mutate(other, random);
    bool isSame = true;
    for (int tries = 0; tries < 8 && isSame; ++tries) {
      const Tensor x = randomTensor(program.size, random),
                   y = randomTensor(program.size, random);
      isSame = run(program, x, y).numbers == run(other, x, y).numbers;
    }
    const std::string texts[] = {textOf(program), textOf(other)};
    const auto first = importMlir(texts[0]), second = importMlir(texts[1]);
    ASSERT_TRUE(first.ok()) << first.status() << texts[0];
    ASSERT_TRUE(second.ok()) << second.status() << texts[1];
    SamenessOptions options;
    options.values = ValueOptions{};
    const auto same = compare(first->modules[0], second->modules[0], options);
    ASSERT_TRUE(same.ok()) << same.status() << texts[0] << texts[1];
    const bool isEqual = same->verdict == SameVerdict::Equal ||
                         same->verdict == SameVerdict::FewerReads ||
                         same->verdict == SameVerdict::OtherReads;
    ASSERT_TRUE(isSame || !isEqual) << "seed " << seed + k << "\n"
                                    << texts[0] << texts[1];
    ASSERT_TRUE(!isSame || same->verdict != SameVerdict::Different)
        << "seed " << seed + k << "\n"
        << texts[0] << texts[1];
    (isSame ? right : mistakes) += 1;
    decided += isSame && isEqual;
    found += !isSame && same->verdict == SameVerdict::Different;
    if (isSame && !isEqual && fromEnvironment("INDEXICAL_SHOW", 0))
      std::cout << "undecided, seed " << seed + k << "\n"
                << texts[0] << texts[1];
  }
  std::cout << decided << " of " << right << " rewrites are equal, " << found
            << " of " << mistakes << " mistakes are different\n";
  EXPECT_GE(decided * 100, right * 95);
  EXPECT_GE(found * 100, mistakes * 80);
}

}  // namespace
}  // namespace indexical::testing
