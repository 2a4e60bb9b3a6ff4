"""Runs a script with the variables of a pipeline, and writes what it set."""

import ast
import json
import linecache
import os
import sys
import threading
import types
from decimal import Decimal, InvalidOperation

SCRIPT = '<script>'
MAX_MESSAGE = 2000
CALLS = ('updateVariable', 'updateGridVariable', 'getGridVariable')


class VariableError(Exception):
    """A variable does not exist, or cannot have the value."""


class Context:
    """`context` of a script."""

    def __init__(self, variables, refuse):
        self._variables = variables
        self._refuse = refuse
        self._set = {}

    def updateVariable(self, name, value):
        variable = self._find(name)
        if variable['type'] == 'GRID':
            raise VariableError(f'the variable "{name}" is a grid: use updateGridVariable')
        text = text_of(value)
        self._set[name] = number_text(name, text) if variable['type'] == 'NUMBER' else text

    def updateGridVariable(self, name, rows):
        variable = self._find_grid(name)
        if not isinstance(rows, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in rows):
            raise VariableError(f'the grid "{name}" takes a list of lists')
        width = len(variable['columns'])
        for index, row in enumerate(rows):
            if width > 0 and len(row) != width:
                raise VariableError(f'the grid "{name}" has {width} columns; row {index + 1} has {len(row)}')
        self._set[name] = [[text_of(cell) for cell in row] for row in rows]

    def getGridVariable(self, name):
        rows = self._set.get(name, self._find_grid(name)['value'])
        return [list(row) for row in rows]

    def _find(self, name):
        if name not in self._variables:
            raise VariableError(f'the variable "{name}" is not defined')
        return self._variables[name]

    def _find_grid(self, name):
        variable = self._find(name)
        if variable['type'] != 'GRID':
            raise VariableError(f'the variable "{name}" is not a grid')
        return variable

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return self._refuse(f'`context.{name}` in Python')


class Session:
    """`session` of a script: a connection to the warehouse, which the engine does not give."""

    def __init__(self, refuse):
        self._refuse = refuse

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return self._refuse(f'`session.{name}` in Python')


def text_of(value):
    """None becomes the empty text, as NULL does in other components."""
    return '' if value is None else str(value)


def number_text(name, text):
    if text == '':
        return ''
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        number = Decimal('NaN')
    if not number.is_finite():
        raise VariableError(f'the variable "{name}" is a number and cannot be "{text}"')
    return format(number, 'f')


def value_of(variable):
    """The value that a script sees: exact numbers, texts, grids as lists of lists."""
    kind, value = variable['type'], variable['value']
    if kind == 'GRID':
        return [list(row) for row in value]
    if kind != 'NUMBER':
        return value
    if value == '':
        return None
    number = Decimal(value)
    return int(number) if number == number.to_integral_value() and '.' not in value else number


def run(job, result):
    """Runs the script of a job and writes its answer to `result`. Does not return."""
    owner = os.getpid()
    sys.stdout.reconfigure(line_buffering=True)

    def finish(value):
        sys.stdout.flush()
        sys.stderr.flush()
        # This code also runs in a process that the script forked.
        if os.getpid() == owner:
            answer(result, value)
        os._exit(0)

    def refuse(construct):
        finish({'kind': 'refused', 'construct': construct, 'line': current_line()})

    context = Context({each['name']: each for each in job['variables']}, refuse)
    module = types.ModuleType('__main__')
    for each in job['variables']:
        module.__dict__[each['name']] = value_of(each)
    module.__dict__['context'] = context
    if job['hasSession']:
        module.__dict__['session'] = Session(refuse)
    for name in ('launcher', 'confinement', 'script_run'):
        sys.modules.pop(name, None)
    sys.modules['__main__'] = module
    sys.argv = [SCRIPT]
    text = job['text']
    linecache.cache[SCRIPT] = (len(text), None, text.splitlines(True), SCRIPT)
    try:
        run_text(text, module.__dict__)
        for thread in threading.enumerate():
            if thread is not threading.main_thread() and not thread.daemon:
                thread.join()
    except BaseException as error:
        if not isinstance(error, SystemExit) or error.code not in (None, 0):
            finish(failure(error))
    finish({'kind': 'ended', 'set': context._set})


def run_text(text, names):
    tree = ast.parse(text, SCRIPT)
    if not has_return(tree.body):
        exec(compile(tree, SCRIPT, 'exec'), names)
        return
    # `return` ends the script: the body of the script becomes a function, but its names stay names of the module.
    module = ast.parse('def script(): pass')
    function = module.body[0]
    function.body = tree.body
    code = compile(module, SCRIPT, 'exec')
    inner = next(each for each in code.co_consts if isinstance(each, types.CodeType))
    local_names = sorted({*inner.co_varnames, *inner.co_cellvars})
    if local_names:
        function.body = [ast.copy_location(ast.Global(names=local_names), tree.body[0]), *tree.body]
        code = compile(module, SCRIPT, 'exec')
    made = {}
    exec(code, made)
    types.FunctionType(made['script'].__code__, names)()


def has_return(statements):
    todo = list(statements)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Return):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            todo.extend(ast.iter_child_nodes(node))
    return False


def failure(error):
    line = None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == SCRIPT:
            line = step.tb_lineno
        step = step.tb_next
    if line is None and isinstance(error, SyntaxError) and error.filename == SCRIPT:
        line = error.lineno
    return {'kind': 'raised', 'type': type(error).__qualname__, 'message': message_of(error), 'line': line}


def message_of(error):
    try:
        if isinstance(error, SyntaxError):
            text = error.msg
        elif isinstance(error, SystemExit):
            text = f'the script ended with {error.code!r}'
        else:
            text = str(error)
    except Exception:
        text = ''
    return text[:MAX_MESSAGE]


def current_line():
    frame = sys._getframe()
    while frame is not None and frame.f_code.co_filename != SCRIPT:
        frame = frame.f_back
    return None if frame is None else frame.f_lineno


def answer(number, value):
    """Writes the answer and ends the process."""
    view = memoryview(json.dumps(value).encode())
    while view:
        view = view[os.write(number, view) :]
    os._exit(0)
