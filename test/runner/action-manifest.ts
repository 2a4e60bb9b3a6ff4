import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const step = z.strictObject({
  id: z.string().optional(),
  name: z.string().optional(),
  if: z.union([z.string(), z.boolean()]).optional(),
  run: z.string(),
  shell: z.string(),
  env: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  'working-directory': z.string().optional(),
  'continue-on-error': z.boolean().optional(),
});

const manifest = z.strictObject({
  name: z.string(),
  description: z.string(),
  author: z.string().optional(),
  branding: z.strictObject({ icon: z.string(), color: z.string() }).optional(),
  inputs: z
    .record(
      z.string(),
      z.strictObject({
        description: z.string(),
        required: z.boolean().optional(),
        default: z.union([z.string(), z.number(), z.boolean()]).optional(),
        deprecationMessage: z.string().optional(),
      }),
    )
    .default({}),
  outputs: z
    .record(z.string(), z.strictObject({ description: z.string(), value: z.string().optional() }))
    .default({}),
  runs: z.discriminatedUnion('using', [
    z.strictObject({
      using: z.literal('node24'),
      main: z.string(),
      post: z.string().optional(),
      'post-if': z.string().optional(),
    }),
    z.strictObject({ using: z.literal('composite'), steps: z.array(step) }),
  ]),
});

export type ActionManifest = z.infer<typeof manifest>;
export type CompositeStep = z.infer<typeof step>;

/** Reads `action.yml` of a folder; an unknown key is an error, as a typing error would go unseen on GitHub. */
export async function readManifest(folder: string): Promise<ActionManifest> {
  return manifest.parse(parse(await readFile(join(folder, 'action.yml'), 'utf8')));
}
