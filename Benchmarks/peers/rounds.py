"""Measuring contenders in turns, and what is said about the times."""

import statistics
import time


def timed(call):
    """A contender: `count` calls of a Python function, in nanoseconds, one by one."""

    def times(count):
        result = []
        for _ in range(count):
            start = time.perf_counter_ns()
            call()
            result.append(time.perf_counter_ns() - start)
        return result

    return times


def interleaved(contenders, rounds, calls):
    """Runs A B C A B C …, so that a load from outside meets all of them alike.

    `contenders` maps a name to a function from a count to a list of nanoseconds. The first call of
    each turn warms caches that the contender before has emptied, and is not counted.
    """
    times = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, measure in contenders.items():
            times[name] += measure(calls + 1)[1:]
    return {name: summary(values) for name, values in times.items()}


def summary(nanoseconds):
    """Minimum, median, quartiles and count, in milliseconds."""
    ordered = sorted(nanoseconds)
    low, _, high = statistics.quantiles(ordered, n=4) if len(ordered) > 1 else ordered * 3
    return {
        "minimum_ms": ordered[0] / 1e6,
        "median_ms": statistics.median(ordered) / 1e6,
        "quartiles_ms": [low / 1e6, high / 1e6],
        "calls": len(ordered),
    }
