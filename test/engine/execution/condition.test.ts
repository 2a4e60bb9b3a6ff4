import { describe, expect, test } from 'vitest';
import { execute, pipeline, startThen, stepsOf, trail, variable } from './execute.ts';

const branches = { true: ['Yes'], false: ['No'] };
const ends = { Yes: { type: 'sql-executor' }, No: { type: 'sql-executor' } };

function withCondition(
  condition: readonly (readonly string[])[],
  parameters: Readonly<Record<string, unknown>> = {},
) {
  return pipeline(
    {
      Start: startThen('If'),
      If: {
        type: 'if',
        transitions: branches,
        parameters: { mode: 'Simple', condition, combineConditions: 'And', ...parameters },
      },
      ...ends,
    },
    {
      state: variable('TEXT', 'CO'),
      count: variable('NUMBER', '10'),
      long: variable('NUMBER', '9007199254740993'),
      day: variable('DATE', '2024-10-05'),
      empty: variable('TEXT', null),
      blanks: variable('TEXT', '  '),
      moment: variable('DATETIME', '2024-01-05T01:00:00'),
      late: variable('DATE', '10000-01-05'),
      time: variable('TIME', '06:00:00'),
      flag: variable('BOOLEAN', 'true'),
    },
  );
}

describe('an if', () => {
  test.each([
    [[['state', 'Is', 'Equal to', 'CO']], 'Yes'],
    [[['state', 'Is', 'Equal to', 'FL']], 'No'],
    [[['state', 'Not', 'Equal to', 'FL']], 'Yes'],
    [[['${state}', 'Is', 'Equal to', '${state}']], 'Yes'],
    [[['count', 'Is', 'Greater than', '9']], 'Yes'],
    [[['count', 'Is', 'Greater than', '10']], 'No'],
    [[['count', 'Is', 'Greater than or equal to', '10']], 'Yes'],
    [[['count', 'Is', 'Less than', '9']], 'No'],
    [[['count', 'Is', 'Less than or equal to', '10.0']], 'Yes'],
    [[['count', 'Is', 'Equal to', '10.0']], 'Yes'],
    [[['count', 'Is', 'Equal to', ' 1e1\t']], 'Yes'],
    [[['long', 'Is', 'Equal to', '9007199254740992']], 'No'],
    [[['long', 'Is', 'Greater than', '9007199254740992.9']], 'Yes'],
    [[['day', 'Is', 'Greater than', '2024-09-06']], 'Yes'],
    [[['empty', 'Is', 'Blank', '']], 'Yes'],
    [[['blanks', 'Is', 'Blank', '']], 'No'],
    [[['moment', 'Is', 'Equal to', '2024-01-05 01:00:00.0']], 'Yes'],
    [[['moment', 'Is', 'Equal to', '2024-01-05 02:00:00+01:00']], 'Yes'],
    [[['moment', 'Is', 'Greater than', '2024-01-05 01:00:00']], 'No'],
    [[['moment', 'Is', 'Less than', '2024-01-05 01:00:00.5']], 'Yes'],
    [[['late', 'Is', 'Greater than', '9999-01-05']], 'Yes'],
    [[['time', 'Is', 'Equal to', '06:00:00.0']], 'Yes'],
    [[['flag', 'Is', 'Equal to', 'TRUE']], 'Yes'],
    [[['state', 'Not', 'Blank', '']], 'Yes'],
    [
      [
        ['state', 'Is', 'Equal to', 'CO'],
        ['count', 'Is', 'Equal to', '1'],
      ],
      'No',
    ],
  ])('%j leads to %s', async (condition, expected) => {
    const state = await execute({ 'main.orch.yaml': withCondition(condition) });
    expect(trail(state)).toEqual(['Start', 'If', expected]);
    expect(state.message).not.toContain('counts as true');
  });

  test.each([
    ['count', '0x10', /"0x10" in condition is not a number/],
    ['count', '0b1', /"0b1" in condition is not a number/],
    ['count', ' ', /" " in condition is not a number/],
    ['count', '\u{a0}10', /in condition is not a number/],
    ['day', '2024-9-6', /is a date and cannot be "2024-9-6": write YYYY-MM-DD/],
  ])('of the variable %s beside %j fails', async (name, value, message) => {
    const condition = [[name, 'Is', 'Equal to', value]];
    const state = await execute({ 'main.orch.yaml': withCondition(condition) });
    expect(trail(state)).toEqual(['Start', 'If: FAILED']);
    expect(state.message).toMatch(message);
  });

  test('conditions joined by Or hold when one of them does', async () => {
    const rows = [
      ['state', 'Is', 'Equal to', 'FL'],
      ['count', 'Is', 'Equal to', '10'],
    ];
    const state = await execute({ 'main.orch.yaml': withCondition(rows, { combineConditions: 'Or' }) });
    expect(trail(state)).toContain('Yes');
  });

  test('the transitions true and false may be unquoted in the file', async () => {
    const text = [
      'type: "orchestration"',
      'version: "1.0"',
      'pipeline:',
      '  components:',
      '    Start:',
      '      type: "start"',
      '      transitions:',
      '        unconditional:',
      '        - "If"',
      '    If:',
      '      type: "if"',
      '      transitions:',
      '        true:',
      '        - "Yes"',
      '        false:',
      '        - "No"',
      '      parameters:',
      '        mode: "Simple"',
      '        condition:',
      '        - - "state"',
      '          - "Is"',
      '          - "Equal to"',
      '          - "FL"',
      '        combineConditions: "And"',
      '    "Yes":',
      '      type: "sql-executor"',
      '    "No":',
      '      type: "sql-executor"',
      '  variables:',
      '    state:',
      '      metadata:',
      '        type: "TEXT"',
      '      defaultValue: "CO"',
      '',
    ].join('\n');
    expect(trail(await execute({ 'main.orch.yaml': text }))).toEqual(['Start', 'If', 'No']);
    const other = await execute({ 'main.orch.yaml': text }, { scalarVariables: { state: 'FL' } });
    expect(trail(other)).toEqual(['Start', 'If', 'Yes']);
  });

  test.each([
    ['count > 9 && (state === "CO" || missing)', 'Yes'],
    ['count == 11', 'No'],
    ['state.toLowerCase() == "co"', 'Yes'],
    ['empty', 'No'],
    ['state', 'Yes'],
  ])('an advanced condition %s leads to %s', async (condition1, expected) => {
    const state = await execute({
      'main.orch.yaml': withCondition([['state', 'Is', 'Equal to', 'left over']], {
        mode: 'Advanced',
        condition1,
      }),
    });
    expect(trail(state)).toEqual(['Start', 'If', expected]);
    expect(state.message).not.toContain('counts as true');
  });

  test('an advanced condition about an unknown variable fails the if', async () => {
    const condition1 = 'missing == 1';
    const state = await execute({ 'main.orch.yaml': withCondition([], { mode: 'Advanced', condition1 }) });
    expect(trail(state)).toEqual(['Start', 'If: FAILED']);
    expect(state.message).toContain('the variable "missing" is not defined');
  });

  test('a condition of the simple mode with an unknown comparator counts as true, and the message says so', async () => {
    const state = await execute({ 'main.orch.yaml': withCondition([['state', 'Is', 'Similar to', 'CO']]) });
    expect(trail(state)).toContain('Yes');
    expect(state.message).toContain('counts as true');
  });

  test('a number that is compared with a text fails the if', async () => {
    const state = await execute({ 'main.orch.yaml': withCondition([['count', 'Is', 'Less than', 'many']]) });
    expect(state.message).toContain('"many" in condition is not a number');
  });

  test('an unsupported advanced condition counts as true, and the message says so', async () => {
    const state = await execute({
      'main.orch.yaml': withCondition([['state', 'Is', 'Equal to', 'left over']], {
        mode: 'Advanced',
        condition1: 'count > 1 && max(count)',
      }),
    });
    expect(trail(state)).toContain('Yes');
    expect(state.message).toContain(
      'A condition that the engine cannot evaluate counts as true: "If" of "main.orch.yaml".',
    );
    expect(stepsOf(state, 'If')[0]?.message).toContain('(assumed, because the engine cannot evaluate it)');
  });

  test('an advanced condition is answered by the script where that has an answer', async () => {
    const state = await execute(
      { 'main.orch.yaml': withCondition([], { mode: 'Advanced', condition1: 'count > 100' }) },
      { script: [{ pipeline: 'main', component: 'If', condition: false }] },
    );
    expect(trail(state)).toContain('No');
    expect(state.message).not.toContain('counts as true');
  });

  test('a condition about an unknown variable fails the if', async () => {
    const state = await execute({ 'main.orch.yaml': withCondition([['nobody', 'Is', 'Equal to', '1']]) });
    expect(state.status).toBe('FAILED');
    expect(state.message).toContain('Component "If"');
    expect(state.message).toContain('the variable "nobody" is not defined');
  });

  test('a branch that is not drawn simply ends', async () => {
    const state = await execute({
      'main.orch.yaml': pipeline(
        {
          Start: startThen('If'),
          If: {
            type: 'if',
            transitions: { true: ['Yes'] },
            parameters: { mode: 'Simple', condition: [['state', 'Is', 'Equal to', 'FL']] },
          },
          Yes: { type: 'sql-executor' },
        },
        { state: variable('TEXT', 'CO') },
      ),
    });
    expect(state.status).toBe('SUCCESS');
    expect(trail(state)).toEqual(['Start', 'If']);
  });
});
