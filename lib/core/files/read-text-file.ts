import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { requireText } from './decode-text.ts';

/**
 * Reads the text of a file on disk. `name`: the name in messages. Throws Failure 'config-invalid' for a file that
 * is not text, and what Node throws.
 */
export async function readTextFile(path: string, name: string = path): Promise<string> {
  return requireText(await readFile(path), name);
}

/** Like `readTextFile`, but synchronous. */
export function readTextFileSync(path: string, name: string = path): string {
  return requireText(readFileSync(path), name);
}
