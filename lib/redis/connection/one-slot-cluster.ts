import { Cluster, type ClusterNode, Command, type Redis } from 'ioredis';
import { watchAnswers } from './answer-watch.ts';
import { type ClusterSettings, ReconnectableCluster } from './reconnectable-cluster.ts';
import { SlotGate } from './slot-gate.ts';

/** What the types of `Cluster` do not show; `cluster.test.ts` fails without it. */
interface Inside {
  refreshSlotsCache(): void;
}

/**
 * A connection to a Redis Cluster. Also emits `ready` when one of its connections to a node is ready, because after a
 * failover it is another node or another process. Sends no command about a slot that is being moved (`SlotGate`).
 */
export class OneSlotCluster extends ReconnectableCluster {
  readonly #nodes: ClusterNode[];
  #gate: SlotGate | undefined;

  constructor(nodes: ClusterNode[], options: ClusterSettings) {
    super(nodes, options);
    this.#nodes = nodes;
    const gate = new SlotGate({
      nodeOf: (slot) => nodeOf(this, slot),
      refreshSlots: () => {
        if (this.status === 'ready') (this as unknown as Inside).refreshSlotsCache();
      },
      waits: options.enableOfflineQueue !== false,
      onMoving: (error) => this.emit('node error', error),
      onMoved: () => this.emit('ready'),
    });
    this.#gate = gate;
    this.on('end', () => gate.close());
    // Emitted before a connection has sent anything.
    this.on('+node', (node: Redis) => {
      watchAnswers(node);
      this.#showErrors(node);
      node.on('ready', () => {
        if (this.status === 'ready') this.emit('ready');
      });
    });
  }

  override sendCommand(...args: Parameters<Cluster['sendCommand']>): unknown {
    const [command] = args;
    const send = (): void => void super.sendCommand(...args);
    // The constructor of the cluster sends no commands about keys.
    if (this.#gate === undefined || this.status === 'end') send();
    else this.#gate.pass(command, send);
    return command.promise;
  }

  /** A connection that only asks for the nodes is a duplicate of a connection to a node, and ioredis ignores its errors. */
  #showErrors(node: Redis): void {
    const duplicate = node.duplicate.bind(node);
    node.duplicate = (...args) => {
      const connection = duplicate(...args);
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
    return new OneSlotCluster(nodes.length > 0 ? nodes : this.#nodes, all as ClusterSettings);
  }
}

/**
 * The connection on which commands about `key` are sent. On a cluster, it is the connection to the master of the key's
 * slot. Commands without a key (`WAIT`, `WAITAOF`, `INFO`) must use it too; the cluster would send them to any node.
 *
 * @throws Error while the cluster is not connected
 */
export function connectionOfKey(redis: Redis, key: string): Redis {
  if (!(redis instanceof Cluster)) return redis;
  const cluster: Cluster = redis;
  const node = nodeOf(cluster, new Command('get', [key]).getSlot() ?? 0);
  if (node === undefined)
    throw new Error('The node of the Redis Cluster that has the records is not connected.');
  return node;
}

function nodeOf(cluster: Cluster, slot: number): Redis | undefined {
  const master = cluster.slots[slot]?.[0];
  return cluster.nodes().find(({ options: { host = '', port = 0 } }) => `${host}:${port}` === master);
}
