"""`mdbench lint`: check reports."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from mdbench.cli.inputs import (
    check_codes,
    list_reports,
    read_configuration,
    select_rules,
    split_codes,
)
from mdbench.cli.lint_output import show_findings
from mdbench.cli.options import (
    AddParser,
    ConfigOptions,
    add_cluster,
    add_color,
    add_config,
    add_format,
    add_jobs,
    add_output,
    add_paths,
    add_selection,
    add_stdin_filename,
    set_run,
)
from mdbench.cluster import ClusterOptions, Task, run_on_cluster
from mdbench.config.loading import check_settings
from mdbench.config.nearest import Nearest
from mdbench.files.console import Console
from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.errors import OK, Errors, ProblemError, report_error
from mdbench.files.writing import on_terminal, open_output
from mdbench.linting.fail_on import FailOn
from mdbench.linting.plan import Plan, Project
from mdbench.linting.results import FileResult, Totals
from mdbench.output import FORMATS, OutputOptions, write_each
from mdbench.rules.findings import Safety

if TYPE_CHECKING:
    from mdbench.cli.baseline import Baselines
    from mdbench.config.settings import Settings
    from mdbench.linting.cache.memory import Memory

    Configured = tuple[Settings, Mapping[str, Settings]]
    # The settings of the run, and those of the folders that have their own.

_FOUND = 1
_NOT_ON_CLUSTER = (
    *("fix", "unsafe_fixes", "diff", "add_ignores", "watch"),
    *("statistics", "baseline", "write_baseline"),
)

# Modules are imported where they are needed: many runs find every file in the cache.
# ruff: noqa: PLC0415


class LintOptions(NamedTuple):
    """The options of `lint`."""

    paths: Sequence[str]
    format: str
    color: str
    select: Sequence[str] | None
    ignore: Sequence[str] | None
    extend_select: Sequence[str] | None
    fail_on: str | None
    baseline: str | None
    no_baseline: bool
    write_baseline: bool
    fix: bool
    unsafe_fixes: bool
    diff: bool
    add_ignores: bool
    watch: bool
    statistics: bool
    no_cache: bool
    output: str | None
    jobs: int | None
    stdin_filename: str
    cluster: ClusterOptions
    configuration: ConfigOptions
    console: Console

    @property
    def fixes(self) -> bool:
        """Whether to change reports, in files or in a diff."""
        return self.fix or self.diff or self.add_ignores

    @property
    def safety(self) -> Safety | None:
        """How safe a fix must be to be applied; None to apply none."""
        if not self.fixes or self.add_ignores:
            return None
        return Safety.UNSAFE if self.unsafe_fixes else Safety.SAFE


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "lint",
        summary="check reports",
        description="Check reports: exit code 0 if there are no findings, else 1.",
        examples=(
            "mdbench lint reports/ --select MB3,MB4",
            "mdbench lint results.md --fix --diff",
            "mdbench lint --format sarif -o mdbench.sarif",
        ),
    )
    add_paths(parser)
    add_format(
        parser,
        tuple(FORMATS),
        "full",
        help_text="output format: full and concise are for people, the others for programs "
        "(default: full)",
    )
    add_color(parser)
    add_selection(parser)
    group = parser.add_mutually_exclusive_group()
    parser.add_argument(
        "--baseline",
        group=group,
        metavar="FILE",
        help="file of known findings, which are not shown (default: for each report the "
        "nearest .mdbench-baseline.json, in its folder or above)",
    )
    parser.add_argument(
        "--no-baseline", group=group, action="store_true", help="show known findings too"
    )
    parser.add_argument(
        "--write-baseline",
        action="store_true",
        help="record all findings as known, and remove those that no longer occur",
    )
    parser.add_argument(
        "--fix",
        action="store_true",
        help="apply fixes that change no measurement; output and exit code are about the "
        "remaining findings. Standard input is fixed to standard output, and its findings go to "
        "standard error",
    )
    parser.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix or --diff: also apply fixes that change a number or remove a row",
    )
    parser.add_argument(
        "--diff",
        action="store_true",
        help="write no file, show the changes of --fix as a diff; exit code 1 if there are any",
    )
    parser.add_argument(
        "--add-ignores",
        action="store_true",
        help="write an ignore comment for each finding into the reports, or with --diff show them; "
        "no measurement and nothing that readers see changes",
    )
    parser.add_argument(
        "--watch",
        action="store_true",
        help="lint again whenever a report, its configuration or its results change; Ctrl-C stops",
    )
    parser.add_argument(
        "--statistics",
        action="store_true",
        help="also count findings and verified numbers, and list the laws that were found",
    )
    parser.add_argument(
        "--no-cache",
        action="store_true",
        help="ignore the cache: check every file and store nothing",
    )
    add_output(parser)
    add_jobs(parser)
    add_stdin_filename(parser)
    add_cluster(parser)
    add_config(parser)
    set_run(parser, LintOptions, run)


def run(options: LintOptions) -> int:
    """Show the findings; 1 if some are severe enough, 2 if something could not be done."""
    if not options.watch:
        return _run(options)
    if options.fixes or options.write_baseline or STANDARD_INPUT in options.paths:
        raise ProblemError(
            "--watch cannot be used with --fix, --diff, --add-ignores, --write-baseline or -"
        )
    from mdbench.cli.watching import look_at_files, watch

    read = partial(read_configuration, options.configuration)
    look = partial(look_at_files, options.paths, read)
    return watch(partial(_run, options), look, options.console)


def _run(options: LintOptions) -> int:
    settings = read_configuration(options.configuration)
    memory = _open_memory(options, settings)
    # Settings with which files were checked before need no check.
    vouched = memory is not None and memory.vouches
    if not vouched:
        settings = check_settings(settings)
    settings = select_rules(settings, options)
    if not vouched:
        check_codes(settings)
    if options.add_ignores and (options.fix or options.write_baseline):
        raise ProblemError("--add-ignores cannot be used with --fix or --write-baseline")
    if options.cluster.is_wanted:
        return _run_on_cluster(options, settings)
    try:
        return _lint(options, settings, memory)
    finally:
        if memory is not None:
            memory.save()


def _open_memory(options: LintOptions, settings: "Settings") -> "Memory | None":
    """The cache; None to check all files, as for fixes, each of which must be proved."""
    if options.cluster.is_wanted or options.no_cache or options.fixes:
        return None
    from mdbench.linting.cache.opening import open_memory

    asked = (options.select, options.ignore, options.extend_select)
    rules = tuple(map(split_codes, asked))
    return open_memory(settings.stated, settings.folder, rules, options.console.log_step)


def _run_on_cluster(options: LintOptions, settings: "Settings") -> int:
    for name in _NOT_ON_CLUSTER:
        if getattr(options, name):
            raise ProblemError(f"--{name.replace('_', '-')} cannot be used with --engine dask")
    if options.format != "full":
        raise ProblemError(f"--engine dask writes parquet, not --format {options.format}")
    baseline = settings.baseline_of(settings.folder)
    if baseline is not None and not options.no_baseline:
        report_error(f"{baseline}: a baseline is not used with --engine dask")
    where = options.cluster, options.console
    task = Task("findings", options.paths, options.output, options.jobs, *where)
    return run_on_cluster(task, settings)


def _lint(options: LintOptions, settings: "Settings", memory: "Memory | None") -> int:
    errors = Errors()
    nearest = Nearest(settings, partial(_check_other, memory=memory))
    paths = sorted(list_reports(options.paths, nearest, errors, options.console))
    baselines = _open_baselines(options, settings, paths)
    others = nearest.for_others(paths, options.stdin_filename)
    plan = Plan(
        settings.selection,
        options.statistics,
        options.stdin_filename,
        settings.most_bytes,
        fix=options.safety,
        add_ignores=options.add_ignores,
        write=(options.fix or options.add_ignores) and not options.diff,
        per_file=settings.per_file,
        describe=baselines is not None,
        most_seconds=settings.most_seconds,
        suppressed=FORMATS[options.format].has_suppressed,
        folders={folder: _make_project(one) for folder, one in others.items()},
    )
    fail_on = FailOn(settings.threshold, {folder: one.threshold for folder, one in others.items()})
    totals = Totals(fail_on)
    checked = _report_errors(
        _check(paths, plan, options, (settings, others), memory), errors, options
    )
    results = totals.watch(checked if baselines is None else baselines.sift(checked))
    if baselines is not None and options.write_baseline:
        deque(results, maxlen=0)
        for line in baselines.renew(plan.wants):
            options.console.print(f"{line}\n")
        return errors.exit_code
    output = OutputOptions(
        fail_on=fail_on, write_each=write_each if memory is None else memory.show
    )
    try:
        aside = plan.write and STANDARD_INPUT in paths
        show_findings(_print_fixed(results, paths, plan), totals, options, output, aside=aside)
    except BrokenPipeError:
        if plan.write:
            # The reader has seen enough; the other files are still fixed.
            deque(results, maxlen=0)
        raise
    if baselines is not None and not options.console.quiet:
        for line in baselines.summarize(plan.wants):
            options.console.print(f"{line}\n")
    found = totals.fixed if options.diff and fail_on.usual is not None else totals.failing
    return errors.exit_code or (_FOUND if found else OK)


def _check_other(settings: "Settings", memory: "Memory | None") -> "Settings":
    """The settings of another folder, checked unless they were before."""
    vouched = memory is not None and memory.vouches_for(settings.stated)
    return settings if vouched else check_settings(settings)


def _make_project(settings: "Settings") -> Project:
    # Imported lazily: needed only if a folder has settings of its own.
    from mdbench.linting.cache.keys import mark_settings

    return Project(
        settings.selection,
        settings.most_bytes,
        settings.extensions,
        settings.per_file,
        settings.results,
        mark_settings(settings.stated, settings.folder),
        settings.most_seconds,
    )


def _open_baselines(
    options: LintOptions, settings: "Settings", paths: Sequence[str]
) -> "Baselines | None":
    write, named = options.write_baseline, options.baseline
    names = (options.stdin_filename if path == STANDARD_INPUT else path for path in paths)
    folders = {os.path.dirname(os.path.abspath(name)) for name in names}
    # A baseline may list reports that were deleted, and are near to no other.
    folders.add(settings.folder)
    if not (write or named) and (
        options.no_baseline or not any(map(settings.baseline_of, folders))
    ):
        return None
    if write and (options.fixes or options.output):
        raise ProblemError("--write-baseline cannot be used with --fix, --diff or -o")
    from mdbench.cli.baseline import open_baselines

    return open_baselines(named, settings, folders, write=write)


def _check(
    paths: Sequence[str],
    plan: Plan,
    options: LintOptions,
    configured: "Configured",
    memory: "Memory | None",
) -> Iterator[FileResult]:
    check = partial(check_files, plan=plan, jobs=options.jobs, configured=configured)
    results = check(paths) if memory is None else memory.check(paths, plan, check)
    shared = on_terminal(options.output)
    return options.console.track(
        results, len(paths), "checking", prints=lambda one: shared and bool(one.findings)
    )


def check_files(
    paths: Sequence[str], plan: Plan, jobs: int | None, configured: "Configured"
) -> Iterator[FileResult]:
    """Check files that are not in the cache."""
    from mdbench.files.workers import default_jobs, map_files
    from mdbench.linting.runner import lint_file

    jobs = 1 if STANDARD_INPUT in paths else jobs or default_jobs()
    settings, others = configured
    checked = check_settings(settings)
    plan = plan._replace(
        extensions=checked.extensions,
        results=checked.results,
        folders={folder: _make_project(check_settings(one)) for folder, one in others.items()},
    )
    yield from map_files(partial(lint_file, plan=plan), paths, jobs=jobs)


def _report_errors(
    results: Iterable[FileResult], errors: Errors, options: LintOptions
) -> Iterator[FileResult]:
    for result in results:
        if result.fixed.problem:
            errors.report(result.fixed.problem)
        if options.console.verbose:
            options.console.log_step(f"{result.path}: {result.tally.total} findings")
        yield result


def _print_fixed(
    results: Iterable[FileResult], paths: Sequence[str], plan: Plan
) -> Iterator[FileResult]:
    """Print the fixed text of standard input."""
    for path, result in zip(paths, results, strict=True):
        if path == STANDARD_INPUT and plan.write:
            with open_output(None) as sink:
                sink.write(result.source.to_bytes())
        yield result
