"""The Markdown table of one run's results."""


def markdown(document):
    lines = []
    for group in document["groups"]:
        reference = group["times"][group["reference"]]["median_ms"]
        memory = group.get("peak_memory_mib")
        lines += [f"**{group['work']}**", ""]
        head = ["", "median ms", "min ms", "quartiles ms", f"× {group['reference']}"]
        head += ["peak MiB"] if memory else []
        lines += [row(head), row(["---"] + ["---:"] * (len(head) - 1))]
        for name, times in group["times"].items():
            low, high = times["quartiles_ms"]
            cells = [
                name, number(times["median_ms"]), number(times["minimum_ms"]),
                f"{number(low)}–{number(high)}", f"{times['median_ms'] / reference:.2f}",
            ]
            cells += [f"{memory[name]:.0f}" if name in memory else ""] if memory else []
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
