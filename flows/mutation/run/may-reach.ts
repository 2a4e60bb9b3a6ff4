import { textOf } from '../../../lib/yaml/yaml-node.ts';
import { scriptPath } from '../../../lib/pipelines/checks/missing-file.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { PlannedTest } from '../../pipeline-tests/files/planned-test.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { neverCalls } from '../../pipeline-tests/files/unknown-names.ts';
import { readable } from './readable.ts';

/**
 * Whether a test may run a part of one of these files, as far as can be said without a run. A name with a variable
 * may mean any pipeline or file.
 */
export function mayReach(
  files: readonly string[],
  project: TestProject,
): (test: Pick<PlannedTest, 'document'>) => boolean {
  const targets = new Set(
    files.flatMap((file) => (kindOf(file) === undefined ? runners(file, project) : [file])),
  );
  const known = new Map<string, boolean>();
  return ({ document }) => {
    const before = known.get(document.path);
    if (before !== undefined) return before;
    const may = [...targets].some((path) => path === document.path || !neverCalls(document, path, project));
    known.set(document.path, may);
    return may;
  };
}

/** The pipelines that may run a file with SQL. */
function runners(file: string, project: TestProject): readonly string[] {
  return project.pipelines.filter((path) => {
    const components = readable(() => project.pipeline(path))?.components.values() ?? [];
    return [...components].some((component) => {
      const written = textOf(component.parameter('fileName')) ?? '';
      return written.includes('${') || scriptPath(written) === file;
    });
  });
}
