import type { PipelineTest } from '../../flows/test/write-first-test.ts';
import type { TestProject } from '../../flows/test/test-project.ts';

export const adviceLine =
  'No test was written: the pipeline fails with the example rows and variables that --init can make. Write a test with rows and variables that fit.';

/** Why --init wrote no test for a pipeline, each reason with its place. */
export function reasonLines(
  { pipeline, first, problems }: PipelineTest,
  project: TestProject,
): readonly string[] {
  if (first === undefined)
    return problems.map(({ file, line, column, message }) => `${file}:${line}:${column}  ${message}`);
  const placeOf = (file: string, component: string) => {
    const range = project.pipeline(file)?.components.get(component)?.range;
    return `${file}:${range?.line ?? 1}:${range?.column ?? 1}`;
  };
  const { refused, failed } = first;
  const refusals = refused.map(({ pipeline: file, component, refusal }) => {
    const place = refusal?.place;
    const at = place === undefined ? placeOf(file, component) : `${place.file}:${place.line}:${place.column}`;
    return `${at}  component "${component}": not supported: ${refusal?.construct ?? ''}`;
  });
  if (refusals.length > 0 || failed === undefined) return [...new Set(refusals)];
  const [message = ''] = failed.message.split('\n');
  if (failed.component === '') return [`${pipeline}:1:1  ${message}`];
  return [`${placeOf(failed.pipeline, failed.component)}  component "${failed.component}": ${message}`];
}
