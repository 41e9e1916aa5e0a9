// The version of Indexical: the one place that says it. The command, its JSON
// documents, its man pages and the packages print it from here.
//
//   indexical --version                        indexical 0.9.0
//   #if INDEXICAL_VERSION_NUMBER >= 10000      since 1.0.0
//
// docs/install.md says which changes raise it.
#ifndef INDEXICAL_VERSION_H
#define INDEXICAL_VERSION_H

#define INDEXICAL_VERSION_MAJOR 0
#define INDEXICAL_VERSION_MINOR 9
#define INDEXICAL_VERSION_PATCH 0

/// Two digits each: 1.2.3 is 10203.
#define INDEXICAL_VERSION_NUMBER                                     \
  (INDEXICAL_VERSION_MAJOR * 10000 + INDEXICAL_VERSION_MINOR * 100 + \
   INDEXICAL_VERSION_PATCH)

#define INDEXICAL_VERSION_TEXT_OF(a, b, c) #a "." #b "." #c
#define INDEXICAL_VERSION_TEXT(a, b, c) INDEXICAL_VERSION_TEXT_OF(a, b, c)

namespace indexical {

/// `0.9.0`
inline constexpr char kVersion[] = INDEXICAL_VERSION_TEXT(
    INDEXICAL_VERSION_MAJOR, INDEXICAL_VERSION_MINOR, INDEXICAL_VERSION_PATCH);

}  // namespace indexical

#endif  // INDEXICAL_VERSION_H
