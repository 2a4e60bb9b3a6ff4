import { FileProblems } from '../../engine/index.ts';
import { type FirstTest, initTest } from './init-test.ts';
import { testSetting } from './run-test.ts';
import { openTestWarehouse } from './run-tests.ts';
import type { TestContext } from './test-context.ts';
import { testFailure } from './test-problem.ts';
import type { TestProject } from './test-project.ts';

/** The text of a first test for a pipeline. Throws Failure 'test-invalid' and 'engine-missing'. */
export async function writeFirstTest(
  pipeline: string,
  file: string,
  project: TestProject,
  context: TestContext,
): Promise<FirstTest> {
  await using warehouse = await openTestWarehouse(project);
  try {
    return await initTest(pipeline, file, warehouse, testSetting(project, context));
  } catch (error) {
    throw error instanceof FileProblems ? testFailure(error.problems) : error;
  }
}
