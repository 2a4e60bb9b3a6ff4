import type { Parameter } from './component-type.ts';

/** Where a table is. */
export const tableParameters = {
  warehouse: { form: 'text', meaning: 'the compute size', isIgnored: true },
  database: { form: 'text', meaning: 'the database; the environment’s where it is not set' },
  catalog: { form: 'text', meaning: 'the database, under the name that another warehouse kind uses' },
  schema: { form: 'text', meaning: 'the schema; the environment’s where it is not set' },
} as const satisfies Record<string, Parameter>;
