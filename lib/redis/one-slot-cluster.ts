import { Cluster, type ClusterNode, type ClusterOptions, Command, type Redis } from 'ioredis';
import { watchAnswers } from './answer-watch.ts';

/** Answers have the same form with each version of the protocol. */
type Options = ClusterOptions & {
  redisOptions?: ClusterOptions['redisOptions'] & { replyMapping?: 'legacy' };
};

/**
 * A connection to a Redis Cluster. Emits `ready` also when one of its connections to a node is ready: after a failover it is
 * another node, or another process.
 */
export class OneSlotCluster extends Cluster {
  readonly #nodes: ClusterNode[];

  constructor(nodes: ClusterNode[], options: Options) {
    super(nodes, options);
    this.#nodes = nodes;
    // Emitted before a connection has sent anything.
    this.on('+node', (node: Redis) => {
      watchAnswers(node);
      this.#showErrors(node);
      node.on('ready', () => {
        if (this.status === 'ready') this.emit('ready');
      });
    });
  }

  /** A connection that only asks for the nodes is a duplicate of one to a node, and ioredis ignores why it failed. */
  #showErrors(node: Redis): void {
    const duplicate = node.duplicate.bind(node);
    node.duplicate = (...given) => {
      const connection = duplicate(...given);
      connection.on('error', (error) => this.emit('node error', error));
      return connection;
    };
  }

  /** BullMQ makes its blocking connections with this. */
  override duplicate(
    ...[nodes = [], options]: Parameters<Cluster['duplicate']>
  ): ReturnType<Cluster['duplicate']> {
    const redisOptions = { ...this.options.redisOptions, ...options?.redisOptions };
    const all = { ...this.options, ...options, redisOptions };
    return new OneSlotCluster(nodes.length > 0 ? nodes : this.#nodes, all as Options);
  }
}

/**
 * The connection on which commands about `key` are sent: on a cluster, that to the master of its slot. Commands without a
 * key (`WAIT`, `WAITAOF`, `INFO`) belong on this one; the cluster would send them to any node.
 *
 * @throws Error while the cluster is not connected
 */
export function connectionOfKey(redis: Redis, key: string): Redis {
  if (!(redis instanceof Cluster)) return redis;
  const cluster: Cluster = redis;
  const slot = new Command('get', [key]).getSlot() ?? 0;
  const master = cluster.slots[slot]?.[0];
  const node = cluster.nodes().find(({ options: { host = '', port = 0 } }) => `${host}:${port}` === master);
  if (node === undefined)
    throw new Error('The node of the Redis Cluster that has the records is not connected.');
  return node;
}
