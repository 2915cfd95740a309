# RUN: %import %s:statements | FileCheck %s --check-prefix=STATEMENTS
# RUN: %import %s:evaluated | FileCheck %s --check-prefix=EVALUATED
# RUN: %import %s:values | FileCheck %s --check-prefix=VALUES
# Branches that literals and frozen globals decide: what is not taken is not emitted.

MODE = "fast"
DEBUG = False
LEVEL = 2


# STATEMENTS-NOT: scf.if
# STATEMENTS-NOT: scf.while
# STATEMENTS-NOT: nothing
# STATEMENTS: return %arg0
def statements(x):
    if False:
        return nothing.of(x)  # noqa: F821
    if DEBUG and x > 0:
        return nothing.of(x)  # noqa: F821
    if MODE == "slow" or not 1 < LEVEL <= 2 or MODE not in ("fast", "medium"):
        return nothing.of(x)  # noqa: F821
    while DEBUG:
        nothing.of(x)  # noqa: F821
    return x


# What stands before the operand that decides is evaluated: it may raise.
# EVALUATED: pyarray.compare gt %arg0
# EVALUATED-NOT: nothing
# EVALUATED: return %arg0
def evaluated(x):
    if x > 0 and DEBUG and nothing.of(x):  # noqa: F821
        return nothing.of(x)  # noqa: F821
    return x


# VALUES: %[[FALSE:.*]] = pyarray.constant false
# VALUES-NOT: scf.if
# VALUES: %[[RESULT:.*]] = pyarray.tuple %arg0, %[[FALSE]], %arg0
# VALUES: return %[[RESULT]]
def values(x):
    return nothing.of(x) if DEBUG else x, DEBUG and nothing.of(x), MODE and x  # noqa: F821
