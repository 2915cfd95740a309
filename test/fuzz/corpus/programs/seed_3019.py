# f(3, 20, -1e300, 0.5, False, complex(0.5, math.nan), np.array([math.inf, 5e-324, 0.5, 1.0, -1.0], float)[::-1], np.array([int(x) for x in [1, 0, 1, -2, 7, -9]])[::-1], np.repeat(np.resize(np.array([5e-324, -99.5, 17.25, math.inf, math.inf, 0.5]), (3, 3)), 2, axis=1)[:, ::2], 'abc', 'x y z')
#   ('raised', ('KeyError', (-9223372036854775808,), [('f', 4)], False, None, None))
# but CPython
#   ('raised', ('KeyError', (-1000000000000000052504760255204420248704468581108159154915854115511802457988908195786371375080447864043704443832883878176942523235360430575644792184786706982848387200926575803737830233794788090059368953234970799945081119038967640880074652742780142494579258788820056842838115669472196386865459400540160,), [('f', 4)], False, None, None))
@njit
def f(i0, i1, f0, f1, b0, z0, a, v, m, s0, s1):
    ds, ss = ({1: 0.5, i1: f0}, {1, 4})
    ds[math.ceil(sum(ds.values()))] += i0


CALLS = [
    "(3, 20, -1e300, 0.5, False, complex(0.5, math.nan), np.array([math.inf, 5e-324, 0.5, 1.0, -1.0], float)[::-1], np.array([int(x) for x in [1, 0, 1, -2, 7, -9]])[::-1], np.repeat(np.resize(np.array([5e-324, -99.5, 17.25, math.inf, math.inf, 0.5]), (3, 3)), 2, axis=1)[:, ::2], 'abc', 'x y z')",
]
