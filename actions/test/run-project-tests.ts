import { readFile, realpath } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { chooseTests } from '../../flows/test/choose-tests.ts';
import { reportJunit } from '../../flows/test/report-junit.ts';
import { reportLines } from '../../flows/test/report-lines.ts';
import { runTests, type TestReport } from '../../flows/test/run-tests.ts';
import { testFailure } from '../../flows/test/test-problem.ts';
import { openTestProject, type TestProject } from '../../flows/test/test-project.ts';
import type { ProjectConfig } from '../../lib/config/project-schema.ts';
import { readProjectConfig } from '../../lib/config/read-project-config.ts';
import { Failure } from '../../lib/core/failure.ts';
import { numberOf } from '../../lib/core/number-of.ts';
import type { ReportFile, StepResult } from '../kit/action.ts';
import { configName, defaultConfig } from '../kit/default-config.ts';
import { repositoryFolder } from '../kit/repository-folder.ts';
import type { Step } from '../kit/step.ts';
import type { testInputs } from './inputs.ts';
import { projectPrefix } from './project-prefix.ts';
import { reportOfTests } from './test-report.ts';
import { annotationCommand, maximumPerLevel } from '../../lib/github/annotation-commands.ts';

const problemsSchema = z.array(
  z.object({ file: z.string(), line: z.int(), column: z.int(), message: z.string() }),
);

/**
 * The failure 'test-invalid' with files relative to the repository. Annotates its further problems; the failure itself
 * becomes the annotation of the first.
 */
function invalidTests(failure: Failure, prefix: string, { command }: Pick<Step, 'command'>): Failure {
  const problems = problemsSchema
    .parse(failure.details['problems'])
    .map((problem) => ({ ...problem, file: `${prefix}${problem.file}` }));
  for (const { message, ...place } of problems.slice(1, maximumPerLevel)) {
    command(annotationCommand('error', message, { ...place, title: `Millrace: ${failure.code}` }));
  }
  const { file = '', line = 1, column = 1 } = failure.where ?? {};
  return new Failure('test-invalid', {
    message: failure.message,
    where: { file: `${prefix}${file}`, line, column },
    details: { problems },
    cause: failure,
  });
}

type Inputs = z.output<typeof testInputs> & { readonly engine: string };

const maxJobs = 4;

/** Runs the tests of the checked-out project. Throws Failure as `runTests` does, with files relative to the repository. */
export async function runProjectTests(inputs: Inputs, step: Step): Promise<StepResult> {
  const { workspace } = step.facts;
  const directory = await projectFolder(inputs['working-directory'], workspace);
  const repository = await realpath((await repositoryFolder(directory, workspace)) ?? workspace);
  const prefix = projectPrefix(repository, directory);
  const config = await readConfig(directory, prefix);
  const project = openTestProject(directory, config.engine.warehouse);
  refuseEmptyWorkspace(project);
  const { filter, jobs = Math.min(maxJobs, availableParallelism()), coverage } = inputs;
  const choice = { names: inputs.files, cwd: directory, folderOption: 'working-directory:' };
  try {
    const files = await chooseTests(choice, project);
    step.log(`Running the tests of ${numberOf(files.length, 'file')}, ${jobs} at a time.`);
    const packages = resolve(workspace, inputs.engine);
    const request = { project, files, filter, jobs, withCoverage: coverage, packages };
    const report = await runTests(request, step.context);
    const result = resultOf(report, prefix, step);
    if (report.problems === undefined) return result;
    annotateFindings(report, prefix, step);
    return { ...result, failure: invalidTests(testFailure(report.problems), prefix, step) };
  } catch (error) {
    throw explained(error, prefix, step);
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

/** Throws Failure 'usage' for a folder that does not exist. */
async function projectFolder(name: string, workspace: string): Promise<string> {
  try {
    return await realpath(join(workspace, name));
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Failure('usage', {
      message: `The folder "${name}" ${isMissing ? 'does not exist in the workspace' : 'cannot be read'}.`,
      where: { input: 'working-directory' },
      hint: 'Give a folder of the repository, and add a step with actions/checkout before this step.',
      cause,
    });
  }
}

/** `millrace.yaml` as it is checked out. Throws Failure 'config-invalid'. */
async function readConfig(directory: string, prefix: string): Promise<ProjectConfig> {
  const text = await readFile(join(directory, configName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? defaultConfig : readProjectConfig(text, `${prefix}${configName}`);
}

function refuseEmptyWorkspace({ paths, otherProjects }: TestProject): void {
  if (paths.length > 0 || otherProjects.length > 0) return;
  throw new Failure('no-test', {
    message: 'No test was found: the folder is empty.',
    where: { input: 'working-directory' },
    hint: 'Add a step with actions/checkout before this step.',
  });
}

/** A failure with files relative to the repository, as GitHub needs them. */
function explained(error: unknown, prefix: string, step: Step): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.code === 'test-invalid') return invalidTests(error, prefix, step);
  if (error.code !== 'engine-missing') return error;
  return new Failure('engine-missing', {
    message: error.message,
    where: { input: 'engine' },
    hint: 'Remove the input engine, so that the action installs the package. Or set engine to the folder whose node_modules has the package.',
    cause: error,
  });
}
