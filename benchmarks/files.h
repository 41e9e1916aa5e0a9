// A benchmark program over files: registers those that it is given, and runs.
#ifndef INDEXICAL_BENCHMARKS_FILES_H
#define INDEXICAL_BENCHMARKS_FILES_H

#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>

#include <benchmark/benchmark.h>

namespace indexical {

/// Calls `add` with the file's name, without its folders, and its text. If
/// `add` returns false, the program ends with status 1.
inline int runOverFiles(
    int argc, char **argv,
    const std::function<bool(const std::string &, const std::string &)> &add) {
  benchmark::Initialize(&argc, argv);
  if (argc < 2) {
    std::cerr << "usage: " << argv[0] << " FILE… [--benchmark_…]\n";
    return 2;
  }
  for (int i = 1; i < argc; ++i) {
    std::string path = argv[i];
    std::ifstream file(path);
    std::stringstream buffer;
    buffer << file.rdbuf();
    if (!file) {
      std::cerr << path << ": cannot be read\n";
      return 1;
    }
    if (!add(path.substr(path.rfind('/') + 1), buffer.str())) return 1;
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace indexical

#endif  // INDEXICAL_BENCHMARKS_FILES_H
