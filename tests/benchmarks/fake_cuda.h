// A stand-in for libcuda.so.1: the device's memory is that of the machine, and
// launches are passed to a function of the test.
#ifndef INDEXICAL_TESTS_BENCHMARKS_FAKE_CUDA_H
#define INDEXICAL_TESTS_BENCHMARKS_FAKE_CUDA_H

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

struct FakeCuda {
  int devices = 1;
  /// The name of the call that fails.
  std::string failing;
  std::string ptx;  ///< of the last module
  std::vector<std::string> calls;
  std::set<void *> buffers, modules, events;
  int contexts = 0, launches = 0;
  /// Grid, then block; pointers to the arguments.
  std::function<void(const std::vector<unsigned> &, void **)> onLaunch;
};

/// The symbol `fakeCuda` of the library: its one state.
using FakeCudaFunction = FakeCuda *();

#endif  // INDEXICAL_TESTS_BENCHMARKS_FAKE_CUDA_H
