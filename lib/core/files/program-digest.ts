import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const known = new Map<string, string>();

/**
 * The SHA-256 of the code in folders, as hexadecimal digits, because another program may give other results. It is
 * computed once in a process. Throws the file system's error.
 */
export function programDigest(folders: readonly string[]): string {
  const key = JSON.stringify(folders);
  const before = known.get(key);
  if (before !== undefined) return before;
  const hash = createHash('sha256');
  for (const folder of folders)
    for (const file of codeFiles(folder)) {
      const content = readFileSync(path.join(folder, file));
      hash.update(`${file}\n${content.length}\n`).update(content);
    }
  const digest = hash.digest('hex');
  known.set(key, digest);
  return digest;
}

function codeFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:[cm]?[jt]s|json|py)$/.test(entry.name))
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .toSorted();
}
