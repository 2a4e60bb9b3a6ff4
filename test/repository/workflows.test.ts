import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './repository-files.ts';

interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Record<
    string,
    { permissions?: Record<string, string>; steps: { uses?: string; run?: string }[] }
  >;
}

const folder = join(root, '.github', 'workflows');
const workflows = readdirSync(folder).map((name) => ({
  name,
  content: parse(readFileSync(join(folder, name), 'utf8')) as Workflow,
}));

test.each(workflows)(
  '$name starts with no permission, and its jobs ask for reading at most, but for the one that releases',
  ({ name, content }) => {
    expect(content.permissions).toEqual({});
    for (const [job, { permissions }] of Object.entries(content.jobs)) {
      expect(permissions).toEqual(
        name === 'release.yml' && job === 'release'
          ? { contents: 'write', 'id-token': 'write', attestations: 'write' }
          : { contents: 'read' },
      );
    }
  },
);

test.each(workflows)('$name uses actions by commit only', ({ content }) => {
  const used = Object.values(content.jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^(\.\/|[\w.-]+\/[\w./-]+@[0-9a-f]{40}$)/);
});

test('what `npm test` leaves out runs every night', () => {
  const nightly = readFileSync(join(folder, 'nightly.yml'), 'utf8');
  for (const task of ['test:deep', 'test:chaos', 'test:browser']) expect(nightly).toContain(`'${task}'`);
});

test('GitHub runs the same script as every other machine', () => {
  const runs = workflows.flatMap(({ content }) => Object.values(content.jobs).flatMap(({ steps }) => steps));
  expect(runs.map(({ run }) => run)).toContain('.ci/run');
  expect(statSync(join(root, '.ci', 'run')).mode & 0o111).not.toBe(0);
});
