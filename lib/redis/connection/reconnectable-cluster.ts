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
 * A `Cluster` that can be disconnected and connected again in any state, as BullMQ does after a failover. With ioredis alone, the
 * status is `close` again after `end` when a second connection to a node ends, and there is no `end` if no node was connected.
 * BullMQ then waits for an event that never comes.
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

  /** Called for each connection that ends while the pool is empty, also for one that was opened before the last `end`. */
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
      // ioredis never resolves nor rejects an attempt that ends after a node answered and before the cluster is ready.
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
