import { EventEmitter } from 'node:events';
import { type SentinelConnectionOptions, SentinelConnector } from 'ioredis';

/** The error of ioredis if a connector was disconnected while it asked the Sentinels. */
const closedMessage = 'Connection is closed.';

interface Address {
  readonly host?: string;
  readonly port?: number;
}

/** Asks a Sentinel where the master is; null if it does not know it. */
type Resolve = (sentinel: Address) => Promise<Address | null>;

/** Parts of the connector of ioredis, which its types do not show; `sentinel-switch.test.ts` fails without them. */
interface Inside {
  resolve: Resolve;
  connectToSentinel: (...args: readonly unknown[]) => EventEmitter;
  readonly failoverDetector?: { disconnect(): void };
}

const keyOf = (address: Address | null): string | undefined =>
  address === null ? undefined : `${address.host ?? ''}:${address.port ?? ''}`;

/**
 * Connects again if the Sentinels name another master while they are asked for it. Without this, the connector of ioredis
 * ends the attempt, and the connection never connects again.
 *
 * When all Sentinels have begun to report switches, it asks the Sentinel that named the master once more: an earlier report
 * is lost, and a master that hangs does not close its connections. It does not ask the others, because one of them may
 * still name the old master.
 */
export class SteadySentinelConnector extends SentinelConnector {
  #seenDetector: unknown;
  #isSwitched = false;
  /** The last error of a connection to a Sentinel; ioredis only reports that the connection is closed. */
  #lastError: Error | undefined;
  /** The master to which it connects, or is connected, and the Sentinel that named it. */
  #named: { readonly master: string | undefined; readonly by: Address } | undefined;

  // The type for connectors in ioredis lacks the options of Sentinels.
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
    const connectToSentinel = this.#inside.connectToSentinel.bind(this);
    this.#inside.connectToSentinel = (...args) =>
      connectToSentinel(...args).on('error', (error: Error) => {
        this.#lastError = error;
      });
    const resolve = this.#inside.resolve.bind(this);
    this.#inside.resolve = async (sentinel) => {
      const master = await resolve(sentinel);
      this.#named = { master: keyOf(master), by: sentinel };
      return master;
    };
    this.emitter = new EventEmitter();
    this.emitter.on('failoverSubscribed', () => void this.#askAgain(resolve));
  }

  get #inside(): Inside {
    return this as unknown as Inside;
  }

  async #askAgain(resolve: Resolve): Promise<void> {
    const named = this.#named;
    if (named === undefined) return;
    const { failoverDetector } = this.#inside;
    const now = keyOf(await resolve(named.by).catch(() => null));
    const isCurrent = this.#inside.failoverDetector === failoverDetector && this.#named === named;
    if (now !== undefined && now !== named.master && isCurrent) failoverDetector?.disconnect();
  }

  override async connect(
    ...args: Parameters<SentinelConnector['connect']>
  ): ReturnType<SentinelConnector['connect']> {
    for (;;) {
      this.#isSwitched = false;
      try {
        return await super.connect(...args);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        error.cause ??= this.#lastError;
        if (!this.#isSwitched || error.message !== closedMessage) throw error;
      }
    }
  }

  /** Called by the owner of the connection, or once by the failover detector, which first sets its `isDisconnected`. */
  override disconnect(): void {
    const detector: unknown = Reflect.get(this, 'failoverDetector');
    this.#isSwitched =
      detector !== this.#seenDetector && Reflect.get(Object(detector), 'isDisconnected') === true;
    this.#seenDetector = detector;
    super.disconnect();
  }
}
