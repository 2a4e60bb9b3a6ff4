import type { SourceLine } from '../../flows/review/conclude/source-lines.ts';
import { findingId } from '../../flows/review/conclude/finding-id.ts';
import type { Finding } from '../../lib/core/outcomes/finding.ts';

/** How many characters of a long source line are shown. */
const width = 100;

/** Findings for the terminal, grouped by file: `line:column severity message (rule, id)`, then the source line with a caret. */
export function findingLines(findings: readonly Finding[], sourceOf: SourceLine = () => undefined): string[] {
  const byFile = Map.groupBy(findings, ({ file }) => file);
  return [...byFile].flatMap(([file, own]) => [
    file,
    ...own.flatMap((finding) => {
      const { line, column, severity, message, rule } = finding;
      const about = `${rule}, ${findingId(finding)}`;
      const head = `  ${`${line}:${column}`.padEnd(8)} ${severity.padEnd(8)} ${message} (${about})`;
      return [head, ...excerpt(finding, sourceOf(finding))];
    }),
    '',
  ]);
}

/** The source line with carets below the finding's range; empty where the finding is about the whole file. */
function excerpt({ line, column, endLine, endColumn }: Finding, source: string | undefined): string[] {
  const hasRange = line !== endLine || endColumn > column;
  if (source === undefined || !hasRange) return [];
  // The width of a tab differs between terminals, so the caret would be in the wrong column.
  const text = source.replaceAll('\t', ' ');
  const from = Math.max(0, column - 1 - width / 2);
  const shown = text.slice(from, from + width);
  const end = line === endLine ? endColumn - 1 : text.trimEnd().length;
  const carets = '^'.repeat(Math.max(1, Math.min(end, from + width) - (column - 1)));
  const number = String(line);
  return [
    `      ${number} | ${shown.trimEnd()}`,
    `      ${' '.repeat(number.length)} | ${' '.repeat(column - 1 - from)}${carets}`,
  ];
}
