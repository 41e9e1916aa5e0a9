"""The analyses: questions of the library, whose documents become data
classes."""

from __future__ import annotations

import os
import pathlib
import warnings

from indexical import _indexical
from indexical._errors import Error
from indexical._keywords import documented
from indexical._png import png_of
from indexical._renamed import renamed


def _program(source):
    if isinstance(source, _indexical.Program):
        return source
    program = _indexical.Program(
        pathlib.Path(source) if _is_path(source) else source)
    for note in program.notes:
        if "warning: " in note:
            warnings.warn(note, stacklevel=3)
    return program


def _is_path(source) -> bool:
    """Whether the source is a path. A text of a module has braces; so a text
    without, in one line, is the path of a file, which must be there."""
    if isinstance(source, str):
        if "\n" in source or "{" in source:
            return False
        if not os.path.exists(source):
            raise Error("there is no file `%s`" % source)
        return True
    return isinstance(source, os.PathLike)


def _listed(values) -> list:
    """The values, or the only one, which needs no list."""
    return [values] if isinstance(values, (str, os.PathLike)) else list(values)


def _made(kind: str, answered):
    """The data class of a document, with the function that writes its text."""
    from indexical import answers
    from indexical._document import made

    document, text = answered[:2]
    answer = made(getattr(answers, kind), document)
    answer._text = text
    return answer


def _part(source):
    """What is drawn of a source, and the options that say which part of it."""
    if hasattr(source, "_launch"):  # A Kernel. Lanes need no arrays.
        return source._text, dict(source._launch, shape=None, **source._where)
    if isinstance(source, _indexical.Instruction):
        computation = source.computation
        return computation.module.program, {
            "computation": computation.name, "instruction": source.name}
    if isinstance(source, (_indexical.Map, _indexical.Relation)):
        return source, {}
    return _program(source), {}


def _map_text(threads) -> str | None:
    return None if threads is None else str(threads)


def _baseline(earlier):
    """The path of a report, or its document."""
    if isinstance(earlier, os.PathLike):
        return os.fspath(earlier)
    return earlier.to_dict() if hasattr(earlier, "to_dict") else earlier


@documented
def report(source, *, top=None, sort=None, filter=(), min=None, baseline=None,
           group=None, device=None, launch=None, thread_map=None,
           partitions=None, replicas=None, topology=None, jobs=None,
           budget=None, deadline=None, memory=None,
           size=None, arguments=None, cancels=False, live=False,
           gpu=None, program_id=None, hlo=(), first=None, args=None,
           constants=None):
    """Every kernel of a module, ranked by what a change can save: a `Report`.

    The source is a `Program`, what `Program(…)` takes, a `Kernel` of Triton, or
    a path: of a module, a folder that a compiler dumped, a file that Inductor
    wrote (`output_code.py`), whose symbols `args` and whose blocks `constants`
    give, or a profile (`*.xplane.pb`), which `gpu`, `program_id`, `hlo` and
    `first` are about. `baseline` is an earlier report, or the path of one.
    Without `sort`, rows are in the order of the text.

    `print(report)` shows it as text. Its rows are `for row in report`, and
    `report.rows` is what `pandas.DataFrame` takes. Its `collectives` and
    `reshards` say what moves between devices; with `topology`, "within 8: 450
    GB/s; between: 50 GB/s", how long that takes. With `cancels` it has the
    values that are an earlier one again, with `live` the `peaks` of memory and
    the arrays that are live there.
    """
    launch_of_kernel = {}
    filter = _listed(filter)
    if hasattr(source, "_launch"):  # A Kernel.
        filter = [*filter,
                  *("%s=%s" % each for each in source._where.items())]
        source, launch_of_kernel = source._text, source._launch
    else:
        source = pathlib.Path(source) if _is_path(source) else _program(source)
        launch_of_kernel = dict(arg=args, constants=constants)
    options = dict(
        launch_of_kernel, top=top, sort=sort, filter=filter, min=min,
        group=group, device=device, launch=launch, partitions=partitions,
        replicas=replicas, topology=topology, jobs=jobs, budget=budget,
        deadline=deadline, memory=memory, size=size, arguments=arguments,
        cancels=cancels, live=live, thread_map=_map_text(thread_map),
        baseline=_baseline(baseline), gpu=gpu, program_id=program_id,
        hlo=[os.fspath(each) for each in _listed(hlo)], first=first)
    answered = _indexical.report(options, source)
    result = _made("Report", answered)
    # As in the text, what can be won comes first, where that is known.
    if sort is None and group is None and baseline is None and any(
            row.avoidable_us for row in result):
        if top is not None:
            answered = _indexical.report(dict(options, sort="avoidable"),
                                         source)
            result = _made("Report", answered)
        else:
            result.kernels.sort(key=lambda row: -(row.avoidable_us or 0))
    if thread_map is None and baseline is None:
        result._page = answered[2]
    return result


@documented
def coalescing(program, *, computation=None, instruction=None, space=None,
               runtime=None, device=None, launch=None, thread_map=None,
               jobs=None, budget=None, deadline=None, memory=None,
               size=None, arguments=None):
    """What the reads and writes of one kernel move: a `Report` of it."""
    return _made("Report", _indexical.coalescing(_program(program), dict(
        computation=computation, instruction=instruction, space=space,
        runtime=runtime, device=device, launch=launch,
        thread_map=_map_text(thread_map), jobs=jobs, budget=budget,
        deadline=deadline, memory=memory, size=size, arguments=arguments)))


def _steps(steps) -> list[tuple[str, int]] | None:
    """`{"dot:0": 64}`, or the step of the only loop, as pairs."""
    if steps is None:
        return None
    if isinstance(steps, dict):
        return list(steps.items())
    if isinstance(steps, str):
        return [(place.strip(), int(size)) for place, _, size in
                (each.rpartition("=") for each in steps.split(","))]
    return [("", steps)]


@documented
def tile(program, *, computation=None, instruction=None, tile=None,
         strides=None, steps=None, forward=False, tries=(), one_operand=False,
         search=False, sizes=None, shared=None,
         top=None, device=None, jobs=None, budget=None, deadline=None,
         memory=None,
         size=None, arguments=None):
    """What a tile of a root is in every instruction behind it: `Tiles`.

    A tile for each result is a list of lists. `steps` is the indices of a turn
    of the only loop, or those of loops by name: `{"dot:0": 64}`. With
    `forward`, what reads the tile. With `search`, the sizes for which all tiles
    are exact: a `TileSearch`.
    """
    program = _program(program)
    result = _made("TileSearch" if search else "Tiles", _indexical.tiles(
        program, dict(
            computation=computation, instruction=instruction, tile=tile,
            strides=strides, steps=_steps(steps), forward=forward, tries=tries,
            one_operand=one_operand, search=search, sizes=sizes,
            shared=shared, top=top, device=device, jobs=jobs, budget=budget,
            deadline=deadline, memory=memory, size=size,
            arguments=arguments)))
    is_drawn = not (search or forward or steps) and tile
    if is_drawn and all(isinstance(size, int) for size in tile):
        result._picture = lambda: str(draw(
            program, computation=computation, instruction=instruction,
            tile=tile))
    return result


class TileSpace:
    """The iteration space of tiles: results, and the steps of sums.

        space = TileSpace(program, "d").sizes(128, 256).step("d", 0, 64)
        space.behind(), space.forward(), space.search(device="h100")

    Each method that sets something returns a new space.
    """

    def __init__(self, program, instruction=None, computation=None):
        self._program = _program(program)
        self._instruction = instruction
        self._computation = computation
        self._sizes, self._strides, self._steps = [], [], {}

    def _with(self, name, value):
        space = TileSpace(self._program, self._instruction, self._computation)
        space._sizes, space._strides = self._sizes, self._strides
        space._steps = self._steps
        setattr(space, name, value)
        return space

    def sizes(self, *sizes):
        """Set the tile of all results; called again, that of the next one."""
        return self._with("_sizes", self._sizes + [list(sizes)])

    def strides(self, *strides):
        """Set the strides, likewise."""
        return self._with("_strides", self._strides + [list(strides)])

    def step(self, instruction, dimension, size):
        """Add a loop over a dimension that the instruction sums up."""
        return self._with("_steps", {
            **self._steps, "%s:%d" % (instruction, dimension): size})

    def __repr__(self):
        return "TileSpace(%s)" % ", ".join(
            "%s=%r" % each for each in self._options().items()
            if each[1] is not None)

    def _options(self):
        def lists(of):
            return of[0] if len(of) == 1 else of or None

        return {"instruction": self._instruction,
                "computation": self._computation,
                "tile": lists(self._sizes), "strides": lists(self._strides),
                "steps": self._steps or None}

    def behind(self):
        """What the tile reads of every instruction behind it: `Tiles`."""
        return tile(self._program, **self._options())

    def forward(self):
        """What reads the tile, of every later instruction: `Tiles`."""
        return tile(self._program, forward=True, **self._options())

    def search(self, *, device=None, sizes=None, shared=None, top=None):
        """The sizes for which all tiles are exact: a `TileSearch`."""
        return tile(self._program, search=True, device=device, sizes=sizes,
                    shared=shared, top=top, **self._options())


@documented
@renamed(block="at_block")
def utilization(program, *, computation=None, instruction=None, tile=None,
                at=None, thread_map=None, at_block=None, runtime=None,
                inside=False, jobs=None, budget=None, deadline=None,
                memory=None,
                size=None, arguments=None):
    """Which part of its operands an instruction reads: a `Utilization`."""
    return _made("Utilization", _indexical.uses(_program(program), dict(
        computation=computation, instruction=instruction, tile=tile, at=at,
        thread_map=_map_text(thread_map), at_block=at_block, runtime=runtime,
        inside=inside, jobs=jobs, budget=budget, deadline=deadline,
        memory=memory, size=size, arguments=arguments)))


@documented
def hazards(program, *, shares=None, device=None, jobs=None, budget=None,
            deadline=None, memory=None, size=None, arguments=None):
    """Which results may lie in the memory of an operand: a `Hazards`.

    Its `places` say of each update, fusion, alias, call, carry and copy whether
    it is safe in place, and which element is overwritten while it is read.
    """
    return _made("Hazards", _indexical.hazards(_program(program), dict(
        shares=shares, device=device, jobs=jobs, budget=budget,
        deadline=deadline, memory=memory, size=size, arguments=arguments)))


@documented
def sparsity(program, *, computation=None, result=None, parameter=None,
             jobs=None, budget=None, deadline=None, memory=None,
             size=None, arguments=None):
    """Which entries of a Jacobian can be other than zero: a `Sparsity`.

    `coo()` and `csr()` are its entries as lists, `scipy()` as a matrix; the
    `seeds_columns` are the columns whose products can be taken together.
    """
    program = _program(program)
    answered = _indexical.sparsity(program, dict(
        computation=computation, result=result, parameter=parameter, jobs=jobs,
        budget=budget, deadline=deadline, memory=memory, size=size,
        arguments=arguments))
    found = _made("Sparsity", answered)
    if found.entry_rows is not None:
        found._picture = answered[2]
    return found


@documented
def equal(first, second, *, map_parameters=None, values=False, float_laws=None,
          budget=None, deadline=None, memory=None, size=None, arguments=None):
    """Whether two programs read the same elements: an `Equality`.

    With `values`, whether they compute the same, too.
    """
    return _made("Equality", _indexical.equality(
        _program(first), _program(second), dict(
            map_parameters=map_parameters, values=values,
            float_laws=float_laws, budget=budget, deadline=deadline,
            memory=memory, size=size, arguments=arguments)))


@documented
def compare_partitioned(whole, local, *, parameter_shardings=None,
                        result_shardings=None, partitions=None, replicas=None,
                        map_parameters=None, budget=None, deadline=None,
                        memory=None):
    """Whether a partitioned program is the whole one: a `PartitionedEquality`.

    The shardings of arrays that neither program states are dictionaries, from
    the number of the array to the text, or lists of texts.
    """
    def numbered(texts):
        of = texts if isinstance(texts, dict) else dict(enumerate(texts or ()))
        for text in of.values():
            if not isinstance(text, str):
                raise TypeError("a sharding is given as its text, not as %s" %
                                type(text).__name__)
        return list(of.items())

    return _made("PartitionedEquality", _indexical.partitioned_equality(
        _program(whole), _program(local), dict(
            parameter_shardings=numbered(parameter_shardings),
            result_shardings=numbered(result_shardings), partitions=partitions,
            replicas=replicas, map_parameters=map_parameters, budget=budget,
            deadline=deadline, memory=memory)))


@documented
def reshard(source, target, global_shape, *, mesh=None, from_mesh=None,
            partitions=None, device_memory=None, latency=None, emit=None,
            budget=None, deadline=None, memory=None):
    """The collectives from one sharding to another: `ReshardPlans`.

    `source` and `target` are texts in any form. The first plan is the best one,
    and `plans[0].text` is what each device runs.
    """
    return _made("ReshardPlans", _indexical.reshard(dict(
        source=source, target=target, global_shape=global_shape, mesh=mesh,
        from_mesh=from_mesh, partitions=partitions,
        device_memory=device_memory, latency=latency, emit=emit, budget=budget,
        deadline=deadline, memory=memory)))


@documented
def passes(*paths, only=None, values=False, float_laws=None, jobs=None,
           budget=None, deadline=None, memory=None, size=None, arguments=None):
    """Which passes of a compiler change what is read: a list of `Passes`.

    `paths` are folders and files of dumps, as `indexical passes` takes them;
    each chain of dumps is one item, in the order of their names. `only` has
    some of "different", "undecided", "fewer-reads", "equal".
    """
    if not paths:
        raise Error("passes() takes the paths of folders or files of dumps")
    return [_made("Passes", each) for each in _indexical.passes(
        [os.fspath(path) for path in paths], dict(
            only=only, values=values, float_laws=float_laws, jobs=jobs,
            budget=budget, deadline=deadline, memory=memory, size=size,
            arguments=arguments))]


class Picture:
    """An SVG. A notebook shows it; `str` is its text."""

    def __init__(self, svg: str):
        self._svg = svg

    def __str__(self) -> str:
        return self._svg

    def __repr__(self) -> str:
        return "<Picture of %d bytes>" % len(self._svg)

    def _repr_svg_(self) -> str:
        return self._svg

    def png(self, scale: float = 2.0) -> bytes:
        """The picture as a PNG, `scale` pixels for each of the SVG's.

        rsvg-convert or Chromium makes it; an `Error` where neither is there.
        """
        return png_of(self._svg, scale)

    def save(self, path) -> None:
        """Writes the SVG to a file, or a PNG if its name ends in `.png`."""
        name = str(path).lower()
        if not name.endswith((".png", ".svg")):
            raise Error("a picture is written as .svg or .png, not `%s`" % path)
        data = self.png() if name.endswith(".png") else self._svg.encode()
        with open(path, "wb") as file:
            file.write(data)


@documented
@renamed(shape="global_shape")
def draw(source=None, *, computation=None, instruction=None, element=None,
         tile=None, steps=None, at=None, dims=None, operand_dims=None, warp=None,
         device=None, launch=None, runtime=None, budget=None, deadline=None,
         memory=None, size=None, arguments=None, sharding=None,
         global_shape=None, partitions=None, mesh=None):
    """A `Picture` of a map, a relation, an instruction, a kernel or a program's
    root; or without a source, of who holds a `global_shape` over a
    `sharding`."""
    source, part = (None, {}) if source is None else _part(source)
    options = dict(
        computation=computation, instruction=instruction, element=element,
        tile=tile, steps=_steps(steps), at=at, dims=dims,
        operand_dims=operand_dims, warp=warp, device=device, launch=launch,
        runtime=runtime, budget=budget, deadline=deadline, memory=memory,
        size=size, arguments=arguments, sharding=sharding,
        global_shape=global_shape, partitions=partitions, mesh=mesh)
    return Picture(_indexical.draw(source, dict(options, **part)))


def picture_or_none(source) -> str | None:
    """What a notebook shows; nothing of what has no end, say."""
    try:
        return str(draw(source))
    except Error:
        return None
