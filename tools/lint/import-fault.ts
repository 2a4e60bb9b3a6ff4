import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { freeFolders, importTable } from './import-table.ts';

/**
 * Says what is wrong with one import; `undefined` where it is allowed.
 * @param file relative to the root of the repository, with forward slashes
 * @param specifier as written after `from`; `?` for one that is known only at run time
 */
export function importFault(file: string, specifier: string): string | undefined {
  const [top = ''] = file.split('/');
  if (freeFolders.includes(top) || !file.includes('/')) return undefined;
  const folder = rowOf(file);
  if (folder === undefined) return `${file}: its folder is missing in tools/lint/import-table.ts`;
  const { folders, packages } = importTable[folder] ?? { folders: [] };
  if (specifier === '?') return `${file} imports something that is known only at run time`;
  if (isBuiltin(specifier)) {
    return specifier.startsWith('node:') ? undefined : `${file}: write node:${specifier}`;
  }
  if (!specifier.startsWith('.')) {
    const name = packageOf(specifier);
    return packages === undefined || packages.includes(name)
      ? undefined
      : `${file} imports the package ${name}; ${folder} must not (tools/lint/import-table.ts)`;
  }
  if (!/\.(ts|json)$/.test(specifier)) return `${file}: ${specifier} lacks its extension`;
  const target = posix.join(posix.dirname(file), specifier);
  if (target === 'package.json') return undefined;
  const targetFolder = rowOf(target);
  return targetFolder !== undefined && (targetFolder === folder || folders.includes(targetFolder))
    ? undefined
    : `${file} imports ${target}; ${folder} must not (tools/lint/import-table.ts)`;
}

/** The longest row of the table that is the file or one of its folders. */
function rowOf(file: string): string | undefined {
  const parts = file.split('/');
  for (let length = parts.length; length > 0; length -= 1) {
    const row = parts.slice(0, length).join('/');
    if (Object.hasOwn(importTable, row)) return row;
  }
  return undefined;
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
