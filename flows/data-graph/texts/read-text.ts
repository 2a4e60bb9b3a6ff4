import { FileProblems } from '../../../engine/index.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';

/** Reads the text of a file; undefined if it does not exist, is too large or is not text. */
export function readText(path: string, project: TestProject): string | undefined {
  try {
    return project.text(path);
  } catch (error) {
    if (error instanceof FileProblems) return undefined;
    throw error;
  }
}
