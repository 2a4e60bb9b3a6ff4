import { type FileHandle, open, rm } from 'node:fs/promises';

interface SpoolOptions {
  /** Where the file is created once the messages in memory are too large. */
  readonly file: string;
  /** Bytes of messages in memory. */
  readonly memoryBytes: number;
  /** Bytes of messages in the file; then `push` waits until they have been read. */
  readonly fileBytes: number;
}

/** A commit of `pgoutput`. */
const COMMIT = 0x43;
const LENGTH_BYTES = 4;
const READ_BYTES = 1024 ** 2;

/**
 * Holds the messages between source and target, in order: in memory, and on disk if the target is slower. It need
 * not survive a crash, because the source keeps everything that is not acknowledged.
 */
export class Spool implements AsyncDisposable {
  readonly #options: SpoolOptions;
  /** The oldest messages, before the messages in the file. */
  #memory: Buffer[] = [];
  #next = 0;
  #memoryBytes = 0;
  #file: FileHandle | undefined;
  #written = 0;
  #isWriting = false;
  #read = 0;
  /** Read from the file and not yet taken. */
  #chunk: Buffer = Buffer.alloc(0);
  #transactionsIn = 0;
  #transactionsOut = 0;
  #failure: Error | undefined;
  #waiters: (() => void)[] = [];

  constructor(options: SpoolOptions) {
    this.#options = options;
  }

  /** Whether a whole transaction waits. */
  get hasTransaction(): boolean {
    return this.#transactionsIn > this.#transactionsOut;
  }

  get transactions(): number {
    return this.#transactionsIn - this.#transactionsOut;
  }

  /** Adds messages. Resolves when there is room for more. */
  async push(messages: readonly Buffer[]): Promise<void> {
    const isFull = this.#file !== undefined || this.#memoryBytes >= this.#options.memoryBytes;
    if (isFull) await this.#write(messages);
    else {
      this.#memory.push(...messages);
      for (const { length } of messages) this.#memoryBytes += length;
    }
    for (const message of messages) if (message[0] === COMMIT) this.#transactionsIn += 1;
    this.#wake();
    while (this.#written - this.#read > this.#options.fileBytes && this.hasTransaction) await this.#changed();
  }

  /** Everything that waits is read; then `ready` throws the failure. */
  end(failure: Error): void {
    this.#failure ??= failure;
    this.#wake();
  }

  /** Resolves when a whole transaction waits. Throws the failure after which nothing comes. */
  async ready(): Promise<void> {
    while (!this.hasTransaction) {
      if (this.#failure !== undefined) throw this.#failure;
      await this.#changed();
    }
  }

  /**
   * The next message, at once if it is in memory: a promise for each message would cost more than what is done with it. Call it
   * only while a whole transaction waits, or in the middle of one.
   */
  next(): Buffer | Promise<Buffer> {
    const message = this.#fromMemory() ?? this.#fromChunk();
    return message === undefined ? this.#fromFile() : this.#taken(message);
  }

  /** Gives back messages, the last ones that were taken. No commit may be among them. */
  unread(messages: readonly Buffer[]): void {
    this.#memory = [...messages, ...this.#memory.slice(this.#next)];
    this.#next = 0;
    for (const { length } of messages) this.#memoryBytes += length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#memory = [];
    await this.#removeFile();
  }

  #fromMemory(): Buffer | undefined {
    const message = this.#memory[this.#next];
    if (message === undefined) return undefined;
    this.#next += 1;
    this.#memoryBytes -= message.length;
    if (this.#next === this.#memory.length) {
      this.#memory = [];
      this.#next = 0;
    }
    return message;
  }

  async #write(messages: readonly Buffer[]): Promise<void> {
    // Until the end of the write, the file is not removed.
    this.#isWriting = true;
    try {
      this.#file ??= await open(this.#options.file, 'w+', 0o600);
      await this.#append(this.#file, messages);
    } finally {
      this.#isWriting = false;
    }
  }

  async #append(file: FileHandle, messages: readonly Buffer[]): Promise<void> {
    const parts = messages.flatMap((message) => {
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(message.length);
      return [length, message];
    });
    const bytes = Buffer.concat(parts);
    await file.write(bytes, 0, bytes.length, this.#written);
    this.#written += bytes.length;
  }

  #taken(message: Buffer): Buffer {
    if (message[0] === COMMIT) this.#transactionsOut += 1;
    return message;
  }

  /** A message that was read from the file already, unless it is the last one there. */
  #fromChunk(): Buffer | undefined {
    if (this.#chunk.length < LENGTH_BYTES) return undefined;
    const end = LENGTH_BYTES + this.#chunk.readUInt32BE();
    if (this.#chunk.length <= end) return undefined;
    const message = this.#chunk.subarray(LENGTH_BYTES, end);
    this.#chunk = this.#chunk.subarray(end);
    return message;
  }

  async #fromFile(): Promise<Buffer> {
    const length = (await this.#take(LENGTH_BYTES)).readUInt32BE();
    const message = await this.#take(length);
    if (this.#read === this.#written && this.#chunk.length === 0 && !this.#isWriting)
      await this.#removeFile();
    return this.#taken(message);
  }

  async #take(length: number): Promise<Buffer> {
    if (this.#chunk.length < length) await this.#readChunk(length);
    const bytes = this.#chunk.subarray(0, length);
    this.#chunk = this.#chunk.subarray(length);
    return bytes;
  }

  async #readChunk(length: number): Promise<void> {
    const wanted = Math.min(Math.max(length, READ_BYTES), this.#written - this.#read + this.#chunk.length);
    const missing = wanted - this.#chunk.length;
    const bytes = Buffer.alloc(missing);
    const { bytesRead } = (await this.#file?.read(bytes, 0, missing, this.#read)) ?? { bytesRead: 0 };
    this.#read += bytesRead;
    this.#chunk = Buffer.concat([this.#chunk, bytes.subarray(0, bytesRead)]);
    if (this.#chunk.length < length)
      throw new Error(`the spool file ${this.#options.file} is shorter than what was written`);
    this.#wake();
  }

  async #removeFile(): Promise<void> {
    const file = this.#file;
    if (file === undefined) return;
    this.#file = undefined;
    this.#written = 0;
    this.#read = 0;
    this.#chunk = Buffer.alloc(0);
    await file.close();
    await rm(this.#options.file, { force: true });
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #wake(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}
