#include "benchmarks/gpu/cuda_driver.h"

#include <utility>

#include <dlfcn.h>

namespace indexical {
namespace gpu {
namespace {

// The part of CUDA's driver API that is called here. Its numbers and signatures
// are part of its binary interface.
using Result = int;      // CUresult, 0: success
using Device = int;      // CUdevice
using Pointer = void *;  // CUcontext, CUmodule, CUfunction, CUevent, CUstream
using Address = unsigned long long;  // CUdeviceptr

constexpr int kComputeCapabilityMajor = 75, kComputeCapabilityMinor = 76;
constexpr int kErrorLogBuffer = 5, kErrorLogBytes = 6;

struct Api {
  Result (*init)(unsigned) = nullptr;
  Result (*deviceGetCount)(int *) = nullptr;
  Result (*deviceGet)(Device *, int) = nullptr;
  Result (*deviceGetName)(char *, int, Device) = nullptr;
  Result (*deviceGetAttribute)(int *, int, Device) = nullptr;
  Result (*contextRetain)(Pointer *, Device) = nullptr;
  Result (*contextRelease)(Device) = nullptr;
  Result (*contextSet)(Pointer) = nullptr;
  Result (*moduleLoad)(Pointer *, const void *, unsigned, int *,
                       void **) = nullptr;
  Result (*moduleUnload)(Pointer) = nullptr;
  Result (*moduleGetFunction)(Pointer *, Pointer, const char *) = nullptr;
  Result (*memAlloc)(Address *, size_t) = nullptr;
  Result (*memFree)(Address) = nullptr;
  Result (*memset)(Address, unsigned char, size_t) = nullptr;
  Result (*copyTo)(Address, const void *, size_t) = nullptr;
  Result (*copyFrom)(void *, Address, size_t) = nullptr;
  Result (*launch)(Pointer, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned, unsigned, Pointer, void **, void **) = nullptr;
  Result (*eventCreate)(Pointer *, unsigned) = nullptr;
  Result (*eventDestroy)(Pointer) = nullptr;
  Result (*eventRecord)(Pointer, Pointer) = nullptr;
  Result (*eventSynchronize)(Pointer) = nullptr;
  Result (*eventElapsed)(float *, Pointer, Pointer) = nullptr;
  Result (*errorName)(Result, const char **) = nullptr;

  absl::Status find(void *library) {
    absl::Status status;
    auto get = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(
          dlsym(library, name));
      if (!function && status.ok())
        status = absl::UnavailableError(
            std::string("no GPU: the CUDA driver has no ") + name);
    };
    get(init, "cuInit");
    get(deviceGetCount, "cuDeviceGetCount");
    get(deviceGet, "cuDeviceGet");
    get(deviceGetName, "cuDeviceGetName");
    get(deviceGetAttribute, "cuDeviceGetAttribute");
    get(contextRetain, "cuDevicePrimaryCtxRetain");
    get(contextRelease, "cuDevicePrimaryCtxRelease_v2");
    get(contextSet, "cuCtxSetCurrent");
    get(moduleLoad, "cuModuleLoadDataEx");
    get(moduleUnload, "cuModuleUnload");
    get(moduleGetFunction, "cuModuleGetFunction");
    get(memAlloc, "cuMemAlloc_v2");
    get(memFree, "cuMemFree_v2");
    get(memset, "cuMemsetD8_v2");
    get(copyTo, "cuMemcpyHtoD_v2");
    get(copyFrom, "cuMemcpyDtoH_v2");
    get(launch, "cuLaunchKernel");
    get(eventCreate, "cuEventCreate");
    get(eventDestroy, "cuEventDestroy_v2");
    get(eventRecord, "cuEventRecord");
    get(eventSynchronize, "cuEventSynchronize");
    get(eventElapsed, "cuEventElapsedTime");
    get(errorName, "cuGetErrorName");
    return status;
  }

  absl::Status check(Result result, const char *what) const {
    if (result == 0) return absl::OkStatus();
    const char *name = nullptr;
    errorName(result, &name);
    return absl::UnavailableError(std::string(what) + ": " +
                                  (name ? name : std::to_string(result)));
  }
};

}  // namespace

struct CudaDriver::State {
  ~State() {
    for (Pointer event : {before, after})
      if (event) api.eventDestroy(event);
    for (Pointer module : modules) api.moduleUnload(module);
    if (context) api.contextRelease(device);
  }

  absl::Status open() {
    absl::Status status;
    auto run = [&](Result result, const char *what) {
      status = api.check(result, what);
      return status.ok();
    };
    if (!run(api.init(0), "no GPU: cuInit")) return status;
    int count = 0;
    if (!run(api.deviceGetCount(&count), "no GPU: cuDeviceGetCount"))
      return status;
    if (count == 0)
      return absl::UnavailableError("no GPU: the CUDA driver knows none");
    char text[256] = {};
    int major = 0, minor = 0;
    if (run(api.deviceGet(&device, 0), "cuDeviceGet") &&
        run(api.deviceGetName(text, sizeof text - 1, device),
            "cuDeviceGetName") &&
        run(api.deviceGetAttribute(&major, kComputeCapabilityMajor, device),
            "cuDeviceGetAttribute") &&
        run(api.deviceGetAttribute(&minor, kComputeCapabilityMinor, device),
            "cuDeviceGetAttribute") &&
        run(api.contextRetain(&context, device), "cuDevicePrimaryCtxRetain") &&
        run(api.contextSet(context), "cuCtxSetCurrent") &&
        run(api.eventCreate(&before, 0), "cuEventCreate"))
      run(api.eventCreate(&after, 0), "cuEventCreate");
    name = std::string(text) + ", compute capability " + std::to_string(major) +
           "." + std::to_string(minor);
    return status;
  }

  Api api;
  Device device = 0;
  Pointer context = nullptr, before = nullptr, after = nullptr;
  std::vector<Pointer> modules;
  std::string name;
};

CudaDriver::CudaDriver(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
CudaDriver::CudaDriver(CudaDriver &&) = default;
CudaDriver::~CudaDriver() = default;

absl::StatusOr<CudaDriver> CudaDriver::open(const std::string &library) {
  // It stays loaded: buffers may outlive the driver.
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return absl::UnavailableError("no GPU: " + library + " cannot be loaded");
  auto state = std::make_unique<State>();
  if (auto status = state->api.find(handle); !status.ok()) return status;
  if (auto status = state->open(); !status.ok()) return status;
  return CudaDriver(std::move(state));
}

const std::string &CudaDriver::name() const { return state_->name; }

absl::StatusOr<CudaDriver::Buffer> CudaDriver::allocate(int64_t bytes) {
  Address address = 0;
  if (auto status = state_->api.check(state_->api.memAlloc(&address, bytes),
                                      "cuMemAlloc");
      !status.ok())
    return status;
  Buffer buffer;
  buffer.address_ = std::shared_ptr<uint64_t>(
      new uint64_t(address), [free = state_->api.memFree](uint64_t *address) {
        free(*address);
        delete address;
      });
  return buffer;
}

absl::Status CudaDriver::fill(const Buffer &buffer, uint8_t value,
                              int64_t bytes) {
  return state_->api.check(state_->api.memset(buffer.address(), value, bytes),
                           "cuMemsetD8");
}

absl::Status CudaDriver::write(const Buffer &to, const void *from,
                               int64_t bytes) {
  return state_->api.check(state_->api.copyTo(to.address(), from, bytes),
                           "cuMemcpyHtoD");
}

absl::Status CudaDriver::read(void *to, const Buffer &from, int64_t bytes) {
  return state_->api.check(state_->api.copyFrom(to, from.address(), bytes),
                           "cuMemcpyDtoH");
}

absl::StatusOr<CudaDriver::Function> CudaDriver::load(
    const std::string &ptx, const std::string &function) {
  char log[4096] = {};
  int options[] = {kErrorLogBuffer, kErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log - 1)};
  Pointer module = nullptr, found = nullptr;
  if (auto status = state_->api.check(
          state_->api.moduleLoad(&module, ptx.c_str(), 2, options, values),
          "cuModuleLoadDataEx");
      !status.ok())
    return absl::UnavailableError(std::string(status.message()) + " " + log);
  state_->modules.push_back(module);
  if (auto status = state_->api.check(
          state_->api.moduleGetFunction(&found, module, function.c_str()),
          "cuModuleGetFunction");
      !status.ok())
    return status;
  return found;
}

absl::StatusOr<double> CudaDriver::launch(Function function,
                                          const std::array<int64_t, 3> &grid,
                                          const std::array<int64_t, 3> &block,
                                          std::vector<uint64_t> arguments) {
  std::vector<void *> pointers;
  for (uint64_t &argument : arguments) pointers.push_back(&argument);
  const Api &api = state_->api;
  const auto part = [](int64_t size) { return static_cast<unsigned>(size); };
  float ms = 0;
  absl::Status status;
  auto run = [&](Result result, const char *what) {
    status = api.check(result, what);
    return status.ok();
  };
  if (run(api.eventRecord(state_->before, nullptr), "cuEventRecord") &&
      run(api.launch(function, part(grid[0]), part(grid[1]), part(grid[2]),
                     part(block[0]), part(block[1]), part(block[2]), 0, nullptr,
                     pointers.data(), nullptr),
          "cuLaunchKernel") &&
      run(api.eventRecord(state_->after, nullptr), "cuEventRecord") &&
      run(api.eventSynchronize(state_->after), "cuEventSynchronize"))
    run(api.eventElapsed(&ms, state_->before, state_->after),
        "cuEventElapsedTime");
  if (!status.ok()) return status;
  return ms;
}

}  // namespace gpu
}  // namespace indexical
