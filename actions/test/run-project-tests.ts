import { resolve } from 'node:path';
import type { z } from 'zod';
import { reportJunit } from '../../flows/test/report-junit.ts';
import { reportLines } from '../../flows/test/report-lines.ts';
import { runTests, type TestReport } from '../../flows/test/run-tests.ts';
import { defaultJobs } from '../../flows/test/default-jobs.ts';
import { testFailure } from '../../flows/test/test-problem.ts';
import { numberOf } from '../../lib/core/number-of.ts';
import { annotationCommand, maximumPerLevel } from '../../lib/github/annotation-commands.ts';
import type { ReportFile, StepResult } from '../kit/action.ts';
import { openCheckedOutTests } from '../kit/checked-out-tests.ts';
import type { Step } from '../kit/step.ts';
import { explainTestFailure, invalidTests } from '../kit/test-failures.ts';
import type { testInputs } from './inputs.ts';
import { reportOfTests } from './test-report.ts';

type Inputs = z.output<typeof testInputs> & { readonly engine: string };

/** Runs the tests of the checked-out project. Throws Failure as `runTests` does, with files relative to the repository. */
export async function runProjectTests(inputs: Inputs, step: Step): Promise<StepResult> {
  const { filter, jobs = defaultJobs, coverage } = inputs;
  const { project, files, prefix } = await openCheckedOutTests(
    inputs['working-directory'],
    inputs.files,
    step,
  );
  try {
    step.log(`Running the tests of ${numberOf(files.length, 'file')}, ${jobs} at a time.`);
    const packages = resolve(step.facts.workspace, inputs.engine);
    const request = { project, files, filter, jobs, withCoverage: coverage, packages };
    const report = await runTests(request, step.context);
    const result = resultOf(report, prefix, step);
    if (report.problems === undefined) return result;
    annotateFindings(report, prefix, step);
    return { ...result, failure: invalidTests(testFailure(report.problems), prefix, step) };
  } catch (error) {
    throw explainTestFailure(error, prefix, step);
  }
}

/** The false expectations of tests that ran although other files are wrong. The files come first: they need their lines. */
function annotateFindings(report: TestReport, prefix: string, { command }: Step): void {
  const { findings } = reportOfTests(report, prefix);
  const left = Math.max(0, maximumPerLevel - (report.problems?.length ?? 0));
  for (const { severity, message, rule, file, line, column } of findings.slice(0, left))
    command(annotationCommand(severity, message, { file, line, column, title: rule }));
}

function resultOf(report: TestReport, prefix: string, { log }: Step): StepResult {
  for (const line of reportLines(report)) log(line);
  const { passed, failed, refused, tests, coverage } = report;
  const files: Record<string, ReportFile> = {
    'junit-path': { name: 'junit.xml', text: `${reportJunit(report).join('\n')}\n` },
  };
  if (coverage !== undefined) {
    const text = `${JSON.stringify(coverage, null, 2)}\n`;
    files['coverage-path'] = { name: 'coverage.json', text };
  }
  return {
    report: reportOfTests(report, prefix),
    details: report,
    outputs: { tests: tests.length, passed, failed, refused },
    files,
  };
}
