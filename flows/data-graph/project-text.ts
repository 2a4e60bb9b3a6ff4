import { FileProblems } from '../../engine/index.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';

/** The text of a file; undefined if the project does not have it, or it is not text. */
export function textIn(project: TestProject, path: string): string | undefined {
  try {
    return project.text(path);
  } catch (error) {
    if (error instanceof FileProblems) return undefined;
    throw error;
  }
}
