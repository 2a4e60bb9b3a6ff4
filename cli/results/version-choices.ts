import * as z from 'zod';

/** The versions that a roll-back may go back to. */
export const versionChoices = z
  .array(
    z.object({
      version: z.string(),
      commit: z.string().nullable(),
      since: z.string().describe('When it entered the environment, ISO 8601.'),
      isLive: z.boolean(),
      isVerified: z.boolean().nullable().describe('null: only a worker knows it.'),
      promotes: z.boolean(),
      enables: z.boolean(),
      disables: z.array(z.string()),
    }),
  )
  .optional()
  .describe('Of a dry run: the versions to go back to, newest first.');
