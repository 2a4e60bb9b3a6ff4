import * as z from 'zod';
import { nonEmpty } from '../../lib/contract/description/field.ts';

/** A secret of the seed: where its value is, never the value (spec §2.3, §2.5). */
export const secretSeed = z
  .strictObject({
    name: nonEmpty.meta({ description: '`secretName` of the references to it.' }),
    location: nonEmpty.optional().meta({ description: '`secretLocation`. Default: any.' }),
    environmentVariable: nonEmpty.optional().meta({ description: 'The variable that has the value.' }),
    file: nonEmpty.optional().meta({
      description:
        'The file that has the value, relative to the seed file. A line end at its end does not count.',
    }),
  })
  .refine(({ environmentVariable, file }) => (environmentVariable === undefined) !== (file === undefined), {
    error: 'needs either `environmentVariable` or `file`',
  });

/** A server that streaming pipelines may read. Millrace connects to no other host, and sends this one no other secret. */
export const streamingSourceSeed = z.strictObject({
  host: nonEmpty,
  port: z.int().min(1).max(65_535).default(5432),
  secret: nonEmpty.meta({
    description: 'The secret with the password. No other secret is sent to this server.',
  }),
  sslMode: z
    .enum(['disable', 'require', 'verify-ca', 'verify-full'])
    .optional()
    .meta({ description: 'Default: `disable` on this machine, `verify-full` elsewhere.' }),
  certificates: nonEmpty.optional().meta({
    description:
      'A PEM file of the authorities to trust, relative to the seed file. Default: the authorities of Node.',
  }),
});

/** The environment into which a streaming pipeline writes, if its target alone does not determine it. */
export const streamingTargetSeed = z.strictObject({
  pipeline: nonEmpty.meta({ description: 'The name of the streaming pipeline.' }),
  environment: nonEmpty,
});
