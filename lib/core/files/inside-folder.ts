import { realpathSync } from 'node:fs';
import path from 'node:path';

/** Whether a path, which need not exist, is a folder or inside it. Symbolic links are followed. */
export function isInsideFolder(file: string, folder: string): boolean {
  const relative = path.relative(realPath(folder), realPath(file));
  return relative === '' || (!/^\.\.(?:[\\/]|$)/.test(relative) && !path.isAbsolute(relative));
}

/** The path without links, as far as it exists. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realPath(parent), path.basename(file));
  }
}
