import { z } from 'zod';
import { addressSchema } from '../fields/reference-types.ts';

/** What an address of an execution may contain, each replaced by its value. */
const placeholders = ['execution', 'project', 'environment', 'pipeline'] as const;

/** The values for the placeholders in the address of an execution. */
export type ExecutionPlace = Readonly<Record<(typeof placeholders)[number], string>>;

const pattern = /\{([^{}]*)\}/g;

/** An address on the platform, with `{execution}` for the id of the execution. */
export const executionUrlSchema = z
  .string()
  .refine((text) => addressSchema.safeParse(text.replaceAll(pattern, 'x')).success, {
    error: 'must be an http or https address without user, password or query',
  })
  .refine((text) => text.includes('{execution}'), { error: 'must contain {execution}' })
  .refine(
    (text) => [...text.matchAll(pattern)].every(([, name]) => placeholders.some((known) => known === name)),
    { error: `may contain only ${placeholders.map((name) => `{${name}}`).join(', ')}` },
  )
  .describe(
    'Address of an execution on the platform, to which the dashboard links, such as https://platform.example.com/executions/{execution}. It may also contain {project}, {environment} and {pipeline}.',
  );

/** The address of an execution. */
export function executionUrl(template: string, place: ExecutionPlace): string {
  return template.replaceAll(pattern, (whole, name: string) => {
    const known = placeholders.find((candidate) => candidate === name);
    return known === undefined ? whole : encodeURIComponent(place[known]);
  });
}
