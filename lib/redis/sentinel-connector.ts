import { EventEmitter } from 'node:events';
import { type SentinelConnectionOptions, SentinelConnector } from 'ioredis';

/** What ioredis throws where a connector was disconnected while it asked the Sentinels. */
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
  readonly failoverDetector?: { disconnect(): void };
}

const keyOf = (address: Address | null): string | undefined =>
  address === null ? undefined : `${address.host ?? ''}:${address.port ?? ''}`;

/**
 * Connects again where the Sentinels name another master while they are asked for it. The connector of ioredis ends the
 * attempt then, and a connection whose attempt was ended never connects again.
 *
 * Asks them once more when they have begun to tell of another master: what they told before is lost, and a master that hangs does not
 * close its connections.
 */
export class SteadySentinelConnector extends SentinelConnector {
  #seenDetector: unknown;
  #isSwitched = false;
  /** The master to which it connects, or is connected. */
  #master: string | undefined;
  readonly #sentinels: readonly Address[];

  // The type of what ioredis accepts as a connector does not know the options of Sentinels.
  constructor(options: unknown) {
    const given = options as SentinelConnectionOptions;
    super(given);
    this.#sentinels = given.sentinels ?? [];
    const resolve = this.#inside.resolve.bind(this);
    this.#inside.resolve = async (sentinel) => {
      const master = await resolve(sentinel);
      this.#master = keyOf(master);
      return master;
    };
    this.emitter = new EventEmitter();
    this.emitter.on('failoverSubscribed', () => void this.#askAgain(resolve));
  }

  get #inside(): Inside {
    return this as unknown as Inside;
  }

  async #askAgain(resolve: Resolve): Promise<void> {
    const { failoverDetector } = this.#inside;
    const known = this.#master;
    for (const sentinel of this.#sentinels) {
      const now = keyOf(await resolve(sentinel).catch(() => null));
      // It does not answer, or does not know the master: another one does.
      if (now === undefined) continue;
      const isCurrent = this.#inside.failoverDetector === failoverDetector && this.#master === known;
      if (now !== known && isCurrent) failoverDetector?.disconnect();
      return;
    }
  }

  override async connect(
    ...given: Parameters<SentinelConnector['connect']>
  ): ReturnType<SentinelConnector['connect']> {
    for (;;) {
      this.#isSwitched = false;
      try {
        return await super.connect(...given);
      } catch (error) {
        if (!this.#isSwitched || !(error instanceof Error) || error.message !== closedMessage) throw error;
      }
    }
  }

  /** Called by the owner of the connection, or once by the detector of a failover, which sets its `isDisconnected` before. */
  override disconnect(): void {
    const detector: unknown = Reflect.get(this, 'failoverDetector');
    this.#isSwitched =
      detector !== this.#seenDetector && Reflect.get(Object(detector), 'isDisconnected') === true;
    this.#seenDetector = detector;
    super.disconnect();
  }
}
