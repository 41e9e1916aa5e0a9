#include "indexical/import/python/read.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/import/python/inductor_blocks.h"
#include "indexical/import/python/kernels_of.h"
#include "indexical/import/python/launch.h"
#include "indexical/import/python/lowering.h"
#include "indexical/import/python/uses.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/own_kind.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::python {
namespace {

using kernels::SizeTerm;
using kernels::Taken;
using llvm::StringRef;

template <typename T>
const T *found(const std::vector<std::pair<std::string, T>> &list,
               StringRef name) {
  for (const auto &[key, value] : llvm::reverse(list))
    if (key == name) return &value;
  return nullptr;
}

/// The names of functions of the file that a node names.
void addNamed(const ModuleText &module, const Node &node,
              std::set<StringRef> &into) {
  if (node.kind == NodeKind::Name && module.find(node.text))
    into.insert(node.text);
  for (const Node *part : node.parts)
    if (part) addNamed(module, *part, into);
}

class KernelMaker {
 public:
  KernelMaker(const ModuleText &module, const PythonOptions &options,
              const std::map<std::string, Value> &constants,
              const JitFunction &function)
      : module_(module),
        options_(options),
        given_(constants),
        function_(function),
        launch_(module, function) {}

  std::vector<PythonKernel> run() {
    std::vector<PythonKernel> made;
    if (function_.refusal) {
      made.push_back(begun());
      made.back().refusal = function_.refusal;
      return made;
    }
    meta_ = launch_.inductor();
    blocks_ = blocksOf(meta_);
    uses_ = usesOf(module_, function_.text);
    fileGrid_ = launch_.grid();
    literals_ = launch_.constants();
    const std::vector<Config> configs = launch_.configs();
    configCount_ = configs.size();
    if (launch_.refusal) {
      made.push_back(begun());
      made.back().refusal = launch_.refusal;
      return made;
    }
    if (configs.empty()) {
      made.push_back(kernel(nullptr));
    } else {
      for (const auto &[number, config] : llvm::enumerate(configs)) {
        made.push_back(kernel(&config));
        made.back().configNumber = static_cast<int64_t>(number);
        for (const auto &[name, value] : config.values)
          made.back().config.push_back({name, wordsOf(value)});
      }
    }
    return made;
  }

 private:
  PythonKernel begun() const {
    PythonKernel made;
    made.name = function_.text.name.str();
    made.place = function_.text.place;
    for (const Parameter &parameter : function_.text.parameters)
      made.parameters.push_back(parameter.name.str());
    return made;
  }

  void take(PythonKernel &made, const char *what, StringRef name,
            std::string value, const char *from) const {
    made.taken.push_back({what, name.str(), std::move(value), from});
  }

  /// Returns the constant that a parameter is, or nothing.
  std::optional<Value> constantOf(const Parameter &parameter,
                                  const Config *config, PythonKernel &made) {
    const std::string name = parameter.name.str();
    if (const auto known = given_.find(name); known != given_.end())
      return known->second;
    const bool isConstant = isConstexpr(parameter.annotation);
    if (const int64_t *value = found(options_.arguments, name);
        value && isConstant)
      return Value::whole(*value);
    if (const double *value = found(options_.numbers, name);
        value && isConstant)
      return Value::real(*value);
    auto taken = [&](const Value &value, const char *from) {
      take(made, "constant", name, wordsOf(value), from);
      return value;
    };
    if (const auto known = meta_.constants.find(name);
        known != meta_.constants.end())
      return taken(known->second, "triton_meta");
    if (config)
      for (const auto &[key, value] : llvm::reverse(config->values))
        if (key == name) return value;
    if (!isConstant) return std::nullopt;
    if (const auto known = literals_.find(name); known != literals_.end())
      return taken(known->second, "launch");
    if (const auto value = defaultOf(parameter)) {
      if (launch_.isGivenUnknown(name))
        take(made, "meaning", name, "no value that the file writes out",
             "launch");
      return taken(*value, "default");
    }
    if (const auto block = hintedBlock(name))
      return taken(Value::whole(*block), "size_hints");
    return std::nullopt;
  }

  std::optional<Value> defaultOf(const Parameter &parameter) const {
    if (!parameter.value) return std::nullopt;
    if (parameter.isComputed && !parameter.computed) return std::nullopt;
    if (parameter.isComputed && !parameter.computed->is(ValueKind::Module))
      return *parameter.computed;
    Lowering host(module_, "");
    Value value = host.evaluate(parameter.value);
    return host.refusal ? std::nullopt : std::optional<Value>(std::move(value));
  }

  /// Returns a block that Inductor chooses when it runs.
  std::optional<int64_t> hintedBlock(StringRef name) const {
    const auto found = blocks_.blocks.find(name.str());
    if (!meta_.isThere || found == blocks_.blocks.end()) return std::nullopt;
    return found->second;
  }

  /// Returns the value that the body gives the parameter first: Inductor's
  /// `xnumel = 1024`.
  std::optional<int64_t> assignedIn(StringRef name) const {
    for (const Node *statement : function_.text.body->parts) {
      if (statement->kind != NodeKind::Assign ||
          !statement->parts[0]->isName(name))
        continue;
      const Node *value = statement->parts.back();
      if (value->kind != NodeKind::Number) return std::nullopt;
      return smallOf(constantNumber(value->text).value);
    }
    return std::nullopt;
  }

  ValueType typeOf(const Parameter &parameter, PythonKernel &made) {
    const std::string name = parameter.name.str();
    if (const std::string *text = found(options_.types, name))
      return *typeOfSignature(*text);
    auto taken = [&](ValueType type, const char *from) {
      take(made, "type", name, type.str(), from);
      return type;
    };
    if (const auto known = meta_.types.find(name); known != meta_.types.end())
      return taken(known->second, "triton_meta");
    if (parameter.annotation) {
      const std::string word = dottedName(parameter.annotation);
      if (const auto element =
              elementOfName(StringRef(word).rsplit('.').second.empty()
                                ? StringRef(word)
                                : StringRef(word).rsplit('.').second))
        return taken(plain(*element), "annotation");
    }
    if (uses_.pointers.count(name))
      return taken(pointerTo(Element::F32), "use");
    if (found(options_.numbers, name)) return plain(Element::F32);
    if (uses_.floats.count(name)) return taken(plain(Element::F32), "use");
    if (const int64_t *value = found(options_.arguments, name)) {
      if (*value >= INT32_MIN && *value <= INT32_MAX)
        return plain(Element::I32);
      return plain(Element::I64);
    }
    if (const auto value = defaultOf(parameter);
        value && value->is(ValueKind::Float))
      return taken(plain(Element::F32), "default");
    return taken(plain(Element::I32), "use");
  }

  /// The refusal of a kernel whose constants have no values: all at once.
  Refusal withoutValues(llvm::ArrayRef<const Parameter *> constants) const {
    std::vector<std::string> names, options;
    for (const Parameter *constant : constants) {
      names.push_back(absl::StrCat("`", constant->name.str(), "`"));
      options.push_back(
          absl::StrCat("--const=", constant->name.str(), "=VALUE"));
    }
    const bool isOne = names.size() == 1;
    return {RefusalKind::Triton, constants.front()->place,
            absl::StrCat(isOne ? "the constant " : "the constants ",
                         absl::StrJoin(names, ", "),
                         isOne ? " has no value; " : " have no values; ",
                         absl::StrJoin(options, " "),
                         isOne ? " gives it one" : " gives them some")};
  }

  /// Returns the arguments that heuristics are given, as far as they are known.
  std::map<std::string, Value> arguments() const {
    std::map<std::string, Value> known = literals_;
    for (const auto &[name, value] : options_.numbers)
      known[name] = Value::real(value);
    for (const auto &[name, value] : options_.arguments)
      known[name] = Value::whole(value);
    for (const auto &[name, value] : given_) known[name] = value;
    return known;
  }

  PythonKernel kernel(const Config *config) {
    PythonKernel made = begun();
    std::map<std::string, Value> constants;
    std::map<std::string, ValueType> types;
    const LaunchReader::Given given = launch_.heuristics(config, arguments());
    std::vector<const Parameter *> open;
    for (const Parameter &parameter : function_.text.parameters) {
      if (parameter.isRest) continue;
      const std::string name = parameter.name.str();
      if (given.count(name) && !given_.count(name)) {
        open.push_back(&parameter);
        continue;
      }
      if (auto value = constantOf(parameter, config, made)) {
        constants[name] = *std::move(value);
        continue;
      }
      if (isConstexpr(parameter.annotation)) {
        open.push_back(&parameter);
        continue;
      }
      const ValueType type = typeOf(parameter, made);
      const int64_t *number = found(options_.arguments, name);
      if (number && type.isInteger() && *number == 1 &&
          !launch_.isUnspecialized(name)) {
        constants[name] = Value::whole(1);
        take(made, "constant", name, "1", "specialization");
        continue;
      }
      types[name] = type;
    }
    std::vector<const Parameter *> unsaid;
    for (const Parameter *parameter : open) {
      const std::string name = parameter->name.str();
      const auto known = given.find(name);
      if (known == given.end() || !known->second) {
        unsaid.push_back(parameter);
        continue;
      }
      constants[name] = *known->second;
      take(made, "constant", name, wordsOf(*known->second), "heuristics");
    }
    if (!unsaid.empty()) {
      made.refusal = withoutValues(unsaid);
      return made;
    }
    lower(constants, types, made);
    if (made.refusal) return made;
    for (const Parameter &parameter : function_.text.parameters)
      if (const auto known = constants.find(parameter.name.str());
          known != constants.end()) {
        made.constants.push_back({known->first, wordsOf(known->second)});
        if (const auto small = smallOf(known->second))
          made.sizes[known->first] = *small;
      }
    if (config && launch_.asksBackend())
      take(made, "meaning", "backend", "cuda", "default");
    if (launch_.isOpen)
      take(made, "meaning", "configs",
           configCount_ ? absl::StrCat("only ", configCount_,
                                       " that the file writes out")
                        : "none that the file writes out",
           "default");
    if (launch_.hasOtherLaunches())
      take(made, "meaning", "launches",
           launch_.line() ? absl::StrCat("only that of line ", *launch_.line())
                          : "none that the file writes out",
           "default");
    if (launch_.areHeuristicsOpen())
      take(made, "meaning", "heuristics", "none that the file writes out",
           "default");
    bool areWarpsOpen = config && config->areWarpsOpen;
    if (config && config->warps) made.warps = config->warps;
    if (!made.warps && !areWarpsOpen && literals_.count("num_warps"))
      made.warps = smallOf(literals_.at("num_warps"));
    if (!made.warps && !meta_.isThere) areWarpsOpen |= launch_.areWarpsOpen();
    if (const auto warps = given.find("num_warps"); warps != given.end()) {
      made.warps = warps->second ? smallOf(*warps->second) : std::nullopt;
      areWarpsOpen = !made.warps;
    }
    if (areWarpsOpen)
      take(made, "meaning", "num_warps", "no number that the file writes out",
           "default");
    if (!made.warps && !areWarpsOpen) made.warps = meta_.warps;
    if (!made.warps && !blocks_.blocks.empty()) {
      made.warps = blocks_.warps;
      take(made, "warps", "", absl::StrCat(blocks_.warps), "size_hints");
    }
    takeGrid(made);
    return made;
  }

  void lower(const std::map<std::string, Value> &constants,
             const std::map<std::string, ValueType> &types,
             PythonKernel &made) {
    Lowering lowering(module_, options_.path);
    std::set<std::string> divisible;
    bool hasPointers = false;
    for (const auto &[name, type] : types) {
      hasPointers |= type.form == Form::Pointer;
      const int64_t *value = found(options_.arguments, name);
      if (value && type.isInteger() && *value % 16 == 0 &&
          !launch_.isUnspecialized(name))
        divisible.insert(name);
    }
    if (hasPointers) take(made, "alignment", "", "16", "default");
    lowering.notePassedOver(function_);
    made.ttir = lowering.kernel(function_.text, constants, types, divisible);
    made.refusal = lowering.refusal;
    if (made.refusal) made.ttir.clear();
    const bool isGuessed = llvm::any_of(made.taken, [](const Taken &each) {
      return each.what == "type" && each.from == "use";
    });
    if (made.refusal && made.refusal->kind == RefusalKind::Type &&
        made.refusal->isOfTypes && isGuessed)
      made.refusal->message +=
          "; a type that is not given follows from use, and --type=NAME=TYPE "
          "gives it";
    for (const std::string &name : lowering.olderNames)
      take(made, "meaning", name,
           absl::StrCat("libdevice.", StringRef(name).drop_front(3).str()),
           "Triton 2");
    for (const auto &[name, value] : lowering.passedOver)
      take(made, "meaning", name, value, "default");
    for (const auto &[name, value] : lowering.olderConstants)
      take(made, "meaning", name,
           absl::StrCat(wordsOf(value), " without tl.constexpr"), "Triton 2");
  }

  void takeGrid(PythonKernel &made) {
    made.grid = fileGrid_;
    const char *from = "launch";
    if (made.grid.empty() && meta_.isThere) {
      from = "triton_meta";
      for (const char *axis : {"x", "y", "z"}) {
        const std::string count = absl::StrCat(axis, "numel");
        const std::string block =
            absl::StrCat(StringRef(axis).upper(), "BLOCK");
        const bool isThere = llvm::any_of(function_.text.parameters,
                                          [&](const Parameter &parameter) {
                                            return parameter.name == count;
                                          });
        if (!isThere) break;
        const auto size = assignedIn(count);
        SizeTerm numel = size && !found(options_.arguments, count)
                             ? SizeTerm::of(*size)
                             : SizeTerm::of(count);
        const bool hasBlock = made.sizes.count(block) || hasParameter(block);
        made.grid.push_back(hasBlock ? SizeTerm::of(kernels::SizeKind::CeilDiv,
                                                    std::move(numel),
                                                    SizeTerm::of(block))
                                     : std::move(numel));
      }
    }
    if (made.grid.empty()) return;
    std::string text;
    for (const SizeTerm &side : made.grid)
      absl::StrAppend(&text, text.empty() ? "" : ", ", textOf(side));
    take(made, "grid", "", text, from);
  }

  bool hasParameter(StringRef name) const {
    return llvm::any_of(
        function_.text.parameters,
        [&](const Parameter &parameter) { return parameter.name == name; });
  }

  const ModuleText &module_;
  const PythonOptions &options_;
  const std::map<std::string, Value> &given_;
  const JitFunction &function_;
  LaunchReader launch_;
  InductorMeta meta_;
  InductorBlocks blocks_;
  Uses uses_;
  std::vector<SizeTerm> fileGrid_;
  std::map<std::string, Value> literals_;  ///< of the first launch
  size_t configCount_ = 0;
};

absl::StatusOr<std::map<std::string, Value>> readConstants(
    const PythonOptions &options, const ModuleText &module) {
  std::map<std::string, Value> made;
  for (const auto &[name, text] : options.constants) {
    ModuleText store;
    const Node *node = expressionOf(text, store);
    Lowering host(module, "");
    Value value = node ? host.evaluate(node) : Value();
    if (!node || host.refusal || value.isTensor() ||
        value.is(ValueKind::Undefined))
      return errorAt(
          {}, absl::StrCat("--const: `", text, "` is not a Python constant"));
    made[name] = std::move(value);
  }
  for (const auto &[name, text] : options.types)
    if (!typeOfSignature(text))
      return errorAt({},
                     absl::StrCat("--type: `", text,
                                  "` is not a type, such as *fp16, *i32, i64 "
                                  "or fp32"));
  return made;
}

/// An error if a name of the call is no parameter of any of the kernels.
absl::Status checkNames(const PythonOptions &options,
                        llvm::ArrayRef<const JitFunction *> kernels) {
  std::vector<StringRef> names;
  for (const JitFunction *function : kernels)
    for (const Parameter &parameter : function->text.parameters)
      names.push_back(parameter.name);
  auto check = [&](const char *option, StringRef name) -> absl::Status {
    if (llvm::is_contained(names, name)) return absl::OkStatus();
    return errorAt(
        {},
        absl::StrCat(option, ": no kernel has a parameter `", name.str(), "`"),
        nearest(name, names));
  };
  for (const auto &pair : options.types)
    INDEXICAL_RETURN_IF_ERROR(check("--type", pair.first));
  for (const auto &pair : options.constants)
    INDEXICAL_RETURN_IF_ERROR(check("--const", pair.first));
  return absl::OkStatus();
}

}  // namespace

const Node *expressionOf(StringRef text, ModuleText &store) {
  store.tokens = tokensOf(text);
  Parser parser(store.tokens, store.store);
  const Node *node = parser.expressionList();
  if (parser.refusal || parser.token().kind != TokenKind::NewLine)
    return nullptr;
  return node;
}

bool looksLikePython(StringRef text) {
  if (!text.contains("def ")) return false;
  return text.contains("triton.jit") || text.contains("@jit") ||
         text.contains("gluon.jit") || text.contains("helion.kernel") ||
         text.contains("@pl.kernel") || text.contains("@plgpu.kernel");
}

absl::StatusOr<std::vector<SizeTerm>> readSizes(StringRef text) {
  ModuleText store;
  const Node *node = expressionOf(text, store);
  std::vector<const Node *> sides;
  if (node && node->kind == NodeKind::Tuple)
    sides.assign(node->parts.begin(), node->parts.end());
  else
    sides.push_back(node);
  std::vector<SizeTerm> made;
  for (const Node *side : sides) {
    auto size = side ? sizeOfNames(side) : std::nullopt;
    if (!size)
      return errorAt({},
                     absl::StrCat("`", text.str(),
                                  "` is not a list of sizes, such as `cdiv(n, "
                                  "B), H`"));
    made.push_back(*std::move(size));
  }
  return made;
}

/// `n mod 16 = 0` as Python has it: `n % 16 == 0`.
static std::string asPython(StringRef condition) {
  std::string made;
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t k = 0; k < condition.size(); ++k) {
    const StringRef rest = condition.drop_front(k);
    const bool begins = k == 0 || !isWord(condition[k - 1]);
    if (begins && rest.starts_with("mod") &&
        (rest.size() == 3 || !isWord(rest[3]))) {
      made += '%';
      k += 2;
      continue;
    }
    const bool isLone =
        rest.front() == '=' && !rest.starts_with("==") &&
        (k == 0 || !StringRef("<>=!").contains(condition[k - 1]));
    made += isLone ? "==" : rest.take_front(1).str();
  }
  return made;
}

absl::StatusOr<kernels::SizeCondition> readCondition(StringRef text) {
  static constexpr std::pair<StringRef, kernels::SizeSign> kSigns[] = {
      {"<", kernels::SizeSign::Less},
      {"<=", kernels::SizeSign::AtMost},
      {">", kernels::SizeSign::Greater},
      {">=", kernels::SizeSign::AtLeast},
      {"==", kernels::SizeSign::Equal}};
  ModuleText store;
  const std::string said = asPython(text);
  const Node *node = expressionOf(said, store);
  if (node && node->kind == NodeKind::Compare && node->parts.size() == 2)
    for (const auto &[sign, kind] : kSigns) {
      if (node->text != sign) continue;
      auto left = sizeOfNames(node->parts[0]);
      auto right = sizeOfNames(node->parts[1]);
      if (left && right)
        return kernels::SizeCondition{*std::move(left), *std::move(right),
                                      kind};
    }
  return errorAt({},
                 absl::StrCat("`", text.str(),
                              "` is not a condition of two sizes, such as `C "
                              "<= B`"));
}

absl::StatusOr<std::vector<PythonKernel>> readPython(
    StringRef text, const PythonOptions &options) {
  if (!hasStack(kStackOfReader))
    return onDeepStack([&] { return readPython(text, options); });
  if (text.size() > kMostText)
    return errorAt({}, "limit: a file of more than 1048576 characters");
  ModuleText module;
  readModule(text, module);
  return kernelsOf(module, options);
}

absl::StatusOr<std::vector<PythonKernel>> kernelsOf(
    const ModuleText &module, const PythonOptions &options) {
  INDEXICAL_ASSIGN_OR_RETURN(const auto constants,
                             readConstants(options, module));
  for (const Token &token : module.tokens)
    if (token.message == kNotNormal)
      return withOwnKind(
          errorAt(token.place, absl::StrCat("syntax: ", kNotNormal)));
  std::set<StringRef> called;
  for (const JitFunction &function : module.functions)
    if (function.text.body && !function.refusal) {
      std::set<StringRef> named;
      addNamed(module, *function.text.body, named);
      named.erase(function.text.name);
      called.insert(named.begin(), named.end());
    }
  std::vector<const JitFunction *> kernels;
  std::vector<StringRef> names;
  const StringRef wanted = StringRef(options.function).ltrim('@');
  for (const JitFunction &function : module.functions) {
    names.push_back(function.text.name);
    // A function that others call is a kernel if the file launches it, too.
    if (wanted.empty() ? !called.count(function.text.name) ||
                             LaunchReader(module, function).line()
                       : function.text.name == wanted)
      kernels.push_back(&function);
  }
  if (kernels.empty() && !wanted.empty() && !names.empty())
    return errorAt({}, absl::StrCat("there is no kernel `", wanted.str(), "`"),
                   nearest(wanted, names));
  if (kernels.empty() && module.foreign.empty())
    return errorAt({},
                   "the file holds no kernel: no function under `triton.jit`");
  INDEXICAL_RETURN_IF_ERROR(checkNames(options, kernels));
  std::vector<PythonKernel> made;
  for (const JitFunction *function : kernels)
    for (PythonKernel &kernel :
         KernelMaker(module, options, constants, *function).run())
      made.push_back(std::move(kernel));
  for (auto [name, refusal] : llvm::zip(module.foreignNames, module.foreign)) {
    if (!wanted.empty() && wanted != name) continue;
    PythonKernel kernel;
    kernel.name = name;
    kernel.place = refusal.place;
    kernel.refusal = refusal;
    made.push_back(std::move(kernel));
  }
  return made;
}

}  // namespace indexical::python
