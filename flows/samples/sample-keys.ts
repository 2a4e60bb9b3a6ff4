import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { labelOf } from '../pipeline-tests/first-test/table-label.ts';
import type { Samples } from './read-samples.ts';
import type { SideTable } from './run-side.ts';

/**
 * The keys in samples.yaml by table, and the tables there that no pipeline writes or that lack a column of the key.
 * The case of names is ignored if no other name matches.
 */
export function keysOf(
  { keys }: Pick<Samples, 'keys'>,
  sides: readonly ReadonlyMap<string, SideTable>[],
  project: TestProject,
): { readonly keys: ReadonlyMap<string, readonly string[]>; readonly unused: readonly string[] } {
  const used = new Map<string, readonly string[]>();
  const unused: string[] = [];
  for (const { table, columns } of keys) {
    const written = sides.flatMap((tables) => meant([...tables.values()], labelOf(table, project)) ?? []);
    const names = columns.map(({ text }) => meant(written[0]?.columns ?? [], text)?.name);
    const known = names.filter((name) => name !== undefined);
    const [first] = written;
    if (first === undefined || known.length < names.length) unused.push(labelOf(table, project));
    else used.set(first.name, known);
  }
  return { keys: used, unused };
}

function meant<Named extends { readonly name: string }>(
  all: readonly Named[],
  name: string,
): Named | undefined {
  const exact = all.find((each) => each.name === name);
  if (exact !== undefined) return exact;
  const [only, ...others] = all.filter((each) => each.name.toLowerCase() === name.toLowerCase());
  return others.length === 0 ? only : undefined;
}
