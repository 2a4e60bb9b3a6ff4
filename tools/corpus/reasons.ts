import type { FailedComponent } from '../../engine/index.ts';
import type { TestReport } from '../../flows/pipeline-tests/run/test-report.ts';
import type { PipelineTest } from '../../flows/pipeline-tests/first-test/write-first-test.ts';

/** Why a pipeline has no test, does not run without a mock, or has a test that does not pass. */
export interface Reason {
  /**
   * `refused`: the engine does not know a construct; `failed`: the pipeline fails; `wrong`: a file is wrong;
   * `test failed`: its own test does not pass.
   */
  readonly kind: 'refused' | 'failed' | 'wrong' | 'test failed' | 'time limit' | 'crashed' | 'left out';
  /** Without names and numbers, so that equal reasons of several pipelines have one text. */
  readonly what: string;
}

/** The reasons that `--init` gives for a pipeline. */
export function reasonsOfFirstTest({ first, problems }: PipelineTest): readonly Reason[] {
  if (first === undefined)
    return problems.map(({ message }) => ({ kind: 'wrong', what: withoutNames(message) }));
  const { refused, replaced, failed, text } = first;
  const failures = [...refused, ...replaced, ...(failed === undefined || text !== '' ? [] : [failed])];
  return failures.map(reasonOf);
}

/** The reasons for which the tests of a file fail. */
export function reasonsOfTests({ tests, problems = [] }: TestReport): readonly Reason[] {
  const differences = tests.flatMap((test) => test.differences);
  return [
    ...problems.map(({ message }) => ({ kind: 'wrong', what: withoutNames(message) }) as const),
    ...differences.map(({ message }) => ({ kind: 'test failed', what: withoutNames(message) }) as const),
  ];
}

function reasonOf({ message, refusal }: FailedComponent): Reason {
  return refusal === undefined
    ? { kind: 'failed', what: withoutNames(message) }
    : { kind: 'refused', what: withoutNames(refusal.construct) };
}

/** The first line of a message, without its place, with `"…"` for names and values, and `N` for numbers. */
export function withoutNames(message: string): string {
  const [first = ''] = message.split('\n');
  return first
    .replace(/^\S[^"]*?:\d+:\d+:? +/, '')
    .replaceAll(/"(?:[^"\\]|\\.)*"(?:\."(?:[^"\\]|\\.)*")*/g, '"…"')
    .replaceAll(/"…"(?:, "…")+/g, '"…", …')
    .replaceAll(/'(?:[^']|'')*'/g, "'…'")
    .replaceAll(/\b\d+(?:\.\d+)?\b/g, 'N');
}
