#include "indexical/indexing/stop_scope.h"

#include <cstdint>

namespace indexical {
namespace {

struct Ambient {
  const Stop *stop = nullptr;
  bool isReached = false;  // of this stop; once it is, it stays so
  uint32_t calls = 0;
};

thread_local Ambient ambient;

}  // namespace

StopScope::StopScope(const Stop *stop) : around_(ambient.stop) {
  if (stop && stop != around_) ambient = {stop};
}

StopScope::~StopScope() {
  if (ambient.stop != around_) ambient = {around_};
}

const Stop *StopScope::current() { return ambient.stop; }

bool StopScope::isReached() {
  // A look at the clock takes as long as some tens of calls.
  constexpr uint32_t kBetween = 16;
  Ambient &own = ambient;
  if (!own.stop || own.isReached) return own.isReached;
  if (own.calls++ % kBetween != 0) return false;
  return own.isReached = own.stop->isReached();
}

absl::Status StopScope::check() {
  return isReached() ? ambient.stop->status() : absl::OkStatus();
}

}  // namespace indexical
