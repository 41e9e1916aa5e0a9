// The table of functions: names, parameters with their defaults, and what makes
// them.
#include "indexical/import/python/builtins.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include "indexical/import/python/lowering.h"
#include "indexical/import/python/prelude.h"

namespace indexical::python {

using llvm::StringRef;

/// How a call becomes a value.
struct BuiltinRow {
  using Handler = Lowering::Handler;
  StringRef name;
  /// Names, with defaults where there are some; those of Python: `None`, `()`.
  StringRef parameters;
  Handler handler = nullptr;
  /// With no handler: a function of the prelude (`cdiv`), an op of `math`
  /// (`math.exp`), a function of libdevice (`__nv_tanh`), a kind of atomic
  /// (`atomic_add`), or nothing: the name itself is a constant's.
  StringRef made = {};

  static llvm::ArrayRef<BuiltinRow> all();
};

llvm::ArrayRef<BuiltinRow> BuiltinRow::all() {
  using L = Lowering;
  static constexpr StringRef kReduction =
      "input axis=None keep_dims=False dtype=None";
  static constexpr StringRef kExtreme =
      "input axis=None return_indices=False return_indices_tie_break_left=True "
      "keep_dims=False propagate_nan=None";
  static constexpr StringRef kPlace =
      "input axis tie_break_left=True keep_dims=False";
  static constexpr StringRef kAtomic =
      "pointer val mask=None sem=None scope=None";
  static constexpr StringRef kMessage =
      "a=None b=None c=None d=None e=None f=None g=None h=None prefix=None "
      "hex=None mask=None msg=None";
  static const BuiltinRow kRows[] = {
      {"tl.program_id", "axis", &L::programId},
      {"tl.num_programs", "axis", &L::numPrograms},
      {"tl.arange", "start end", &L::arange},
      {"tl.full", "shape value dtype", &L::full},
      {"tl.zeros", "shape dtype", &L::zeros},
      {"tl.to", "x dtype fp_downcast_rounding=None bitcast=False", &L::castTo},
      {"tl.cast", "x dtype fp_downcast_rounding=None bitcast=False",
       &L::castTo},
      {"tl.to_tensor", "x", &L::hint},
      {"tl.broadcast", "input other", &L::broadcastValues},
      {"tl.broadcast_to", "input *shape", &L::broadcastToShape},
      {"tl.reshape", "input *shape can_reorder=False", &L::reshapeTo},
      {"tl.view", "input *shape", &L::viewTo},
      {"tl.trans", "input *dims", &L::permute},
      {"tl.permute", "input *dims", &L::permute},
      {"tl.expand_dims", "input axis", &L::expandDims},
      {"tl.join", "a b", &L::join},
      {"tl.interleave", "a b", &L::interleave},
      {"tl.split", "a", &L::split},
      {"tl.cat", "input other can_reorder=False", &L::cat},
      {"tl.where", "condition x y", &L::where},
      {"tl.minimum", "x y propagate_nan=None", &L::minimum},
      {"tl.maximum", "x y propagate_nan=None", &L::maximum},
      {"tl.clamp", "x min max propagate_nan=None", &L::clamp},
      {"tl.abs", "x", &L::absolute},
      {"tl.fma", "x y z", &L::fusedProduct},
      {"tl.fdiv", "x y ieee_rounding=False", &L::quotient},
      {"tl.div_rn", "x y", &L::preciseQuotient},
      {"tl.sqrt_rn", "x", &L::preciseRoot},
      {"tl.umulhi", "x y", &L::highProduct},
      {"tl.dot",
       "input other acc=None input_precision=None allow_tf32=None "
       "max_num_imprecise_acc=None out_dtype=None",
       &L::dot},
      {"tl.multiple_of", "input values", &L::hint},
      {"tl.max_contiguous", "input values", &L::hint},
      {"tl.max_constancy", "input values", &L::hint},
      {"tl.assume", "cond", &L::nothing},
      {"tl.debug_barrier", "", &L::barrier},
      {"tl.static_assert", "cond msg=None", &L::staticAssert},
      {"tl.static_print", kMessage, &L::nothing},
      {"tl.device_print", kMessage, &L::nothing},
      {"tl.device_assert", kMessage, &L::nothing},
      {"print", kMessage, &L::nothing},
      {"tl.load",
       "pointer mask=None other=None boundary_check=() padding_option=None "
       "cache_modifier=None eviction_policy=None volatile=False",
       &L::load},
      {"tl.store",
       "pointer value mask=None boundary_check=() cache_modifier=None "
       "eviction_policy=None",
       &L::store},
      {"tl.load_tensor_descriptor", "desc offsets", &L::loadDescriptor},
      {"tl.store_tensor_descriptor", "desc offsets value", &L::storeDescriptor},
      {"tl.atomic_cas", "pointer cmp val sem=None scope=None", &L::atomicCas},
      {"tl.atomic_add", kAtomic, nullptr, "atomic_add"},
      {"tl.atomic_max", kAtomic, nullptr, "atomic_max"},
      {"tl.atomic_min", kAtomic, nullptr, "atomic_min"},
      {"tl.atomic_and", kAtomic, nullptr, "atomic_and"},
      {"tl.atomic_or", kAtomic, nullptr, "atomic_or"},
      {"tl.atomic_xor", kAtomic, nullptr, "atomic_xor"},
      {"tl.atomic_xchg", kAtomic, nullptr, "atomic_xchg"},
      {"tl.make_block_ptr", "base shape strides offsets block_shape order",
       &L::makeBlockPointer},
      {"tl.make_tensor_descriptor",
       "base shape strides block_shape padding_option=None",
       &L::makeDescriptor},
      {"tl._experimental_make_tensor_descriptor",
       "base shape strides block_shape", &L::makeDescriptor},
      {"tl.advance", "base offsets", &L::advance},
      {"tl.sum", kReduction, &L::sum},
      {"tl.xor_sum", "input axis=None keep_dims=False", &L::xorSum},
      {"tl.reduce_or", "input axis keep_dims=False", &L::orSum},
      {"tl.max", kExtreme, &L::maxOf},
      {"tl.min", kExtreme, &L::minOf},
      {"tl.argmax", kPlace, &L::argMax},
      {"tl.argmin", kPlace, &L::argMin},
      {"tl.reduce", "input axis combine_fn keep_dims=False", &L::reduceBy},
      {"tl.associative_scan", "input axis combine_fn reverse=False",
       &L::scanBy},
      {"tl.cumsum", "input axis=0 reverse=False dtype=None", &L::cumulativeSum},
      {"tl.cumprod", "input axis=0 reverse=False", &L::cumulativeProduct},
      {"tl.cdiv", "x div", nullptr, "cdiv"},
      {"tl.sigmoid", "x", nullptr, "sigmoid"},
      {"tl.softmax", "x dim=None keep_dims=False ieee_rounding=False", nullptr,
       "softmax"},
      {"tl.zeros_like", "input", nullptr, "zeros_like"},
      {"tl.full_like", "input value", nullptr, "full_like"},
      {"tl.ravel", "x", nullptr, "ravel"},
      {"tl.swizzle2d", "i j size_i size_j size_g", nullptr, "swizzle2d"},
      {"tl.exp", "x", nullptr, "math.exp"},
      {"tl.exp2", "x", nullptr, "math.exp2"},
      {"tl.log", "x", nullptr, "math.log"},
      {"tl.log2", "x", nullptr, "math.log2"},
      {"tl.sin", "x", nullptr, "math.sin"},
      {"tl.cos", "x", nullptr, "math.cos"},
      {"tl.sqrt", "x", nullptr, "math.sqrt"},
      {"tl.rsqrt", "x", nullptr, "math.rsqrt"},
      {"tl.floor", "x", nullptr, "math.floor"},
      {"tl.ceil", "x", nullptr, "math.ceil"},
      {"tl.erf", "x", nullptr, "math.erf"},
      {"triton_helpers.minimum", "a b", nullptr, "th_minimum"},
      {"triton_helpers.maximum", "a b", nullptr, "th_maximum"},
      {"triton_helpers.min2", "a dim", nullptr, "th_min2"},
      {"triton_helpers.max2", "a dim", nullptr, "th_max2"},
      {"triton_helpers.prod", "input axis", nullptr, "th_prod"},
      {"triton_helpers.any", "a dim", nullptr, "th_any"},
      {"triton_helpers.minimum_with_index", "a b c d", nullptr,
       "th_minimum_with_index"},
      {"triton_helpers.maximum_with_index", "a b c d", nullptr,
       "th_maximum_with_index"},
      {"triton_helpers.min_with_index", "value index dim", nullptr,
       "th_min_with_index"},
      {"triton_helpers.max_with_index", "value index dim", nullptr,
       "th_max_with_index"},
      {"triton_helpers.welford_reduce", "a b c d e", nullptr,
       "th_welford_reduce"},
      {"triton_helpers.welford_combine", "a b c d e f", nullptr,
       "th_welford_combine"},
      {"triton_helpers.welford", "a b c d", nullptr, "th_welford"},
      {"triton_helpers.div_floor_integer", "a b", nullptr,
       "th_div_floor_integer"},
      {"triton_helpers.remainder_integer", "a b", nullptr,
       "th_remainder_integer"},
      {"triton_helpers.promote_to_tensor", "x", nullptr,
       "th_promote_to_tensor"},
      {"triton_helpers.is_floating", "x", nullptr, "th_is_floating"},
  };
  return kRows;
}

namespace {

/// Functions of libdevice with floats in and out, and how many they take.
struct ForeignRow {
  StringRef name;
  int operands;
};

constexpr ForeignRow kForeign[] = {{"tanh", 1},
                                   {"exp", 1},
                                   {"log", 1},
                                   {"log1p", 1},
                                   {"expm1", 1},
                                   {"pow", 2},
                                   {"rsqrt", 1},
                                   {"sqrt", 1},
                                   {"erf", 1},
                                   {"erfc", 1},
                                   {"floor", 1},
                                   {"ceil", 1},
                                   {"rint", 1},
                                   {"nearbyint", 1},
                                   {"trunc", 1},
                                   {"round", 1},
                                   {"sin", 1},
                                   {"cos", 1},
                                   {"tan", 1},
                                   {"asin", 1},
                                   {"acos", 1},
                                   {"atan", 1},
                                   {"atan2", 2},
                                   {"sinh", 1},
                                   {"cosh", 1},
                                   {"asinh", 1},
                                   {"acosh", 1},
                                   {"atanh", 1},
                                   {"fmod", 2},
                                   {"hypot", 2},
                                   {"copysign", 2},
                                   {"exp2", 1},
                                   {"log2", 1},
                                   {"log10", 1},
                                   {"exp10", 1},
                                   {"lgamma", 1},
                                   {"tgamma", 1},
                                   {"erfinv", 1},
                                   {"erfcinv", 1},
                                   {"erfcx", 1},
                                   {"cbrt", 1},
                                   {"rcbrt", 1},
                                   {"j0", 1},
                                   {"j1", 1},
                                   {"y0", 1},
                                   {"y1", 1},
                                   {"fabs", 1},
                                   {"div_rn", 2},
                                   {"div_rd", 2},
                                   {"div_ru", 2},
                                   {"div_rz", 2},
                                   {"fma", 3},
                                   {"fma_rn", 3},
                                   {"fast_expf", 1},
                                   {"fast_logf", 1},
                                   {"fast_dividef", 2},
                                   {"fast_sinf", 1},
                                   {"fast_cosf", 1},
                                   {"fast_powf", 2},
                                   {"isnan", 1},
                                   {"isinf", 1},
                                   {"signbit", 1},
                                   {"finitef", 1},
                                   {"nextafter", 2},
                                   {"llrint", 1},
                                   {"normcdf", 1},
                                   {"normcdfinv", 1},
                                   {"sinpi", 1},
                                   {"cospi", 1},
                                   {"remainder", 2},
                                   {"fdim", 2},
                                   {"ldexp", 2},
                                   {"cyl_bessel_i0", 1},
                                   {"cyl_bessel_i1", 1},
                                   {"rsqrt_rn", 1}};

const ForeignRow *foreignOf(StringRef name) {
  const auto *found = llvm::find_if(
      kForeign, [&](const ForeignRow &row) { return row.name == name; });
  return found == std::end(kForeign) ? nullptr : found;
}

/// Functions that Triton has, and this reader has not.
bool isUnreadFunction(StringRef name) {
  static constexpr StringRef kUnread[] = {
      "tl.gather",          "tl.histogram",  "tl.sort",
      "tl.topk",            "tl.flip",       "tl.bitonic_merge",
      "tl.map_elementwise", "tl.dot_scaled", "tl.inline_asm_elementwise"};
  return llvm::is_contained(kUnread, name);
}

const BuiltinRow *rowOf(StringRef name) {
  static const auto *const kByName = [] {
    auto *made = new llvm::StringMap<const BuiltinRow *>();
    for (const BuiltinRow &row : BuiltinRow::all()) (*made)[row.name] = &row;
    return made;
  }();
  const auto found = kByName->find(name);
  return found == kByName->end() ? nullptr : found->second;
}

Value defaultOf(StringRef text) {
  if (text == "None") return Value::none();
  if (text == "()") return Value::tuple({});
  if (text == "True" || text == "False") return Value::boolean(text == "True");
  return Value::whole(text == "0" ? 0 : 1);
}

}  // namespace

bool isBuiltin(StringRef name) {
  if (rowOf(name)) return true;
  return name.consume_front("tl.") && foreignOf(name);
}

Value Lowering::method(const Value &of, const std::string &name) {
  const ValueType &type = of.type;
  const Element element = type.element;
  const StringRef asked = name;
  bool answer = false;
  if (asked == "is_floating")
    answer = type.isFloating();
  else if (asked == "is_standard_floating")
    answer = type.isFloating() && bitsOf(element) > 8;
  else if (asked == "is_int")
    answer = type.isInteger();
  else if (asked == "is_int_signed")
    answer = type.isInteger() && isSigned(element);
  else if (asked == "is_int_unsigned")
    answer = type.isInteger() && !isSigned(element);
  else if (asked == "is_fp8")
    answer = type.isFloating() && bitsOf(element) == 8;
  else if (asked == "is_ptr")
    answer = type.form == Form::Pointer;
  else if (asked == "is_bool" || asked == "is_int1")
    answer = type.is(Element::I1);
  else
    answer = type.isPlain() &&
             StringRef(tritonName(element)) ==
                 (asked.starts_with("is_int") ? "i" + asked.drop_front(6).str()
                                              : asked.drop_front(3).str());
  return Value::boolean(answer);
}

Value Lowering::constantCall(const std::string &name, const Arguments &args) {
  const StringRef called = name;
  for (const Value &value : args)
    if (value.isTensor())
      return refuse(RefusalKind::Type,
                    absl::StrCat("`", name, "` of ", wordsOf(value)));
  if (called == "tuple" || called == "list")
    return args.empty() ? makeTuple({})
           : args[0].is(ValueKind::Tuple)
               ? args[0]
               : refuse(RefusalKind::Type,
                        absl::StrCat("`", name, "` of ", wordsOf(args[0])));
  if (args.empty())
    return refuse(RefusalKind::Type, absl::StrCat("`", name, "` of nothing"));
  const Value &of = args[0];
  if (called == "len") {
    if (!of.is(ValueKind::Tuple))
      return refuse(RefusalKind::Type,
                    "the length of a value that is not a tuple");
    return Value::whole(static_cast<int64_t>(of.items->size()));
  }
  if (called == "bool") return Value::boolean(isTrue(of));
  if (called == "str") return Value::string(wordsOf(of));
  double number = 0;
  if (called == "float" && of.is(ValueKind::String)) {
    const std::string text = StringRef(of.text).trim().lower();
    const StringRef size = StringRef(text).ltrim("+-");
    if (size == "inf" || size == "infinity")
      return Value::real(text[0] == '-' ? -HUGE_VAL : HUGE_VAL);
    if (size == "nan") return Value::real(std::nan(""));
    if (!StringRef(text).getAsDouble(number)) return Value::real(number);
  }
  if (!of.isNumber())
    return refuse(RefusalKind::Type,
                  absl::StrCat("`", name, "` of ", wordsOf(of)));
  if (called == "triton.next_power_of_2") {
    const auto small = smallOf(of);
    if (!small || *small > int64_t{1} << 40)
      return refuse(RefusalKind::Type, "no power of 2 for this");
    int64_t power = 1;
    while (power < *small) power *= 2;
    return Value::whole(power);
  }
  if (called == "triton.cdiv") {
    if (args.size() != 2 || !of.isWhole() || !args[1].isWhole())
      return refuse(RefusalKind::Type, "`triton.cdiv` of two integers");
    return negate(binary("//", negate(of), args[1]));
  }
  number = realOf(of);
  if (called == "float") return Value::real(number);
  if (called == "abs") {
    if (of.isWhole())
      return of.integer < 0 ? negate(of) : binary("+", of, Value::whole(0));
    return Value::real(std::fabs(number));
  }
  if (called == "int") {
    if (of.isWhole()) return Value::whole(of.integer);
    if (!(std::fabs(number) < 9e18))
      return refuse(RefusalKind::Type, "a float that is not an integer");
    return Value::whole(static_cast<int64_t>(number));
  }
  struct RealRow {
    StringRef name;
    double (*of)(double);
  };
  static constexpr RealRow kReals[] = {
      {"math.sqrt", &std::sqrt}, {"math.exp", &std::exp},
      {"math.sin", &std::sin},   {"math.cos", &std::cos},
      {"math.log2", &std::log2}, {"math.log10", &std::log10}};
  for (const RealRow &row : kReals)
    if (row.name == called) return Value::real(row.of(number));
  if (called == "math.log") {
    if (args.size() == 2 && args[1].isNumber())
      return Value::real(std::log(number) / std::log(realOf(args[1])));
    return Value::real(std::log(number));
  }
  if (called == "math.pow" && args.size() == 2 && args[1].isNumber())
    return Value::real(std::pow(number, realOf(args[1])));
  if ((called == "math.floor" || called == "math.ceil") &&
      std::fabs(number) < 9e18)
    return Value::whole(static_cast<int64_t>(
        called == "math.floor" ? std::floor(number) : std::ceil(number)));
  return refuse(RefusalKind::Name, absl::StrCat("`", name, "` is not known"));
}

Value Lowering::builtin(const std::string &name, const Arguments &positional,
                        const std::vector<std::pair<StringRef, Value>> &named) {
  const StringRef called = name;
  static constexpr StringRef kConstants[] = {
      "int",  "float",       "bool",
      "len",  "str",         "tuple",
      "list", "triton.cdiv", "triton.next_power_of_2"};
  const bool hasTensor = llvm::any_of(
      positional, [](const Value &value) { return value.isTensor(); });
  if (called == "triton.cdiv" && hasTensor && positional.size() == 2)
    return prelude("cdiv", positional);
  if (llvm::is_contained(kConstants, called) || called.starts_with("math.") ||
      (called == "abs" && !positional.empty() && !positional[0].isTensor()))
    return constantCall(name, positional);
  if (called.starts_with("type.")) return method(positional[0], name.substr(5));
  if (called == "tl.constexpr")
    return positional.size() == 1
               ? positional[0]
               : refuse(RefusalKind::Type, "`tl.constexpr` of one value");
  if (called == "tl.pointer_type") {
    if (positional.empty() || !positional[0].is(ValueKind::Type) ||
        !positional[0].type.isPlain())
      return refuse(RefusalKind::Type, "`tl.pointer_type` of a type");
    return Value::ofType(pointerTo(positional[0].type.element));
  }
  if (called == "min" || called == "max") {
    if (positional.size() < 2 || !named.empty())
      return refuseCall(absl::StrCat("`", name, "` of two values or more"));
    Value made = positional[0];
    for (const Value &value : llvm::drop_begin(positional))
      made = minMax(called, made, value, /*propagatesNan=*/false);
    return made;
  }
  if (called == "isinstance")
    return refuse(RefusalKind::Unsupported, "`isinstance` in a kernel");
  StringRef foreign = called;
  if (foreign.consume_front("libdevice.")) return external(foreign, positional);
  const BuiltinRow *row = rowOf(called == "abs" ? "tl.abs" : called);
  if (!row) {
    if (called.starts_with("tl.") && foreignOf(called.drop_front(3))) {
      olderNames.insert(name);
      return external(called.drop_front(3), positional);
    }
    if (isUnreadFunction(called))
      return refuse(RefusalKind::Unsupported,
                    absl::StrCat("`", name, "` is not read"));
    return refuse(RefusalKind::Name, absl::StrCat("`", name, "` is not known"));
  }
  // The parameters in order.
  Arguments args;
  llvm::SmallVector<StringRef, 12> parameters;
  row->parameters.split(parameters, ' ', -1, /*KeepEmpty=*/false);
  size_t next = 0;
  std::set<StringRef> known;
  for (StringRef parameter : parameters) {
    const auto [key, standard] = parameter.split('=');
    const StringRef own = key.ltrim('*');
    known.insert(own);
    const auto found = llvm::find_if(
        named, [&](const auto &pair) { return pair.first == own; });
    if (key.starts_with("*") && found == named.end()) {
      // The rest: a tuple, or its values one by one.
      if (next + 1 == positional.size() &&
          positional[next].is(ValueKind::Tuple)) {
        args.push_back(positional[next++]);
        continue;
      }
      args.push_back(makeTuple(
          Arguments(positional.begin() + std::min(next, positional.size()),
                    positional.end())));
      next = positional.size();
    } else if (next < positional.size()) {
      if (found != named.end())
        return refuseCall(
            absl::StrCat("`", own.str(), "` of `", name, "` is given twice"));
      args.push_back(positional[next++]);
    } else if (found != named.end()) {
      const bool isRest =
          key.starts_with("*") && !found->second.is(ValueKind::Tuple);
      args.push_back(isRest ? makeTuple({found->second}) : found->second);
    } else if (!standard.empty()) {
      args.push_back(defaultOf(standard));
    } else {
      return refuseCall(
          absl::StrCat("`", own.str(), "` of `", name, "` is missing"));
    }
  }
  if (next < positional.size())
    return refuseCall(absl::StrCat("too many arguments of `", name, "`"));
  for (const auto &[key, value] : named)
    if (!known.count(key) && key != "reduction_ordering" &&
        row->handler != &Lowering::nothing)
      return refuseCall(
          absl::StrCat("`", name, "` has no `", key.str(), "`"));
  if (isRefused()) return {};
  if (row->handler) return (this->*row->handler)(args);
  if (row->made.starts_with("math.")) return math(row->made, args[0]);
  if (row->made.starts_with("atomic_")) return atomic(row->made, args);
  return prelude(row->made, args);
}

Value Lowering::external(StringRef symbol, const Arguments &args) {
  const ForeignRow *row = foreignOf(symbol);
  const std::string name = absl::StrCat("`libdevice.", symbol.str(), "`");
  if (!row) {
    if (symbol == "abs" && args.size() == 1) return absolute(args);
    static constexpr StringRef kOfDevice[] = {"globaltimer", "smid",
                                              "num_threads", "num_warps"};
    if (llvm::is_contained(kOfDevice, symbol))
      return refuse(
          RefusalKind::Unsupported,
          absl::StrCat("`tl.extra.cuda.", symbol.str(), "` is not read"));
    return refuse(RefusalKind::Name, absl::StrCat(name, " is not known"));
  }
  if (static_cast<int>(args.size()) != row->operands)
    return refuseCall(absl::StrCat(name, " takes ", row->operands, " values"));
  if (symbol == "ldexp")
    return refuse(RefusalKind::Unsupported, absl::StrCat(name, ""));
  Arguments operands;
  for (const Value &value : args) operands.push_back(tensorOf(value));
  // All to one type and one shape.
  for (size_t k = 1; k < operands.size(); ++k)
    if (!promote(operands[0], operands[k], Divides::No, Pointers::Refused))
      return {};
  for (size_t k = 1; k + 1 < operands.size(); ++k)
    if (!promote(operands[0], operands[k], Divides::No, Pointers::Refused))
      return {};
  if (isRefused()) return {};
  const ValueType &type = operands[0].type;
  if (!type.isFloating() || bitsOf(type.element) < 32)
    return refuse(
        RefusalKind::Type,
        absl::StrCat(name, " of ", type.str(), "; it is one of fp32 or fp64"));
  const bool isSingle = type.is(Element::F32);
  const bool isFast = symbol.starts_with("fast_");
  if (!isSingle && (isFast || symbol == "finitef"))
    return refuse(RefusalKind::Type, absl::StrCat(name, " of fp64"));
  std::string full = absl::StrCat("__nv_", symbol.str());
  ValueType result = type;
  if (symbol == "isnan" || symbol == "isinf" || symbol == "signbit") {
    full += isSingle ? "f" : "d";
    result = plain(Element::I32);
  } else if (symbol == "finitef") {
    result = plain(Element::I32);
  } else if (symbol == "fma_rn" || symbol == "fma") {
    full = isSingle ? "__nv_fmaf" : "__nv_fma";
  } else if (symbol == "fast_dividef") {
    full = "__nv_fast_fdividef";
  } else if (symbol.starts_with("div_")) {
    full = absl::StrCat("__nv_", isSingle ? "f" : "d", symbol.str());
  } else if (symbol == "fabs") {
    full = isSingle ? "__nv_fabsf" : "__nv_fabs";
  } else if (isSingle && !isFast) {
    full += "f";
  }
  if (symbol == "llrint") result = plain(Element::I64);
  std::string types;
  for (const Value &value : operands)
    absl::StrAppend(&types, types.empty() ? "" : ", ", value.ir());
  const Value made =
      op(absl::StrCat("tt.extern_elementwise ", names(operands),
                      " {libname = \"\", libpath = \"\", pure = true, symbol "
                      "= \"",
                      full, "\"} : (", types, ") -> ",
                      tensorText(operands[0].shape, result)),
         result, operands[0].shape);
  const bool isQuestion =
      symbol == "isnan" || symbol == "isinf" || symbol == "finitef";
  return isQuestion ? cast(made, plain(Element::I1)) : made;
}

}  // namespace indexical::python
