import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Copies `@actions/core` to a folder where the bundler finds it first, and marks the copy as free of side effects. Without
 * the mark, its OIDC client, which Millrace does not use, would load all of undici at the start of every step.
 */
export function copyToolkit(clone: string, folder: string): void {
  const place = join('node_modules', '@actions', 'core');
  const copy = join(folder, place);
  cpSync(join(clone, place), copy, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as object;
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...manifest, sideEffects: false }));
}
