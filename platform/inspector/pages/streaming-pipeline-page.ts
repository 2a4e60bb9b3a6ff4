import { html, type Markup } from '../../../lib/html/markup.ts';
import { facts } from '../../../lib/html/parts.ts';
import { withBreakPoints } from '../../../lib/html/with-break-points.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { refuse } from '../../refusal/refusal.ts';
import { slotName } from '../../streaming/capture/slot-name.ts';
import { ignoredFields, type StreamingDefinition } from '../../world/streaming-source.ts';
import {
  readKeptLog,
  statusOf,
  type StreamingRow,
  type StreamingState,
} from '../../world/streaming-status.ts';
import { definePage } from '../parts/page.ts';
import { status, table } from '../parts/parts.ts';

interface Shown extends StreamingState {
  readonly streamingPipelineId: string;
  readonly name: string;
  readonly projectName: string;
  readonly source: string;
  readonly target: string;
  readonly transformationType: string;
  /** Rows of the snapshot and changes since the start, by source table. */
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
  /** Rows for each of the last seconds, the newest last. */
  readonly throughput: readonly number[];
  /** Fields of the definition that mean nothing on the local platform. */
  readonly ignored: readonly string[];
  readonly slot: string | null;
  /** Whether the next start takes a new snapshot, because one was requested. */
  readonly isSnapshotWanted: boolean;
  /** Slots on the same server that no pipeline of this platform uses. */
  readonly otherSlots: readonly { readonly name: string; readonly behindBytes: number }[];
}

interface Row extends StreamingRow {
  readonly project: string;
  readonly projectName: string;
  readonly definition: string;
}

/** One streaming pipeline: its state, what it has captured, and what can be done with it. */
export const streamingPipelinePage = definePage<Shown>({
  path: '/streaming/:id',
  async read(world, { id }) {
    const row = world.store.get<Row>(
      `SELECT s.id, s.project_id AS project, p.name AS projectName, s.definition,
         s.command, s.commanded_at, s.takes_ms, s.fails
       FROM streaming_pipeline s JOIN project p ON p.id = s.project_id WHERE s.id = ?`,
      id,
    );
    if (row === undefined) throw refuse(404, `There is no streaming pipeline "${id.slice(0, 100)}".`);
    await readKeptLog(world, row.project, row);
    // The store has only what the contract has let through.
    const definition = JSON.parse(row.definition) as StreamingDefinition;
    const { name, streamingSource, streamingTarget } = definition;
    const { connection, tables } = streamingSource;
    const capture = world.captures.of(row.project, row.id);
    const counts = capture?.progress.tables;
    return {
      streamingPipelineId: row.id,
      name,
      projectName: row.projectName,
      source: `${connection.username} at ${connection.host}:${String(connection.port)}/${connection.database}`,
      target: `${streamingTarget.database}.${streamingTarget.tableSchema}`,
      transformationType: streamingTarget.transformationType,
      ...statusOf(world, row.project, row),
      tables: tables.map(({ schema, table: of }) => ({
        table: `${schema}.${of}`,
        rows: counts?.get(`${schema}.${of}`) ?? 0,
      })),
      throughput: capture?.progress.throughput(systemClock.now()) ?? [],
      ignored: capture === undefined ? [] : ignoredFields(definition),
      slot: capture === undefined ? null : slotName(row.id),
      isSnapshotWanted: capture?.isSnapshotWanted ?? false,
      otherSlots:
        capture === undefined
          ? []
          : world.captures
              .otherSlots(capture)
              .map((slot) => ({ name: slot.name, behindBytes: Number(slot.behindBytes) })),
    };
  },
  title: ({ name }) => name,
  show: (pipeline) => html`
    ${
      pipeline.simulated === true
        ? html`<p class="note">
            Simulated: only the status changes, and nothing is captured. With
            <code>settings: { streaming: engine }</code> in the seed, changes are captured.
          </p>`
        : null
    }
    ${
      pipeline.warning === undefined
        ? null
        : html`<p class="note"><strong>Warning:</strong> ${pipeline.warning}</p>`
    }
    ${facts([
      ['Status', status(pipeline.status)],
      ['Reason', reasonOf(pipeline)],
      ['Project', pipeline.projectName],
      ['Source', html`<span class="message">${withBreakPoints(pipeline.source)}</span>`],
      ['Target', html`<span class="message">${withBreakPoints(pipeline.target)}</span>`],
      ['Transformation', pipeline.transformationType],
      ['Behind', behindOf(pipeline)],
      ['New snapshot', newSnapshotOf(pipeline)],
      [
        'Replication slot',
        pipeline.slot === null ? '–' : html`<code>${withBreakPoints(pipeline.slot)}</code>`,
      ],
      ['Id', html`<code>${withBreakPoints(pipeline.streamingPipelineId)}</code>`],
    ])}
    ${pipeline.simulated === true ? null : captured(pipeline)}
  `,
});

function reasonOf({ reason, hint }: StreamingState): Markup | string {
  return reason === undefined
    ? '–'
    : html`<span class="message">${withBreakPoints(`${reason} ${hint ?? ''}`)}</span>`;
}

function behindOf({ lag }: StreamingState): string {
  return lag === undefined ? '–' : `${lag.seconds.toFixed(1)} s, ${String(lag.bytes)} bytes of log`;
}

function newSnapshotOf({ isSnapshotWanted, status: state }: Shown): string {
  if (!isSnapshotWanted) return '–';
  return state === 'not_running' ? 'requested, will be taken at the next start' : 'requested';
}

function captured(pipeline: Shown): Markup {
  return html`
    <h2>Tables</h2>
    ${table(
      'Rows since the start',
      pipeline.tables,
      [
        { name: 'Table', show: (row) => row.table },
        { name: 'Rows of the snapshot, and changes', show: (row) => String(row.rows) },
      ],
      'No tables.',
    )}
    <h2>Rows per second</h2>
    ${chart(pipeline.throughput)}
    <h2>Snapshot and deletion</h2>
    <div class="buttons" data-keep>
      ${button(
        pipeline,
        'snapshot',
        pipeline.status === 'not_running' ? 'Take a new snapshot at the next start' : 'Take a new snapshot',
      )}
      ${button(pipeline, 'delete', 'Delete the pipeline')}
    </div>
    <p>
      A new snapshot replaces the rows of the target: at once, or at the next start of a pipeline that does
      not run. The deletion also drops the replication slot and the publication in the source; the tables of
      the target stay.
    </p>
    ${pipeline.otherSlots.length === 0 ? null : otherSlots(pipeline)}
    ${
      pipeline.ignored.length === 0
        ? null
        : html`<h2>Ignored</h2>
            <p>
              The local platform does not use these fields of the definition: ${pipeline.ignored.join(', ')}.
            </p>`
    }
  `;
}

function otherSlots({ streamingPipelineId, otherSlots: slots }: Shown): Markup {
  return html`<h2>Other replication slots</h2>
    <p>
      No streaming pipeline of this platform uses these slots of the source server, and nothing reads them
      now. The server keeps its log for them. Drop one only if no other platform uses it: its publication is
      dropped with it.
    </p>
    ${table(
      'Other replication slots',
      slots,
      [
        { name: 'Slot', show: ({ name }) => html`<code>${withBreakPoints(name)}</code>` },
        { name: 'Log that is kept', show: ({ behindBytes }) => `${String(behindBytes)} bytes` },
        {
          name: 'Drop',
          show: ({ name }) => button({ streamingPipelineId }, `slots/${name}/drop`, 'Drop'),
        },
      ],
      'None.',
    )}`;
}

function button(
  { streamingPipelineId }: Pick<Shown, 'streamingPipelineId'>,
  step: string,
  word: string,
): Markup {
  return html`<form method="post" action="/_platform/streaming/${streamingPipelineId}/${step}">
    <button type="submit">${word}</button>
  </form>`;
}

const CHART = { width: 480, height: 60 };

/** A bar for each second. */
function chart(throughput: readonly number[]): Markup {
  const most = Math.max(1, ...throughput);
  const width = CHART.width / Math.max(1, throughput.length);
  const bars = throughput.map((rows, index) => {
    const height = (rows / most) * CHART.height;
    return html`<rect
      x="${String(index * width)}"
      y="${String(CHART.height - height)}"
      width="${String(width)}"
      height="${String(height)}"
    />`;
  });
  const last = throughput.at(-1) ?? 0;
  return html`<svg
      viewBox="0 0 ${String(CHART.width)} ${String(CHART.height)}"
      width="${String(CHART.width)}"
      height="${String(CHART.height)}"
      role="img"
      aria-label="Rows per second in the last two minutes: at most ${String(most)}, now ${String(last)}"
    >
      ${bars}
    </svg>
    <p>At most ${String(most)} a second in the last two minutes.</p>`;
}
