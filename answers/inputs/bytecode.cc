#include "indexical/answers/inputs/bytecode.h"

#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"

#include "indexical/import/llvm/read.h"
#include "indexical/indexing/status_macros.h"
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace indexical {
namespace {

using llvm::StringRef;

std::mutex readerMutex;
ReaderProgram &readerProgram() {
  static ReaderProgram program;
  return program;
}

/// An end of a socket. The destructor closes it.
class End {
 public:
  explicit End(int number) : number_(number) {}
  End(const End &) = delete;
  ~End() { close(); }
  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

/// Starts the program with the socket as its standard input and output. Drops
/// its messages, since those of a crash are of no use. Returns 0, or the number
/// of the error.
int start(const ReaderProgram &program, int socket, pid_t *process) {
  std::vector<char *> words = {const_cast<char *>(program.path.c_str())};
  for (const std::string &word : program.words)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  if (int error = posix_spawn_file_actions_init(&files)) return error;
  int error = posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
  if (!error)
    error =
        posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDOUT_FILENO);
  if (!error)
    error = posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null",
                                             O_WRONLY, 0);
  if (!error)
    error = posix_spawn(process, program.path.c_str(), &files,
                        /*attrp=*/nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

/// Sends all bytes. If the program has ended, they are lost, and its answer is
/// incomplete.
void sendAll(int socket, StringRef bytes) {
  while (!bytes.empty()) {
    // No signal if the program has closed its end.
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return;
    if (sent > 0) bytes = bytes.drop_front(sent);
  }
  shutdown(socket, SHUT_WR);
}

std::string receiveAll(int socket) {
  std::string all;
  char piece[1 << 16];
  for (ssize_t got; (got = recv(socket, piece, sizeof piece, 0)) != 0;) {
    if (got > 0)
      all.append(piece, got);
    else if (errno != EINTR)
      break;
  }
  return all;
}

/// Waits for the program. Returns whether it ended well. If the host has taken
/// its status, returns true: the last byte of the answer then decides.
bool hasEndedWell(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return true;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

const char *kindOf(StringRef bytes) {
  return kernels::isLlvmBitcode(bytes) ? "LLVM's bitcode" : "MLIR bytecode";
}

}  // namespace

void setReaderProgram(ReaderProgram program) {
  const std::lock_guard<std::mutex> alone(readerMutex);
  readerProgram() = std::move(program);
}

absl::StatusOr<std::string> textOfBytecode(StringRef bytes) {
  ReaderProgram program;
  {
    const std::lock_guard<std::mutex> alone(readerMutex);
    program = readerProgram();
  }
  if (program.path.empty())
    return absl::FailedPreconditionError(absl::StrCat(
        "this is ", kindOf(bytes), ", and no program is known that reads it"));
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return absl::ResourceExhaustedError("no pipe could be made");
  End ours(ends[0]), theirs(ends[1]);
  pid_t process = 0;
  if (int error = start(program, theirs.number(), &process)) {
    if (error == EAGAIN || error == ENOMEM)
      return absl::ResourceExhaustedError("no process could be made");
    return absl::FailedPreconditionError(absl::StrCat(
        "this is ", kindOf(bytes), ", and the program that reads it, `",
        program.path, "`, cannot be started: ", std::strerror(error)));
  }
  theirs.close();
  sendAll(ours.number(), bytes);
  std::string answer = receiveAll(ours.number());
  ours.close();
  if (!hasEndedWell(process) || answer.size() < 2 || answer.back() != '\0')
    return absl::InvalidArgumentError(absl::StrCat(
        "this ", kernels::isLlvmBitcode(bytes) ? "bitcode" : "bytecode",
        " is damaged"));
  answer.pop_back();
  const bool isModule = answer.front() == 'M';
  answer.erase(0, 1);
  if (!isModule) return absl::InvalidArgumentError(answer);
  return answer;
}

absl::StatusOr<MlirModule> readBytecode(mlir::MLIRContext &context,
                                        StringRef bytes, StringRef path) {
  INDEXICAL_ASSIGN_OR_RETURN(std::string text, textOfBytecode(bytes));
  return parseTextOfBytecode(context, text, path);
}

}  // namespace indexical
