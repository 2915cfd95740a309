"""Methods of sets with any number of arguments."""


def union_of_several(self, *others):
    """All items of the set and of others."""
    made = self.copy()
    for other in others:
        made = made.union(other)
    return made


def update_of_several(self, *others):
    """Add all items of others."""
    for other in others:
        self.update(other)


def intersection_of_several(self, *others):
    """The items that all have."""
    made = self.copy()
    for other in others:
        made = made.intersection(other)
    return made


def intersection_update_of_several(self, *others):
    """Keep the items that all have."""
    for other in others:
        self.intersection_update(other)


def difference_of_several(self, *others):
    """The items that no other has."""
    made = self.copy()
    for other in others:
        made = made.difference(other)
    return made


def difference_update_of_several(self, *others):
    """Drop the items that another has."""
    for other in others:
        self.difference_update(other)
