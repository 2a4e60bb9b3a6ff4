import { calledPath, callsOf } from '../../../../lib/pipelines/model/calls.ts';
import type { TestProject } from '../../files/test-project.ts';

/** A pipeline, and those that it calls, directly or through others, if their names are fixed. */
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
