import type { InputRow, Inputs } from './input-tables.ts';
import type { Scenario } from './scenarios.ts';

/** The purpose of a random row in the comment of a test, before a better one is known. */
export const randomPurpose = 'random values';

/** A source of numbers from 0 up to 1 that a seed decides. */
function seededNumbers(seed: number): () => number {
  // Mulberry32: small, and the same on every machine.
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The values that the columns of each input have in the test and in scenarios. */
export interface Pools {
  /** By input, then by column. */
  readonly known: readonly (readonly (readonly string[])[])[];
  readonly other: readonly (readonly (readonly string[])[])[];
}

/** Collects the distinct values of each column. */
export function poolsOf(inputs: Inputs, scenarios: readonly Scenario[]): Pools {
  const pool = (rowsOf: (table: number) => readonly InputRow[]) =>
    inputs.map(({ columns }, table) => {
      const rows = rowsOf(table);
      return columns.map((_, place) => [...new Set(rows.map(({ cells }) => cells[place] ?? 'null'))]);
    });
  return {
    known: pool((table) => inputs[table]?.rows ?? []),
    other: pool((table) => scenarios.flatMap(({ rows }) => rows[table] ?? [])),
  };
}

/**
 * Inputs with random rows. Some cells get another value that their column has in the test or in a scenario, so that
 * keys often match. Two of three candidates also have the test's own rows first. Every fourth candidate has many
 * rows.
 */
export function randomInputs(
  inputs: Inputs,
  { known, other }: Pools,
  { seed, number }: { readonly seed: number; readonly number: number },
): Inputs {
  const next = seededNumbers(seed * 10_007 + number);
  const pick = <Item>(items: readonly Item[] = []): Item | undefined =>
    items[Math.floor(next() * items.length)];
  const chance = [0.15, 0.4, 0.7][number % 3] ?? 0.5;
  return inputs.map((input, table) => {
    if ((other[table]?.[0] ?? []).length === 0) return input;
    const count = number % 4 === 3 ? 30 : 1 + Math.floor(next() * 6);
    const added = Array.from({ length: count }, (): InputRow => {
      // The first row of a test is the one that most likely passes all filters.
      const template = next() < 0.6 ? input.rows[0] : pick(input.rows);
      const cells = input.columns.map((_, place) => {
        const [own, others] = [known[table]?.[place], other[table]?.[place]];
        const value = next() >= chance ? template?.cells[place] : next() < 0.3 ? pick(own) : pick(others);
        return value ?? pick(others) ?? 'null';
      });
      return { cells, purpose: randomPurpose };
    });
    return { ...input, rows: number % 3 === 2 ? added : [...input.rows, ...added] };
  });
}
