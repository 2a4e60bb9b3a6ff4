import { Redis, type RedisOptions } from 'ioredis';
import { watchAnswers } from './answer-watch.ts';
import { isFromReplica } from './replica-error.ts';

/** Answers have the same form with each version of the protocol. */
type Options = RedisOptions & { replyMapping?: 'legacy' };

/** A command as a connection keeps it until it is answered. */
interface SentCommand {
  readonly command: { readonly inTransaction: boolean; reject(error: Error): void };
}

/** A part of a connection that the types of ioredis do not show. */
interface Inside {
  handleReconnection(error: Error, sent: SentCommand): void;
}

/**
 * A connection that sends all commands of one turn of the event loop in one write. A write is a system call, which costs more
 * than all else about most commands. No command waits for a timer: the write follows the callbacks that are due now.
 *
 * It ends itself when Redis does not answer (`watchAnswers`).
 */
export class JoiningRedis extends Redis {
  constructor(options: Options, url?: string) {
    if (url === undefined) super(options);
    else super(url, options);
    watchAnswers(this);
    sendTransactionsOnce(this);
  }

  override sendCommand(...given: Parameters<Redis['sendCommand']>): unknown {
    // What precedes `ready` belongs to the connecting, which ioredis orders itself.
    if (this.status === 'ready' && this.stream.writableCorked === 0) {
      const { stream } = this;
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return super.sendCommand(...given);
  }

  /** BullMQ makes its blocking connections with this. */
  override duplicate(override?: Partial<RedisOptions>): ReturnType<Redis['duplicate']> {
    return new JoiningRedis({ ...this.options, ...override } as Options);
  }
}

/** `reconnectOnError` may ask to send a command again. One of a transaction would then take effect without the others. */
function sendTransactionsOnce(redis: Redis): void {
  const inside = redis as unknown as Inside;
  const handle = inside.handleReconnection.bind(redis);
  inside.handleReconnection = (error, sent) => {
    if (!sent.command.inTransaction || !isFromReplica(error)) return handle(error, sent);
    sent.command.reject(error);
    redis.disconnect(true);
  };
}
