import path from 'node:path';
import type { TestProject } from '../../../flows/pipeline-tests/files/test-project.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { type AddCommand, commandAction, defineCommand } from '../../kit/command.ts';
import { resolveNamedCommit } from '../../kit/git/resolve-named-commit.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { openTests } from '../../tests/open-tests.ts';

interface SnapshotOptions extends CommonOptions {
  readonly commit?: string;
  readonly columns?: boolean;
  readonly outputFile?: string;
}

/** `millrace snapshot`: describes what the pipelines of a commit are and do, as one JSON value. */
export const addSnapshot: AddCommand = (program, shell) => {
  defineCommand(
    program,
    'snapshot',
    'Write a JSON description of what the pipelines are and do, to compare versions.',
  )
    .option('--commit <ref>', 'commit to describe (default: the files on disk)')
    .option('--columns', 'include the columns of the tables (needs DuckDB)')
    .option('--output-file <file>', 'write the snapshot to this file, and print only the counts')
    .action(commandAction<SnapshotOptions>(shell, writeProjectSnapshot));
};

async function writeProjectSnapshot(session: Session, options: SnapshotOptions): Promise<Outcome> {
  const { commit, columns = false, outputFile, json = false } = options;
  if (outputFile !== undefined && json)
    throw new Failure('usage', {
      message:
        '--json cannot be combined with --output-file: --json prints the snapshot, and --output-file writes it to a file.',
      where: { input: '--output-file' },
      hint: 'Remove --json: the file is JSON in any case.',
    });
  const { takeSnapshot } = await import('../../../flows/data-graph/snapshot/take-snapshot.ts');
  const { writeSnapshot } = await import('../../../flows/snapshot/read-snapshot.ts');
  const { project, unread } = await openProject(session, commit);
  const snapshot = await takeSnapshot(project, { columns, unread, signal: session.flow.signal });
  const text = writeSnapshot(snapshot);
  if (outputFile === undefined) {
    session.output.result(snapshot, [text]);
    return 'passed';
  }
  const { writeFileAtomically } = await import('../../kit/write-file-atomically.ts');
  await writeFileAtomically(path.resolve(session.io.cwd, outputFile), `${text}\n`);
  const { pipelines, tables } = snapshot;
  session.output.result({}, [
    `Wrote ${outputFile}: ${numberOf(pipelines.length, 'pipeline')}, ${numberOf(tables.length, 'table')}, columns ${snapshot.columns}.`,
    ...snapshot.unread,
  ]);
  return 'passed';
}

async function openProject(
  session: Session,
  commit: string | undefined,
): Promise<{ readonly project: TestProject; readonly unread: readonly string[] }> {
  if (commit === undefined) return { project: await openTests(session), unread: [] };
  const { projectOfCommit } = await import('../../../flows/pipeline-tests/files/project-of-commit.ts');
  const { repository, directory } = await session.repository();
  return projectOfCommit({
    repository,
    directory,
    commit: await resolveNamedCommit(repository, commit, session),
    signal: session.flow.signal,
  });
}
