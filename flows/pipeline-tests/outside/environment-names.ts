import {
  type EnvironmentDefaults,
  type FileProblem,
  FileProblems,
  storedName,
  type TableName,
  type WarehouseKind,
} from '../../../engine/index.ts';
import { readProvision } from '../../../lib/config/project/read-provision.ts';
import type { ProvisionFile } from '../../../lib/config/project/provision-schema.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { missingFile, type OutsideProject } from './outside-files.ts';

/** Tells which names of tables mean the same table in different environments. */
export interface EnvironmentNames {
  /** What `[Environment Default]` means: the default connection of the first environment. */
  readonly defaults: EnvironmentDefaults;
  /** The table with the names of this environment, if it has the names that the default connection of another environment has. */
  canonical(table: TableName): TableName;
  /** Equal for names that mean the same. */
  readonly key: string;
}

/**
 * Reads the names of the environments in the file of `provision`; without the file, each name means only itself.
 * Pipelines run in all environments, so the default database of one environment corresponds to the default database
 * of another. Throws FileProblems.
 */
export function environmentNames(project: OutsideProject): EnvironmentNames {
  const { provision } = project.outside;
  const found = provision === undefined ? [] : defaultsOf(readFile(provision, project), project.kind);
  const [defaults = project.defaults] = found;
  // Tests have names of their own for the defaults.
  const all = [project.defaults, ...found];
  return {
    defaults,
    key: JSON.stringify(all),
    canonical(table) {
      const inDatabase = all.filter(({ database }) => database === table.database);
      if (inDatabase.length === 0) return table;
      const isDefault = inDatabase.some(({ schema }) => schema === table.schema);
      return {
        database: defaults.database,
        schema: isDefault ? defaults.schema : table.schema,
        table: table.table,
      };
    },
  };
}

function readFile(path: string, project: OutsideProject): ProvisionFile {
  const text = project.paths.includes(path) ? project.text(path) : undefined;
  if (text === undefined) throw new FileProblems([missingFile(['provision'], path, project)]);
  try {
    return readProvision(text, path).value;
  } catch (error) {
    if (!(error instanceof Failure) || !Array.isArray(error.details['problems'])) throw error;
    throw new FileProblems(error.details['problems'] as readonly FileProblem[]);
  }
}

/** Of each environment with a default connection, in the order of the file. */
function defaultsOf({ environments }: ProvisionFile, kind: WarehouseKind): readonly EnvironmentDefaults[] {
  return Object.values(environments).flatMap(({ connections, defaultConnection }) => {
    const [only] = Object.keys(connections);
    const { defaultDatabase, defaultSchema } = connections[defaultConnection ?? only ?? ''] ?? {};
    return defaultDatabase === undefined || defaultSchema === undefined
      ? []
      : [{ database: identifier(defaultDatabase, kind), schema: identifier(defaultSchema, kind) }];
  });
}

/** A connection names its database as SQL does: without quotes, kind 1 stores it in upper case. */
function identifier(name: string, kind: WarehouseKind): string {
  return kind === 'WAREHOUSE_ONE' && /^[A-Za-z_][\w$]*$/.test(name)
    ? name.toUpperCase()
    : storedName(name, kind);
}
