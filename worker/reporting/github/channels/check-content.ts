import {
  type CheckAction,
  type CheckConclusion,
  checkConclusions,
  type CheckContent,
  checkTitle,
} from '../../../../lib/github/endpoints/check-content.ts';
import { differenceText, type PlanPart } from '../../../promotion/plan/plan-parts.ts';
import { comparePath, planTitle, shownPlan, variablesText } from '../../../promotion/plan/shown-plan.ts';
import { markdownCode, markdownText, urlPath } from '../../../../lib/report/markdown-text.ts';
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
  return `${markdownText(shorten(text, 1_000))}\n\n${reason}${lines.join('')}${planOf(promotion, webUrl)}${link}`;
}

/** What a promotion that needs approvals will change; never a value of a variable. */
function planOf({ plan: recorded, task }: PromotionRecord, webUrl: string): string {
  if (recorded === undefined) return '';
  const plan = shownPlan(recorded);
  const compare = comparePath(plan);
  const variables = variablesText(plan);
  const last = plan.changes.at(-1);
  const lines = [
    markdownCode(shorten(planTitle(plan), 300)),
    ...(compare === undefined
      ? []
      : [`[compare the commits](${webUrl}/${urlPath(task.repository.fullName)}/${compare})`]),
    ...(plan.contents === null ? [] : [markdownText(differenceText(plan.contents))]),
    ...plan.parts.map(partLines),
    ...(variables === undefined
      ? []
      : [
          `variables that differ (${task.lane.from}, then ${task.lane.to}): ${markdownText(shorten(variables, 2_000))}`,
        ]),
    `after a roll-back: ${plan.wayBack === null ? 'nothing' : markdownCode(shorten(plan.wayBack, 300))}`,
    ...(last === undefined ? [] : [`changed: ${markdownText(shorten(last.because, 1_000))}`]),
    ...plan.unknown.map((sentence) => markdownText(shorten(sentence, 300))),
  ];
  const list = lines.map((line) => `- ${line}\n`).join('');
  return `\nThe plan ${markdownCode(plan.id)} (\`/millrace approve plan:${plan.id}\`):\n\n${list}`;
}

/** How much of one list is shown, so that the summary stays far below GitHub's limit. */
const maxPartBytes = 4_000;

/** A list of a plan, as far as it fits. */
function partLines({ title, items, more }: PlanPart): string {
  const lines: string[] = [];
  let size = 0;
  for (const item of items) {
    const line = `\n  - ${markdownText(shorten(item, 500))}`;
    size += Buffer.byteLength(line);
    if (size > maxPartBytes) break;
    lines.push(line);
  }
  const left = items.length - lines.length + more;
  return `${markdownText(title)}:${lines.join('')}${left === 0 ? '' : `\n  - and ${left} more`}`;
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
