"""``numba.pycc``: extension modules compiled ahead of time, by Numba's names."""

import os

from .aot import Module

__all__ = ["CC"]


class CC(Module):
    """An extension module; see :class:`pyarray.aot.Module`.

    Parameters
    ----------
    extension_name : str
    source_module : module, optional
        Accepted for Numba's sake.

    Attributes
    ----------
    name, output_dir, output_file : str
        Where :meth:`compile` puts the module.
    target_cpu : str
        As LLVM names it; ``"host"`` is this machine's. The default runs on all of x86-64.
    verbose, use_nrt, debug : bool
        Accepted for Numba's sake.
    """

    def __init__(self, extension_name, source_module=None):
        import sysconfig

        super().__init__(extension_name)
        self.verbose, self.use_nrt, self.debug = False, True, False
        self.output_dir = os.getcwd()
        self.output_file = extension_name.rpartition(".")[2] + sysconfig.get_config_var("EXT_SUFFIX")

    @property
    def target_cpu(self):
        """The processor."""
        return self.cpu or "host"

    @target_cpu.setter
    def target_cpu(self, cpu):
        self.cpu, self.features = (None, None) if cpu in ("host", "native") else (cpu or "x86-64", "")

    def export(self, exported_name, sig):
        """Decorator: add a function under a name, for a signature."""
        return super().export(exported_name, sig)

    def compile(self):
        """Make the extension module, in `output_dir`."""
        super().compile(os.path.join(self.output_dir, self.output_file))
