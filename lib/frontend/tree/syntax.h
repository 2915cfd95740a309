// The syntax tree: what read*.c make of ast objects, and the passes over it and the emission of operations read.
#ifndef PYARRAY_LIB_FRONTEND_SYNTAX_H
#define PYARRAY_LIB_FRONTEND_SYNTAX_H

#include <Python.h>

#include "pyarray-c/Types.h"
#include "support/support.h"

// Expressions, statements or regions nested deeper than this are refused: everything here is recursive, and so are
// MLIR's printer and verifier.
enum { PA_MAX_DEPTH = 2000, PA_MAX_REGION_DEPTH = 400 };

// ORDER COMPLETIONS: how a list of statements can end. A set is a mask of 1 << completion; the number is also the value
// of $state. DONE is a loop's own end, told from BREAK where the loop has an else.
typedef enum pa_completion { PA_FALL, PA_BREAK, PA_CONTINUE, PA_RETURN, PA_DONE, PA_COMPLETION_COUNT } pa_completion;
#define PA_CAN(completion) (1u << PA_##completion)

typedef struct pa_place {
  int line;
  int column; // in bytes of UTF-8, from 1
} pa_place;

// What is done with a function, where it is made or given: it is called, or returned, or anything else, so that nobody
// knows how long it may be called.
typedef enum pa_keeping { PA_USED_UP, PA_IN_RESULT, PA_KEPT } pa_keeping;

// A name that the function uses.
typedef struct pa_name {
  const char *text;
  int variable; // number of the local variable; -1: a free, global or builtin name

  bool elsewhere;         // declared global or nonlocal
  bool by_walrus;         // some expression binds it
  bool nonlocal;          // declared nonlocal, or a function within declares it so
  bool in_cell;           // several functions share it, and it changes: its value is the item of a list
  bool itself;            // of a nested function: its own name
  struct pa_name *import; // the name that an import statement binds, where this is it or, of a nested function, stands
                          // for it; or NULL
  int stores;             // how often the source binds it
  PyObject *exact;        // the int that a variable bound once is, or NULL
  bool scoped;            // a target of a comprehension: its cell is made each time that this is run
  struct pa_name *around; // of a nested function: what the function around it knows by this name; or NULL
  struct pa_closure *definition; // the nested function that a statement binds it to, or NULL
  struct pa_remade
      *remade; // closures.c: of a nested function, a function around it that is made anew where it is used; or NULL
  // closure_life.c
  bool deleted;
  int first_read, last_read;
  pa_keeping keeping; // what is done with its value
  struct pa_store *first_store;
  PyObject *object; // what a name that is no variable stands for, once looked up; kept alive by the importer
} pa_name;

typedef enum pa_expression_kind {
  PA_CONSTANT,     // constant, truth
  PA_NAME,         // name
  PA_UNARY,        // operator; [operand]
  PA_BINARY,       // operator; [left, right]
  PA_AND,          // [values...]
  PA_OR,           // [values...]
  PA_COMPARE,      // operators; [left, comparators...]
  PA_CONDITIONAL,  // [test, body, orelse]
  PA_CALL,         // keywords; [callee, arguments..., keyword arguments...]
  PA_ATTRIBUTE,    // text; [object]
  PA_SUBSCRIPT,    // [object, indices...]; operation: whether the index is a tuple
  PA_SLICE,        // [start, stop, step]
  PA_TUPLE,        // [elements...]
  PA_LIST,         // [items...]
  PA_DICT_DISPLAY, // [key, value, ...]
  PA_SET_DISPLAY,  // [items...]
  PA_STARRED,  // [operand]; in targets, displays and arguments of calls. operation: PA_SPREADS_MAPPING for **operand
  PA_WALRUS,   // name; [value]
  PA_INTERNAL, // text: a row of builtins.def; [arguments...]
  PA_CLOSURE,  // closure; [values of defaults..., captured variables...]
  PA_STEPS,    // steps: a block that leaves the value in a hidden variable
  PA_YIELD,    // [value]; its own value is None
} pa_expression_kind;

enum { PA_SPREADS_MAPPING = 1 };

typedef struct pa_expression pa_expression;
struct pa_expression {
  pa_expression_kind kind;
  pa_place place;
  pa_expression **operands;
  int count;    // of operands
  int capacity; // of a call's
  bool binds;   // it, or what it is made of, binds variables
  union {
    struct {
      MlirAttribute value;
      bool truth;
    } constant;
    pa_name *name;
    int operation;   // pyarray_binary_kind, pyarray_unary_kind
    int *operations; // pyarray_compare_kind, one for each comparator
    struct {
      const char **names;
      int count;
    } keywords;
    const char *text; // name of the attribute
    struct pa_closure *closure;
    struct {
      struct pa_block *block;
      pa_name *result;
      pa_name **targets; // of a comprehension
      size_t target_count;
    } steps;
  };
};

// A nested function or lambda. A name that is free in it is one of the function around it.
typedef struct pa_closure {
  struct pa_closure *next; // of the same function
  struct pa_function *function;
  struct pa_capture {
    pa_name *inner, *outer;
    bool bound_before; // the function around it binds the name before it is defined
    bool itself;
  } *captures;
  size_t count, capacity;
  pa_expression *expression;
  pa_name **defaults; // of the function, one for each of the expression's first operands
  int default_count;
  // closure_life.c
  const pa_name *bound_to; // by a definition
  pa_keeping keeping;
  int begins;                      // where it stands; 0: nowhere that is executed
  const struct pa_block *until;    // it may be called until this ends; NULL: at once only
  const struct pa_statement *loop; // the outermost one around
  bool is_known;                   // what |keeping| is of a function that is bound to a name
} pa_closure;

// A function that is bound once is not captured itself: what it captures is, and it is made of that where it is used.
typedef struct pa_remade {
  pa_closure *closure;
  pa_name **captured; // variables of the function that uses it, as many as |closure| captures
} pa_remade;

// A place that binds a name.
typedef struct pa_store {
  struct pa_store *next;
  int at;
  const struct pa_block *block;    // in the rest of it the name is bound; NULL: nobody knows
  const struct pa_statement *loop; // the outermost one around
} pa_store;

typedef struct pa_statement pa_statement;
typedef struct pa_handler pa_handler;
typedef struct pa_block {
  pa_statement **statements;
  int count;
  unsigned completions;
  uint64_t *live_out; // variables live after the list
  int ends;           // closure_life.c
} pa_block;

typedef enum pa_statement_kind {
  PA_ASSIGN,   // targets = ... = value
  PA_AUGMENT,  // targets[0] operator= value
  PA_DELETE,   // targets, names or subscripts
  PA_EVALUATE, // value
  PA_IMPORT,   // imports, as many as |count|
  PA_IF,       // value; body, orelse
  PA_WHILE,    // value; body, orelse
  PA_FOR,      // targets[0] in value; body, orelse
  PA_JUMP,     // break or continue, as |completions| says
  PA_RETURN_,  // value
  PA_RAISE, // value is the class, targets are the arguments; or a variable; or NULL: the exception being handled. cause
  PA_ASSERT,  // value; targets[0], if there is one, is the message
  PA_TRY_,    // body, handlers, orelse
  PA_FINALLY, // body; orelse is the finally block
} pa_statement_kind;

struct pa_statement {
  pa_statement_kind kind;
  pa_place place;
  unsigned completions;
  pa_expression **targets;
  int count; // of targets
  pa_expression *value;
  int operation; // of an augmented assignment
  pa_block body, orelse;
  struct pa_import *imports;
  bool filters; // if: of a comprehension, whose element says what the items are even where there are none
  pa_handler *handlers;
  int handler_count;
  pa_expression *cause; // of a raise, or NULL
  pa_name *completed;   // a hidden variable. Try with an else: whether the body ran to its end; finally: whether the
                        // block ran in the handler already. NULL where nobody asks
  // Sets of variables, by liveness.c.
  uint64_t *live_out;  // compound statements: live after it
  uint64_t *live_head; // loops: live before the test of each iteration; try: where an exception is handled
  uint64_t *live_done; // loops: live when the loop ends by itself; try: live before the else
  uint64_t *live_test; // while loops whose test binds variables: live after the test
  uint64_t *assigned;  // loops: assigned or deleted in the body, or assigned by the target; try: in the body
  uint64_t *deleted;   // loops and try: deleted in the body
};

// import module as name; import top.rest; from module import attribute as name
typedef struct pa_import {
  pa_name *name;
  PyObject *module, *attribute, *top; // str; the last two may be NULL. Kept alive by the importer
  int level;                          // of a relative import
} pa_import;

struct pa_handler {
  pa_place place;
  pa_expression *classes; // a class or a tuple of them; NULL: all
  pa_name *name;          // as ...; or NULL
  pa_block body;
};

// `while True` and the like, which never ends by itself.
static inline bool pa_is_endless(const pa_statement *loop) {
  return loop->kind == PA_WHILE && loop->value->kind == PA_CONSTANT && loop->value->constant.truth;
}

#endif // PYARRAY_LIB_FRONTEND_SYNTAX_H
