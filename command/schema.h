// The JSON Schema of what one command prints, cut out of that of all.
//
//   schemaOf("count", SchemaOf::Document)
//     {"$schema": …, "title": "A document of `indexical count`",
//      "anyOf": [{"$ref": "#/$defs/how-many"},
//                {"$ref": "#/$defs/a-file-that-failed"}],
//      "$defs": {"how-many": …, "a-count": …, …}}
//
// Its definitions are texts of the whole schema (writers/schema_text.h), in
// their order, and those that they name.
#ifndef INDEXICAL_COMMAND_SCHEMA_H
#define INDEXICAL_COMMAND_SCHEMA_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace indexical {

enum class SchemaOf : uint8_t { Document, Lines };

/// Returns the commands whose answers have a schema, in the order of the page.
std::vector<std::string> commandsWithSchema();

/// Returns the schema of a document of `--format=json`, or of a line of
/// `--format=jsonl`; "" if the command has none.
std::string schemaOf(llvm::StringRef command, SchemaOf of);

/// Returns the schema of a document for a tool of a server (mcp/tools.h), on
/// one line and without descriptions: an object that is one document, or
/// several under `documents`. "" if the command has none.
std::string toolSchemaOf(llvm::StringRef command);

/// Returns the members of the text of an object of JSON, each with the text of
/// its value. The text must be right JSON.
std::vector<std::pair<llvm::StringRef, llvm::StringRef>> membersOf(
    llvm::StringRef object);

/// Returns where a value of JSON ends that begins at `from`; npos if it does
/// not end. The text must be right JSON up to there.
size_t endOfJson(llvm::StringRef text, size_t from);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_SCHEMA_H
