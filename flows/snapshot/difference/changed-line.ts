import { readMarks } from '../marks.ts';
import type { SnapshotComponent, SnapshotPipeline } from '../snapshot.ts';

/** The line of the first part that means something else, of two pipelines whose digests differ. */
export function changedLine(now: SnapshotPipeline, before: SnapshotPipeline): number {
  if (now.unreadable !== undefined || before.unreadable !== undefined) return now.line;
  const old = new Map(before.components.map((component) => [component.name, component]));
  const changed = now.components.filter(({ name, digest }) => old.get(name)?.digest !== digest);
  const [first, ...others] = changed.map((component) => lineIn(component, old.get(component.name)));
  if (first !== undefined) return Math.min(first, ...others);
  const declared = new Map(before.variables.map(({ name, digest }) => [name, digest]));
  const variables = now.variables.filter(({ name, digest }) => declared.get(name) !== digest);
  if (variables.length > 0) return Math.min(...variables.map(({ line }) => line));
  const isLess =
    now.components.length < before.components.length || now.variables.length < before.variables.length;
  if (isLess) return now.line;
  const order = runOrder(before);
  const moved = runOrder(now).find(({ name }, index) => name !== order[index]?.name);
  return moved?.line ?? now.line;
}

/** The first line of a component that was not in it before; its own line if something is gone from it. */
function lineIn({ line, marks }: SnapshotComponent, before: SnapshotComponent | undefined): number {
  if (before === undefined) return line;
  const old = new Set(readMarks(before.marks).map(([, mark]) => mark));
  return readMarks(marks).find(([, mark]) => !old.has(mark))?.[0] ?? line;
}

function runOrder({ components }: SnapshotPipeline): readonly SnapshotComponent[] {
  return components
    .filter(({ rank }) => rank !== undefined)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
}
