// Pages without a script, opened from disk: chains of dumps, in which passes
// are a list, and those that differ are open, with both modules side by side;
// and kernels, whose sources have figures at their lines.
//
// Foldable parts are `<details>`, and the instructions of a witness are links
// to their lines. A policy in the page forbids every request.

#include <string>

#include "llvm/ADT/StringExtras.h"

#include "indexical/writers/format.h"
#include "indexical/writers/page_text.h"

namespace indexical {
namespace {

using llvm::StringRef;

constexpr char kHead[] = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>)";

constexpr char kStyle[] = R"(
.passes{list-style:none;padding:0;margin:8px 0}
.verdict{font-weight:600}
.sides{display:flex;gap:12px;flex-wrap:wrap}
.sides>div{flex:1 1 420px;min-width:0}
.lines{max-height:50vh;overflow:auto;border:1px solid var(--rule);border-radius:6px;margin:4px 0;padding:4px 0;font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:12px;white-space:pre}
.lines b{display:inline-block;width:5em;padding-right:1em;text-align:right;font-weight:400;color:var(--soft)}
.lines mark{background:var(--pick);color:var(--ink);outline:1px solid var(--edge)}
.lines span:target mark{outline:3px solid var(--used)}
a{color:var(--link)}
.kernel .lines{max-height:none}
.kernel .lines i{display:block;margin-left:6em;font-style:normal;font-weight:600}
.summary{white-space:pre-line}
)";

class SectionsPageWriter : public Writer {
 public:
  explicit SectionsPageWriter(const WriterOptions &options)
      : os_(options.os), areChains_(options.inputKey == "chain") {}

  void write(Result &result, std::optional<StringRef> input) override {
    begin();
    ++sections_;
    os_ << "<section>";
    if (input) {
      os_ << "<h2>";
      llvm::printHTMLEscaped(*input, os_);
      os_ << "</h2>\n";
    }
    result.section(os_, "c" + std::to_string(sections_));
    os_ << "</section>\n";
  }

  void failed(StringRef chain, const absl::Status &status) override {
    begin();
    os_ << "<section><h2>";
    llvm::printHTMLEscaped(chain, os_);
    os_ << "</h2>\n<p class=\"worse\">";
    llvm::printHTMLEscaped(std::string(status.message()), os_);
    os_ << "</p></section>\n";
  }

  /// Called after several inputs. A page of one has no end tags: HTML allows
  /// `body` and `html` without them.
  void finish(size_t inputs, size_t failed) override {
    begin();
    os_ << "<p class=\"soft\">" << inputs << noun(inputs)
        << (areChains_ ? " of dumps" : "");
    if (failed > 0)
      os_ << ", of " << failed
          << (areChains_ ? " of which a dump is wrong"
                         : " of which something is wrong");
    os_ << "</p>\n";
    end();
  }

  void endEarly() override {
    begin();
    os_ << "<p class=\"worse\">The call was ended before the last"
        << noun(/*count=*/1) << ".</p>\n";
    end();
  }

 private:
  void begin() {
    if (isBegun_) return;
    isBegun_ = true;
    const StringRef title = areChains_ ? "Passes" : "Kernels";
    os_ << kHead << title << "</title>\n<style>" << kPageStyle << kStyle
        << "</style>\n</head>\n<body>\n<h1>" << title << "</h1>\n";
  }
  StringRef noun(size_t count) const {
    if (areChains_) return count == 1 ? " chain" : " chains";
    return count == 1 ? " file" : " files";
  }
  void end() { os_ << "</body>\n</html>\n"; }

  llvm::raw_ostream &os_;
  const bool areChains_;  ///< of dumps; else kernels
  bool isBegun_ = false;
  size_t sections_ = 0;
};

}  // namespace

std::unique_ptr<Writer> makeSectionsPageWriter(const WriterOptions &options) {
  return std::make_unique<SectionsPageWriter>(options);
}

}  // namespace indexical
