"""Records on devices."""

import operator

import numpy as np

from ._arrays import DeviceNDArray


class DeviceRecord(DeviceNDArray):
    """One record of an array on a device. Its fields, by name or number, are read and stored there, as those of NumPy's
    are in the array's memory: numbers and text are copied, sub-arrays and records within are views.
    """

    def _from_shadow(self, view, kind=DeviceNDArray):
        return super()._from_shadow(view, kind)

    def _view(self, item):
        if isinstance(item, (str, list)):
            view = self._shadow()[item]
        elif item is Ellipsis or item == ():
            return self._from_shadow(self._shadow()), False
        elif not isinstance(item, tuple) and hasattr(item, "__index__"):
            view = self._shadow()[self.dtype.names[operator.index(item)]]
        else:
            raise IndexError("a record is indexed by the names or numbers of its fields")
        return self._from_shadow(view), view.ndim == 0

    def __getattr__(self, name):
        if _has_field(self, name):
            return self[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name, value):
        if name == "stream":
            super().__setattr__(name, value)
        elif _has_field(self, name):
            self[name] = value
        else:
            raise AttributeError(f"fields of a record on a device are stored by record[{name!r}] = value")

    def __len__(self):
        return len(self.dtype.names)

    def __eq__(self, other):
        other = other.copy_to_host() if isinstance(other, DeviceNDArray) else other
        return self.copy_to_host()[()] == other

    def __ne__(self, other):
        return not self == other

    __hash__ = None

    def __str__(self):
        return str(self.copy_to_host()[()])

    def __repr__(self):
        return f"<DeviceRecord {self.dtype} on device {self._ordinal}>"


def _has_field(record, name):
    """Fields are attributes of NumPy's records alone, and not of np.void."""
    return issubclass(record.dtype.type, np.record) and name in record.dtype.names
