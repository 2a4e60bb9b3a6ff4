import { Failure } from '../../lib/core/errors/failure.ts';
import type { ExitCode, Outcome } from '../../lib/core/outcomes/outcome.ts';
import type { Session } from '../kit/session.ts';
import { chooseTestFiles, openTests } from '../tests/open-tests.ts';
import type { TestArguments, TestOptions } from '../tests/test-options.ts';

/**
 * Runs the chosen tests again after each change. Throws Failure 'usage' for an option that makes sense for one run
 * only.
 */
export async function watchChosen(
  session: Session,
  options: TestOptions,
  { names, context }: TestArguments,
): Promise<Outcome | ExitCode> {
  const { json, format = 'text', init, update, filter, jobs, affected, coverage = false } = options;
  const others = {
    '--affected': affected !== undefined,
    '--json': json === true,
    [`--format ${format}`]: format !== 'text',
    '--init': init !== undefined,
    '--update': update === true,
  };
  const [other] = Object.entries(others).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (other !== undefined) {
    throw new Failure('usage', {
      message: `--watch cannot be combined with ${other}: --watch runs the tests after each change, and ${other} is for one run.`,
      where: { input: '--watch' },
      hint: `Remove --watch or ${other}.`,
    });
  }
  const { openSession } = await import('../kit/session.ts');
  const { watchTests } = await import('./watch-tests.ts');
  return watchTests(session, {
    filter,
    jobs,
    withCoverage: coverage,
    context,
    // A session reads millrace.yaml once; it may change too.
    open: () => openTests(openSession(session.io, options)),
    choose: (project) => chooseTestFiles(session, project, names),
  });
}
