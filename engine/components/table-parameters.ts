import type { Parameter } from './component-type.ts';

/** The parameters that name a table. */
export const tableParameters = {
  warehouse: { form: 'text', meaning: 'the compute size', isIgnored: true },
  database: {
    form: 'text',
    meaning:
      'the database; if it is not set, `catalog` is used, and if neither is set, the database of the environment',
  },
  catalog: {
    form: 'text',
    meaning: 'the same as `database`, under the name that one kind of warehouse uses',
  },
  schema: { form: 'text', meaning: 'the schema; if it is not set, the schema of the environment' },
} as const satisfies Record<string, Parameter>;
