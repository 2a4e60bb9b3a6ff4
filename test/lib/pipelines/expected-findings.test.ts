import { describe, expect, test } from 'vitest';
import { reviewFiles } from '../../../lib/pipelines/review-files.ts';
import type { RuleResult } from '../../../lib/pipelines/rule-result.ts';

/**
 * What the rules say of small files, typed by hand from docs/unknowns.md (§4 and §5). An expectation is what a reader
 * of the notes says, never what the code printed.
 */
interface Case {
  readonly title: string;
  readonly path?: string;
  /** The rules file, line by line; nothing where there is none. */
  readonly rules: readonly string[] | undefined;
  /** The pipeline file, line by line, so that the first is line 1. */
  readonly file: readonly string[];
  /** One line per result: rule, status, then the error's type and place or `line:column component` of each violation. */
  readonly expected: readonly string[];
}

const minimum = (config: string) => enabled('minimum-components', `config: { minComponents: ${config} }`);
const maximum = (config: string) => enabled('maximum-components', `config: { maxComponents: ${config} }`);
const naming = (config: string) =>
  enabled('component-naming-convention', `config: { regexMatchPattern: ${config} }`);
const outputs = (config: string) => enabled('maximum-outputs', `config: { maxOutputs: ${config} }`);
const unused = enabled('unused-components');
const copied = enabled('copied-variables');
const startAndEnd = enabled('start-and-end-components');
const endOutput = enabled('end-output-components');

function enabled(id: string, more = ''): readonly string[] {
  return ['rules:', `- id: ${id}`, '  enabled: true', '  enforcementLevel: error', `  ${more}`];
}

const twoComponents = [
  'pipeline:',
  '  components:',
  '    Start: { type: start, transitions: { unconditional: [End] } }',
  '    End: { type: end-success }',
];

const counting: readonly Case[] = [
  {
    title: 'as many components as the minimum are enough',
    rules: minimum('2'),
    file: twoComponents,
    expected: ['minimum-components PASSED'],
  },
  {
    title: 'one component fewer than the minimum is one finding at "components"',
    rules: minimum('3'),
    file: twoComponents,
    expected: ['minimum-components FAILED 2:3'],
  },
  {
    title: 'an empty pipeline without "components" is found at "pipeline"',
    rules: minimum('1'),
    file: ['type: orchestration', 'pipeline:', '  metadata: { description: nothing yet }'],
    expected: ['minimum-components FAILED 2:1'],
  },
  {
    title: 'a bare "components:" is an empty pipeline',
    rules: minimum('1'),
    file: ['pipeline:', '  components:', '  variables: {}'],
    expected: ['minimum-components FAILED 2:3'],
  },
  {
    title: 'an empty pipeline holds a minimum of none',
    rules: minimum('0'),
    file: ['pipeline: {}'],
    expected: ['minimum-components PASSED'],
  },
  {
    title: 'a skipped component counts towards the minimum',
    rules: minimum('1'),
    file: ['pipeline:', '  components:', '    Load: { type: sql-executor, skipped: true }'],
    expected: ['minimum-components PASSED'],
  },
  {
    title: 'a component without a value counts',
    rules: minimum('2'),
    file: ['pipeline:', '  components:', '    A:', '    B:'],
    expected: ['minimum-components PASSED'],
  },
  {
    title: 'the minimum counts components of a transformation too',
    path: 'sales.tran.yaml',
    rules: minimum('2'),
    file: ['pipeline:', '  components:', '    Read: { type: table-input }'],
    expected: ['minimum-components FAILED 2:3'],
  },
  {
    title: 'as many components as the maximum are allowed',
    rules: maximum('2'),
    file: twoComponents,
    expected: ['maximum-components PASSED'],
  },
  {
    title: 'one component more than the maximum is one finding at "components"',
    rules: maximum('1'),
    file: twoComponents,
    expected: ['maximum-components FAILED 2:3'],
  },
  {
    title: 'a skipped component counts towards the maximum',
    rules: maximum('1'),
    file: [
      'pipeline:',
      '  components:',
      '    A: { type: start }',
      '    B: { type: end-success, skipped: true }',
    ],
    expected: ['maximum-components FAILED 2:3'],
  },
  {
    title: 'a maximum of none refuses the first component, here in flow style',
    path: 'sales.tran.yaml',
    rules: maximum('0'),
    file: ['pipeline: { components: { Read: { type: table-input } } }'],
    expected: ['maximum-components FAILED 1:13'],
  },
];

const namingCases: readonly Case[] = [
  {
    title: 'any name matches the pattern for everything',
    rules: naming('".*"'),
    file: twoComponents,
    expected: ['component-naming-convention PASSED'],
  },
  {
    title: 'a pattern must match the whole name, not a part of it',
    rules: naming('"[A-Z][a-z]+"'),
    file: ['pipeline:', '  components:', '    Load Sales:', '    Load:', '    xLoad:'],
    expected: ['component-naming-convention FAILED 3:5 Load Sales, 5:5 xLoad'],
  },
  {
    title: 'each of two alternatives must match the whole name',
    rules: naming('"Start|End"'),
    file: ['pipeline:', '  components:', '    Start:', '    Starting:', '    TheEnd:'],
    expected: ['component-naming-convention FAILED 4:5 Starting, 5:5 TheEnd'],
  },
  {
    title: 'the key is the name, whatever parameters.componentName says',
    rules: naming('"[a-z_]+"'),
    file: [
      'pipeline:',
      '  components:',
      '    load_sales: { type: sql-executor, parameters: { componentName: "Load Sales" } }',
      '    Load Stock: { type: sql-executor, parameters: { componentName: "load_stock" } }',
    ],
    expected: ['component-naming-convention FAILED 4:5 Load Stock'],
  },
  {
    title: 'a name is the key as written: 1.0 stays 1.0',
    rules: naming('"[0-9]\\\\.[0-9]"'),
    file: ['pipeline:', '  components:', '    1.0:', '    1:', '    1.10:'],
    expected: ['component-naming-convention FAILED 4:5 1, 5:5 1.10'],
  },
  {
    title: 'a quoted key is named without its quotes and found at them',
    rules: naming('"[a-z]+"'),
    file: ['pipeline:', '  components:', '    "load":', "    'Load Sales':"],
    expected: ['component-naming-convention FAILED 4:5 Load Sales'],
  },
  {
    title: 'names in flow style are found at their column',
    path: 'sales.tran.yaml',
    rules: naming('"[a-z]+"'),
    file: ['{ pipeline: { components: { read: { type: table-input }, Write: { type: rewrite-table } } } }'],
    expected: ['component-naming-convention FAILED 1:58 Write'],
  },
  {
    title: 'letters outside ASCII count one column each',
    rules: naming('"[a-zäöü ]+"'),
    file: ['pipeline:', '  components: { größe: , Übung: }', '  variables: {}'],
    expected: ['component-naming-convention FAILED 2:17 größe, 2:26 Übung'],
  },
  {
    title: 'an escaped letter in a key is the letter',
    rules: naming('"[a-z]+"'),
    file: ['pipeline:', '  components:', '    "\\u0061b":', '    "\\u0041b":'],
    expected: ['component-naming-convention FAILED 4:5 Ab'],
  },
  {
    title: 'a leading (?i) ignores case',
    rules: naming('"(?i)[a-z]+"'),
    file: ['pipeline:', '  components:', '    LoaD:', '    lo-ad:'],
    expected: ['component-naming-convention FAILED 4:5 lo-ad'],
  },
  {
    title: 'a skipped component must be named well too',
    rules: naming('"[a-z]+"'),
    file: ['pipeline:', '  components:', '    LOAD: { type: sql-executor, skipped: true }'],
    expected: ['component-naming-convention FAILED 3:5 LOAD'],
  },
];

const unusedCases: readonly Case[] = [
  {
    title: 'what transitions reach is used, whatever their kind',
    rules: unused,
    file: [
      'pipeline:',
      '  components:',
      '    Start: { type: start, transitions: { unconditional: [If] } }',
      '    If: { type: if, transitions: { "true": [A], "false": [B] } }',
      '    A: { type: sql-executor, transitions: { success: [C], failure: [D] } }',
      '    B: { type: sql-executor }',
      '    C: { type: end-success }',
      '    D: { type: end-failure }',
    ],
    expected: ['unused-components PASSED'],
  },
  {
    title: 'unquoted true and false are transitions too',
    rules: unused,
    file: [
      'pipeline:',
      '  components:',
      '    Start: { type: start, transitions: { unconditional: [If] } }',
      '    If:',
      '      type: if',
      '      transitions:',
      '        true: [A]',
      '        false:',
      '        - B',
      '    A: { type: end-success }',
      '    B: { type: end-failure }',
    ],
    expected: ['unused-components PASSED'],
  },
  {
    title: 'an iteration target is used, and what follows it',
    rules: unused,
    file: [
      'pipeline:',
      '  components:',
      '    Start: { type: start, transitions: { unconditional: [Each] } }',
      '    Each: { type: fixed-iterator, iterationTarget: Load }',
      '    Load: { type: run-transformation, transitions: { success: [Log] } }',
      '    Log: { type: print-variables }',
    ],
    expected: ['unused-components PASSED'],
  },
  {
    title: 'a component that nothing leads to is unused, and what only it leads to',
    rules: unused,
    file: [
      'pipeline:',
      '  components:',
      '    Start: { type: start, transitions: { unconditional: [End] } }',
      '    End: { type: end-success }',
      '    Old: { type: sql-executor, transitions: { success: [Older, End] } }',
      '    Older: { type: sql-executor }',
    ],
    expected: ['unused-components FAILED 5:5 Old, 6:5 Older'],
  },
  {
    title: 'a cycle apart from the start is unused',
    rules: unused,
    file: [
      'pipeline:',
      '  components:',
      '    A: { type: sql-executor, transitions: { success: [B] } }',
      '    B: { type: sql-executor, transitions: { success: [A] } }',
      '    Start: { type: start }',
    ],
    expected: ['unused-components FAILED 3:5 A, 4:5 B'],
  },
  {
    title: 'several starts are all roots',
    rules: unused,
    file: [
      'pipeline:',
      '  components:',
      '    Start 1: { type: start, transitions: { unconditional: [A] } }',
      '    Start 2: { type: start, transitions: { unconditional: [B] } }',
      '    A: { type: end-success }',
      '    B: { type: end-success }',
    ],
    expected: ['unused-components PASSED'],
  },
  {
    title: 'a transition to a name that no component bears leads nowhere',
    rules: unused,
    file: [
      'pipeline:',
      '  components:',
      '    Start: { type: start, transitions: { unconditional: [end] } }',
      '    End: { type: end-success }',
    ],
    expected: ['unused-components FAILED 4:5 End'],
  },
  {
    title: 'a transition leads through a skipped component',
    rules: unused,
    file: [
      'pipeline:',
      '  components:',
      '    Start: { type: start, transitions: { unconditional: [Load] } }',
      '    Load: { type: sql-executor, skipped: true, transitions: { success: [End] } }',
      '    End: { type: end-success }',
    ],
    expected: ['unused-components PASSED'],
  },
  {
    title: 'without a start component the rule cannot be evaluated',
    rules: unused,
    file: ['pipeline:', '  components:', '    Load: { type: sql-executor }'],
    expected: ['unused-components ERROR designer/no-start-component a.orch.yaml 2:3'],
  },
  {
    title: 'an empty orchestration has no start component',
    rules: unused,
    file: ['version: "1.0"', 'pipeline:', '  variables:'],
    expected: ['unused-components ERROR designer/no-start-component a.orch.yaml 2:1'],
  },
  {
    title: 'a transformation needs no start; sources and consumers both count',
    path: 'sales.tran.yaml',
    rules: unused,
    file: [
      'pipeline:',
      '  components:',
      '    Read: { type: table-input }',
      '    Write: { type: rewrite-table, sources: [Read] }',
    ],
    expected: ['unused-components PASSED'],
  },
  {
    title: 'a component of a transformation with neither source nor consumer is unused',
    path: 'sales.tran.yaml',
    rules: unused,
    file: [
      'pipeline:',
      '  components:',
      '    Read: { type: table-input, sources: }',
      '    Write: { type: rewrite-table, sources: ["Read"] }',
      '    Alone: { type: table-input, sources: [] }',
    ],
    expected: ['unused-components FAILED 5:5 Alone'],
  },
  {
    title: 'a source that no component bears is not a source',
    path: 'sales.tran.yaml',
    rules: unused,
    file: [
      'pipeline:',
      '  components:',
      '    Write:',
      '      type: rewrite-table',
      '      sources:',
      '      - Gone',
    ],
    expected: ['unused-components FAILED 3:5 Write'],
  },
  {
    title: 'an empty transformation uses all that it has',
    path: 'sales.tran.yaml',
    rules: unused,
    file: ['pipeline: {}'],
    expected: ['unused-components PASSED'],
  },
];

const iterator = (type: string, parameters: string, scope = 'COPIED') => [
  'pipeline:',
  '  components:',
  '    Start: { type: start, transitions: { unconditional: [Each] } }',
  `    Each: { type: ${type}, iterationTarget: Load, parameters: { ${parameters} } }`,
  '    Load: { type: run-transformation }',
  `  variables: { day: { metadata: { type: TEXT, scope: ${scope} }, defaultValue: "" }, col: { metadata: { scope: SHARED } } }`,
];

const copiedCases: readonly Case[] = [
  {
    title: 'a copied variable in a sequential iterator is found at the iterator',
    rules: copied,
    file: iterator('fixed-iterator', 'concurrency: Sequential, variablesToIterate: [day]'),
    expected: ['copied-variables FAILED 4:5 Each'],
  },
  {
    title: 'a copied variable in a concurrent iterator is right',
    rules: copied,
    file: iterator('fixed-iterator', 'concurrency: "Concurrent", variablesToIterate: [day]'),
    expected: ['copied-variables PASSED'],
  },
  {
    title: 'a shared variable in a sequential iterator is right',
    rules: copied,
    file: iterator('fixed-iterator', 'concurrency: Sequential, variablesToIterate: [day]', 'SHARED'),
    expected: ['copied-variables PASSED'],
  },
  {
    title: 'a concurrency that a variable decides is not concurrent',
    rules: copied,
    file: iterator('loop-iterator', 'concurrency: "${mode}", variableToIterate: day'),
    expected: ['copied-variables FAILED 4:5 Each'],
  },
  {
    title: 'an iterator without concurrency is not concurrent',
    rules: copied,
    file: iterator('loop-iterator', 'variableToIterate: day'),
    expected: ['copied-variables FAILED 4:5 Each'],
  },
  {
    title: 'in the rows of a grid iterator the variable is the second',
    rules: copied,
    file: iterator('grid-iterator', 'gridIteratorVariableMapping: [[col, day]]'),
    expected: ['copied-variables FAILED 4:5 Each'],
  },
  {
    title: 'the first value in the rows of a grid iterator is a column, though it is named like the variable',
    rules: copied,
    file: iterator('grid-iterator', 'gridIteratorVariableMapping: [[day, col]]'),
    expected: ['copied-variables PASSED'],
  },
  {
    title: 'a table iterator maps columns in columnMapping',
    rules: copied,
    file: iterator('table-iterator', 'columnMapping: [[x, col], [y, day]]'),
    expected: ['copied-variables FAILED 4:5 Each'],
  },
  {
    title: 'a table iterator maps columns in columnMapping1 too',
    rules: copied,
    file: iterator('table-iterator', 'columnMapping: , columnMapping1: [[y, day]]'),
    expected: ['copied-variables FAILED 4:5 Each'],
  },
  {
    title: 'in the rows of a file iterator the variable is the first',
    rules: copied,
    file: iterator('file-iterator', 'variables: [[day, "Base Folder"]]'),
    expected: ['copied-variables FAILED 4:5 Each'],
  },
  {
    title: 'the second value in the rows of a file iterator is not a variable',
    rules: copied,
    file: iterator('file-iterator', 'variables: [[col, day]]'),
    expected: ['copied-variables PASSED'],
  },
  {
    title: 'two copied variables of one iterator are one finding',
    rules: copied,
    file: [
      'pipeline:',
      '  components:',
      '    Each: { type: fixed-iterator, parameters: { variablesToIterate: [a, b] } }',
      '  variables: { a: { metadata: { scope: COPIED } }, b: { metadata: { scope: COPIED } } }',
    ],
    expected: ['copied-variables FAILED 3:5 Each'],
  },
  {
    title: 'a copied variable that no iterator iterates over is right',
    rules: copied,
    file: [
      'pipeline:',
      '  components:',
      '    Run: { type: run-transformation, parameters: { concurrency: Sequential, variablesToIterate: [a] } }',
      '  variables: { a: { metadata: { scope: COPIED } } }',
    ],
    expected: ['copied-variables PASSED'],
  },
  {
    title: 'a transformation has no iterators',
    path: 'sales.tran.yaml',
    rules: copied,
    file: ['pipeline:', '  components:', '    Read: { type: table-input }'],
    expected: ['copied-variables PASSED'],
  },
];

const startAndEndCases: readonly Case[] = [
  {
    title: 'a branch from start to end-success is finished',
    rules: startAndEnd,
    file: twoComponents,
    expected: ['start-and-end-components PASSED'],
  },
  {
    title: 'a pipeline without a start fails, once, at "components"',
    rules: startAndEnd,
    file: [
      'pipeline:',
      '  components:',
      '    Load: { type: sql-executor }',
      '    End: { type: end-success }',
    ],
    expected: ['start-and-end-components FAILED 2:3'],
  },
  {
    title: 'a pipeline without components has no start',
    rules: startAndEnd,
    file: ['pipeline:'].concat('  metadata: {}'),
    expected: ['start-and-end-components FAILED 1:1'],
  },
  {
    title: 'a start that leads nowhere is an unfinished branch',
    rules: startAndEnd,
    file: ['pipeline:', '  components:', '    Start: { type: start }'],
    expected: ['start-and-end-components FAILED 3:5 Start'],
  },
  {
    title: 'one way that ends well does not finish the other',
    rules: startAndEnd,
    file: [
      'pipeline:',
      '  components:',
      '    Start: { type: start, transitions: { unconditional: [Load, Log] } }',
      '    Load: { type: sql-executor, transitions: { success: [End] } }',
      '    Log: { type: print-variables }',
      '    End: { type: end-success }',
    ],
    expected: ['start-and-end-components FAILED 5:5 Log'],
  },
  {
    title: 'success alone is enough to continue, and so is "true" alone',
    rules: startAndEnd,
    file: [
      'pipeline:',
      '  components:',
      '    Start: { type: start, transitions: { unconditional: [If] } }',
      '    If: { type: if, transitions: { "true": [Load] } }',
      '    Load: { type: sql-executor, transitions: { success: [End] } }',
      '    End: { type: end-success }',
    ],
    expected: ['start-and-end-components PASSED'],
  },
  {
    title: 'end-failure ends a branch as well',
    rules: startAndEnd,
    file: [
      'pipeline:',
      '  components:',
      '    Start: { type: start, transitions: { unconditional: [Load] } }',
      '    Load: { type: sql-executor, transitions: { success: [End], failure: [Fail] } }',
      '    End: { type: end-success }',
      '    Fail: { type: end-failure }',
    ],
    expected: ['start-and-end-components PASSED'],
  },
  {
    title: 'an iteration target is not an unfinished branch',
    rules: startAndEnd,
    file: [
      'pipeline:',
      '  components:',
      '    Start: { type: start, transitions: { unconditional: [Each] } }',
      '    Each: { type: grid-iterator, iterationTarget: Load, transitions: { success: [End] } }',
      '    Load: { type: run-transformation }',
      '    End: { type: end-success }',
    ],
    expected: ['start-and-end-components PASSED'],
  },
  {
    title: 'an iterator without transitions is an unfinished branch',
    rules: startAndEnd,
    file: [
      'pipeline:',
      '  components:',
      '    Start: { type: start, transitions: { unconditional: [Each] } }',
      '    Each: { type: grid-iterator, iterationTarget: Load }',
      '    Load: { type: run-transformation }',
    ],
    expected: ['start-and-end-components FAILED 4:5 Each'],
  },
  {
    title: 'a transition to a name that no component bears leads nowhere',
    rules: startAndEnd,
    file: [
      'pipeline:',
      '  components:',
      '    Start: { type: start, transitions: { unconditional: [Load] } }',
      '    Load: { type: sql-executor, transitions: { success: [Gone] } }',
    ],
    expected: ['start-and-end-components FAILED 4:5 Load'],
  },
  {
    title: 'what the start does not reach is not a branch of it',
    rules: startAndEnd,
    file: [...twoComponents, '    Old: { type: sql-executor }'],
    expected: ['start-and-end-components PASSED'],
  },
  {
    title: 'every one of several starts must end',
    rules: startAndEnd,
    file: [
      'pipeline:',
      '  components:',
      '    Start 1: { type: start, transitions: { unconditional: [End] } }',
      '    Start 2: { type: start }',
      '    End: { type: end-success }',
    ],
    expected: ['start-and-end-components FAILED 4:5 Start 2'],
  },
  {
    title: 'a skipped end still ends the branch, for it counts as a component',
    rules: startAndEnd,
    file: [
      'pipeline:',
      '  components:',
      '    Start: { type: start, transitions: { unconditional: [End] } }',
      '    End: { type: end-success, skipped: true }',
    ],
    expected: ['start-and-end-components PASSED'],
  },
  {
    title: 'a cycle without a way out never ends',
    rules: startAndEnd,
    file: [
      'pipeline:',
      '  components:',
      '    Start: { type: start, transitions: { unconditional: [A, End] } }',
      '    A: { type: sql-executor, transitions: { success: [B] } }',
      '    B: { type: sql-executor, transitions: { success: [A] } }',
      '    End: { type: end-success }',
    ],
    expected: ['start-and-end-components FAILED 4:5 A, 5:5 B'],
  },
  {
    title: 'a cycle with a way out ends',
    rules: startAndEnd,
    file: [
      'pipeline:',
      '  components:',
      '    Start: { type: start, transitions: { unconditional: [A] } }',
      '    A: { type: sql-executor, transitions: { success: [End], failure: [B] } }',
      '    B: { type: sql-executor, transitions: { success: [A] } }',
      '    End: { type: end-success }',
    ],
    expected: ['start-and-end-components PASSED'],
  },
  {
    title: 'the suffix decides the kind, not the type in the file',
    rules: startAndEnd,
    file: ['type: "transformation"', 'pipeline:', '  components:', '    Read: { type: table-input }'],
    expected: ['start-and-end-components FAILED 3:3'],
  },
  {
    title: 'a rule for orchestrations has no result for a transformation',
    path: 'sales.tran.yaml',
    rules: startAndEnd,
    file: ['type: "orchestration"', 'pipeline: {}'],
    expected: [],
  },
];

const outputCases: readonly Case[] = [
  {
    title: 'one output is allowed where one is the maximum',
    path: 'sales.tran.yaml',
    rules: outputs('1'),
    file: [
      'pipeline:',
      '  components:',
      '    Read: { type: table-input }',
      '    Write: { type: rewrite-table, sources: [Read] }',
    ],
    expected: ['maximum-outputs PASSED'],
  },
  {
    title: 'too many outputs are one finding at "components"',
    path: 'sales.tran.yaml',
    rules: outputs('4'),
    file: [
      'pipeline:',
      '  components:',
      '    A: { type: rewrite-table }',
      '    B: { type: table-output }',
      '    C: { type: table-update }',
      '    D: { type: create-view }',
      '    E: { type: rewrite-table-dl }',
      '    F: { type: table-input }',
    ],
    expected: ['maximum-outputs FAILED 2:3'],
  },
  {
    title: 'a skipped output counts',
    path: 'sales.tran.yaml',
    rules: outputs('1'),
    file: [
      'pipeline:',
      '  components:',
      '    A: { type: table-output }',
      '    B: { type: table-output, skipped: true }',
    ],
    expected: ['maximum-outputs FAILED 2:3'],
  },
  {
    title: 'an orchestration has no result for the outputs of transformations',
    rules: outputs('0'),
    file: ['pipeline:', '  components:', '    A: { type: table-output }'],
    expected: [],
  },
  {
    title: 'a branch that ends in an output is right',
    path: 'sales.tran.yaml',
    rules: endOutput,
    file: [
      'pipeline:',
      '  components:',
      '    Read: { type: table-input }',
      '    Write: { type: create-view, sources: [Read] }',
    ],
    expected: ['end-output-components PASSED'],
  },
  {
    title: 'each branch that ends elsewhere is a finding, and so is a lone component',
    path: 'sales.tran.yaml',
    rules: endOutput,
    file: [
      'pipeline:',
      '  components:',
      '    Read: { type: table-input }',
      '    Write: { type: rewrite-table, sources: [Read] }',
      '    Count: { type: aggregate, sources: [Read] }',
      '    Alone: { type: table-input }',
    ],
    expected: ['end-output-components FAILED 5:5 Count, 6:5 Alone'],
  },
  {
    title: 'an output that is read again ends no branch',
    path: 'sales.tran.yaml',
    rules: endOutput,
    file: [
      'pipeline:',
      '  components:',
      '    Write: { type: rewrite-table }',
      '    Filter: { type: filter, sources: [Write] }',
    ],
    expected: ['end-output-components FAILED 4:5 Filter'],
  },
  {
    title: 'an empty transformation has no branch that ends badly',
    path: 'sales.tran.yaml',
    rules: endOutput,
    file: ['pipeline: { components: }'],
    expected: ['end-output-components PASSED'],
  },
];

const errorCases: readonly Case[] = [
  {
    title: 'a missing rules file is a retrieval error for every file',
    rules: undefined,
    file: twoComponents,
    expected: ['rules-file ERROR designer/rules-file-retrieval-error rules.yaml 1:1'],
  },
  {
    title: 'a rules file that is not YAML is a parse error at its line',
    rules: ['rules:', '- id: "unused-components', '  enabled: true'],
    file: twoComponents,
    expected: ['rules-file ERROR designer/rules-file-parse-error rules.yaml 3:16'],
  },
  {
    title: 'an empty rules file is a parse error',
    rules: [''],
    file: twoComponents,
    expected: ['rules-file ERROR designer/rules-file-parse-error rules.yaml 1:1'],
  },
  {
    title: 'rules that are not a list are a parse error',
    rules: ['version: 1', 'rules: { id: unused-components }'],
    file: twoComponents,
    expected: ['rules-file ERROR designer/rules-file-parse-error rules.yaml 2:1'],
  },
  {
    title: 'an entry without an id is a parse error, whatever else is right',
    rules: [
      'rules:',
      '- { id: unused-components, enabled: true, enforcementLevel: warn }',
      '- { enabled: true }',
    ],
    file: twoComponents,
    expected: ['rules-file ERROR designer/rules-file-parse-error rules.yaml 3:5'],
  },
  {
    title: 'an enabled that is text is a parse error',
    rules: ['rules:', '- id: unused-components', '  enabled: "true"', '  enforcementLevel: warn'],
    file: twoComponents,
    expected: ['rules-file ERROR designer/rules-file-parse-error rules.yaml 3:12'],
  },
  {
    title: 'an entry without enabled is a parse error',
    rules: ['rules:', '- id: unused-components', '  enforcementLevel: warn'],
    file: twoComponents,
    expected: ['rules-file ERROR designer/rules-file-parse-error rules.yaml 2:3'],
  },
  {
    title: 'a duplicate key in the rules file is a parse error',
    rules: [...unused, 'rules: []'],
    file: twoComponents,
    expected: ['rules-file ERROR designer/rules-file-parse-error rules.yaml 6:1'],
  },
  {
    title: 'an empty list of rules has no results',
    rules: ['rules: []'],
    file: twoComponents,
    expected: [],
  },
  {
    title: 'a disabled entry is not looked at, however wrong',
    rules: ['rules:', '- { id: no-such-rule, enabled: false, enforcementLevel: never }'],
    file: twoComponents,
    expected: [],
  },
  {
    title: 'a rule that does not exist is not found, before its level is looked at',
    rules: ['rules:', '- { id: no-such-rule, enabled: true, enforcementLevel: never }'],
    file: twoComponents,
    expected: ['no-such-rule ERROR designer/validator-not-found rules.yaml 2:9'],
  },
  {
    title: 'a rule that is enabled twice is one error, before its level is looked at',
    rules: [
      'rules:',
      '- { id: unused-components, enabled: true, enforcementLevel: never }',
      '- { id: unused-components, enabled: true, enforcementLevel: warn }',
    ],
    file: twoComponents,
    expected: ['unused-components ERROR designer/duplicate-enabled-rule rules.yaml 3:9'],
  },
  {
    title: 'a rule that is enabled once and disabled once is not a duplicate',
    rules: [
      'rules:',
      '- { id: unused-components, enabled: false, enforcementLevel: warn }',
      '- { id: unused-components, enabled: true, enforcementLevel: warn }',
    ],
    file: twoComponents,
    expected: ['unused-components PASSED'],
  },
  {
    title: 'a level that is neither warn nor error is an error, before the configuration is looked at',
    rules: ['rules:', '- { id: minimum-components, enabled: true, enforcementLevel: ERROR }'],
    file: twoComponents,
    expected: ['minimum-components ERROR designer/invalid-enforcement-level rules.yaml 2:62'],
  },
  {
    title: 'a wrong level is marked on its own line, an empty one on its key',
    rules: [
      'rules:',
      '- id: minimum-components',
      '  enabled: true',
      '  enforcementLevel: errorr',
      '- id: unused-components',
      '  enabled: true',
      '  enforcementLevel:',
    ],
    file: twoComponents,
    expected: [
      'minimum-components ERROR designer/invalid-enforcement-level rules.yaml 4:21',
      'unused-components ERROR designer/invalid-enforcement-level rules.yaml 7:3',
    ],
  },
  {
    title: 'a missing level is an error too',
    rules: ['rules:', '- { id: unused-components, enabled: true }'],
    file: twoComponents,
    expected: ['unused-components ERROR designer/invalid-enforcement-level rules.yaml 2:9'],
  },
  {
    title: 'a missing setting has no default to fall back to',
    rules: enabled('maximum-components'),
    file: twoComponents,
    expected: ['maximum-components ERROR designer/invalid-rule-configuration rules.yaml 2:7'],
  },
  {
    title: 'a number written as text is a wrong configuration',
    rules: minimum('"1"'),
    file: twoComponents,
    expected: ['minimum-components ERROR designer/invalid-rule-configuration rules.yaml 5:28'],
  },
  {
    title: 'a negative number is a wrong configuration',
    path: 'sales.tran.yaml',
    rules: outputs('-1'),
    file: ['pipeline: {}'],
    expected: ['maximum-outputs ERROR designer/invalid-rule-configuration rules.yaml 5:25'],
  },
  {
    title: 'a bare key instead of a number is a wrong configuration, found at the key',
    rules: minimum(''),
    file: twoComponents,
    expected: ['minimum-components ERROR designer/invalid-rule-configuration rules.yaml 5:13'],
  },
  {
    title: 'a missing pattern is a wrong configuration',
    rules: enabled('component-naming-convention', 'config: {}'),
    file: twoComponents,
    expected: ['component-naming-convention ERROR designer/invalid-rule-configuration rules.yaml 2:7'],
  },
  {
    title: 'a pattern that is a number is a wrong configuration',
    rules: naming('5'),
    file: twoComponents,
    expected: ['component-naming-convention ERROR designer/invalid-rule-configuration rules.yaml 5:32'],
  },
  {
    title: 'an empty pattern is an error of its own',
    rules: naming('""'),
    file: twoComponents,
    expected: ['component-naming-convention ERROR designer/empty-regex-pattern rules.yaml 5:32'],
  },
  {
    title: 'a null pattern is an empty one',
    rules: naming('null'),
    file: twoComponents,
    expected: ['component-naming-convention ERROR designer/empty-regex-pattern rules.yaml 5:32'],
  },
  {
    title: 'a pattern that cannot be read is an error of its own',
    rules: naming('"[a-z"'),
    file: twoComponents,
    expected: ['component-naming-convention ERROR designer/invalid-regex-pattern rules.yaml 5:32'],
  },
  {
    title: 'a pattern of brackets that do not pair is invalid, though a group around it would pair them',
    rules: naming('"a)(b"'),
    file: twoComponents,
    expected: ['component-naming-convention ERROR designer/invalid-regex-pattern rules.yaml 5:32'],
  },
  {
    title: 'a pipeline that is not YAML is a parse error at its line and column',
    rules: unused,
    file: ['pipeline:', '  components:', '    Start: { type: start', '    End: { type: end-success }'],
    expected: ['unused-components ERROR designer/document-parse-error a.orch.yaml 4:5'],
  },
  {
    title: 'a wrong pattern is named before a broken pipeline',
    rules: naming('"("'),
    file: ['pipeline: ['],
    expected: ['component-naming-convention ERROR designer/invalid-regex-pattern rules.yaml 5:32'],
  },
  {
    title: 'a broken pipeline is named before its missing start',
    rules: unused,
    file: ['pipeline: {}', 'pipeline: {}'],
    expected: ['unused-components ERROR designer/document-parse-error a.orch.yaml 2:1'],
  },
  {
    title: 'a file without a pipeline is a parse error',
    rules: startAndEnd,
    file: ['type: orchestration'],
    expected: ['start-and-end-components ERROR designer/document-parse-error a.orch.yaml 1:1'],
  },
  {
    title: 'an empty file is a parse error',
    path: 'sales.tran.yaml',
    rules: endOutput,
    file: [''],
    expected: ['end-output-components ERROR designer/document-parse-error sales.tran.yaml 1:1'],
  },
  {
    title: 'a pipeline that is a list is a parse error at its key',
    rules: copied,
    file: ['version: "1.0"', 'pipeline: []'],
    expected: ['copied-variables ERROR designer/document-parse-error a.orch.yaml 2:1'],
  },
  {
    title: 'a type that no pipeline has is a parse error at its value',
    path: 'sales.tran.yaml',
    rules: copied,
    file: ['type: transformatoin', 'pipeline: {}'],
    expected: ['copied-variables ERROR designer/document-parse-error sales.tran.yaml 1:7'],
  },
  {
    title: 'a version that no pipeline has is a parse error at its value',
    rules: copied,
    file: ['type: orchestration', 'version: "9.9"', 'pipeline: {}'],
    expected: ['copied-variables ERROR designer/document-parse-error a.orch.yaml 2:10'],
  },
  {
    title: 'two components of one name are a parse error at the second',
    rules: maximum('9'),
    file: ['pipeline:', '  components:', '    Load: { type: start }', '    "Load": { type: end-success }'],
    expected: ['maximum-components ERROR designer/document-parse-error a.orch.yaml 4:5'],
  },
  {
    title: 'two documents in one file are a parse error at the second',
    rules: minimum('1'),
    file: ['pipeline: {}', '---', 'pipeline: {}'],
    expected: ['minimum-components ERROR designer/document-parse-error a.orch.yaml 2:1'],
  },
  {
    title: 'results come in the order of the rules file, each with its own error or findings',
    rules: [
      'rules:',
      '- { id: unused-components, enabled: true, enforcementLevel: error }',
      '- { id: maximum-outputs, enabled: true, enforcementLevel: error }',
      '- { id: minimum-components, enabled: true, enforcementLevel: warn, config: { minComponents: 1 } }',
      '- { id: start-and-end-components, enabled: true, enforcementLevel: warn }',
    ],
    file: ['pipeline:', '  components:', '    Load: { type: sql-executor }'],
    expected: [
      'unused-components ERROR designer/no-start-component a.orch.yaml 2:3',
      'minimum-components PASSED',
      'start-and-end-components FAILED 2:3',
    ],
  },
];

const groups: Record<string, readonly Case[]> = {
  'minimum-components and maximum-components': counting,
  'component-naming-convention': namingCases,
  'unused-components': unusedCases,
  'copied-variables': copiedCases,
  'start-and-end-components': startAndEndCases,
  'maximum-outputs and end-output-components': outputCases,
  'rules that cannot be evaluated': errorCases,
};

for (const [group, cases] of Object.entries(groups)) {
  describe(group, () => {
    test.each(cases.map((each) => [each.title, each] as const))('%s', async (_title, each) => {
      for (const lineEnd of ['\n', '\r\n']) {
        for (const mark of ['', '\uFEFF']) {
          const path = each.path ?? 'a.orch.yaml';
          const { results } = await reviewFiles({
            rulesFile: { path: 'rules.yaml', text: each.rules?.join(lineEnd) },
            pipelines: [{ path, text: mark + each.file.join(lineEnd) }],
          });
          expect((results.get(path) ?? []).map(describeResult)).toEqual(each.expected);
        }
      }
    });
  });
}

function describeResult({ ruleName, status, errorDetail, violations }: RuleResult): string {
  const parts = [ruleName, status];
  if (errorDetail !== undefined) {
    const { type, file, range } = errorDetail;
    parts.push(`${type} ${file} ${range.line}:${range.column}`);
  }
  if (violations.length > 0) {
    parts.push(
      violations
        .map(
          ({ range, component }) =>
            `${range.line}:${range.column}${component === undefined ? '' : ` ${component}`}`,
        )
        .join(', '),
    );
  }
  return parts.join(' ');
}
