"""Reads a CSV file with Python's csv module and with pandas and compares it with the rows in a JSON file.

    csv_rows.py TABLE.csv ROWS.json

ROWS.json is a list of lists of strings. Prints how many rows, heads included, each of both read; fails at the
first difference.
"""
import csv
import json
import pathlib
import sys

import pandas


def compare(name, read, expected):
    assert len(read) == len(expected), f"{name}: {len(read)} rows, {len(expected)} expected"
    for number, (row, other) in enumerate(zip(read, expected)):
        assert row == other, f"{name}: row {number}: {row!r} is not {other!r}"


def main():
    table, rows = sys.argv[1:]
    expected = json.loads(pathlib.Path(rows).read_text(encoding="utf-8"))
    with open(table, newline="", encoding="utf-8") as file:
        by_csv = list(csv.reader(file))
    compare("csv", by_csv, expected)
    frame = pandas.read_csv(table, dtype=str, keep_default_na=False, encoding="utf-8", lineterminator=None)
    by_pandas = [list(frame.columns)] + frame.values.tolist()
    compare("pandas", by_pandas, expected)
    print(f"csv {len(by_csv)} pandas {len(by_pandas)}")


main()
