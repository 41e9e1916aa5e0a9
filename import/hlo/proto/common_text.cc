#include "indexical/import/hlo/proto/common_text.h"

#include <cstdint>
#include <cstring>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include "indexical/import/hlo/proto/instruction_fields.h"
#include "indexical/import/hlo/proto/sharding_text.h"
#include "indexical/import/hlo/proto/values.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using llvm::StringRef;

namespace fields = instruction_fields;

class CommonWriter {
 public:
  CommonWriter(const WireMessage &of, llvm::ArrayRef<StringRef> payloads,
               llvm::raw_ostream &os)
      : of_(of), payloads_(payloads), os_(os) {}

  absl::Status write();

 private:
  llvm::raw_ostream &key(StringRef name) { return os_ << ", " << name << '='; }

  void accuracy();
  void replication();
  absl::Status domain();
  void metadata();
  void backendConfig();

  const WireMessage &of_;
  const llvm::ArrayRef<StringRef> payloads_;
  llvm::raw_ostream &os_;
};

/// `{atol=1.5,rtol=0,ulps=10}`, or a mode.
void CommonWriter::accuracy() {
  const WireMessage accuracy = of_.message(fields::kAccuracy);
  constexpr StringRef kModes[] = {"DEFAULT", "HIGHEST"};
  key("result_accuracy") << '{';
  if (accuracy.has(2)) {
    const WireMessage tolerance = accuracy.message(2);
    auto number = [&](uint32_t field) {
      const uint64_t bits = tolerance.integer(field);
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return llvm::format("%.17g", value);
    };
    os_ << "tolerance={atol=" << number(1) << ",rtol=" << number(2)
        << ",ulps=" << tolerance.integer(3) << '}';
  } else {
    os_ << "mode=" << nameOf(kModes, accuracy.integer(1));
  }
  os_ << '}';
}

void CommonWriter::replication() {
  const auto leaves = of_.message(fields::kReplication).integers(1);
  if (leaves.empty()) return;
  key("parameter_replication") << '{';
  llvm::ListSeparator comma(",");
  for (int64_t leaf : leaves) os_ << comma << (leaf ? "true" : "false");
  os_ << '}';
}

absl::Status CommonWriter::domain() {
  if (!of_.has(fields::kDomainEntry) && !of_.has(fields::kDomainExit))
    return absl::OkStatus();
  key("domain") << "{kind=\"sharding\", entry=";
  INDEXICAL_RETURN_IF_ERROR(
      writeSharding(of_.message(fields::kDomainEntry), os_));
  os_ << ", exit=";
  INDEXICAL_RETURN_IF_ERROR(
      writeSharding(of_.message(fields::kDomainExit), os_));
  os_ << '}';
  return absl::OkStatus();
}

void CommonWriter::metadata() {
  const WireMessage metadata = of_.message(fields::kMetadata);
  key("metadata") << '{';
  llvm::ListSeparator between(" ");
  auto text = [&](StringRef name, uint32_t number) {
    if (metadata.bytes(number).empty()) return;
    os_ << between << name << '=';
    writeQuoted(metadata.bytes(number), os_);
  };
  auto number = [&](StringRef name, uint32_t number) {
    if (int64_t value = metadata.integer(number))
      os_ << between << name << '=' << value;
  };
  text("op_type", 1);
  text("op_name", 2);
  text("source_file", 3);
  number("source_line", 4);
  number("source_end_line", 17);
  number("source_column", 18);
  number("source_end_column", 19);
  number("stack_frame_id", 15);
  text("deduplicated_name", 12);
  text("scheduling_name", 16);
  os_ << '}';
}

void CommonWriter::backendConfig() {
  StringRef config = of_.bytes(fields::kBackendConfig);
  if (of_.has(fields::kPayload)) {
    const WireMessage payload = of_.message(fields::kPayload);
    const uint64_t number = payload.integer(2);
    config = payload.has(1)              ? payload.bytes(1)
             : number < payloads_.size() ? payloads_[number]
                                         : StringRef();
  }
  if (config.empty()) return;
  key("backend_config");
  writeQuotedOrDictionary(config, os_);
}

absl::Status CommonWriter::write() {
  if (of_.has(fields::kAccuracy)) accuracy();
  replication();
  if (of_.has(fields::kPrefetchIndex))
    key("cross_program_prefetch_index") << of_.integer(fields::kPrefetchIndex);
  if (of_.has(fields::kSharding))
    INDEXICAL_RETURN_IF_ERROR(
        writeSharding(of_.message(fields::kSharding), key("sharding")));
  INDEXICAL_RETURN_IF_ERROR(domain());
  writeFrontendAttributes(of_.message(fields::kFrontend), os_);
  if (of_.has(fields::kMetadata)) metadata();
  backendConfig();
  return absl::OkStatus();
}

}  // namespace

absl::Status writeCommonAttributes(const WireMessage &instruction,
                                   llvm::ArrayRef<StringRef> payloads,
                                   llvm::raw_ostream &os) {
  return CommonWriter(instruction, payloads, os).write();
}

void writeFrontendAttributes(const WireMessage &attributes,
                             llvm::raw_ostream &os) {
  if (!attributes.count(1)) return;
  os << ", frontend_attributes={";
  llvm::ListSeparator comma(",");
  attributes.each(1, [&](StringRef bytes) {
    const WireMessage entry(bytes);
    os << comma << entry.bytes(1) << '=';
    writeQuotedOrDictionary(entry.bytes(2), os);
  });
  os << '}';
}

}  // namespace indexical
