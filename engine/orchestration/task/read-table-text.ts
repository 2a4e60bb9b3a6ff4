import { SqlError } from '../../core/refusal.ts';
import type { TableName } from '../../core/relation.ts';
import type { EnvironmentDefaults } from '../../parameters/read-table.ts';

/**
 * Reads the name of a table that is written as a single text: `orders`, `SCHEMA.orders` or `DB.SCHEMA.orders`. Upper
 * and lower case stay as they are.
 */
export function readTableText(text: string, defaults: EnvironmentDefaults): TableName {
  const parts = text.split('.');
  if (parts.length > 3 || parts.includes('')) {
    const forms = 'write table, schema.table or database.schema.table';
    throw new SqlError(`"${text}" is not the name of a table: ${forms}`);
  }
  const [table = '', schema = defaults.schema, database = defaults.database] = parts.toReversed();
  return { database, schema, table };
}
