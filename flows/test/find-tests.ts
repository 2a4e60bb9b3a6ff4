import { decodeText } from '../../lib/core/decode-text.ts';
import { resolveCall } from '../../lib/pipelines/calls.ts';
import { kindOf } from '../../lib/pipelines/pipeline-kind.ts';
import { readYaml } from '../../lib/yaml/read-yaml.ts';
import { childOf, textOf } from '../../lib/yaml/yaml-node.ts';
import type { TestProject } from './test-project.ts';

const suffix = '.test.yaml';

export function isTestFile(path: string): boolean {
  return path.endsWith(suffix);
}

/** The name of the test file that belongs to a pipeline by its name: `daily/load.test.yaml`. */
export function testFileOf(pipeline: string): string {
  return pipeline.replace(/\.(?:orch|tran)\.yaml$/, '') + suffix;
}

/** All test files of a project, without hidden ones. */
export function testFiles({ paths, isHidden }: TestProject): readonly string[] {
  return paths.filter((path) => isTestFile(path) && !isHidden(path));
}

/** The test files that are chosen by name: themselves, and those of the chosen pipelines. */
export function testFilesOf(names: readonly string[], project: TestProject): readonly string[] {
  const pipelines = new Set(names.filter((name) => kindOf(name) !== undefined));
  const own = names.filter(isTestFile);
  if (pipelines.size === 0) return [...new Set(own)].toSorted();
  // The tests of a hidden pipeline are found by its name.
  const others = project.paths.filter((file) => {
    if (!isTestFile(file)) return false;
    const name = pipelineNameIn(file, project);
    if (name === undefined) return !project.isHidden(file);
    const tested = resolveCall(name, project);
    return (
      tested !== undefined && pipelines.has(tested) && (!project.isHidden(file) || project.isHidden(tested))
    );
  });
  return [...new Set([...own, ...others])].toSorted();
}

/**
 * The name of the pipeline in a test file, also where the rest of the file is wrong. Undefined where none can be read: such
 * a file may be a test of any pipeline.
 */
function pipelineNameIn(file: string, project: TestProject): string | undefined {
  const { text, fault } = decodeText(project.bytes(file) ?? Buffer.of());
  return fault === undefined ? textOf(childOf(readYaml(text, { file }).root, 'pipeline')) : undefined;
}
