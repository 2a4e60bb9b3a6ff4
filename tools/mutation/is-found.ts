import { testFileOf } from '../../flows/pipeline-tests/files/find-tests.ts';
import { runTests } from '../../flows/pipeline-tests/run/run-tests.ts';
import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { readPipeline } from '../../lib/pipelines/model/read-pipeline.ts';
import type { Fault } from './plant-faults.ts';

/** Pipelines whose tests run the whole of the project. */
const entries = ['daily/load.orch.yaml'];

/** Whether a test of the faulty pipeline, or of an entry that calls it, fails. */
export async function isFound(fault: Pick<Fault, 'file' | 'text'>, project: TestProject): Promise<boolean> {
  const document = readPipeline(fault.file, fault.text);
  const faulty: TestProject = {
    ...project,
    text: (file) => (file === fault.file ? fault.text : project.text(file)),
    // The project keeps the pipelines that it has read.
    pipeline: (file) => (file === fault.file ? document : project.pipeline(file)),
  };
  const files = [...new Set([fault.file, ...entries].map(testFileOf))];
  try {
    const report = await runTests(
      { project: faulty, files, jobs: 2, withCoverage: false },
      { clock: systemClock, signal: new AbortController().signal },
    );
    return report.failed + report.refused + (report.problems?.length ?? 0) > 0;
  } catch (error) {
    // The pipeline cannot be read any more.
    if (error instanceof Failure) return true;
    throw error;
  }
}
