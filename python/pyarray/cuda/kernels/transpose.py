"""The transpose of a matrix on the device, under the names of ``numba.cuda.kernels.transpose``."""

from .._arrays import device_array


def transpose(a, b=None):
    """Copy the transpose of a device array.

    Parameters
    ----------
    a : DeviceNDArray
        Of two dimensions.
    b : DeviceNDArray, optional
        Where to; a new array, in C order, by default.

    Returns
    -------
    DeviceNDArray
        ``b``
    """
    if a.ndim != 2:
        raise ValueError(f"a matrix is transposed, not an array of {a.ndim} dimensions")
    stream = getattr(a, "stream", 0) or 0
    if b is None:
        b = device_array(a.shape[::-1], a.dtype, stream=stream)
    b.setitem(..., a.T, stream=stream)
    return b
