import type { FastifyInstance } from 'fastify';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { readKeptLog, statusOf, type StreamingRow } from '../world/streaming-status.ts';
import type { SourceTable } from '../streaming/source/source.ts';
import type { World } from '../world/world.ts';

interface Row extends StreamingRow {
  readonly project: string;
  readonly projectName: string;
  readonly name: string;
  /** As JSON. */
  readonly tables: string;
}

const statuses = ['starting', 'snapshotting', 'streaming', 'stopping', 'not_running'];

/** Answers with metrics of the streaming pipelines, in the text format of Prometheus. */
export function registerMetrics(scope: FastifyInstance, world: World): void {
  scope.get('/metrics', async (_request, reply) => {
    // Only here, so that a platform that nobody measures does not load it.
    const { Counter, Gauge, Registry } = await import('prom-client');
    const registry = new Registry();
    const options = <Label extends string>(name: string, help: string, labels: readonly Label[]) => ({
      name: `millrace_streaming_${name}`,
      help,
      labelNames: ['project', 'pipeline', ...labels] as const,
      registers: [registry],
    });
    const gauge = <Label extends string>(name: string, help: string, ...labels: Label[]) =>
      new Gauge(options(name, help, labels));
    const counter = <Label extends string>(name: string, help: string, ...labels: Label[]) =>
      new Counter(options(name, help, labels));
    const status = gauge(
      'status',
      '1 for the current status of a streaming pipeline, 0 for all other statuses.',
      'status',
    );
    const lagBytes = gauge('lag_bytes', 'Bytes of the source’s log that are not in the target yet.');
    const lagSeconds = gauge('lag_seconds', 'Seconds that the target is behind the source.');
    const warning = gauge('warning', '1 while the status has a warning, such as a log that grows.');
    const failed = gauge('failed', '1 while the status has the reason of a failure.');
    const rows = counter(
      'rows_total',
      'Rows of snapshots and changes since the start, by source table.',
      'table',
    );
    const transactions = counter(
      'transactions_total',
      'Transactions of the source that were written to the target since the start.',
    );
    const waiting = gauge(
      'waiting_transactions',
      'Transactions that were received but are not in the target yet.',
    );
    const perSecond = gauge('rows_per_second', 'Rows of snapshots and changes in the last whole second.');

    const pipelines = world.store.all<Row>(
      `SELECT s.id, s.project_id AS project, p.name AS projectName, s.definition ->> '$.name' AS name,
         s.definition ->> '$.streamingSource.tables' AS tables, s.command, s.commanded_at, s.takes_ms, s.fails
       FROM streaming_pipeline s JOIN project p ON p.id = s.project_id ORDER BY s.rowid`,
    );
    await Promise.all(pipelines.map((row) => readKeptLog(world, row.project, row)));
    for (const row of pipelines) {
      const labels = { project: row.projectName, pipeline: row.name };
      const state = statusOf(world, row.project, row);
      for (const name of statuses) status.set({ ...labels, status: name }, Number(name === state.status));
      warning.set(labels, Number(state.warning !== undefined));
      failed.set(labels, Number(state.reason !== undefined));
      if (state.lag !== undefined) {
        lagBytes.set(labels, state.lag.bytes);
        lagSeconds.set(labels, state.lag.seconds);
      }
      const progress = world.captures.of(row.project, row.id)?.progress;
      if (progress === undefined) continue;
      // From the start: the first count of a series that begins later is not an increase for Prometheus.
      for (const { schema, table } of JSON.parse(row.tables) as SourceTable[]) {
        const name = `${schema}.${table}`;
        rows.inc({ ...labels, table: name }, progress.tables.get(name) ?? 0);
      }
      transactions.inc(labels, progress.transactions);
      waiting.set(labels, progress.waiting);
      perSecond.set(labels, progress.throughput(systemClock.now()).at(-2) ?? 0);
    }
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
