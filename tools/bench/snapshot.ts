import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { bindProject } from '../../flows/data-graph/bind/bind-project.ts';
import { snapshotOf } from '../../flows/data-graph/snapshot/snapshot-of.ts';
import { openTestProject, type TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import { planContents, planDigest } from '../../flows/plan/digest/plan-json.ts';
import { differenceOf } from '../../flows/snapshot/difference/difference-of.ts';
import { shortDifference } from '../../flows/plan/digest/short-difference.ts';
import { signFacts } from '../../flows/evidence/sign-facts.ts';
import { createSigningKey } from '../../lib/evidence/keys.ts';
import { verifyStatement } from '../../lib/evidence/verify-statement.ts';
import type { JsonValue } from '../../lib/core/values/canonical-json.ts';
import { readSnapshot, snapshotOfValue, writeSnapshot } from '../../flows/snapshot/read-snapshot.ts';
import { growthChange, growthProject } from './growth-project.ts';
import { inTurn, type Row, sampleOf } from './measure.ts';

const pipelines = 500;
const signal = new AbortController().signal;

/** Snapshots of 500 pipelines against binding them, which each needs anyway, and what a worker does with two of them against parsing their JSON. */
export async function snapshot(): Promise<Row[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  try {
    put(folder, growthProject(pipelines));
    const open = () => openTestProject(folder, 'WAREHOUSE_ONE');
    const rows = [await taken(open, false), await taken(open, true)];
    const graph = async () => snapshotOf(await bindProject(open(), { signal }));
    const live = writeSnapshot(await graph());
    put(folder, growthChange(pipelines));
    const wanted = writeSnapshot(await graph());
    return [...rows, ...(await stored(live, wanted))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function taken(open: () => TestProject, columns: boolean): Promise<Row> {
  const [binding, taking]: [number[], number[]] = [[], []];
  for (let round = 0; round <= 3; round += 1) {
    let begin = performance.now();
    const graph = await bindProject(open(), { signal, columns });
    const bound = performance.now() - begin;
    begin = performance.now();
    snapshotOf(graph);
    if (round === 0) continue;
    binding.push(bound);
    taking.push(performance.now() - begin);
  }
  return {
    what: `snapshot of ${pipelines} pipelines, ${columns ? 'with' : 'without'} columns`,
    ours: sampleOf(taking),
    referenceName: columns ? 'binding them, as `compile` does' : 'binding them by names of tables',
    reference: sampleOf(binding),
    bound: columns ? 0.2 : 1,
  };
}

async function stored(live: string, wanted: string): Promise<Row[]> {
  const [before, after] = [readSnapshot(live), readSnapshot(wanted)];
  const megabytes = ((live.length + wanted.length) / 1024 / 1024).toFixed(1);
  const facts = {
    version: 'v2',
    from: 'test',
    to: 'prod',
    wanted: { commit: 'a'.repeat(40), enabled: true },
    live: { version: 'v1', commit: 'b'.repeat(40) },
    variables: [],
  };
  const secret = Buffer.alloc(32, 1);
  const key = createSigningKey();
  const ids = { repository: 'a/b', repositoryId: 1, commit: 'a'.repeat(40), tree: 'b'.repeat(40) };
  const signed = [live, wanted].flatMap((text, version) => {
    const fact = {
      kind: 'snapshot',
      version: `v${version}`,
      predicate: JSON.parse(text) as JsonValue,
    } as const;
    return Object.values(signFacts([fact], { ...ids, ref: 'refs/tags/v' }, { key, now: 0 }).files);
  });
  const verifiedSnapshot = (text: string, version: number) => {
    const expected = { ...ids, version: `v${version}`, isRefAllowed: () => true, now: 0 };
    const verdict = verifyStatement(text, { keys: [{ ...key, name: 'key' }] }, expected);
    if (verdict.status === 'refused') throw new Error(verdict.text);
    return snapshotOfValue(verdict.statement.predicate);
  };
  const { parsing, comparing, reading, digesting, planning } = await inTurn(9, {
    async planning() {
      const [first, second] = signed.map(verifiedSnapshot);
      const { difference } = planContents({ live: first, wanted: second });
      if (difference === undefined || shortDifference(difference).changed.count === 0)
        throw new Error('The plan went wrong.');
    },
    async parsing() {
      if (!(JSON.parse(live) as object) || !(JSON.parse(wanted) as object))
        throw new Error('The parsing went wrong.');
    },
    async comparing() {
      if (differenceOf(before, after).pipelines.changed.length === 0)
        throw new Error('The comparison went wrong.');
    },
    async reading() {
      readSnapshot(live);
      readSnapshot(wanted);
    },
    async digesting() {
      planDigest({ ...facts, contents: planContents({ live: before, wanted: after }) }, secret);
    },
  });
  const against = { referenceName: `\`JSON.parse\` of both, ${megabytes} MB`, reference: parsing };
  return [
    { what: 'difference of two snapshots', ours: comparing, ...against, bound: 6 },
    { what: 'reading two stored snapshots, with validation', ours: reading, ...against },
    { what: 'a worker verifies, reads and compares two signed snapshots', ours: planning, ...against },
    { what: 'the digest of a plan', ours: digesting, ...against },
  ];
}

function put(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
}
