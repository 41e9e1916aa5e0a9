"""The headers that a test compiles against, as files."""

def _headers_of_impl(ctx):
    headers = depset(transitive = [
        dep[CcInfo].compilation_context.headers
        for dep in ctx.attr.deps
    ])
    files = [
        header
        for header in headers.to_list()
        if header.is_source and not header.owner.workspace_name and
           header.extension == "h"
    ]
    return [DefaultInfo(
        files = depset(files),
        runfiles = ctx.runfiles(files = files),
    )]

headers_of = rule(
    implementation = _headers_of_impl,
    attrs = {"deps": attr.label_list(providers = [CcInfo])},
    doc = "Every header of the repository that one of the libraries includes.",
)

SourceFiles = provider(
    doc = "the C++ files of a target and of those behind it",
    fields = {"files": "depset of files of the repository"},
)

def _source_files_impl(target, ctx):
    if ctx.label.workspace_name:
        return [SourceFiles(files = depset())]
    files, behind = [], []
    if ctx.rule.kind == "genrule" and "unit" not in ctx.rule.attr.tags:
        return [SourceFiles(files = depset())]
    for key in ["srcs", "hdrs", "textual_hdrs"]:
        for each in getattr(ctx.rule.attr, key, []):
            if SourceFiles in each:  # a unit (bazel/library.bzl)
                behind.append(each[SourceFiles].files)
            files += [
                file
                for file in each.files.to_list()
                if file.is_source and file.extension in ["cc", "h"]
            ]
    for each in getattr(ctx.rule.attr, "deps", []):
        behind.append(each[SourceFiles].files)
    return [SourceFiles(files = depset(files, transitive = behind))]

_source_files = aspect(
    implementation = _source_files_impl,
    apply_to_generating_rules = True,
    attr_aspects = ["deps", "srcs"],
)

def _sources_of_impl(ctx):
    files = depset(transitive = [
        dep[SourceFiles].files
        for dep in ctx.attr.deps
    ])
    return [DefaultInfo(
        files = files,
        runfiles = ctx.runfiles(transitive_files = files),
    )]

sources_of = rule(
    implementation = _sources_of_impl,
    attrs = {"deps": attr.label_list(aspects = [_source_files])},
    doc = "Every C++ file of the repository that the targets are made of.",
)
