import type { Warehouse } from '../../engine/index.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import type { TestSetting } from '../pipeline-tests/run/run-test.ts';
import { type ConstantsOf, findConstants } from './known-constants.ts';
import { type InputRow, type Inputs, inputsOf, withInputs } from './input-tables.ts';
import { findKeys, type Keys } from './key-columns.ts';
import { differenceOf, observe, type Observation, type RowDifference } from './observe.ts';
import { poolsOf, randomInputs } from './random-rows.ts';
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
  /** Texts of the parts that differ: rows for the columns in them are tried first. */
  readonly focus: readonly string[];
}

/** Rows for which two versions of a pipeline have different results. */
export interface FoundRows {
  readonly inputs: Inputs;
  readonly difference: RowDifference;
  /** The scenarios in them, besides the rows of `from`; none for other candidates. */
  readonly scenarios: readonly Scenario[];
  readonly from: Inputs;
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
  /** Searches until rows are found, or the budget is used up. */
  find(other: OtherVersion, budget: SearchBudget): Promise<FoundRows | undefined>;
  /** Runs of both versions so far. */
  readonly runs: number;
}

/** The scenarios of one run: fewer if a table is wide. */
const scenariosPerRun = 120;
const cellsPerRun = 2000;

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
  const constantsOf: ConstantsOf = findConstants(path, [project, ...versions], { variables, isName });
  const scenarios = scenariosOf(given, keys, constantsOf);
  const isUsable = (observation: Observation | undefined): observation is Observation =>
    observation !== undefined && observation.status === first.status;
  const parts = openParts();
  const search: RowSearch = {
    inputs: given,
    scenarios,
    run,
    isUsable,
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
    async find(other, { maxCandidates, until = Infinity }) {
      let left = maxCandidates;
      const tried = new Set([keyOf(given)]);
      for await (const candidate of candidates(search, inputs, { focus: other.focus, seed, parts })) {
        if (left <= 0 || setting.clock.now() >= until) return undefined;
        const key = keyOf(candidate.inputs);
        if (tried.has(key)) continue;
        tried.add(key);
        left -= 1;
        const difference = await search.differenceWith(candidate.inputs, other);
        if (difference !== undefined) return { ...candidate, difference };
      }
      return undefined;
    },
  };
  return search;
}

/** Candidates in their order: the ones with many scenarios first, because one run of each tells most. */
async function* candidates(
  search: RowSearch,
  inputs: Inputs,
  {
    focus,
    seed,
    parts,
  }: { readonly focus: readonly string[]; readonly seed: number; readonly parts: UsableParts },
): AsyncGenerator<Omit<FoundRows, 'difference'>> {
  const { scenarios } = search;
  const plain = (candidate: Inputs) => ({ inputs: candidate, scenarios: [], from: candidate });
  const combined = (part: readonly Scenario[]) => ({
    inputs: withScenarios(given, part),
    scenarios: part,
    from: given,
  });
  const given = inputs.filter(({ place }) => place.kind !== 'target');
  const ordered = inFocus(scenarios, focus);
  const width = Math.max(1, ...given.map(({ columns }) => columns.length));
  const size = Math.min(scenariosPerRun, Math.ceil(cellsPerRun / width));
  const chunks = Array.from({ length: Math.ceil(ordered.length / size) }, (_, index) =>
    ordered.slice(index * size, (index + 1) * size),
  );
  const [firstChunk = [], ...others] = chunks;
  for (const part of await parts(search, given, firstChunk)) yield combined(part);
  if (given.length < inputs.length) yield plain(inputs);
  for (const chunk of others) for (const part of await parts(search, given, chunk)) yield combined(part);
  for (const [index, input] of given.entries())
    if (input.rows.length > 0)
      yield plain(given.map((each, at) => (at === index ? { ...each, rows: [] } : each)));
  if (given.some(({ rows }) => rows.length > 1))
    yield plain(given.map((input) => ({ ...input, rows: input.rows.slice(0, 1) })));
  // A row in place of another one: where a table must have one row only, or where rows of one group hide a value.
  for (const { rows } of ordered.slice(0, maxReplacing)) {
    const replaced = replacing(given, rows);
    if (replaced !== undefined) yield plain(replaced);
  }
  if (given.length === 0) return;
  const pools = poolsOf(given, scenarios);
  for (let number = 0; number < maxRandom; number += 1)
    yield plain(randomInputs(given, pools, { seed, number }));
}

const maxReplacing = 60;
const maxRandom = 1000;

function replacing(inputs: Inputs, rows: Scenario['rows']): Inputs | undefined {
  const changes = inputs.map((input, table) => {
    const own = (rows[table] ?? []).filter(({ purpose }) => purpose !== undefined);
    return own.length === 0 || input.rows.length === 0
      ? undefined
      : { ...input, rows: [...own, ...input.rows.slice(1)] };
  });
  return changes.some((change) => change !== undefined)
    ? inputs.map((input, table) => changes[table] ?? input)
    : undefined;
}

/** Scenarios for the columns that a text names are first. */
function inFocus(scenarios: readonly Scenario[], focus: readonly string[]): readonly Scenario[] {
  if (focus.length === 0 || scenarios.length <= scenariosPerRun) return scenarios;
  const text = focus.join('\n').toUpperCase();
  const isNamed = ({ column }: Scenario) => column !== undefined && text.includes(column.toUpperCase());
  const [head, rest] = [
    scenarios.filter(({ column }) => column === undefined),
    scenarios.filter(({ column }) => column !== undefined),
  ];
  return [...head, ...rest.filter(isNamed), ...rest.filter((scenario) => !isNamed(scenario))];
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
