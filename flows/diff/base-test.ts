import { FileProblems } from '../../engine/index.ts';
import { resolveCall } from '../../lib/pipelines/model/calls.ts';
import type { PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';
import { refuseBroken } from '../pipeline-tests/files/broken-pipeline.ts';
import { findComponent, type PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import { readTestFile } from '../pipeline-tests/files/read-test-file.ts';
import type { TestMock } from '../pipeline-tests/files/test-file.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import type { BaseProject } from './base-project.ts';

/** A test with the pipeline as it was at the base. */
export interface TestAtBase {
  /** With the rows, variables and time of the test on disk. */
  readonly shared: PlannedTest;
  /** The test with the same name in the base; undefined if the base does not have it, or if it cannot be read. */
  readonly own: PlannedTest | undefined;
}

/**
 * Combines a test with the pipeline of the base. If a component of the base is gone or has another type, its mock
 * comes from the same test at the base. Undefined if the base does not have the pipeline. Throws FileProblems for a
 * pipeline of the base that cannot run.
 */
export async function testAtBase(
  planned: PlannedTest,
  current: TestProject,
  base: BaseProject,
): Promise<TestAtBase | undefined> {
  const { file, test, document } = planned;
  const { project, renamed } = base;
  const path = renamed.get(document.path) ?? resolveCall(file.pipeline.text, project);
  const before = path === undefined ? undefined : project.pipeline(path);
  if (before === undefined) return undefined;
  refuseBroken(before);
  const testBefore = await ownTest(planned, before, base);
  const typeBefore = ({ name }: TestMock) => componentType(name.text, before, project);
  const mocks = test.mocks.filter((mock) => typeBefore(mock) !== undefined);
  const names = new Set(mocks.map(({ name }) => name.text));
  const others = (testBefore?.test.mocks ?? []).filter((mock) => {
    const type = typeBefore(mock);
    const isOther = type !== componentType(mock.name.text, document, current);
    return type !== undefined && isOther && !names.has(mock.name.text);
  });
  const shared = { file, test: { ...test, mocks: [...mocks, ...others] }, document: before };
  return { shared, own: testBefore };
}

function componentType(name: string, document: PipelineDocument, project: TestProject): string | undefined {
  const target = findComponent(name, document, project);
  return target === undefined
    ? undefined
    : project.pipeline(target.path)?.components.get(target.component)?.type;
}

async function ownTest(
  { file, test }: PlannedTest,
  before: PipelineDocument,
  { project, renamed }: BaseProject,
): Promise<PlannedTest | undefined> {
  const path = renamed.get(file.file) ?? file.file;
  const text = project.text(path);
  if (text === undefined) return undefined;
  try {
    const fileBefore = await readTestFile(text, path, { findFile: project.beside(path) });
    const sameTest = fileBefore.tests.find(({ name }) => name === test.name);
    return sameTest === undefined ? undefined : { file: fileBefore, test: sameTest, document: before };
  } catch (error) {
    if (error instanceof FileProblems) return undefined;
    throw error;
  }
}
