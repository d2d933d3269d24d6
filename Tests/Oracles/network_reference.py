"""Layers of networks in numpy, straight from their definitions; shared by the oracles of model files."""
import numpy as np


def window(x, kernel, stride, pads, dilation=(1, 1), fill=0.0):
    """Patches of x (N, C, H, W) as N, C, rows, columns, kernel rows, kernel columns."""
    top, left, bottom, right = pads
    x = np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)), constant_values=fill)
    extent = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
    view = np.lib.stride_tricks.sliding_window_view(x, extent, axis=(2, 3))
    return view[:, :, :: stride[0], :: stride[1], :: dilation[0], :: dilation[1]]


def same(size, kernel, stride, upper=True):
    total = [max(0, (-(-n // s) - 1) * s + k - n) for n, k, s in zip(size, kernel, stride)]
    less = [t // 2 for t in total]
    more = [t - t // 2 for t in total]
    return (*less, *more) if upper else (*more, *less)


def conv(x, weights, bias=None, stride=(1, 1), pads=(0, 0, 0, 0), dilation=(1, 1), groups=1):
    """Weights are output, input / groups, rows, columns."""
    patches = window(x, weights.shape[2:], stride, pads, dilation)
    outputs = []
    for patch, kernel in zip(np.split(patches, groups, 1), np.split(weights, groups, 0)):
        outputs.append(np.einsum("nchwij,ocij->nohw", patch, kernel, optimize=True))
    y = np.concatenate(outputs, 1)
    return y if bias is None else y + bias[None, :, None, None]


def deconv(x, weights, bias=None, stride=(1, 1), crop=(0, 0, 0, 0)):
    """Weights are input, output, rows, columns; each input pixel spreads a kernel."""
    n, _, h, w = x.shape
    kh, kw = weights.shape[2:]
    y = np.zeros((n, weights.shape[1], (h - 1) * stride[0] + kh, (w - 1) * stride[1] + kw))
    for row in range(h):
        for column in range(w):
            y[:, :, row * stride[0]: row * stride[0] + kh, column * stride[1]: column * stride[1] + kw] += np.einsum(
                "nc,coij->noij", x[:, :, row, column], weights)
    top, left, bottom, right = crop
    y = y[:, :, top: y.shape[2] - bottom, left: y.shape[3] - right]
    return y if bias is None else y + bias[None, :, None, None]


def batch_normalization(x, scale, offset, mean, variance, epsilon):
    shape = (1, -1, 1, 1)
    return (x - mean.reshape(shape)) / np.sqrt(variance.reshape(shape) + epsilon) * scale.reshape(shape) + offset.reshape(shape)


def relu(x):
    return np.maximum(x, 0)


def max_pool(x, kernel, stride, pads):
    return window(x, kernel, stride, pads, fill=-np.inf).max((4, 5))


def interleave(a, b, c, d):
    """Four images into one of twice the size: A even rows and columns, B odd rows, C odd columns, D both."""
    n, channels, h, w = a.shape
    y = np.zeros((n, channels, 2 * h, 2 * w))
    y[:, :, 0::2, 0::2], y[:, :, 1::2, 0::2], y[:, :, 0::2, 1::2], y[:, :, 1::2, 1::2] = a, b, c, d
    return y
