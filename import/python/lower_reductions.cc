// Reductions and scans, whose combinations are functions of the language.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/lowering.h"
#include "indexical/import/python/prelude.h"

namespace indexical::python {

using llvm::StringRef;

namespace {

Value preludeValue(StringRef name) {
  return Value::ofFunction(preludeFunction(name));
}

std::string irOf(llvm::ArrayRef<Value> values) {
  return absl::StrJoin(values, ", ", [](std::string *out, const Value &value) {
    absl::StrAppend(out, value.ir());
  });
}

bool isSmall(const ValueType &type) { return bitsOf(type.element) < 32; }

}  // namespace

/// The body of a reduction: it takes two elements of each value.
std::optional<std::string> Lowering::combination(llvm::ArrayRef<Value> of,
                                                 const Value &by,
                                                 const char *returns) {
  Arguments args;
  std::vector<std::string> parameters;
  for (int side = 0; side < 2; ++side)
    for (const Value &value : of) {
      args.push_back(Value::tensor(value.type, {}, newName()));
      parameters.push_back(
          absl::StrCat(args.back().text, ": ", value.type.ir()));
    }
  std::string text =
      absl::StrCat("^bb0(", absl::StrJoin(parameters, ", "), "):\n");
  text += region([&] {
    const Value made = applied(by, args);
    std::vector<Value> results;
    if (made.is(ValueKind::Tuple))
      results = *made.items;
    else
      results.push_back(made);
    if (isRefused()) return;
    if (results.size() != of.size()) {
      refuse(RefusalKind::Type,
             absl::StrCat("the function combines ", of.size(),
                          " values, and returns ", results.size()));
      return;
    }
    for (auto [result, value] : llvm::zip(results, of)) {
      result = tensorOf(result);
      if (isRefused()) return;
      if (result.type != value.type || !result.shape.empty()) {
        refuse(RefusalKind::Type,
               absl::StrCat("the function combines ", value.type.str(),
                            ", and returns ", wordsOf(result)));
        return;
      }
    }
    emit(absl::StrCat(returns, " ", names(results), " : ", irOf(results)));
  });
  if (isRefused()) return std::nullopt;
  return text;
}

Value Lowering::reduce(std::vector<Value> of, const Value &axis,
                       const Value &by, bool keeps, bool isTuple) {
  if (isRefused()) return {};
  for (const Value &value : of)
    if (!value.isTensor() || !value.type.isPlain() || value.shape.empty() ||
        value.shape != of[0].shape)
      return refuse(RefusalKind::Shape,
                    absl::StrCat("a reduction of ", wordsOf(value)));
  const size_t rank = of[0].shape.size();
  int64_t side = 0;
  if (axis.isNone()) {
    int64_t count = 1;
    for (int64_t size : of[0].shape) count *= size;
    if (rank > 1)
      for (Value &value : of)
        value = op(absl::StrCat("tt.reshape ", value.text,
                                " allow_reorder : ", value.ir(), " -> ",
                                tensorText({count}, value.type)),
                   value.type, {count});
  } else {
    const auto found = axisOf(axis, rank);
    if (!found) return {};
    side = *found;
  }
  Shape shape = of[0].shape;
  if (isRefused()) return {};
  shape.erase(shape.begin() + side);
  const auto body = combination(of, by, "tt.reduce.return");
  if (!body) return {};
  const std::string made = newName();
  const size_t count = of.size();
  std::vector<Value> results;
  for (size_t k = 0; k < count; ++k)
    results.push_back(Value::tensor(
        of[k].type, shape, count > 1 ? absl::StrCat(made, "#", k) : made));
  const std::string types = irOf(results);
  emit(absl::StrCat("\"tt.reduce\"(", names(of), ") <{axis = ", side,
                    " : i32}> ({\n", *body, "}) : (", irOf(of), ") -> ",
                    count > 1 ? absl::StrCat("(", types, ")") : types),
       count > 1 ? absl::StrCat(made, ":", count) : made);
  if (keeps)
    for (Value &result : results)
      result =
          axis.isNone() ? splat(result, Shape(rank, 1)) : expand(result, side);
  return isTuple ? makeTuple(std::move(results)) : results[0];
}

Value Lowering::scan(std::vector<Value> of, const Value &axis, const Value &by,
                     bool reverses, bool isTuple) {
  if (isRefused()) return {};
  for (const Value &value : of)
    if (!value.isTensor() || !value.type.isPlain() || value.shape.empty() ||
        value.shape != of[0].shape)
      return refuse(RefusalKind::Shape,
                    absl::StrCat("a scan of ", wordsOf(value)));
  const auto side = axisOf(axis, of[0].shape.size());
  if (!side) return {};
  const auto body = combination(of, by, "tt.scan.return");
  if (!body) return {};
  const std::string made = newName();
  const size_t count = of.size();
  std::vector<Value> results;
  for (size_t k = 0; k < count; ++k)
    results.push_back(
        Value::tensor(of[k].type, of[k].shape,
                      count > 1 ? absl::StrCat(made, "#", k) : made));
  const std::string types = irOf(results);
  emit(absl::StrCat("\"tt.scan\"(", names(of), ") <{axis = ", *side,
                    " : i32, reverse = ", reverses ? "true" : "false",
                    "}> ({\n", *body, "}) : (", irOf(of), ") -> ",
                    count > 1 ? absl::StrCat("(", types, ")") : types),
       count > 1 ? absl::StrCat(made, ":", count) : made);
  return isTuple ? makeTuple(std::move(results)) : results[0];
}

Value Lowering::reduceBy(const Arguments &args) {
  const bool isTuple = args[0].is(ValueKind::Tuple);
  std::vector<Value> of;
  if (isTuple)
    for (const Value &item : *args[0].items) of.push_back(tensorOf(item));
  else
    of.push_back(tensorOf(args[0]));
  if (of.empty()) return refuse(RefusalKind::Type, "a reduction of nothing");
  for (size_t k = 1; k < of.size(); ++k)
    if (!broadcast(of[0], of[k])) return {};
  for (size_t k = 1; k < of.size(); ++k) broadcast(of[0], of[k]);
  return reduce(std::move(of), args[1], args[2], isTrue(args[3]), isTuple);
}

Value Lowering::scanBy(const Arguments &args) {
  const bool isTuple = args[0].is(ValueKind::Tuple);
  std::vector<Value> of;
  if (isTuple)
    for (const Value &item : *args[0].items) of.push_back(tensorOf(item));
  else
    of.push_back(tensorOf(args[0]));
  if (of.empty()) return refuse(RefusalKind::Type, "a scan of nothing");
  return scan(std::move(of), args[1], args[2], isTrue(args[3]), isTuple);
}

/// The type in which integers are added up.
static ValueType sumType(const ValueType &type) {
  if (!type.isInteger() || !isSmall(type)) return type;
  return plain(isSigned(type.element) ? Element::I32 : Element::U32);
}

Value Lowering::sum(const Arguments &args) {
  Value of = tensorOf(args[0]);
  if (isRefused()) return {};
  if (!args[3].isNone() && !args[3].is(ValueKind::Type))
    return refuse(RefusalKind::Type, "the dtype of a sum");
  of = cast(of, args[3].isNone() ? sumType(of.type) : args[3].type);
  return reduce({of}, args[1], preludeValue("combine_sum"), isTrue(args[2]),
                /*isTuple=*/false);
}

Value Lowering::bitReduction(const Arguments &args, llvm::StringRef name,
                             llvm::StringRef combine) {
  const Value of = tensorOf(args[0]);
  if (isRefused()) return {};
  if (!of.type.isInteger())
    return refuse(RefusalKind::Type,
                  absl::StrCat("`", name.str(), "` of floats"));
  return reduce({of}, args[1], preludeValue(combine.str()), isTrue(args[2]),
                /*isTuple=*/false);
}

Value Lowering::xorSum(const Arguments &args) {
  return bitReduction(args, "tl.xor_sum", "combine_xor");
}

Value Lowering::orSum(const Arguments &args) {
  return bitReduction(args, "tl.reduce_or", "combine_or");
}

Value Lowering::extreme(bool isMax, const Value &input, const Value &axis,
                        bool withIndices, bool tiesLeft, bool keeps) {
  Value of = tensorOf(input);
  if (isRefused()) return {};
  if (of.type.is(Element::BF16)) of = cast(of, plain(Element::F32));
  if (of.shape.empty())
    return refuse(RefusalKind::Shape,
                  absl::StrCat("a reduction of ", wordsOf(of)));
  if (!withIndices) {
    if (of.type.isPlain() && isSmall(of.type))
      of = cast(of, plain(of.type.isFloating() ? Element::F32 : Element::I32));
    return reduce({of}, axis,
                  preludeValue(isMax ? "combine_max" : "combine_min"), keeps,
                  /*isTuple=*/false);
  }
  const size_t rank = of.shape.size();
  if (axis.isNone() && rank > 1)
    return refuse(RefusalKind::Unsupported,
                  "the place of an extreme over all sides");
  const auto side =
      axis.isNone() ? std::optional<int64_t>(0) : axisOf(axis, rank);
  if (!side) return {};
  Value places = arange({Value::whole(0), Value::whole(of.shape[*side])});
  for (size_t k = 0; k < rank; ++k)
    if (static_cast<int64_t>(k) != *side) places = expand(places, k);
  places = broadcastTo(places, of.shape);
  const std::string name = absl::StrCat(
      isMax ? "combine_argmax" : "combine_argmin", tiesLeft ? "" : "_any");
  return reduce({of, places}, Value::whole(*side), preludeValue(name), keeps,
                /*isTuple=*/true);
}

Value Lowering::maxOf(const Arguments &args) {
  return extreme(true, args[0], args[1], isTrue(args[2]), isTrue(args[3]),
                 isTrue(args[4]));
}

Value Lowering::minOf(const Arguments &args) {
  return extreme(false, args[0], args[1], isTrue(args[2]), isTrue(args[3]),
                 isTrue(args[4]));
}

Value Lowering::argMax(const Arguments &args) {
  const Value both =
      extreme(true, args[0], args[1], true, isTrue(args[2]), isTrue(args[3]));
  return isRefused() ? Value() : (*both.items)[1];
}

Value Lowering::argMin(const Arguments &args) {
  const Value both =
      extreme(false, args[0], args[1], true, isTrue(args[2]), isTrue(args[3]));
  return isRefused() ? Value() : (*both.items)[1];
}

Value Lowering::cumulativeSum(const Arguments &args) {
  Value of = tensorOf(args[0]);
  if (isRefused()) return {};
  if (of.type.is(Element::BF16)) of = cast(of, plain(Element::F32));
  of = cast(of, args[3].is(ValueKind::Type) ? args[3].type : sumType(of.type));
  return scan({of}, args[1], preludeValue("combine_sum"), isTrue(args[2]),
              /*isTuple=*/false);
}

Value Lowering::cumulativeProduct(const Arguments &args) {
  Value of = tensorOf(args[0]);
  if (isRefused()) return {};
  if (of.type.is(Element::BF16)) of = cast(of, plain(Element::F32));
  return scan({of}, args[1], preludeValue("combine_prod"), isTrue(args[2]),
              /*isTuple=*/false);
}

}  // namespace indexical::python
