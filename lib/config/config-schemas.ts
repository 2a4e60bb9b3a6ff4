import { z } from 'zod';
import { projectSchema } from './project/project-schema.ts';
import { provisionSchema } from './project/provision-schema.ts';
import { variablesSchema } from './project/variables-schema.ts';
import { workerSchema } from './worker/worker-schema.ts';

/**
 * The JSON Schemas for editors, by file name in `docs/schemas/`. They describe files as they are written, not the
 * parsed values.
 */
export function configSchemas(): Record<
  'millrace.schema.json' | 'provision.schema.json' | 'variables.schema.json' | 'worker.schema.json',
  Record<string, unknown>
> {
  const schemaOf = (title: string, schema: z.ZodType): Record<string, unknown> => {
    const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
    return { $schema, title, ...rest };
  };
  return {
    'millrace.schema.json': schemaOf('millrace.yaml', projectSchema),
    'provision.schema.json': schemaOf('the set-up of a project', provisionSchema),
    'variables.schema.json': schemaOf('a file of variables', variablesSchema),
    'worker.schema.json': schemaOf('worker.yaml', workerSchema),
  };
}
