import type { Inputs } from './input-tables.ts';
import { manyRows, type ManyRowsOptions } from './many-rows.ts';
import { poolsOf, randomInputs } from './random-rows.ts';
import { type Scenario, withScenarios } from './scenarios.ts';

/** Rows to run both versions with. */
export interface Candidate {
  readonly inputs: Inputs;
  /** The scenarios in them, besides the rows of `from`; none for other candidates. */
  readonly scenarios: readonly Scenario[];
  readonly from: Inputs;
}

/** The scenarios of one run: fewer if a table is wide. */
const scenariosPerRun = 120;
const cellsPerRun = 2000;

/** Scenarios that are tried one by one. */
const maxSingle = 20;
const maxRandom = 1000;

export interface CandidateOptions {
  readonly focus: readonly string[];
  readonly seed: number;
  readonly scenarios: readonly Scenario[];
  readonly hasConstants: ManyRowsOptions['hasConstants'];
  /** Splits scenarios into parts with which the pipeline runs. */
  parts(inputs: Inputs, scenarios: readonly Scenario[]): Promise<readonly (readonly Scenario[])[]>;
}

/** Candidates in their order: the ones with many scenarios first, because one run of each tells most. */
export async function* candidates(
  inputs: Inputs,
  { focus, seed, scenarios, hasConstants, parts }: CandidateOptions,
): AsyncGenerator<Candidate> {
  const plain = (candidate: Inputs) => ({ inputs: candidate, scenarios: [], from: candidate });
  const given = inputs.filter(({ place }) => place.kind !== 'target');
  const combined = (part: readonly Scenario[]) => ({
    inputs: withScenarios(given, part),
    scenarios: part,
    from: given,
  });
  const focused = inFocus(scenarios, focus);
  // Changes that search the same order share the runs of the pipeline without a change.
  const ordered = scenarios.length <= scenariosPerRun ? scenarios : focused;
  const width = Math.max(1, ...given.map(({ columns }) => columns.length));
  const size = Math.min(scenariosPerRun, Math.ceil(cellsPerRun / width));
  const chunks = Array.from({ length: Math.ceil(ordered.length / size) }, (_, index) =>
    ordered.slice(index * size, (index + 1) * size),
  );
  const [firstChunk = [], ...others] = chunks;
  for (const part of await parts(given, firstChunk)) yield combined(part);
  if (given.length < inputs.length) yield plain(inputs);
  for (const chunk of others) for (const part of await parts(given, chunk)) yield combined(part);
  for (const [index, input] of given.entries())
    if (input.rows.length > 0)
      yield plain(given.map((each, at) => (at === index ? { ...each, rows: [] } : each)));
  if (given.some(({ rows }) => rows.length > 1))
    yield plain(given.map((input) => ({ ...input, rows: input.rows.slice(0, 1) })));
  const random = randomCandidates(given, scenarios, seed);
  const single = singleCandidates(given, inFocus(scenarios, focus.slice(0, 1)));
  // In turn: none of them tells more than the others.
  const sources = [
    single,
    manyRows(given, inFocus(scenarios, focus.slice(0, 1)), { focus, hasConstants }),
    random,
  ].map((each) => each[Symbol.iterator]());
  for (let open = sources; open.length > 0;) {
    const rounds = open.map((source) => ({ source, next: source.next() }));
    for (const { next } of rounds) if (next.done !== true) yield plain(next.value);
    open = rounds.flatMap(({ source, next }) => (next.done === true ? [] : [source]));
  }
}

/**
 * The rows of one scenario alone, or in place of a row of the test: where a table must have one row only, where rows of one group hide a value, and
 * where the whole table has one result, such as its latest time.
 */
function* singleCandidates(given: Inputs, scenarios: readonly Scenario[]): Generator<Inputs> {
  for (const { rows } of scenarios.slice(0, maxSingle)) {
    yield given.map((input, table) => {
      const own = rows[table] ?? [];
      return own.length === 0 ? input : { ...input, rows: own };
    });
    const replaced = replacing(given, rows);
    if (replaced !== undefined) yield replaced;
  }
}

function* randomCandidates(given: Inputs, scenarios: readonly Scenario[], seed: number): Generator<Inputs> {
  if (given.length === 0) return;
  const pools = poolsOf(given, scenarios);
  for (let number = 0; number < maxRandom; number += 1) yield randomInputs(given, pools, { seed, number });
}

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

/** Scenarios without a column are first, then those for the columns that the first text names, and so on. */
function inFocus(scenarios: readonly Scenario[], focus: readonly string[]): readonly Scenario[] {
  const texts = focus.map((text) => text.toUpperCase());
  const rankOf = ({ column }: Scenario) => {
    if (column === undefined) return texts.length > 1 ? -1 : texts.length;
    const place = texts.findIndex((text) => text.includes(column.toUpperCase()));
    return place < 0 ? texts.length : place;
  };
  return scenarios.toSorted((a, b) => rankOf(a) - rankOf(b));
}
