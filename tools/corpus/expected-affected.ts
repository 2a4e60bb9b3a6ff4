import { callsOfSide, hasResult, passedSteps, type Step } from './expected-calls.ts';
import { expectedChanged, type HistorySide } from './expected-changed.ts';
import { objectSteps } from './expected-objects.ts';
import { possibleSteps } from './expected-possible.ts';

/** What a commit changes and affects, computed without the product's code that decides it. */
export interface Expected {
  readonly changed: ReadonlySet<string>;
  readonly affected: ReadonlySet<string>;
}

/** @param renamed the old path of each renamed file by its path now, as git finds them */
export function expectedAffected(
  now: HistorySide,
  before: HistorySide,
  renamed: ReadonlyMap<string, string>,
): Expected {
  const changed = expectedChanged(now, before, renamed);
  const start = new Set(changed);
  for (const [path, old] of renamed) if (changed.has(path)) start.add(old);
  const calls = [
    ...callsOfSide(now),
    // A call that is known only at run time leads to what exists now.
    ...callsOfSide(before).filter(({ isOpen }) => !isOpen),
  ];
  const stepsOf = (list: typeof calls) =>
    list.flatMap(({ caller: { path: to }, called, isOpen }): readonly Step[] => {
      if (isOpen) return Array.from(start, (from) => ({ from, to }));
      return called === undefined ? [] : [{ from: called, to }];
    });
  const data = [
    ...stepsOf(calls.filter(hasResult)),
    ...tableSteps(now, before),
    ...objectSteps(now, before),
    ...passedSteps(now, before, changed),
  ];
  const sure = closure(start, data);
  const moved = closure([...sure, ...possibleSteps(now, before, sure)], data);
  const reached = closure(moved, stepsOf(calls));
  return { changed, affected: reached.difference(start) };
}

function closure(start: Iterable<string>, steps: readonly Step[]): ReadonlySet<string> {
  const next = Map.groupBy(steps, ({ from }) => from);
  const reached = new Set(start);
  // The loop also visits what it adds.
  for (const path of reached) for (const { to } of next.get(path) ?? []) reached.add(to);
  return reached;
}

/** From the writers of tables to the readers, now and before. */
function tableSteps(now: HistorySide, before: HistorySide): readonly Step[] {
  const keyOf = ({ database, schema, table }: { database: string; schema: string; table: string }) =>
    JSON.stringify([database, schema, table]);
  const readers = new Map<string, Set<string>>();
  for (const path of now.bound.keys())
    for (const side of [now, before])
      for (const { table } of side.bound.get(path)?.reads ?? []) {
        const key = keyOf(table);
        readers.set(key, (readers.get(key) ?? new Set()).add(path));
      }
  return [now, before].flatMap(({ bound }) =>
    [...bound].flatMap(([from, { writes }]) =>
      writes.flatMap(({ table }) =>
        Array.from(readers.get(keyOf(table)) ?? [], (to): Step => ({ from, to })),
      ),
    ),
  );
}
