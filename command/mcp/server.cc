#include "indexical/command/mcp/server.h"

#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/command/exit_status.h"
#include "indexical/command/mcp/lines.h"
#include "indexical/command/mcp/tools.h"
#include "indexical/command/run_words.h"
#include "indexical/command/schema.h"
#include "indexical/version.h"
#include "indexical/writers/error_document.h"

namespace indexical {
namespace {

using llvm::StringRef;
namespace json = llvm::json;

constexpr char kRevision[] = "2025-06-18";
constexpr size_t kMostNesting = 100;
constexpr size_t kMostWaiting = 64;
constexpr size_t kMostMessageBytes = 8000;
constexpr char kInstructions[] =
    "Questions about HLO, StableHLO, Triton and LLVM kernels. Begin with "
    "`report` on a module, a folder of dumps or a profile: the kernels "
    "ranked by the time that a change can save, with the change. `help` "
    "says what a word of an answer means. Paths are relative to the "
    "server's folder.";

/// The codes of JSON-RPC, and one of a server.
enum RpcError : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kNoMethod = -32601,
  kInvalidParams = -32602,
  kNotInitialized = -32002,
  kBusy = -32000,
};

std::string messageText(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// A JSON string with the text, whatever its bytes are.
std::string quoted(StringRef text) {
  return messageText(json::isUTF8(text) ? json::Value(text)
                                        : json::Value(json::fixUTF8(text)));
}

/// Keeps the first bytes, and ends the call that writes more of them.
class BoundedText : public llvm::raw_ostream {
 public:
  explicit BoundedText(size_t most)
      : raw_ostream(/*unbuffered=*/true), most_(most) {}

  void endsBy(Stop *stop) { stop_ = stop; }
  bool isFull() const { return size_ > most_; }
  const std::string &text() const { return text_; }

 private:
  void write_impl(const char *bytes, size_t count) override {
    size_ += count;
    if (!isFull())
      text_.append(bytes, count);
    else if (stop_)
      stop_->ask();
  }
  uint64_t current_pos() const override { return size_; }

  const size_t most_;
  size_t size_ = 0;
  std::string text_;
  Stop *stop_ = nullptr;
};

/// The documents of a text, each on one line: only what stands between words
/// breaks lines.
std::vector<std::string> documentsOf(StringRef text) {
  std::vector<std::string> documents;
  for (size_t at = text.find('{'); at != StringRef::npos;
       at = text.find('{', at)) {
    const size_t end = endOfJson(text, at);
    if (end == StringRef::npos) break;
    std::string document = text.slice(at, end).str();
    llvm::replace(document, '\n', ' ');
    documents.push_back(std::move(document));
    at = end;
  }
  return documents;
}

struct Work {
  std::string id;  ///< as JSON
  std::string tool;
  ToolCall call;
  bool isCancelled = false;
  Stop *stop = nullptr;  ///< of a call that works
};

class Server {
 public:
  Server(llvm::raw_ostream &out, const ServerLimits &limits)
      : out_(out), limits_(limits), worker_([this] { work(); }) {}

  ~Server() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      isEnded_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }

  void take(StringRef line);
  void tooLong() {
    error("null", kParseError,
          absl::StrCat("a message has more than ", LineReader::kMostBytes,
                       " bytes"));
  }

 private:
  void request(const std::string &id, StringRef method,
               const json::Object &params);
  void notification(StringRef method, const json::Object &params);
  void initialize(const std::string &id, const json::Object &params);
  void callTool(const std::string &id, const json::Object &params);
  void cancel(const json::Object &params);
  void work();
  void run(Work &work);
  void finish(const Work &work, int status, StringRef out, StringRef err);

  void send(const std::string &line) {
    const std::lock_guard<std::mutex> lock(writing_);
    out_ << line << '\n';
    out_.flush();
  }
  void result(const std::string &id, const std::string &value) {
    send(absl::StrCat("{\"jsonrpc\":\"2.0\",\"id\":", id, ",\"result\":", value,
                      "}"));
  }
  void error(const std::string &id, int code, StringRef message) {
    send(absl::StrCat("{\"jsonrpc\":\"2.0\",\"id\":", id,
                      ",\"error\":{\"code\":", code,
                      ",\"message\":", quoted(message), "}}"));
  }
  /// A result of a tool that is one document: of an error.
  void failed(const std::string &id, const ErrorOfCall &error, int status);

  llvm::raw_ostream &out_;
  const ServerLimits limits_;
  bool isInitialized_ = false;  ///< of the thread that reads
  std::mutex writing_;
  std::mutex mutex_;  ///< of what follows
  std::condition_variable changed_;
  std::list<Work> waiting_;  ///< the first one works if `isWorking_`
  bool isWorking_ = false, isEnded_ = false;
  std::thread worker_;
};

//===-- Messages ----------------------------------------------------------===//

void Server::take(StringRef line) {
  line = line.trim();
  if (line.empty()) return;
  if (nestsDeeper(line, kMostNesting))
    return error("null", kParseError,
                 absl::StrCat("the message nests deeper than ", kMostNesting));
  llvm::Expected<json::Value> value = json::parse(line);
  if (!value)
    return error("null", kParseError, llvm::toString(value.takeError()));
  const json::Object *message = value->getAsObject();
  if (!message)
    return error("null", kInvalidRequest,
                 value->getAsArray()
                     ? "revision 2025-06-18 has no batches of messages"
                     : "a message is an object");
  const json::Value *given = message->get("id");
  const bool isRequest = given != nullptr;
  std::string id = "null";
  if (isRequest) {
    if (!given->getAsString() && !given->getAsInteger())
      return error("null", kInvalidRequest, "`id` is a string or an integer");
    id = messageText(*given);
  }
  if (message->getString("jsonrpc") != StringRef("2.0"))
    return error(id, kInvalidRequest, "`jsonrpc` is \"2.0\"");
  const auto method = message->getString("method");
  if (!method) {
    // An answer to a request, of which this server has none.
    if (message->get("result") || message->get("error")) return;
    return error(id, kInvalidRequest, "`method` is a string");
  }
  static const json::Object none;
  const json::Value *params = message->get("params");
  const json::Object *object = params ? params->getAsObject() : &none;
  if (!object && isRequest)
    return error(id, kInvalidParams, "`params` is an object");
  if (!object) return;
  isRequest ? request(id, *method, *object) : notification(*method, *object);
}

void Server::notification(StringRef method, const json::Object &params) {
  if (method == "notifications/cancelled") cancel(params);
}

void Server::request(const std::string &id, StringRef method,
                     const json::Object &params) {
  if (method == "initialize") return initialize(id, params);
  if (method == "ping") return result(id, "{}");
  const bool isKnown = method == "tools/list" || method == "tools/call";
  if (!isKnown)
    return error(id, kNoMethod,
                 "there is no method `" + method.str() +
                     "`; there are initialize, ping, tools/list, tools/call");
  if (!isInitialized_)
    return error(id, kNotInitialized, "`initialize` comes first");
  if (method == "tools/call") return callTool(id, params);
  if (params.get("cursor"))
    return error(id, kInvalidParams, "the list of tools has one page");
  result(id, "{\"tools\":" + toolList() + "}");
}

void Server::initialize(const std::string &id, const json::Object &params) {
  if (!params.getString("protocolVersion"))
    return error(id, kInvalidParams, "`protocolVersion` is a string");
  isInitialized_ = true;
  result(id, absl::StrCat("{\"protocolVersion\":\"", kRevision,
                          "\",\"capabilities\":{\"tools\":{}},"
                          "\"serverInfo\":{\"name\":\"indexical\",\"title\":"
                          "\"Indexical\",\"version\":\"",
                          kVersion,
                          "\"},\"instructions\":", quoted(kInstructions), "}"));
}

void Server::callTool(const std::string &id, const json::Object &params) {
  const auto name = params.getString("name");
  if (!name) return error(id, kInvalidParams, "`name` is a string");
  const std::optional<Command> tool = toolNamed(*name);
  if (!tool)
    return error(id, kInvalidParams, "there is no tool `" + name->str() + "`");
  static const json::Object none;
  const json::Value *given = params.get("arguments");
  const json::Object *arguments = given ? given->getAsObject() : &none;
  if (!arguments) return error(id, kInvalidParams, "`arguments` is an object");
  absl::StatusOr<ToolCall> call = toolCall(*tool, *arguments);
  if (!call.ok()) {
    ErrorOfCall wrong = errorOf(call.status());
    wrong.code = absl::IsPermissionDenied(call.status()) ? "outside" : "usage";
    return failed(id, wrong, kWrongWords);
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (llvm::any_of(waiting_, [&](const Work &at) { return at.id == id; }))
      return error(id, kInvalidRequest, "a call of this `id` is not done yet");
    if (waiting_.size() >= kMostWaiting)
      return error(id, kBusy,
                   absl::StrCat(kMostWaiting, " calls are not done yet"));
    waiting_.push_back({id, name->str(), *std::move(call)});
  }
  changed_.notify_all();
}

void Server::cancel(const json::Object &params) {
  const json::Value *of = params.get("requestId");
  if (!of) return;
  const std::string id = messageText(*of);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto work =
      llvm::find_if(waiting_, [&](const Work &each) { return each.id == id; });
  if (work == waiting_.end()) return;
  work->isCancelled = true;
  if (work->stop) work->stop->ask();
  // One that works is removed when it ends.
  if (work != waiting_.begin() || !isWorking_) waiting_.erase(work);
}

//===-- Calls -------------------------------------------------------------===//

void Server::work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return isEnded_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    isWorking_ = true;
    Work &first = waiting_.front();
    lock.unlock();
    run(first);
    lock.lock();
    waiting_.pop_front();
    isWorking_ = false;
  }
}

void Server::run(Work &work) {
  BoundedText out(limits_.answerBytes);
  std::string messages;
  llvm::raw_string_ostream err(messages);
  std::vector<StringRef> words(work.call.words.begin(), work.call.words.end());
  std::vector<Input> given;
  if (work.call.text) given.push_back({"text", *std::move(work.call.text)});
  const int status = runWords(
      words, std::move(given), out, err,
      [&](CallSettings &settings) {
        if (!settings.seconds) settings.seconds = limits_.seconds;
        if (!settings.megabytes) settings.megabytes = limits_.megabytes;
        out.endsBy(&settings.stop);
        const std::lock_guard<std::mutex> lock(mutex_);
        work.stop = &settings.stop;
        if (work.isCancelled) settings.stop.ask();
      },
      [&] {
        out.endsBy(nullptr);
        const std::lock_guard<std::mutex> lock(mutex_);
        work.stop = nullptr;
      });
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (work.isCancelled) return;
  }
  if (!out.isFull()) return finish(work, status, out.text(), messages);
  std::string text =
      absl::StrCat("the answer has more than ", limits_.answerBytes, " bytes");
  const std::vector<std::string> less =
      narrowingArguments(*toolNamed(work.tool));
  if (!less.empty())
    text += "; these arguments ask for less: " + llvm::join(less, ", ");
  failed(work.id, {"too_large", "", {}, text, ""}, kWrongInput);
}

void Server::finish(const Work &work, int status, StringRef out,
                    StringRef err) {
  const std::vector<std::string> documents = documentsOf(out);
  const std::string document =
      documents.size() == 1
          ? documents.front()
          : "{\"documents\":[" + llvm::join(documents, ",") + "]}";
  std::string content = "{\"type\":\"text\",\"text\":" + quoted(document) + "}";
  err = err.trim();
  if (!err.empty()) {
    std::string said = err.take_front(kMostMessageBytes).str();
    if (said.size() < err.size()) said += "\n...";
    content += ",{\"type\":\"text\",\"text\":" + quoted(said) + "}";
  }
  const bool isWrong = status == kWrongInput || status == kWrongWords;
  result(work.id,
         absl::StrCat("{\"content\":[", content, "],\"structuredContent\":",
                      document, ",\"isError\":", isWrong ? "true" : "false",
                      ",\"_meta\":{\"indexical/status\":", status, "}}"));
}

void Server::failed(const std::string &id, const ErrorOfCall &error,
                    int status) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeErrorDocument(os, std::nullopt, error);
  Work of;
  of.id = id;
  finish(of, status, text, "");
}

}  // namespace

void serve(int in, llvm::raw_ostream &out, const ServerLimits &limits,
           const Stop &stop) {
  Server server(out, limits);
  LineReader reader(in, stop);
  std::string line;
  while (true) {
    switch (reader.next(line)) {
      case LineReader::Got::End:
        return;
      case LineReader::Got::TooLong:
        server.tooLong();
        break;
      case LineReader::Got::Line:
        server.take(line);
        break;
    }
  }
}

}  // namespace indexical
