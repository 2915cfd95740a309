"""A calculator: text to tokens, tokens to postfix notation, and that to a value."""

import math

from pyarray import njit

PRECEDENCE = {"(": 0, "+": 1, "-": 1, "*": 2, "/": 2, "~": 3, "^": 4}


@njit
def tokenize(text):
    """(kind, text) of each token; the kinds are "number", "name" and "operator"."""
    tokens = []
    i = 0
    while i < len(text):
        c, start = text[i], i
        if c.isspace():
            i += 1
            continue
        if c.isdigit() or c == ".":
            while i < len(text) and (text[i].isdigit() or text[i] in ".e" or (text[i] in "+-" and text[i - 1] == "e")):
                i += 1
            kind = "number"
        elif c.isalpha():
            while i < len(text) and text[i].isalnum():
                i += 1
            kind = "name"
        elif c in "+-*/^()":
            i += 1
            kind = "operator"
        else:
            raise SyntaxError(f"unexpected {c!r} at {i} in {text!r}")
        tokens.append((kind, text[start:i]))
    return tokens


@njit
def precedence(operator):
    """How tightly an operator binds; "~" is the minus before an operand."""
    if operator in "+-":
        return 1
    if operator in "*/":
        return 2
    return {"~": 3, "^": 4}.get(operator, 0)


@njit
def to_postfix(tokens):
    """The same tokens in postfix notation (Dijkstra's shunting yard)."""
    output, operators = [("", "")], ["("]
    output.clear()
    before = "("
    for kind, text in tokens:
        if kind != "operator":
            output.append((kind, text))
        elif text == "(":
            operators.append(text)
        elif text == ")":
            while operators[-1] != "(":
                output.append(("operator", operators.pop()))
            operators.pop()
            if not operators:
                raise SyntaxError("')' without '('")
        else:
            if text == "-" and before in "(+-*/^~":
                text = "~"
            else:
                while precedence(operators[-1]) > precedence(text) - (text == "^"):
                    output.append(("operator", operators.pop()))
            operators.append(text)
        before = text
    while operators[-1] != "(":
        output.append(("operator", operators.pop()))
    if len(operators) > 1:
        raise SyntaxError("'(' was never closed")
    return output


@njit
def apply(operator, a, b):
    """The value of a binary operator."""
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return a / b
    return a**b


@njit
def tokenizer(text, names):
    """The value of an expression, whose names a dict gives."""
    stack = [0.0]
    stack.clear()
    for kind, token in to_postfix(tokenize(text)):
        if kind == "number":
            stack.append(float(token))
        elif kind == "name":
            stack.append(names[token])
        elif not stack:
            raise SyntaxError(f"{token!r} has no operand")
        elif token == "~":
            stack[-1] = -stack[-1]
        else:
            b = stack.pop()
            stack[-1] = apply(token, stack[-1], b)
    return stack.pop()


def arguments(size=500):
    """A sum of that many terms."""
    return " + ".join(f"({i} - x^2) * -2.5e-1 / (y + {i}.5)" for i in range(size)), {"x": 1.5, "y": 2.0}


def reference(text, names):
    """The same by Python's own parser."""
    return eval(text.replace("^", "**"), {}, dict(names))


def main():
    """Print values of expressions, and what is wrong with others."""
    names = {"pi": math.pi, "e": math.e}
    for text in (
        "1 + 2 * 3",
        "-(1 - 4) ^ 2",
        "2^3^2 / 2",
        "e^(-pi/2) * 1.5e3",
        "1 / (3 - 3)",
        "2 * (3",
        "2 # 3",
        "tau",
    ):
        try:
            print(f"{text} = {tokenizer(text, names)}")
        except (SyntaxError, ArithmeticError, LookupError) as error:
            print(f"{text}: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
