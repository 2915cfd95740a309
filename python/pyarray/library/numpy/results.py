"""Text of NumPy's named results, of which the library knows the fields alone."""


def _text(name, fields, values):
    text, between = name + "(", ""
    for field, value in zip(fields, values):
        text += between + field + "=" + repr(value)
        between = ", "
    return text + ")"


def _eig(self):
    return _text("EigResult", ("eigenvalues", "eigenvectors"), self)


def _eigh(self):
    return _text("EighResult", ("eigenvalues", "eigenvectors"), self)


def _qr(self):
    return _text("QRResult", ("Q", "R"), self)


def _slogdet(self):
    return _text("SlogdetResult", ("sign", "logabsdet"), self)


def _svd(self):
    return _text("SVDResult", ("U", "S", "Vh"), self)


def _unique_all(self):
    return _text("UniqueAllResult", ("values", "indices", "inverse_indices", "counts"), self)


def _unique_counts(self):
    return _text("UniqueCountsResult", ("values", "counts"), self)


def _unique_inverse(self):
    return _text("UniqueInverseResult", ("values", "inverse_indices"), self)


TEXTS = {
    "EigResult": _eig,
    "EighResult": _eigh,
    "QRResult": _qr,
    "SlogdetResult": _slogdet,
    "SVDResult": _svd,
    "UniqueAllResult": _unique_all,
    "UniqueCountsResult": _unique_counts,
    "UniqueInverseResult": _unique_inverse,
}
