import {
  type CheckAction,
  type CheckConclusion,
  checkConclusions,
  type CheckContent,
  checkTitle,
} from '../../../../lib/github/endpoints/check-content.ts';
import { planMarkdown } from '../../../promotion/plan/plan-markdown.ts';
import { markdownCode, markdownText } from '../../../../lib/report/markdown-text.ts';
import { shorten } from '../../../../lib/core/text/shorten.ts';
import { oneLine } from '../../../../lib/core/text/sanitize-text.ts';
import { approveIdentifier, rejectIdentifier } from '../../../records/check-event.ts';
import { isOver, type StatusUpdate } from './status-update.ts';
import { describeEvent, describeFact, factsIn, type HistoryEvent } from '../../../records/history-event.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';

/** The content of a promotion's check run: its status, its facts and its history. */
export function checkContent(
  update: StatusUpdate,
  {
    events,
    address,
    needsApproval,
    webUrl,
  }: {
    readonly events: readonly HistoryEvent[];
    readonly address: string | undefined;
    readonly needsApproval: boolean;
    /** Base of GitHub's pages. */
    readonly webUrl: string;
  },
): CheckContent {
  const { promotion, text } = update;
  const over = isOver(update);
  return {
    status: over ? 'completed' : promotion.state === 'queued' ? 'queued' : 'in_progress',
    conclusion: conclusionOf(promotion),
    startedAt: promotion.startedAt ?? promotion.createdAt,
    completedAt: promotion.endedAt,
    title: checkTitle(text),
    summary: summaryOf(update, { address, webUrl }),
    text: timeline(events),
    actions:
      needsApproval && promotion.version !== undefined
        ? [approveAction(promotion.version, promotion.plan), rejectAction(promotion.version)]
        : [],
  };
}

/** A version that was rolled back after it had passed must not stay green on its commit. */
function conclusionOf({ outcome, rolledBack }: PromotionRecord): CheckConclusion | undefined {
  if (rolledBack !== undefined) return 'failure';
  return outcome === undefined ? undefined : checkConclusions[outcome];
}

/** GitHub's limits: 20, 40 and 20 characters. */
const approveAction = (version: string, plan: PromotionRecord['plan']): CheckAction => ({
  label: 'Approve',
  description: shorten(`Approve ${oneLine(version)}`, 40),
  identifier: approveIdentifier(version, plan),
});

const rejectAction = (version: string): CheckAction => ({
  label: 'Reject',
  description: shorten(`End the promotion of ${oneLine(version)}`, 40),
  identifier: rejectIdentifier(version),
});

function summaryOf(
  { promotion, text }: StatusUpdate,
  { address, webUrl }: { readonly address: string | undefined; readonly webUrl: string },
): string {
  const { task, step, intent } = promotion;
  const facts: (readonly [string, string | undefined])[] = [
    ['lane', task.lane.name],
    ['version', promotion.version],
    ['from', task.lane.from],
    ['to', task.lane.to],
    ['ref', task.ref],
    ['commit', task.commit],
    ['execution', step.name === 'watch' ? step.executionId : undefined],
    ['running', intent === undefined ? undefined : `${intent.effect}: ${intent.what}`],
    ['next lanes', task.lane.next.map(({ name }) => name).join(', ') || undefined],
    ['promotion', promotion.id],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`- ${name}: ${markdownCode(shorten(value, 300))}\n`],
  );
  const reason =
    promotion.message !== undefined && promotion.message !== text
      ? `${markdownText(shorten(promotion.message, 1_000))}\n\n`
      : '';
  const link = address === undefined ? '' : `\n[The promotion on the worker](${address})\n`;
  const first = `${markdownText(shorten(text, 1_000))}\n\n${reason}${lines.join('')}`;
  const room = maxBytes - Buffer.byteLength(first) - Buffer.byteLength(link);
  const plan = planMarkdown(promotion, { webUrl, maxBytes: room });
  return `${first}${plan === '' ? '' : `\n${plan}`}${link}`;
}

/** GitHub takes 65,535 characters; bytes are never fewer than characters. */
const maxBytes = 60_000;
const maxDetail = 500;

const head = '| time (UTC) | what happened | |\n| --- | --- | --- |\n';

/**
 * The history of a promotion as a Markdown table, oldest first. If it is too long, the oldest entries are left
 * out.
 */
function timeline(events: readonly HistoryEvent[]): string {
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
    .map(([name, value]) => `${markdownText(describeFact(name))}: ${markdownCode(shorten(value, maxDetail))}`)
    .join('<br>');
}
