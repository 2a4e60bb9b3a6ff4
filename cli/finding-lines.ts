import type { Finding } from '../model/finding.ts';

/** Findings for a person, grouped by file: `line:column severity message (rule)`. */
export function findingLines(findings: readonly Finding[]): string[] {
  const byFile = Map.groupBy(findings, ({ file }) => file);
  return [...byFile].flatMap(([file, own]) => [
    file,
    ...own.map(
      ({ line, column, severity, message, rule }) =>
        `  ${`${line}:${column}`.padEnd(8)} ${severity.padEnd(8)} ${message} (${rule})`,
    ),
    '',
  ]);
}
