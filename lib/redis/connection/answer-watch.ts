import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Command, Redis } from 'ioredis';

/** Maximum time without an answer to a command, in milliseconds. After it, the connection counts as dead. */
const answerWithinMs = 4_000;
/** How much later than its own time limit a blocking command may be answered, in milliseconds. */
const blockingMarginMs = 2_000;
/**
 * Added to each limit, by a second timer. If this process was stopped for a while, its timers run before it reads the
 * answers that have arrived.
 */
const graceMs = 1_000;

/** Parts of a connection of ioredis that its types do not show; `silent-connection.test.ts` fails without them. */
interface Inside {
  readonly stream: Socket | undefined;
  readonly commandQueue: { peekFront(): { readonly command: Command } | undefined };
  silentEmit(event: 'error', error: Error): void;
}

/** Parts of `Command` that its types do not show. */
interface InsideCommand {
  readonly isSettled: boolean;
  /** Milliseconds; null: no limit; undefined: the command does not block. */
  extractBlockingTimeout(): number | null | undefined;
}

/**
 * Ends the connection if Redis does not answer a command in time, because nothing else notices soon that a connection died
 * without a last packet. After that, ioredis connects again, as after each lost connection. Redis answers in the order of the commands, so only
 * the oldest one without an answer is watched.
 */
export function watchAnswers(redis: Redis): void {
  const inside = redis as unknown as Inside;
  const watched = new WeakSet<Socket>();
  let timer: NodeJS.Timeout | undefined;

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function watchOldest(): void {
    const oldest = inside.commandQueue.peekFront()?.command;
    const { stream } = inside;
    if (oldest === undefined || stream === undefined || stream.destroyed) return;
    if (!watched.has(stream)) {
      watched.add(stream);
      // Registered after the listener of ioredis, which takes the answered commands out of the queue.
      stream.on('data', () => {
        stop();
        watchOldest();
      });
      stream.once('close', stop);
    }
    const limit = limitOf(oldest);
    if (limit === undefined) return;
    timer = setTimeout(() => {
      timer = setTimeout(() => {
        timer = undefined;
        end(stream, oldest, limit + graceMs);
      }, graceMs);
    }, limit);
  }

  function end(stream: Socket, { name }: Command, ms: number): void {
    const seconds = Math.round(ms / 1000);
    const message = `Redis did not answer ${name.toUpperCase()} within ${seconds} s, so the connection was ended.`;
    inside.silentEmit('error', new Error(message));
    discard(stream);
  }

  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (...args) => {
    const [command] = args;
    // Its caller already has the error that there was no answer. Without this, ioredis would send the command again on a new connection.
    if ((command as unknown as InsideCommand).isSettled) return command.promise;
    const answer = send(...args);
    if (timer === undefined) watchOldest();
    return answer;
  };
}

/** Milliseconds for the answer of a command; undefined if it may block without a limit. */
function limitOf(command: Command): number | undefined {
  const blocksFor = (command as unknown as InsideCommand).extractBlockingTimeout();
  if (blocksFor === undefined) return answerWithinMs;
  return blocksFor === null || blocksFor === 0 ? undefined : blocksFor + blockingMarginMs;
}

/**
 * Closes a socket and discards its unsent bytes. Otherwise the system would try to send them for minutes, and a command could
 * reach Redis after the same command on the next connection.
 */
function discard(stream: Socket): void {
  if (stream instanceof TLSSocket || stream.remotePort === undefined) stream.destroy();
  else stream.resetAndDestroy();
}
