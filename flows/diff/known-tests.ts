import { readsChecker } from '../pipeline-tests/cache/stored-reads.ts';
import { type KnownTests, openTestCache, type TestCacheOptions } from '../pipeline-tests/cache/test-cache.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { splitKey } from '../pipeline-tests/run/coverage.ts';
import { nameFilter } from '../pipeline-tests/run/plan-file.ts';
import { testSetting } from '../pipeline-tests/run/run-test.ts';
import type { TestContext } from '../pipeline-tests/run/test-context.ts';
import { type BaseProject, unknownFile } from './base-project.ts';
import { keyOfComponent, type RunResult } from './run-both.ts';

/** What is known about a test without running it. */
export interface KnownRun extends Pick<RunResult, 'called' | 'ran' | 'mocked'> {
  /** The files that it reads as text. */
  readonly files: readonly string[];
}

/** The tests that passed before and read the same files now and at the base, so that nothing can differ. */
export interface KnownRuns {
  /** All tests of a file whose names contain the filter; undefined if one of them must be planned. */
  ofFile(file: string): readonly KnownRun[] | undefined;
  of(planned: PlannedTest): KnownRun | undefined;
}

export function openKnownRuns(
  {
    project,
    base,
    filter = '',
    cache: options,
  }: {
    readonly project: TestProject;
    readonly base: BaseProject;
    readonly filter?: string | undefined;
    readonly cache?: TestCacheOptions | undefined;
  },
  context: TestContext,
): KnownRuns {
  if (options === undefined) return { ofFile: () => undefined, of: () => undefined };
  const { declared } = testSetting(project, context);
  const cache = openTestCache(project, declared, options);
  const isSameAtBase = readsChecker(base.project, declared);
  const accepts = nameFilter(filter);
  const found = new Map<string, KnownTests | undefined>();
  const keptOf = (file: string) => {
    if (!found.has(file)) found.set(file, cache.find(file));
    return found.get(file);
  };
  const runOf = (kept: KnownTests | undefined, place: number): KnownRun | undefined => {
    const entry = kept?.entries.find(({ index }) => index === place);
    if (entry === undefined || !isSameAtBase(entry.reads)) return undefined;
    const keys = (parts: readonly string[]) =>
      new Set(parts.map((part) => keyOfComponent(...splitKey(part))));
    return {
      called: entry.called,
      ran: keys(entry.reached.components),
      mocked: keys(entry.mocked),
      files: entry.reads.texts.map(([path]) => path),
    };
  };
  return {
    ofFile(file) {
      const kept = keptOf(file);
      const places = kept?.names.flatMap((name, place) => (accepts(name) ? [place] : [])) ?? [];
      const runs = places.flatMap((place) => runOf(kept, place) ?? []);
      const isWhole = runs.length > 0 && runs.length === places.length;
      return isWhole && runs.every(({ files }) => unknownFile(files, base) === undefined) ? runs : undefined;
    },
    of: ({ file, test }) => runOf(keptOf(file.file), file.tests.indexOf(test)),
  };
}
