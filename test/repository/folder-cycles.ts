import { posix } from 'node:path';

/** One file imports another; paths relative to the root of the repository. */
export interface ImportEdge {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds cycles at every depth: in each folder, among its files and subfolders, where a subfolder means all that it
 * holds. Each cycle is given as the imports that make it.
 */
export function folderCycles(edges: readonly ImportEdge[]): ImportEdge[][] {
  const folders = new Set(edges.flatMap(({ from, to }) => [...foldersOf(from), ...foldersOf(to)]));
  return [...folders].toSorted().flatMap((folder) => cyclesIn(folder, edges));
}

function foldersOf(file: string): string[] {
  const parent = posix.dirname(file);
  return parent === '.' ? [''] : [`${parent}/`, ...foldersOf(parent)];
}

function cyclesIn(folder: string, edges: readonly ImportEdge[]): ImportEdge[][] {
  const child = (file: string): string | undefined =>
    file.startsWith(folder) ? file.slice(folder.length).split('/')[0] : undefined;
  const arrows = edges.flatMap((edge) => {
    const [from, to] = [child(edge.from), child(edge.to)];
    return from === undefined || to === undefined || from === to ? [] : [{ from, to, edge }];
  });
  const next = Map.groupBy(arrows, ({ from }) => from);
  const reachable = (start: string): Set<string> => {
    const found = new Set<string>();
    const open = [start];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const { to } of next.get(node) ?? []) {
        if (!found.has(to)) open.push(to);
        found.add(to);
      }
    }
    return found;
  };
  const reach = new Map([...next.keys()].map((node) => [node, reachable(node)]));
  const onCycle = (from: string, to: string): boolean => reach.get(to)?.has(from) ?? false;
  const tied = arrows.filter(({ from, to }) => onCycle(from, to));
  return tied.length === 0 ? [] : [tied.map(({ edge }) => edge)];
}
