import { numberOf } from '../core/text/number-of.ts';
import { compareFindings, type Finding, severities } from '../core/outcomes/finding.ts';
import type { Outcome } from '../core/outcomes/outcome.ts';
import { markdownBlock, markdownCode, markdownLine, markdownText, urlPath } from './markdown-text.ts';
import { shorten } from '../core/text/shorten.ts';
import { isNews, type Report, type ReportBlock, type ReportTable } from './report.ts';

export interface MarkdownOptions {
  /**
   * Maximum size in bytes of UTF-8. The number of characters is never larger, so this suits both kinds of GitHub's
   * limits.
   */
  readonly limit: number;
  /** `https://…/owner/name/blob/<commit>`: findings link to their lines. */
  readonly blobUrl?: string | undefined;
  /** Short form: only new findings, the most severe of many; known findings are only counted. */
  readonly brief?: boolean | undefined;
}

/** The maximum size of a job summary in bytes. GitHub drops the whole summary of a step above 1 MiB. */
export const fileLimit = 1_000_000;

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
/** More findings than this are grouped; a brief report lists at most this number. */
const manyFindings = 50;

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

/** As many rows as fit; states the number of omitted rows, including those omitted earlier. */
function fill(head: string, rows: readonly string[], room: number, what: string, left = 0): string {
  const more = (count: number): string => `\nand ${String(count)} more ${what}\n`;
  let text = head;
  let size = Buffer.byteLength(head) + Buffer.byteLength(more(rows.length + left));
  if (size > room) return '';
  for (const [index, row] of rows.entries()) {
    size += Buffer.byteLength(row);
    if (size > room) return text + more(rows.length - index + left);
    text += row;
  }
  return left > 0 ? text + more(left) : `${text}\n`;
}

function tableHead(columns: readonly string[]): string {
  return `| ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length)}\n`;
}

function findingTable(
  findings: readonly Finding[],
  room: number,
  { blobUrl, brief }: Pick<MarkdownOptions, 'blobUrl' | 'brief'>,
): string {
  if (findings.length === 0) return '';
  const sorted = findings.toSorted(compareFindings);
  const head = tableHead(['severity', 'where', 'component', 'rule', 'message']);
  if (brief !== true || sorted.length <= manyFindings) {
    const rows = sorted.map((finding) => findingRow(finding, blobUrl));
    return fill(head, rows, room, 'findings');
  }
  const [start, end] = ['<details><summary>The most severe findings</summary>\n\n', '\n</details>\n'];
  const inside = room - Buffer.byteLength(start) - Buffer.byteLength(end);
  const rows = sorted.slice(0, manyFindings).map((finding) => findingRow(finding, blobUrl));
  const table = fill(head, rows, inside, 'findings', sorted.length - rows.length);
  return table === '' ? '' : `${start}${table}${end}`;
}

/** Number of findings by rule and folder: most severe first, then the largest group. */
function groupTable(findings: readonly Finding[], room: number): string {
  const groups = Map.groupBy(findings, ({ severity, rule, file }) =>
    JSON.stringify([severity, rule, file.slice(0, file.lastIndexOf('/') + 1)]),
  );
  const rows = Array.from(groups.values(), (own) => ({ own, first: own.toSorted(compareFindings)[0] }))
    .flatMap(({ own, first }) => (first === undefined ? [] : [{ first, count: own.length }]))
    .toSorted(
      (a, b) =>
        severities.indexOf(a.first.severity) - severities.indexOf(b.first.severity) ||
        b.count - a.count ||
        compareFindings(a.first, b.first),
    )
    .map(({ first: { severity, rule, file }, count }) => {
      const folder = file.slice(0, file.lastIndexOf('/') + 1);
      return `| ${severity} | ${markdownCode(rule)} | ${markdownCode(folder || './')} | ${String(count)} |\n`;
    });
  return fill(tableHead(['severity', 'rule', 'folder', 'findings']), rows, room, 'groups');
}

function plainTable(table: ReportTable, room: number): string {
  const rows = table.rows.map((cells) => `| ${cells.map((cell) => markdownText(cell)).join(' | ')} |\n`);
  const head = `**${markdownText(table.title)}**\n\n${tableHead(table.columns.map(markdownText))}`;
  return fill(head, rows, room, 'rows');
}

/** A block with as many of its lines as fit; empty if none does. */
function plainBlock({ title, lines }: ReportBlock, room: number): string {
  const textOf = (shown: readonly string[]) => {
    const left = lines.length - shown.length;
    const cut = left === 0 ? [] : [`and ${numberOf(left, 'more line')}`];
    return `**${markdownText(title)}**\n\n${markdownBlock([...shown, ...cut]).join('\n')}\n\n`;
  };
  let size = Buffer.byteLength(textOf([]));
  const shown = lines.filter((line) => {
    // A line break, and the fence may grow with the backticks of a line.
    size += Buffer.byteLength(line) * 2 + 2;
    return size <= room;
  });
  if (Buffer.byteLength(textOf(lines)) <= room) return textOf(lines);
  return shown.length === 0 ? '' : textOf(lines.slice(0, shown.length));
}

/** The report as GitHub's Markdown, for the job summary, the comment and the check run. */
export function reportMarkdown(report: Report, { limit, blobUrl, brief = false }: MarkdownOptions): string {
  const head = `### ${signs[report.outcome]} ${markdownText(report.title)}: ${report.outcome}\n\n`;
  // An encoded character takes several bytes; this leaves room for the rest, whatever the platform's text.
  const line = markdownLine(shorten(report.headline, Math.min(maximumMessage, Math.floor(limit / 20))));
  return withBody(`${head}${line}\n\n`, report, { limit, blobUrl, brief });
}

/** Adds what a report has below its headline, as far as there is room. */
function withBody(start: string, report: Report, { limit, blobUrl, brief = false }: MarkdownOptions): string {
  const facts = report.facts.map(([label, value]) => `- ${markdownLine(label)}: ${markdownCode(value)}\n`);
  const notes = report.notes.map((note) => `> ${markdownLine(note)}\n\n`);
  let text = start;
  const append = (part: string): void => {
    if (Buffer.byteLength(text) + Buffer.byteLength(part) <= limit) text += part;
  };
  append(fill('', facts, limit / 4, 'facts'));
  append(fill('', notes, limit / 4, 'notes'));
  const room = (): number => limit - Buffer.byteLength(text);
  const newFindings = report.findings.filter(({ state }) => state === 'new');
  // The table of groups leaves room for the findings.
  if (newFindings.length > manyFindings) append(groupTable(newFindings, room() / 2));
  append(findingTable(brief ? newFindings : report.findings, room(), { blobUrl, brief }));
  const isShown = ({ isDetail = false }: { readonly isDetail?: boolean | undefined }) => !brief || !isDetail;
  for (const table of (report.tables ?? []).filter(isShown))
    if (table.rows.length > 0) append(plainTable(table, room()));
  const blocks = (report.blocks ?? []).filter(isShown);
  const more = (count: number) => `and ${numberOf(count, 'more block')} of text\n`;
  for (const [index, block] of blocks.entries()) {
    const left = blocks.length - index - 1;
    const part = plainBlock(block, room() - (left === 0 ? 0 : Buffer.byteLength(more(blocks.length))));
    if (part === '') {
      append(more(left + 1));
      break;
    }
    append(part);
  }
  return text;
}

/** One of the reports in a comment. */
export interface CommentPart {
  /** What a reader calls it: `Review`, `Tests`. */
  readonly label: string;
  /** Undefined where the step gave no report. */
  readonly report: Report | undefined;
}

const maximumHeadline = 300;

/** Several reports in one comment: a line with the verdict, then each report folded under its headline. */
export function partsMarkdown(
  parts: readonly CommentPart[],
  { limit, blobUrl, commit }: Omit<MarkdownOptions, 'brief'> & { readonly commit: string },
): string {
  const sign = parts.some(isBad) ? signs.failed : signs.passed;
  const head = `### ${sign} ${markdownText(verdict(parts))}\n\n`;
  const foot = `<sub>commit ${markdownCode(commit.slice(0, 12))}</sub>\n`;
  const fold = (part: CommentPart, room: number): string => {
    const { label, report } = part;
    const line =
      report === undefined ? 'no result; see the log of its step' : shorten(report.headline, maximumHeadline);
    const start = `<details${isBad(part) ? ' open' : ''}><summary><b>${markdownText(label)}</b>: ${markdownText(line)}</summary>\n\n`;
    const end = '\n</details>\n\n';
    if (report === undefined) return `${start}${end}`;
    return `${withBody(start, report, { limit: room - Buffer.byteLength(end), blobUrl, brief: true })}${end}`;
  };
  const whole = limit - Buffer.byteLength(head) - Buffer.byteLength(foot);
  // The shortest part first: what it leaves is for the others.
  const bySize = parts.toSorted(
    (one, other) => Buffer.byteLength(fold(one, whole)) - Buffer.byteLength(fold(other, whole)),
  );
  let left = whole;
  const texts = new Map<CommentPart, string>();
  for (const [index, part] of bySize.entries()) {
    const text = fold(part, Math.floor(left / (parts.length - index)));
    left -= Buffer.byteLength(text);
    texts.set(part, text);
  }
  const folded = parts.map((part) => texts.get(part) ?? '');
  return `${head}${folded.join('')}${foot}`;
}

const bad: ReadonlySet<Outcome> = new Set(['failed', 'error', 'indeterminate']);

/** Whether a part has no result, or a result that a person must look at. */
export function isBad({ report }: CommentPart): boolean {
  return report === undefined || bad.has(report.outcome);
}

/** `Review failed · Data changes in 1 table: orders +1 −0 ~2.` */
function verdict(parts: readonly CommentPart[]): string {
  const sentences = parts.flatMap(({ label, report }) => {
    if (report === undefined || report.outcome === 'error' || report.outcome === 'indeterminate')
      return [`${label}: no result`];
    if (report.outcome === 'failed') return [`${label} failed`];
    return isNews(report) ? [shorten(report.headline, maximumHeadline)] : [];
  });
  return sentences.length === 0 ? 'Passed' : sentences.join(' · ');
}
