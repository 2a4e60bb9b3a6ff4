import path from 'node:path';
import process from 'node:process';
import { testFileOf } from '../../flows/test/find-tests.ts';
import { runTests } from '../../flows/test/run-tests.ts';
import { openTestProject, type TestProject } from '../../flows/test/test-project.ts';
import { Failure } from '../../lib/core/failure.ts';
import { systemClock } from '../../lib/core/system-clock.ts';
import { type Fault, plantFaults } from './plant-faults.ts';

const example = path.resolve(import.meta.dirname, '../../examples/warehouse');

/** Pipelines whose tests run the whole of the project. */
const entries = ['daily/load.orch.yaml'];

/** Whether a test of the faulty pipeline, or of an entry that calls it, fails. */
async function isFound(fault: Fault, project: TestProject): Promise<boolean> {
  const faulty: TestProject = {
    ...project,
    text: (file) => (file === fault.file ? fault.text : project.text(file)),
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

const project = openTestProject(example, 'WAREHOUSE_ONE');
const faults = project.pipelines.flatMap((file) => plantFaults(file, project.text(file) ?? ''));
const missed: Fault[] = [];
for (const fault of faults) if (!(await isFound(fault, project))) missed.push(fault);
const lines = missed.map(({ file, line, kind }) => `  not found: ${file}:${line} ${kind}`);
const found = faults.length - missed.length;
process.stdout.write(
  [`${found} of ${faults.length} planted faults were found by the tests.`, ...lines, ''].join('\n'),
);
if (process.argv.includes('--strict') && missed.length > 0) process.exitCode = 1;
