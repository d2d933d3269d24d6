"""Captures for PyTorch."""

# torch is too large for the machine of the tests, where its types are unknown.
# pyright: reportMissingImports=false

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np
import torch
from torch.utils.data import Dataset

from ..capture import Capture
from ..opening import open_capture, open_recording
from ..settings import StrPath


class DepthDataset(Dataset[Dict[str, Any]]):
    """Photos and the frames of recordings as tensors.

    An item has ``depth`` (H, W) float32, meters, 0 where missing; ``valid`` (H, W) bool; ``sigma`` (H, W)
    float32, NaN where not known; ``K`` (3, 3) float32; where the capture has them ``color`` (3, h, w) uint8 and
    ``world_from_camera`` (4, 4) float32. Tensors are copies, so that workers can send them.

    Workers of a ``DataLoader`` open files themselves. Start them by ``multiprocessing_context="spawn"``: the
    library has threads, which a fork does not take along.

    Args:
        photos: Paths of photos, one item each.
        recordings: Paths of recordings, one item for each frame.
    """

    def __init__(self, photos: Sequence[StrPath] = (), recordings: Sequence[StrPath] = ()) -> None:
        self._places: List[Tuple[StrPath, Optional[int]]] = [(path, None) for path in photos]
        for path in recordings:
            self._places += [(path, index) for index in range(len(open_recording(path)))]

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, index: int) -> Dict[str, Any]:
        path, frame = self._places[index]
        return tensors(open_capture(path, frame=frame))


def tensors(capture: Capture) -> Dict[str, Any]:
    """One capture as the tensors of :class:`DepthDataset`.

    Raises:
        NotMeasurableError: Its depths are relative.
    """
    meters = capture.depth.meters
    valid = np.isfinite(meters)
    item: Dict[str, Any] = {
        "depth": torch.from_numpy(np.where(valid, meters, np.float32(0))),
        "valid": torch.from_numpy(valid),
        "sigma": torch.from_numpy(capture.depth.sigma.copy()),
        "K": torch.from_numpy(capture.K.astype(np.float32)),
    }
    color = capture.color
    if color is not None:
        item["color"] = torch.from_numpy(color.transpose(2, 0, 1).copy())
    if capture.pose is not None:
        item["world_from_camera"] = torch.from_numpy(capture.pose.world_from_camera.astype(np.float32))
    return item
