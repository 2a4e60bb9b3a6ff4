import { decodeText, lfsReason } from '../../../lib/core/files/decode-text.ts';
import { resolveCall } from '../../../lib/pipelines/model/calls.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { readYaml } from '../../../lib/yaml/read-yaml.ts';
import { childOf, textOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import type { TestProject } from './test-project.ts';

const suffix = '.test.yaml';

export function isTestFile(path: string): boolean {
  return path.endsWith(suffix);
}

/** The end of a YAML file's name, also with what is easily added: `.yml`, `.yaml.yaml`, `..yaml`, `.yaml ` with a blank. */
const otherEnd = /[\s.]*\.ya?ml(?:[\s.]|\.ya?ml)*$/i;

/** Names that people give to tests, without their end, such as `load.test`, `load_test`, `test_load` and `tests`. */
const otherNames = /(?:^|\/)(?:(?:[^/]*[._ -])?tests?|tests?[._ -][^/]*)$/i;

/** Whether the name of a file suggests a test, although `isTestFile` requires another name. */
export function mayBeMisnamed(path: string): boolean {
  if (isTestFile(path) || kindOf(path) !== undefined) return false;
  const name = path.replace(otherEnd, '');
  return name !== path && otherNames.test(name);
}

/** Whether a file is a test by its content, but has another name than `isTestFile` asks for. */
function isMisnamed(path: string, project: TestProject): boolean {
  if (!mayBeMisnamed(path)) return false;
  const bytes = project.bytes(path) ?? Buffer.of();
  const { text, fault } = decodeText(bytes);
  const source = fault === undefined ? readYaml(text, { file: path }) : undefined;
  // The file cannot be read as YAML, so the keys in its bytes decide. The content of a Git LFS pointer may be a test.
  if (source === undefined || source.problems.length > 0)
    return (/\.test$/i.test(path.replace(otherEnd, '')) && lfsReason(bytes) !== undefined) || hasKeys(bytes);
  return (
    textOf(childOf(source.root, 'pipeline')) !== undefined && childOf(source.root, 'tests') !== undefined
  );
}

/** Whether the keys of a test begin lines, in any encoding that has the bytes of ASCII. */
function hasKeys(bytes: Uint8Array): boolean {
  const ascii = Buffer.from(bytes).toString('latin1').replaceAll('\0', '');
  return ['pipeline', 'tests'].every((key) => new RegExp(`^\\W*${key}["']?\\s*:`, 'm').test(ascii));
}

/**
 * Whether a file is a test. A misnamed test counts too: it is read and then refused for its name, so that it is not
 * ignored silently.
 */
export function isTest(path: string, project: TestProject): boolean {
  return isTestFile(path) || isMisnamed(path, project);
}

/** The error in the name of a test file; undefined if the name is right. */
export function nameProblem(path: string): string | undefined {
  if (isTestFile(path)) return undefined;
  return `the name of a test file must end in .test.yaml: rename it to ${rightName(path)}`;
}

function rightName(path: string): string {
  const name = path.replace(otherEnd, '');
  const without = name.replace(/[._ -]tests?$/i, '').replace(/(^|\/)tests?[._ -]([^/]+)$/i, '$1$2');
  return without + suffix;
}

/** The name of the test file that belongs to a pipeline by its name: `daily/load.test.yaml`. */
export function testFileOf(pipeline: string): string {
  return pipeline.replace(/\.(?:orch|tran)\.yaml$/, '') + suffix;
}

/**
 * All test files of a project, without hidden ones. Includes links with the name of a test, and folders that are
 * not searched but may contain tests; they are refused when they are read.
 */
export function testFiles(project: TestProject): readonly string[] {
  const refused = [...project.unread].flatMap(([path, { isFolder }]) =>
    isFolder || isTestFile(path) ? [path] : [],
  );
  return project.paths
    .filter((path) => isTest(path, project))
    .concat(refused)
    .filter((path) => !project.isHidden(path))
    .toSorted();
}

/** The test files that are named, and the test files of named pipelines. */
export function testFilesOf(names: readonly string[], project: TestProject): readonly string[] {
  const pipelines = new Set(names.filter((name) => kindOf(name) !== undefined));
  const named = names.filter((name) => isTest(name, project));
  if (pipelines.size === 0) return [...new Set(named)].toSorted();
  // The tests of a hidden pipeline are found by its name.
  const others = project.paths.filter((file) => {
    if (!isTest(file, project)) return false;
    const name = pipelineNameIn(file, project);
    if (name === undefined) return !project.isHidden(file);
    const tested = resolveCall(name, project);
    return (
      tested !== undefined && pipelines.has(tested) && (!project.isHidden(file) || project.isHidden(tested))
    );
  });
  return [...new Set([...named, ...others])].toSorted();
}

/**
 * The name of the pipeline in a test file, also if the rest of the file is wrong. Undefined if none can be read: such
 * a file may be a test of any pipeline.
 */
function pipelineNameIn(file: string, project: TestProject): string | undefined {
  return textOf(childOf(rootOf(file, project), 'pipeline'));
}

/** Undefined if the file is not text. */
function rootOf(file: string, project: TestProject): YamlNode | undefined {
  const { text, fault } = decodeText(project.bytes(file) ?? Buffer.of());
  return fault === undefined ? readYaml(text, { file }).root : undefined;
}
