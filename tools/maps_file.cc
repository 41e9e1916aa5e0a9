#include "indexical/tools/maps_file.h"

#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/map_text.h"
#include "indexical/tools/json_map.h"
#include "indexical/tools/output.h"
#include "indexical/tools/report.h"

namespace indexical {
namespace {

namespace json = llvm::json;
using llvm::StringRef;

/// The line of map `number` of a maps file: every map has one arrow, or is
/// `KNOWN EMPTY`, and comments are lines.
Place placeOfMap(StringRef text, size_t number) {
  size_t seen = 0;
  uint32_t lineNumber = 0;
  for (StringRef line : llvm::split(text, '\n')) {
    ++lineNumber;
    StringRef content = line.ltrim();
    if (content.starts_with("# ") || content.starts_with("//")) continue;
    seen += content.count("->") + content.count("KNOWN EMPTY");
    if (seen > number)
      return {lineNumber, uint32_t(content.data() - line.data()) + 1};
  }
  return {};
}

void writeMaps(const Maps &maps, OutputFormat format, llvm::raw_ostream &os) {
  MapTextStyle style = format == OutputFormat::Attribute
                           ? MapTextStyle::Attribute
                           : MapTextStyle::Lines;
  for (size_t i = 0; i < maps.size(); ++i)
    os << (i == 0 ? "" : "// -----\n")
       << StringRef(printMap(maps[i], style)).rtrim('\n') << '\n';
}

/// `{"schema": "indexical/1", "maps": [MAP, …]}`, a map a line.
void writeJson(const Maps &maps, llvm::raw_ostream &os) {
  json::OStream json(os);
  json.object([&] {
    json.attribute("schema", kSchema);
    json.attributeArray("maps", [&] {
      for (const IndexingMap &map : maps)
        json.rawValue([&](llvm::raw_ostream &line) {
          line << '\n';
          json::OStream inner(line);
          MapWriter(inner).object(map);
        });
    });
  });
  os << '\n';
}

/// `{"schema": "indexical/1", "kind": "map", "index": 0, …MAP}` a line.
void writeJsonLines(const Maps &maps, llvm::raw_ostream &os) {
  for (auto [index, map] : llvm::enumerate(maps)) {
    {
      json::OStream json(os);
      json.object([&, index = index, &map = map] {
        json.attribute("schema", kSchema);
        json.attribute("kind", "map");
        json.attribute("index", index);
        MapWriter(json).members(map);
      });
    }
    os << '\n';
  }
}

absl::Status write(const Maps &maps, const StreamOptions &options,
                   llvm::raw_ostream &out) {
  Output output(options.output, out);
  if (absl::Status status = output.open(); !status.ok()) return status;
  switch (options.format) {
    case OutputFormat::Text:
    case OutputFormat::Attribute:
      writeMaps(maps, options.format, output.stream());
      break;
    case OutputFormat::Json:
      writeJson(maps, output.stream());
      break;
    case OutputFormat::JsonLines:
      writeJsonLines(maps, output.stream());
      break;
  }
  return output.close();
}

}  // namespace

absl::StatusOr<Maps> readMaps(const Input &input) {
  if (absl::Status status = checkIsReadable(input, /*isMlir=*/false);
      !status.ok())
    return status;
  absl::StatusOr<Maps> maps = parseMaps(input.text);
  if (maps.ok() && maps->empty())
    return errorAt({1, 1}, "there is no map in the input");
  return maps;
}

absl::Status aboutMap(const absl::Status &status, StringRef text, size_t number,
                      size_t count) {
  if (placeOf(status)) return status;
  std::string message = status.message().empty()
                            ? std::string("this map is wrong")
                            : std::string(status.message());
  if (count > 1) message = "map " + std::to_string(number + 1) + ": " + message;
  return errorAt(placeOfMap(text, number), message, suggestionOf(status));
}

int runOnMaps(const StreamOptions &options, const Input &input,
              llvm::raw_ostream &out, llvm::raw_ostream &err, MapsWork work) {
  Reporter reporter(err, input.displayName(), input.text);
  absl::StatusOr<Maps> maps = readMaps(input);
  if (maps.ok()) maps = work(*maps, input.text);
  absl::Status status = maps.ok() ? write(*maps, options, out) : maps.status();
  if (status.ok()) return kDone;
  reporter.error(status);
  return kWrongInput;
}

}  // namespace indexical
