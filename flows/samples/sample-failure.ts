import { FileProblems } from '../../engine/index.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { sortedProblems } from '../pipeline-tests/files/test-problem.ts';

/**
 * Runs `work`, and reports problems of samples as Failure 'sample-invalid'. The message of an unexpected error may
 * contain values of rows, so it is left out.
 */
export async function hidingValues<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileProblems) throw sampleFailure(error);
    const isKnown = error instanceof Failure || (error instanceof Error && 'syscall' in error);
    if (isKnown || signal.aborted) throw error;
    const kind = error instanceof Error ? error.name : typeof error;
    throw new Failure('internal', {
      message: `The comparison on samples failed (${kind}). The message may have values of rows, so it is not shown.`,
    });
  }
}

/** The failure that lists all problems, at the place of the first. */
function sampleFailure({ problems: found }: FileProblems): Failure {
  const problems = sortedProblems(found);
  const [first] = problems;
  const place = ({ file, line, column }: (typeof problems)[number]) =>
    /\.parquet$|\/[^.]*$/i.test(file) ? file : `${file}:${line}:${column}`;
  const lines = problems.map((problem) => `\n  ${place(problem)} ${problem.message}`);
  const message =
    problems.length === 1
      ? `${first?.message ?? ''}.`.replace(/([?.!])\.$/u, '$1')
      : `${problems.length} problems:${lines.join('')}`;
  const { file = '', line = 1, column = 1 } = first ?? {};
  return new Failure('sample-invalid', { message, where: { file, line, column }, details: { problems } });
}
