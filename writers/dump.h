// The document of `indexical dump`: for people (dump_text.cc), for tools, and
// for pages (dump_structure.cc).
#ifndef INDEXICAL_WRITERS_DUMP_H
#define INDEXICAL_WRITERS_DUMP_H

#include <memory>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/dump/dump.h"
#include "indexical/answers/dump/question.h"
#include "indexical/writers/result.h"

namespace indexical {

std::unique_ptr<DumpSink> makeTextSink(llvm::raw_ostream &os,
                                       const DumpQuestion &question,
                                       TextStyle style);
/// `path` and `format` are those of the source, for the document.
std::unique_ptr<DumpSink> makeStructureSink(Structure &to, llvm::StringRef path,
                                            llvm::StringRef format);
/// Like makeStructureSink, and passes every map of an answer to `data`, in no
/// particular order.
std::unique_ptr<DumpSink> makePageSink(Structure &to, llvm::StringRef path,
                                       llvm::StringRef format, PageData &data);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_DUMP_H
