import { type JunitCase, junitLines, type JunitSuite } from '../../../lib/report/junit.ts';
import type { ChangeResult, MutationReport } from '../run/mutate.ts';
import { changeText, placeText } from './change-text.ts';

/**
 * The report as JUnit XML: a suite for each file, a case for each tried change. A change that no test notices is a
 * failure. A change that the engine refused is a passed case with the reason.
 */
export function mutationJunit({ changes, failed, problems = [] }: MutationReport): readonly string[] {
  const tried = changes.flatMap((change) => caseOf(change) ?? []);
  const wrong: readonly JunitCase[] = [
    ...failed.map(({ name, file, line }) => ({
      name,
      className: file,
      file,
      line,
      result: { kind: 'error', message: 'fails without a change', text: `${file}:${line} ${name}` } as const,
    })),
    ...problems.map(({ file, line, column, message }) => ({
      name: `line ${line}, column ${column}`,
      className: file,
      file,
      line,
      result: { kind: 'error', message, text: `${file}:${line}:${column} ${message}` } as const,
    })),
  ];
  const suites = [...Map.groupBy([...wrong, ...tried], ({ file }) => file)];
  return junitLines(
    'millrace test --mutate',
    suites.map(([name, cases]): JunitSuite => ({ name, cases })),
  );
}

function caseOf(change: ChangeResult): JunitCase | undefined {
  const { id, file, line, component, verdict, noticedBy, reason } = change;
  const name = `${changeText(change)} (${id})`;
  const about = { name, className: component ?? file, file, line };
  switch (verdict) {
    case 'noticed':
      return {
        ...about,
        result: { kind: 'system-out', text: `noticed by ${noticedBy?.file ?? ''}:${noticedBy?.line ?? 1}` },
      };
    case 'not-noticed':
      return {
        ...about,
        result: {
          kind: 'failure',
          message: 'no test notices this change',
          text: `${placeText(change)} ${changeText(change)}`,
        },
      };
    case 'refused':
      return { ...about, result: { kind: 'system-out', text: `refused: ${reason ?? ''}` } };
    case 'not-reached':
    case 'equal':
      return undefined;
  }
}
