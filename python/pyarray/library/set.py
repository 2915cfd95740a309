"""Methods of sets with any number of arguments, and those of generators, which may change the set meanwhile."""


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


def union_of_items(self, other, /):
    """``set.union`` of a generator."""
    made = self.copy()
    made.update(other)
    return made


def intersection_of_items(self, other, /):
    """``set.intersection`` of a generator."""
    made = self.copy()
    made.clear()
    for item in other:
        if item in self:
            made.add(item)
    return made


def intersection_update_of_items(self, other, /):
    """``set.intersection_update`` of a generator."""
    made = intersection_of_items(self, other)
    self.clear()
    self.update(made)


def difference_of_items(self, other, /):
    """``set.difference`` of a generator."""
    made = self.copy()
    difference_update_of_items(made, other)
    return made


def difference_update_of_items(self, other, /):
    """``set.difference_update`` of a generator."""
    for item in other:
        self.discard(item)


def issuperset_of_items(self, other, /):
    """``set.issuperset`` of a generator."""
    for item in other:
        if item not in self:
            return False
    return True


def isdisjoint_of_items(self, other, /):
    """``set.isdisjoint`` of a generator."""
    for item in other:
        if item in self:
            return False
    return True
