"""What patterns of ``match`` need beyond tests."""


def rest_of(mapping, keys):
    """The items of a dict whose keys are not among ``keys``: ``**rest`` of a mapping pattern."""
    rest = mapping.copy()
    for key in keys:
        rest.pop(key)
    return rest
