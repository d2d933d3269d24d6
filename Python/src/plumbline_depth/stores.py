"""Files in any store that fsspec reaches: ``s3://``, ``gs://``, ``https://``, ``memory://``, …, and local ones."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

import fsspec

from .errors import MissingInputError

#: What a store needs, as fsspec takes it, such as ``{"endpoint_url": "http://10.0.0.2:9000"}``.
StorageOptions = Optional[Mapping[str, Any]]

_LOCAL = {"file", "local"}


class Store:
    """The store of one address, and the path that the address has in it."""

    def __init__(self, address: str, options: StorageOptions = None) -> None:
        system, path = fsspec.core.url_to_fs(address, **(options or {}))
        self.system: Any = system
        self.path: str = str(path)

    @property
    def is_local(self) -> bool:
        """Whether paths are those of the operating system."""
        protocol = self.system.protocol
        return not _LOCAL.isdisjoint([protocol] if isinstance(protocol, str) else protocol)

    def copy_to(self, folder: str, maximum_bytes: int) -> str:
        """Copies the file or folder of the address into a local folder, under its own name, and returns its path.

        Raises:
            FileNotFoundError: There is none.
            ValueError: It has more than ``maximum_bytes``.
        """
        target = os.path.join(folder, _own_name(self.path))
        if self.system.isdir(self.path):
            files: Dict[str, Dict[str, Any]] = self.system.find(self.path, detail=True)
            size = sum(int(each.get("size") or 0) for each in files.values())
        else:
            size = int(self.system.info(self.path).get("size") or 0)
        if size > maximum_bytes:
            raise ValueError(f"it has {size} bytes, and {maximum_bytes} are allowed")
        self.system.get(self.path, target, recursive=self.system.isdir(self.path))
        return target

    def names(self, folder: str = "") -> List[str]:
        """The names of what is directly in the folder of the address, or one in it; none where it is missing."""
        self.system.invalidate_cache()
        try:
            listed = self.system.ls(f"{self.path.rstrip('/')}/{folder}".rstrip("/"), detail=False)
        except FileNotFoundError:
            return []
        return sorted(_own_name(str(each)) for each in listed)

    def put(self, local: Union[str, Path], name: str) -> None:
        """Copies a local file or folder into the folder of the address; a file appears whole.

        What has that name already is replaced.
        """
        target = f"{self.path.rstrip('/')}/{name}"
        partial = f"{target}.partial"
        self.system.makedirs(os.path.dirname(target), exist_ok=True)
        self._remove(partial)
        self.system.put(os.fspath(local), partial, recursive=os.path.isdir(local))
        if self.is_local:
            _synchronize(partial)
        if os.path.isdir(local):
            self._remove(target)
        self.system.mv(partial, target, recursive=os.path.isdir(local))

    def read(self, name: str) -> bytes:
        """The bytes of a file in the folder of the address."""
        data: bytes = self.system.cat_file(f"{self.path.rstrip('/')}/{name}")
        return data

    def write(self, name: str, data: bytes) -> None:
        """Writes a small file into the folder of the address."""
        with tempfile.TemporaryDirectory(prefix="plumbline-") as folder:
            local = os.path.join(folder, _own_name(name))
            with open(local, "wb") as file:
                file.write(data)
            self.put(local, name)

    def _remove(self, path: str) -> None:
        if self.system.exists(path):
            self.system.rm(path, recursive=True)


def is_path(address: str) -> bool:
    """Whether an address names no store: it is a path of the operating system."""
    return "://" not in address and "::" not in address


def expanded(patterns: Union[str, Sequence[str]], options: StorageOptions = None) -> List[str]:
    """The addresses of captures, each once, in the order of the bytes of their names.

    Args:
        patterns: Addresses; one with ``*``, ``?`` or ``[`` stands for all that match it.

    Raises:
        MissingInputError: Nothing matches a pattern.
    """
    found: Dict[str, None] = {}
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        matches = list(_matches(pattern, options))
        if not matches:
            raise MissingInputError(f"no file matches {pattern}", file=pattern)
        found.update(dict.fromkeys(matches))
    return sorted(found, key=lambda address: address.encode())


def _matches(pattern: str, options: StorageOptions) -> Iterator[str]:
    store = Store(pattern, options)
    if not any(each in pattern for each in "*?["):
        yield store.path if store.is_local else pattern
        return
    for path in store.system.glob(store.path):
        address = path if store.is_local else store.system.unstrip_protocol(path)
        # A name that is not UTF-8 has no place in JSON: the capture fails by the name that is written for it.
        yield str(address).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _own_name(path: str) -> str:
    name = path.rstrip("/").rsplit("/", 1)[-1]
    return "capture" if name in ("", ".", "..") else name


def _synchronize(path: str) -> None:
    for each in [Path(path), *Path(path).rglob("*")]:
        if not each.is_file():
            continue
        with open(each, "rb") as file:
            os.fsync(file.fileno())

