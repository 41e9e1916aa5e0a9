#include "indexical/command/progress.h"

namespace indexical {

void Progress::step() {
  ++done_;
  if (!enabled_ || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(200);
  shown_ = true;
  os_ << "\rindexical: " << prefix_ << done_ << " of " << total_ << what_;
  os_.flush();
}

void Progress::clear() {
  if (!shown_) return;
  shown_ = false;
  os_ << "\r\x1b[K";
  os_.flush();
}

}  // namespace indexical
