import { escapeXml } from '../core/text/escape-xml.ts';

/** A test case of JUnit's XML. */
export interface JunitCase {
  readonly name: string;
  readonly className: string;
  readonly file: string;
  readonly line?: number | undefined;
  /** In milliseconds. */
  readonly durationMs?: number | undefined;
  /** Absent for a case that passed without a text. JUnit calls a case that could not be carried out an error. */
  readonly result?: JunitResult | undefined;
}

export interface JunitResult {
  /** `system-out` is the text of a case that passed. */
  readonly kind: 'failure' | 'error' | 'system-out';
  readonly type?: string | undefined;
  /** In one line. */
  readonly message?: string | undefined;
  readonly text: string;
}

export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

/** Suites as a file in the form of JUnit, by lines. */
export function junitLines(name: string, suites: readonly JunitSuite[]): readonly string[] {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...totals(suites.flatMap(({ cases }) => cases)) })}>`,
    ...suites.flatMap((suite) => [
      `  <testsuite${attributes({ name: suite.name, ...totals(suite.cases) })}>`,
      ...suite.cases.flatMap(caseLines),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ];
}

function caseLines({ name, className, file, line, durationMs, result }: JunitCase): readonly string[] {
  const time = durationMs === undefined ? undefined : seconds(durationMs);
  const head = `    <testcase${attributes({ name, classname: className, file, line, time })}`;
  if (result === undefined) return [`${head}/>`];
  const { kind, type, message, text } = result;
  const element = `      <${kind}${attributes({ type, message })}>${escapeXml(text)}</${kind}>`;
  return [`${head}>`, ...element.split('\n'), '    </testcase>'];
}

/** The time only of cases that have one. */
function totals(cases: readonly JunitCase[]) {
  const count = (kind: JunitResult['kind']) => cases.filter(({ result }) => result?.kind === kind).length;
  const times = cases.flatMap(({ durationMs }) => durationMs ?? []);
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    time: times.length === 0 ? undefined : seconds(times.reduce((sum, ms) => sum + ms, 0)),
  };
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .map(([key, value]) => (value === undefined ? '' : ` ${key}="${escapeXml(String(value))}"`))
    .join('');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
