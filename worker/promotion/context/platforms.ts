import type { Middleware } from '../../../client/index.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Clock, Logger } from '../../../lib/core/ports/ports.ts';
import type { Platform } from './ports.ts';

/** Thrown if worker.yaml has no credential with this name now, or the credential cannot be read. Nothing was sent. */
export class CredentialMissing extends Error {
  constructor(credential: string, reason?: string) {
    super(
      reason ??
        `worker.yaml has no credential "${credential}", which this promotion uses: add it again, or cancel the promotion and push again`,
    );
  }
}

/** Thrown if the records in Redis belong to a platform at another address. Nothing was sent. */
export class OtherPlatform extends CredentialMissing {
  constructor(
    credential: string,
    { knownAddress, address }: { readonly knownAddress: string; readonly address: string },
  ) {
    super(
      credential,
      `the records in Redis are about the platform at ${knownAddress}, but the credential "${credential}" of worker.yaml is for ${address}: give each installation a Redis of its own, or, if the platform has moved, see “Move the platform” in docs/worker-upgrade.md`,
    );
  }
}

/**
 * Checks once whether the records belong to the platform at an address. `learn` returns the address in the records,
 * and stores this one if they have none.
 */
export function createAddressCheck(
  credential: string,
  address: string,
  {
    learn,
    logger,
  }: {
    readonly learn: (
      credential: string,
      address: string,
    ) => Promise<{ readonly known: string; readonly isNew: boolean }>;
    readonly logger: Logger;
  },
): () => Promise<void> {
  let isChecked = false;
  return async () => {
    if (isChecked) return;
    const { known: knownAddress, isNew } = await learn(credential, address);
    if (knownAddress !== address) throw new OtherPlatform(credential, { knownAddress, address });
    isChecked = true;
    if (isNew) logger.info('The records now know the address of their platform.', { credential, address });
  };
}

interface PlatformsContext {
  /** The settings of a credential in worker.yaml as it is now; undefined if it has none. */
  readonly settingsOf: (credential: string) => unknown;
  /** Opens the platform with a credential. `used` must wrap each of its attempts. */
  readonly open: (credential: string, used: Middleware) => Platform;
  readonly clock: Clock;
}

interface Opened {
  readonly platform: Platform;
  readonly settings: unknown;
  usedAt: number;
}

/** An advance that was given a client uses it for less time than this, from one attempt to the next. */
const idleMs = 300_000;

/**
 * Opens the platform for each credential on its first use, and again when its settings in worker.yaml change. A
 * replaced client is closed later, because a step that has it may need it for its next call.
 */
export function createPlatforms({ settingsOf, open, clock }: PlatformsContext) {
  const current = new Map<string, Opened>();
  const replaced = new Set<Opened>();

  function openNew(credential: string, settings: unknown): Opened {
    const touch: Middleware = async (request, next) => {
      opened.usedAt = clock.now();
      try {
        return await next(request);
      } finally {
        opened.usedAt = clock.now();
      }
    };
    const opened: Opened = { platform: openWith(credential, touch), settings, usedAt: clock.now() };
    return opened;
  }

  function openWith(credential: string, used: Middleware): Platform {
    try {
      return open(credential, used);
    } catch (error) {
      if (error instanceof Failure) throw new CredentialMissing(credential, error.message);
      throw error;
    }
  }

  return {
    /** Throws CredentialMissing. */
    platformFor(credential: string): Platform {
      const settings = settingsOf(credential);
      const openedBefore = current.get(credential);
      if (openedBefore !== undefined && isSame(openedBefore.settings, settings)) {
        openedBefore.usedAt = clock.now();
        return openedBefore.platform;
      }
      if (settings === undefined) throw new CredentialMissing(credential);
      const opened = openNew(credential, settings);
      current.set(credential, opened);
      if (openedBefore !== undefined) replaced.add(openedBefore);
      return opened.platform;
    },
    /** Closes the replaced clients that are no longer used. */
    async closeReplaced(): Promise<void> {
      const idle = [...replaced].filter(({ usedAt }) => clock.now() - usedAt >= idleMs);
      for (const opened of idle) replaced.delete(opened);
      await Promise.all(idle.map(({ platform }) => platform.client.close()));
    },
    async close(): Promise<void> {
      await Promise.all([...current.values(), ...replaced].map(({ platform }) => platform.client.close()));
    },
  };
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
