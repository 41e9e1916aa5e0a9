// A report inside a compiler: the kernels of a module that waste more than a
// limit, and how long they take.
//
//   bazel run //examples:report -- FILE.hlo [BYTES]
//
//   column wastes 114688 of 147456 bytes; predicted 1.60 us

#include <memory>
#include <string>
#include <utility>

#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers.h"
#include "indexical/indexical.h"

using namespace indexical;

namespace {

absl::Status printWaste(Program program, int64_t limit, llvm::raw_ostream &os) {
  ReportQuestion question;
  question.device = findDevice("h100");
  question.launch = LaunchModel::Xla;
  absl::StatusOr<MeasuredProgram> measured =
      measure(std::move(program), question);
  if (!measured.ok()) return measured.status();
  absl::StatusOr<Report> report = reportOf(*std::move(measured), question);
  if (!report.ok()) return report.status();
  for (const KernelRow &row : report->rows.kernels) {
    if (row.sums.wastedLeast <= limit) break;  // the worst come first
    os << report->names().instructionOf(*row.kernel).name << " wastes "
       << row.sums.wastedLeast << " of " << row.sums.moved << " bytes";
    if (const auto &time = row.kernel->time())
      os << "; predicted " << llvm::format("%.2f us", time->total());
    os << '\n';
  }
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char **argv) {
  int64_t limit = 0;
  if (argc < 2 ||
      (argc > 2 && llvm::StringRef(argv[2]).getAsInteger(10, limit))) {
    llvm::errs() << "usage: report FILE.hlo [BYTES]\n";
    return 2;
  }
  auto file = llvm::MemoryBuffer::getFile(argv[1]);
  if (!file) {
    llvm::errs() << argv[1] << ": " << file.getError().message() << '\n';
    return 1;
  }
  absl::Status status;
  auto program = parseHlo((*file)->getBuffer().str(), argv[1]);
  status = program.ok() ? printWaste(*std::move(program), limit, llvm::outs())
                        : program.status();
  if (!status.ok())
    llvm::errs() << argv[1] << ": " << std::string(status.message()) << '\n';
  return status.ok() ? 0 : 1;
}
