import { describe, expect, test } from 'vitest';
import { execute, pipeline, start, startThen, variable } from './execute.ts';

const work = { type: 'sql-executor' };
const calling = (target: string) => ({ type: 'run-orchestration', parameters: { orchestrationJob: target } });
const failing = (component: string, name = 'main') => ({
  pipeline: name,
  component,
  outcome: 'failure' as const,
  message: `no ${component}`,
});

describe('the component that caused a failure', () => {
  test('is the one that failed, with its pipeline and its message', async () => {
    const files = { 'main.orch.yaml': pipeline({ Start: startThen('Load'), Load: work }) };
    const state = await execute(files, { script: [failing('Load')] });
    expect(state.failed).toEqual({ pipeline: 'main.orch.yaml', component: 'Load', message: 'no Load' });
  });

  test('is the first one, where a branch handled its failure and ended in an end-failure', async () => {
    const files = {
      'main.orch.yaml': pipeline({
        Start: startThen('Load'),
        Load: { ...work, transitions: { failure: ['Notify'] } },
        Notify: { ...work, transitions: { failure: ['End'] } },
        End: { type: 'end-failure' },
      }),
    };
    const state = await execute(files, { script: [failing('Load'), failing('Notify')] });
    expect(state.failed).toMatchObject({ component: 'Load', message: 'no Load' });
  });

  test('comes first in the message, where the component that should report it fails too', async () => {
    const files = {
      'main.orch.yaml': pipeline({
        Start: startThen('Load'),
        Load: { ...work, transitions: { failure: ['Alert'] } },
        Alert: work,
      }),
    };
    const state = await execute(files, { script: [failing('Load'), failing('Alert')] });
    expect(state.failed).toMatchObject({ component: 'Load', message: 'no Load' });
    expect(state.message).toMatch(
      /^Component "Load" of pipeline "main\.orch\.yaml" failed: no Load\. Then: Component "Alert" of pipeline "main\.orch\.yaml" failed: no Alert\. /,
    );
  });

  test('comes first in the message of the caller of its pipeline', async () => {
    const files = {
      'main.orch.yaml': pipeline({
        Start: startThen('Call'),
        Call: { ...calling('child'), transitions: { failure: ['End'] } },
        End: { type: 'end-failure' },
      }),
      'child.orch.yaml': pipeline({
        Start: startThen('Load'),
        Load: { ...work, transitions: { failure: ['Alert'] } },
        Alert: work,
      }),
    };
    const state = await execute(files, { script: [failing('Load', 'child'), failing('Alert', 'child')] });
    expect(state.message).toMatch(
      /^Component "Load" of pipeline "child\.orch\.yaml" failed: no Load\. Then: /,
    );
  });

  test('is the end-failure itself, where nothing failed before it', async () => {
    const files = { 'main.orch.yaml': pipeline({ Start: startThen('End'), End: { type: 'end-failure' } }) };
    expect((await execute(files)).failed).toMatchObject({ component: 'End' });
  });

  test('is the component of a called pipeline, also through iterations and retries', async () => {
    const files = {
      'main.orch.yaml': pipeline(
        {
          Start: startThen('Each'),
          Each: {
            type: 'fixed-iterator',
            iterationTarget: 'Again',
            parameters: { variablesToIterate: ['name'], iterationValues: [['a'], ['b']] },
          },
          Again: { type: 'retry', iterationTarget: 'Call', parameters: { numberOfRetries: '1' } },
          Call: calling('child'),
        },
        { name: variable('TEXT', '') },
      ),
      'child.orch.yaml': pipeline({ Start: startThen('Load'), Load: work }),
    };
    const state = await execute(files, { script: [failing('Load', 'child')] });
    expect(state.failed).toMatchObject({ pipeline: 'child.orch.yaml', component: 'Load' });
  });

  test('is the component that calls a pipeline which cannot start', async () => {
    const files = {
      'main.orch.yaml': pipeline({ Start: startThen('Call'), Call: calling('child') }),
      'child.orch.yaml': 'pipeline: []',
    };
    const state = await execute(files);
    expect(state.failed).toMatchObject({ pipeline: 'main.orch.yaml', component: 'Call' });
  });

  test('is the earliest of two branches that failed', async () => {
    const files = {
      'main.orch.yaml': pipeline({
        Start: startThen('A', 'B'),
        A: { ...work, transitions: { failure: ['End A'] } },
        B: { ...work, transitions: { failure: ['End B'] } },
        'End A': { type: 'end-failure' },
        'End B': { type: 'end-failure' },
      }),
    };
    const script = [
      { ...failing('A'), after: 2_000 },
      { ...failing('B'), after: 1_000 },
    ];
    const state = await execute(files, { script });
    expect(state.failed).toMatchObject({ component: 'B' });
    expect(state.message).toMatch(
      /^Component "B" .* failed: no B\. Then: .*"End B".* Then: Component "A" .*: no A\. /,
    );
  });

  test('is not there after a success, nor where a failure was handled', async () => {
    const files = {
      'main.orch.yaml': pipeline({
        Start: startThen('Load'),
        Load: { ...work, transitions: { failure: ['Notify'] } },
        Notify: work,
      }),
    };
    const state = await execute(files, { script: [failing('Load')] });
    expect(state.status).toBe('SUCCESS');
    expect(state.failed).toBeUndefined();
  });
});

test('the variables of the requested pipeline can be read after the end', async () => {
  const files = {
    'main.orch.yaml': pipeline(
      {
        Start: startThen('Set'),
        Set: { type: 'update-scalar', parameters: { scalarsToUpdate: [['day', 'new']] } },
      },
      { day: variable('TEXT', 'old'), keys: variable('GRID', [['a']], { columns: ['key'] }) },
    ),
  };
  const { clock, execution } = start(files);
  expect(execution.variables().size).toBe(0);
  await clock.advance(10_000);
  expect(execution.variables().get('day')?.value).toBe('new');
  expect(execution.variables().get('keys')).toMatchObject({ columns: ['key'], value: [['a']] });
});
