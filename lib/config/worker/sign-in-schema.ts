import { z } from 'zod';
import { secretFileSchema, variableSchema } from '../fields/reference-types.ts';

/** The OAuth app, or the GitHub App, with which operators sign in. */
export const signInSchema = z
  .strictObject({
    'client-id': z
      .string()
      .regex(/^[\w.-]{1,100}$/, { error: 'must be a client id such as Iv23liExample' })
      .optional()
      .describe('Client id of the app; not a secret.'),
    'client-secret-env': variableSchema.optional(),
    'client-secret-file': secretFileSchema.optional(),
  })
  .refine((app) => app['client-secret-env'] === undefined || app['client-secret-file'] === undefined, {
    error: 'has both `client-secret-env` and `client-secret-file`; remove one',
  })
  .transform((app) => ({
    clientId: app['client-id'],
    clientSecretEnv: app['client-secret-env'],
    clientSecretFile: app['client-secret-file'],
  }));
