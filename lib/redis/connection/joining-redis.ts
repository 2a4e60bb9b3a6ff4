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

/** A script as a connection defines it. */
type ScriptDefinition = Parameters<Redis['defineCommand']>[1];

/** The form in which ioredis keeps a script. It does not depend on one connection: for each socket, it notes whether Redis has the text. */
interface DefinedScript {
  readonly definition: ScriptDefinition;
  readonly script: unknown;
  readonly run: unknown;
  readonly runForBytes: unknown;
}

/** Scripts by their names. Each connection defines about a hundred of them, and computing their digests takes more CPU time than connecting. */
const definedScripts = new Map<string, DefinedScript>();

/**
 * A connection that sends all commands of one turn of the event loop in one write, because a write is a system call
 * and costs more than the rest of most commands. No command waits for a timer: the write follows the callbacks that
 * are due.
 *
 * It ends itself if Redis does not answer (`watchAnswers`).
 */
export class JoiningRedis extends Redis {
  constructor(options: Options, url?: string) {
    if (url === undefined) super(options);
    else super(url, options);
    watchAnswers(this);
    sendTransactionsOnce(this);
  }

  override sendCommand(...args: Parameters<Redis['sendCommand']>): unknown {
    // Commands before `ready` are a part of connecting, and ioredis orders them itself.
    if (this.status === 'ready' && this.stream.writableCorked === 0) {
      const { stream } = this;
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return super.sendCommand(...args);
  }

  /** If a name means another script on another connection, it gets its own definition there. */
  override defineCommand(name: string, definition: ScriptDefinition): void {
    const scripts = this.scriptsSet as Record<string, unknown>;
    const commands = this as unknown as Record<string, unknown>;
    const defined = definedScripts.get(name);
    if (defined !== undefined && isSame(defined.definition, definition)) {
      scripts[name] = defined.script;
      commands[name] = defined.run;
      commands[`${name}Buffer`] = defined.runForBytes;
      return;
    }
    super.defineCommand(name, definition);
    const [run, runForBytes] = [commands[name], commands[`${name}Buffer`]];
    if (defined === undefined)
      definedScripts.set(name, { definition: { ...definition }, script: scripts[name], run, runForBytes });
  }

  /** BullMQ makes its blocking connections with this. */
  override duplicate(override?: Partial<RedisOptions>): ReturnType<Redis['duplicate']> {
    return new JoiningRedis({ ...this.options, ...override } as Options);
  }
}

function isSame(left: ScriptDefinition, right: ScriptDefinition): boolean {
  return (
    left.lua === right.lua && left.numberOfKeys === right.numberOfKeys && left.readOnly === right.readOnly
  );
}

/** `reconnectOnError` may ask to send a command again. A single command of a transaction would then take effect without the others. */
function sendTransactionsOnce(redis: Redis): void {
  const inside = redis as unknown as Inside;
  const handle = inside.handleReconnection.bind(redis);
  inside.handleReconnection = (error, sent) => {
    if (!sent.command.inTransaction || !isFromReplica(error)) return handle(error, sent);
    sent.command.reject(error);
    redis.disconnect(true);
  };
}
