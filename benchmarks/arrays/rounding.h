// A division by one number for many, as one writes it for speed, by its reciprocal; or, with EXACT, as NumPy does it.
#ifndef ROUNDING_H
#define ROUNDING_H

#ifdef EXACT
#define INVERSE(y) (y)
#define OVER(x, inverse) ((x) / (inverse))
#else
#define INVERSE(y) (1 / (y))
#define OVER(x, inverse) ((x) * (inverse))
#endif

#endif // ROUNDING_H
