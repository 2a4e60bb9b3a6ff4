import { FileProblems, type Warehouse } from '../../engine/index.ts';
import { type Progress, silentProgress } from '../../lib/core/ports/ports.ts';
import { durationText } from '../../lib/core/text/duration-text.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { oneLine } from '../../lib/core/text/sanitize-text.ts';
import { shorten } from '../../lib/core/text/shorten.ts';
import { scalarsOf } from '../../lib/yaml/yaml-node.ts';
import type { Fault } from '../mutation/faults/fault.ts';
import { changeText } from '../mutation/report/change-text.ts';
import { faultsOf, mutantProject } from '../mutation/run/mutants.ts';
import type { ChangeResult, Mutant, MutationReport } from '../mutation/run/mutate.ts';
import type { ReachingTest } from '../mutation/run/reach.ts';
import { tryChange } from '../mutation/run/try-changes.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { openTestWarehouse } from '../pipeline-tests/run/open-test-warehouse.ts';
import { testSetting, type TestSetting } from '../pipeline-tests/run/run-test.ts';
import type { TestContext } from '../pipeline-tests/run/test-context.ts';
import { type AddedTest, addRowTest, canExpect, type NotAdded } from './add-row-test.ts';
import { type FoundRows, openSearch, type OtherVersion, type RowSearch } from './open-search.ts';
import { shrinkRows } from './shrink-rows.ts';

/** Candidates for one change. With the rows that are made from a test, most differences show within ten. */
const candidatesPerChange = 80;

/** Candidates to make found rows few and simple. */
const candidatesToShrink = 120;

/** The tests that a search starts from: the tests of the changed pipeline come first. */
const maxTests = 3;

export interface ChangeSearch {
  readonly project: TestProject;
  readonly seed: number;
  /** Every search ends after this time in milliseconds. */
  readonly budgetMs: number;
}

interface Found {
  readonly planned: PlannedTest;
  readonly search: RowSearch;
  readonly other: OtherVersion;
  readonly found: FoundRows;
}

interface Searching {
  readonly warehouse: Warehouse;
  readonly setting: TestSetting;
  readonly searches: Map<PlannedTest, Promise<RowSearch | undefined>>;
  readonly seed: number;
  readonly until: number;
}

/**
 * Searches for rows that show a planted change, starting from the tests that reach it, and adds a test with these
 * rows to the file of the test. If it finds none, the reason says whether the time or the candidates were used up. Throws Failure 'engine-missing', and the reason of a
 * cancel.
 */
export async function addRowsFor(
  { fault, project: changed, tests }: Mutant,
  { project, seed, budgetMs }: ChangeSearch,
  context: TestContext,
): Promise<AddedTest | NotAdded> {
  await using warehouse = await openTestWarehouse(project);
  const setting = testSetting(project, context);
  const until = context.clock.now() + budgetMs;
  const searching = { warehouse, setting, searches: new Map(), seed, until };
  const trial = await tryChange({ fault, tests }, project, { warehouse, setting });
  if (trial.verdict === 'noticed') {
    const { file, line, name } = trial.noticedBy;
    return { reason: `the test "${oneLine(name)}" (${file}:${line}) notices it already` };
  }
  let notAdded: NotAdded | undefined;
  for (const test of tests.slice(0, maxTests)) {
    const result = await searchFrom(test, { fault, project: changed }, searching);
    if (result === undefined) continue;
    const { planned, search, other, found } = result;
    const now = () => context.clock.now();
    const shrunk = await shrinkRows(found, search, other, { maxCandidates: candidatesToShrink, until, now });
    const name = `shows ${nameOf(fault)}`;
    // Few rows may differ in another way than the found ones, in which a test cannot see it.
    for (const rows of [shrunk, found]) {
      const added = await addRowTest(planned, rows, { name, other, warehouse, setting });
      if ('after' in added) return added;
      notAdded = added;
    }
  }
  return notAdded ?? { reason: noneFound(context.clock.now() >= until, budgetMs) };
}

/** Another advice for each end of a search: more time does not help if the candidates were used up. */
function noneFound(isTimeUp: boolean, budgetMs: number): string {
  return isTimeUp
    ? `the search found no rows for which it changes the result before its time of ${durationText(budgetMs)} was used up; give it more time with --budget`
    : 'the search tried all its candidates, and found no rows for which it changes the result, so perhaps it never does; --seed 2 tries other random rows';
}

/** `Large Orders: Greater than → Greater than or equal to (9k3o9d)` */
function nameOf(fault: Fault): string {
  const where = fault.component === undefined ? '' : `${fault.component}: `;
  return `${shorten(`${where}${changeText(fault)}`, maxName)} (${fault.id})`;
}

const maxName = 80;

/** Adds to the report whether other rows would show each change that no test notices. Throws as `addRowsFor`. */
export async function withRowsFound(
  report: MutationReport,
  reaching: (fault: Fault) => readonly ReachingTest[],
  { project, seed, budgetMs, progress = silentProgress }: ChangeSearch & { readonly progress?: Progress },
  context: TestContext,
): Promise<MutationReport> {
  await using warehouse = await openTestWarehouse(project);
  const setting = testSetting(project, context);
  const until = context.clock.now() + budgetMs;
  const searching = { warehouse, setting, searches: new Map(), seed, until };
  const changes: ChangeResult[] = [];
  const count = report.notNoticed;
  let done = 0;
  for (const change of report.changes) {
    if (change.verdict !== 'not-noticed') {
      changes.push(change);
      continue;
    }
    if (done % Math.ceil(count / 20) === 0 && context.clock.now() < until)
      progress.step(`Searched rows for ${done} of ${numberOf(count, 'change')}`);
    done += 1;
    changes.push({ ...change, rows: await rowsFor(change, reaching, searching, context) });
  }
  return { ...report, changes };
}

async function rowsFor(
  change: ChangeResult,
  reaching: (fault: Fault) => readonly ReachingTest[],
  searching: Searching,
  { clock }: TestContext,
): Promise<NonNullable<ChangeResult['rows']>> {
  const { project } = searching.setting;
  const fault = faultsOf(change.file, project).find(({ id }) => id === change.id);
  if (fault === undefined || clock.now() >= searching.until) return 'not-searched';
  const changed = mutantProject(fault, project);
  for (const test of reaching(fault).slice(0, maxTests))
    if ((await searchFrom(test, { fault, project: changed }, searching)) !== undefined) return 'found';
  return clock.now() >= searching.until ? 'not-searched' : 'perhaps-equal';
}

async function searchFrom(
  { planned }: ReachingTest,
  { fault, project }: Pick<Mutant, 'fault' | 'project'>,
  { warehouse, setting, searches, seed, until }: Searching,
): Promise<Found | undefined> {
  const document = project.pipeline(planned.document.path);
  if (document === undefined) return undefined;
  try {
    const opening = searches.get(planned) ?? openSearch(planned, warehouse, setting, { seed });
    searches.set(planned, opening);
    const search = await opening;
    if (search === undefined) return undefined;
    const other: OtherVersion = {
      planned: { ...planned, document },
      setting: { ...setting, project, declared: setting.declared },
      focus: focusOf(fault, setting.project),
    };
    const found = await search.find(other, { maxCandidates: candidatesPerChange, until }, (rows) =>
      canExpect(planned, rows, { other, warehouse, setting }),
    );
    return found && { planned, search, other, found };
  } catch (error) {
    if (error instanceof FileProblems) return undefined;
    throw error;
  }
}

/** In characters, on each side of a change: about a condition, or a call of a function. */
const nearDistance = 150;

/** What is near the change, then what the changed component says. */
function focusOf({ file, component, before, after, edits }: Fault, project: TestProject): readonly string[] {
  const text = project.text(file) ?? '';
  const [start, end] = [edits[0]?.start ?? 0, edits.at(-1)?.end ?? 0];
  const near = text.slice(Math.max(0, start - nearDistance), end + nearDistance);
  const parameters = project
    .pipeline(file)
    ?.components.get(component ?? '')
    ?.node('parameters');
  const part =
    component === undefined ? text : Array.from(scalarsOf(parameters), (scalar) => scalar.text).join('\n');
  return [`${before}\n${after}\n${near}`, part];
}
