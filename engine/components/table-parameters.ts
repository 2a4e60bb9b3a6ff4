import type { Parameter } from './component-type.ts';

/** The parameters that name a table. */
export const tableParameters = {
  warehouse: { form: 'text', meaning: 'the compute size', isIgnored: true },
  database: {
    form: 'text',
    meaning: 'the database; if not set, `catalog`, otherwise the database of the environment',
  },
  catalog: {
    form: 'text',
    meaning: 'the same as `database`; one kind of warehouse uses this name',
  },
  schema: { form: 'text', meaning: 'the schema; if not set, the schema of the environment' },
} as const satisfies Record<string, Parameter>;
