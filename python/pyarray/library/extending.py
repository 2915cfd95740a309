"""What users' programs say to the compiler."""


def literal_unroll(container):
    """The tuple: loops over tuples of several types are unrolled in any case."""
    return container
