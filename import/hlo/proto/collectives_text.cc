#include "indexical/import/hlo/proto/collectives_text.h"

#include <vector>

#include "llvm/ADT/StringExtras.h"

#include "indexical/import/hlo/proto/instruction_fields.h"
#include "indexical/import/hlo/proto/values.h"

namespace indexical {
namespace {

using llvm::StringRef;

namespace fields = instruction_fields;

void writeNumbers(llvm::ArrayRef<int64_t> values, llvm::raw_ostream &os) {
  llvm::ListSeparator comma(",");
  for (int64_t each : values) os << comma << each;
}

/// `{{0,1},{2,3}}` of the ReplicaGroups in that field.
void writeLists(const WireMessage &list, uint32_t field,
                llvm::raw_ostream &os) {
  os << '{';
  llvm::ListSeparator comma(",");
  list.each(field, [&](StringRef bytes) {
    os << comma;
    writeIntegers(WireMessage(bytes).integers(1), os);
  });
  os << '}';
}

/// `[2,4]<=[4,2]T(1,0)` of an IotaReplicaGroupListProto.
void writeIota(const WireMessage &iota, llvm::raw_ostream &os) {
  os << '[' << iota.integer(1) << ',' << iota.integer(2) << "]<=[";
  writeNumbers(iota.integers(3), os);
  os << ']';
  writePermutation(iota.integers(4), os);
}

/// `mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0)) {'y','x':(1)2}` of a
/// MeshAxesReplicaGroupListProto.
void writeMesh(const WireMessage &groups, llvm::raw_ostream &os) {
  const WireMessage mesh = groups.message(1);
  std::vector<StringRef> names;
  os << "mesh[";
  llvm::ListSeparator comma(",");
  mesh.each(1, [&](StringRef bytes) {
    const WireMessage axis(bytes);
    names.push_back(axis.bytes(1));
    os << comma << '\'' << names.back() << "'=" << axis.integer(2);
  });
  os << ']';
  if (const auto devices = mesh.integers(2); !devices.empty()) {
    os << ", device_ids=(";
    writeNumbers(devices, os);
    os << ')';
  } else if (mesh.has(3)) {
    const WireMessage iota = mesh.message(3);
    os << ", device_ids=([";
    writeNumbers(iota.integers(1), os);
    os << ']';
    writePermutation(iota.integers(2), os);
    os << ')';
  }
  os << " {";
  llvm::ListSeparator between(",");
  groups.each(2, [&](StringRef bytes) {
    const WireMessage axis(bytes);
    const uint64_t number = axis.integer(1);
    // The reader of the text reports an axis that the mesh does not have.
    os << between << '\'' << (number < names.size() ? names[number] : "")
       << '\'';
    if (axis.has(2))
      os << ":(" << axis.message(2).integer(1) << ')'
         << axis.message(2).integer(2);
  });
  os << '}';
}

bool namesGroups(StringRef opcode) {
  return opcode.starts_with("all-") || opcode.starts_with("ragged-all-") ||
         opcode == "reduce-scatter" || opcode == "collective-broadcast" ||
         opcode == "collective-reduce";
}

bool sendsInPairs(StringRef opcode) {
  return opcode == "collective-permute" || opcode == "collective-permute-start";
}

}  // namespace

void writePermutation(llvm::ArrayRef<int64_t> order, llvm::raw_ostream &os) {
  if (order.size() < 2) return;
  os << "T(";
  writeNumbers(order, os);
  os << ')';
}

void writeGroups(const WireMessage &instruction, llvm::raw_ostream &os) {
  const WireMessage devices = instruction.message(fields::kDeviceList);
  constexpr StringRef kKey = ", replica_groups=";
  if (instruction.has(fields::kMeshAxes)) {
    writeMesh(instruction.message(fields::kMeshAxes), os << kKey);
  } else if (instruction.has(fields::kIotaDevices)) {
    writeIota(instruction.message(fields::kIotaDevices), os << kKey);
  } else if (devices.has(2)) {
    writeIota(devices.message(2), os << kKey);
  } else if (devices.count(1)) {
    writeLists(devices, 1, os << kKey);
  } else if (instruction.count(fields::kReplicaGroups)) {
    writeLists(instruction, fields::kReplicaGroups, os << kKey);
  } else if (namesGroups(instruction.bytes(2))) {
    os << kKey << "{}";
  }
  if (!instruction.count(fields::kSourceTargets) &&
      !sendsInPairs(instruction.bytes(2)))
    return;
  os << ", source_target_pairs={";
  llvm::ListSeparator comma(",");
  instruction.each(fields::kSourceTargets, [&](StringRef bytes) {
    const WireMessage pair(bytes);
    os << comma << '{' << pair.integer(1) << ',' << pair.integer(2) << '}';
  });
  os << '}';
}

}  // namespace indexical
