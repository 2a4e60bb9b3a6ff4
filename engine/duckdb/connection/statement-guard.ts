import { statSync } from 'node:fs';
import process from 'node:process';
import { REFUSAL } from '../../core/refusal.ts';
import { byteCount } from './byte-count.ts';

/** The size that a database file may reach, and the name of the setting for it. */
export interface FileLimit {
  /** As DuckDB writes it: `500MB`, `2GB`. */
  readonly size: string;
  /** Where a person changes the limit, for the error. */
  readonly setting: string;
}

interface GuardOptions {
  readonly memoryLimit: string;
  /** The database file; undefined for a database in memory. */
  readonly path?: string | undefined;
  readonly fileLimit?: FileLimit | undefined;
}

/**
 * Watches two limits that DuckDB does not have: the size of the database file, and the memory of texts while a
 * function builds them.
 */
export class StatementGuard {
  readonly #options: GuardOptions;
  #hasRemoved = false;
  #hasGrown = false;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** Whether the file already has the size that it may have. `free`: the bytes in it that nothing uses. */
  isFull(free = 0): boolean {
    const { fileLimit, path } = this.#options;
    if (fileLimit === undefined || path === undefined) return false;
    return sizeOf(path) + sizeOf(`${path}.wal`) - free >= byteCount(fileLimit.size);
  }

  /** After a statement that removed rows or tables. */
  noteRemoval(): void {
    this.#hasRemoved = true;
  }

  /** Whether writing the file again may free space that is needed: asked once after each removal. */
  takeRemoval(): boolean {
    const has = this.#hasRemoved && this.isFull();
    if (has) this.#hasRemoved = false;
    return has;
  }

  get isLimited(): boolean {
    return this.#options.fileLimit !== undefined && this.#options.path !== undefined;
  }

  /** Before a statement that may add to the file. */
  noteGrowth(): void {
    this.#hasGrown = true;
  }

  /** Before a transaction. */
  forgetGrowth(): void {
    this.#hasGrown = false;
  }

  /**
   * Whether the transaction adds so much to the file that its limit is exceeded. `changes`: the bytes of it that are in
   * memory, and that the file gets when it is committed.
   */
  isFullWith(changes: number, free: number): boolean {
    return this.#hasGrown && this.isFull(free - changes);
  }

  get fullMessage(): string {
    const { size = '', setting = '' } = this.#options.fileLimit ?? {};
    return `the database file would be larger than ${size}; ${setting} is the limit`;
  }

  /**
   * Starts to watch a statement: `exceeded` is called once with the reason. The result ends the watch.
   */
  watch(exceeded: (reason: string) => void): () => void {
    // Without the log: a statement that drops a table writes to it too.
    const fileBefore = this.#fileSize();
    const memoryBefore = process.memoryUsage.rss();
    active += 1;
    const tooLarge = () => (this.isFull() && this.#fileSize() > fileBefore ? this.fullMessage : undefined);
    const allowed = byteCount(this.#options.memoryLimit) + OTHERS;
    const timer = setInterval(() => {
      const isOut = process.memoryUsage.rss() - memoryBefore > allowed * active;
      const reason = isOut ? outOfMemory(this.#options.memoryLimit) : tooLarge();
      if (reason === undefined) return;
      clearInterval(timer);
      exceeded(reason);
    }, INTERVAL_MS);
    return () => {
      clearInterval(timer);
      active -= 1;
    };
  }

  #fileSize(): number {
    const { path } = this.#options;
    return path === undefined ? 0 : sizeOf(path);
  }
}

/** A refusal: a warehouse may run the statement. */
export function outOfMemory(memoryLimit: string): string {
  return `${REFUSAL}a statement that needs more than ${memoryLimit} of memory; use fewer rows`;
}

/** Whether the message of an error is the one of `outOfMemory`. */
export function isOutOfMemory(message: string): boolean {
  return message.startsWith(`${REFUSAL}a statement that needs more than `);
}

/** The statements of this process that run: all share its memory. */
let active = 0;
const INTERVAL_MS = 20;
/** What the rest of the process may take while a statement runs. */
const OTHERS = 500e6;

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
