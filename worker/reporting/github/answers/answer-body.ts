import { markdownCode, markdownText, urlPath } from '../../../../lib/report/markdown-text.ts';
import { shorten } from '../../../../lib/core/text/shorten.ts';
import type { CommentAnswer } from '../../../records/comment-answer.ts';
import { shownPlan } from '../../../promotion/plan/shown-plan.ts';
import { approvalCommand, planMarkdown } from '../../../promotion/plan/plan-markdown.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';

/** A promotion as an answer shows it. */
export interface AnsweredPromotion {
  readonly promotion: PromotionRecord;
  /** How many approvals are missing and who may give them; undefined if none is missing. */
  readonly missing: string | undefined;
  /** Its page on the worker; undefined if the worker has no public address. */
  readonly address: string | undefined;
}

/** The invisible first line by which the worker finds its answer. Nobody takes an answer for a command, because it begins with it. */
export function answerMarker({ comment }: Pick<CommentAnswer, 'comment'>): string {
  return `<!-- millrace:answer:${comment} -->`;
}

/** GitHub takes 65,536 characters; bytes are never fewer than characters. */
const maxBytes = 60_000;
/** A promotion is left out if its plan has less room than this. */
const minPlanBytes = 2_000;

/**
 * The text of an answer: what was done, or why nothing was, and the plan of each promotion with the command that approves exactly
 * this plan. What does not fit into a comment is left out, and the last line says how to see it.
 * @param repository.webUrl base of GitHub's pages
 */
export function answerBody(
  answer: CommentAnswer,
  promotions: readonly AnsweredPromotion[],
  { webUrl, fullName }: { readonly webUrl: string; readonly fullName: string },
): { readonly body: string; readonly shown: readonly PromotionRecord[] } {
  const { pull, comment, text } = answer;
  const link = `${webUrl}/${urlPath(fullName)}/pull/${pull}#issuecomment-${comment}`;
  let body = `${answerMarker(answer)}\n[Your command](${link}): ${markdownText(shorten(text, 2_000))}\n`;
  const shown: PromotionRecord[] = [];
  for (const part of promotions) {
    const withoutPlan = sectionOf(part, '');
    const room = maxBytes - Buffer.byteLength(body) - Buffer.byteLength(withoutPlan);
    if (room < minPlanBytes) break;
    body += sectionOf(part, planMarkdown(part.promotion, { webUrl, maxBytes: room }));
    shown.push(part.promotion);
  }
  const left = promotions.slice(shown.length).map(({ promotion }) => promotion.task.lane.name);
  if (left.length > 0)
    body += `\nThe answer would be too long with the plans of ${left.length} more. To see one, comment \`/millrace plan\` with one of the lanes ${markdownText(shorten(left.join(', '), 1_000))}.\n`;
  return { body, shown };
}

/** What an answer says about a promotion. `planText`: its plan in Markdown. */
function sectionOf({ promotion, missing, address }: AnsweredPromotion, planText: string): string {
  const { task, version, plan } = promotion;
  const { name, to } = task.lane;
  const lines = [
    `**${markdownText(name)}**: ${version === undefined ? 'its version' : markdownCode(shorten(version, 300))} to ${markdownText(to)}`,
    ...(missing === undefined ? [] : [markdownText(shorten(missing, 1_000))]),
    plan === undefined
      ? 'The plan is not known yet. The worker makes it when the promotion reaches its approval gate.'
      : planText,
    ...(plan === undefined || missing === undefined
      ? []
      : [
          `To approve exactly this plan, comment:\n\n\`\`\`\n${approvalCommand(name, shownPlan(plan))}\n\`\`\``,
        ]),
    ...(address === undefined ? [] : [`[The promotion on the worker](${address})`]),
  ];
  return `\n${lines.map((line) => line.trimEnd()).join('\n\n')}\n`;
}
