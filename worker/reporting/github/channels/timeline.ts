import { markdownCode, markdownText } from '../../../../lib/report/markdown-text.ts';
import { shorten } from '../../../../lib/core/text/shorten.ts';
import { factsIn, type HistoryEvent, describeEvent } from '../../../records/history-event.ts';

/** GitHub takes 65,535 characters; bytes are never fewer than characters. */
const maxBytes = 60_000;
const maxDetail = 500;

const head = '| time (UTC) | what happened | |\n| --- | --- | --- |\n';

/**
 * The history of a promotion as a Markdown table, oldest first. If it is too long, the oldest entries are left
 * out.
 */
export function timeline(events: readonly HistoryEvent[]): string {
  const rows: string[] = [];
  let size = head.length;
  for (const event of events.toReversed()) {
    const row = rowOf(event);
    size += Buffer.byteLength(row);
    if (size > maxBytes) break;
    rows.unshift(row);
  }
  const left = events.length - rows.length;
  const before = left === 0 ? '' : `${left} earlier entries are not shown.\n\n`;
  return rows.length === 0 ? '' : `${before}${head}${rows.join('')}`;
}

function rowOf({ at, what, data }: HistoryEvent): string {
  const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  return `| ${time} | ${markdownText(describeEvent(what))} | ${detailsOf(data)} |\n`;
}

function detailsOf(data: string): string {
  const facts = factsIn(data);
  if (facts === undefined) return markdownText(shorten(data, maxDetail));
  return facts
    .map(([name, value]) => `${markdownText(name)}: ${markdownCode(shorten(value, maxDetail))}`)
    .join('<br>');
}
