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
