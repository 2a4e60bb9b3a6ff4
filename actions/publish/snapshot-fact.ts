import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { takeSnapshot } from '../../flows/data-graph/snapshot/take-snapshot.ts';
import type { Fact } from '../../flows/evidence/sign-facts.ts';
import { projectOfCommit } from '../../flows/pipeline-tests/files/project-of-commit.ts';
import { canonicalSnapshot } from '../../flows/snapshot/canonical-snapshot.ts';
import { readSnapshot, writeSnapshot } from '../../flows/snapshot/read-snapshot.ts';
import { readTextFile } from '../../lib/core/files/read-text-file.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { JsonValue } from '../../lib/core/values/canonical-json.ts';
import { findSnapshotFile, snapshotFileName, type SnapshotOf } from '../kit/releases/snapshot-file.ts';
import type { ReleaseSource } from '../kit/releases/release-source.ts';
import type { Step } from '../kit/step/step.ts';

/** What a version contains, as a fact to sign, and a note for the reader. */
export interface PublishedSnapshot {
  readonly facts: readonly Fact[];
  readonly notes: readonly string[];
}

/**
 * What the published version contains, from a file of an earlier step, or from a folder with the files that the action `test` left.
 * Throws Failure 'snapshot-invalid', 'usage' for a snapshot of other files; rejects if the file cannot be read.
 */
export async function snapshotFact(
  input: string,
  version: string,
  { facts }: Pick<Step, 'facts'>,
  of: SnapshotOf,
): Promise<Fact> {
  const path = resolve(facts.workspace, input);
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  const name = snapshotFileName(of);
  const [file, shown] = isFolder ? [join(path, name), `${input}/${name}`] : [path, input];
  const named = /snapshot-[0-9a-f]{40,64}(?:-[0-9a-f]{12})?\.json$/u.exec(input)?.[0];
  const isMissing = isFolder && (await stat(file).catch(() => undefined)) === undefined;
  if (isMissing || (named !== undefined && named !== name))
    throw new Failure('usage', {
      message: isMissing
        ? `The folder ${input} has no snapshot of the files that are published: ${name} is missing.`
        : `The file ${input} is a snapshot of other files than those that are published: their snapshot is named ${name}.`,
      where: { input: 'snapshot' },
      hint: 'Test the commit that is published, and pass on the file at snapshot-path. Without the input snapshot, the action takes one itself.',
    });
  return factOf(await readTextFile(file, shown), version, shown);
}

/**
 * What the published version contains, without an input: from the file that the action `test` left in this job, otherwise of calls and
 * names of tables only. What keeps it from being taken becomes a note.
 */
export async function automaticSnapshot(
  { project, config, commit, version }: ReleaseSource,
  of: SnapshotOf,
  { environment, context: { signal } }: Pick<Step, 'environment' | 'context'>,
): Promise<PublishedSnapshot> {
  try {
    const file = await findSnapshotFile(of, environment);
    if (file !== undefined)
      return { facts: [factOf(await readTextFile(file, file), version, file)], notes: [] };
    const { repository, directory } = project;
    const opened = await projectOfCommit({ repository, directory, commit, fallback: config, signal });
    const { unread } = opened;
    const snapshot = await takeSnapshot(opened.project, { columns: false, isLenient: true, unread, signal });
    return {
      facts: [factOf(writeSnapshot(snapshot), version, 'the snapshot')],
      notes: [
        'The signed snapshot has no columns: in this job, the action test did not leave a snapshot of these files.',
      ],
    };
  } catch (error) {
    if (!(error instanceof Failure) || signal.aborted) throw error;
    return { facts: [], notes: [`No snapshot was signed. ${error.message} ${error.hint}`] };
  }
}

function factOf(text: string, version: string, name: string): Fact {
  const snapshot = canonicalSnapshot(readSnapshot(text, name));
  return { kind: 'snapshot', version, predicate: snapshot as unknown as JsonValue };
}
