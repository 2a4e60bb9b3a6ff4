import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Puts a copy of `@actions/core` where a bundler finds it first that says that loading it does nothing. The package
 * itself does not say so, and thus its OIDC client, which nobody here calls, would bring all of undici into the start
 * of every step.
 */
export function copyToolkit(clone: string, folder: string): void {
  const place = join('node_modules', '@actions', 'core');
  const copy = join(folder, place);
  cpSync(join(clone, place), copy, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as object;
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...manifest, sideEffects: false }));
}
