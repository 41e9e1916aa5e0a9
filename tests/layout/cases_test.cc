// Facts of layouts, one a line: an operation, the words of a call with its
// options, and what is expected.
//
//   {"operation": "read", "words": ["(4,8):(8,1)"],
//    "expected": {"inputs": [["d0", 4], ["d1", 8]], "points": 32, …}}
//
// cases.jsonl is the project's own. The file layout_cases.jsonl beside the
// corpus has over a thousand facts of CuTe's, Triton's and XLA's tests.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include "indexical/layout/access.h"
#include "indexical/layout/encoding.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"
#include "tests/support/corpus_files.h"

namespace indexical::layouts {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

std::string textOfValue(const Value &value) {
  return llvm::formatv("{0}", value).str();
}

/// The case that is looked at, with what is wrong in it.
class Case {
 public:
  explicit Case(const Object &of)
      : of_(of), expected_(*of.getObject("expected")) {
    for (const Value &word : *of.getArray("words"))
      words_.push_back(word.getAsString()->str());
    if (const Array *options = of.getArray("options"))
      for (const Value &option : *options)
        options_.push_back(option.getAsString()->str());
  }

  std::vector<std::string> problems() {
    run();
    return std::move(problems_);
  }

 private:
  void wrong(const std::string &what) { problems_.push_back(what); }

  void expect(llvm::StringRef key, const Value &found) {
    const Value *wanted = expected_.get(key);
    if (!wanted || *wanted == found) return;
    wrong(absl::StrCat(key.str(), " is ", textOfValue(found), ", and not ",
                       textOfValue(*wanted)));
  }

  std::string option(llvm::StringRef name) const {
    for (llvm::StringRef each : options_)
      if (each.consume_front("--") && each.consume_front(name) &&
          each.consume_front("="))
        return each.str();
    return "";
  }

  void run() {
    const auto operation = *of_.getString("operation");
    std::vector<Layout> layouts;
    for (const std::string &word : words_) {
      auto layout = parseLayout(word);
      if (operation == "refused" || operation == "none") {
        if (layout.ok()) wrong("it is read");
        return;
      }
      if (!layout.ok()) {
        wrong(std::string(layout.status().message()));
        return;
      }
      layouts.push_back(*std::move(layout));
    }
    if (layouts.size() == 2 || operation == "shared" || operation == "global")
      compare(layouts, operation);
    else
      describe(layouts[0], operation);
  }

  void describe(const Layout &layout, llvm::StringRef operation) {
    Array inputs, names, outputs;
    for (const Space &space : layout.inputs()) {
      inputs.push_back(Array{space.name, space.size});
      names.push_back(space.name);
    }
    expect("inputs", operation == "element" ? Value(std::move(names))
                                            : Value(std::move(inputs)));
    for (const Space &space : layout.outputs())
      outputs.push_back(Array{space.name, space.size});
    expect("outputs", std::move(outputs));
    if (expected_.get("form")) expectForm(layout);
    if (expected_.get("values")) {
      Array values;
      layout.visit([&](auto, llvm::ArrayRef<int64_t> value) {
        values.push_back(Array(value));
        return true;
      });
      expect("values", std::move(values));
    }
    const Facts facts = factsOf(layout);
    const auto number = [](const auto &value) {
      return value ? Value(*value) : Value(nullptr);
    };
    expect("points", number(facts.points));
    expect("image", number(facts.image));
    expect("one_to_one", number(facts.oneToOne));
    expect("onto", number(facts.onto));
    expect("copies", number(facts.copies));
    expect("beyond", number(layout.notes().beyond));
    expect("fills", number(layout.notes().fills));
    // A division by mode may have modes where the case names none.
    if (!operation.ends_with("_divide") || operation == "logical_divide")
      expectCute(layout);
    if (operation == "at") expectValue(layout);
    if (operation == "element") expectHolders(layout);
  }

  void expectForm(const Layout &layout) {
    if (!layout.form()) {
      wrong(absl::StrCat("there is no form: ", layout.reason()));
      return;
    }
    Array form;
    for (const Sum &sum : *layout.form()) {
      Array digits, parities;
      for (const Digit &d : sum.digits)
        digits.push_back(
            Array{layout.inputs()[d.input].name, d.step, d.size, d.weight});
      for (const Parity &parity : sum.parities) {
        Array bits;
        for (const auto &[input, bit] : parity.bits)
          bits.push_back(Array{layout.inputs()[input].name, bit});
        parities.push_back(Array{parity.weight, std::move(bits)});
      }
      form.push_back(Object{{"constant", sum.constant},
                            {"digits", std::move(digits)},
                            {"parities", std::move(parities)}});
    }
    expect("form", std::move(form));
  }

  void expectCute(const Layout &layout) {
    const auto text = print(layout, Notation::Cute);
    expect("cute", text ? Value(*text) : Value(nullptr));
    if (!text) return;
    const auto again = parseLayout(*text);
    if (!again.ok() ||
        equal(withoutLast(layout, again->outputs().size()), *again).answer !=
            Answer::Yes)
      wrong(absl::StrCat("cute is read as another layout: ", *text));
  }

  /// Returns the layout without the outputs from `count` on that are always 0:
  /// strides do not name such axes.
  static Layout withoutLast(const Layout &layout, size_t count) {
    if (!layout.form() || layout.form()->size() <= count) return layout;
    for (const Sum &sum : llvm::ArrayRef(*layout.form()).drop_front(count))
      if (sum != Sum()) return layout;
    return *Layout::of(layout.inputs(), layout.outputs().take_front(count),
                       llvm::ArrayRef(*layout.form()).take_front(count));
  }

  static Coordinates numbers(llvm::StringRef text) {
    Coordinates all;
    for (llvm::StringRef each : llvm::split(text, ','))
      (void)each.getAsInteger(10, all.emplace_back());
    return all;
  }

  void expectValue(const Layout &layout) {
    Coordinates point(layout.inputs().size(), 0);
    const std::string at = option("at");
    for (llvm::StringRef each : llvm::split(at, ','))
      for (size_t k = 0; k < point.size(); ++k)
        if (each.split('=').first == layout.inputs()[k].name)
          (void)each.split('=').second.getAsInteger(10, point[k]);
    expect("value", Array(layout.at(point)));
  }

  void expectHolders(const Layout &layout) {
    const auto holders = layout.holders(numbers(option("element")));
    if (!holders.ok()) return wrong(std::string(holders.status().message()));
    Array all;
    for (const Coordinates &each : *holders) all.push_back(Array(each));
    expect("holders", std::move(all));
  }

  void compare(const std::vector<Layout> &layouts, llvm::StringRef operation) {
    if (operation == "equal") {
      const Equality found = equal(layouts[0], layouts[1]);
      expect("equal", found.answer == Answer::Yes  ? "equal"
                      : found.answer == Answer::No ? "different"
                                                   : "undecided");
      int64_t differs = 0;
      layouts[0].visit([&](llvm::ArrayRef<int64_t> point, auto) {
        if (layouts[0].box() == layouts[1].box())
          differs += layouts[0].at(point) != layouts[1].at(point);
        return true;
      });
      if (layouts[0].box() == layouts[1].box()) expect("differs", differs);
      return;
    }
    if (operation == "convert") {
      const auto found = conversion(layouts[0], layouts[1]);
      if (!found.ok()) return wrong(std::string(found.status().message()));
      expect("level", levelName(found->level));
      expect("moved", found->moved);
      expect("least", found->least);
      return;
    }
    auto places =
        layouts.size() == 2 ? placesOf(layouts[0], layouts[1]) : layouts[0];
    if (!places.ok()) return wrong(std::string(places.status().message()));
    const std::string type =
        layouts.size() == 2 ? layouts[0].notes().elementType : option("type");
    const auto found =
        accessOf(*places, *bitsOfType(type),
                 operation == "shared" ? Memory::Shared : Memory::Global,
                 option("registers") == "in-order" ? RegisterOrder::InOrder
                                                   : RegisterOrder::Any);
    if (!found.ok()) return wrong(std::string(found.status().message()));
    expect("vector", found->vector);
    expect("accesses", found->accesses);
    expect("conflicts", found->conflicts);
    expect("wavefronts", found->wavefronts);
    expect("wavefronts_fewest", found->wavefrontsFewest);
    expect("sectors", found->sectors);
    expect("sectors_fewest", found->sectorsFewest);
    expect("lines", found->lines);
  }

  const Object &of_;
  const Object &expected_;
  std::vector<std::string> words_, options_, problems_;
};

void expectCases(const std::string &text, size_t least) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  EXPECT_GE(lines.size(), least);
  for (llvm::StringRef line : lines) {
    auto value = llvm::json::parse(line);
    ASSERT_TRUE(static_cast<bool>(value)) << line.str();
    for (const std::string &problem : Case(*value->getAsObject()).problems())
      ADD_FAILURE() << line.substr(0, 400).str() << "\n  " << problem;
  }
}

TEST(Cases, Own) {
  expectCases(testing::textOfFile("tests/layout/cases.jsonl"), 60);
}

TEST(Cases, BesideTheCorpus) {
  const std::string corpus = testing::corpusPath();
  if (corpus.empty()) GTEST_SKIP() << testing::kNoCorpus;
  const std::string text =
      testing::textOfFile(corpus + "/../layout_cases.jsonl");
  if (text.empty()) GTEST_SKIP() << "there is no layout_cases.jsonl";
  expectCases(text, 1199);
}

}  // namespace
}  // namespace indexical::layouts
