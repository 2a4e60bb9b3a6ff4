import { describe, expect, test } from 'vitest';
import { execute, pipeline, start, startThen, stepsOf, trail } from './execute.ts';

describe('the walk of an orchestration', () => {
  test('components run one after the other, each taking its time by the clock, and it ends SUCCESS', async () => {
    const { clock, execution, states } = start({
      'main.orch.yaml': pipeline({
        Start: startThen('Load'),
        Load: { type: 'sql-executor', transitions: { success: ['Check'] } },
        Check: { type: 'python-pushdown', transitions: { success: ['Done'] } },
        Done: { type: 'end-success' },
      }),
    });
    expect(execution.state()).toMatchObject({ status: 'QUEUED', startedAt: null, finishedAt: null });
    await clock.advance(1_500);
    expect(execution.state().status).toBe('RUNNING');
    expect(trail(execution.state())).toEqual(['Start', 'Load', 'Check: RUNNING']);
    await clock.advance(1_500);
    const state = await execution.ended;
    expect(state).toMatchObject({
      status: 'SUCCESS',
      startedAt: '2031-01-01T12:00:00.000Z',
      finishedAt: '2031-01-01T12:00:02.000Z',
    });
    expect(state.message).toContain('Simulated: 4 components ran');
    expect(trail(state)).toEqual(['Start', 'Load', 'Check', 'Done']);
    expect(states.at(-1)).toEqual(state);
  });

  test('a reported state never changes afterwards, and it is plain JSON', async () => {
    const { clock, states } = start({
      'main.orch.yaml': pipeline({ Start: startThen('Load'), Load: { type: 'sql-executor' } }),
    });
    await clock.advance(500);
    const before = states.at(-1);
    const copy = JSON.parse(JSON.stringify(before)) as unknown;
    await clock.advance(5_000);
    expect(before).toEqual(copy);
    expect(states.map(({ status }) => status)).not.toContain('QUEUED');
  });

  test('a failure takes the failure branch and the unconditional one, and not the success branch', async () => {
    const state = await execute(
      {
        'main.orch.yaml': pipeline({
          Start: startThen('Load'),
          Load: {
            type: 'sql-executor',
            transitions: { success: ['Good'], failure: ['Bad'], unconditional: ['Always'] },
          },
          Good: { type: 'sql-executor' },
          Bad: { type: 'send-email', transitions: { success: ['End'] } },
          Always: { type: 'sql-executor' },
          End: { type: 'end-success' },
        }),
      },
      { script: [{ pipeline: 'main', component: 'Load', outcome: 'failure', message: 'no such table' }] },
    );
    expect(state.status).toBe('SUCCESS');
    expect(trail(state).toSorted()).toEqual(['Always', 'Bad', 'End', 'Load: FAILED', 'Start']);
    expect(stepsOf(state, 'Load')[0]?.message).toBe('no such table');
  });

  test('a failure that no branch takes ends it FAILED, naming component and pipeline', async () => {
    const state = await execute(
      {
        'daily/load all.orch.yaml': pipeline({
          Start: startThen('Load'),
          Load: { type: 'sql-executor', transitions: { success: ['Next'], failure: ['Nobody'] } },
          Next: { type: 'sql-executor' },
        }),
      },
      {
        pipeline: 'daily/load all',
        script: [
          { pipeline: 'daily/load all.orch.yaml', component: 'Load', outcome: 'failure', message: 'boom' },
        ],
      },
    );
    expect(state.status).toBe('FAILED');
    expect(state.message).toMatch(
      /^Component "Load" of pipeline "daily\/load all\.orch\.yaml" failed: boom\. Simulated/,
    );
    expect(trail(state)).toEqual(['Start', 'Load: FAILED']);
  });

  test('a branch that comes to an end-failure fails the pipeline, after the other branches have ended', async () => {
    const state = await execute(
      {
        'main.orch.yaml': pipeline({
          Start: startThen('Load', 'Other'),
          Load: { type: 'sql-executor', transitions: { failure: ['Give up'] } },
          'Give up': { type: 'end-failure' },
          Other: { type: 'sql-executor', transitions: { success: ['Other 2'] } },
          'Other 2': { type: 'sql-executor' },
        }),
      },
      { script: [{ pipeline: 'main', component: 'Load', outcome: 'failure', after: 10 }] },
    );
    expect(state.status).toBe('FAILED');
    expect(state.message).toContain('"Give up"');
    expect(trail(state)).toContain('Other 2');
  });

  test('an unhandled failure lets other branches end what they do and start nothing new', async () => {
    const state = await execute(
      {
        'main.orch.yaml': pipeline({
          Start: startThen('Load', 'Slow'),
          Load: { type: 'sql-executor' },
          Slow: { type: 'sql-executor', transitions: { success: ['Never'] } },
          Never: { type: 'sql-executor' },
        }),
      },
      { script: [{ pipeline: 'main', component: 'Load', outcome: 'failure', after: 10 }] },
    );
    expect(trail(state)).toEqual(['Start', 'Load: FAILED', 'Slow']);
    expect(state.finishedAt).toBe('2031-01-01T12:00:01.000Z');
  });

  test('an "and" runs once, after all that lead to it', async () => {
    const state = await execute(
      {
        'main.orch.yaml': pipeline({
          Start: startThen('A', 'B'),
          A: { type: 'sql-executor', transitions: { success: ['And'] } },
          B: { type: 'sql-executor', transitions: { success: ['And'] } },
          Lost: { type: 'sql-executor', transitions: { success: ['And'] } },
          And: { type: 'and', transitions: { unconditional: ['C'] } },
          C: { type: 'sql-executor' },
        }),
      },
      { script: [{ pipeline: 'main', component: 'B', after: 5_000 }] },
    );
    expect(state.status).toBe('SUCCESS');
    expect(trail(state)).toEqual(['Start', 'A', 'B', 'And', 'C']);
    expect(stepsOf(state, 'And')[0]?.startedAt).toBe('2031-01-01T12:00:05.000Z');
  });

  test('an "and" that one branch never comes to does not run, and a step says from where nothing came', async () => {
    const state = await execute({
      'main.orch.yaml': pipeline({
        Start: startThen('A', 'B'),
        A: { type: 'sql-executor', transitions: { success: ['And'] } },
        B: { type: 'sql-executor', transitions: { failure: ['And'] } },
        And: { type: 'and', transitions: { unconditional: ['C'] } },
        C: { type: 'sql-executor' },
      }),
    });
    expect(state.status).toBe('SUCCESS');
    expect(trail(state)).toEqual(['Start', 'A', 'B', 'And: SKIPPED']);
    expect(stepsOf(state, 'And')[0]?.message).toContain('"B"');
  });

  test('an "or" runs for the first that comes, and not again for the second', async () => {
    const state = await execute(
      {
        'main.orch.yaml': pipeline({
          Start: startThen('A', 'B'),
          A: { type: 'sql-executor', transitions: { success: ['Or'] } },
          B: { type: 'sql-executor', transitions: { success: ['Or'] } },
          Or: { type: 'or', transitions: { unconditional: ['C'] } },
          C: { type: 'sql-executor' },
        }),
      },
      { script: [{ pipeline: 'main', component: 'A', after: 5_000 }] },
    );
    expect(trail(state)).toEqual(['Start', 'A', 'B', 'Or', 'C']);
    expect(stepsOf(state, 'Or')[0]?.startedAt).toBe('2031-01-01T12:00:01.000Z');
  });

  test('a skipped component takes no time, passes as success, and keeps its place', async () => {
    const state = await execute({
      'main.orch.yaml': pipeline({
        Start: startThen('Load'),
        Load: { type: 'sql-executor', skipped: true, transitions: { success: ['Next'], failure: ['Bad'] } },
        Next: { type: 'sql-executor' },
        Bad: { type: 'end-failure' },
      }),
    });
    expect(trail(state)).toEqual(['Start', 'Load: SKIPPED', 'Next']);
    expect(state.finishedAt).toBe('2031-01-01T12:00:01.000Z');
  });

  test('a skipped component fails neither by the script nor by an unknown variable', async () => {
    const state = await execute(
      {
        'main.orch.yaml': pipeline({
          Start: startThen('Load'),
          Load: { type: 'sql-executor', skipped: true, parameters: { sqlScript: '${nobody}' } },
        }),
      },
      { script: [{ pipeline: 'main', component: 'Load', outcome: 'failure' }] },
    );
    expect(state.status).toBe('SUCCESS');
  });

  test.each([
    ['an empty pipeline', pipeline({})],
    ['a pipeline whose components lead from nowhere', pipeline({ Load: { type: 'sql-executor' } })],
  ])('%s fails for want of a start component', async (_, text) => {
    const state = await execute({ 'main.orch.yaml': text });
    expect(state.status).toBe('FAILED');
    expect(state.message).toContain(
      'Pipeline "main.orch.yaml" has no start component: add a component of the type start.',
    );
  });

  test('a file that cannot be read fails with its line', async () => {
    const state = await execute({ 'main.orch.yaml': 'pipeline:\n  components:\n    A: [1\n' });
    expect(state.status).toBe('FAILED');
    expect(state.message).toMatch(/"main\.orch\.yaml" cannot be read: line \d+, column \d+: /);
  });

  test('a pipeline that is not there fails by its name', async () => {
    const state = await execute({ 'main.orch.yaml': pipeline({}) }, { pipeline: 'other' });
    expect(state.message).toContain('This version has no pipeline with the path "other".');
  });

  test('transitions that lead round for ever end FAILED, naming the component', async () => {
    const state = await execute({
      'main.orch.yaml': pipeline({
        Start: startThen('Or'),
        Or: { type: 'or', transitions: { unconditional: ['Load'] } },
        Load: { type: 'sql-executor', transitions: { success: ['Or'] } },
      }),
    });
    expect(state.status).toBe('FAILED');
    expect(state.message).toMatch(/^Endless loop: transitions led to the component "(Or|Load)"/);
    expect(state.finishedAt).not.toBeNull();
  });

  test('the number of components is bounded, and the last one is named', async () => {
    const state = await execute(
      {
        'main.orch.yaml': pipeline({
          Start: startThen('A'),
          A: { type: 'sql-executor', transitions: { success: ['B'] } },
          B: { type: 'sql-executor', transitions: { success: ['C'] } },
          C: { type: 'sql-executor' },
        }),
      },
      { limits: { steps: 3 } },
    );
    expect(state.status).toBe('FAILED');
    expect(state.message).toContain(
      'More than 3 components ran, the limit of an execution; the last one was "C"',
    );
  });

  test('the kept steps are bounded: the oldest that have ended go first', async () => {
    const state = await execute(
      {
        'main.orch.yaml': pipeline({
          Start: startThen('A'),
          A: { type: 'sql-executor', transitions: { success: ['B'] } },
          B: { type: 'sql-executor', transitions: { success: ['C'] } },
          C: { type: 'sql-executor' },
        }),
      },
      { limits: { keptSteps: 2 } },
    );
    expect(trail(state)).toEqual(['B', 'C']);
    expect(state.droppedSteps).toBe(2);
  });

  test('of the kept steps, one that still runs stays longer than those that have ended', async () => {
    const { clock, execution } = start(
      {
        'main.orch.yaml': pipeline({
          Start: startThen('Call'),
          Call: { type: 'run-orchestration', parameters: { orchestrationJob: 'child' } },
        }),
        'child.orch.yaml': pipeline({
          Start: startThen('A'),
          A: { type: 'sql-executor', transitions: { success: ['B'] } },
          B: { type: 'sql-executor' },
        }),
      },
      { limits: { keptSteps: 2 } },
    );
    await clock.advance(1_500);
    expect(trail(execution.state())).toEqual(['Call: RUNNING', 'B: RUNNING']);
  });
});
