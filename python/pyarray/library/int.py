"""Functions of the class ``int``."""


def from_bytes(bytes, byteorder="big", *, signed=False):
    """The integer that bytes say, where it has 64 bits."""
    if byteorder != "little" and byteorder != "big":
        raise ValueError("byteorder must be either 'little' or 'big'")
    codes = [code for code in bytes]
    if byteorder == "big":
        codes.reverse()
    negative = signed and len(codes) > 0 and codes[-1] >= 128
    filler = 255 if negative else 0
    for code in codes:
        if code < 0 or code > 255:
            raise ValueError("bytes must be in range(0, 256)")
    while len(codes) > 8 and codes[-1] == filler:
        codes.pop()
    if len(codes) > 8 or (len(codes) == 8 and (codes[7] >= 128) != negative):
        raise OverflowError("int.from_bytes(): the integer has more than 64 bits")
    value = -1 if negative else 0
    for k in range(len(codes)):
        value = value << 8 | codes[len(codes) - 1 - k]
    return value
