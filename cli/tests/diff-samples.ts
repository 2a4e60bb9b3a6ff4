import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { SampleDiff } from '../../flows/samples/sample-diff.ts';
import type { Report } from '../../lib/report/report.ts';
import type { Session } from '../kit/session.ts';
import { openBase } from './open-base.ts';
import { openTests } from './open-tests.ts';
import { type PythonFlags, pythonPermission } from './python-permission.ts';

interface GivenOptions extends PythonFlags {
  readonly given: string;
  readonly base?: string;
  readonly affected?: string;
  readonly memory?: string;
}

const otherBase =
  'To compare a branch with the commit where it began, give its target with --base, such as --base main.';

/**
 * Compares what pipelines compute before and after a change, on the Parquet files of a folder, and prints the
 * report. Throws Failure 'sample-invalid', 'usage', 'git-failed' and 'engine-missing'. No message contains a value
 * of a row.
 */
export async function diffOnSamples(
  session: Session,
  options: GivenOptions,
  {
    names,
    failsOnChange,
    rows,
  }: { readonly names: readonly string[]; readonly failsOnChange: boolean; readonly rows: number },
): Promise<{ readonly result: SampleDiff; readonly report: Report }> {
  const { given, memory = '2GB' } = options;
  const { clock, signal } = session.flow;
  const python = pythonPermission(options, session.io);
  const project = await openTests(session);
  const base = await openBase(session, project, options.affected ?? options.base ?? 'HEAD');
  const here = await realpath(session.here);
  const shown = given.replaceAll(path.sep, '/').replace(/(?<=.)\/+$/, '');
  const { diffSamples } = await import('../../flows/samples/diff-samples.ts');
  const { hidingValues } = await import('../../flows/samples/sample-failure.ts');
  const result = await hidingValues(
    () =>
      diffSamples(
        {
          project,
          base,
          folder: { path: path.resolve(here, given), shown },
          runs: names.map((name) => ({
            pipeline: {
              text: path.relative(project.directory, path.resolve(here, name)).split(path.sep).join('/'),
              place: { file: name, line: 1, column: 1 },
            },
            variables: [],
          })),
          maxRows: rows,
          memoryLimit: memory,
        },
        { clock, signal, python },
      ),
    signal,
  );
  const { reportOfSamples } = await import('../../flows/samples/report.ts');
  const notes = result.isSame && result.base.name === 'HEAD' ? [otherBase] : [];
  return { result, report: reportOfSamples(result, { failsOnChange, showsRows: rows > 0, notes }) };
}
