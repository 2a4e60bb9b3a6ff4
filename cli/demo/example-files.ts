import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Path and text of each file of the example project `examples/warehouse`, which is part of the package. */
export async function exampleFiles(): Promise<Record<string, string>> {
  const root = path.join(packageRoot(import.meta.dirname), example);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files: Record<string, string> = {};
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const full = path.join(entry.parentPath, entry.name);
    files[path.relative(root, full).split(path.sep).join('/')] = await readFile(full, 'utf8');
  }
  return files;
}

const example = path.join('examples', 'warehouse');

/** The source and the compiled program have different depths. */
function packageRoot(from: string): string {
  const parent = path.dirname(from);
  return existsSync(path.join(from, example, 'millrace.yaml')) || parent === from
    ? from
    : packageRoot(parent);
}
