import { statSync } from 'node:fs';
import process from 'node:process';
import { REFUSAL } from '../../core/refusal.ts';
import { byteCount } from './byte-count.ts';

/** The maximum size of a database file, and the name of the setting for it. */
export interface FileLimit {
  /** The size as DuckDB writes it: `500MB` or `2GB`. */
  readonly size: string;
  /** Where a user can change the limit, for the error message. */
  readonly setting: string;
}

interface GuardOptions {
  readonly memoryLimit: string;
  /** The database file; undefined for a database in memory. */
  readonly path?: string | undefined;
  readonly fileLimit?: FileLimit | undefined;
}

/**
 * Watches two limits that DuckDB does not have: the maximum size of the database file, and the memory that texts may
 * use while a function builds them.
 */
export class StatementGuard {
  readonly #options: GuardOptions;
  #hasRemoved = false;
  #hasGrown = false;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /** Whether the file has reached its maximum size. `free` is the number of bytes in the file that are not in use. */
  isFull(free = 0): boolean {
    const { fileLimit, path } = this.#options;
    if (fileLimit === undefined || path === undefined) return false;
    return sizeOf(path) + sizeOf(`${path}.wal`) - free >= byteCount(fileLimit.size);
  }

  /** Notes that a statement removed rows or tables. */
  noteRemoval(): void {
    this.#hasRemoved = true;
  }

  /** Whether rewriting the file may free space that is needed. True at most once after each removal. */
  takeRemoval(): boolean {
    const has = this.#hasRemoved && this.isFull();
    if (has) this.#hasRemoved = false;
    return has;
  }

  get isLimited(): boolean {
    return this.#options.fileLimit !== undefined && this.#options.path !== undefined;
  }

  /** Notes that a statement is about to run that may make the file larger. */
  noteGrowth(): void {
    this.#hasGrown = true;
  }

  /** Forgets earlier growth. Called before a transaction. */
  forgetGrowth(): void {
    this.#hasGrown = false;
  }

  /**
   * Whether a transaction adds so much to the file that the file exceeds its limit. `changes` is the number of bytes
   * of the transaction that are still in memory and are written to the file by the commit.
   */
  isFullWith(changes: number, free: number): boolean {
    return this.#hasGrown && this.isFull(free - changes);
  }

  get fullMessage(): string {
    const { size = '', setting = '' } = this.#options.fileLimit ?? {};
    return `the database file would become larger than its limit of ${size}, which is set by ${setting}`;
  }

  /**
   * Starts to watch a statement. If a limit is exceeded, `exceeded` is called once with the reason. The returned
   * function ends the watch.
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

/** The message about missing memory. It is a refusal, because a warehouse may be able to run the statement. */
export function outOfMemory(memoryLimit: string): string {
  return `${REFUSAL}a statement that needs more than ${memoryLimit} of memory; use fewer rows`;
}

/** Whether the message of an error was created by `outOfMemory`. */
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
