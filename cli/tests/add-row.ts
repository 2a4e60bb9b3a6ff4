import path from 'node:path';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Outcome } from '../../lib/core/outcomes/outcome.ts';
import type { Session } from '../kit/session.ts';
import { unifiedDiff } from '../kit/git/unified-diff.ts';
import { writeFileAtomically } from '../kit/write-file-atomically.ts';
import { chooseTestFiles, openTests } from './open-tests.ts';
import type { TestArguments, TestOptions } from './test-options.ts';

/** The default of --budget with --add-row, in milliseconds. */
const defaultBudgetMs = 60_000;

/**
 * `millrace test --add-row`: searches for rows on which a planted change alters the result. Adds a test with these
 * rows to the file of the test that the search started from. Throws Failure 'usage', 'test-invalid' and
 * 'engine-missing'.
 */
export async function addRowTests(
  session: Session,
  {
    addRow: id,
    filter,
    jobs,
    seed = 1,
    budget: budgetMs = defaultBudgetMs,
    dryRun = false,
  }: TestOptions & {
    readonly addRow: string;
  },
  { names, context }: TestArguments,
): Promise<Outcome> {
  const project = await openTests(session);
  const files = await chooseTestFiles(session, project, names);
  const { findMutant } = await import('../../flows/mutation/run/mutate.ts');
  const mutant = await findMutant(id, { project, files, filter, jobs }, context);
  if (mutant === undefined) {
    throw new Failure('usage', {
      message: `No planted change has the id "${id}", or several begin with it.`,
      where: { input: '--add-row' },
      hint: 'Give the six letters and digits that `millrace test --mutate` shows. The id changes when someone edits that part of the pipeline.',
    });
  }
  const { addRowsFor } = await import('../../flows/row-search/rows-for-changes.ts');
  const added =
    mutant.tests.length === 0
      ? { reason: withoutTest }
      : await addRowsFor(mutant, { project, seed, budgetMs }, context);
  const { changeText, placeText } = await import('../../flows/mutation/report/change-text.ts');
  const change = `${placeText(mutant.fault)} ${changeText(mutant.fault)}`;
  const about = { id: mutant.fault.id, change, dryRun };
  if ('reason' in added) {
    const { reason } = added;
    session.output.result({ ...about, outcome: 'nothing-to-do', reason }, [
      `No test was added for ${change}: ${reason}.`,
    ]);
    return 'nothing-to-do';
  }
  const { file, name, before, after } = added;
  const others = added.files.map((each) => each.file);
  // The test comes last: it reads the others.
  for (const written of dryRun ? [] : [...added.files, { file, text: after }])
    await writeFileAtomically(path.join(project.directory, written.file), written.text);
  const diff = unifiedDiff(file, before, after);
  const besides = others.map((each) =>
    dryRun ? `${each} would get the rows of a table.` : `Wrote the expected rows of a table to ${each}.`,
  );
  const sentence = dryRun ? `${file} would get the test "${name}".` : `Added the test "${name}" to ${file}.`;
  session.output.result({ ...about, outcome: 'passed', file, name, diff, files: others }, [
    ...diff.trimEnd().split('\n'),
    ...besides,
    `${sentence} It expects what the pipeline computes today: check that this is right.`,
  ]);
  return 'passed';
}

const withoutTest =
  'no test that passes runs this part of the pipeline, so the search has no rows to start from';
