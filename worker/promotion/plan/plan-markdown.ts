import { markdownCode, markdownText, urlPath } from '../../../lib/report/markdown-text.ts';
import { shorten } from '../../../lib/core/text/shorten.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { differenceText, type PlanPart } from './plan-parts.ts';
import { comparePath, planTitle, type ShownPlan, shownPlan, variablesText } from './shown-plan.ts';

/** Far below GitHub's limit of 65,535 characters for a check run, which has more than the plan. */
const usualMaxBytes = 40_000;

/**
 * The plan of a promotion as GitHub shows it in check runs and comments: its short name, the command that approves exactly this plan,
 * and a list of what it changes. Never a value of a variable. '' if the promotion has no plan.
 * @param options.webUrl base of GitHub's pages
 * @param options.maxBytes of the result; lines that do not fit are left out, and the last line says how many
 */
export function planMarkdown(
  { plan: recorded, task }: Pick<PromotionRecord, 'plan' | 'task'>,
  { webUrl, maxBytes = usualMaxBytes }: { readonly webUrl: string; readonly maxBytes?: number },
): string {
  if (recorded === undefined) return '';
  const plan = shownPlan(recorded);
  const head = `The plan ${markdownCode(plan.id)} (\`${approvalCommand(task.lane.name, plan)}\`):\n\n`;
  const lines: string[] = [];
  let size = Buffer.byteLength(head) + maxLeftBytes;
  const all = planLines(plan, { task, webUrl });
  for (const line of all) {
    size += Buffer.byteLength(line);
    if (size > maxBytes) break;
    lines.push(line);
  }
  const left = all.length - lines.length;
  const more =
    left === 0
      ? ''
      : `- The plan is too long to be shown here: ${left} of its ${all.length} entries are left out. The page of the promotion has all.\n`;
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
  { task, webUrl }: { readonly task: PromotionRecord['task']; readonly webUrl: string },
): readonly string[] {
  const compare = comparePath(plan);
  const variables = variablesText(plan);
  const last = plan.changes.at(-1);
  return [
    markdownCode(shorten(planTitle(plan), 300)),
    ...(compare === undefined
      ? []
      : [`[compare the commits](${webUrl}/${urlPath(task.repository.fullName)}/${compare})`]),
    ...(plan.contents === null ? [] : [markdownText(differenceText(plan.contents))]),
    ...plan.parts.map(partLines),
    ...(variables === undefined
      ? []
      : [
          `variables that differ (${markdownText(task.lane.from)}, then ${markdownText(task.lane.to)}): ${markdownText(shorten(variables, 2_000))}`,
        ]),
    `after a roll-back: ${plan.wayBack === null ? 'nothing' : markdownCode(shorten(plan.wayBack, 300))}`,
    ...(last === undefined ? [] : [`changed: ${markdownText(shorten(last.because, 1_000))}`]),
    ...plan.unknown.map((sentence) => markdownText(shorten(sentence, 300))),
  ].map((line) => `- ${line}\n`);
}

/** How much of one list is shown, so that the whole stays far below GitHub's limit. */
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
