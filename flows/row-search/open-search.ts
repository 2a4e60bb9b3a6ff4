import type { Warehouse } from '../../engine/index.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import type { TestSetting } from '../pipeline-tests/run/run-test.ts';
import { type ConstantsOf, findConstants } from './known-constants.ts';
import { type InputRow, type Inputs, inputsOf, withInputs } from './input-tables.ts';
import { findKeys, type Keys } from './key-columns.ts';
import { differenceOf, observe, type Observation, type RowDifference } from './observe.ts';
import { type Candidate, candidates } from './candidates.ts';
import { type Scenario, scenariosOf, withScenarios } from './scenarios.ts';
import { withTargets } from './target-tables.ts';

/** The limit of a search, as a number of runs. Unlike a time, it gives the same result on every machine. */
export interface SearchBudget {
  /** Both versions run once with each candidate. */
  readonly maxCandidates: number;
  /** No candidate is tried after this time, in milliseconds since the start of the process's clock. Default: no limit. */
  readonly until?: number | undefined;
}

/** The other version of the pipeline, such as one with a planted change. */
export interface OtherVersion {
  readonly planned: PlannedTest;
  readonly setting: TestSetting;
  /** Texts of the parts that differ, the nearest first: rows for the columns in them are tried first. */
  readonly focus: readonly string[];
}

/** Rows with which two versions of a pipeline differ. */
export interface FoundRows extends Candidate {
  readonly difference: RowDifference;
}

export interface RowSearch {
  readonly inputs: Inputs;
  readonly scenarios: readonly Scenario[];
  /** What the pipeline does with rows; undefined if that says nothing. Known results are not computed again. */
  run(inputs: Inputs): Promise<Observation | undefined>;
  /** Whether the pipeline succeeds or fails as it does with the rows of the test. */
  isUsable(observation: Observation | undefined): observation is Observation;
  /** The difference that rows show; undefined if they show none. */
  differenceWith(inputs: Inputs, other: OtherVersion): Promise<RowDifference | undefined>;
  /** Searches until rows are found that are accepted, or the budget is used up. Default: all are accepted. */
  find(
    other: OtherVersion,
    budget: SearchBudget,
    accepts?: (found: FoundRows) => Promise<boolean>,
  ): Promise<FoundRows | undefined>;
  /** Whether the pipeline seems to compare a column with constants. */
  readonly hasConstants: (column: string) => boolean;
  /** Runs of both versions so far. */
  readonly runs: number;
}

/**
 * Opens a search for rows for which other versions of a pipeline have a different result than the version in
 * `planned`. Both run in the same warehouse. Undefined if the pipeline does not run with the rows of the test.
 * Throws FileProblems, and the reason of a cancel.
 */
export async function openSearch(
  planned: PlannedTest,
  warehouse: Warehouse,
  setting: TestSetting,
  { seed, versions = [] }: { readonly seed: number; readonly versions?: readonly TestProject[] },
): Promise<RowSearch | undefined> {
  let runs = 0;
  let idle: ReadonlySet<string> = new Set();
  const known = new Map<string, Observation | undefined>();
  const run = async (inputs: Inputs) => {
    const key = keyOf(inputs);
    if (known.has(key)) return known.get(key);
    runs += 1;
    const observation = await observe(withInputs(planned, inputs), warehouse, setting, { idle });
    if (known.size > 400) known.clear();
    known.set(key, observation);
    return observation;
  };
  const { project } = setting;
  const given = inputsOf(planned, setting);
  const first = await run(given);
  if (first === undefined) return undefined;
  idle = new Set(
    [...first.tables].flatMap(([name, { lastWrite }]) => (Number.isFinite(lastWrite) ? [] : [name])),
  );
  // From now on without the idle tables.
  known.clear();
  const inputs = withTargets(given, first, project);
  const path = planned.document.path;
  const keys: Keys = findKeys(path, project, given);
  const variables = new Map(
    planned.test.variables.flatMap(({ name, value }) =>
      typeof value === 'string' ? [[name.text, value]] : [],
    ),
  );
  const names = new Set(
    inputs.flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)]),
  );
  const isName = (text: string) => names.has(text);
  const constantsOf: ConstantsOf = findConstants(path, [project, ...versions], {
    variables,
    isName,
    startsAt: planned.test.startsAt,
  });
  const scenarios = scenariosOf(given, keys, constantsOf);
  const isUsable = (observation: Observation | undefined): observation is Observation =>
    observation !== undefined && observation.status === first.status;
  const parts = openParts();
  const search: RowSearch = {
    inputs: given,
    scenarios,
    run,
    isUsable,
    hasConstants: (column) => constantsOf(column).some(({ isNear }) => isNear),
    get runs() {
      return runs;
    },
    async differenceWith(candidate, other) {
      const before = await run(candidate);
      if (!isUsable(before)) return undefined;
      runs += 1;
      const changed = withInputs(other.planned, candidate);
      const after = await observe(changed, warehouse, other.setting, { idle });
      return after && differenceOf(before, after, project);
    },
    async find(other, { maxCandidates, until = Infinity }, accepts = async () => true) {
      let left = maxCandidates;
      const tried = new Set([keyOf(given)]);
      const options = {
        focus: other.focus,
        seed,
        scenarios,
        hasConstants: search.hasConstants,
        parts: (from: Inputs, all: readonly Scenario[]) => parts(search, from, all),
      };
      for await (const candidate of candidates(inputs, options)) {
        if (left <= 0 || setting.clock.now() >= until) return undefined;
        const key = keyOf(candidate.inputs);
        if (tried.has(key)) continue;
        tried.add(key);
        left -= 1;
        const difference = await search.differenceWith(candidate.inputs, other);
        if (difference === undefined) continue;
        const found = { ...candidate, difference };
        if (await accepts(found)) return found;
      }
      return undefined;
    },
  };
  return search;
}

type UsableParts = (
  search: RowSearch,
  inputs: Inputs,
  scenarios: readonly Scenario[],
) => Promise<readonly (readonly Scenario[])[]>;

/**
 * Splits scenarios until the pipeline runs with each part as with the rows of the test; those with which it never does are left out. Known
 * parts are not computed again.
 */
function openParts(): UsableParts {
  const known = new Map<Scenario | undefined, readonly (readonly Scenario[])[]>();
  return async (search, inputs, scenarios) => {
    // Chunks of the same order begin with different scenarios; another order has few other chunks.
    const [first] = scenarios;
    const before = known.get(first);
    if (before !== undefined && before.flat().every((scenario) => scenarios.includes(scenario)))
      return before;
    let left = maxSplits;
    const usable = async (part: readonly Scenario[]): Promise<readonly (readonly Scenario[])[]> => {
      if (part.length === 0 || left <= 0) return [];
      left -= 1;
      if (search.isUsable(await search.run(withScenarios(inputs, part)))) return [part];
      if (part.length === 1) return [];
      const half = Math.ceil(part.length / 2);
      return [...(await usable(part.slice(0, half))), ...(await usable(part.slice(half)))];
    };
    const found = await usable(scenarios);
    known.set(first, found);
    return found;
  };
}

const maxSplits = 24;

function keyOf(inputs: Inputs): string {
  return JSON.stringify(
    inputs.map(({ name, place, rows }) => [name, place, rows.map(({ cells }: InputRow) => cells)]),
  );
}
