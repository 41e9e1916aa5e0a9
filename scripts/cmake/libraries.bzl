"""The files of the libraries, for CMake: one list, which Bazel knows."""

# The component of each folder (_COMPONENTS), and the components that each of
# them may use (_USES).
_COMPONENTS = {
    "": "api",
    "answers": "analysis",
    "command": "command",
    "cost": "analysis",
    "exact": "core",
    "import/hlo": "hlo",
    "import/profile": "analysis",
    "import/stablehlo": "mlir",
    "import/triton": "mlir",
    "import/wire": "core",
    "indexing": "core",
    "layout": "core",
    "ops": "core",
    "program": "hlo",
    "python": "python",
    "same": "analysis",
    "simplifier": "core",
    "tools": "command",
    "writers": "command",
}
_USES = {
    "analysis": ["core", "hlo"],
    "api": ["analysis", "core", "hlo"],
    "command": ["analysis", "api", "core", "hlo", "mlir"],
    "core": ["api"],
    "hlo": ["core"],
    "mlir": ["analysis", "core", "hlo"],
    "python": ["analysis", "api", "command", "core", "hlo", "mlir"],
}

# Targets of another component than their folder's.
_ELSEWHERE = {
    "//:version": "core",
    "//same/mlir:check_passes": "mlir",
    "//answers/inputs:bytecode": "command",
    "//answers/inputs:inputs": "command",
    "//answers/kernel:kernel": "command",
    "//answers/layout:layout": "command",
    "//answers/draw:draw": "command",
    "//answers/draw:draw_own_headers": "command",
    "//answers/report:input_report": "command",
    "//answers/report:inductor": "command",
    "//answers/report:triton_kernels": "command",
    "//indexing:affine_map": "mlir",
    "//import/llvm:llvm": "mlir",
    "//import/llvm:ir_terms": "mlir",
    "//import/llvm:llvm_own_headers": "mlir",
    "//import/llvm:values": "mlir",
    "//import/python:python": "command",
    "//import/python:python_own_headers": "command",
    "//import/triton/sources:sources": "command",
    "//import/triton/sources:sources_own_headers": "command",
    "//import/triton:triton": "mlir",
    "//import/wire:decompress": "command",
    "//import/wire:decompress_own_headers": "command",
}

LibraryFiles = provider(
    doc = "what a target and those behind it are made of",
    fields = {
        "generated": "(file, command): what a genrule writes",
        "libraries": "(label, sources, public headers, generated headers, labels of libraries)",
    },
)

def _name(label):
    return "//%s:%s" % (label.package, label.name)

def _component(name):
    name = name.split("_unit_")[0]
    if name in _ELSEWHERE:
        return _ELSEWHERE[name]
    folders = name[2:].split(":")[0].split("/")
    room = "/".join(folders[:2])
    return _COMPONENTS[room if room in _COMPONENTS else folders[0]]

def _ours(targets):
    # CMake builds without precompiled headers.
    return [each for each in targets if LibraryFiles in each and each.label.package != "bazel"]

def _files_impl(target, ctx):
    if ctx.label.workspace_name:
        return []
    attributes = ctx.rule.attr
    behind = []
    for key in ["deps", "hdrs", "srcs"]:
        behind += _ours(getattr(attributes, key, []))
    libraries, generated = [], []
    if ctx.rule.kind == "genrule" and "unit" in attributes.tags:
        # The sources of a unit: CMake makes units of its own.
        sources = tuple([each.short_path for each in ctx.rule.files.srcs])
        libraries.append((_name(ctx.label), sources, (), (), ()))
    elif ctx.rule.kind == "genrule":
        command = attributes.cmd
        for part in command.split("$(location ")[1:]:
            place = part.split(")")[0]
            if place.startswith("//"):
                path = place[2:].replace(":", "/")
            else:
                path = place if place.startswith("@") else ctx.label.package + "/" + place
            command = command.replace("$(location %s)" % place, path)
        for out in attributes.outs:
            generated.append((ctx.label.package + "/" + out.name, command))
    elif ctx.rule.kind in ["cc_library", "cc_binary"]:
        sources = [each.short_path for each in ctx.rule.files.srcs if each.is_source]
        headers = ctx.rule.files.hdrs if hasattr(ctx.rule.files, "hdrs") else []
        is_own = ctx.label.name.endswith("_own_headers") or "internal" in attributes.tags
        libraries.append((
            _name(ctx.label),
            tuple(sources),
            tuple([each.short_path for each in headers if each.is_source and not is_own]),
            tuple([each.short_path for each in headers if not each.is_source]),
            tuple([_name(each.label) for each in _ours(attributes.deps)]),
        ))
    return [LibraryFiles(
        generated = depset(generated, transitive = [each[LibraryFiles].generated for each in behind]),
        libraries = depset(libraries, transitive = [each[LibraryFiles].libraries for each in behind]),
    )]

_files = aspect(
    implementation = _files_impl,
    attr_aspects = ["deps", "hdrs", "srcs"],
    apply_to_generating_rules = True,
)

def _set(name, values):
    return "set(INDEXICAL_%s%s)\n" % (
        name,
        "".join(["\n  " + each for each in sorted(values)]),
    )

def _command(out, command):
    """A line `file|flags|definitions` of what mlir-tblgen writes."""
    words = command.split(" ")
    flags = [word for word in words[1:] if word.startswith("-gen") or "dialect=" in word or "dialects=" in word]
    return "\"%s|%s|%s\"" % (out, ",".join(flags), words[-3])

def _list_impl(ctx):
    found = {component: {} for component in _USES}
    units = {component: [] for component in _USES}
    headers = {component: {} for component in _USES}
    for library in depset(transitive = [each[LibraryFiles].libraries for each in ctx.attr.libraries]).to_list():
        name, sources, public, made, deps = library
        own = _component(name)
        for each in deps:
            other = _component(each)
            if other != own and other not in _USES[own]:
                fail("%s is of %s, and uses %s of %s" % (name, own, each, other))
        if "_unit_" in name:
            unit = name[2:].replace("/", "_").replace(":", "_")
            units[own].append(",".join([unit] + list(sources)))
        found[own].update({each: True for each in sources if each.endswith(".cc")})
        headers[own].update({each: True for each in public + made})
    tblgen, page = [], ""
    for out, command in depset(transitive = [each[LibraryFiles].generated for each in ctx.attr.libraries]).to_list():
        if "mlir-tblgen" in command.split(" ")[0]:
            tblgen.append(_command(out, command))
        else:
            page = command
    parts = ["# Made of the BUILD files: bazel run //scripts/cmake:write_libraries.\n"]
    for component in sorted(_USES):
        parts.append(_set(component.upper() + "_SOURCES", found[component]))
        parts.append("# A name, and the sources that are compiled together.\n" + _set(component.upper() + "_UNITS", units[component]))
        if component not in ["command", "python"]:
            parts.append(_set(component.upper() + "_HEADERS", headers[component]))
    parts.append("# File, flags and definitions of what mlir-tblgen writes.\n" + _set("TBLGEN", tblgen))
    arguments = [word for word in page.split(" ") if "=" in word]
    parts.append("# Arguments of writers/page/embed.py.\n" + _set("PAGE", arguments))
    output = ctx.actions.declare_file(ctx.label.name + ".cmake")
    ctx.actions.write(output, "\n".join(parts))
    return [DefaultInfo(
        files = depset([output]),
        runfiles = ctx.runfiles([output]),
    )]

cmake_libraries = rule(
    implementation = _list_impl,
    doc = """NAME.cmake: sources, units, public headers and generated files by component.

    It fails where a library uses one that its component may not use.
    """,
    attrs = {
        "libraries": attr.label_list(aspects = [_files], mandatory = True),
    },
)
