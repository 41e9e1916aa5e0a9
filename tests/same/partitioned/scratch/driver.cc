#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/indexing/budget.h"
#include "indexical/same/partitioned/partitioned_equality.h"
using namespace indexical;
static absl::StatusOr<Program> read(const std::string &path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  if (path.find(".mlir") != std::string::npos) return importMlir(text.str(), path);
  return parseHlo(text.str());
}
int main(int argc, char **argv) {
  PartitionedOptions options;
  Stop stop;
  int k = 1;
  for (; k < argc && argv[k][0] == '-'; ++k) {
    std::string a = argv[k];
    auto v = [&] { return std::stoll(a.substr(a.find('=') + 1)); };
    if (a.rfind("--partitions", 0) == 0) options.partitions = v();
    if (a.rfind("--replicas", 0) == 0) options.replicas = v();
    if (a.rfind("--budget", 0) == 0) options.operations = v();
    if (a.rfind("--ring", 0) == 0) options.floats = FloatLaws::None;
    if (a.rfind("--parted", 0) == 0) options.areLocal = false;
    if (a.rfind("--deadline", 0) == 0) { stop.endAfter(std::chrono::milliseconds(v())); options.stop = &stop; }
  }
  for (; k + 1 < argc; k += 2) {
    auto a = read(argv[k]), b = read(argv[k + 1]);
    const std::clock_t begin = std::clock();
    std::cout << argv[k] << ": ";
    if (!a.ok() || !b.ok()) {
      std::cout << (a.ok() ? b.status() : a.status()) << std::endl;
      continue;
    }
    auto e = comparePartitioned(*a, *b, options);
    const double s = double(std::clock() - begin) / CLOCKS_PER_SEC;
    if (!e.ok()) { std::cout << e.status() << " " << s << " s" << std::endl; continue; }
    const char *names[] = {"equal", "different", "undecided"};
    (void)names;
    int same = 0;
    for (auto &r : e->results) same += r.verdict.isSame();
    std::cout << (e->verdict.isSame() ? "EQUAL" : e->verdict.answer == Verdict::Different ? "DIFFERENT" : "undecided")
              << " " << same << "/" << e->results.size() << " " << s << " s";
    for (auto &r : e->results)
      if (!r.verdict.isSame()) {
        std::cout << " | " << r.verdict.reason.substr(0, 400);
        if (r.because) std::cout << " | because " << r.because->instruction << ": " << r.because->reason;
        break;
      }
    std::cout << std::endl;
  }
}
