// The number of the contract between what is written and those who read it
// (docs/keys.md).
#ifndef INDEXICAL_ANSWERS_SCHEMA_H
#define INDEXICAL_ANSWERS_SCHEMA_H

namespace indexical {

inline constexpr char kSchema[] = "indexical/1";

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_SCHEMA_H
