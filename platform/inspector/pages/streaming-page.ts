import { statusOf, type StreamingRow, type StreamingState } from '../../world/streaming-status.ts';
import { html } from '../../../lib/html/markup.ts';
import { definePage } from '../parts/page.ts';
import { status, table, time } from '../parts/parts.ts';

interface Streaming extends StreamingState {
  readonly streamingPipelineId: string;
  readonly name: string;
  readonly project: string;
  readonly projectName: string;
  readonly source: string;
  readonly target: string;
  readonly commandedAt: string | null;
}

interface Row extends StreamingRow {
  readonly project: string;
  readonly projectName: string;
  readonly name: string;
  readonly source: string;
  readonly target: string;
}

const newest = 500;

/** The streaming pipelines and their states; their definitions come from the API. */
export const streamingPage = definePage<{ readonly streamingPipelines: readonly Streaming[] }>({
  path: '/streaming',
  read: (world) => ({
    streamingPipelines: world.store
      .all<Row>(
        `SELECT s.id, s.project_id AS project, p.name AS projectName, s.definition ->> '$.name' AS name,
           s.definition ->> '$.streamingSource.type' AS source, s.definition ->> '$.streamingTarget.type' AS target,
           s.command, s.commanded_at, s.takes_ms, s.fails
         FROM streaming_pipeline s JOIN project p ON p.id = s.project_id ORDER BY s.rowid DESC LIMIT ?`,
        newest,
      )
      .map(({ command, commanded_at: at, takes_ms: takesMs, fails, ...row }) => ({
        streamingPipelineId: row.id,
        project: row.project,
        projectName: row.projectName,
        name: row.name,
        source: row.source,
        target: row.target,
        ...statusOf(world, row.project, { id: row.id, command, commanded_at: at, takes_ms: takesMs, fails }),
        commandedAt: at === null ? null : new Date(at).toISOString(),
      })),
  }),
  title: () => 'Streaming pipelines',
  show: ({ streamingPipelines }) =>
    table(
      'Streaming pipelines, newest first',
      streamingPipelines,
      [
        {
          name: 'Name',
          show: ({ name, streamingPipelineId }) =>
            html`<a href="/_platform/streaming/${streamingPipelineId}">${name}</a>`,
        },
        { name: 'Project', show: ({ projectName }) => projectName },
        {
          name: 'Status',
          show: (row) => html`${status(row.status)}${row.simulated === true ? ' simulated' : null}`,
        },
        { name: 'Last command', show: ({ commandedAt }) => time(commandedAt) },
        { name: 'From and to', kind: 'wide', show: ({ source, target }) => `${source} → ${target}` },
        {
          name: 'Id',
          kind: 'wide',
          show: ({ streamingPipelineId }) => html`<code>${streamingPipelineId}</code>`,
        },
      ],
      html`No streaming pipelines. <code>millrace streaming --help</code> has the commands for them.`,
    ),
});
