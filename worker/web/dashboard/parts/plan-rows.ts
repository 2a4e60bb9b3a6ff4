import { withBreakPoints } from '../../../../lib/html/with-break-points.ts';
import { type Content, html } from '../../../../lib/html/markup.ts';
import { differenceText, type PlanPart } from '../../../promotion/plan/plan-parts.ts';
import { comparePath, planTitle, type ShownPlan, variablesText } from '../../../promotion/plan/shown-plan.ts';
import { type GitHubPages, gitHubLink } from './github-links.ts';
import { moment } from './parts.ts';

/**
 * The facts of a plan as table rows: what it changes, the variables that differ (never their values), what a
 * roll-back would return to, and what is not known.
 */
export function planRows(
  plan: ShownPlan | undefined,
  pages: GitHubPages,
): readonly (readonly [string, Content])[] {
  if (plan === undefined) return [];
  const compare = comparePath(plan);
  return [
    [
      'Plan',
      html`${withBreakPoints(planTitle(plan))}
        <code title="${plan.digest}">${plan.id}</code>
        ${compare === undefined ? null : gitHubLink(pages, compare, 'compare')}`,
    ],
    ['Plan changed', changes(plan)],
    ['Contents', plan.contents === null ? null : differenceText(plan.contents)],
    ...plan.parts.map((part) => [part.title, lines(part)] as const),
    ['Variables that differ', variablesText(plan)],
    ['After a roll-back', plan.wayBack ?? 'nothing is live'],
    ['Not known', plan.unknown.length === 0 ? null : lines({ items: plan.unknown, more: 0 })],
  ];
}

function lines({ items, more }: Pick<PlanPart, 'items' | 'more'>): Content {
  return html`<span class="wide"
    >${items.map((text) => html`<p>${withBreakPoints(text)}</p>`)}${more === 0 ? null : html`<p>and ${more} more</p>`}</span
  >`;
}

function changes({ changes: all }: ShownPlan): Content {
  if (all.length === 0) return null;
  return html`<span class="wide"
    >${all.map(({ at, because }) => html`<p>${moment(at)}: ${withBreakPoints(because)}</p>`)}</span
  >`;
}
