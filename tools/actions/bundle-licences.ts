import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** As much of a bundler's statistics as names the files that it took. */
export interface BundledModule {
  readonly identifier?: string;
  readonly modules?: readonly BundledModule[];
}

/**
 * Name, licence and its text of every package that is in the bundle. ncc's own list would hold those of one chunk only:
 * the last one that it wrote. Throws where a package brings no text.
 */
export function bundleLicences(stats: BundledModule): string {
  const folders = new Set<string>();
  const walk = ({ identifier = '', modules = [] }: BundledModule): void => {
    // Loaders stand before the file, and a hash behind it.
    const file = identifier.split(/[!|]/u).findLast((part) => part.startsWith('/'));
    const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u.exec(file ?? '') ?? [];
    if (folder !== undefined) folders.add(folder);
    modules.forEach(walk);
  };
  walk(stats);
  return Array.from(folders, textOf).toSorted().join('\n');
}

function textOf(folder: string): string {
  const { name, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    license: string;
  };
  const file = readdirSync(folder).find((one) => /^licen[cs]e/iu.test(one));
  if (file === undefined) throw new Error(`${name} brings no text of its licence`);
  return `${name}\n${license}\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
