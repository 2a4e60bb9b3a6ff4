import { type Finding, findingId } from '../core/outcomes/finding.ts';
import { tableLines } from '../core/text/table-lines.ts';
import { factLines, type Report, type ReportBlock, type ReportTable } from './report.ts';

/** The source line of a finding, without its line break; `undefined` if the finding has no line. */
export type SourceLine = (finding: Finding) => string | undefined;

/** How many characters of a long source line are shown. */
const width = 100;

/**
 * The report for a terminal, where readers begin at the end: first the details, last the facts and the headline.
 * Texts are not sanitized; the caller must do that.
 * @param sourceOf shows the lines of findings
 */
export function terminalLines(report: Report, sourceOf?: SourceLine): string[] {
  const { findings, blocks = [], tables = [], notes, facts, headline } = report;
  const isDetail = (part: ReportBlock | ReportTable) => part.isDetail === true;
  const tablesWithRows = tables.filter(({ rows }) => rows.length > 0);
  return [
    ...tablesWithRows.filter(isDetail).flatMap(plainTable),
    ...blocks.filter(isDetail).flatMap(blockLines),
    ...blocks.filter((block) => !isDetail(block)).flatMap(blockLines),
    // Blocks show the findings of their report in detail.
    ...(blocks.length > 0
      ? []
      : findingLines(
          findings.filter(({ state }) => state === 'new'),
          sourceOf,
        )),
    ...tablesWithRows.filter((table) => !isDetail(table)).flatMap(plainTable),
    ...notes,
    ...factLines(facts),
    headline,
  ];
}

function blockLines({ title, lines }: ReportBlock): readonly string[] {
  return [title, ...lines.map((line) => `  ${line}`), ''];
}

function plainTable({ title, columns, rows }: ReportTable): readonly string[] {
  return blockLines({ title, lines: tableLines(columns, rows) });
}

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
