import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { type ExecutionState, interrupted, isTerminal, startExecution } from '../../../engine/index.ts';
import { pipeline, start, startThen, trail } from './execute.ts';

const files = {
  'main.orch.yaml': pipeline({
    Start: startThen('Call'),
    Call: {
      type: 'run-orchestration',
      parameters: { orchestrationJob: 'child' },
      transitions: { success: ['Next'], failure: ['Repair'] },
    },
    Next: { type: 'sql-executor' },
    Repair: { type: 'sql-executor' },
  }),
  'child.orch.yaml': pipeline({
    Start: startThen('Load'),
    Load: { type: 'sql-executor', transitions: { unconditional: ['After'] } },
    After: { type: 'sql-executor' },
  }),
};

describe('termination', () => {
  test('by force, what runs stops at once and the execution is CANCELLED', async () => {
    const { clock, execution, states } = start(files);
    await clock.advance(300);
    execution.terminate(true);
    expect(execution.state().status).toBe('CANCELLING');
    const state = await execution.ended;
    expect(state).toMatchObject({ status: 'CANCELLED', finishedAt: '2031-01-01T12:00:00.300Z' });
    expect(trail(state)).toEqual(['Start', 'Call: CANCELLED', 'Start', 'Load: CANCELLED']);
    expect(clock.sleepers).toBe(0);
    expect(states.map(({ status }) => status).filter((status, at, all) => status !== all[at - 1])).toEqual([
      'RUNNING',
      'CANCELLING',
      'CANCELLED',
    ]);
  });

  test('without force, what runs ends and nothing new starts', async () => {
    const { clock, execution } = start(files);
    await clock.advance(300);
    execution.terminate(false);
    await clock.advance(500);
    expect(execution.state().status).toBe('CANCELLING');
    await clock.advance(5_000);
    const state = execution.state();
    expect(state).toMatchObject({ status: 'CANCELLED', finishedAt: '2031-01-01T12:00:01.000Z' });
    expect(trail(state)).toEqual(['Start', 'Call: CANCELLED', 'Start', 'Load']);
    expect(state.message).toContain('Terminated on request.');
  });

  test('force after no force stops at once', async () => {
    const { clock, execution } = start(files);
    await clock.advance(300);
    execution.terminate(false);
    await clock.advance(100);
    execution.terminate(true);
    expect((await execution.ended).finishedAt).toBe('2031-01-01T12:00:00.400Z');
  });

  test('an execution that is still queued is cancelled without having started', async () => {
    const { clock, execution } = start(files, { queueTimeMs: 1_000 });
    await clock.advance(300);
    expect(execution.state().status).toBe('QUEUED');
    execution.terminate(false);
    const state = await execution.ended;
    expect(state).toMatchObject({ status: 'CANCELLED', startedAt: null, steps: [] });
    expect(state.finishedAt).toBe('2031-01-01T12:00:00.300Z');
  });

  test('an execution that waits in the queue starts by the clock', async () => {
    const { clock, execution } = start(files, { queueTimeMs: 1_000 });
    await clock.advance(1_000);
    expect(execution.state()).toMatchObject({ status: 'RUNNING', startedAt: '2031-01-01T12:00:01.000Z' });
  });

  test('all branches and concurrent rounds stop by force', async () => {
    const { clock, execution } = start({
      'main.orch.yaml': pipeline(
        {
          Start: startThen('Each', 'Other'),
          Each: {
            type: 'fixed-iterator',
            parameters: {
              variablesToIterate: ['a'],
              iterationValues: [['1'], ['2']],
              concurrency: 'Concurrent',
            },
            iterationTarget: 'Load',
          },
          Load: { type: 'sql-executor' },
          Other: { type: 'sql-executor' },
        },
        { a: { metadata: { type: 'TEXT', scope: 'COPIED' } } },
      ),
    });
    await clock.advance(10);
    expect(clock.sleepers).toBe(3);
    execution.terminate(true);
    const state = await execution.ended;
    expect(state.steps.filter(({ status }) => status === 'RUNNING')).toEqual([]);
    expect(clock.sleepers).toBe(0);
  });

  test('a long row of components that take no time can be terminated in the middle, on the machine’s own clock', async () => {
    const rows = Array.from({ length: 900 }, (_, index) => [String(index)]);
    const texts: Record<string, string> = {
      'main.orch.yaml': pipeline(
        {
          Start: startThen('Each'),
          Each: {
            type: 'fixed-iterator',
            parameters: { variablesToIterate: ['a'], iterationValues: rows },
            iterationTarget: 'Print',
          },
          Print: { type: 'print-variables', parameters: { variablesToPrint: [['a']] } },
        },
        { a: { metadata: { type: 'TEXT', scope: 'SHARED' } } },
      ),
    };
    const execution = startExecution({
      id: 'execution-1',
      pipeline: 'main',
      environment: 'test',
      scalarVariables: {},
      gridVariables: {},
      projectVariables: new Map(),
      script: [],
      componentTimeMs: 1,
      clock: systemClock,
      onChange() {},
      files: (path) => texts[path],
      paths: Object.keys(texts),
    });
    setImmediate(() => {
      execution.terminate(true);
    });
    const state = await execution.ended;
    expect(state.status).toBe('CANCELLED');
    expect(state.steps.length).toBeLessThan(900);
  });

  test('an execution that has ended is left as it is', async () => {
    const { clock, execution, states } = start(files);
    await clock.advance(60_000);
    const before = execution.state();
    expect(before.status).toBe('SUCCESS');
    const count = states.length;
    execution.terminate(true);
    expect(execution.state()).toEqual(before);
    expect(states.length).toBe(count);
  });
});

describe('an execution that cannot continue', () => {
  test('if its changes cannot be recorded, it ends FAILED saying so and starts nothing more', async () => {
    let failing = false;
    const { clock, execution } = start(files, {
      onChange: () => {
        if (failing) throw new Error('disk full');
      },
    });
    await clock.advance(300);
    failing = true;
    await clock.advance(60_000);
    const state = execution.state();
    expect(state.status).toBe('FAILED');
    expect(state.message).toContain('The execution could not be recorded: disk full.');
    expect(trail(state)).not.toContain('After');
  });

  test('if the store fails, the execution ends FAILED with the reason, in all branches', async () => {
    const { clock, execution } = start(
      {
        'main.orch.yaml': pipeline({
          Start: startThen('Shared', 'Load'),
          Shared: { type: 'run-shared-pipeline', parameters: { pipelineName: 'a#b' } },
          Load: { type: 'sql-executor', transitions: { success: ['Next'] } },
          Next: { type: 'sql-executor' },
        }),
      },
      {
        shared: () => {
          throw new Error('no such table');
        },
      },
    );
    await clock.advance(60_000);
    const state = execution.state();
    expect(state.message).toContain(
      'Millrace failed at "Shared" because of an internal error: no such table.',
    );
    expect(trail(state)).not.toContain('Next');
  });

  test('what was running when the platform stopped is FAILED when it starts again', async () => {
    const { clock, execution } = start(files);
    await clock.advance(300);
    const stored = JSON.parse(JSON.stringify(execution.state())) as ExecutionState;
    const state = interrupted(stored, Date.UTC(2031, 0, 2));
    expect(state).toMatchObject({ status: 'FAILED', finishedAt: '2031-01-02T00:00:00.000Z' });
    expect(state.startedAt).toBe(stored.startedAt);
    expect(state.message).toContain('stopped while this execution was running');
    expect(trail(state)).toEqual(['Start', 'Call: CANCELLED', 'Start', 'Load: CANCELLED']);
    expect(interrupted(state, 0)).toBe(state);
  });

  test.each([
    ['QUEUED', false],
    ['RUNNING', false],
    ['CANCELLING', false],
    ['SUCCESS', true],
    ['FAILED', true],
    ['CANCELLED', true],
  ] as const)('%s is terminal: %s', (status, expected) => {
    expect(isTerminal(status)).toBe(expected);
  });
});
