"""The Markdown table of one run's results."""


def markdown(document):
    lines = []
    for group in document["groups"]:
        reference = group["times"][group["reference"]]["median_ms"]
        busy = group.get("processor_ms")
        memory = group.get("peak_memory_mib")
        corners = group.get("corners")
        lines += [f"**{group['work']}**", ""]
        head = ["", "median ms", "min ms", "quartiles ms", f"× {group['reference']}"]
        head += ["processor ms", "peak MiB"] if memory else []
        head += ["corners", "mean error px"] if corners else []
        lines += [row(head), row(["---"] + ["---:"] * (len(head) - 1))]
        for name, times in group["times"].items():
            low, high = times["quartiles_ms"]
            cells = [
                name, number(times["median_ms"]), number(times["minimum_ms"]),
                f"{number(low)}–{number(high)}", f"{times['median_ms'] / reference:.2f}",
            ]
            if memory:
                cells.append(number(busy[name]) if name in busy else "")
                cells.append(f"{memory[name]:.0f}" if name in memory else "")
            if corners:
                error = group["mean_error_pixels"][name]
                cells += [str(corners[name]), "" if error is None else f"{error:.3f}"]
            lines.append(row(cells))
        lines.append("")
    return "\n".join(lines)


def row(cells):
    return "| " + " | ".join(cells) + " |"


def number(milliseconds):
    """Three significant digits."""
    if milliseconds >= 100:
        return f"{milliseconds:.0f}"
    return f"{milliseconds:.1f}" if milliseconds >= 10 else f"{milliseconds:.3g}"
