#include "indexical/import/python/host.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/python/launch.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::python {

using llvm::StringRef;
using Kind = HostValue::Kind;

namespace {

/// docs/internals/limits.md
constexpr size_t kMostOutput = size_t{16} << 20;
constexpr size_t kMostStatements = 200'000;
constexpr int kMostFollowed = 24;

bool isLineStart(llvm::ArrayRef<Token> tokens, size_t k) {
  if (k == 0) return true;
  const Token &before = tokens[k - 1];
  return before.kind == TokenKind::NewLine ||
         before.kind == TokenKind::Indent || before.kind == TokenKind::Dedent ||
         before.is(";");
}

}  // namespace

Host::Host(const ModuleText &file, const PythonOptions &options,
           std::vector<NodeComment> comments, OutputCode &into)
    : file_(file),
      options_(options),
      comments_(std::move(comments)),
      into_(into) {}

bool Host::run() {
  findDefinitions();
  const auto call = functions_.find("call");
  if (call == functions_.end()) return false;
  readBenchmark();
  for (const auto &[name, value] : options_.arguments)
    symbols_[name] = Value::whole(value);
  HostValue given;
  given.kind = Kind::Given;
  const HostValue returned = follow(call->second, given);
  std::vector<HostTensor> results;
  addTensors(returned, results);
  for (const HostTensor &tensor : results)
    into_.memories[tensor.memory].isResult = true;
  for (HostStep &step : into_.steps) {
    for (auto &array : step.arrays) array.second = resolved(array.second);
    for (HostTensor &tensor : step.operands) tensor = resolved(tensor);
    for (HostTensor &tensor : step.results) tensor = resolved(tensor);
  }
  return true;
}

//===-- Definitions -------------------------------------------------------===//

void Host::findDefinitions() {
  const auto &tokens = file_.tokens;
  for (size_t k = 0; k + 1 < tokens.size(); ++k) {
    if (tokens[k].kind != TokenKind::Name || !isLineStart(tokens, k)) continue;
    Parser parser(tokens, store_);
    parser.goTo(k);
    if (tokens[k].is("def") && tokens[k + 1].kind == TokenKind::Name) {
      parser.skipStatement();
      // A method is the outermost function of its name, too.
      functions_.try_emplace(tokens[k + 1].text, Function{k, parser.at()});
    } else if (tokens[k + 1].is("=") && k + 2 < tokens.size() &&
               tokens[k + 2].is("async_compile")) {
      parser.goTo(k + 2);
      const Node *value = parser.expression();
      if (value && !parser.refusal && value->kind == NodeKind::Call)
        defineKernel(tokens[k].text, *value);
    }
  }
}

/// `async_compile.triton('name', '''text''', device_str='cuda')`
void Host::defineKernel(StringRef name, const Node &call) {
  const StringRef language = lastNameOf(&call);
  if (language == "multi_kernel") {
    if (call.parts.size() > 2 && call.parts[2]->kind == NodeKind::List &&
        !call.parts[2]->parts.empty())
      otherNames_[name] = call.parts[2]->parts[0]->text.str();
    return;
  }
  KernelText made;
  made.language = language.str();
  made.place = call.place;
  std::vector<const Node *> texts;
  for (const Node *part : llvm::drop_begin(call.parts))
    if (part->kind == NodeKind::String) texts.push_back(part);
  if (texts.empty()) return;
  made.function = texts.size() > 1 ? texts[0]->text.str() : "";
  made.text = texts[texts.size() > 1 ? 1 : 0]->text.str();
  made.firstLine = texts[texts.size() > 1 ? 1 : 0]->place.line;
  kernels_[name] = std::move(made);
}

/// Reads what the file's benchmark makes the inputs of.
void Host::readBenchmark() {
  for (StringRef name : {"get_args", "benchmark_compiled_module"}) {
    const auto found = functions_.find(name);
    if (found == functions_.end()) continue;
    HostValue ignored;
    names_.clear();
    const size_t memories = into_.memories.size();
    statements(found->second.begin + 1, found->second.end, ignored);
    // What it makes is an input only where `call` is given it.
    for (auto &[input, value] : names_) {
      value.tensor.memory = SIZE_MAX;
      inputs_.try_emplace(input, value);
    }
    into_.memories.resize(memories);
  }
  into_.steps.clear();
  names_.clear();
  symbols_.clear();
  outcomes_.clear();
}

//===-- Statements --------------------------------------------------------===//

HostValue Host::follow(const Function &function, HostValue args) {
  HostValue returned;
  // Inductor's functions do not call themselves. Text that does would be
  // followed as often as there are ways.
  if (depth_ >= kMostFollowed || !followed_.insert(function.begin).second)
    return returned;
  ++depth_;
  Names outer = std::move(names_);
  names_.clear();
  const auto &tokens = file_.tokens;
  // The last parameter of `def name(self, args):`
  size_t k = function.begin + 2;
  StringRef last;
  for (; k < function.end && !tokens[k].is(")"); ++k)
    if (tokens[k].kind == TokenKind::Name) last = tokens[k].text;
  names_[last] = std::move(args);
  while (k < function.end && tokens[k].kind != TokenKind::NewLine) ++k;
  statements(k, function.end, returned);
  names_ = std::move(outer);
  followed_.erase(function.begin);
  --depth_;
  return returned;
}

void Host::statements(size_t begin, size_t end, HostValue &returned) {
  static constexpr StringRef kHeads[] = {
      "with", "if", "for", "while", "try", "else", "elif", "except", "finally"};
  static constexpr StringRef kSkipped[] = {
      "del",   "pass",   "import", "from",  "global",   "nonlocal",
      "raise", "assert", "break",  "yield", "continue", "async"};
  const auto &tokens = file_.tokens;
  Parser parser(tokens, store_);
  size_t k = begin;
  auto skipTo = [&](auto isEnd) {
    while (k < end && !isEnd(tokens[k])) ++k;
  };
  while (k < end) {
    if (tokens[k].kind == TokenKind::NewLine ||
        tokens[k].kind == TokenKind::Indent ||
        tokens[k].kind == TokenKind::Dedent || tokens[k].is(";")) {
      ++k;
      continue;
    }
    if (++statements_ > kMostStatements) return;
    auto endsStatement = [](const Token &token) {
      return token.kind == TokenKind::NewLine || token.is(";");
    };
    if (llvm::is_contained(kHeads, tokens[k].text)) {
      // Its block is read as lines of the function.
      into_.branches +=
          depth_ > 0 &&
          (tokens[k].is("if") || tokens[k].is("while") || tokens[k].is("for"));
      skipTo(
          [](const Token &token) { return token.kind == TokenKind::NewLine; });
    } else if (tokens[k].is("def") || tokens[k].is("class") ||
               tokens[k].is("@")) {
      parser.goTo(k);
      parser.skipStatement();
      if (tokens[k].is("def") && k + 1 < end)
        inner_[tokens[k + 1].text] = {k, parser.at()};
      k = std::max(k + 1, parser.at());
    } else if (llvm::is_contained(kSkipped, tokens[k].text)) {
      skipTo(endsStatement);
    } else {
      parser.goTo(k);
      parser.refusal.reset();
      assignment(parser, returned);
      k = std::max(k + 1, parser.refusal ? k : parser.at());
      skipTo(endsStatement);
    }
  }
}

/// Reads `a = b = value`, `return value` or a value alone.
void Host::assignment(Parser &parser, HostValue &returned) {
  const bool isReturn = parser.token().is("return");
  if (isReturn) {
    parser.skip();
    const Node *value = parser.expressionList();
    if (value && !parser.refusal) returned = evaluate(*value);
    return;
  }
  std::vector<const Node *> parts;
  do {
    if (!parts.empty()) parser.skip();
    const Node *part = parser.expressionList();
    if (!part || parser.refusal) return;
    parts.push_back(part);
  } while (parser.token().is("="));
  const HostValue value = evaluate(*parts.back());
  parts.pop_back();
  for (const Node *target : parts) bind(*target, value);
}

void Host::bind(const Node &target, HostValue value) {
  if (target.kind == NodeKind::Tuple || target.kind == NodeKind::List) {
    for (const auto &[k, part] : llvm::enumerate(target.parts)) {
      HostValue item;
      if (value.is(Kind::Given) && part->kind == NodeKind::Name)
        item = input(part->text);
      else if (value.is(Kind::List) && k < value.items.size())
        item = value.items[k];
      else if (value.is(Kind::Outcome))
        item = outcomePart(value.step, static_cast<int64_t>(k));
      bind(*part, std::move(item));
    }
    return;
  }
  if (target.kind != NodeKind::Name) return;
  const std::string name = target.text.str();
  const bool isSaid = llvm::any_of(
      options_.arguments, [&](const auto &each) { return each.first == name; });
  if (isSaid) into_.names.insert(name);
  if (value.is(Kind::Constant)) {
    // What the call says of a symbol stays.
    if (isSaid)
      value.constant = symbols_[name];
    else
      symbols_[name] = value.constant;
  } else if (!isSaid) {
    symbols_.erase(name);
  }
  if (value.is(Kind::Tensor)) {
    std::string &own = into_.memories[value.tensor.memory].name;
    if (own.empty()) own = name;
  }
  names_[target.text] = std::move(value);
}

/// Returns what `call` is given under that name.
HostValue Host::input(StringRef name) {
  HostValue value;
  const auto found = inputs_.find(name);
  if (found != inputs_.end()) value = found->second;
  if (value.is(Kind::Constant)) {
    const auto said = symbols_.find(name.str());
    if (said != symbols_.end()) {
      into_.names.insert(name.str());
      return HostValue::of(said->second);
    }
    into_.taken.push_back(
        {"argument", name.str(), wordsOf(value.constant), "file"});
    return value;
  }
  HostTensor first;
  if (value.is(Kind::Tensor)) first = value.tensor;
  first.memory = addMemory(first);
  into_.memories.back().first.memory = first.memory;
  into_.memories.back().isInput = true;
  return HostValue::of(first);
}

//===-- The reader --------------------------------------------------------===//

int64_t HostTensor::extent() const {
  int64_t last = 0;
  for (auto [size, stride] : llvm::zip(sizes, strides)) {
    if (size == 0) return 0;
    last += (size - 1) * stride;
  }
  return last + 1;
}

bool looksLikeOutputCode(StringRef text) {
  return text.contains("async_compile") && text.contains("def call(");
}

absl::StatusOr<std::vector<OutputCode>> readOutputCode(
    StringRef text, const PythonOptions &options) {
  if (!hasStack(kStackOfReader))
    return onDeepStack([&] { return readOutputCode(text, options); });
  if (text.size() > kMostOutput)
    return errorAt({}, "limit: a file of more than 16777216 characters");
  std::vector<OutputCode> found;
  for (const std::string &code : outputCodesOf(text)) {
    ModuleText file;
    readModule(code, file);
    OutputCode made;
    if (Host(file, options, nodeCommentsOf(code), made).run())
      found.push_back(std::move(made));
  }
  if (found.empty())
    return errorAt({},
                   "the file has no function `call`, as Inductor writes it");
  return found;
}

}  // namespace indexical::python
