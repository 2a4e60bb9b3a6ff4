import { FileProblems } from '../../engine/index.ts';
import { resolveCall } from '../../lib/pipelines/calls.ts';
import type { PipelineDocument } from '../../lib/pipelines/read-pipeline.ts';
import { refuseBroken } from '../test/broken-pipeline.ts';
import { findComponent, type PlannedTest } from '../test/planned-test.ts';
import { readTestFile } from '../test/read-test-file.ts';
import type { TestMock } from '../test/test-file.ts';
import type { TestProject } from '../test/test-project.ts';
import type { BaseProject } from './base-project.ts';

/**
 * A test with the pipeline of the base: the same rows, variables and time. Where a mocked component is gone or of another
 * type now, the mock of the test of the same name at the base counts. Undefined where the base does not have the pipeline.
 * Throws FileProblems for a pipeline of the base that cannot run.
 */
export async function testAtBase(
  planned: PlannedTest,
  current: TestProject,
  base: BaseProject,
): Promise<PlannedTest | undefined> {
  const { file, test, document } = planned;
  const { project, renamed } = base;
  const path = renamed.get(document.path) ?? resolveCall(file.pipeline.text, project);
  const before = path === undefined ? undefined : project.pipeline(path);
  if (before === undefined) return undefined;
  refuseBroken(before);
  const typeBefore = ({ name }: TestMock) => componentType(name.text, before, project);
  const mocks = test.mocks.filter((mock) => typeBefore(mock) !== undefined);
  const own = new Set(mocks.map(({ name }) => name.text));
  const others = (await mocksAtBase(planned, base)).filter((mock) => {
    const type = typeBefore(mock);
    const isOther = type !== componentType(mock.name.text, document, current);
    return type !== undefined && isOther && !own.has(mock.name.text);
  });
  return { file, test: { ...test, mocks: [...mocks, ...others] }, document: before };
}

function componentType(name: string, document: PipelineDocument, project: TestProject): string | undefined {
  const found = findComponent(name, document, project);
  return found === undefined
    ? undefined
    : project.pipeline(found.path)?.components.get(found.component)?.type;
}

/** The mocks of the test of the same name at the base; none where its file cannot be read. */
async function mocksAtBase(
  { file, test }: PlannedTest,
  { project, renamed }: BaseProject,
): Promise<readonly TestMock[]> {
  const path = renamed.get(file.file) ?? file.file;
  const text = project.text(path);
  if (text === undefined) return [];
  try {
    const before = await readTestFile(text, path, { readBeside: project.beside(path) });
    return before.tests.find(({ name }) => name === test.name)?.mocks ?? [];
  } catch (error) {
    if (error instanceof FileProblems) return [];
    throw error;
  }
}
