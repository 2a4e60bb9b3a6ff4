import type { SourceLine } from '../../flows/review/source-lines.ts';
import type { Finding } from '../../lib/core/finding.ts';

/** As much of a long line as a terminal shows. */
const width = 100;

/** Findings for a person, grouped by file: `line:column severity message (rule)`, and below it the line with a caret. */
export function findingLines(findings: readonly Finding[], sourceOf: SourceLine = () => undefined): string[] {
  const byFile = Map.groupBy(findings, ({ file }) => file);
  return [...byFile].flatMap(([file, own]) => [
    file,
    ...own.flatMap((finding) => {
      const { line, column, severity, message, rule } = finding;
      const head = `  ${`${line}:${column}`.padEnd(8)} ${severity.padEnd(8)} ${message} (${rule})`;
      return [head, ...excerpt(finding, sourceOf(finding))];
    }),
    '',
  ]);
}

/** The source line and a caret under what is meant; nothing where the finding is about the whole file. */
function excerpt({ line, column, endLine, endColumn }: Finding, source: string | undefined): string[] {
  const isPlace = line !== endLine || endColumn > column;
  if (source === undefined || !isPlace) return [];
  // A tab would push the caret to another place in each terminal.
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
