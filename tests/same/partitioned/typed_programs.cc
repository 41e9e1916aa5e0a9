#include "tests/same/partitioned/typed_programs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace indexical::testing {
namespace {

std::string sizesText(int64_t rows, int64_t columns) {
  return "[" + std::to_string(rows) + "," + std::to_string(columns) + "]";
}

std::string literalText(TypedNumber number, const std::string &type) {
  if (isFloatType(type)) {
    if (number.real == HUGE_VAL) return "inf";
    if (number.real == -HUGE_VAL) return "-inf";
    return std::to_string(number.real);
  }
  if (type == "pred") return number.integer ? "true" : "false";
  if (type[0] == 'u')
    return std::to_string(static_cast<uint64_t>(number.integer));
  return std::to_string(number.integer);
}

/// Writes the instructions of a program and the functions that they call.
class Writer {
 public:
  Writer(const TypedProgram &program, int64_t devices)
      : program(program), devices(devices) {}

  std::string text() {
    for (size_t k = 0; k < program.steps.size(); ++k) write(k);
    std::string all = "HloModule m";
    if (program.devices > 1)
      all += ", num_partitions=" + std::to_string(program.devices);
    all += "\n";
    for (const std::string &function : functions) all += function;
    return all + "ENTRY main {\n" + body + "}\n";
  }

 private:
  std::string nameOf(size_t step) { return "v" + std::to_string(step); }
  std::string shardingOf(bool isCut) {
    if (!isCut) return ", sharding={replicated}";
    return ", sharding={devices=[" + std::to_string(devices) + ",1]<=[" +
           std::to_string(devices) + "]}";
  }
  void line(const std::string &name, const std::string &shape,
            const std::string &rest) {
    body += "  " + name + " = " + shape + " " + rest + "\n";
  }
  /// A function of two scalars.
  std::string binary(const std::string &function, const std::string &type) {
    const std::string name = "f_" + function + "_" + type;
    const std::string of = type + "[] ";
    std::string text = name + " {\n  x = " + of + "parameter(0)\n  y = " + of +
                       "parameter(1)\n";
    if (function == "left")
      text += "  ROOT r = " + of + "copy(x)\n";
    else if (function == "less")
      text += "  c = pred[] compare(x, y), direction=LT\n  ROOT r = " + of +
              "select(c, x, y)\n";
    else if (function.size() == 2 && function != "or")
      text += "  ROOT r = pred[] compare(x, y), direction=" + function + "\n";
    else
      text += "  ROOT r = " + of + function + "(x, y)\n";
    functions.insert(text + "}\n");
    return name;
  }
  std::string pairs(const std::string &direction, const std::string &type) {
    const std::string name = "p_" + direction + "_" + type;
    const std::string of = type + "[] ";
    functions.insert(name + " {\n  a = " + of +
                     "parameter(0)\n  i = s32[] parameter(1)\n  b = " + of +
                     "parameter(2)\n  j = s32[] parameter(3)\n" +
                     "  c = pred[] compare(a, b), direction=" + direction +
                     "\n  v = " + of +
                     "select(c, a, b)\n  k = s32[] select(c, i, j)\n" +
                     "  ROOT r = (" + type + "[], s32[]) tuple(v, k)\n}\n");
    return name;
  }
  std::string scalar(const std::string &name, TypedNumber number,
                     const std::string &type) {
    line(name, type + "[]", "constant(" + literalText(number, type) + ")");
    return name;
  }
  TypedNumber numberIn(const TypedStep &s) {
    if (s.isNeutral) return neutralOf(s.function, s.type);
    return {wrappedTo(s.number, s.type), double(s.number)};
  }
  std::string groups(const TypedStep &s) {
    std::string list;
    for (int64_t device : s.order)
      list += (list.empty() ? "" : ",") + std::to_string(device);
    return ", channel_id=1, replica_groups={{" + list +
           "}}, use_global_device_ids=true";
  }
  void write(size_t k);

  const TypedProgram &program;
  const int64_t devices;
  std::set<std::string> functions;
  std::string body;
};

void Writer::write(size_t k) {
  const TypedStep &s = program.steps[k];
  const std::string sizes = sizesText(s.rows, s.columns);
  const std::string shape = s.type + sizes;
  const bool isRoot = k + 1 == program.steps.size();
  const std::string name = (isRoot ? "ROOT " : "") + nameOf(k);
  const std::string v = nameOf(k);
  auto in = [&](size_t n) { return nameOf(s.in[n]); };
  auto from = [&](size_t n) -> const TypedStep & {
    return program.steps[s.in[n]];
  };
  const std::string rows = std::to_string(s.rows);
  const std::string columns = std::to_string(s.columns);
  const std::string end = isRoot ? shardingOf(program.isCut) : "";
  auto put = [&](const std::string &rest) { line(name, shape, rest + end); };
  if (s.op == "parameter") {
    int64_t number = 0;
    for (size_t n = 0; n < k; ++n) number += program.steps[n].op == "parameter";
    put("parameter(" + std::to_string(number) + ")" + shardingOf(s.isCut));
  } else if (s.op == "constant") {
    put("broadcast(" + scalar(v + "c", numberIn(s), s.type) +
        "), dimensions={}");
  } else if (s.op == "times") {
    line(v + "b", shape,
         "broadcast(" + scalar(v + "c", {wrappedTo(-1, s.type), -1}, s.type) +
             "), dimensions={}");
    put("multiply(" + in(0) + ", " + v + "b)");
  } else if (s.op == "compare") {
    put("compare(" + in(0) + ", " + in(1) + "), direction=" + s.function);
  } else if (s.op == "select") {
    put("select(" + in(0) + ", " + in(1) + ", " + in(2) + ")");
  } else if (s.op == "convert" && !s.via.empty()) {
    line(v + "w", s.via + sizes, "convert(" + in(0) + ")");
    put("convert(" + v + "w)");
  } else if (s.op == "map") {
    put("map(" + in(0) + ", " + in(1) +
        "), dimensions={0,1}, to_apply=" + binary(s.function, s.type));
  } else if (s.op == "reduce" || s.op == "reduce-rows") {
    const bool isRows = s.op == "reduce-rows";
    line(v + "r", s.type + "[" + (isRows ? columns : rows) + "]",
         "reduce(" + in(0) + ", " + scalar(v + "c", numberIn(s), s.type) +
             "), dimensions={" + (isRows ? "0" : "1") +
             "}, to_apply=" + binary(s.function, s.type));
    put("reshape(" + v + "r)");
  } else if (s.op == "argreduce") {
    const std::string &type = from(0).type;
    line(v + "i", "s32" + sizesText(s.rows, from(0).columns),
         "iota(), iota_dimension=1");
    line(v + "p", "(" + type + "[" + rows + "], s32[" + rows + "])",
         "reduce(" + in(0) + ", " + v + "i, " +
             scalar(v + "c",
                    neutralOf(s.function == "GE" ? "maximum" : "minimum", type),
                    type) +
             ", " + scalar(v + "z", {}, "s32") +
             "), dimensions={1}, to_apply=" + pairs(s.function, type));
    line(v + "g", "s32[" + rows + "]",
         "get-tuple-element(" + v + "p), index=1");
    put("reshape(" + v + "g)");
  } else if (s.op == "sort") {
    put("sort(" + in(0) +
        "), dimensions={1}, to_apply=" + binary(s.function, s.type));
  } else if (s.op == "reduce-window") {
    put("reduce-window(" + in(0) + ", " +
        scalar(v + "c", neutralOf(s.function, s.type), s.type) +
        "), window={size=1x2}, to_apply=" + binary(s.function, s.type));
  } else if (s.op == "reverse") {
    put("reverse(" + in(0) + "), dimensions={1}");
  } else if (s.op == "dot") {
    put("dot(" + in(0) + ", " + in(1) +
        "), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  } else if (s.op == "dot2") {
    line(v + "l", s.type + "[" + rows + ",2,2]", "reshape(" + in(0) + ")");
    line(v + "m", s.type + "[2,2," + columns + "]", "reshape(" + in(1) + ")");
    auto list = [&](size_t first, int64_t more) {
      return "{" + std::to_string(s.order[first] + more) + "," +
             std::to_string(s.order[first + 1] + more) + "}";
    };
    put("dot(" + v + "l, " + v + "m), lhs_contracting_dims=" + list(0, 1) +
        ", rhs_contracting_dims=" + list(2, 0));
  } else if (s.op == "fft") {
    line(v + "z", "c64" + sizes, "complex(" + in(0) + ", " + in(0) + ")");
    line(v + "f", "c64" + sizes,
         "fft(" + v + "z), fft_type=" + s.function + ", fft_length={" +
             columns + "}");
    put("real(" + v + "f)");
  } else if (s.op == "convolution") {
    line(v + "x", s.type + "[" + rows + ",1," + columns + "]",
         "reshape(" + in(0) + ")");
    line(v + "k", s.type + "[1,1,3]", "reshape(" + in(1) + ")");
    line(v + "y", s.type + "[" + rows + ",1," + columns + "]",
         "convolution(" + v + "x, " + v + "k), window={size=3 pad=1_1" +
             (s.function == "reversed" ? " rhs_reversal=1" : "") +
             "}, dim_labels=bf0_oi0->bf0");
    put("reshape(" + v + "y)");
  } else if (s.op == "scatter") {
    line(v + "i", "s32[2,1]",
         "constant({{" + std::to_string(s.order[0]) + "},{" +
             std::to_string(s.order[1]) + "}})");
    put("scatter(" + in(0) + ", " + v + "i, " + in(1) +
        "), update_window_dims={1}, inserted_window_dims={0}, "
        "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=" +
        binary(s.function, s.type));
  } else if (s.op == "select-and-scatter") {
    put("select-and-scatter(" + in(0) + ", " + in(1) + ", " +
        scalar(v + "c", {}, s.type) +
        "), window={size=1x2 stride=1x2}, select=" +
        binary(s.function, s.type) + ", scatter=" + binary(s.via, s.type));
  } else if (s.op == "all-gather") {
    put("all-gather(" + in(0) + ")" + groups(s) + ", dimensions={0}");
  } else if (s.op == "all-reduce") {
    put("all-reduce(" + in(0) + ")" + groups(s) +
        ", to_apply=" + binary(s.function, s.type));
  } else if (s.op == "slice") {
    put("slice(" + in(0) + "), slice={[0:" + rows + "],[0:" + columns + "]}");
  } else if (s.op == "offset" || s.op == "mask") {
    line(v + "d", "u32[]", "partition-id()");
    line(v + "e", "s32[]", "convert(" + v + "d)");
    scalar(v + "n", {s.rows, 0}, "s32");
    line(v + "f", "s32[]", "multiply(" + v + "e, " + v + "n)");
    if (s.op == "offset") {
      scalar(v + "z", {}, "s32");
      put("dynamic-slice(" + in(0) + ", " + v + "f, " + v +
          "z), dynamic_slice_sizes={" + rows + "," + columns + "}");
      return;
    }
    line(v + "i", "s32" + sizes, "iota(), iota_dimension=0");
    line(v + "b", "s32" + sizes, "broadcast(" + v + "f), dimensions={}");
    line(v + "p", "s32" + sizes, "add(" + v + "i, " + v + "b)");
    line(v + "l", "s32" + sizes,
         "broadcast(" + scalar(v + "m", {s.order[0], 0}, "s32") +
             "), dimensions={}");
    line(v + "c", "pred" + sizes,
         "compare(" + v + "p, " + v + "l), direction=LT");
    line(v + "o", shape,
         "broadcast(" + scalar(v + "q", numberIn(s), s.type) +
             "), dimensions={}");
    put("select(" + v + "c, " + in(0) + ", " + v + "o)");
  } else {
    std::string operands;
    for (size_t n = 0; n < s.in.size(); ++n)
      operands += (n ? ", " : "") + in(n);
    put(s.op + "(" + operands + ")");
  }
}

/// Makes both programs, step by step.
struct Maker {
  Random &random;
  TypedPrograms programs;

  struct Value {
    size_t whole, local;
    bool isCut;
  };
  const TypedStep &whole(const Value &v) {
    return programs.whole.steps[v.whole];
  }
  const TypedStep &part(const Value &v) {
    return programs.local.steps[v.local];
  }
  std::vector<int64_t> all() {
    std::vector<int64_t> order(programs.devices);
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  size_t add(TypedProgram &program, TypedStep step) {
    program.steps.push_back(std::move(step));
    return program.steps.size() - 1;
  }
  template <typename T>
  T any(const std::vector<T> &of) {
    return of[random.in(0, of.size() - 1)];
  }
  std::string anyType() {
    return any<std::string>(
        {"s8", "u8", "s16", "s32", "u32", "s64", "u64", "pred", "f32", "bf16"});
  }

  Value parameter(const std::string &type, int64_t rows, int64_t columns,
                  bool isCut) {
    TypedStep step;
    step.op = "parameter";
    step.type = type;
    step.rows = rows;
    step.columns = columns;
    step.isCut = isCut;
    Value value{add(programs.whole, step), 0, isCut};
    if (isCut) step.rows = (rows + programs.devices - 1) / programs.devices;
    value.local = add(programs.local, step);
    return value;
  }
  /// Adds one step to both programs. It keeps rows.
  Value same(TypedStep step, const std::vector<Value> &in) {
    Value value = in[0];
    for (const Value &each : in) value.isCut = each.isCut;
    for (bool isLocal : {false, true}) {
      step.in.clear();
      for (const Value &each : in)
        step.in.push_back(isLocal ? each.local : each.whole);
      step.rows = isLocal ? part(in[0]).rows : whole(in[0]).rows;
      (isLocal ? value.local : value.whole) =
          add(isLocal ? programs.local : programs.whole, step);
    }
    value.isCut = in[0].isCut;
    return value;
  }
  TypedStep step(const char *op, const std::string &type, int64_t columns,
                 const std::string &function = "") {
    TypedStep step;
    step.op = op;
    step.type = type;
    step.columns = columns;
    step.function = function;
    return step;
  }
  Value constant(const Value &like) {
    TypedStep made = step("constant", whole(like).type, whole(like).columns);
    made.number = any<int64_t>({0, 1, 2, 3, -1, 100, 127, 255, 32768});
    if (isFloatType(made.type)) made.number %= 4;
    return same(made, {like});
  }
  Value gathered(Value value) {
    if (!value.isCut) return value;
    TypedStep gather = part(value);
    gather.op = "all-gather";
    gather.in = {value.local};
    gather.rows *= programs.devices;
    gather.order = all();
    value.local = add(programs.local, gather);
    if (gather.rows > whole(value).rows) {
      gather.op = "slice";
      gather.in = {value.local};
      gather.rows = whole(value).rows;
      value.local = add(programs.local, gather);
    }
    value.isCut = false;
    return value;
  }
  Value cut(Value value) {
    if (value.isCut || whole(value).rows % programs.devices) return value;
    TypedStep offset = part(value);
    offset.op = "offset";
    offset.in = {value.local};
    offset.rows /= programs.devices;
    value.local = add(programs.local, offset);
    value.isCut = true;
    return value;
  }
  Value reducedRows(Value value) {
    const std::string type = whole(value).type;
    TypedStep reduce = step("reduce-rows", type, whole(value).columns,
                            any(typedFoldsOf(type)));
    reduce.isNeutral = true;
    Value result = value;
    result.isCut = false;
    reduce.in = {value.whole};
    result.whole = add(programs.whole, reduce);
    if (value.isCut) {
      TypedStep mask = part(value);
      mask.op = "mask";
      mask.in = {value.local};
      mask.function = reduce.function;
      mask.isNeutral = true;
      mask.order = {whole(value).rows};
      value.local = add(programs.local, mask);
    }
    reduce.in = {value.local};
    result.local = add(programs.local, reduce);
    if (value.isCut) {
      reduce.op = "all-reduce";
      reduce.in = {result.local};
      reduce.order = all();
      result.local = add(programs.local, reduce);
    }
    return result;
  }

  Value next(Value value);
  Value nextOfFew(Value value);
  void make() {
    programs.devices = random.in(2, 3);
    programs.whole.devices = 1;
    programs.local.devices = programs.devices;
    Value value =
        parameter(anyType(), random.in(1, 6), random.in(2, 4), random.oneIn(2));
    for (int64_t k = random.in(1, 4); k > 0; --k) value = next(value);
    value =
        same(step("copy", whole(value).type, whole(value).columns), {value});
    programs.whole.isCut = programs.local.isCut = value.isCut;
  }
};

Maker::Value Maker::next(Value value) {
  const std::string type = whole(value).type;
  const int64_t columns = whole(value).columns;
  const bool isFloat = isFloatType(type), isPred = type == "pred";
  switch (random.in(0, 11)) {
    case 0: {
      std::vector<std::string> ops = typedFoldsOf(type);
      if (!isPred) ops.push_back("subtract");
      if (!isFloat) ops.push_back("xor");
      Value other = random.oneIn(2) ? constant(value)
                                    : parameter(type, whole(value).rows,
                                                columns, value.isCut);
      if (random.oneIn(3)) std::swap(value, other);
      return same(step(any(ops).c_str(), type, columns), {value, other});
    }
    case 1:
      if (isFloat)
        return same(step(random.oneIn(2) ? "tanh" : "negate", type, columns),
                    {value});
      return same(
          step(isPred || random.oneIn(2) ? "not" : "negate", type, columns),
          {value});
    case 2: {
      if (isFloat)
        return same(step("convert", type == "f32" ? "bf16" : "f32", columns),
                    {value});
      std::string to = anyType();
      while (to == "bf16" || to == type) to = anyType();
      return same(step("convert", to, columns), {value});
    }
    case 3: {
      const bool toPred = random.oneIn(3);
      Value other = parameter(type, whole(value).rows, columns, value.isCut);
      const Value is =
          same(step("compare", "pred", columns,
                    any<std::string>({"LT", "LE", "GT", "GE", "EQ", "NE"})),
               {value, other});
      if (toPred) return is;
      return same(step("select", type, columns), {is, value, other});
    }
    case 4: {
      TypedStep reduce = step("reduce", type, 1, any(typedFoldsOf(type)));
      reduce.isNeutral = true;
      return same(reduce, {value});
    }
    case 5:
      return reducedRows(value);
    case 6:
      return value.isCut ? gathered(value) : cut(value);
    case 7:
      return same(step("sort", type, columns, random.oneIn(2) ? "LT" : "GT"),
                  {value});
    case 8:
      if (isPred || isFloat) return value;
      return same(step("argreduce", "s32", 1, random.oneIn(2) ? "GE" : "LE"),
                  {value});
    default:
      return nextOfFew(value);
  }
}

Maker::Value Maker::nextOfFew(Value value) {
  const std::string type = whole(value).type;
  const int64_t columns = whole(value).columns;
  const bool isFloat = isFloatType(type), isPred = type == "pred";
  auto other = [&](int64_t rows, int64_t width, bool isCut) {
    return parameter(type, rows, width, isCut);
  };
  switch (random.in(0, 9)) {
    case 0:
      if (isPred) return value;
      return same(
          step("map", type, columns,
               any<std::string>({"subtract", "maximum", "less", "left"})),
          {value, other(whole(value).rows, columns, value.isCut)});
    case 1:
      if (columns < 2) return value;
      return same(
          step("reduce-window", type, columns - 1, any(typedFoldsOf(type))),
          {value});
    case 2:
      return same(step("reverse", type, columns), {value});
    case 3: {
      if (isPred || type == "bf16") return value;
      const int64_t width = random.in(1, 3);
      return same(step("dot", type, width),
                  {value, other(columns, width, false)});
    }
    case 4: {
      if (isPred || type == "bf16" || columns != 4) return value;
      const int64_t width = random.in(1, 3);
      TypedStep dot = step("dot2", type, width);
      dot.order = {0, 1, 0, 1};
      if (random.oneIn(2)) dot.order = {1, 0, 1, 0};
      return same(dot, {value, other(4, width, false)});
    }
    case 5:
      if (type != "f32") return value;
      return same(step("fft", type, columns, random.oneIn(2) ? "FFT" : "IFFT"),
                  {value});
    case 6:
      if (isPred || type == "bf16") return value;
      return same(
          step("convolution", type, columns, random.oneIn(2) ? "reversed" : ""),
          {value, other(1, 3, false)});
    case 7: {
      value = gathered(value);
      if (whole(value).rows < 2) return value;
      TypedStep scatter =
          step("scatter", type, columns, any(typedFoldsOf(type)));
      if (random.oneIn(3) && !isPred) scatter.function = "less";
      scatter.order = {random.in(0, whole(value).rows - 1),
                       random.in(0, whole(value).rows - 1)};
      return same(scatter, {value, other(2, columns, false)});
    }
    case 8: {
      if (columns % 2 || isPred || isFloat) return value;
      TypedStep step = this->step("select-and-scatter", type, columns,
                                  random.oneIn(2) ? "GE" : "LE");
      step.via = random.oneIn(2) ? "add" : "maximum";
      return same(step,
                  {value, other(whole(value).rows, columns / 2, value.isCut)});
    }
    default: {
      // The same bits as another type.
      for (auto [a, b] : {std::pair("s8", "u8"), std::pair("s32", "u32"),
                          std::pair("s64", "u64")}) {
        if (type == a)
          return same(step("bitcast-convert", b, columns), {value});
        if (type == b)
          return same(step("bitcast-convert", a, columns), {value});
      }
      return value;
    }
  }
}

}  // namespace

std::vector<std::string> typedFoldsOf(const std::string &type) {
  if (type == "pred") return {"and", "or"};
  if (type == "bf16") return {"maximum", "minimum"};
  if (type == "f32") return {"add", "multiply", "maximum", "minimum"};
  return {"add", "multiply", "maximum", "minimum", "and", "or"};
}

TypedPrograms randomTyped(Random &random) {
  Maker maker{random, {}};
  maker.make();
  return maker.programs;
}

std::string textOf(const TypedProgram &program, int64_t devices) {
  return Writer(program, devices).text();
}

}  // namespace indexical::testing
