import type { ExecutionState } from '../../../engine/index.ts';
import type { World } from '../../world/world.ts';
import { html, type Markup } from '../../../lib/html/markup.ts';
import { definePage } from '../parts/page.ts';
import { span, status, table, time } from '../parts/parts.ts';

export interface Ran extends Pick<
  ExecutionState,
  'id' | 'pipeline' | 'environment' | 'status' | 'message' | 'startedAt' | 'finishedAt'
> {
  readonly project: string;
  readonly projectName: string;
  readonly versionName: string;
  readonly tag: string | null;
}

interface Row extends Omit<Ran, 'status' | 'message' | 'startedAt' | 'finishedAt'> {
  readonly state: string;
}

const newest = 200;
const few = 20;

/** The newest executions, newest first. */
export const executionsPage = definePage<{ readonly executions: readonly Ran[] }>({
  path: '/executions',
  read: (world) => ({ executions: readExecutions(world, newest) }),
  title: () => 'Executions',
  show: ({ executions }) => html`
    <p class="lead">
      The newest ${newest}. Each execution shows what its components did, and what was simulated.
    </p>
    ${executionTable('Executions', executions)}
  `,
});

export function readExecutions(world: World, limit: number): Ran[] {
  return read(world, '', [limit]);
}

/**
 * The newest executions of a project that ran a pipeline, directly or through calls. Only the newest executions of
 * the project are searched.
 */
export function executionsOf(world: World, projectId: string, pipeline: string): Ran[] {
  const condition = `WHERE e.rowid IN (SELECT rowid FROM execution WHERE project_id = ? ORDER BY rowid DESC LIMIT ${newest})
    AND (json_extract(e.state, '$.pipeline') = ?
      OR EXISTS (SELECT 1 FROM json_each(e.state, '$.steps') s WHERE json_extract(s.value, '$.pipeline') = ?))`;
  return read(world, condition, [projectId, pipeline, pipeline, few]);
}

function read(world: World, condition: string, values: readonly (string | number)[]): Ran[] {
  return world.store
    .all<Row>(
      `SELECT e.id, e.project_id AS project, p.name AS projectName, e.environment_name AS environment,
         e.version_name AS versionName, e.tag, json_extract(e.state, '$.pipeline') AS pipeline,
         json_remove(e.state, '$.steps') AS state
       FROM execution e JOIN project p ON p.id = e.project_id ${condition} ORDER BY e.rowid DESC LIMIT ?`,
      ...values,
    )
    .map(({ state, ...row }) => {
      const written = JSON.parse(state) as Omit<ExecutionState, 'steps'>;
      // The state of a running execution is newer than its stored state.
      const now = written.finishedAt === null ? world.executions.find(row.project, row.id) : undefined;
      const { status: word, message, startedAt, finishedAt } = now ?? written;
      return { ...row, status: word, message, startedAt, finishedAt };
    });
}

export function executionTable(caption: string, executions: readonly Ran[]): Markup {
  return table(
    caption,
    executions,
    [
      { name: 'Started', show: ({ startedAt }) => time(startedAt) },
      {
        name: 'Pipeline',
        show: ({ id, pipeline }) => html`<a href="/_platform/executions/${id}">${pipeline}</a>`,
      },
      { name: 'Environment', show: ({ environment }) => environment },
      { name: 'Version', show: ({ versionName }) => versionName },
      { name: 'Tag', kind: 'wide', show: ({ tag }) => tag ?? '–' },
      { name: 'Status', show: (row) => status(row.status) },
      { name: 'Took', kind: 'number', show: ({ startedAt, finishedAt }) => span(startedAt, finishedAt) },
    ],
    html`No executions yet. Run a pipeline of a published version: <code>millrace run</code>.`,
  );
}
