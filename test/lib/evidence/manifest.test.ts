import { expect, test } from 'vitest';
import { compareWithTree, type Manifest, manifestDigest } from '../../../lib/evidence/manifest.ts';
import { type Publication, provenancePredicate, readProvenance } from '../../../lib/evidence/predicates.ts';
import type { JsonValue } from '../../../lib/core/values/canonical-json.ts';

const oid = 'a'.repeat(40);
const sha256 = 'b'.repeat(64);
const manifest: Manifest = {
  directory: 'finance',
  files: [
    { path: 'load.orch.yaml', bytes: 3, sha256, mode: '100644', gitBlob: oid },
    { path: 'connector-profile:custom-1.json', bytes: 2, sha256 },
  ],
};
const tree = [{ path: 'finance/load.orch.yaml', mode: '100644', oid }];
const [pipeline, connector] = manifest.files as [
  (typeof manifest.files)[number],
  (typeof manifest.files)[number],
];

test('a manifest is compared with the tree of its commit: blob, mode and path', () => {
  expect(compareWithTree(manifest, tree)).toBeUndefined();
  expect(compareWithTree(manifest, [])).toBe('lists load.orch.yaml, which the commit does not have');
  expect(compareWithTree({ ...manifest, directory: '' }, tree)).toMatch('does not have');
  const [file] = tree as [(typeof tree)[number]];
  expect(compareWithTree(manifest, [{ ...file, oid: 'c'.repeat(40) }])).toMatch('with another content');
  expect(compareWithTree(manifest, [{ ...file, mode: '100755' }])).toBe(
    'lists load.orch.yaml with the mode 100644, and the commit has 100755',
  );
  expect(compareWithTree({ ...manifest, files: [pipeline, pipeline] }, tree)).toMatch('twice');
});

test('provenance names its publication once, and its manifest has the digest that it names', () => {
  const publication: Publication = {
    source: 'https://github.com/example/warehouse',
    ref: 'refs/tags/v1.4.0',
    commit: oid,
    version: 'v1.4.0',
    environment: 'test',
    project: '3f0f2c1e-0000-4000-8000-000000000001',
    workflow: 'example/warehouse/.github/workflows/release.yml@refs/tags/v1.4.0',
    run: 'https://github.com/example/warehouse/actions/runs/1',
    finishedAt: '2026-11-30T20:00:00Z',
    millrace: '0.2.0',
    manifest,
  };
  const predicate = provenancePredicate(publication);
  const { ref, version, commit } = publication;
  const read = (value: JsonValue, bound = { ref, version, commit }) => readProvenance(value, bound);
  expect(read(predicate)).toEqual({ environment: 'test', manifest, digest: manifestDigest(manifest) });
  for (const other of [{ ref: 'refs/heads/main' }, { version: 'v2' }, { commit: 'c'.repeat(40) }])
    expect(read(predicate, { ref, version, commit, ...other })).toMatch('another publication');
  const text = JSON.stringify(predicate);
  const altered = (from: string, to: string) => read(JSON.parse(text.replace(from, to)) as JsonValue);
  expect(altered(connector.path, 'other.json')).toMatch('does not have the digest');
  expect(altered('publication:v1', 'publication:v2')).toMatch('not the provenance');
});
