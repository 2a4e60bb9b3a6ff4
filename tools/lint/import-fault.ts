import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { freeFolders, importTable, packageFolders } from './import-table.ts';

/** The table has folders of at most this level: a folder below has the row of its parent. */
const levels = 3;

/**
 * Describes what is wrong with one import; `undefined` if it is allowed.
 * @param file relative to the root of the repository, with forward slashes
 * @param specifier as written after `from`; `?` for one that is known only at run time
 */
export function importFault(file: string, specifier: string): string | undefined {
  const [top = ''] = file.split('/');
  if (freeFolders.includes(top) || !file.includes('/')) return undefined;
  const row = rowOf(file);
  if (row === undefined) return `${file}: its folder is missing in tools/lint/import-table.ts`;
  const packages = importTable[row]?.packages;
  if (specifier === '?') return `${file} imports something that is known only at run time`;
  if (isBuiltin(specifier)) {
    return specifier.startsWith('node:') ? undefined : `${file}: write node:${specifier}`;
  }
  if (!specifier.startsWith('.')) {
    const name = packageOf(specifier);
    const only = packageFolders[name];
    if (only !== undefined && only !== row)
      return `${file} imports the package ${name}; only ${only} may (tools/lint/import-table.ts)`;
    return packages === undefined || packages.includes(name)
      ? undefined
      : `${file} imports the package ${name}; ${row} must not (tools/lint/import-table.ts)`;
  }
  if (!/\.(ts|json)$/.test(specifier)) return `${file}: ${specifier} lacks its extension`;
  const target = posix.join(posix.dirname(file), specifier);
  if (target === 'package.json') return undefined;
  const targetRow = rowOf(target);
  return targetRow !== undefined && mayImport(row, targetRow)
    ? undefined
    : `${file} imports ${target}; ${row} must not (tools/lint/import-table.ts)`;
}

/** The row of the table with the rule of a file: of the file itself, or of its folder. */
export function rowOf(file: string): string | undefined {
  const folder = posix.dirname(file).split('/').slice(0, levels).join('/');
  return [file, folder].find((row) => Object.hasOwn(importTable, row));
}

/** Whether files of one row may import files of another. A folder that a rule lists includes its rooms, from outside of it. */
export function mayImport(row: string, target: string): boolean {
  const isIn = (child: string, folder: string): boolean => `${child}/`.startsWith(`${folder}/`);
  return (
    row === target ||
    (importTable[row]?.folders ?? []).some(
      (folder) => folder === target || (isIn(target, folder) && !isIn(row, folder)),
    )
  );
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
