import { readFileSync } from 'node:fs';
import path from 'node:path';

/** For each file, the files that import it, read from the text of the imports. Paths are relative to the repository. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>;

const importOf = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** The files that import each file, also by `import()`. */
export function importersOf(root: string, files: readonly string[]): Importers {
  const importers = new Map<string, Set<string>>();
  for (const file of files) {
    for (const [, name = ''] of readFileSync(path.join(root, file), 'utf8').matchAll(importOf)) {
      const target = path.posix.join(path.posix.dirname(file), name);
      importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  }
  return importers;
}

/**
 * Up to `count` tests that import a file, directly or through other files. First come tests whose paths share words with
 * the path of the file (a rare word counts more), then the tests with the shortest chain of imports.
 */
export function relatedTests(file: string, importers: Importers, count: number): readonly string[] {
  const distances = new Map([[file, 0]]);
  for (const [current, distance] of distances)
    for (const importer of importers.get(current) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  const tests = [...distances.keys()].filter((candidate) =>
    /^test\/.*(?<!\.deep)\.test\.ts$/.test(candidate),
  );
  const frequencies = new Map<string, number>();
  for (const word of tests.flatMap((test) => [...wordsOf(test)]))
    frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  const fileWords = wordsOf(file);
  const likeness = (test: string): number =>
    [...wordsOf(test)]
      .filter((word) => fileWords.has(word))
      .reduce((sum, word) => sum + 1 / (frequencies.get(word) ?? 1), 0);
  return tests
    .map((test) => ({ test, likeness: likeness(test), distance: distances.get(test) ?? 0 }))
    .toSorted((a, b) => b.likeness - a.likeness || a.distance - b.distance)
    .slice(0, count)
    .map(({ test }) => test);
}

/** The words of a path, in the singular. */
function wordsOf(file: string): ReadonlySet<string> {
  const words = file.replace(/(?:\.test)?\.ts$/, '').split(/[/.-]/);
  return new Set(words.map((word) => word.replace(/s$/, '')));
}
