import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTerminal } from '../../../engine/index.ts';
import { pipeline, start, startThen } from './execute.ts';

const names = ['A', 'B', 'C', 'D', 'E'];
const name = fc.constantFrom(...names, 'Nobody');
const way = fc.uniqueArray(name, { maxLength: 3 });

const component = fc.record({
  type: fc.constantFrom(
    'sql-executor',
    'and',
    'or',
    'if',
    'end-success',
    'end-failure',
    'fixed-iterator',
    'retry',
    'run-orchestration',
    'run-transformation',
    'run-shared-pipeline',
  ),
  skipped: fc.boolean(),
  iterationTarget: name,
  parameters: fc.constantFrom(
    {},
    { orchestrationJob: 'main', transformationJob: 'other', concurrency: 'Concurrent' },
    { orchestrationJob: 'gone', variablesToIterate: ['a'], iterationValues: [['1'], ['2']] },
    { sqlScript: '${nobody}' },
  ),
  transitions: fc.record(
    { success: way, failure: way, unconditional: way, true: way, false: way },
    { requiredKeys: [] },
  ),
});

const graph = fc.record({
  components: fc.tuple(...names.map((key) => component.map((value) => [key, value] as const))),
  first: way,
  failing: fc.subarray(names),
});

function begin({
  components,
  first,
  failing,
}: typeof graph extends fc.Arbitrary<infer Graph> ? Graph : never) {
  const variables = { a: { metadata: { type: 'TEXT', scope: 'SHARED' } } };
  return start(
    {
      'main.orch.yaml': pipeline(
        { Start: startThen(...first), ...Object.fromEntries(components) },
        variables,
      ),
      'other.tran.yaml': pipeline({ In: { type: 'table-input' } }),
    },
    {
      script: failing.map((key) => ({ pipeline: 'main', component: key, outcome: 'failure' as const })),
      limits: { depth: 4, steps: 200, repeats: 5 },
    },
  );
}

describe('an execution of any pipeline', () => {
  test('ends with every step ended and no sleeper left', async () => {
    await fc.assert(
      fc.asyncProperty(graph, async (any) => {
        const { clock, execution } = begin(any);
        await clock.advance(1_000_000);
        const state = execution.state();
        expect(['SUCCESS', 'FAILED']).toContain(state.status);
        expect(state.finishedAt).not.toBeNull();
        expect(state.steps.filter(({ status }) => status === 'RUNNING')).toEqual([]);
        expect(state.message).toContain('Simulated');
        expect(clock.sleepers).toBe(0);
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  test('ends at the same moment in which it is terminated by force', async () => {
    await fc.assert(
      fc.asyncProperty(graph, fc.nat(8_000), async (any, ms) => {
        const { clock, execution } = begin(any);
        await clock.advance(ms);
        const ran = !isTerminal(execution.state().status);
        execution.terminate(true);
        const state = await execution.ended;
        expect(clock.sleepers).toBe(0);
        expect(state.steps.filter(({ status }) => status === 'RUNNING')).toEqual([]);
        if (ran)
          expect(state).toMatchObject({
            status: 'CANCELLED',
            finishedAt: new Date(clock.now()).toISOString(),
          });
        else expect(state.status).not.toBe('CANCELLED');
      }),
      { numRuns: 100, seed: 7 },
    );
  });

  test('does the same twice', async () => {
    await fc.assert(
      fc.asyncProperty(graph, async (any) => {
        const once = begin(any);
        await once.clock.advance(1_000_000);
        const twice = begin(any);
        await twice.clock.advance(1_000_000);
        expect(twice.execution.state()).toEqual(once.execution.state());
      }),
      { numRuns: 50, seed: 7 },
    );
  });
});
