import { Redis } from 'ioredis';

/**
 * A connection that sends all commands of one turn of the event loop in one write. A write is a system call, which costs more
 * than all else about most commands. No command waits for a timer: the write follows the callbacks that are due now.
 */
export class JoiningRedis extends Redis {
  override sendCommand(...given: Parameters<Redis['sendCommand']>): unknown {
    // What precedes `ready` belongs to the connecting, which ioredis orders itself.
    if (this.status === 'ready' && this.stream.writableCorked === 0) {
      const { stream } = this;
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return super.sendCommand(...given);
  }
}
