import { z } from 'zod';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { annotationCommand, maximumPerLevel } from '../../../lib/report/annotations.ts';
import type { Step } from '../step/step.ts';

const problemsSchema = z.array(
  z.object({ file: z.string(), line: z.int(), column: z.int(), message: z.string() }),
);

/**
 * The failure 'test-invalid' with files relative to the repository. Annotates all problems except the first, for
 * which the failure itself becomes the annotation.
 */
export function invalidTests(failure: Failure, prefix: string, { command }: Pick<Step, 'command'>): Failure {
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

/** The failure with files relative to the repository, as GitHub needs them. */
export function explainTestFailure(error: unknown, prefix: string, step: Step): unknown {
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
