import { type FileProblem } from '../../../engine/index.ts';
import type { Progress } from '../../../lib/core/ports/ports.ts';
import { testFileOf } from '../files/find-tests.ts';
import type { KnownTables } from './column-types.ts';
import { type FirstTest, initTest } from './init-test.ts';
import { testSetting } from '../run/run-test.ts';
import { openTestWarehouse } from '../run/open-test-warehouse.ts';
import type { TestContext } from '../run/test-context.ts';
import { collectProblems } from '../files/test-problem.ts';
import type { TestProject } from '../files/test-project.ts';

/** The result of `--init` for one pipeline. */
export interface PipelineTest {
  readonly pipeline: string;
  /** The path of its test file. */
  readonly file: string;
  /** Undefined if the pipeline has problems. */
  readonly first: FirstTest | undefined;
  readonly problems: readonly FileProblem[];
}

/**
 * Creates the texts of first tests, one pipeline after another. Throws Failure 'engine-missing', and the reason of
 * a cancel.
 */
export async function* writeFirstTests(
  pipelines: readonly string[],
  project: TestProject,
  {
    progress,
    knownTables: known,
    ...context
  }: TestContext & { readonly progress?: Progress; readonly knownTables?: KnownTables },
): AsyncGenerator<PipelineTest> {
  await using warehouse = await openTestWarehouse(project);
  const setting = { ...testSetting(project, context), known };
  for (const [index, pipeline] of pipelines.entries()) {
    progress?.step(`Writing a first test for ${pipeline} (${index + 1} of ${pipelines.length})`);
    context.signal.throwIfAborted();
    const file = testFileOf(pipeline);
    const problems: FileProblem[] = [];
    const first = await collectProblems(problems, () => initTest(pipeline, file, warehouse, setting));
    yield { pipeline, file, first, problems };
  }
}
