#include "indexical/import/hlo/attributes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/import/hlo/lexer.h"

namespace indexical {
namespace {

bool expectEnd(Lexer &lexer) {
  return lexer.atEnd() || lexer.failExpected("the end of this attribute");
}

/// Calls `item` for each item of a list `{…, …}`, which may be empty.
template <typename Item>
bool parseBraced(Lexer &lexer, Item item) {
  if (!lexer.expect('{')) return false;
  if (lexer.consume('}')) return true;
  do {
    if (!item()) return false;
  } while (lexer.consume(','));
  return lexer.expect('}');
}

/// `1x2x3`: the items between the letters x.
template <typename Item>
bool parseByX(Lexer &lexer, Item item) {
  do {
    if (!item()) return false;
  } while (lexer.consumeHere('x'));
  return true;
}

// `1_2` or `1_2_3`.
bool parsePads(Lexer &lexer, int64_t &low, int64_t &high, int64_t *interior) {
  if (!lexer.takeInteger(low)) return false;
  if (!lexer.consumeHere('_')) return lexer.failExpected("`_`, as in `0_0`");
  if (!lexer.takeInteger(high)) return false;
  if (interior && lexer.consumeHere('_')) return lexer.takeInteger(*interior);
  return true;
}

class WindowParser {
 public:
  WindowParser(Source &source, llvm::StringRef text,
               llvm::SmallVectorImpl<WindowDimension> &window)
      : lexer_(source, text), window_(window) {}

  bool parse();

 private:
  bool parseField();
  bool parseNumbers(int64_t WindowDimension::*field);
  bool parsePadding();
  bool parseReversal();
  WindowDimension &dimension(size_t index);

  Lexer lexer_;
  llvm::SmallVectorImpl<WindowDimension> &window_;
  size_t count_ = 0;  // dimensions of the current field
  llvm::SmallVector<llvm::StringRef, 6> keys_;
};

bool WindowParser::parse() {
  if (!lexer_.expect('{')) return false;
  std::optional<size_t> rank;
  while (!lexer_.consume('}')) {
    count_ = 0;
    lexer_.skipSpace();
    const char *where = lexer_.position();
    if (!parseField()) return false;
    if (rank && count_ != *rank)
      return lexer_.source().fail(
          where, "this part of the window has " + llvm::Twine(count_) +
                     " dimensions, the part before it " + llvm::Twine(*rank));
    rank = count_;
    lexer_.consume(',');
  }
  return expectEnd(lexer_);
}

bool WindowParser::parseField() {
  const char *where = lexer_.position();
  llvm::StringRef key = lexer_.takeWord();
  if (key.empty()) return lexer_.failExpected("a part of the window");
  if (!lexer_.expect('=')) return false;
  if (llvm::is_contained(keys_, key))
    return lexer_.source().fail(
        where, "a window has one part `" + key + "`, here are two");
  keys_.push_back(key);
  if (key == "size") return parseNumbers(&WindowDimension::size);
  if (key == "stride") return parseNumbers(&WindowDimension::stride);
  if (key == "lhs_dilate") return parseNumbers(&WindowDimension::baseDilation);
  if (key == "rhs_dilate")
    return parseNumbers(&WindowDimension::windowDilation);
  if (key == "pad") return parsePadding();
  if (key == "rhs_reversal") return parseReversal();
  constexpr llvm::StringRef kKeys[] = {
      "size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"};
  return lexer_.source().fail(where, "a window has no part `" + key + "`",
                              nearest(key, kKeys));
}

WindowDimension &WindowParser::dimension(size_t index) {
  if (index >= window_.size()) window_.resize(index + 1);
  return window_[index];
}

bool WindowParser::parseNumbers(int64_t WindowDimension::*field) {
  return parseByX(
      lexer_, [&] { return lexer_.takeInteger(dimension(count_++).*field); });
}

bool WindowParser::parsePadding() {
  return parseByX(lexer_, [&] {
    WindowDimension &d = dimension(count_++);
    return parsePads(lexer_, d.padLow, d.padHigh, nullptr);
  });
}

bool WindowParser::parseReversal() {
  return parseByX(lexer_, [&] {
    int64_t flag;
    if (!lexer_.takeInteger(flag)) return false;
    dimension(count_++).reversed = flag != 0;
    return true;
  });
}

}  // namespace

const AttributeSyntax *Attributes::find(llvm::StringRef key) const {
  for (const AttributeSyntax &attribute : attributes_)
    if (attribute.key == key) return &attribute;
  return nullptr;
}

llvm::StringRef Attributes::raw(llvm::StringRef key) const {
  const AttributeSyntax *attribute = find(key);
  return attribute ? attribute->value : llvm::StringRef();
}

llvm::StringRef Attributes::replicaGroups() const {
  const llvm::StringRef groups = raw("replica_groups");
  const llvm::StringRef devices = raw("device_ids");
  if (!groups.starts_with("mesh") || devices.begin() < groups.end())
    return groups;
  return {groups.begin(), static_cast<size_t>(devices.end() - groups.begin())};
}

Place Attributes::opcodePlace() const {
  const Place place = source_.placeOf(instruction_.opcode.data());
  return place.known() ? place : instruction_.place;
}

bool Attributes::failMissing(llvm::StringRef key,
                             llvm::StringRef example) const {
  return source_.fail(opcodePlace(),
                      "`" + instruction_.opcode + "` needs the attribute `" +
                          key + "`, as in `" + key + "=" + example + "`",
                      suggestionFor(key));
}

llvm::StringRef Attributes::suggestionFor(llvm::StringRef key) const {
  for (const AttributeSyntax &attribute : attributes_)
    if (!nearest(attribute.key, key).empty()) return key;
  return "";
}

bool Attributes::integers(llvm::StringRef key, Int64s &values) const {
  const AttributeSyntax *attribute = find(key);
  if (!attribute) return true;
  Lexer lexer(source_, attribute->value);
  auto item = [&] { return lexer.takeInteger(values.emplace_back()); };
  bool ok = lexer.peek() == '{' ? parseBraced(lexer, item) : item();
  return ok && expectEnd(lexer);
}

bool Attributes::requiredIntegers(llvm::StringRef key, Int64s &values) const {
  return has(key) ? integers(key, values) : failMissing(key, "{0,1}");
}

bool Attributes::requiredInteger(llvm::StringRef key, int64_t &value) const {
  if (!has(key)) return failMissing(key, "0");
  Int64s values;
  if (!integers(key, values)) return false;
  if (values.size() != 1)
    return source_.fail(raw(key), "`" + key + "` of `" + instruction_.opcode +
                                      "` must be one number");
  value = values[0];
  return true;
}

bool Attributes::flag(llvm::StringRef key, bool &value) const {
  if (!has(key)) return true;
  llvm::StringRef text = raw(key);
  if (text != "true" && text != "false")
    return source_.fail(text, "`" + key + "` of `" + instruction_.opcode +
                                  "` is true or false, not `" + text + "`");
  value = text == "true";
  return true;
}

bool Attributes::slices(Int64s &starts, Int64s &limits, Int64s &strides) const {
  if (!has("slice")) return failMissing("slice", "{[0:8], [2:6:2]}");
  Lexer lexer(source_, raw("slice"));
  auto item = [&] {
    int64_t stride = 1;
    if (!lexer.expect('[') || !lexer.takeInteger(starts.emplace_back()) ||
        !lexer.expect(':') || !lexer.takeInteger(limits.emplace_back()))
      return false;
    if (lexer.consume(':') && !lexer.takeInteger(stride)) return false;
    strides.push_back(stride);
    return lexer.expect(']');
  };
  return parseBraced(lexer, item) && expectEnd(lexer);
}

bool Attributes::padding(Int64s &low, Int64s &high, Int64s &interior) const {
  if (!has("padding")) return failMissing("padding", "0_0x1_1_2");
  Lexer lexer(source_, raw("padding"));
  if (lexer.atEnd()) return true;
  auto item = [&] {
    interior.push_back(0);
    return parsePads(lexer, low.emplace_back(), high.emplace_back(),
                     &interior.back());
  };
  return parseByX(lexer, item) && expectEnd(lexer);
}

bool Attributes::window(llvm::SmallVectorImpl<WindowDimension> &window) const {
  return WindowParser(source_, raw("window"), window).parse();
}

bool parseNames(Source &source, llvm::StringRef text,
                llvm::SmallVectorImpl<llvm::StringRef> &names) {
  Lexer lexer(source, text);
  auto item = [&] {
    names.push_back(lexer.takeName());
    return !names.back().empty() ||
           lexer.failExpected("the name of a computation");
  };
  bool ok = lexer.peek() == '{' ? parseBraced(lexer, item) : item();
  return ok && expectEnd(lexer);
}

// Errors in metadata are ignored: fields of another form are left out.
void forEachField(
    llvm::StringRef text,
    llvm::function_ref<void(llvm::StringRef key, llvm::StringRef value)> call) {
  Source scratch(text);
  Lexer lexer(scratch, text);
  if (!lexer.consume('{')) return;
  while (true) {
    llvm::StringRef key = lexer.takeWord();
    if (key.empty() || !lexer.consume('=')) return;
    llvm::StringRef value;
    if (lexer.peek() == '"') {
      if (!lexer.takeString(value)) return;
    } else if (!lexer.takeValue(value)) {
      return;
    }
    call(key, value);
    lexer.consume(',');
  }
}

MetadataSyntax parseMetadata(llvm::StringRef text) {
  MetadataSyntax metadata;
  forEachField(text, [&](llvm::StringRef key, llvm::StringRef value) {
    if (key == "op_name") metadata.opName = value;
    if (key == "source_file") metadata.sourceFile = value;
    if (key == "source_line" && value.getAsInteger(10, metadata.sourceLine))
      metadata.sourceLine = 0;
    if (key == "stack_frame_id") {
      metadata.stackFrame = value;
      metadata.stackFrameField =
          llvm::StringRef(key.begin(), value.end() - key.begin());
    }
  });
  return metadata;
}

std::optional<int64_t> parseTripCount(llvm::StringRef backendConfig) {
  size_t found = backendConfig.find("known_trip_count");
  if (found == llvm::StringRef::npos) return std::nullopt;
  llvm::StringRef rest = backendConfig.drop_front(found);
  // The value's braces hold one field, `n`.
  size_t open = rest.find('{');
  if (open == llvm::StringRef::npos) return std::nullopt;
  rest = rest.drop_front(open + 1).ltrim(" \t\r\n\\\"");
  if (!rest.consume_front("n")) return std::nullopt;
  rest = rest.ltrim(" \t\r\n\\\":");
  int64_t count;
  if (rest.consumeInteger(10, count) || count < 0) return std::nullopt;
  return count;
}

}  // namespace indexical
