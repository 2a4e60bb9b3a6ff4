import { rmSync } from 'node:fs';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import type { Logger } from '../../lib/core/ports/ports.ts';
import { messageOf } from '../../lib/core/errors/message-of.ts';
import type { ReadySeed } from '../seed/seed-schema.ts';
import type { Store } from '../store/store.ts';
import { Capture } from '../streaming/capture/capture.ts';
import { slotName } from '../streaming/capture/slot-name.ts';
import type { SlotState } from '../streaming/source/source.ts';
import { openSource } from '../streaming/source/open-source.ts';
import { spoolFolder } from './spool-folder.ts';
import { TargetFailure } from '../streaming/target/target-failure.ts';
import { addressOf, BATCH_SIZE, type StreamingDefinition } from './streaming-source.ts';
import type { Warehouses } from './warehouses.ts';

/** The streaming pipelines that really run, if the seed has `settings.streaming: engine`. */
export interface Captures {
  /** The capture of a streaming pipeline; undefined if streaming is simulated. */
  of(projectId: string, id: string): Capture | undefined;
  /** Removes what a streaming pipeline has in its source, and forgets it. Returns what could not be removed. Throws SourceFailure. */
  remove(projectId: string, id: string): Promise<readonly string[]>;
  /** The slots on the source server of a pipeline that no pipeline of this platform uses: others may, on another platform. */
  otherSlots(capture: Capture): readonly SlotState[];
  /** Starts again what ran when the platform stopped. */
  resume(): void;
  /** Ends all captures, and removes what they have in their sources. */
  reset(): void;
  /** Ends all captures. Without a folder for the state, what they have in their sources is removed. */
  close(): Promise<void>;
}

interface CapturesOptions {
  readonly store: Store;
  readonly seed: ReadySeed;
  readonly warehouses: Warehouses;
  /** The folder of the platform's state, or `:memory:`. */
  readonly data: string;
  readonly logger: Logger;
  /** For the values of secrets. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface Row {
  readonly id: string;
  readonly projectId: string;
  readonly definition: string;
}

export function createCaptures(options: CapturesOptions): Captures {
  const { store, seed, data, logger } = options;
  const isSimulated = seed.settings.streaming === 'simulate';
  const captures = new Map<string, Capture>();
  /** The slots that the log has named. */
  const warned = new Set<string>();
  let folder: string | undefined;
  let ended: Promise<void> = Promise.resolve();

  function of(projectId: string, id: string): Capture | undefined {
    if (isSimulated) return undefined;
    const existing = captures.get(id);
    if (existing !== undefined) return existing;
    const row = store.get<Row>(
      'SELECT id, project_id AS projectId, definition FROM streaming_pipeline WHERE project_id = ? AND id = ?',
      projectId,
      id,
    );
    if (row === undefined) return undefined;
    folder ??= spoolFolder(data);
    const capture: Capture = createCapture(row, folder, ended, {
      ...options,
      onSlots: () => warnOfSlots(id, otherSlots(capture)),
    });
    captures.set(id, capture);
    return capture;
  }

  function otherSlots(capture: Capture): readonly SlotState[] {
    const own = new Set(
      store.all<{ id: string }>('SELECT id FROM streaming_pipeline').map((row) => slotName(row.id)),
    );
    return capture.slots.filter(({ name, isActive }) => !isActive && !own.has(name));
  }

  function warnOfSlots(id: string, slots: readonly SlotState[]): void {
    for (const { name } of slots) {
      if (warned.has(name)) continue;
      warned.add(name);
      logger.warn(
        `Nothing reads the replication slot ${name}, so its server keeps its log for it. If no other platform uses it, drop it at /_platform/streaming/${id}.`,
        { id },
      );
    }
  }

  function rowsWhere(condition: string): readonly Row[] {
    return store.all<Row>(
      `SELECT id, project_id AS projectId, definition FROM streaming_pipeline WHERE ${condition}`,
    );
  }

  async function removeAll(): Promise<void> {
    const removed = [...captures];
    captures.clear();
    for (const [id, capture] of removed) {
      const left = await capture
        .remove()
        .catch((error: unknown) => [
          `The replication slot ${slotName(id)} may still be in the source: ${messageOf(error)}`,
        ]);
      for (const sentence of left) logger.warn(sentence, { id });
    }
  }

  return {
    of,
    async remove(projectId, id) {
      const left = (await of(projectId, id)?.remove()) ?? [];
      captures.delete(id);
      for (const sentence of left) logger.warn(sentence, { id });
      return left;
    },
    otherSlots,
    resume() {
      if (isSimulated) return;
      const started = rowsWhere("command = 'start'");
      for (const { projectId, id } of started) of(projectId, id)?.start();
    },
    reset() {
      const commanded = isSimulated ? [] : rowsWhere('command IS NOT NULL');
      for (const { projectId, id } of commanded) of(projectId, id);
      const removing = removeAll();
      ended = ended.then(() => removing);
    },
    async close() {
      await ended;
      if (data === ':memory:') await removeAll();
      else await Promise.all([...captures.values()].map((capture) => capture.stop()));
      if (folder !== undefined && data === ':memory:') rmSync(folder, { recursive: true, force: true });
    },
  };
}

function createCapture(
  { id, projectId, definition: text }: Row,
  folder: string,
  /** Resolves when an earlier pipeline, which may have had the same id, is removed from its source. */
  removed: Promise<void>,
  {
    store,
    seed,
    warehouses,
    logger,
    environment,
    onSlots,
  }: CapturesOptions & { readonly onSlots: () => void },
): Capture {
  // The store has only what the contract has let through.
  const definition = JSON.parse(text) as StreamingDefinition;
  const { streamingSource, streamingTarget, advancedProperties = {} } = definition;
  const batchRows = Number(advancedProperties[BATCH_SIZE] ?? 0);
  return new Capture({
    id,
    name: definition.name,
    tables: streamingSource.tables,
    openSource: async () => {
      await removed;
      return openSource(addressOf(definition, { seed, environment }));
    },
    openTarget: async () => {
      const options = {
        schema: streamingTarget.tableSchema,
        sourceDatabase: streamingSource.connection.database,
        prefixType: valueOf(streamingTarget, 'tablePrefixType', [
          'PREFIX',
          'SOURCE_DATABASE_AND_SCHEMA',
          'NONE',
        ]),
        prefix: streamingTarget.stagePrefix,
        transformation: valueOf(streamingTarget, 'transformationType', [
          'CHANGE_LOG',
          'COPY_TABLE',
          'COPY_TABLE_SOFT_DELETE',
        ]),
        temporal: valueOf(streamingTarget, 'temporalMapping', ['NATIVE', 'EPOCH']),
      } as const;
      const target = targetEnvironment({ store, seed, warehouses, projectId, definition });
      const { database } = warehouses.connectionOf(projectId, target);
      return { ...(await warehouses.target(projectId, target)), options: { ...options, database } };
    },
    folder,
    clock: systemClock,
    logger,
    onSlots,
    batchRows: Number.isInteger(batchRows) && batchRows > 0 ? batchRows : undefined,
  });
}

/** A field whose other values the API lets through, and the local platform does not know. Throws TargetFailure. */
function valueOf<const Value extends string>(
  target: StreamingDefinition['streamingTarget'],
  field: 'tablePrefixType' | 'transformationType' | 'temporalMapping',
  values: readonly Value[],
): Value {
  const value = values.find((candidate) => candidate === target[field]);
  if (value !== undefined) return value;
  throw new TargetFailure(
    `The local platform does not know the ${field} "${target[field]}".`,
    `Set \`streamingTarget.${field}\` to ${values.join(', ')}.`,
  );
}

/** The environment whose warehouse a pipeline writes into. Throws TargetFailure unless it is exactly one. */
function targetEnvironment({
  store,
  seed,
  warehouses,
  projectId,
  definition: { name, streamingTarget },
}: Pick<CapturesOptions, 'store' | 'seed' | 'warehouses'> & {
  readonly projectId: string;
  readonly definition: StreamingDefinition;
}): string {
  const environments = store
    .all<{ name: string }>('SELECT name FROM environment WHERE project_id = ? ORDER BY seq', projectId)
    .map((row) => row.name);
  const named = seed.streamingTargets.find(({ pipeline }) => pipeline === name)?.environment;
  if (named !== undefined && environments.includes(named)) return named;
  const { database, connection } = streamingTarget;
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const fitting = environments.filter((environment) => {
    const of = warehouses.connectionOf(projectId, environment);
    return same(of.database, database) && same(of.account ?? connection.accountName, connection.accountName);
  });
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  const what = `the account "${connection.accountName}" and the database "${database}"`;
  const list = environments
    .map((environment) => `${environment} (${warehouses.connectionOf(projectId, environment).database})`)
    .join(', ');
  const hint =
    'Name the environment of the pipeline in `streamingTargets` in the seed, or change `streamingTarget.database`.';
  if (only === undefined)
    throw new TargetFailure(
      `No environment of the project has a connection with ${what}. Environments and their databases: ${list}.`,
      hint,
    );
  throw new TargetFailure(
    `Several environments have a connection with ${what}: ${fitting.join(', ')}.`,
    hint,
  );
}
