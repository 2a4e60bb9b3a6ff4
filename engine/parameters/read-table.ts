import { childOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { Place } from '../core/refusal.ts';
import type { TableName } from '../core/relation.ts';
import { ParameterError } from './parameter-error.ts';
import { parameterOf, type ParameterReader, placeOfNode, readText } from './parameter-reader.ts';

/** The database and schema of the environment. They apply if a component does not name any. */
export interface EnvironmentDefaults {
  readonly database: string;
  readonly schema: string;
}

export interface TableReference extends TableName {
  /** The position of the table's name. */
  readonly place: Place;
}

/** The keys of parameters with which components name a table. */
export type TableKey =
  'targetTable' | 'newTableName' | 'table' | 'tableName' | 'viewName' | 'targetStream' | 'pattern';

/** The table that the parameters of a component name. The key `catalog` has the same meaning as `database`. */
export function readTable(
  parameters: YamlNode,
  key: TableKey,
  reader: ParameterReader,
  defaults: EnvironmentDefaults,
): TableReference {
  const name = readText(childOf(parameters, key), reader);
  if (name === undefined) {
    throw new ParameterError(`the parameter ${key} is not set`, placeOfNode(parameters, reader));
  }
  return { ...readSchema(parameters, reader, defaults), table: name.text, place: name.placeOf(0) };
}

/**
 * The database and schema that the parameters of a component name. By default, the database and schema of the
 * environment.
 */
export function readSchema(
  parameters: YamlNode,
  reader: ParameterReader,
  defaults: EnvironmentDefaults,
): { readonly database: string; readonly schema: string } {
  const written = (key: string) => readDefaulted(childOf(parameters, key), reader);
  return {
    database: written('database') ?? written('catalog') ?? defaults.database,
    schema: written('schema') ?? defaults.schema,
  };
}

/** A text; undefined if it is not set or is `[Environment Default]`, in any case. */
function readDefaulted(node: YamlNode | undefined, reader: ParameterReader): string | undefined {
  const written = readText(node, reader);
  const word = written?.text.trim().toLowerCase();
  if (node === undefined || written === undefined || word === '' || word === '[environment default]')
    return undefined;
  // `[Custom]` and the like have a meaning that this parameter alone does not say.
  if (/^\[.*\]$/.test(word ?? '')) {
    throw new ParameterError(
      `${written.text} cannot be used for ${parameterOf(node, reader)}. Write the name itself`,
      written.placeOf(0),
    );
  }
  return written.text;
}
