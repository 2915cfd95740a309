# RUN: %import %s:arrays | pyarray-opt | FileCheck %s
import numpy as np

TABLE = np.array([[1, 2], [3, 4]], dtype=np.int32)
FORTRAN = np.asfortranarray(np.array([[1.5, 2.5], [3.5, 4.5]]))
EVERY_OTHER = np.arange(6, dtype=np.uint8)[::2]
MASK = np.array([True, False])
WAVE = np.array([1 + 2j], dtype=np.complex64)
EMPTY = np.zeros((0, 3))
SCALAR = np.array(3.5)


# In C order, whatever the layout was.
# CHECK: pyarray.frozen_array dense<{{\[}}[1, 2], [3, 4]]> : tensor<2x2xsi32>
# CHECK: pyarray.frozen_array dense<{{\[}}[1.500000e+00, 2.500000e+00], [3.500000e+00, 4.500000e+00]]> : tensor<2x2xf64>
# CHECK: pyarray.frozen_array dense<[0, 2, 4]> : tensor<3xui8>
# CHECK: pyarray.frozen_array dense<[true, false]> : tensor<2xi1>
# CHECK: pyarray.frozen_array dense<(1.000000e+00,2.000000e+00)> : tensor<1xcomplex<f32>>
# CHECK: pyarray.frozen_array dense<> : tensor<0x3xf64>
# CHECK: pyarray.frozen_array dense<3.500000e+00> : tensor<f64>
def arrays():
    return TABLE, FORTRAN, EVERY_OTHER, MASK, WAVE, EMPTY, SCALAR
