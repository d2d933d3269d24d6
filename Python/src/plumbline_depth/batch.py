"""``plumbline batch`` from Python: many captures on one machine, and what it left as rows and tables.

    import plumbline_depth as plumb

    results = plumb.batch.run("check", ["captures"], "results")
    for row in results:
        print(row.path, row.verdict, row.depth_sigma_millimeters)
    results.to_parquet("results.parquet")
"""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

from .batch_rows import Row, RowError, RowFinding, RowValue, row_of
from .errors import MissingInputError
from .program import parsed, run_program
from .settings import Setting, StrPath, arguments

__all__ = ["Results", "Row", "RowError", "RowFinding", "RowValue", "run"]

_LINES, _TABLE = "results.jsonl", "results.csv"


class Results:
    """The folder of results of ``plumbline batch``: its rows, in the order of their paths.

    Iterating reads ``results.jsonl`` line by line; the rows are never all in memory.

    Args:
        folder: The folder.
        summary: What the run said about itself: the document ``plumbline.batch/1``; empty of an older run.

    Raises:
        MissingInputError: The folder has no results.
    """

    def __init__(self, folder: StrPath, summary: Optional[Dict[str, Any]] = None) -> None:
        self.folder = Path(folder)
        self.summary = summary or {}
        for name in (_LINES, _TABLE):
            if not (self.folder / name).is_file():
                raise MissingInputError(f"the folder has no {name}", file=str(folder))

    def __iter__(self) -> Iterator[Row]:
        # The lines lack the exit codes of captures with a result; the table has the same captures in the same order.
        with open(self.folder / _LINES, encoding="utf-8", newline="\n") as lines:
            with open(self.folder / _TABLE, encoding="utf-8", newline="") as table:
                for line, columns in zip(lines, csv.DictReader(table)):
                    yield row_of(json.loads(line), int(columns["code"]))

    def __repr__(self) -> str:
        return f"Results({str(self.folder)!r})"

    def to_pandas(self) -> Any:
        """The rows as a table of pandas, whose columns are those of ``results.csv`` and ``document``."""
        import pandas

        return pandas.DataFrame([row.columns() for row in self], columns=list(row_of({}).columns()))

    def to_parquet(self, path: StrPath) -> int:
        """Writes the rows as Parquet and returns their number. It needs pyarrow.

        ``Documentation/batch-ray.md`` lists the columns and their types. The file appears whole or not at all; one of
        the same name is replaced.
        """
        from .batch_tables import write_parquet

        return write_parquet(self, path)


def run(
    verb: str,
    captures: Union[StrPath, Sequence[StrPath]],
    output: StrPath,
    *,
    workers: Optional[int] = None,
    shard: Optional[str] = None,
    retry_failed: bool = False,
    time_limit: Optional[float] = None,
    memory_limit: Optional[str] = None,
    reports: bool = False,
    force: bool = False,
    **settings: Setting,
) -> Results:
    """Runs a verb on many captures of this machine, by ``plumbline batch``.

    The same call again goes on where it ended. Captures that failed do not raise; their rows say why.

    Args:
        verb: ``check``, ``convert``, ``cloud``, ``extract``, ``correct``, ``filter``, ``measure``, ``estimate``,
            ``face`` or ``verify``.
        captures: Files, folders, and lists as ``@list.txt``.
        output: The folder of results.
        workers: How many processes work at a time.
        shard: ``"3/16"`` does the third part of sixteen.
        retry_failed: Whether captures that failed are tried again.
        time_limit: What one capture may take, seconds.
        memory_limit: What one capture may use, as the command takes it.
        reports: Whether ``check``, ``measure`` and ``verify`` write the report or image of each capture too.
        force: Whether results of other settings are replaced.
        settings: The options of the verb with ``_`` for ``-``.

    Raises:
        PlumblineError: The batch itself failed.
        KeyboardInterrupt: Python was interrupted; what ran is finished and kept.
    """
    own = {
        "output": os.fspath(output),
        "workers": workers,
        "shard": shard,
        "retry": "failed" if retry_failed else None,
        "time_limit": time_limit,
        "memory_limit": memory_limit,
        "reports": reports,
        "force": force,
    }
    given: List[StrPath] = [captures] if isinstance(captures, (str, os.PathLike)) else list(captures)
    of_verb = arguments(settings)
    _, printed = run_program(
        ["batch", verb, *(os.fspath(each) for each in given), "--json", *arguments(own)]
        + (["--", *of_verb] if of_verb else [])
    )
    return Results(output, parsed(printed) or {})
