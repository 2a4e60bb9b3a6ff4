import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of a bundler's statistics that names the bundled files. */
export interface BundledModule {
  readonly identifier?: string;
  readonly modules?: readonly BundledModule[];
}

/**
 * Name, licence and licence text of every package in the bundle. The list of ncc contains only the last chunk that it wrote.
 * Throws if a package has no licence text.
 */
export function bundleLicences(stats: BundledModule): string {
  const folders = new Set<string>();
  const walk = ({ identifier = '', modules = [] }: BundledModule): void => {
    // The identifier contains loaders before the file, and a hash after it.
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
  const file = readdirSync(folder).find((fileName) => /^licen[cs]e/iu.test(fileName));
  if (file === undefined) throw new Error(`${name} brings no text of its licence`);
  return `${name}\n${license}\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
