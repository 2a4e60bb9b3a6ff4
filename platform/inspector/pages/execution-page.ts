import type { ExecutionState, ExecutionStep } from '../../../engine/index.ts';
import { refuse } from '../../refusal/refusal.ts';
import { withBreakPoints } from '../../../lib/html/with-break-points.ts';
import { type Content, html, type Markup } from '../../../lib/html/markup.ts';
import { definePage } from '../parts/page.ts';
import { facts } from '../../../lib/html/parts.ts';
import { barTrack } from '../../../lib/html/bar-track.ts';
import { code, span, status, table, time, toneOf } from '../parts/parts.ts';

interface Shown extends ExecutionState {
  /** The platform's time of this answer, in ISO 8601. */
  readonly now: string;
  readonly project: string;
  readonly projectName: string;
  readonly versionName: string;
  readonly tag: string | null;
}

type Row = Pick<Shown, 'project' | 'projectName' | 'versionName' | 'tag'>;

const deepest = 6;

/** The page of one execution, with everything that its components did. */
export const executionPage = definePage<Shown>({
  path: '/executions/:id',
  read({ store, executions, clock }, { id }) {
    const row = store.get<Row>(
      `SELECT e.project_id AS project, p.name AS projectName, e.version_name AS versionName, e.tag
       FROM execution e JOIN project p ON p.id = e.project_id WHERE e.id = ?`,
      id,
    );
    const state = row && executions.find(row.project, id);
    if (row === undefined || state === undefined)
      throw refuse(404, `There is no execution "${id.slice(0, 100)}".`);
    return { ...state, ...row, now: new Date(clock.now()).toISOString() };
  },
  title: ({ pipeline }) => pipeline,
  show: (execution) => html`
    ${facts([
      ['Status', status(execution.status)],
      ['Message', html`<span class="message">${withBreakPoints(execution.message)}</span>`],
      ['Project', execution.projectName],
      ['Environment', execution.environment],
      ['Version', execution.versionName],
      ['Tag', execution.tag ?? '–'],
      ['Started', time(execution.startedAt)],
      ['Took', span(execution.startedAt, execution.finishedAt)],
      ['Execution id', html`<code>${withBreakPoints(execution.id)}</code>`],
    ])}
    ${
      execution.droppedSteps > 0
        ? html`<p class="note">${execution.droppedSteps} older steps are not kept.</p>`
        : null
    }
    <h2>Components</h2>
    ${steps(execution)}
  `,
});

interface NestedStep extends ExecutionStep {
  readonly depth: number;
}

/** Each step with all that it called right below it: what runs at the same time starts in turns. */
function nested(all: readonly ExecutionStep[]): readonly NestedStep[] {
  const kept = new Set(all.map(({ number }) => number));
  // The caller of a step may no longer be kept.
  const children = Map.groupBy(all, ({ parent }) => (parent !== null && kept.has(parent) ? parent : null));
  const rows: NestedStep[] = [];
  // No recursion: calls nest as deep as an execution is allowed to.
  const left = (children.get(null) ?? []).map((step) => ({ ...step, depth: 0 })).toReversed();
  for (let step = left.pop(); step !== undefined; step = left.pop()) {
    const depth = step.depth + 1;
    rows.push(step);
    left.push(...(children.get(step.number) ?? []).map((child) => ({ ...child, depth })).toReversed());
  }
  return rows;
}

function steps({ pipeline, steps: all, startedAt, finishedAt, now }: Shown): Markup {
  const from = Date.parse(startedAt ?? now);
  const to = Date.parse(finishedAt ?? now);
  const partOf = (ms: number) => ms / Math.max(1, to - from);
  return table(
    'Steps in the order of starting; steps of a called pipeline are indented below their caller',
    nested(all),
    [
      { name: 'Step', kind: 'number', show: ({ number }) => number },
      {
        name: 'Component',
        kind: 'text',
        show: (step) =>
          html`<div class="depth-${Math.min(deepest, step.depth)}">
            ${withBreakPoints(step.component)} <small>${withBreakPoints(`${step.type}${round(step)}`)}</small>
            ${step.pipeline === pipeline ? null : html`<small>in <code>${withBreakPoints(step.pipeline)}</code></small>`}
          </div>`,
      },
      { name: 'Status', show: (step) => status(step.status) },
      {
        name: 'Timeline',
        kind: 'track',
        show: (step) => {
          const begun = Date.parse(step.startedAt);
          const end = Date.parse(step.finishedAt ?? now);
          return barTrack({
            start: partOf(begun - from),
            width: partOf(end - begun),
            tone: toneOf(step.status),
          });
        },
      },
      { name: 'Took', kind: 'number', show: (step) => span(step.startedAt, step.finishedAt ?? now) },
      { name: 'Read', kind: 'number', show: ({ rowsRead }) => rowsRead ?? '–' },
      { name: 'Written', kind: 'number', show: ({ rowsWritten }) => rowsWritten ?? '–' },
      { name: 'Message', kind: 'text', show: messageOf },
    ],
    'No component has begun yet.',
  );
}

/** The message, what the user should know, the SQL that failed as written, and the SQL that ran. */
function messageOf({ message, notices = [], written, sql = [] }: ExecutionStep): Content {
  if (message === '' && notices.length === 0 && written === undefined && sql.length === 0) return null;
  return html`<span class="message">${withBreakPoints(message)}</span>
    ${notices.map((notice) => html`<p class="note">${withBreakPoints(notice)}</p>`)}
    ${
      written === undefined
        ? null
        : html`<details>
            <summary>SQL as written</summary>
            ${code('SQL as written', written)}
          </details>`
    }
    ${
      sql.length === 0
        ? null
        : html`<details>
            <summary>SQL</summary>
            ${code('SQL', sql.join(';\n'))}
          </details>`
    }`;
}

function round({ iteration }: ExecutionStep): string {
  if (iteration === null) return '';
  const values = Object.entries(iteration.variables).map(([name, value]) => `${name} = ${value}`);
  return [`, round ${String(iteration.index)} of ${iteration.iterator}`, ...values].join(', ');
}
