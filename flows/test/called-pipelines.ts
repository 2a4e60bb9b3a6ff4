import { callsOf, resolveCall } from '../../lib/pipelines/calls.ts';
import type { TestProject } from './test-project.ts';

/** A pipeline, and those that it calls, directly or through others, where their names are fixed. */
export function calledPipelines(pipeline: string, project: TestProject): readonly string[] {
  const files = new Set([pipeline]);
  // The loop over a set also visits what the loop adds.
  for (const file of files) {
    const document = project.pipeline(file);
    for (const { target, kind, dynamic } of document === undefined ? [] : callsOf(document)) {
      const called = dynamic ? undefined : resolveCall(target, project, kind);
      if (called !== undefined) files.add(called);
    }
  }
  return [...files];
}
