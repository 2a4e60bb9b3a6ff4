import { expect, test } from 'vitest';
import { createExecutions, type Executions } from '../../../platform/world/executions.ts';
import { seedSchema } from '../../../platform/seed/seed-schema.ts';
import { createWarehouses } from '../../../platform/world/warehouses.ts';
import { openStore, type Store } from '../../../platform/store/store.ts';
import { type ManualClock, manualClock } from '../../environment/clock.ts';
import { pipeline, startThen } from '../../engine/execution/execute.ts';

const rounds = 300;

const iterating = pipeline(
  {
    Start: startThen('Each'),
    Each: {
      type: 'loop-iterator',
      parameters: {
        variableToIterate: 'n',
        startingValue: '1',
        endValue: String(rounds),
        incrementValue: '1',
      },
      iterationTarget: 'Print',
    },
    Print: { type: 'print-variables', parameters: { variablesToPrint: [['n']] } },
  },
  { n: { metadata: { type: 'NUMBER', scope: 'COPIED', visibility: 'PUBLIC' }, defaultValue: '0' } },
);

/** A store that remembers how much was written down of executions. */
function counting(): { store: Store; written: string[] } {
  const store = openStore(':memory:');
  const written: string[] = [];
  return {
    written,
    store: {
      ...store,
      run(sql, ...values) {
        if (sql.startsWith('UPDATE execution')) written.push(values[0] as string);
        return store.run(sql, ...values);
      },
    },
  };
}

function executionsOf(store: Store, clock: ManualClock): Executions {
  const seed = seedSchema.parse({});
  const warehouses = createWarehouses({ store, seed, data: ':memory:', now: () => clock.now() });
  return createExecutions({ store, seed, warehouses, now: () => clock.now() });
}

test('an iterator of 300 rounds that takes no time is written down when its status changes, not at every step', async () => {
  const { store, written } = counting();
  const clock = manualClock();
  const executions = executionsOf(store, clock);
  store.run(`INSERT INTO project (id, name, warehouse, invited) VALUES ('p', 'p', 'w', 1)`);
  const files: Record<string, string> = { 'main.orch.yaml': iterating };
  const walk = {
    id: 'e',
    pipeline: 'main',
    environment: 'dev',
    scalarVariables: {},
    gridVariables: {},
    projectVariables: new Map(),
    paths: Object.keys(files),
    files: (path: string) => files[path],
    clock,
  };
  executions.add({ projectId: 'p', versionName: '1', tag: undefined }, walk);
  executions.begin('p', walk, 'agent');
  await expect
    .poll(async () => {
      await clock.advance(60_000);
      return executions.find('p', 'e')?.status;
    })
    .toBe('SUCCESS');
  const ended = executions.find('p', 'e');
  expect((ended?.steps.length ?? 0) + (ended?.droppedSteps ?? 0)).toBeGreaterThan(rounds);
  expect(written.map((state) => (JSON.parse(state) as { status: string }).status)).toEqual([
    'RUNNING',
    'SUCCESS',
  ]);
  store.close();
});

test('what runs is asked for its steps itself, though they are not written down', async () => {
  const { store, written } = counting();
  const clock = manualClock();
  const executions = executionsOf(store, clock);
  store.run(`INSERT INTO project (id, name, warehouse, invited) VALUES ('p', 'p', 'w', 1)`);
  const work = pipeline({ Start: startThen('Work'), Work: { type: 'sql-executor' } });
  const walk = {
    id: 'e',
    pipeline: 'main',
    environment: 'dev',
    scalarVariables: {},
    gridVariables: {},
    projectVariables: new Map(),
    paths: ['main.orch.yaml'],
    files: () => work,
    clock,
  };
  executions.add({ projectId: 'p', versionName: '1', tag: undefined }, walk);
  executions.begin('p', walk, 'agent');
  await clock.asleep();
  expect(executions.find('p', 'e')?.steps.map(({ component }) => component)).toEqual(['Start', 'Work']);
  expect(written).toHaveLength(1);
  await executions.close();
  store.close();
});
