import type { ExecutionState, ExecutionStep } from '../../execution/index.ts';
import { refuse } from '../../refusal.ts';
import { html, type Markup } from '../../../model/markup.ts';
import { definePage } from '../page.ts';
import { facts, span, status, table, time } from '../parts.ts';

interface Shown extends ExecutionState {
  readonly project: string;
  readonly projectName: string;
  readonly versionName: string;
  readonly tag: string | null;
}

type Row = Pick<Shown, 'project' | 'projectName' | 'versionName' | 'tag'>;

const deepest = 6;

/** One execution with all that its components did. */
export const executionPage = definePage<Shown>({
  path: '/executions/:id',
  read({ store, executions }, { id }) {
    const row = store.get<Row>(
      `SELECT e.project_id AS project, p.name AS projectName, e.version_name AS versionName, e.tag
       FROM execution e JOIN project p ON p.id = e.project_id WHERE e.id = ?`,
      id,
    );
    const state = row && executions.find(row.project, id);
    if (row === undefined || state === undefined)
      throw refuse(404, `There is no execution "${id.slice(0, 100)}".`);
    return { ...state, ...row };
  },
  title: ({ pipeline }) => pipeline,
  show: (execution) => html`
    ${facts([
      ['Status', status(execution.status)],
      ['Message', execution.message],
      ['Project', execution.projectName],
      ['Environment', execution.environment],
      ['Version', execution.versionName],
      ['Tag', execution.tag ?? '–'],
      ['Started', time(execution.startedAt)],
      ['Took', span(execution.startedAt, execution.finishedAt)],
      ['Execution id', html`<code>${execution.id}</code>`],
    ])}
    ${
      execution.droppedSteps > 0
        ? html`<p class="note">${execution.droppedSteps} older steps are not kept.</p>`
        : null
    }
    <h2>Components</h2>
    ${steps(execution.steps)}
  `,
});

function steps(all: readonly ExecutionStep[]): Markup {
  const depths = new Map<number, number>();
  for (const { number, parent } of all)
    depths.set(number, parent === null ? 0 : (depths.get(parent) ?? -1) + 1);
  const depthOf = (step: ExecutionStep) => Math.min(deepest, depths.get(step.number) ?? 0);
  return table(
    'Steps in the order of starting; what a component called stands below it, set in',
    all,
    [
      { name: 'Step', kind: 'number', show: ({ number }) => number },
      {
        name: 'Component',
        show: (step) =>
          html`<div class="depth-${depthOf(step)}">
            ${step.component} <small>${step.type}${round(step)}</small>
          </div>`,
      },
      { name: 'Status', show: (step) => status(step.status) },
      { name: 'Took', kind: 'number', show: ({ startedAt, finishedAt }) => span(startedAt, finishedAt) },
      { name: 'Message', show: ({ message }) => message },
      { name: 'Pipeline', kind: 'wide', show: ({ pipeline }) => html`<code>${pipeline}</code>` },
    ],
    'No component has begun yet.',
  );
}

function round({ iteration }: ExecutionStep): string {
  if (iteration === null) return '';
  const values = Object.entries(iteration.variables).map(([name, value]) => `${name} = ${value}`);
  return [`, round ${String(iteration.index)} of ${iteration.iterator}`, ...values].join(', ');
}
