import type { Warehouse } from '../../engine/index.ts';
import { scriptFacts } from '../../lib/pipelines/checks/missing-file.ts';
import type { Fault } from '../mutation/faults/fault.ts';
import { faultsOf, inSeededOrder, mutantProject } from '../mutation/run/mutants.ts';
import { reachOf } from '../mutation/run/reach.ts';
import { overlayProject } from '../pipeline-tests/files/overlay-project.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import type { TestSetting } from '../pipeline-tests/run/run-test.ts';
import type { TestContext } from '../pipeline-tests/run/test-context.ts';
import type { InputRow, Inputs } from './input-tables.ts';
import { likelyScenarios } from './likely-scenarios.ts';
import { type FoundRows, openSearch, type OtherVersion, type RowSearch } from './open-search.ts';
import { type Scenario, withScenarios } from './scenarios.ts';

/** A table of a first test has at most so many rows, so that a person can read them. */
const maxRows = 8;

/** More planted changes of one pipeline are not tried: the rows for these help with the others. */
const maxFaults = 50;

/** Candidates for one change. The first of them have most scenarios. */
const candidatesPerFault = 3;

export interface FirstRowsRequest {
  readonly planned: PlannedTest;
  /** The text of the test file, which the project does not have yet. */
  readonly text: string;
  readonly warehouse: Warehouse;
  readonly setting: TestSetting;
  readonly context: TestContext;
  readonly budget: { readonly maxRuns: number; readonly until: number };
}

/**
 * Adds rows to a first test so that it notices more planted changes of its pipeline. Undefined if no rows help.
 * Throws FileProblems, and the reason of a cancel.
 */
export async function firstRows(request: FirstRowsRequest): Promise<Inputs | undefined> {
  const { planned, warehouse, setting, budget } = request;
  const faults = await faultsFor(request);
  if (faults.length === 0) return undefined;
  const search = await openSearch(planned, warehouse, setting, { seed: 1 });
  if (search === undefined || search.inputs.length === 0) return undefined;
  const chosen: Choice = { base: search.inputs, scenarios: [], halvings: 0 };
  const isOver = () => search.runs >= budget.maxRuns || setting.clock.now() >= budget.until;
  for (const fault of faults) {
    if (isOver()) break;
    const other = otherVersion(fault, planned, setting);
    if (other === undefined) continue;
    if ((await search.differenceWith(inputsOf(chosen), other)) !== undefined) continue;
    const found = await search.find(other, { until: budget.until, maxCandidates: candidatesPerFault });
    if (found !== undefined && !isOver()) await addFrom(fault, found, { chosen, search, other });
  }
  const inputs = inputsOf(chosen);
  return chosen.scenarios.length === 0 && chosen.base === search.inputs
    ? undefined
    : withPurposes(inputs, search.inputs);
}

/** The rows of the test so far. */
interface Choice {
  base: Inputs;
  scenarios: readonly Scenario[];
  halvings: number;
}

function inputsOf({ base, scenarios }: Choice): Inputs {
  return withScenarios(base, scenarios);
}

/** Adds the scenario that shows a change, if the test stays small and shows it then. */
async function addFrom(
  fault: Fault,
  found: FoundRows,
  {
    chosen,
    search,
    other,
  }: { readonly chosen: Choice; readonly search: RowSearch; readonly other: OtherVersion },
): Promise<void> {
  const attempt = async (next: Choice): Promise<boolean> => {
    const inputs = inputsOf(next);
    if (
      inputs.some(
        ({ rows, columns }, table) =>
          rows.length > Math.max(maxRows, chosen.base[table]?.rows.length ?? 0) || columns.length === 0,
      )
    )
      return false;
    if ((await search.differenceWith(inputs, other)) === undefined) return false;
    chosen.base = next.base;
    chosen.scenarios = next.scenarios;
    return true;
  };
  if (found.inputs.some(({ place }) => place.kind === 'target')) {
    const targets = found.inputs.filter(({ place }) => place.kind === 'target');
    if (!chosen.base.some(({ place }) => place.kind === 'target'))
      await attempt({ ...chosen, base: [...chosen.base, ...targets] });
    return;
  }
  const number = chosen.scenarios.length + 1;
  const tries = (part: readonly Scenario[]) =>
    attempt({
      ...chosen,
      scenarios: [...chosen.scenarios, ...part.map((scenario) => scenario.near(number))],
    });
  const named = namedScenarios(fault, found.scenarios);
  const likely = new Set([...named, ...likelyScenarios(found.difference, found.scenarios)]);
  for (const scenario of likely) if (await tries([scenario])) return;
  if (found.scenarios.length === 0 || chosen.halvings >= maxHalvings) return;
  // Halves, until one scenario is left: the rows of the difference did not say which one it is.
  chosen.halvings += 1;
  let part = found.scenarios;
  while (part.length > 1) {
    const half = part.slice(0, Math.ceil(part.length / 2));
    const isFirst = (await search.differenceWith(withScenarios(found.from, half), other)) !== undefined;
    part = isFirst ? half : part.slice(half.length);
  }
  await tries(part);
}

/** Changes for which the scenario is found by halves: this takes many runs. */
const maxHalvings = 4;

/** The first scenarios with a value that the change names. */
function namedScenarios({ before, after }: Fault, scenarios: readonly Scenario[]): readonly Scenario[] {
  const literals = new Set(
    [...`${before}\n${after}`.matchAll(/'([^']+)'|([\w.-]+)/g)].map(
      ([, quoted, word]) => quoted ?? word ?? '',
    ),
  );
  const names = (purpose: string) => literals.has(/: exactly (.*)$/.exec(purpose)?.[1] ?? '');
  return scenarios
    .filter(({ rows }) =>
      rows.some((part) => part.some(({ purpose }) => purpose !== undefined && names(purpose))),
    )
    .slice(0, 2);
}

/** The pipeline with a change. */
function otherVersion(fault: Fault, planned: PlannedTest, setting: TestSetting): OtherVersion | undefined {
  const project = mutantProject(fault, setting.project);
  const document = project.pipeline(planned.document.path);
  if (document === undefined) return undefined;
  // All changes search the same scenarios: the pipeline without a change runs once with them.
  return { planned: { ...planned, document }, setting: { ...setting, project }, focus: [] };
}

/** The changes of the pipeline and of its files with SQL that the test reaches. */
async function faultsFor({ planned, text, setting, context }: FirstRowsRequest): Promise<readonly Fault[]> {
  const { project } = setting;
  const { document, file } = planned;
  const scripts = scriptFacts(document).flatMap(({ path, isSql }) =>
    isSql === true && path !== undefined && project.has(path) ? [path] : [],
  );
  const changed = [document.path, ...new Set(scripts)];
  const faults = changed.flatMap((path) => faultsOf(path, project));
  if (faults.length === 0) return [];
  const withTest: TestProject = overlayProject(project, {
    contents: new Map([[file.file, Buffer.from(text)]]),
  });
  const { tests } = await reachOf({ project: withTest, files: [file.file], jobs: 1, changed }, context);
  const reached = faults.filter((fault) => tests.some((test) => test.reaches(fault)));
  return inSeededOrder(reached, 1).slice(0, maxFaults);
}

/** Says of each row what it is for. */
function withPurposes(inputs: Inputs, own: Inputs): Inputs {
  return inputs.map((input, table) => ({
    ...input,
    rows: input.rows.map((row, index): InputRow => {
      if (row.purpose !== undefined) return row;
      const isOwn = index < (own[table]?.rows.length ?? 0);
      return {
        ...row,
        purpose: isOwn ? (ownPurposes[index] ?? 'one more row') : 'for a row of another table',
      };
    }),
  }));
}

/** The rows that every first test has. */
const ownPurposes = ['the usual case', 'other values', 'keys that other tables lack'];
