"""Extensions under the names of ``numba.cuda.extending``: those of `pyarray.extending`, which kernels use too."""

from ..extending import (  # noqa: F401
    intrinsic,
    models,
    overload,
    overload_attribute,
    overload_method,
    register_jitable,
    register_model,
    typeof_impl,
)
