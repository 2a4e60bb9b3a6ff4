import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Python, Warehouse } from '../../../engine/index.ts';
import { initTest } from '../../../flows/test/init-test.ts';
import { testSetting } from '../../../flows/test/run-test.ts';
import { openTestWarehouse } from '../../../flows/test/run-tests.ts';
import { openTestProject } from '../../../flows/test/test-project.ts';
import { systemClock } from '../../../lib/core/system-clock.ts';

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
