import type { Socket } from 'node:net';
import type { Submittable } from 'pg';
import { type Connection, socketOf } from './connection.ts';
import { createFrameReader, frameHeader } from './frames.ts';
import type { Position } from './messages.ts';
import { positionText } from './positions.ts';
import { quoteName, quoteText } from './quote.ts';
import { createReceipts } from './receipts.ts';
import { findSlot } from './slots.ts';
import { type ChangeStream, type SourceAddress, SourceFailure } from './source.ts';
import { lostSlot, missingSlot, serverName, silentFailure, sourceFailureOf } from './source-failure-of.ts';
import { copyDone, statusUpdate } from './status-update.ts';

export interface StreamRequest {
  readonly address: SourceAddress;
  readonly slot: string;
  readonly publication: string;
  readonly from: Position;
  readonly signal: AbortSignal;
}

/** This many bytes wait in memory; then the socket is not read until they are taken. */
const maxWaiting = 1_000_000;

/** Acknowledgements that nobody asks for are this far apart. */
const acknowledgeMs = 100;

/** Milliseconds that a server has to end the stream after it was asked to. */
const closeMs = 2000;

const kinds = { copyData: 0x64, copyBoth: 0x57, changes: 0x77, keepAlive: 0x6b };

/** In a message with changes: its kind, and three numbers of eight bytes. */
const changesHeader = 1 + 8 + 8 + 8;

/** Streams the changes of a slot over a connection that replicates, which then belongs to the stream. */
export async function streamChanges(connection: Connection, request: StreamRequest): Promise<ChangeStream> {
  const { address, slot, publication, from, signal } = request;
  const server = serverName(address);
  const found = await findSlot(connection, slot);
  if (found === undefined) throw explained(missingSlot(slot, server));
  if (found.lost !== undefined) throw explained(lostSlot(slot, server, found.lost));
  const [limit] = await connection.query(`SELECT setting FROM pg_settings WHERE name = 'wal_sender_timeout'`);
  // The slot may be further than the target: without changes of these tables, keep-alives have moved it.
  const receipts = createReceipts(found.confirmed > from ? found.confirmed : from);
  const socket = socketOf(connection.client);

  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let wake = (): void => {};
  let failure: SourceFailure | undefined;
  let closing: Promise<void> | undefined;
  let isPaused = false;
  let quietMs = 0;
  let hasAsked = false;
  let acknowledgeTimer: NodeJS.Timeout | undefined;
  let lastStatus = Number.NEGATIVE_INFINITY;

  function fail(reason: SourceFailure): void {
    if (closing !== undefined || failure !== undefined) return;
    failure = reason;
    stopTimers();
    connection.end(reason);
    wake();
  }

  function stopTimers(): void {
    clearTimeout(acknowledgeTimer);
    clearInterval(watch);
    signal.removeEventListener('abort', abort);
  }

  function sendStatus({ asks = false } = {}): void {
    if (!socket.writable) return;
    clearTimeout(acknowledgeTimer);
    acknowledgeTimer = undefined;
    lastStatus = performance.now();
    socket.write(statusUpdate(receipts.acknowledged, asks));
  }

  function sendSoon(): void {
    if (acknowledgeTimer !== undefined || closing !== undefined || failure !== undefined) return;
    const wait = lastStatus + acknowledgeMs - performance.now();
    if (wait <= 0) sendStatus();
    else acknowledgeTimer = setTimeout(sendStatus, wait);
  }

  function receive(bytes: Buffer, start: number, end: number): void {
    const kind = bytes[start];
    if (kind === kinds.changes && end - start > changesHeader) {
      const message = bytes.subarray(start + changesHeader, end);
      receipts.message(bytes, start + changesHeader);
      waiting.push(message);
      waitingBytes += message.length;
    } else if (kind === kinds.keepAlive && end - start >= 18) {
      if (receipts.keepAlive(bytes.readBigUInt64BE(start + 1))) sendSoon();
      if (bytes[start + 17] === 1) sendStatus();
    } else throw new RangeError(`a message of the kind ${kind}`);
  }

  // The tick of a process that was busy or asleep counts once: the server may have sent something in that time.
  const serverLimit = Number(limit?.['setting'] ?? 0) || Number.POSITIVE_INFINITY;
  const tickMs = Math.max(5, Math.min(address.silenceMs / 4, serverLimit / 4, 10_000));
  const watch = setInterval(() => {
    quietMs = isPaused ? 0 : quietMs + tickMs;
    if (quietMs > address.silenceMs) return fail(silentFailure(address, address.silenceMs));
    const asks = quietMs >= address.silenceMs / 2 && !hasAsked;
    // Also unasked: what asks may be in the socket, which is not read while the target is slow.
    if (asks || performance.now() - lastStatus >= Math.min(serverLimit / 3, 10_000)) sendStatus({ asks });
    hasAsked ||= asks;
  }, tickMs);

  const abort = (): void => void close();
  signal.addEventListener('abort', abort, { once: true });

  function close(): Promise<void> {
    closing ??= (async () => {
      stopTimers();
      wake();
      if (failure === undefined && connection.isOpen && socket.writable) {
        sendStatus();
        socket.write(copyDone);
        const ended = new Promise((resolve) => socket.once('close', resolve));
        connection.client.connection.end();
        socket.resume();
        const timer = setTimeout(() => socket.destroy(), closeMs);
        await ended;
        clearTimeout(timer);
      }
      await connection[Symbol.asyncDispose]();
    })();
    return closing;
  }

  const query = `START_REPLICATION SLOT ${quoteName(slot)} LOGICAL ${positionText(from)} (proto_version '1', publication_names ${quoteText(quoteName(publication))})`;
  try {
    await startReplication(connection, query, {
      onData(bytes, start, end) {
        quietMs = 0;
        hasAsked = false;
        if (closing !== undefined || failure !== undefined) return;
        receive(bytes, start, end);
      },
      onChunk() {
        if (waiting.length > 0) wake();
        if (waitingBytes < maxWaiting || isPaused || closing !== undefined) return;
        isPaused = true;
        socket.pause();
      },
      onEnd: (error) => fail(connection.failure ?? sourceFailureOf(error, { address, slot, publication })),
    });
  } catch (error) {
    fail(sourceFailureOf(error, { address, slot, publication }));
  }
  if (failure !== undefined) throw failure;
  if (signal.aborted) {
    await close();
    throw signal.reason;
  }

  return {
    async *messages() {
      for (;;) {
        if (closing !== undefined) return;
        if (waiting.length > 0) {
          const list = waiting;
          waiting = [];
          waitingBytes = 0;
          if (isPaused) {
            isPaused = false;
            quietMs = 0;
            socket.resume();
          }
          yield list;
        } else if (failure !== undefined) throw failure;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    acknowledge(position) {
      if (receipts.acknowledge(position)) sendSoon();
    },
    get serverEnd() {
      return receipts.serverEnd;
    },
    [Symbol.asyncDispose]: close,
  };
}

const explained = ({ message, hint }: { readonly message: string; readonly hint?: string }): SourceFailure =>
  new SourceFailure(message, { hint });

interface Listener {
  /** A message of the stream; throws for one that is not of its protocol. */
  onData(bytes: Buffer, start: number, end: number): void;
  /** After the messages of a chunk. */
  onChunk(): void;
  onEnd(error: unknown): void;
}

/**
 * Starts a stream, and resolves when the server has. From then on, the chunks of the socket are read here, and not by the parser of
 * `pg`, which gets only what does not belong to the stream, such as errors.
 */
async function startReplication(connection: Connection, query: string, listener: Listener): Promise<void> {
  const socket: Socket = socketOf(connection.client);
  await new Promise<void>((resolve, reject) => {
    const end = (error: unknown): void => {
      reject(error);
      listener.onEnd(error);
    };
    const stream: Submittable &
      Record<'handleError' | 'handleCommandComplete' | 'handleReadyForQuery', (error: unknown) => void> = {
      submit(wire) {
        const [pass] = socket.listeners('data') as ((chunk: Buffer) => void)[];
        if (pass === undefined) throw new Error('the socket is not read');
        socket.removeListener('data', pass);
        const frames = createFrameReader((kind, bytes, from, to) => {
          if (kind === kinds.copyData) listener.onData(bytes, from, to);
          else if (kind === kinds.copyBoth) resolve();
          else pass(bytes.subarray(from - frameHeader, to));
        });
        socket.on('data', (chunk: Buffer) => {
          try {
            frames.read(chunk);
            listener.onChunk();
          } catch (error) {
            end(
              new SourceFailure(
                `The server does not follow the protocol of replication: ${(error as Error).message}.`,
              ),
            );
          }
        });
        wire.query(query);
      },
      handleError: end,
      handleCommandComplete: () => end(new Error('Connection terminated by the server')),
      handleReadyForQuery() {},
    };
    connection.client.query(stream);
  });
}
