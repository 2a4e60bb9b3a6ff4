import { type SentinelConnectionOptions, SentinelConnector } from 'ioredis';

/** What ioredis throws where a connector was disconnected while it asked the Sentinels. */
const closedMessage = 'Connection is closed.';

/**
 * Connects again where the Sentinels name another master while they are asked for it. The connector of ioredis ends the
 * attempt then, and a connection whose attempt was ended never connects again.
 */
export class SteadySentinelConnector extends SentinelConnector {
  #seenDetector: unknown;
  #isSwitched = false;

  // The type of what ioredis accepts as a connector does not know the options of Sentinels.
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
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
