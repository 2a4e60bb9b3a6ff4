import { createHash, hash } from 'node:crypto';
import { FileProblems } from '../../../engine/index.ts';
import { version } from '../../../lib/core/values/version.ts';
import type { TestProject } from '../files/test-project.ts';
import { encodeResult } from '../run/encode-result.ts';
import type { EndedTest, TestParts } from '../run/test-report.ts';
import { type Blob, blobForm, type BlobTest } from './blob-schema.ts';
import { type Shard, testName, type TestName } from './choose-shard.ts';

/** The settings that all shards of a run must share, as texts. */
export interface ShardSettings {
  /** The chosen tests; empty for all. */
  readonly files: string;
  /** Empty for all tests. */
  readonly filter: string;
  readonly python: string;
  readonly coverage: string;
  /** The commit since which changed tests were chosen; empty without this choice. */
  readonly affected?: string;
  /** The tested commit, where a caller knows it. */
  readonly commit?: string;
  /** The folder of the project in its repository, where a caller knows it. Empty for the root. */
  readonly project?: string;
}

/** What a shard ran, besides its results. */
export interface BlobRun {
  readonly project: TestProject;
  /** The chosen test files. */
  readonly files: readonly string[];
  readonly shard: Shard;
  /** The text of the file of durations; undefined without one. */
  readonly durations: string | undefined;
  /** What else decides about results: shards with other settings cannot be merged. */
  readonly settings: ShardSettings;
  /** Removes secrets, before the digest is computed. */
  readonly redact?: ((text: string) => string) | undefined;
}

/** A blob as one line of JSON. Its last key is the digest of everything before it. */
export function writeBlob(
  parts: TestParts,
  { project, files, shard, durations, settings, redact = (text) => text }: BlobRun,
): string {
  const { planned, results, problems, coverage, callRoot } = parts;
  const names = planned.map(testName);
  const blob: Blob = {
    form: blobForm,
    millrace: version,
    shard: { number: shard.number, count: shard.count },
    testsDigest: digestOf(names),
    durationsDigest: durations === undefined ? null : hash('sha256', durations, 'hex'),
    projectDigest: digestOfProject(project, files),
    settings: { warehouse: project.kind, ...settings },
    tests: planned.length,
    ended: planned.flatMap((test, index) => endedTest(index, results.get(test))),
    problems,
    ...(coverage === undefined ? {} : { coverage }),
    ...(callRoot === undefined ? {} : { callRoot }),
  };
  return sealBlob(JSON.parse(redact(JSON.stringify(blob))) as Blob);
}

/** Adds the digest to a blob. */
export function sealBlob(blob: Blob): string {
  return JSON.stringify({ ...blob, digest: hash('sha256', JSON.stringify(blob), 'hex') });
}

/** SHA-256 of the list of tests. */
function digestOf(names: readonly TestName[]): string {
  return hash('sha256', JSON.stringify(names.map(({ file, name }) => [file, name])), 'hex');
}

function endedTest(index: number, ended: EndedTest | undefined): BlobTest[] {
  if (ended === undefined) return [];
  if (ended instanceof FileProblems) return [{ index, problems: ended.problems }];
  return [{ index, result: encodeResult(ended) }];
}

/** SHA-256 of the chosen test files, and of all pipelines, scripts and settings. */
function digestOfProject(project: TestProject, files: readonly string[]): string {
  const scripts = project.paths.filter((path) => /\.(?:sql|py)$/.test(path));
  const digest = createHash('sha256');
  for (const path of new Set([...files, ...project.pipelines, ...scripts, 'millrace.yaml']))
    digest.update(JSON.stringify([path, contentOf(project, path)]));
  return digest.digest('hex');
}

/** A file that cannot be read has its problem in place of its text. */
function contentOf(project: TestProject, path: string): string | null {
  try {
    return project.text(path) ?? null;
  } catch (error) {
    if (error instanceof FileProblems) return error.message;
    throw error;
  }
}
