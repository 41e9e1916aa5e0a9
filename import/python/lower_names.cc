// Names and attributes.
#include <cmath>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include "indexical/import/python/builtins.h"
#include "indexical/import/python/launch.h"
#include "indexical/import/python/lowering.h"
#include "indexical/import/python/prelude.h"

namespace indexical::python {

using llvm::StringRef;

Value Lowering::name(StringRef name) {
  const auto &names = frames_.back().names;
  if (const auto found = names.find(name); found != names.end())
    return found->second.value;
  if (hostNames_)
    if (const auto found = hostNames_->find(name.str());
        found != hostNames_->end())
      return found->second;
  return globalName(name);
}

Value Lowering::globalName(StringRef name) {
  if (frames_.back().isPrelude) {
    if (const FunctionText *function = preludeFunction(name))
      return Value::ofFunction(function);
    if (name == "tl") return Value::module("triton.language");
    return refuse(RefusalKind::Name, absl::StrCat("`", name.str(), "`"));
  }
  if (module_.branched.count(name))
    passedOver[name.str()] = "the first that the file defines";
  if (const JitFunction *function = module_.find(name)) {
    notePassedOver(*function);
    return Value::ofFunction(&function->text);
  }
  if (const auto found = module_.constants.find(name);
      found != module_.constants.end()) {
    const auto known = module_.values.find(name);
    if (known == module_.values.end())
      return refuse(RefusalKind::Name,
                    absl::StrCat("the global `", name.str(),
                                 "` is not a constant that this file gives"));
    const Value value = ofFile(known->second);
    const bool isPlain = value.isNumber() || value.isNone() ||
                         value.is(ValueKind::String) ||
                         value.is(ValueKind::Tuple);
    if (isPlain && !hostNames_ && !module_.constexprs.count(name) &&
        !(found->second && lastNameOf(found->second) == "constexpr"))
      olderConstants[name.str()] = value;
    return value;
  }
  if (const auto found = module_.imports.find(name);
      found != module_.imports.end())
    return ofFile(Value::module(found->second));
  static constexpr StringRef kBuiltins[] = {
      "range", "min",   "max", "len",   "int",  "float",     "bool",
      "abs",   "print", "str", "tuple", "list", "isinstance"};
  if (llvm::is_contained(kBuiltins, name)) return Value::builtin(name.str());
  // Texts that are cut out of a file keep the usual names of its imports.
  if (name == "tl") return Value::module("triton.language");
  if (name == "triton") return Value::module("triton");
  if (name == "triton_helpers") return Value::module("triton_helpers");
  if (name == "libdevice") return Value::module("libdevice");
  return refuse(RefusalKind::Name,
                absl::StrCat("`", name.str(), "` is not defined"));
}

Value Lowering::ofFile(const Value &value) {
  if (!value.is(ValueKind::Module)) return value;
  const StringRef full = value.text;
  // from triton.language import arange
  if (full.starts_with("triton.language.") && full.count('.') == 2)
    return moduleAttribute("triton.language", full.rsplit('.').second);
  if (full == "triton.cdiv" || full == "triton.next_power_of_2")
    return Value::builtin(full.str());
  if (full.contains("triton_helpers."))
    return moduleAttribute("triton_helpers", full.rsplit('.').second);
  if (full.contains("libdevice."))
    return moduleAttribute("libdevice", full.rsplit('.').second);
  return value;
}

Value Lowering::computedDefault(const Parameter &parameter) {
  if (!parameter.isComputed) return evaluate_(*parameter.value);
  if (parameter.computed) return ofFile(*parameter.computed);
  return refuseAt(parameter.place, RefusalKind::Name,
                  absl::StrCat("the value of `", parameter.name.str(),
                               "` is known only when the file runs"));
}

void Lowering::notePassedOver(const JitFunction &function) {
  if (module_.branched.count(function.text.name))
    passedOver[function.text.name.str()] = "the first that the file defines";
  for (const Node *decorator : function.decorators) {
    if (keepsMeaning(*decorator)) continue;
    const std::string name = dottedName(
        decorator->kind == NodeKind::Call ? decorator->parts[0] : decorator);
    passedOver[absl::StrCat("@", name)] = "nothing";
  }
}

Value Lowering::moduleAttribute(const std::string &module, StringRef name) {
  const StringRef of = module;
  const std::string full = absl::StrCat(module, ".", name.str());
  if (of == "triton.language") {
    if (const auto element = elementOfName(name))
      return Value::ofType(plain(*element));
    static constexpr StringRef kSame[] = {"math", "core", "standard"};
    if (llvm::is_contained(kSame, name)) return Value::module(module);
    static constexpr StringRef kOther[] = {"extra", "libdevice"};
    if (llvm::is_contained(kOther, name)) return Value::module("libdevice");
    if (name == "ReductionOrdering" || name == "PropagateNan")
      return Value::module(full);
    if (name == "random") return Value::module("triton.language.random");
    if (name == "rand" || name == "randn" || name == "randint" ||
        name == "randint4x" || name == "philox" || name == "rand4x" ||
        name == "randn4x")
      return refuse(RefusalKind::Unsupported,
                    absl::StrCat("`tl.", name.str(), "`: random numbers"));
    return Value::builtin(absl::StrCat("tl.", name.str()));
  }
  if (of.starts_with("triton.language.PropagateNan") ||
      of.starts_with("triton.language.ReductionOrdering"))
    return Value::string(name.str());
  if (of == "triton.language.random")
    return refuse(RefusalKind::Unsupported,
                  absl::StrCat("`tl.", name.str(), "`: random numbers"));
  if (of.contains("triton_helpers")) {
    if (name == "libdevice") return Value::module("libdevice");
    if (name == "math") return Value::module("triton.language");
    return Value::builtin(absl::StrCat("triton_helpers.", name.str()));
  }
  if (of.contains("libdevice") || of == "triton.language.extra" ||
      of.starts_with("triton.language.extra.")) {
    static constexpr StringRef kSame[] = {"cuda", "libdevice", "hip", "intel"};
    if (llvm::is_contained(kSame, name)) return Value::module("libdevice");
    return Value::builtin(absl::StrCat("libdevice.", name.str()));
  }
  if (of == "triton.language.math" || of == "triton.language.core" ||
      of == "triton.language.standard")
    return moduleAttribute("triton.language", name);
  if (of == "triton") {
    if (name == "language") return Value::module("triton.language");
    if (name == "cdiv" || name == "next_power_of_2")
      return Value::builtin(full);
  }
  if (of == "math") {
    if (name == "pi") return Value::real(3.14159265358979323846);
    if (name == "e") return Value::real(2.71828182845904523536);
    if (name == "tau") return Value::real(6.28318530717958647692);
    if (name == "inf") return Value::real(HUGE_VAL);
    if (name == "nan") return Value::real(std::nan(""));
    return Value::builtin(full);
  }
  return refuse(RefusalKind::Name,
                absl::StrCat("`", full, "` is nothing of a kernel"));
}

Value Lowering::typeAttribute(const ValueType &type, StringRef name) {
  if (name == "element_ty")
    return Value::ofType(type.isPlain() ? type : plain(type.element));
  if (name == "scalar" || name == "value") return Value::ofType(type);
  if (name == "primitive_bitwidth" || name == "itemsize") {
    if (type.form == Form::Pointer && name == "primitive_bitwidth")
      return Value::whole(64);
    const int bits = bitsOf(type.element);
    return Value::whole(name == "itemsize" ? (bits + 7) / 8 : bits);
  }
  if (name == "name" && type.isPlain())
    return Value::string(tritonName(type.element).str());
  static constexpr StringRef kQuestions[] = {
      "is_floating",     "is_int",   "is_int_signed",
      "is_int_unsigned", "is_bf16",  "is_fp16",
      "is_fp32",         "is_fp64",  "is_fp8",
      "is_fp8e4nv",      "is_fp8e5", "is_bool",
      "is_ptr",          "is_int32", "is_int64",
      "is_int8",         "is_int1",  "is_standard_floating"};
  if (llvm::is_contained(kQuestions, name))
    return Value::method(absl::StrCat("type.", name.str()),
                         Value::ofType(type));
  return refuse(RefusalKind::Name,
                absl::StrCat("a type has no `", name.str(), "`"));
}

Value Lowering::tensorAttribute(const Value &of, StringRef name) {
  if (name == "dtype") return Value::ofType(of.type);
  if (name == "type") {
    // Only what is asked of a type is known: its scalar and its element.
    return Value::ofType(of.type);
  }
  if (name == "shape") {
    std::vector<Value> sides;
    const Shape &shape =
        of.type.form > Form::Pointer ? of.type.block : of.shape;
    for (int64_t side : shape) sides.push_back(Value::whole(side));
    return Value::tuple(std::move(sides));
  }
  if (name == "numel") {
    int64_t count = 1;
    for (int64_t side : of.shape) count *= side;
    return Value::whole(count);
  }
  if (name == "T") {
    if (of.shape.size() != 2)
      return refuse(RefusalKind::Shape, "`.T` of what has not two sides");
    return transposed(of, {1, 0});
  }
  if (!isBuiltin(absl::StrCat("tl.", name.str())))
    return refuse(RefusalKind::Name,
                  absl::StrCat("a tensor has no `", name.str(), "`"));
  return Value::method(absl::StrCat("tl.", name.str()), of);
}

Value Lowering::attribute(const Value &of, StringRef name) {
  if (isRefused()) return {};
  switch (of.kind) {
    case ValueKind::Module:
      return moduleAttribute(of.text, name);
    case ValueKind::Tensor:
      return tensorAttribute(of, name);
    case ValueKind::Type:
      return typeAttribute(of.type, name);
    case ValueKind::Bool:
    case ValueKind::Integer:
    case ValueKind::Float:
      if (name == "value") return of;
      if (name == "to") return Value::method("tl.to", of);
      if (name == "dtype") {
        const auto element = elementOf(of);
        return element ? Value::ofType(plain(*element)) : Value();
      }
      break;
    case ValueKind::String:
    case ValueKind::None:
      if (name == "value") return of;
      break;
    case ValueKind::Builtin:
      if (StringRef(of.text).starts_with("tl."))
        return moduleAttribute(
            absl::StrCat("triton.language.", of.text.substr(3)), name);
      break;
    default:
      break;
  }
  return refuse(RefusalKind::Name,
                absl::StrCat(wordsOf(of), " has no `", name.str(), "`"));
}

}  // namespace indexical::python
