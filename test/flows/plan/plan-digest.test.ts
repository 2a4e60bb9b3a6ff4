import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeSnapshot } from '../../../flows/data-graph/snapshot/take-snapshot.ts';
import { planContents, planDigest, type PlanFacts, planJson } from '../../../flows/plan/digest/plan-json.ts';
import { readSnapshot, writeSnapshot } from '../../../flows/snapshot/read-snapshot.ts';
import type { Snapshot } from '../../../flows/snapshot/snapshot.ts';
import type { CurrentVariable } from '../../../flows/variables/current-variables.ts';
import { testFolder } from '../../cli/tests/test-project.ts';
import { copy, type Files, openFolder, script } from '../data-graph/small-projects.ts';
import { firstFiles, secondFiles } from './plan-environment.ts';

const secret = Buffer.alloc(32, 7);
const { signal } = new AbortController();

async function snapshotIn(files: Files): Promise<Snapshot> {
  using folder = testFolder(files);
  return await takeSnapshot(openFolder(folder.directory, files), { columns: false, signal });
}

const [live, wanted] = [await snapshotIn(firstFiles), await snapshotIn(secondFiles)];

function variable(
  name: string,
  value: string | number | null,
  overrides: Readonly<Record<string, string | number>> = {},
): CurrentVariable {
  return { variable: { name, type: 'TEXT', value }, overrides: new Map(Object.entries(overrides)) };
}

const region = variable('region', 'north', { prod: 'south' });
const facts: PlanFacts = {
  version: 'v1.4.0',
  from: 'test',
  to: 'prod',
  wanted: { commit: 'a'.repeat(40), enabled: true },
  live: { version: 'v1.3.0', commit: 'b'.repeat(40) },
  contents: planContents({ live, wanted }),
  variables: [region, variable('unused', 'a')],
};
const digest = planDigest(facts, secret);

/** The same JSON value with other orders of lists and keys, and with fields that nobody knows. */
function shuffled(value: unknown, random: fc.GeneratorValue, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => shuffled(item, random));
    // The parts of a name, and the columns of a table, have an order that means something.
    if (
      key === 'name' ||
      value.some((item) => Array.isArray(item)) ||
      (key === '' && typeof value[0] === 'string')
    )
      return items;
    return random(fc.shuffledSubarray, items, { minLength: items.length });
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, shuffled(part, random, name)] as const);
  return Object.fromEntries([
    ...random(fc.shuffledSubarray, entries, { minLength: entries.length }),
    ['later', random(fc.string)],
  ]);
}

test('the digest of a plan is the same under any order, paging, unknown fields and forms of a commit', () => {
  fc.assert(
    fc.property(fc.gen(), (random) => {
      const again = (snapshot: Snapshot) =>
        readSnapshot(JSON.stringify(shuffled(JSON.parse(writeSnapshot(snapshot)), random)));
      const others = random(
        fc.array,
        fc.constantFrom('unused', 'other').map((name) => variable(name, random(fc.string))),
      );
      const variables = random(fc.shuffledSubarray, [region, region, ...others], {
        minLength: others.length + 2,
      });
      const same: PlanFacts = {
        ...facts,
        wanted: { enabled: true, commit: 'A'.repeat(40) },
        contents: planContents({ wanted: again(wanted), live: again(live) }),
        variables: new Set(variables),
      };
      expect(planDigest(same, secret)).toBe(digest);
    }),
    { numRuns: 8 },
  );
});

const changes: readonly (readonly [what: string, facts: Partial<PlanFacts> | Promise<Partial<PlanFacts>>])[] =
  [
    ['another version', { version: 'v1.4.1' }],
    ['another source', { from: 'dev' }],
    ['another target', { to: 'prod-2' }],
    ['another commit of the wanted version', { wanted: { commit: 'c'.repeat(40), enabled: true } }],
    ['a commit that is not known', { wanted: { enabled: true } }],
    ['a wanted version that is disabled', { wanted: { commit: 'a'.repeat(40), enabled: false } }],
    ['a wanted version that is gone', { wanted: undefined }],
    ['another live version', { live: { version: 'v1.2.0', commit: 'b'.repeat(40) } }],
    ['another commit of the live version', { live: { version: 'v1.3.0', commit: 'c'.repeat(40) } }],
    ['no live version', { live: undefined }],
    ['no snapshot of the live version', { contents: planContents({ wanted }) }],
    ['a value of its own in the target', { variables: [variable('region', 'north', { prod: 'west' })] }],
    [
      'a value of its own in the source',
      { variables: [variable('region', 'north', { prod: 'south', test: 'north' })] },
    ],
    ['another default value', { variables: [variable('region', 'east', { prod: 'south' })] }],
    ['a number in place of a text', { variables: [variable('region', 'north', { prod: 1 })] }],
    ['no value of its own any more', { variables: [variable('region', 'south')] }],
    ['a variable that is gone', { variables: [] }],
    [
      'another column',
      snapshotIn({ ...secondFiles, 'stock.tran.yaml': copy('ORDERS', ['PRICE'], 'STOCK') }).then(
        (changed) => ({ contents: planContents({ live, wanted: changed }) }),
      ),
    ],
    [
      'other SQL in the live version',
      snapshotIn({
        ...firstFiles,
        'tables.orch.yaml': script('create or replace table ORDERS (ID number);'),
      }).then((changed) => ({ contents: planContents({ live: changed, wanted }) })),
    ],
  ];

test.each(changes)('the digest of a plan is another one with %s', async (_, change) => {
  expect(planDigest({ ...facts, ...(await change) }, secret)).not.toBe(digest);
});

test('another secret gives another digest, and no text shows a value or one that could be tried', () => {
  expect(planDigest(facts, Buffer.alloc(32, 8))).not.toBe(digest);
  const equal = planJson({ ...facts, variables: [variable('region', 'south', { prod: 'south' })] }, secret);
  expect(equal).not.toContain('south');
  expect(JSON.parse(planJson(facts, secret))).toMatchObject({
    variables: [{ name: 'region', type: 'TEXT', to: { source: 'own' } }],
  });
  expect(() => planJson(facts, Buffer.alloc(15))).toThrow(/at least 16 bytes, not 15/);
});

test('a plan is about the variables of affected pipelines; without the live version, of all; without both, about all', () => {
  expect(planContents({ live, wanted }).names).toEqual(new Set(['region']));
  expect(planContents({ live: wanted, wanted }).names).toEqual(new Set());
  expect(planContents({ wanted }).names).toEqual(new Set(['region']));
  expect(planContents({ live }).names).toBeUndefined();
  const names = (versions: Parameters<typeof planContents>[0]) =>
    (
      JSON.parse(planJson({ ...facts, contents: planContents(versions) }, secret)) as {
        variables: { name: string }[];
      }
    ).variables.map(({ name }) => name);
  expect(names({})).toEqual(['region', 'unused']);
});
