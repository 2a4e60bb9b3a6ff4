import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { readFileSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TextDecoder } from 'node:util';

export type Duckdb = typeof import('@duckdb/node-api');

/** Thrown if DuckDB, which the engine runs inside this process, cannot be loaded on this machine. */
export class WarehouseUnavailable extends Error {
  override readonly name = 'WarehouseUnavailable';
}

/** As in `package.json`; the message names it, so that what is installed is what was tested. */
const duckdbVersion = '1.5.5-r.5';
const packageName = '@duckdb/node-api';

/**
 * Loads the optional DuckDB package when the first warehouse is opened. Everything else works without the package.
 * Throws WarehouseUnavailable.
 */
export async function loadDuckdb(load: () => Duckdb = loadInstalled): Promise<Duckdb> {
  try {
    return load();
  } catch (error) {
    throw new WarehouseUnavailable(
      `Pipelines run on embedded DuckDB, and its optional package ${packageName} could not be loaded. ` +
        `Install it with: npm install ${packageName}@${duckdbVersion}`,
      { cause: error },
    );
  }
}

/**
 * Loads the DuckDB package from the `node_modules` of exactly this folder. Throws WarehouseUnavailable if the package
 * is missing or has a version other than the required one, because results could differ.
 */
export async function loadDuckdbFrom(folder: string): Promise<Duckdb> {
  const place = join(folder, 'node_modules', packageName);
  const load = createRequire(join(folder, 'package.json'));
  try {
    const { version } = load(join(place, 'package.json')) as { readonly version: string };
    if (version === duckdbVersion) return loadWithMarks(load, place);
    throw new Error(`its version is ${version}`);
  } catch (error) {
    const [reason] = messageOf(error).split('\n');
    throw new WarehouseUnavailable(
      `The folder "${folder}" has no ${packageName}@${duckdbVersion} that can be loaded: ${reason ?? ''}`,
      { cause: error },
    );
  }
}

/**
 * Whether warehouses can be opened on this machine. Loads only the native library, because loading the whole package
 * would take a fifth of the time in which a local platform starts.
 */
export async function hasDuckdb(): Promise<boolean> {
  try {
    const installed = createRequire(import.meta.url).resolve(packageName);
    createRequire(installed)('@duckdb/node-bindings');
    return true;
  } catch {
    return false;
  }
}

/** A bundler leaves this alone, unlike an `import`: the native library cannot be part of a bundle. */
function loadInstalled(): Duckdb {
  return loadWithMarks(createRequire(import.meta.url), packageName);
}

/**
 * Loads the package, and lets it keep a byte order mark: its decoder drops U+FEFF if a text begins with it, so that two
 * different texts would be equal. All its vectors decode texts with this one decoder, also the vectors of the engine's
 * functions.
 */
function loadWithMarks(load: NodeJS.Require, name: string): Duckdb {
  const duckdb = load(name) as Duckdb;
  const accessors = createRequire(load.resolve(name))('./vectors/dataAccessors.js') as {
    textDecoder?: TextDecoder;
  };
  if (!(accessors.textDecoder instanceof TextDecoder))
    throw new Error('it decodes texts in an unexpected way');
  if (!accessors.textDecoder.ignoreBOM) accessors.textDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return duckdb;
}

/**
 * The versions of the installed DuckDB packages. The results of statements may depend on them. Undefined if they are
 * not installed. Does not load the packages.
 * @param folder the folder whose `node_modules` contains the packages. By default, the folder in which Millrace
 * itself finds its packages.
 */
export function installedDuckdb(folder?: string): string | undefined {
  try {
    const load = createRequire(folder === undefined ? import.meta.url : join(folder, 'package.json'));
    const installed = load.resolve(packageName);
    const native = createRequire(installed).resolve('@duckdb/node-bindings');
    return [installed, native].map(versionOf).join(' ');
  } catch {
    return undefined;
  }
}

/** The version of the package that a file belongs to. */
function versionOf(file: string): string {
  const manifest = findPackageJSON(pathToFileURL(file));
  if (manifest === undefined) throw new Error(`no package contains ${file}`);
  const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name: string; version: string };
  return `${name}@${version}`;
}
