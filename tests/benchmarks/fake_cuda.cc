#include "tests/benchmarks/fake_cuda.h"

#include <cstdlib>
#include <cstring>

namespace {

FakeCuda &state() {
  static FakeCuda fake;
  return fake;
}

constexpr int kInvalid = 1;

/// Returns 0, or an error if that call must fail.
int called(const char *name) {
  state().calls.push_back(name);
  return state().failing == name ? 999 : 0;
}

/// A new thing of some kind.
int make(std::set<void *> &all, void **made, const char *name) {
  if (int error = called(name)) return error;
  *made = std::malloc(1);
  all.insert(*made);
  return 0;
}

int end(std::set<void *> &all, void *one) {
  if (all.erase(one) == 0) return kInvalid;
  std::free(one);
  return 0;
}

}  // namespace

extern "C" {

FakeCuda *fakeCuda() { return &state(); }

int cuInit(unsigned) { return called("cuInit"); }
int cuDeviceGetCount(int *count) {
  *count = state().devices;
  return called("cuDeviceGetCount");
}
int cuDeviceGet(int *device, int number) {
  *device = number;
  return called("cuDeviceGet");
}
int cuDeviceGetName(char *name, int length, int) {
  std::strncpy(name, "Abacus 1", length);
  return called("cuDeviceGetName");
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : -1;
  return called("cuDeviceGetAttribute");
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  if (int error = called("cuDevicePrimaryCtxRetain")) return error;
  *context = &state();
  ++state().contexts;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  --state().contexts;
  return called("cuDevicePrimaryCtxRelease");
}
int cuCtxSetCurrent(void *) { return called("cuCtxSetCurrent"); }

int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                       int *options, void **values) {
  state().ptx = static_cast<const char *>(image);
  const int error = make(state().modules, module, "cuModuleLoadDataEx");
  for (unsigned i = 0; error && i < count; ++i)
    if (options[i] == 5)
      std::strcpy(static_cast<char *>(values[i]), "line 7: no such thing");
  return error;
}
int cuModuleUnload(void *module) { return end(state().modules, module); }
int cuModuleGetFunction(void **function, void *module, const char *name) {
  if (std::strcmp(name, "kernel") != 0) return kInvalid;
  *function = module;
  return called("cuModuleGetFunction");
}

int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
  if (int error = called("cuMemAlloc")) return error;
  void *memory = std::malloc(bytes);
  state().buffers.insert(memory);
  *address = reinterpret_cast<unsigned long long>(memory);
  return 0;
}
int cuMemFree_v2(unsigned long long address) {
  return end(state().buffers, reinterpret_cast<void *>(address));
}
int cuMemsetD8_v2(unsigned long long address, unsigned char value,
                  size_t bytes) {
  std::memset(reinterpret_cast<void *>(address), value, bytes);
  return called("cuMemsetD8");
}
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return called("cuMemcpyHtoD");
}
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return called("cuMemcpyDtoH");
}

int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned, void *, void **arguments,
                   void **) {
  if (state().modules.count(function) == 0) return kInvalid;
  if (int error = called("cuLaunchKernel")) return error;
  ++state().launches;
  if (state().onLaunch)
    state().onLaunch({gridX, gridY, gridZ, blockX, blockY, blockZ}, arguments);
  return 0;
}

int cuEventCreate(void **event, unsigned) {
  return make(state().events, event, "cuEventCreate");
}
int cuEventDestroy_v2(void *event) { return end(state().events, event); }
int cuEventRecord(void *event, void *) {
  if (state().events.count(event) == 0) return kInvalid;
  return called("cuEventRecord");
}
int cuEventSynchronize(void *) { return called("cuEventSynchronize"); }
/// As many milliseconds as there were launches.
int cuEventElapsedTime(float *ms, void *, void *) {
  *ms = static_cast<float>(state().launches);
  return called("cuEventElapsedTime");
}
int cuGetErrorName(int error, const char **name) {
  *name = error == kInvalid ? "CUDA_ERROR_INVALID_VALUE" : "CUDA_ERROR_UNKNOWN";
  return 0;
}
}
