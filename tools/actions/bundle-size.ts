import { gzipSync } from 'node:zlib';
import { bundleBudget, type BundleSizes } from './bundle-budget.ts';

/** Weighs `dist/`: name of each file → its bytes. */
export function bundleSizes(files: ReadonlyMap<string, Uint8Array>): BundleSizes {
  const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
  const all = [...files.values()];
  const stubs = [...files].filter(([name]) => /^[a-z-]+\.js$/u.test(name) && name !== 'index.js');
  return {
    total: sum(all.map(({ length }) => length)),
    compressed: sum(all.map((bytes) => gzipSync(bytes).length)),
    'loaded by every action': files.get('index.js')?.length ?? 0,
    'each stub': Math.max(0, ...stubs.map(([, { length }]) => length)),
  };
}

/** Says what is larger than allowed, and what to do; nothing if all is well. */
export function overBudget(files: ReadonlyMap<string, Uint8Array>, allowed = bundleBudget): string[] {
  const sizes = bundleSizes(files);
  const over = (['total', 'compressed', 'loaded by every action', 'each stub'] as const).filter(
    (what) => sizes[what] > allowed[what],
  );
  if (over.length === 0) return [];
  return [
    ...over.map(
      (what) =>
        `dist/, ${what}: ${String(sizes[what])} bytes, and tools/actions/bundle-budget.ts allows ${String(allowed[what])}.`,
    ),
    'Every job that uses an action downloads dist/, and every action starts by reading it. Find what grew: a new',
    'package, or an import from an action that drags another part along. Where the growth is worth it, raise the',
    'number in the same commit, to at most a twentieth above the new size, and say in its message what users get.',
  ];
}
