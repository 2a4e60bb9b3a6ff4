import { z } from 'zod';
import { addressSchema, secretFileSchema, variableSchema } from '../fields/reference-types.ts';

/** Events of a promotion that a notification can report. */
export const notificationKinds = ['failed', 'needs-approval', 'indeterminate'] as const;

export type NotificationKind = (typeof notificationKinds)[number];

/** An outgoing webhook. Its address comes only from worker.yaml, never from a repository or a payload. */
export const notifySchema = z
  .strictObject({
    url: addressSchema.optional(),
    'url-env': variableSchema.optional(),
    'url-file': secretFileSchema.optional(),
    'secret-env': variableSchema.optional(),
    'secret-file': secretFileSchema.optional(),
    events: z
      .array(z.enum(notificationKinds))
      .min(1)
      .default([...notificationKinds])
      .describe('Events that this webhook reports.'),
  })
  .superRefine((webhook, context) => {
    const addresses = [webhook.url, webhook['url-env'], webhook['url-file']].filter(
      (address) => address !== undefined,
    );
    const secrets = [webhook['secret-env'], webhook['secret-file']].filter((secret) => secret !== undefined);
    if (addresses.length !== 1)
      context.addIssue({
        code: 'custom',
        message: 'needs exactly one of `url`, `url-env` and `url-file` for its address',
      });
    if (secrets.length !== 1)
      context.addIssue({
        code: 'custom',
        message: 'needs exactly one of `secret-env` and `secret-file` for the secret that signs its requests',
      });
  })
  .transform((webhook) => ({
    url: webhook.url,
    urlEnv: webhook['url-env'],
    urlFile: webhook['url-file'],
    secretEnv: webhook['secret-env'],
    secretFile: webhook['secret-file'],
    events: webhook.events,
  }));

export type NotifyReference = z.output<typeof notifySchema>;
