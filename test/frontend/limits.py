# RUN: %import %s:many_operands | pyarray-opt -o /dev/null
# RUN: %import %s:many_returns | pyarray-opt -o /dev/null
# RUN: not %import %s:deep_expression 2>&1 | FileCheck %s --check-prefix=DEEP
# RUN: not %import %s:deep_blocks 2>&1 | FileCheck %s --check-prefix=BLOCKS
import linecache
import sys

sys.setrecursionlimit(20000)


def make(name, text):
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def returns(count):
    return "def f(x):\n" + "".join(f"    if x == {i}:\n        return {i}\n" for i in range(count))


many_operands = make("<operands>", "def f(x):\n    return " + " + ".join(["x"] * 1500) + "\n")
many_returns = make("<returns>", returns(300))

# DEEP: <deep>:2:12: error: code nested this deeply is not supported in compiled code; split it
deep_expression = make("<deep>", "def f(x):\n    return " + " + ".join(["x"] * 2500) + "\n")

# BLOCKS: <blocks>:802:5: error: control flow nested more than 400 levels deep is not supported
deep_blocks = make("<blocks>", returns(500))
