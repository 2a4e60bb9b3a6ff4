import type { EditorProject } from '../../flows/editor/editor-project.ts';
import { isTestFile } from '../../flows/pipeline-tests/files/find-tests.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { folderOfRules } from '../../lib/pipelines/rules-file.ts';
import { sharedPipelinesPath } from '../../lib/pipelines/model/shared-pipelines.ts';
import { inRepository } from '../../lib/git/in-repository.ts';

/** The kind of a file, which decides what is checked in it: a pipeline, a test, or settings of the review. */
export type FileKind = 'pipeline' | 'test' | 'settings' | undefined;

/** The kind of a file of the repository; undefined for a file in which nothing is checked. */
export function kindOfFile(file: string, { request, configFile }: EditorProject): FileKind {
  if (kindOf(file) !== undefined) return 'pipeline';
  if (isTestFile(file)) return 'test';
  const { configDir, directory } = request;
  const isSettings =
    file === configFile ||
    file === inRepository(directory, sharedPipelinesPath(configDir)) ||
    folderOfRules(file, configDir) !== undefined;
  return isSettings ? 'settings' : undefined;
}
