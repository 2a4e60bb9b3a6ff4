import type { Command, Redis } from 'ioredis';

/** Milliseconds between two checks of the slots in use. */
const everyMs = 1_000;
/** Maximum wait of a command whose caller waits, in milliseconds. */
const refusedAfterMs = 2_000;

interface SlotGateOptions {
  /** The connection to the node that has a slot, by the cluster's table of slots; undefined while there is none. */
  readonly nodeOf: (slot: number) => Redis | undefined;
  /** Asks the nodes for the table of slots again. */
  readonly refreshSlots: () => void;
  /** Whether commands wait while their slot is being moved. If not, they are refused. */
  readonly waits: boolean;
  readonly onMoving: (error: Error) => void;
  readonly onMoved: () => void;
}

type SlotState = 'unknown' | 'fixed' | 'moving';

/**
 * Holds back commands about a slot of a cluster that is being moved to another node. In such a slot, a script fails at the
 * first key that has already moved, after it has written other keys. So no command about a slot is sent until its node has
 * reported once that the slot is not being moved, and none while the slot is being moved.
 */
export class SlotGate {
  readonly #options: SlotGateOptions;
  readonly #slots = new Map<number, SlotState>();
  #held: { readonly slot: number; readonly command: Command; readonly send: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SlotGateOptions) {
    this.#options = options;
  }

  /** Sends a command now, later or never. */
  pass(command: Command, send: () => void): void {
    const slot = command.getSlot();
    if (slot === null) return send();
    const state = this.#slots.get(slot);
    if (state === 'fixed') return send();
    if (state === 'moving' && !this.#options.waits) return command.reject(movingError(slot));
    this.#held.push({ slot, command, send });
    if (!this.#options.waits) {
      const late = new Error('The Redis Cluster does not say in time whether the records are being moved.');
      setTimeout(() => this.#refuse((entry) => entry.command === command, late), refusedAfterMs).unref();
    }
    if (state !== undefined) return;
    this.#slots.set(slot, 'unknown');
    void this.look();
  }

  /** Asks the nodes about all slots in use. */
  async look(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all([...this.#slots.keys()].map((slot) => this.#ask(slot)));
    clearTimeout(this.#timer);
    if (this.#slots.size === 0) return;
    // Commands wait for a slot whose state is not known yet.
    const ms = [...this.#slots.values()].includes('unknown') ? everyMs / 10 : everyMs;
    this.#timer = setTimeout(() => void this.look(), ms);
    this.#timer.unref();
  }

  async #ask(slot: number): Promise<void> {
    const before = this.#slots.get(slot);
    const { nodeOf, refreshSlots } = this.#options;
    const nodes = await nodeOf(slot)
      ?.cluster('NODES')
      .catch(() => undefined);
    // The gate was closed while the node answered.
    if (!this.#slots.has(slot)) return;
    // After a failover, the table has the old master. ioredis reads it again only after a command failed, and none is sent yet.
    if (typeof nodes !== 'string') return refreshSlots();
    const myself = nodes.split('\n').find((line) => line.includes('myself')) ?? '';
    // [slot->-node]: to that node; [slot-<-node]: from it.
    const isMoving = myself.includes(`[${slot}-`);
    this.#slots.set(slot, isMoving ? 'moving' : 'fixed');
    if (isMoving) {
      if (!this.#options.waits) this.#refuse((entry) => entry.slot === slot, movingError(slot));
      return this.#options.onMoving(movingError(slot));
    }
    if (before === 'moving') this.#options.onMoved();
    this.#release(slot);
  }

  #refuse(
    which: (held: { readonly slot: number; readonly command: Command }) => boolean,
    error: Error,
  ): void {
    const refused = this.#held.filter(which);
    this.#held = this.#held.filter((entry) => !which(entry));
    for (const { command } of refused) command.reject(error);
  }

  #release(slot: number): void {
    const free = this.#held.filter((entry) => entry.slot === slot);
    this.#held = this.#held.filter((entry) => entry.slot !== slot);
    for (const { send } of free) send();
  }

  /** Sends the held commands, so that they fail as on a closed connection. After the connection is opened again, the first command asks again. */
  close(): void {
    clearTimeout(this.#timer);
    const slots = [...this.#slots.keys()];
    this.#slots.clear();
    for (const slot of slots) this.#release(slot);
  }
}

const movingError = (slot: number): Error =>
  new Error(
    `The slot ${slot} of the Redis Cluster, which has the records, is being moved to another node. Nothing is written until that has ended.`,
  );
