import * as z from 'zod';

/** The earlier versions that a rollback may choose from. */
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
