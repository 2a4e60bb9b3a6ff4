import {
  type Place,
  problemAt,
  readTableText,
  SqlError,
  storedName,
  type TableName,
} from '../../../engine/index.ts';
import type { OutsideProject } from './outside-files.ts';

/** The table that a name in a file means, in the form in which the warehouse stores names. Throws SqlError. */
export function namedTable(
  text: string,
  { defaults, kind }: Pick<OutsideProject, 'defaults' | 'kind'>,
): TableName {
  const { database, schema, table } = readTableText(text, defaults);
  return {
    database: storedName(database, kind),
    schema: storedName(schema, kind),
    table: storedName(table, kind),
  };
}

/** Like `namedTable`, but throws FileProblems at the place of the name. */
export function tableNamed(
  text: string,
  place: Place,
  project: Pick<OutsideProject, 'defaults' | 'kind'>,
): TableName {
  try {
    return namedTable(text, project);
  } catch (error) {
    if (error instanceof SqlError) throw problemAt(place, error.message);
    throw error;
  }
}
