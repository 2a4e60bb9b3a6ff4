import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Python, Warehouse } from '../../../../engine/index.ts';
import { initTest } from '../../../../flows/pipeline-tests/first-test/init-test.ts';
import { testSetting } from '../../../../flows/pipeline-tests/run/run-test.ts';
import { openTestWarehouse } from '../../../../flows/pipeline-tests/run/open-test-warehouse.ts';
import { openTestProject } from '../../../../flows/pipeline-tests/files/test-project.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';

const pipeline = `pipeline:
  components:
    Start: { type: start, transitions: { success: [Count] } }
    Count:
      type: python-script
      parameters: { script: 'context.updateVariable("count", count + 1)' }
      transitions: { success: [Done] }
    Done: { type: end-success }
  variables:
    count: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 4 }
    other: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 4 }
`;

const directory = mkdtempSync(path.join(tmpdir(), 'millrace-init-'));
let warehouse: Warehouse;
beforeAll(async () => {
  writeFileSync(path.join(directory, 'count.orch.yaml'), pipeline);
  warehouse = await openTestWarehouse(openTestProject(directory, 'WAREHOUSE_ONE'));
});
afterAll(async () => {
  await warehouse[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

const noOutput = { text: '', omitted: 0 };

/** A Python whose scripts end as these say, one after the other. */
function pythonWith(...ends: readonly Awaited<ReturnType<Python['run']>>[]): Python {
  const left = ends.values();
  return { run: () => Promise.resolve(left.next().value) };
}

function ended(count: string, other: string) {
  const set = new Map([
    ['count', count],
    ['other', other],
  ]);
  return {
    end: { kind: 'ended', set } as const,
    output: noOutput,
    errors: noOutput,
    version: '3.12',
    hasNoNetwork: true,
    hasOwnFiles: true,
  };
}

function init(python: Python) {
  const project = openTestProject(directory, 'WAREHOUSE_ONE');
  const context = { clock: systemClock, signal: new AbortController().signal };
  return initTest('count.orch.yaml', 'count.test.yaml', warehouse, {
    ...testSetting(project, context),
    python,
  });
}

test('a variable that has another value in the second run is left out of the first test, all else is kept', async () => {
  const { text } = await init(pythonWith(ended('5', '7'), ended('5', '8')));
  expect(text).toContain('      variables: { count: 5 }\n      ran: [Start, Count, Done]\n');
});

test('no first test is written where the second run fails, and the result names the failure', async () => {
  const lost = {
    ...ended('5', '5'),
    end: { kind: 'lost', how: 'its process could not be started' },
  } as const;
  const { text, failed } = await init(pythonWith(ended('5', '5'), lost, ended('5', '5'), lost));
  expect(text).toBe('');
  expect(failed?.message).toMatch(
    /^it ended in another way when it ran again: the pipeline failed: .* its process could not be started$/,
  );
});

describe('the work for a first test grows with the pipeline, not with its square', () => {
  const start = 'Start: { type: start, transitions: { unconditional: [C0] } }';
  const linked = (count: number, at: number) =>
    at + 1 < count ? `, transitions: { success: [C${at + 1}] }` : '';
  const script = (sql: string, more = '') =>
    `{ type: sql-script, parameters: { sqlScript: "${sql}" }${more} }`;

  test.each<[string, (at: number, next: string) => string]>([
    [
      'statements that read a table each',
      (at, next) => `C${at}: ${script(`INSERT INTO OUT${at} SELECT A, B FROM IN${at}`, next)}`,
    ],
    [
      'iterators over a table each',
      (at, next) =>
        `C${at}: { type: table-iterator, iterationTarget: T${at}, parameters: { mode: Advanced, query: SELECT A FROM SOURCE${at}, columnMapping1: [[A, v]], concurrency: Sequential, breakOnFailure: "No" }${next} }\n    T${at}: ${script(`INSERT INTO OUT${at} SELECT \${v} AS X FROM IN${at}`)}`,
    ],
    [
      'loads that need a mock',
      (at, next) =>
        `C${at}: { type: s3-load, parameters: { targetTable: LOADED${at} }${next} }\n    S${at}: ${script(`SELECT A FROM LOADED${at}`)}`,
    ],
    [
      'statements of scripts that also create tables',
      (at, next) =>
        `C${at}: ${script(`CREATE TABLE OUT${at} AS SELECT A FROM IN${at}; CREATE TABLE MORE${at} AS SELECT B FROM IN${at}; CREATE TABLE REST${at} AS SELECT C FROM OTHER${at}`, next)}`,
    ],
    [
      'statements that the engine refuses',
      (at, next) =>
        `C${at}: ${script(`INSERT INTO OUT${at} SELECT SYSTEM$REFUSED${at}(A) FROM IN${at}`, next)}`,
    ],
  ])('%s', async (_, componentsAt) => {
    const run = vi.spyOn(Object.getPrototypeOf(warehouse) as Warehouse, 'run');
    const createTable = vi.spyOn(Object.getPrototypeOf(warehouse) as Warehouse, 'createTable');
    const statementsFor = async (count: number) => {
      const components = Array.from({ length: count }, (__, at) => componentsAt(at, linked(count, at)));
      writeFileSync(
        path.join(directory, 'large.orch.yaml'),
        `pipeline:\n  components:\n    ${[start, ...components].join('\n    ')}\n  variables:\n    v: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 0 }\n`,
      );
      const before = run.mock.calls.length + createTable.mock.calls.length;
      const project = openTestProject(directory, 'WAREHOUSE_ONE');
      const context = { clock: systemClock, signal: new AbortController().signal };
      const first = await initTest(
        'large.orch.yaml',
        'large.test.yaml',
        warehouse,
        testSetting(project, context),
      );
      expect(first.text).not.toBe('');
      return run.mock.calls.length + createTable.mock.calls.length - before;
    };
    expect((await statementsFor(12)) / (await statementsFor(3))).toBeLessThan(5);
    vi.restoreAllMocks();
  });
});
