#include "indexical/import/wire/decompress.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <zlib.h>
#include <zstd.h>

namespace indexical {
namespace {

using llvm::StringRef;

constexpr StringRef kGzip = "\x1f\x8b";
constexpr StringRef kZstd = "\x28\xb5\x2f\xfd";
constexpr size_t kChunk = size_t(1) << 18;

absl::Status damaged(StringRef kind) {
  return absl::DataLossError("this " + kind.str() +
                             " file is damaged, or not whole");
}

absl::Status tooLong(size_t most) {
  return absl::ResourceExhaustedError("this file holds more than " +
                                      std::to_string(most) + " bytes");
}

/// zlib's windowBits for each format: 16 is added for gzip's headers.
constexpr int kGzipWindow = 16 + MAX_WBITS, kZlibWindow = MAX_WBITS;

absl::StatusOr<std::string> inflated(StringRef kind, int window,
                                     StringRef bytes, size_t most) {
  z_stream stream = {};
  if (inflateInit2(&stream, window) != Z_OK) return damaged(kind);
  auto end = [](z_stream *of) { inflateEnd(of); };
  std::unique_ptr<z_stream, decltype(end)> owner(&stream, end);
  std::string text;
  std::vector<char> chunk(kChunk);
  while (true) {
    if (stream.avail_in == 0) {
      // zlib counts in 32 bits.
      StringRef part = bytes.take_front(std::numeric_limits<int>::max());
      bytes = bytes.drop_front(part.size());
      stream.next_in =
          reinterpret_cast<Bytef *>(const_cast<char *>(part.data()));
      stream.avail_in = part.size();
    }
    stream.next_out = reinterpret_cast<Bytef *>(chunk.data());
    stream.avail_out = chunk.size();
    const int code = inflate(&stream, Z_NO_FLUSH);
    text.append(chunk.data(), chunk.size() - stream.avail_out);
    if (text.size() > most) return tooLong(most);
    if (code == Z_STREAM_END) {
      if (bytes.empty() && stream.avail_in == 0) return text;
      // Another member follows.
      if (inflateReset(&stream) != Z_OK) return damaged(kind);
    } else if (code != Z_OK) {
      return damaged(kind);
    }
  }
}

absl::StatusOr<std::string> unzstd(StringRef bytes, size_t most) {
  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream *)> stream(
      ZSTD_createDStream(), ZSTD_freeDStream);
  std::string text;
  std::vector<char> chunk(kChunk);
  ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
  size_t open = 1;
  while (in.pos < in.size || open != 0) {
    ZSTD_outBuffer out = {chunk.data(), chunk.size(), 0};
    const size_t before = in.pos;
    open = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(open)) return damaged("Zstandard");
    text.append(chunk.data(), out.pos);
    if (text.size() > most) return tooLong(most);
    // Nothing goes in, nothing comes out, and a frame is open.
    if (open != 0 && in.pos == before && out.pos == 0)
      return damaged("Zstandard");
  }
  return text;
}

}  // namespace

bool isCompressed(StringRef bytes) {
  return bytes.starts_with(kGzip) || bytes.starts_with(kZstd);
}

absl::StatusOr<std::string> decompress(StringRef bytes, size_t most) {
  return bytes.starts_with(kZstd) ? unzstd(bytes, most)
                                  : inflated("gzip", kGzipWindow, bytes, most);
}

bool isZlib(StringRef bytes) {
  return bytes.size() > 1 && bytes[0] == 0x78 &&
         (static_cast<uint8_t>(bytes[0]) * 256 +
          static_cast<uint8_t>(bytes[1])) %
                 31 ==
             0;
}

absl::StatusOr<std::string> inflateZlib(StringRef bytes, size_t most) {
  return inflated("zlib", kZlibWindow, bytes, most);
}

}  // namespace indexical
