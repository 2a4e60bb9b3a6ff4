import path from 'node:path';
import { FileProblems } from '../../engine/index.ts';
import { decodeText } from '../../lib/core/files/decode-text.ts';
import type { Range } from '../../lib/core/outcomes/finding.ts';
import { nodeAt } from '../../lib/yaml/node-at.ts';
import { readYaml } from '../../lib/yaml/read-yaml.ts';
import { LineIndex } from '../../lib/yaml/text-position.ts';
import { inRepository } from '../../lib/git/in-repository.ts';
import { overlayProject } from '../pipeline-tests/files/overlay-project.ts';
import { planFile } from '../pipeline-tests/run/plan-file.ts';
import { sortedProblems } from '../pipeline-tests/files/test-problem.ts';
import { openTestProject, projectOptions, type TestProject } from '../pipeline-tests/files/test-project.ts';
import type { EditorProject } from './editor-project.ts';
import type { OpenFile } from './open-file.ts';

/** An error in a test file that `millrace test` reports before it runs a test. */
export interface TestFileProblem {
  readonly range: Range;
  readonly message: string;
}

/** Opens the project for reading test files: the files on disk, with the texts of the editor. */
export function openTests({ request, config }: EditorProject, open: readonly OpenFile[]): TestProject {
  const directory = path.join(request.repository.root, request.directory);
  const saved = openTestProject(directory, config.engine.warehouse, projectOptions(config));
  return withOpenTexts(saved, request, open);
}

/** A project in which open files have the texts of the editor. */
export function withOpenTexts(
  saved: TestProject,
  request: Pick<EditorProject['request'], 'directory'>,
  open: readonly OpenFile[],
): TestProject {
  const prefix = inRepository(request.directory, '').length;
  const contents = new Map<string, Uint8Array>();
  for (const { path: file, text, isNew } of open) {
    const name = file.slice(prefix);
    if (file.startsWith(inRepository(request.directory, '')) && text !== undefined)
      if (isNew || saved.has(name)) contents.set(name, Buffer.from(text));
  }
  return overlayProject(saved, { contents });
}

/**
 * Finds the errors in a test file, by its path in the project, without running a test. Errors in other files, such
 * as a fixture, are shown at the first line. Throws Failure 'engine-missing' if a Parquet file cannot be read.
 */
export async function testFileProblems(
  file: string,
  project: TestProject,
): Promise<readonly TestFileProblem[]> {
  try {
    await planFile(file, project, {});
    return [];
  } catch (error) {
    if (!(error instanceof FileProblems)) throw error;
    const { text = '' } = decodeText(project.bytes(file) ?? Buffer.of());
    return sortedProblems(error.problems).map((problem) => {
      const { line, column, message } = problem;
      if (problem.file === file) return { range: rangeAt(text, line, column), message };
      const range = rangeAt(text, 1, 1);
      return { range, message: `${problem.file}:${line}:${column}: ${message}` };
    });
  }
}

/** The range of the key or value at a position; of one character if there is none. */
function rangeAt(text: string, line: number, column: number): Range {
  const source = readYaml(text, { file: '' });
  const offset = new LineIndex(text).offset({ line, column });
  const value = nodeAt(source.root, offset);
  const isOneLine = value !== undefined && value.span.start === offset;
  const range = isOneLine ? source.toRange(value.span) : undefined;
  if (range?.endLine === line) return range;
  return { line, column, endLine: line, endColumn: column + 1 };
}
