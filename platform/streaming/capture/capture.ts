import { join } from 'node:path';
import { errorOf } from '../../../lib/core/errors/message-of.ts';
import type { SlotState } from '../source/source.ts';
import { SourceFailure } from '../source/source.ts';
import { TargetFailure } from '../target/target-failure.ts';
import { createWriters, type Writers } from '../target/create-writers.ts';
import { applyTransactions, SnapshotNeeded } from './apply-transactions.ts';
import type { CaptureOptions, CaptureStatus } from './capture-options.ts';
import { type CaptureReason, reasonOf } from './capture-reason.ts';
import { PositionStore, type StoredPosition } from './position-store.ts';
import { SLOT_PREFIX, slotName } from './slot-name.ts';
import { Spool } from './spool.ts';
import { requirePublished, requireSlot, watchTables } from './watch-tables.ts';
import { type CaptureState, type OpenCapture, takeSnapshot } from './take-snapshot.ts';
import { emptyProgress, type CaptureProgress } from './progress.ts';

export type { CaptureOptions, CaptureStatus, OpenTarget } from './capture-options.ts';
export type { CaptureReason } from './capture-reason.ts';

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;
const BATCH_ROWS = 10_000;
const SPOOL_MEMORY = 16 * 1024 ** 2;
const SPOOL_FILE = 4 * 1024 ** 3;

/**
 * Captures the changes of a source into a target: a snapshot first, then the stream, until it is stopped. A failure that may pass
 * (a lost connection, a source that restarts) is tried again; any other ends it with its reason.
 */
export class Capture {
  readonly #options: CaptureOptions;
  #status: CaptureStatus = 'not_running';
  #reason: CaptureReason | undefined;
  #running: { readonly ending: AbortController; readonly done: Promise<void> } | undefined;
  #progress = emptyProgress(0);
  #isSnapshotWanted = false;
  #startsAgain = false;
  #slots: readonly SlotState[] = [];

  constructor(options: CaptureOptions) {
    this.#options = options;
  }

  get status(): CaptureStatus {
    return this.#status;
  }

  /** Why it failed; while it starts: why it has to try again. */
  get reason(): CaptureReason | undefined {
    return this.#reason;
  }

  /** The slots of this product on the source server, as they were at the last start. */
  get slots(): readonly SlotState[] {
    return this.#slots;
  }

  /** The slot of the pipeline, as it was when the slots were read last; undefined: there was none. */
  get slot(): SlotState | undefined {
    const name = slotName(this.#options.id);
    return this.#slots.find((slot) => slot.name === name);
  }

  /** Reads the slots of this product on the source server. Throws SourceFailure. */
  async readSlots(): Promise<readonly SlotState[]> {
    await using source = await this.#options.openSource();
    this.#slots = await source.slots(SLOT_PREFIX);
    return this.#slots;
  }

  /** Drops a slot that no pipeline uses, and its publication if the user owns it. Throws SourceFailure. */
  async dropSlot(name: string): Promise<void> {
    await using source = await this.#options.openSource();
    await source.dropSlot(name);
    await source.dropPublication(name).catch(() => undefined);
    this.#slots = await source.slots(SLOT_PREFIX);
  }

  get progress(): CaptureProgress {
    return this.#progress;
  }

  /** Begins to capture, unless it does already. While it stops, it begins afterwards. */
  start(): void {
    if (this.#running !== undefined) {
      this.#startsAgain = this.#running.ending.signal.aborted;
      return;
    }
    const ending = new AbortController();
    this.#status = 'starting';
    this.#reason = undefined;
    this.#progress = emptyProgress(this.#options.clock.now(), this.#progress.streamedAt);
    this.#running = { ending, done: this.#run(ending.signal) };
  }

  /** Ends after what is being written, without loss: the next start continues there. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#startsAgain = false;
    if (running === undefined) return;
    if (this.#status !== 'not_running') this.#status = 'stopping';
    running.ending.abort();
    await running.done;
    if (this.#running !== running) return;
    this.#running = undefined;
    this.#status = 'not_running';
    if (this.#startsAgain) this.start();
  }

  /** Whether the next start takes a new snapshot, because one was requested. */
  get isSnapshotWanted(): boolean {
    return this.#isSnapshotWanted;
  }

  /** Replaces the rows of the target by those that the source has now, at the next start or at once if it runs. */
  async snapshot(): Promise<void> {
    this.#isSnapshotWanted = true;
    // Without a position, the next start takes a snapshot, also one after a restart of the platform.
    if (this.#running === undefined) return this.#forget();
    await this.stop();
    this.start();
  }

  /**
   * Stops, and removes what the pipeline has in the source. The tables of the target stay. Returns what could not be removed, in
   * sentences for the user. Throws SourceFailure if a later attempt may remove it.
   */
  async remove(): Promise<readonly string[]> {
    await this.stop();
    const name = slotName(this.#options.id);
    const left: string[] = [];
    const attempt = async (what: string, work: () => Promise<void>) => {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof SourceFailure) || error.isTransient) throw error;
        left.push(`${what} may still be in the source: ${error.message}`);
      }
    };
    await attempt(`The replication slot and the publication ${name}`, async () => {
      await using source = await this.#options.openSource();
      await source.dropSlot(name);
      await attempt(`The publication ${name}`, () => source.dropPublication(name));
    });
    await this.#forget();
    return left;
  }

  /** A pipeline without a target has no position in one. */
  async #forget(): Promise<void> {
    try {
      const { warehouse } = await this.#options.openTarget();
      const store = new PositionStore(warehouse, this.#options.id);
      await store.open();
      await store.forget();
    } catch (error) {
      if (!(error instanceof TargetFailure)) throw error;
    }
  }

  async #run(signal: AbortSignal): Promise<void> {
    let wait = FIRST_WAIT_MS;
    while (!signal.aborted) {
      const before = this.#progress.transactions;
      try {
        await this.#attempt(signal);
      } catch (error) {
        if (signal.aborted) break;
        if (error instanceof SnapshotNeeded) continue;
        this.#reason = reasonOf(error);
        const { id, name, logger } = this.#options;
        logger.warn(`The streaming pipeline "${name}" has failed: ${this.#reason.message}`, { id });
        if (!(error instanceof SourceFailure && error.isTransient)) break;
        if (this.#progress.transactions > before) wait = FIRST_WAIT_MS;
      }
      this.#status = 'starting';
      await this.#options.clock.sleep(wait, signal).catch(() => undefined);
      wait = Math.min(wait * 2, MAX_WAIT_MS);
    }
    this.#status = 'not_running';
    if (!signal.aborted) this.#running = undefined;
  }

  /** Captures until the signal aborts; throws whatever ends it before. */
  async #attempt(signal: AbortSignal): Promise<void> {
    const { id, openSource, openTarget, tables } = this.#options;
    await using source = await openSource();
    const opened = await openTarget();
    const warehouse = opened.warehouse.abortable(signal);
    const store = new PositionStore(warehouse, id);
    await store.open();
    await warehouse.refresh();
    const parts: OpenCapture = {
      source,
      warehouse,
      store,
      signal,
      target: { ...opened.options, warehouse, kind: opened.kind },
      name: slotName(id),
      tables,
      batchRows: this.#options.batchRows ?? BATCH_ROWS,
      progress: this.#progress,
      clock: this.#options.clock,
    };
    const writers = createWriters(await source.describe(tables), parts.target);
    this.#slots = await source.slots(SLOT_PREFIX);
    this.#options.onSlots?.();
    let state: CaptureState = {
      writers,
      stored: this.#isSnapshotWanted ? undefined : await store.read(),
    };
    if (state.stored !== undefined) {
      requireSlot(this.#slots, parts.name);
      await requirePublished(source, parts.name, tables);
    }
    while (state.stored === undefined || state.stored.waiting.size > 0) {
      this.#status = 'snapshotting';
      state = await takeSnapshot(parts, state.stored);
      this.#isSnapshotWanted = false;
    }
    await this.#stream(parts, { writers: state.writers, stored: state.stored });
  }

  async #stream(
    { source, warehouse, store, signal, name, tables, batchRows, progress, clock }: OpenCapture,
    { writers, stored }: { readonly writers: Writers; readonly stored: StoredPosition },
  ): Promise<void> {
    const ending = new AbortController();
    const ended = AbortSignal.any([signal, ending.signal]);
    const file = join(this.#options.folder, `${name}.spool`);
    await using spool = new Spool({ file, memoryBytes: SPOOL_MEMORY, fileBytes: SPOOL_FILE });
    await using stream = await source.stream({
      slot: name,
      publication: name,
      from: stored.position,
      signal: ended,
    });
    signal.throwIfAborted();
    this.#status = 'streaming';
    this.#reason = undefined;
    const fail = (error: unknown) => spool.end(errorOf(error));
    const reading = (async () => {
      for await (const messages of stream.messages()) {
        progress.sourceEnd = stream.serverEnd;
        await spool.push(messages);
        progress.waiting = spool.transactions;
      }
      throw new SourceFailure('The source has ended the stream.', { isTransient: true });
    })().catch(fail);
    watchTables({ source, publication: name, tables, clock, signal: ended }).catch(fail);
    const wake = () => spool.end(new Error('stopped'));
    signal.addEventListener('abort', wake, { once: true });
    try {
      const apply = applyTransactions({
        spool,
        warehouse,
        store,
        writers,
        stored,
        batchRows,
        source,
        progress,
        clock,
      });
      for await (const position of apply) {
        stream.acknowledge(position);
        progress.sourceEnd = stream.serverEnd;
        if (signal.aborted) return;
      }
    } finally {
      progress.streamedAt = clock.now();
      signal.removeEventListener('abort', wake);
      ending.abort();
      spool.end(new Error('stopped'));
      await reading;
    }
  }
}
