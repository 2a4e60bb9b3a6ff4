import { calledPath, callsOf } from '../../../../lib/pipelines/model/calls.ts';
import type { TestProject } from '../../files/test-project.ts';

/**
 * The pipeline and all pipelines that it calls, directly or indirectly. Calls whose name contains a variable are
 * skipped.
 */
export function calledPipelines(pipeline: string, project: TestProject): readonly string[] {
  const files = new Set([pipeline]);
  // The loop over a set also visits what the loop adds.
  for (const file of files) {
    const document = project.pipeline(file);
    for (const call of document === undefined ? [] : callsOf(document)) {
      const called = calledPath(call, project);
      if (called !== undefined) files.add(called);
    }
  }
  return [...files];
}
