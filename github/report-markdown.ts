import { compareFindings, type Finding } from '../model/finding.ts';
import type { Outcome } from '../model/outcome.ts';
import { markdownCode, markdownLine, markdownText, shorten, urlPath } from './foreign-text.ts';
import type { Report, ReportTable } from './report.ts';

export interface MarkdownOptions {
  /** At most this many bytes of UTF-8 (never fewer than characters, so it is right for GitHub's limits of both kinds). */
  readonly limit: number;
  /** `https://…/owner/name/blob/<commit>`: findings link to their lines there. */
  readonly blobUrl?: string | undefined;
}

const signs: Record<Outcome, string> = {
  passed: '✅',
  failed: '❌',
  'nothing-to-do': '⚪',
  'skipped-fork': '⚪',
  superseded: '⚪',
  'already-done': '✅',
  cancelled: '⚪',
  indeterminate: '❔',
  error: '❌',
};

const maximumMessage = 1000;

function findingRow(finding: Finding, blobUrl: string | undefined): string {
  const place = markdownCode(`${finding.file}:${String(finding.line)}`);
  const link = `${blobUrl ?? ''}/${urlPath(finding.file)}?plain=1#L${String(finding.line)}`;
  const state = finding.state === 'new' ? '' : ` (${finding.state})`;
  const cells = [
    `${finding.severity}${state}`,
    blobUrl === undefined ? place : `[${place}](${link})`,
    markdownCode(finding.component ?? ''),
    markdownCode(finding.rule),
    markdownText(shorten(finding.message, maximumMessage)),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

/** Rows as long as there is room; the rest is counted, never lost without a word. */
function fill(head: string, rows: readonly string[], room: number, what: string): string {
  const more = (count: number): string => `\nand ${String(count)} more ${what}\n`;
  let text = head;
  let size = Buffer.byteLength(head) + Buffer.byteLength(more(rows.length));
  if (size > room) return '';
  for (const [index, row] of rows.entries()) {
    size += Buffer.byteLength(row);
    if (size > room) return text + more(rows.length - index);
    text += row;
  }
  return `${text}\n`;
}

function tableHead(columns: readonly string[]): string {
  return `| ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length)}\n`;
}

function plainTable(table: ReportTable, room: number): string {
  const rows = table.rows.map((cells) => `| ${cells.map((cell) => markdownText(cell)).join(' | ')} |\n`);
  const head = `**${markdownText(table.title)}**\n\n${tableHead(table.columns.map(markdownText))}`;
  return fill(head, rows, room, 'rows');
}

/** The report as GitHub's Markdown, for the job summary, the comment and the check run. */
export function reportMarkdown(report: Report, { limit, blobUrl }: MarkdownOptions): string {
  const facts = report.facts.map(([label, value]) => `- ${markdownLine(label)}: ${markdownCode(value)}\n`);
  const notes = report.notes.map((note) => `> ${markdownLine(note)}\n\n`);
  const headline = `### ${signs[report.outcome]} ${markdownText(report.title)}: ${report.outcome}\n\n`;
  // An encoded sign takes several bytes; whatever the platform said, there is room for the rest.
  const said = markdownLine(shorten(report.headline, Math.min(maximumMessage, Math.floor(limit / 20))));
  let text = `${headline}${said}\n\n`;
  const append = (part: string): void => {
    if (Buffer.byteLength(text) + Buffer.byteLength(part) <= limit) text += part;
  };
  append(fill('', facts, limit / 4, 'facts'));
  append(fill('', notes, limit / 4, 'notes'));
  const room = (): number => limit - Buffer.byteLength(text);
  if (report.findings.length > 0) {
    const rows = report.findings.toSorted(compareFindings).map((finding) => findingRow(finding, blobUrl));
    const head = tableHead(['severity', 'where', 'component', 'rule', 'message']);
    append(fill(head, rows, room(), 'findings'));
  }
  for (const table of report.tables ?? []) if (table.rows.length > 0) append(plainTable(table, room()));
  return text;
}
