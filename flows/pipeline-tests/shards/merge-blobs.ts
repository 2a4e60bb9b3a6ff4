import { hash } from 'node:crypto';
import { FileProblems } from '../../../engine/index.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { version } from '../../../lib/core/values/version.ts';
import { type CoverageParts, joinReached } from '../run/coverage.ts';
import { decodeResult } from '../run/encode-result.ts';
import { type EndedTest, reportOfEnded, type TestReport } from '../run/test-report.ts';
import { type Blob, blobForm, blobSchema } from './blob-schema.ts';

/** A file with a blob. */
export interface BlobFile {
  /** As the user named it. */
  readonly name: string;
  readonly text: string;
}

interface ReadBlob {
  readonly name: string;
  readonly blob: Blob;
}

/** The merged results of all shards. */
export interface MergedShards {
  /** The report of one run of all tests, but for durations. */
  readonly report: TestReport;
  /** The settings that all shards had. */
  readonly settings: Blob['settings'];
}

/**
 * Makes one report from the blobs of all shards. Throws Failure 'blob-invalid', with the name of the file, for a
 * blob that is damaged or from another version, for a missing or repeated shard, and for shards of different runs.
 */
export function mergeBlobs(files: readonly BlobFile[]): MergedShards {
  const blobs = files.map(readBlob).toSorted((a, b) => a.blob.shard.number - b.blob.shard.number);
  const [first, ...others] = blobs;
  if (first === undefined) throw invalid('There are no blobs to merge.', '', giveAll);
  for (const other of others) refuseOther(first, other);
  refuseShards(blobs, first);
  const ended = new Map<number, EndedTest>();
  for (const { name, blob } of blobs)
    for (const { index, result, problems } of blob.ended) {
      if (ended.has(index) || index >= blob.tests || (result === undefined) === (problems === undefined))
        throw invalid('The list of tests in the blob is not as Millrace writes it.', name, runAgain);
      ended.set(index, result === undefined ? new FileProblems(problems ?? []) : decodeResult(result));
    }
  if (ended.size < first.blob.tests) {
    const message = `The blobs contain only ${ended.size} of ${first.blob.tests} tests.`;
    throw invalid(message, first.name, runAgain);
  }
  const inOrder = [...ended].toSorted(([a], [b]) => a - b).map(([, test]) => test);
  const problems = blobs.flatMap(({ blob }) => blob.problems);
  const report = reportOfEnded(inOrder, {
    problems,
    coverage: joinCoverage(blobs.map(({ blob }) => blob.coverage)),
    callRoot: blobs.map(({ blob }) => blob.callRoot).find((root) => root !== undefined),
  });
  return { report, settings: first.blob.settings };
}

const giveAll = 'Give one blob of each shard of the same run.';
const runAgain = 'Run the shard again with `--format blob`, and give the file as it was written.';
const sameRun =
  'Give blobs of one run of the workflow: all shards on one commit, with the same options and the same file of durations.';

function invalid(message: string, file: string, hint: string): Failure {
  return new Failure('blob-invalid', { message, hint, ...(file === '' ? {} : { where: { file } }) });
}

function readBlob({ name, text }: BlobFile): ReadBlob {
  const content = parsed(text, name);
  if (typeof content !== 'object' || content === null || !('digest' in content) || !('form' in content))
    throw invalid('The file is not a blob of `millrace test --format blob`.', name, runAgain);
  const { digest, ...rest } = content;
  const writer = 'millrace' in rest ? String(rest.millrace) : '';
  if (hash('sha256', JSON.stringify(rest), 'hex') !== digest) {
    const message = 'The blob was changed after Millrace wrote it: its digest does not match its content.';
    throw invalid(message, name, runAgain);
  }
  if (writer !== version || rest.form !== blobForm) {
    const message = `The blob was written by Millrace ${writer}, and this is Millrace ${version}.`;
    throw invalid(message, name, 'Run the shards and the merge with the same version of Millrace.');
  }
  const read = blobSchema.safeParse(rest);
  // As it was written: reports have the order of its keys.
  if (read.success) return { name, blob: rest as unknown as Blob };
  const [issue] = read.error.issues;
  const message = `The file is not a blob of Millrace: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`;
  throw invalid(message, name, runAgain);
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const isCut = text.trimStart().startsWith('{"form":') && !text.trimEnd().endsWith('"}');
    const message = isCut
      ? `The blob is not complete: it ends after ${text.length} characters.`
      : 'The file is not a blob of `millrace test --format blob`.';
    throw invalid(message, name, runAgain);
  }
}

/** Refuses two shards that are not of one run. */
function refuseOther(first: ReadBlob, other: ReadBlob): void {
  const [a, b] = [first.blob, other.blob];
  const reason = differenceOf(a, b);
  if (reason !== undefined)
    throw invalid(`The blob is not of the same run as ${first.name}: ${reason}.`, other.name, sameRun);
}

function differenceOf(a: Blob, b: Blob): string | undefined {
  if (a.shard.count !== b.shard.count)
    return `it is one of ${b.shard.count} shards, and the other blob is one of ${a.shard.count}`;
  if (a.testsDigest !== b.testsDigest || a.tests !== b.tests)
    return 'the digests of their lists of tests differ, so other tests were chosen, or it is another commit';
  if (a.durationsDigest !== b.durationsDigest)
    return 'the digests of their files of durations differ, so the tests were split differently';
  const names = new Set([...Object.keys(a.settings), ...Object.keys(b.settings)]);
  const name = [...names].find((key) => a.settings[key] !== b.settings[key]);
  if (name !== undefined)
    return `${name} is "${b.settings[name] ?? ''}" in it, and "${a.settings[name] ?? ''}" in the other blob`;
  if (a.projectDigest !== b.projectDigest)
    return 'the pipelines, scripts or test files differ, so it is another commit';
  return undefined;
}

/** Refuses a missing shard and one that is there twice. */
function refuseShards(blobs: readonly ReadBlob[], { blob: { shard } }: ReadBlob): void {
  const byNumber = Map.groupBy(blobs, ({ blob }) => blob.shard.number);
  for (const [number, [one, twice]] of byNumber)
    if (twice !== undefined)
      throw invalid(`Shard ${number}/${shard.count} is also in ${one?.name ?? ''}.`, twice.name, giveAll);
  const missing = Array.from({ length: shard.count }, (_, index) => index + 1).filter(
    (number) => !byNumber.has(number),
  );
  if (missing.length === 0) return;
  const list = missing.map((number) => `${number}/${shard.count}`).join(', ');
  const message = `${missing.length === 1 ? 'A shard is' : `${missing.length} shards are`} missing: ${list}.`;
  const hint = 'The log of the missing shard shows why it wrote no blob. Run it again, and give all blobs.';
  throw invalid(message, '', hint);
}

/** What all shards together reached. Undefined if they ran without coverage. */
function joinCoverage(all: readonly (CoverageParts | undefined)[]): CoverageParts | undefined {
  const parts = all.filter((part) => part !== undefined);
  if (parts.length === 0) return undefined;
  const outlines = new Map(
    parts.flatMap((part) => part.outlines.map((outline) => [outline.pipeline, outline] as const)),
  );
  return {
    outlines: [...outlines.keys()].toSorted().flatMap((path) => outlines.get(path) ?? []),
    reached: joinReached(parts.map(({ reached }) => reached)),
  };
}
