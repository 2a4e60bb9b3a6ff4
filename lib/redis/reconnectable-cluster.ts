import { Cluster, type ClusterNode, type ClusterOptions } from 'ioredis';
import type { EventEmitter } from 'node:events';

/** Answers have the same form with each version of the protocol. */
export type ClusterSettings = ClusterOptions & {
  redisOptions?: ClusterOptions['redisOptions'] & { replyMapping?: 'legacy' };
};

/** What the types of `Cluster` do not show; `cluster.test.ts` fails without it. */
interface Inside {
  readonly connectionPool: EventEmitter;
  setStatus(status: 'close'): void;
  handleCloseEvent(): void;
}

/**
 * A `Cluster` that can be disconnected and connected again in any state, as BullMQ does after a failover. ioredis alone has the status
 * `close` after `end` as soon as a second connection to a node ends, and emits no `end` where no node was connected: who
 * waits for the next event then waits without an end.
 */
export class ReconnectableCluster extends Cluster {
  /** Whether it has had a node since it was closed the last time: only then the end of the last node closes it. */
  #hasNodes = false;

  constructor(nodes: ClusterNode[], options: ClusterSettings) {
    super(nodes, options);
    this.on('+node', () => (this.#hasNodes = true));
    const { connectionPool } = this as unknown as Inside;
    connectionPool.removeAllListeners('drain').on('drain', () => this.#endOfNodes());
  }

  /** Emitted for each connection that ends while the pool is empty, also for those from before the last `end`. */
  #endOfNodes(): void {
    if (!this.#hasNodes) return;
    this.#hasNodes = false;
    (this as unknown as Inside).setStatus('close');
  }

  override async connect(): Promise<void> {
    // The end of the old connections would end the new attempt.
    if (this.status === 'disconnecting')
      await new Promise<void>((resolve) => this.once('close', () => resolve()));
    const closed = Promise.withResolvers<never>();
    const close = (): void => closed.reject(new Error('The connection to the Redis Cluster was closed.'));
    this.once('close', close);
    try {
      // An attempt that a node has answered already, and that ends before the cluster says that it is ready, never settles in ioredis.
      await Promise.race([super.connect(), closed.promise]);
    } finally {
      this.off('close', close);
    }
  }

  override disconnect(reconnect = false): void {
    const before = this.status;
    if (before === 'end' || (reconnect && before === 'reconnecting')) return;
    super.disconnect(reconnect);
    if (this.#hasNodes || before === 'wait' || before === 'close' || before === 'disconnecting') return;
    const inside = this as unknown as Inside;
    inside.setStatus('close');
    inside.handleCloseEvent();
  }

  override async quit(): Promise<'OK'> {
    if (this.#hasNodes || this.status === 'wait') return super.quit();
    this.disconnect();
    return 'OK';
  }
}
