import { readsChecker } from '../pipeline-tests/cache/stored-reads.ts';
import { type KnownTests, openTestCache, type TestCacheOptions } from '../pipeline-tests/cache/test-cache.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { componentsReached } from '../pipeline-tests/run/coverage.ts';
import { testSetting } from '../pipeline-tests/run/run-test.ts';
import type { TestContext } from '../pipeline-tests/run/test-context.ts';
import type { BaseProject } from './base-project.ts';
import { keyOfComponent, mockedComponents, type RunResult } from './run-both.ts';

/** What is known of a test that need not run. */
interface KnownRun extends Pick<RunResult, 'called' | 'ran' | 'mocked'> {
  /** The files that it reads as text. */
  readonly files: readonly string[];
}

/** The tests that passed before, and read the same now and at the base: nothing can differ. */
export function knownTests(
  tests: readonly { readonly planned: PlannedTest }[],
  {
    project,
    base,
    cache: options,
  }: {
    readonly project: TestProject;
    readonly base: BaseProject;
    readonly cache?: TestCacheOptions | undefined;
  },
  context: TestContext,
): ReadonlyMap<PlannedTest, KnownRun> {
  if (options === undefined) return new Map();
  const { declared } = testSetting(project, context);
  const cache = openTestCache(project, declared, options);
  const isSameAtBase = readsChecker(base.project, declared);
  const files = new Map<string, KnownTests | undefined>();
  const knownIn = (file: string) => {
    if (!files.has(file)) files.set(file, cache.find(file));
    return files.get(file);
  };
  return new Map(
    tests.flatMap(({ planned }): readonly (readonly [PlannedTest, KnownRun])[] => {
      const { file, test } = planned;
      const entry = knownIn(file.file)?.entries.find(({ index }) => file.tests[index] === test);
      if (entry === undefined || !isSameAtBase(entry.reads)) return [];
      const { called, reads } = entry;
      const ran = new Set(
        componentsReached(entry.reached).map(([path, component]) => keyOfComponent(path, component)),
      );
      const mocked = mockedComponents(planned, project);
      return [[planned, { called, ran, mocked, files: reads.texts.map(([path]) => path) }]];
    }),
  );
}
