import { rawOf } from './cell-values.ts';
import type { InputRow, Inputs } from './input-tables.ts';
import { likelyScenarios } from './likely-scenarios.ts';
import type { FoundRows, OtherVersion, RowSearch, SearchBudget } from './open-search.ts';
import { randomPurpose } from './random-rows.ts';
import { type Scenario, withScenarios } from './scenarios.ts';

/**
 * Makes found rows smaller while the two versions still differ: leaves out scenarios, then rows, then gives cells
 * the values of the test's first row. The result is small, but not always the smallest.
 */
export async function shrinkRows(
  found: FoundRows,
  search: RowSearch,
  other: OtherVersion,
  { maxCandidates, until = Infinity, now = () => 0 }: SearchBudget & { readonly now?: () => number },
): Promise<FoundRows> {
  let left = maxCandidates;
  let best = found;
  const accept = async (inputs: Inputs, scenarios: readonly Scenario[]): Promise<boolean> => {
    if (left <= 0 || now() >= until) return false;
    left -= 1;
    const difference = await search.differenceWith(inputs, other);
    if (difference === undefined || (difference.by === 'failure' && found.difference.by !== 'failure'))
      return false;
    best = { inputs, difference, scenarios, from: found.from };
    return true;
  };
  if (found.scenarios.length > 0) {
    const { from } = found;
    const accepts = (part: readonly Scenario[]) => accept(withScenarios(from, part), part);
    const kept =
      (await firstAccepted(likelyScenarios(found.difference, found.scenarios), accepts)) ??
      (await fewest(found.scenarios, accepts));
    const near = kept.map((scenario, index) => scenario.near(index + 1));
    await accept(withScenarios(from, near), near);
  }
  const needed = best.inputs.filter(({ place }) => place.kind !== 'target');
  if (needed.length < best.inputs.length) await accept(needed, []);
  const refs = best.inputs.flatMap(({ rows }, table) => rows.map((_, index) => ({ table, index })));
  // Rows that were added come first: the ones of the test make the new test easier to read beside it.
  const source = best.inputs;
  const isOwn = ({ table, index }: RowRef) => source[table]?.rows[index]?.purpose === undefined;
  await fewest([...refs.filter((ref) => !isOwn(ref)), ...refs.filter(isOwn)], (kept) =>
    accept(withRows(source, kept), []),
  );
  await simplify(best.inputs, search.inputs, (inputs) => accept(inputs, []));
  return { ...best, inputs: withPurposes(best.inputs, search.inputs) };
}

async function firstAccepted(
  scenarios: readonly Scenario[],
  accepts: (part: readonly Scenario[]) => Promise<boolean>,
): Promise<readonly Scenario[] | undefined> {
  for (const scenario of scenarios) if (await accepts([scenario])) return [scenario];
  return undefined;
}

interface RowRef {
  readonly table: number;
  readonly index: number;
}

function withRows(inputs: Inputs, kept: readonly RowRef[]): Inputs {
  return inputs.map((input, table) => ({
    ...input,
    rows: input.rows.filter((_, index) => kept.some((ref) => ref.table === table && ref.index === index)),
  }));
}

/** Leaves out parts of a list, from halves to single items, as long as the rest is accepted. */
async function fewest<Item>(
  items: readonly Item[],
  accepts: (rest: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let kept = items;
  let size = Math.ceil(kept.length / 2);
  while (size >= 1 && kept.length > 0) {
    let start = 0;
    while (start < kept.length) {
      const rest = [...kept.slice(0, start), ...kept.slice(start + size)];
      if (await accepts(rest)) kept = rest;
      else start += size;
    }
    size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return kept;
}

/** Gives cells the value that they have in the first row of the test. */
async function simplify(
  inputs: Inputs,
  own: Inputs,
  accepts: (inputs: Inputs) => Promise<boolean>,
): Promise<void> {
  let current = inputs;
  for (const [table, { rows }] of inputs.entries()) {
    const [template] = own[table]?.rows ?? [];
    for (const [index, row] of rows.entries()) {
      if (template === undefined || row.purpose === undefined) continue;
      const differing = template.cells.flatMap((cell, place) => (row.cells[place] === cell ? [] : [place]));
      if (differing.length < 2) continue;
      for (const place of differing) {
        const next = withCell(current, { table, index }, place, template.cells[place] ?? 'null');
        if (await accepts(next)) current = next;
      }
    }
  }
}

function withCell(inputs: Inputs, ref: RowRef, place: number, text: string): Inputs {
  return inputs.map((input, table) =>
    table !== ref.table
      ? input
      : {
          ...input,
          rows: input.rows.map((row, index) =>
            index === ref.index
              ? { ...row, cells: row.cells.map((cell, at) => (at === place ? text : cell)) }
              : row,
          ),
        },
  );
}

/** Random rows are for the values in which they differ from the test's first row. */
function withPurposes(inputs: Inputs, own: Inputs): Inputs {
  return inputs.map((input, table) => ({
    ...input,
    rows: input.rows.map((row): InputRow => {
      const [template] = own[table]?.rows ?? [];
      if (row.purpose !== randomPurpose || template === undefined) return row;
      const differing = input.columns.flatMap(({ name }, place) =>
        row.cells[place] === template.cells[place]
          ? []
          : [`${name}: ${rawOf(row.cells[place] ?? 'null') ?? 'null'}`],
      );
      const purpose = differing.length === 0 ? 'a row once more' : differing.slice(0, 3).join(', ');
      return { ...row, purpose };
    }),
  }));
}
