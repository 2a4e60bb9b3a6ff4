import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTerminal, startExecution } from '../../../engine/index.ts';
import { pipeline, startThen, variable } from './execute.ts';
import { NUMBER, openTestWarehouse } from './on-warehouse.ts';

const names = ['A', 'B', 'C', 'D', 'E'];
const name = fc.constantFrom(...names);
const first = fc.uniqueArray(name, { minLength: 1, maxLength: 2 });
const next = fc.uniqueArray(name, { maxLength: 2 });

const work = fc.constantFrom(
  { type: 'sql-script', parameters: { sqlScript: 'CREATE OR REPLACE TABLE t AS SELECT 1 AS n' } },
  { type: 'sql-executor', parameters: { sqlScript: 'INSERT INTO t SELECT n FROM t; SELECT 1 / 0' } },
  { type: 'sql-script', parameters: { sqlScript: 'DROP TABLE IF EXISTS t' } },
  {
    type: 'query-to-scalar',
    parameters: { query: 'SELECT COUNT(*) AS n FROM t', scalarVariableMapping: [['a', 'n']] },
  },
  { type: 'run-transformation', parameters: { transformationJob: 'other' } },
  { type: 'run-orchestration', parameters: { orchestrationJob: 'child' } },
  { type: 'table-iterator', parameters: { query: 'SELECT n FROM t', columnMapping1: [['n', 'a']] } },
  {
    type: 'loop-iterator',
    parameters: { variableToIterate: 'a', startingValue: '1', endValue: '3', concurrency: 'Concurrent' },
  },
  { type: 'retry', parameters: { numberOfRetries: '1' } },
  { type: 'if', parameters: { mode: 'Advanced', condition1: 'a == 1' } },
  { type: 'send-email' },
  { type: 's3-load' },
  { type: 'end-failure' },
  { type: 'and' },
);

const component = fc
  .record({
    work,
    iterationTarget: name,
    transitions: fc.record({ success: next, failure: next, true: next, false: next }, { requiredKeys: [] }),
  })
  .map(({ work: done, ...rest }) => ({ ...done, ...rest }));

const graph = fc.tuple(...names.map((key) => component.map((value) => [key, value] as const)));

test('an execution of any graph on a warehouse ends, and names a component that failed', async () => {
  await using opened = await openTestWarehouse();
  await fc.assert(
    fc.asyncProperty(graph, first, fc.nat(40), async (components, starts, stopAt) => {
      const schema = opened.schema();
      await schema.create('T', { N: NUMBER }, [[1], [2]]);
      const files: Readonly<Record<string, string>> = {
        'main.orch.yaml': pipeline(
          { Start: startThen(...starts), ...Object.fromEntries(components) },
          { a: variable('TEXT', '1', { scope: 'COPIED' }) },
        ),
        'child.orch.yaml': pipeline({ Start: startThen('Load'), Load: { type: 's3-load' } }),
        'other.tran.yaml': pipeline({
          Read: { type: 'table-input', parameters: { targetTable: 'T', columnNames: ['N'] }, sources: [] },
          Write: { type: 'rewrite-table', parameters: { targetTable: 'written' }, sources: ['Read'] },
        }),
      };
      let changes = 0;
      const execution = startExecution({
        id: 'execution-1',
        pipeline: 'main',
        environment: 'test',
        files: (path) => files[path],
        paths: Object.keys(files),
        scalarVariables: {},
        gridVariables: {},
        projectVariables: new Map(),
        script: [],
        componentTimeMs: 0,
        clock: { now: () => 0, sleep: async () => {} },
        limits: { depth: 4, steps: 100, repeats: 4, iterations: 50 },
        engine: { ...schema.engine, mocks: new Map([['A', {}]]) },
        onChange: () => {
          changes += 1;
          if (changes === stopAt && stopAt > 20) execution.terminate(true);
        },
      });
      const state = await execution.ended;
      expect(isTerminal(state.status)).toBe(true);
      expect(state.steps.filter(({ status }) => status === 'RUNNING')).toEqual([]);
      expect(state.message).not.toMatch(/Simulated|internal error/);
      const { failed } = state;
      const isFatal =
        /^(?:More than|Endless loop|Iterators and pipelines are nested|Components are nested|Pipelines call)/.test(
          state.message,
        );
      if (state.status === 'FAILED' && !isFatal) expect(failed).toBeDefined();
      if (failed === undefined) return;
      const steps = state.steps.filter(
        (step) => step.component === failed.component && step.pipeline === failed.pipeline,
      );
      expect(steps.some(({ status, message }) => status === 'FAILED' && message === failed.message)).toBe(
        true,
      );
    }),
    { numRuns: 150, seed: 11 },
  );
});
