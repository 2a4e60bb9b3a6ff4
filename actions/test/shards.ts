import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import { runParts, type TestRequest } from '../../flows/pipeline-tests/run/run-tests.ts';
import { reportOfParts, type TestReport } from '../../flows/pipeline-tests/run/test-report.ts';
import { selectShard, type Shard } from '../../flows/pipeline-tests/shards/choose-shard.ts';
import { readDurations } from '../../flows/pipeline-tests/shards/durations-file.ts';
import { mergeBlobs, type MergedShards } from '../../flows/pipeline-tests/shards/merge-blobs.ts';
import { type ShardSettings, writeBlob } from '../../flows/pipeline-tests/shards/write-blob.ts';
import { readPlainFile } from '../../lib/core/files/read-plain-file.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { messageOf } from '../../lib/core/errors/message-of.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import type { ReportFile } from '../kit/step/action.ts';
import type { Step } from '../kit/step/step.ts';

/** The results of the tests that a shard ran. */
export interface ShardRun {
  readonly report: TestReport;
  readonly blob: ReportFile;
  /** Says that the report is about a part. */
  readonly note: string;
}

/** Runs one part of the tests. Throws Failure 'usage' for an invalid file of durations, and as `runTests` does. */
export async function runShard(
  request: TestRequest,
  {
    shard,
    durations: file,
    settings,
  }: {
    readonly shard: Shard;
    /** The file of durations, relative to the project. */
    readonly durations: string | undefined;
    readonly settings: ShardSettings;
  },
  { context, redact }: Pick<Step, 'context' | 'redact'>,
): Promise<ShardRun> {
  const { project, files } = request;
  const durations = file === undefined ? undefined : durationsOf(project, file);
  const select = selectShard(
    shard,
    durations === undefined ? new Map() : readDurations(durations, file ?? ''),
  );
  const parts = await runParts({ ...request, select }, context);
  const { number, count } = shard;
  return {
    report: reportOfParts({ ...parts, coverage: undefined }),
    blob: {
      name: `blob-${number}-of-${count}.json`,
      text: `${writeBlob(parts, { project, files, shard, durations, settings, redact })}\n`,
    },
    note: `Only shard ${number}/${count} ran: ${parts.results.size} of ${numberOf(parts.planned.length, 'test')}. The job that merges the shards reports all.`,
  };
}

function durationsOf(project: TestProject, file: string): string {
  const text = project.text(file);
  if (text !== undefined) return text;
  throw new Failure('usage', {
    message: `The project has no file "${file}".`,
    where: { input: 'durations' },
    hint: 'Give the file relative to the project, and commit it, or write it in a step before this one. To begin, leave the input out: then every test counts the same.',
  });
}

/**
 * The report of all shards. Throws Failure 'usage' for a folder that cannot be read, and 'blob-invalid', also for shards of another
 * commit or project than the one that is checked out.
 */
export async function mergeFolder(
  folder: string,
  { commit, project }: { readonly commit: string; readonly project: string },
  { facts }: Pick<Step, 'facts'>,
): Promise<MergedShards> {
  const place = resolve(facts.workspace, folder);
  const entries = await readdir(place, { withFileTypes: true, recursive: true }).catch((cause: unknown) => {
    throw new Failure('usage', {
      message: `The folder "${folder}" cannot be read: ${messageOf(cause)}.`,
      where: { input: 'blobs' },
      hint: 'Add a step with actions/download-artifact before this step, and give blobs its path.',
      cause,
    });
  });
  const names = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  const blobs = await Promise.all(
    names.map(async (name) => ({ name: name.slice(place.length + 1), text: await readPlainFile(name) })),
  );
  const merged = mergeBlobs(blobs);
  const { commit: tested = '', project: testedProject } = merged.settings;
  if (testedProject !== project)
    throw new Failure('blob-invalid', {
      message: `The shards tested ${describeProject(testedProject)}, and this step reports ${describeProject(project)}.`,
      where: { input: 'blobs' },
      hint: 'Give the step that merges the shards the same working-directory as the jobs that ran them.',
    });
  if (tested === commit) return merged;
  throw new Failure('blob-invalid', {
    message: `The shards tested the commit ${tested.slice(0, 12)}, and ${commit.slice(0, 12)} is checked out.`,
    where: { input: 'blobs' },
    hint: 'Merge the shards in a later job of the same workflow run, with the same check-out.',
  });
}

function describeProject(folder: string | undefined): string {
  if (folder === undefined) return 'a project whose folder is not known';
  return folder === ''
    ? 'the project at the root of the repository'
    : `the project in ${folder.replace(/\/$/, '')}`;
}
