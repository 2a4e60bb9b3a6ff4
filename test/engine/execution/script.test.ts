import { describe, expect, test } from 'vitest';
import { createScript } from '../../../engine/index.ts';
import { execute, pipeline, startThen, stepsOf, trail } from './execute.ts';

const files = {
  'main.orch.yaml': pipeline({
    Start: startThen('Call'),
    Call: { type: 'run-orchestration', parameters: { orchestrationJob: 'child' } },
  }),
  'child.orch.yaml': pipeline({ Start: startThen('Load'), Load: { type: 'sql-executor' } }),
};

describe('what the seed says about an execution', () => {
  test('a component takes the time that its entry says', async () => {
    const state = await execute(files, { script: [{ pipeline: 'child', component: 'Load', after: 90_000 }] });
    expect(state.finishedAt).toBe('2031-01-01T12:01:30.000Z');
  });

  test('an outcome for a whole pipeline takes the place of its walk', async () => {
    const state = await execute(files, {
      script: [{ pipeline: 'main', outcome: 'failure', after: 5_000, message: 'the warehouse is asleep' }],
    });
    expect(state).toMatchObject({ status: 'FAILED', finishedAt: '2031-01-01T12:00:05.000Z', steps: [] });
    expect(state.message).toContain('Pipeline "main.orch.yaml" failed: the warehouse is asleep. Simulated');
  });

  test('an outcome for a called pipeline is the call’s', async () => {
    const state = await execute(files, {
      script: [{ pipeline: 'child', outcome: 'success', message: 'all good' }],
    });
    expect(trail(state)).toEqual(['Start', 'Call']);
    expect(stepsOf(state, 'Call')[0]?.message).toBe('all good');
  });

  test('an outcome for a call takes the place of what it calls', async () => {
    const state = await execute(files, {
      script: [{ pipeline: 'main.orch.yaml', component: 'Call', outcome: 'success' }],
    });
    expect(trail(state)).toEqual(['Start', 'Call']);
  });

  test('an entry for another environment does not count', async () => {
    const script = [
      { pipeline: 'child', component: 'Load', outcome: 'failure' as const, environment: 'prod' },
    ];
    expect((await execute(files, { script })).status).toBe('SUCCESS');
    expect((await execute(files, { script, environment: 'prod' })).status).toBe('FAILED');
  });

  test('a list counts within one execution, a script over all that share it', async () => {
    const once = [{ pipeline: 'child', component: 'Load', outcome: 'failure' as const, times: 1 }];
    expect((await execute(files, { script: once })).status).toBe('FAILED');
    expect((await execute(files, { script: once })).status).toBe('FAILED');
    const script = createScript(once);
    expect((await execute(files, { script })).status).toBe('FAILED');
    expect((await execute(files, { script })).status).toBe('SUCCESS');
  });

  test('when an entry is used up, the next that fits counts', async () => {
    const script = createScript([
      { pipeline: 'child', component: 'Load', after: 1, times: 1 },
      { pipeline: 'child', component: 'Load', after: 2 },
    ]);
    const ends = [];
    for (let run = 0; run < 3; run += 1) ends.push((await execute(files, { script })).finishedAt?.slice(-4));
    expect(ends).toEqual(['001Z', '002Z', '002Z']);
  });
});
