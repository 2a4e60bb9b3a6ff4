import { readMarks } from '../marks.ts';
import type { SnapshotComponent, SnapshotPipeline } from '../snapshot.ts';

/** The line of the first part that does something different, for two pipelines whose digests differ. */
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

/** The first line of a component with something else; or of a list or map that is shorter; otherwise the component's own line. */
function lineIn({ line, type, marks }: SnapshotComponent, before: SnapshotComponent | undefined): number {
  // What counts as SQL depends on the type.
  if (before?.type !== type) return line;
  const olds = before.marks.split('|').map((part) => new Set(readMarks(part).map(([, mark]) => mark)));
  for (const [index, part] of marks.split('|').entries()) {
    const first = readMarks(part).find(([, mark]) => olds[index]?.has(mark) !== true);
    if (first !== undefined) return first[0];
  }
  return line;
}

function runOrder({ components }: SnapshotPipeline): readonly SnapshotComponent[] {
  return components
    .filter(({ rank }) => rank !== undefined)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
}
