import type { Shown } from '../pipeline-tests/compare/test-result.ts';
import { rawOf } from './cell-values.ts';
import type { RowDifference } from './observe.ts';
import type { Scenario } from './scenarios.ts';

/** More scenarios are not tried one by one. */
const maxLikely = 3;

/**
 * The scenarios that most likely caused the rows of a difference: the rows contain values, such as keys, that only
 * these scenarios have. Empty if the rows contain none, for example after a sum.
 */
export function likelyScenarios(
  { tables }: RowDifference,
  scenarios: readonly Scenario[],
): readonly Scenario[] {
  const shown = new Set(
    tables.flatMap(({ rows }) =>
      rows.flatMap(({ before = {}, after = {} }) =>
        [before, after].flatMap((row) => Object.values(row).flatMap(textsOf)),
      ),
    ),
  );
  const owners = new Map<string, Scenario | undefined>();
  for (const scenario of scenarios)
    for (const text of valuesOf(scenario)) {
      const isOwn = !owners.has(text) || owners.get(text) === scenario;
      owners.set(text, isOwn ? scenario : undefined);
    }
  const scores = new Map<Scenario, number>();
  for (const text of shown) {
    const owner = owners.get(text);
    if (owner !== undefined) scores.set(owner, (scores.get(owner) ?? 0) + 1);
  }
  return [...scores]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, maxLikely)
    .map(([scenario]) => scenario);
}

function valuesOf({ rows }: Scenario): ReadonlySet<string> {
  return new Set(rows.flat().flatMap(({ cells }) => cells.flatMap((cell) => rawOf(cell) ?? [])));
}

function textsOf(value: Shown): readonly string[] {
  return value === null || typeof value === 'object' ? [] : [String(value)];
}
