#include "indexical/tools/deep_stack.h"

#include <pthread.h>

namespace indexical {
namespace {

void *callWork(void *work) {
  (*static_cast<llvm::function_ref<void()> *>(work))();
  return nullptr;
}

}  // namespace

void withDeepStack(llvm::function_ref<void()> work) {
  pthread_attr_t attributes;
  pthread_t thread;
  bool isRunning = false;
  if (pthread_attr_init(&attributes) == 0) {
    isRunning = pthread_attr_setstacksize(&attributes, kDeepStack) == 0 &&
                pthread_create(&thread, &attributes, callWork, &work) == 0;
    pthread_attr_destroy(&attributes);
  }
  if (isRunning)
    pthread_join(thread, nullptr);
  else
    work();
}

}  // namespace indexical
