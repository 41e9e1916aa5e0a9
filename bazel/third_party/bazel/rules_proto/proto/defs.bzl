"""The protobuf rules that are built into Bazel, under the name others load them by."""

proto_lang_toolchain = native.proto_lang_toolchain
proto_library = native.proto_library
