# RUN: not %import %s:undefined 2>&1 | FileCheck %s --check-prefix=UNDEFINED
# RUN: not %import %s:unbound_cell 2>&1 | FileCheck %s --check-prefix=CELL
# RUN: not %import %s:attribute 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
# RUN: not %import %s:module 2>&1 | FileCheck %s --check-prefix=MODULE
# RUN: not %import %s:function 2>&1 | FileCheck %s --check-prefix=FUNCTION
# RUN: not %import %s:unknown_function 2>&1 | FileCheck %s --check-prefix=UNKNOWN
# RUN: not %import %s:lists_of_text 2>&1 | FileCheck %s --check-prefix=LISTS
# RUN: not %import %s:list_ 2>&1 | FileCheck %s --check-prefix=LIST
# RUN: not %import %s:dict_ 2>&1 | FileCheck %s --check-prefix=DICT
# RUN: not %import %s:object_ 2>&1 | FileCheck %s --check-prefix=OBJECT
# RUN: not %import %s:class_ 2>&1 | FileCheck %s --check-prefix=CLASS
# RUN: not %import %s:large 2>&1 | FileCheck %s --check-prefix=LARGE
# RUN: not %import %s:dtype 2>&1 | FileCheck %s --check-prefix=DTYPE
# RUN: not %import %s:swapped 2>&1 | FileCheck %s --check-prefix=SWAPPED
# RUN: not %import %s:matrix 2>&1 | FileCheck %s --check-prefix=MATRIX
# Names that stand for nothing compiled code can use.
import numpy as np

TABLE, MAPPING, LARGE = [], {1: "a", "b": 2}, 1 << 70
EXTENDED, SWAPPED = np.zeros(3, "g"), np.zeros(3, ">f8")
MATRIX = np.zeros((2, 2)).view(np.matrix)


class Settings:
    pass


SETTINGS = Settings()


def plain(x):
    return x


# UNDEFINED: refused_names.py:[[#@LINE+2]]:12: error: name 'nothing' has no value; define it before the function is compiled
def undefined():
    return nothing


# CELL: refused_names.py:[[#@LINE+3]]:16: error: name 'later' has no value
def make():
    def inner():
        return later

    return inner
    later = 1


unbound_cell = make()


# ATTRIBUTE: refused_names.py:[[#@LINE+2]]:12: error: module 'numpy' has no attribute 'nothing'
def attribute():
    return np.nothing


# MODULE: refused_names.py:[[#@LINE+2]]:12: error: the module 'np' used as a value is not supported
def module():
    return np


# FUNCTION: refused_names.py:[[#@LINE+2]]:12: error: 'plain' is a plain Python function, which compiled code cannot call; decorate it with @njit
def function():
    return plain(1)


# UNKNOWN: refused_names.py:[[#@LINE+2]]:12: error: 'np.savetxt' is not among the functions that compiled code knows
def unknown_function(x):
    return np.savetxt(x)


# LISTS: refused_names.py:[[#@LINE+2]]:12: error: 'np.char.split' is not among the functions that compiled code knows, which docs/numpy-support.md lists; its items are lists
def lists_of_text(a):
    return np.char.split(a)


# LIST: refused_names.py:[[#@LINE+2]]:12: error: the global or free variable 'TABLE' is a list that compiled code cannot hold: the items of an empty list have no type
def list_(i):
    return TABLE[i]


# DICT: refused_names.py:[[#@LINE+2]]:12: error: the global or free variable 'MAPPING' is a dict
def dict_(i):
    return MAPPING[i]


# OBJECT: refused_names.py:[[#@LINE+2]]:12: error: the global or free variable 'SETTINGS' is a Python Settings
def object_():
    return SETTINGS


# CLASS: refused_names.py:[[#@LINE+2]]:12: error: 'Settings' is a class that compiled code does not have
def class_():
    return Settings()


# LARGE: refused_names.py:[[#@LINE+2]]:12: error: an integer beyond 64 bits is not supported
def large():
    return LARGE


# DTYPE: refused_names.py:[[#@LINE+2]]:12: error: the global or free variable 'EXTENDED' is an array of a dtype that compiled code does not have; convert it with .astype
def dtype():
    return EXTENDED


# SWAPPED: refused_names.py:[[#@LINE+2]]:12: error: the global or free variable 'SWAPPED' is an array of byte-swapped elements
def swapped():
    return SWAPPED


# MATRIX: refused_names.py:[[#@LINE+2]]:12: error: the global or free variable 'MATRIX' is a subclass of numpy.ndarray; convert it with np.asarray
def matrix():
    return MATRIX
