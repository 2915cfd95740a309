// The part of <complex.h> that our C uses on the GPU; lib/device/complex.c defines the functions.
#ifndef PYARRAY_LIB_DEVICE_LIBC_COMPLEX_H
#define PYARRAY_LIB_DEVICE_LIBC_COMPLEX_H

#define complex _Complex
#define creal(z) __builtin_creal(z)
#define cimag(z) __builtin_cimag(z)

double complex cacos(double complex z);
double complex cacosh(double complex z);
double complex casin(double complex z);
double complex casinh(double complex z);
double complex catan(double complex z);
double complex catanh(double complex z);
double complex ccos(double complex z);
double complex ccosh(double complex z);
double complex cexp(double complex z);
double complex clog(double complex z);
double complex cpow(double complex z, double complex w);
double complex csin(double complex z);
double complex csinh(double complex z);
double complex csqrt(double complex z);
double complex ctan(double complex z);
double complex ctanh(double complex z);

#endif // PYARRAY_LIB_DEVICE_LIBC_COMPLEX_H
