import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isTextName } from '../../../lib/core/files/decode-text.ts';

/** More entries are not looked at: such a folder counts as one with files of the project. */
const maxEntries = 10_000;
const suffixes = ['.orch.yaml', '.tran.yaml', '.test.yaml'];

/**
 * Whether a folder that is not searched has pipelines or tests, also in folders below it. Follows `name`, and no link below it.
 * @param name may contain U+FFFD in place of bytes that are not UTF-8
 */
export function holdsProjectFiles(place: string, name: string): boolean {
  const folders = isTextName(name) ? [Buffer.from(path.join(place, name))] : rawPaths(place, name);
  let count = 0;
  for (const folder of folders) {
    for (const entry of readEntries(folder)) {
      count += 1;
      if (count > maxEntries || suffixes.some((suffix) => entry.name.toString('latin1').endsWith(suffix)))
        return true;
      if (entry.isDirectory()) folders.push(joined(folder, entry.name));
    }
  }
  return false;
}

/** The entries of a folder whose names read like this one. */
function rawPaths(place: string, name: string): Buffer[] {
  const folder = Buffer.from(place);
  return readEntries(folder).flatMap((entry) =>
    entry.name.toString('utf8') === name ? [joined(folder, entry.name)] : [],
  );
}

function joined(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name]);
}

/** None if the folder cannot be read. */
function readEntries(folder: Buffer) {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch {
    return [];
  }
}
