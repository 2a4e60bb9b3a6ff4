import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { FirstTest } from '../../flows/test/init-test.ts';
import type { TestContext } from '../../flows/test/test-context.ts';
import type { TestProject } from '../../flows/test/test-project.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { Outcome } from '../../lib/core/outcome.ts';
import { resolveNames } from '../../lib/core/resolve-names.ts';
import { resolveCall } from '../../lib/pipelines/calls.ts';
import { kindOf } from '../../lib/pipelines/pipeline-kind.ts';
import type { Session } from './session.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

interface InitRequest {
  /** The pipeline, as the user named it. */
  readonly name: string;
  readonly dryRun: boolean;
  readonly context: TestContext;
}

/** `millrace test --init`: writes a first test beside a pipeline. Throws Failure 'usage' and 'engine-missing'. */
export async function initPipelineTest(
  session: Session,
  project: TestProject,
  { name, dryRun, context }: InitRequest,
): Promise<Outcome> {
  const { testFileOf } = await import('../../flows/test/find-tests.ts');
  const { writeFirstTest } = await import('../../flows/test/write-first-test.ts');
  const pipeline = await findPipeline(session, project, name);
  const file = testFileOf(pipeline);
  // Also a link, which is not a file of the project.
  const exists = lstatSync(path.join(project.directory, file), { throwIfNoEntry: false }) !== undefined;
  if (exists && !dryRun) {
    throw new Failure('usage', {
      message: `${file} exists already; --init does not overwrite it.`,
      where: { input: '--init' },
      hint: 'Rename or delete the file, or add --dry-run to see what --init would write.',
    });
  }
  const { text, mocked, refused, failed } = await writeFirstTest(pipeline, file, project, context);
  if (refused.length > 0) {
    const refusals = new Set(refused.flatMap((one) => refusalLines(one, project)));
    session.output.result({ pipeline, refused }, [...refusals]);
    return 'failed';
  }
  if (failed !== undefined) {
    session.output.result({ pipeline, failed }, failureLines(failed, project));
    return 'failed';
  }
  if (!dryRun) await writeFileAtomically(path.join(project.directory, file), text);
  const sentence = `Wrote ${file}. It passes as the pipeline is now: replace the example rows by your own, and check what it expects.`;
  const mocks = mocked.length === 0 ? [] : [`Mocked, because they do not run here: ${mocked.join(', ')}.`];
  const lines = dryRun ? text.trimEnd().split('\n') : [sentence, ...mocks];
  session.output.result({ pipeline, file, dryRun, mocked, text }, lines);
  return 'passed';
}

async function findPipeline({ here }: Session, project: TestProject, name: string): Promise<string> {
  const called = resolveCall(name, project);
  if (called !== undefined) return called;
  const [found = ''] = await resolveNames([name], {
    cwd: here,
    root: project.directory,
    paths: project.paths,
    candidates: [],
    what: 'pipeline',
    hint: 'Give one pipeline: its path, or its name as a call writes it.',
  });
  const pipeline = resolveCall(found, project);
  if (pipeline !== undefined && kindOf(pipeline) !== undefined) return pipeline;
  throw new Failure('usage', {
    message: `The pipeline "${name}" does not exist in the project.`,
    hint: 'Give its path in the project, such as daily/load.',
    where: { input: '--init' },
  });
}

/** Nobody wants a test that expects a failure which only the example rows cause. */
function failureLines(
  { pipeline, component, message }: NonNullable<FirstTest['failed']>,
  project: TestProject,
): readonly string[] {
  const range = project.pipeline(pipeline)?.components.get(component)?.range;
  const [first = ''] = message.split('\n');
  return [
    `${pipeline}:${range?.line ?? 1}:${range?.column ?? 1}  component "${component}": ${first}`,
    'No test was written: the pipeline fails with the example rows and variables that --init can make. Write a test with rows and variables that fit.',
  ];
}

function refusalLines(
  { pipeline, component, refusal }: FirstTest['refused'][number],
  project: TestProject,
): readonly string[] {
  const range = project.pipeline(pipeline)?.components.get(component)?.range;
  const { file, line, column } = refusal?.place ?? {
    file: pipeline,
    line: range?.line ?? 1,
    column: range?.column ?? 1,
  };
  return [`${file}:${line}:${column}  component "${component}": not supported: ${refusal?.construct ?? ''}`];
}
