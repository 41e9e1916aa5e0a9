#include "indexical/writers/error_document.h"

#include "indexical/writers/format.h"
#include "indexical/writers/json_sink.h"

namespace indexical {

using llvm::StringRef;

StringRef codeOf(const absl::Status &status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return "";
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kDataLoss:
      return "invalid_input";
    case absl::StatusCode::kNotFound:
      return "not_found";
    case absl::StatusCode::kUnimplemented:
      return "not_supported";
    case absl::StatusCode::kDeadlineExceeded:
      return "deadline";
    case absl::StatusCode::kCancelled:
      return "cancelled";
    case absl::StatusCode::kResourceExhausted:
      return "limit";
    default:
      return "failed";
  }
}

ErrorOfCall errorOf(const absl::Status &status, StringRef path) {
  ErrorOfCall error;
  error.code = codeOf(status).str();
  error.path = path.str();
  error.place = placeOf(status).value_or(Place());
  error.message = std::string(status.message());
  error.suggestion = suggestionOf(status);
  return error;
}

void writeErrorDocument(llvm::raw_ostream &os, std::optional<StringRef> file,
                        const ErrorOfCall &error, StringRef inputKey) {
  {
    JsonTextSink json(os);
    json.beginObject();
    writeSchema(json, file, inputKey);
    json.key("error");
    json.beginObject();
    KeyValue(json, "code").text(error.code);
    if (!error.path.empty()) KeyValue(json, "path").text(error.path);
    if (error.place.known()) {
      KeyValue(json, "line").integer(error.place.line);
      KeyValue(json, "column").integer(error.place.column);
    }
    KeyValue(json, "message").text(error.message);
    if (!error.suggestion.empty())
      KeyValue(json, "suggestion").text(error.suggestion);
    json.endObject();
    json.endObject();
  }
  os << '\n';
}

}  // namespace indexical
