import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './repository-files.ts';

interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Record<
    string,
    {
      permissions?: Record<string, string>;
      environment?: unknown;
      steps: { uses?: string; run?: string; with?: Record<string, unknown> }[];
    }
  >;
}

const folder = join(root, '.github', 'workflows');
const workflows = readdirSync(folder).map((name) => ({
  name,
  content: parse(readFileSync(join(folder, name), 'utf8')) as Workflow,
}));

/** What a job may write, and why it must. */
const writers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // The release and the moving tag, and the attestation.
  'release.yml release': { contents: 'write', 'id-token': 'write', attestations: 'write' },
  // The package and its provenance.
  'release.yml npm': { contents: 'read', 'id-token': 'write' },
  // The documentation site.
  'pages.yml publish': { pages: 'write', 'id-token': 'write' },
  // What callers get: findings on a pull request, and the record of a deployment.
  'review.yml review': { contents: 'read', 'pull-requests': 'write', checks: 'write' },
  'release-version.yml release': { contents: 'read', deployments: 'write' },
  'promote.yml promote': { contents: 'read', deployments: 'write' },
  // The findings.
  'codeql.yml analyze': { contents: 'read', 'security-events': 'write' },
};

test.each(workflows)(
  '$name has no default permission, and its jobs only read, except the listed ones',
  ({ name, content }) => {
    expect(content.permissions).toEqual({});
    for (const [job, { permissions }] of Object.entries(content.jobs))
      expect(permissions).toEqual(writers[`${name} ${job}`] ?? { contents: 'read' });
  },
);

test.each(workflows)('$name uses actions by commit only', ({ content }) => {
  const used = Object.values(content.jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^([.$]\/|[\w.-]+\/[\w./-]+@[0-9a-f]{40}$)/);
});

test.each([
  ...workflows,
  ...readdirSync(join(root, 'examples', 'workflows')).map((name) => ({
    name: `examples/workflows/${name}`,
    content: parse(readFileSync(join(root, 'examples', 'workflows', name), 'utf8')) as Workflow,
  })),
])('$name records each deployment once: GitHub records one for a job with an environment', ({ content }) => {
  const twice = Object.values(content.jobs).filter(
    ({ environment, steps }) =>
      environment !== undefined &&
      (environment as { deployment?: boolean }).deployment !== false &&
      steps.some((step) => step.with?.['deployment'] === true),
  );
  expect(twice).toEqual([]);
});

test('the tests that `npm test` excludes, and the coverage, run every night', () => {
  const nightly = readFileSync(join(folder, 'nightly.yml'), 'utf8');
  for (const task of ['test:deep', 'test:coverage', 'test:chaos', 'test:browser'])
    expect(nightly).toContain(`'${task}'`);
});

test('GitHub runs the same script as every other machine', () => {
  const runs = workflows.flatMap(({ content }) => Object.values(content.jobs).flatMap(({ steps }) => steps));
  expect(runs.map(({ run }) => run)).toContain('.ci/run');
  expect(statSync(join(root, '.ci', 'run')).mode & 0o111).not.toBe(0);
});

test('a release has the file of the package with its checksum and attestation, and the registry gets the same file', () => {
  const release = workflows.find(({ name }) => name === 'release.yml')?.content;
  const textOf = (job: string) => JSON.stringify(release?.jobs[job]?.steps);
  expect(textOf('build')).toMatch(/set-repository\.mjs.*npm pack .*sha256sum.*upload-artifact/);
  expect(textOf('release')).toMatch(
    /download-artifact.*attest-build-provenance.*packed\/\*\.tgz.*gh release create.*packed\/\*/,
  );
  expect(textOf('npm')).toMatch(/download-artifact.*npm publish \.\/packed\/\*\.tgz/);
});
