import { z } from 'zod';
import { durationForm, parseDuration } from './duration.ts';

const message = 'must be a duration such as 90s, 30m, 2h or 1h30m';

/** A duration in a configuration file; the parsed value is in milliseconds. */
export const durationSchema = z
  .string({ error: message })
  .regex(durationForm, { error: message })
  .transform((text) => parseDuration(text) ?? 0)
  .describe('A time: 90s, 30m, 2h, 1h30m, 7d.');
