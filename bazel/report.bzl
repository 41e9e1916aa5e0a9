"""A report on many modules, one action each."""

# A list of one file, so that lines say which it is and an error is one of them.
_ONE = """
list=$(mktemp)
echo "$2" > "$list"
"$1" report "@$list" --format=jsonl --jobs=1 -o "$3" "${@:4}"
status=$?
rm "$list"
# Status 1: the file is wrong, and its line says so.
[[ $status -le 1 && -s "$3" ]]
"""

# The reports of the files are the beginning of the whole report: the tool
# resumes it with the last file, and adds `total`. Outputs of actions are
# read-only.
_MERGE = """
xargs cat < "$2" | grep -v '"kind":"total"' > "$4"
"$1" report "@$3" --format=jsonl --jobs=1 --resume -o "$4" "${@:5}" 2> /dev/null
[[ $? -le 1 ]]
"""

def _report_impl(ctx):
    tool = ctx.executable.tool
    parts = []
    for i, module in enumerate(ctx.files.srcs):
        part = ctx.actions.declare_file("%s.parts/%d.jsonl" % (ctx.label.name, i))
        parts.append(part)
        ctx.actions.run_shell(
            inputs = [module],
            outputs = [part],
            tools = [tool],
            command = _ONE,
            arguments = [tool.path, module.path, part.path] + ctx.attr.options,
            mnemonic = "IndexicalReport",
            progress_message = "Reporting on %s" % module.short_path,
        )
    lists = {}
    for name, files in [("parts", parts), ("modules", ctx.files.srcs)]:
        lists[name] = ctx.actions.declare_file("%s.parts/%s" % (ctx.label.name, name))
        ctx.actions.write(
            lists[name],
            "".join([file.path + "\n" for file in files]),
        )
    merged = ctx.actions.declare_file(ctx.label.name + ".jsonl")
    ctx.actions.run_shell(
        inputs = parts + lists.values() + ctx.files.srcs[-1:],
        outputs = [merged],
        tools = [tool],
        command = _MERGE,
        arguments = [
            tool.path,
            lists["parts"].path,
            lists["modules"].path,
            merged.path,
        ] + ctx.attr.options,
        mnemonic = "IndexicalMerge",
        progress_message = "Merging the reports of %s" % ctx.label,
    )
    return [DefaultInfo(
        files = depset([merged]),
        runfiles = ctx.runfiles([merged]),
    )]

indexical_report = rule(
    implementation = _report_impl,
    doc = """NAME.jsonl: what `indexical report --format=jsonl` says of the modules.

    One action for each module and one that merges, so that Bazel's cache keeps
    what is known of a module that has not changed, and its remote execution
    spreads a corpus over a cluster. The output is that of one call for all, byte
    for byte; a module that is wrong has a line with its error.
    """,
    attrs = {
        "srcs": attr.label_list(
            allow_files = True,
            allow_empty = False,
            mandatory = True,
            doc = "the modules: HLO or MLIR, also compressed",
        ),
        "options": attr.string_list(
            doc = "of `report`: `--device=a100`",
        ),
        # Not `exec`: who builds it for use would build it twice.
        "tool": attr.label(
            default = Label("//tools:indexical"),
            executable = True,
            cfg = "target",
        ),
    },
)
