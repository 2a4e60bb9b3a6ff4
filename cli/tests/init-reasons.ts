import type { FirstTest } from '../../flows/pipeline-tests/first-test/init-test.ts';
import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import type { PipelineTest } from '../../flows/pipeline-tests/first-test/write-first-test.ts';

type FailedComponent = FirstTest['refused'][number];

export const adviceLine =
  'No test was written: the pipeline fails with the example rows and variables that --init can make. Write a test with rows and variables that fit.';

/** The lines that say why `--init` wrote no test for a pipeline, each with a place in a file. */
export function reasonLines(
  { pipeline, first, problems }: PipelineTest,
  project: TestProject,
): readonly string[] {
  if (first === undefined)
    return problems.map(({ file, line, column, message }) => `${file}:${line}:${column}  ${message}`);
  const { refused, failed } = first;
  if (refused.length > 0 || failed === undefined)
    return [...new Set(refused.map((failure) => failureLine(failure, project)))];
  return [failed.component === '' ? `${pipeline}:1:1  ${firstLine(failed)}` : failureLine(failed, project)];
}

/** The line that says what failed in the pipeline, with the place. */
export function failureLine(failure: FailedComponent, project: TestProject): string {
  const { pipeline, component, refusal } = failure;
  const range = project.pipeline(pipeline)?.components.get(component)?.range;
  const place = { file: pipeline, line: range?.line ?? 1, column: range?.column ?? 1 };
  const { file, line, column } = refusal?.place ?? place;
  const hint = refusal?.hint === undefined ? '' : `; ${refusal.hint}`;
  const what =
    refusal === undefined ? firstLine(failure) : `Millrace does not support ${refusal.construct}${hint}`;
  return `${file}:${line}:${column}  component "${component}": ${what}`;
}

function firstLine({ message }: FailedComponent): string {
  return message.split('\n')[0] ?? '';
}
