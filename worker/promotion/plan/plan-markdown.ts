import { markdownCode, markdownText, urlPath } from '../../../lib/report/markdown-text.ts';
import { shorten } from '../../../lib/core/text/shorten.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { differenceText, type PlanPart } from './plan-parts.ts';
import { comparePath, planTitle, type ShownPlan, shownPlan, variablesText } from './shown-plan.ts';

/**
 * The plan of a promotion as GitHub shows it in check runs and comments: its short name, the command that approves exactly this plan,
 * and a list of what it changes. Never a value of a variable. '' if the promotion has no plan.
 * @param options.webUrl base of GitHub's pages
 * @param options.maxBytes of the result. The long lists share what the other lines leave. If these do not fit, the last line says how many are left out
 */
export function planMarkdown(
  { plan: recorded, task }: Pick<PromotionRecord, 'plan' | 'task'>,
  { webUrl, maxBytes }: { readonly webUrl: string; readonly maxBytes: number },
): string {
  if (recorded === undefined) return '';
  const plan = shownPlan(recorded);
  const head = `The plan ${markdownCode(plan.id)} (\`${approvalCommand(task.lane.name, plan)}\`):\n\n`;
  const lines: string[] = [];
  let size = Buffer.byteLength(head) + maxLeftBytes;
  const { all, isShortened } = planLines(plan, { task, webUrl, room: maxBytes - size });
  for (const line of all) {
    size += Buffer.byteLength(line);
    if (size > maxBytes) break;
    lines.push(line);
  }
  const left = all.length - lines.length;
  const tooLong =
    left > 0
      ? `${left} of its ${all.length} entries are left out`
      : isShortened
        ? 'its lists are shortened'
        : '';
  const more =
    tooLong === ''
      ? ''
      : `- The plan is too long to be shown here: ${tooLong}. The page of the promotion has more.\n`;
  return `${head}${lines.join('')}${more}`;
}

/** The comment that approves exactly this plan. */
export function approvalCommand(lane: string, { id }: Pick<ShownPlan, 'id'>): string {
  return `/millrace approve ${lane} plan:${id}`;
}

/** Room for the line that says what is left out. */
const maxLeftBytes = 200;

function planLines(
  plan: ShownPlan,
  {
    task,
    webUrl,
    room,
  }: { readonly task: PromotionRecord['task']; readonly webUrl: string; readonly room: number },
): { readonly all: readonly string[]; readonly isShortened: boolean } {
  const compare = comparePath(plan);
  const variables = variablesText(plan);
  const last = plan.changes.at(-1);
  const before = [
    markdownCode(shorten(planTitle(plan), 300)),
    ...(compare === undefined
      ? []
      : [`[compare the commits](${webUrl}/${urlPath(task.repository.fullName)}/${compare})`]),
    ...(plan.contents === null ? [] : [markdownText(differenceText(plan.contents))]),
  ].map(lineOf);
  const after = [
    ...(variables === undefined
      ? []
      : [
          `variables that differ (${markdownText(task.lane.from)}, then ${markdownText(task.lane.to)}): ${markdownText(shorten(variables, 2_000))}`,
        ]),
    `after a roll-back: ${plan.wayBack === null ? 'nothing' : markdownCode(shorten(plan.wayBack, 300))}`,
    ...(last === undefined ? [] : [`changed: ${markdownText(shorten(last.because, 1_000))}`]),
    ...plan.unknown.map((sentence) => markdownText(shorten(sentence, 300))),
  ].map(lineOf);
  // What is not known must not be left out for a long list.
  const left = room - Buffer.byteLength([...before, ...after].join(''));
  const share = Math.min(maxPartBytes, Math.floor(left / Math.max(1, plan.parts.length)));
  const partsIn = (bytes: number): readonly string[] =>
    plan.parts.map((part) => lineOf(partLines(part, bytes)));
  const parts = partsIn(share);
  const isShortened = parts.join('') !== partsIn(maxPartBytes).join('');
  return { all: [...before, ...parts, ...after], isShortened };
}

const lineOf = (text: string): string => `- ${text}\n`;

/** How much of one list is shown. */
const maxPartBytes = 4_000;

/** What a list takes besides its title and items: its sign, and how many are left out. */
const partFrame = 50;

/** A list of a plan, as far as it fits into a number of bytes. */
function partLines({ title, items, more }: PlanPart, bytes: number): string {
  const head = markdownText(shorten(title, 100));
  const lines: string[] = [];
  let size = Buffer.byteLength(head) + partFrame;
  for (const item of items) {
    const line = `\n  - ${markdownText(shorten(item, 500))}`;
    size += Buffer.byteLength(line);
    if (size > bytes) break;
    lines.push(line);
  }
  const left = items.length - lines.length + more;
  return `${head}:${lines.join('')}${left === 0 ? '' : `\n  - and ${left} more`}`;
}
