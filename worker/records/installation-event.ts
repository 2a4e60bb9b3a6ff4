import { z } from 'zod';
import { payloadSchema } from './payload-schema.ts';

/** The events about installations, which GitHub sends to every App even without a subscription. */
export const installationEventNames: ReadonlySet<string> = new Set([
  'installation',
  'installation_repositories',
]);

const restored = payloadSchema<'installation' | 'installation_repositories'>()(
  z.object({
    installation: z.object({ id: z.int() }),
    action: z.enum(['created', 'unsuspend', 'new_permissions_accepted', 'added']),
  }),
);

/**
 * Whether an event says that the App has access again, or to more repositories. GitHub does not deliver events from
 * the time before.
 */
export const restoresAccess = (body: unknown): boolean => restored.safeParse(body).success;
