import type { ExitCode, Outcome } from '../../lib/core/outcomes/outcome.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Session } from '../kit/session.ts';
import { jsonLines } from '../terminal/json-lines.ts';
import { chosenFiles, noneAffected } from './chosen-files.ts';
import { openTests } from './open-tests.ts';
import { shardSelection } from './shard-selection.ts';
import { problemsOf } from './report-tests.ts';
import type { TestArguments, TestOptions } from './test-options.ts';

/** Throws Failure 'usage' for an option that says how tests run or are reported: a list runs none. */
function refuseWithList({ format, coverage, watch: isWatched, init, update }: TestOptions): void {
  const others = {
    [`--format ${format}`]: format === 'junit' || format === 'markdown' || format === 'blob',
    '--coverage': coverage === true,
    '--watch': isWatched === true,
    '--init': init !== undefined,
    '--update': update === true,
  };
  const [other] = Object.entries(others).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (other === undefined) return;
  throw new Failure('usage', {
    message: `--list runs no test, so ${other} has no effect.`,
    where: { input: '--list' },
    hint: `Remove --list or ${other}.`,
  });
}

/** Lists the tests that would run. Then reports files that are invalid as an error. */
export async function listChosen(
  session: Session,
  options: TestOptions,
  { names }: Pick<TestArguments, 'names'>,
): Promise<Outcome | ExitCode> {
  refuseWithList(options);
  const { filter, json, format, affected } = options;
  const project = await openTests(session);
  const files = await chosenFiles(session, project, { names, affected });
  if (files.length === 0) {
    session.output.result({ tests: [] }, [noneAffected]);
    return 'nothing-to-do';
  }
  const { listLines, listTests } = await import('../../flows/pipeline-tests/run/list-tests.ts');
  const select = await shardSelection(session, options);
  const listed = await listTests({ project, files, filter, select: select?.select });
  const isText = json !== true && format !== 'json';
  if (listed.tests.length > 0 || !isText)
    session.output.result(listed, format === 'json' ? jsonLines(listed) : listLines(listed));
  return listed.problems === undefined ? 'passed' : problemsOf(session, listed.problems, json);
}
