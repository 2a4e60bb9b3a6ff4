import * as z from 'zod';

/** The plan of an approval as the worker's API shows it, as far as commands use it. */
export const planAnswer = z.looseObject({
  digest: z.string(),
  id: z.string(),
  wanted: z
    .looseObject({ version: z.string(), commit: z.string().nullable(), enabled: z.boolean().nullable() })
    .nullish(),
  live: z.looseObject({ version: z.string(), commit: z.string().nullable() }).nullish(),
  wayBack: z.string().nullish(),
  variables: z
    .looseObject({
      notCompared: z.number(),
      differences: z.array(z.looseObject({ name: z.string(), from: z.string(), to: z.string() })),
    })
    .nullish(),
  /** Left out by older workers, like the next two. */
  snapshots: z.looseObject({ live: z.string().nullable(), wanted: z.string().nullable() }).nullish(),
  parts: z
    .array(z.looseObject({ title: z.string(), items: z.array(z.string()), more: z.number() }))
    .nullish(),
  unknown: z.array(z.string()).nullish(),
});
