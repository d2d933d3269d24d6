"""The package's targets as they are on a platform: which of ours each needs, which C modules, which of others."""
import dataclasses
import json
import pathlib
import subprocess


@dataclasses.dataclass(frozen=True)
class Target:
    """One target of Package.swift."""

    name: str
    kind: str                       # regular, executable, test, system
    path: str                       # relative to the package
    needs: tuple[str, ...]          # other targets of the package, C modules included
    products: tuple[str, ...]       # modules of other packages

    @property
    def is_c(self) -> bool:
        return self.path.startswith("Sources/C/")


def manifest(package: pathlib.Path) -> dict:
    """What `swift package dump-package` says."""
    run = subprocess.run(
        ["swift", "package", "--package-path", str(package), "dump-package"], check=True, stdout=subprocess.PIPE)
    return json.loads(run.stdout)


def targets(dump: dict, platform: str) -> dict[str, Target]:
    """The targets by name, with the dependencies that a platform (`iOS`, `macOS`) has."""
    result = {}
    for target in dump["targets"]:
        needs, products = [], []
        for dependency in target["dependencies"]:
            (kind, values), = dependency.items()
            condition = values[-1]
            if condition and platform.lower() not in [name.lower() for name in condition["platformNames"]]:
                continue
            (products if kind == "product" else needs).append(values[0])
        path = target.get("path") or f"Tests/{target['name']}"
        result[target["name"]] = Target(target["name"], target["type"], path, tuple(needs), tuple(products))
    # A `byName` dependency may name a product of another package.
    return {
        name: dataclasses.replace(
            target, needs=tuple(need for need in target.needs if need in result),
            products=target.products + tuple(need for need in target.needs if need not in result))
        for name, target in result.items()}


def closure(graph: dict[str, Target], roots: list[str]) -> list[str]:
    """The named targets and all that they need, each after what it needs."""
    order: list[str] = []

    def add(name: str) -> None:
        if name not in order:
            for need in graph[name].needs:
                add(need)
            if name not in order:
                order.append(name)

    for root in roots:
        add(root)
    return order
