import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { decodeText } from '../../lib/core/files/decode-text.ts';
import { isArchive } from '../upload/watch-content.ts';
import { wrongPath } from '../upload/wrong-path.ts';
import { defaultLimits } from '../world/world.ts';

/** A seed is read into memory and stored with the state, so that a reset does not need the folder. */
const maxBytes = 16 * 1024 ** 2;
const maxFiles = 5000;

/**
 * Reads the text files in a folder and its subfolders, by relative path. The rules of an upload apply.
 * @param base the folder of the seed file; nothing outside it is read
 * @throws Error whose message starts with a verb
 */
export function readFolder(base: string, folder: string): Record<string, string> {
  const root = inside(base, folder);
  const files: Record<string, string> = {};
  let bytes = 0;
  let count = 0;
  const walk = (place: string) => {
    for (const entry of readdirSync(place, { withFileTypes: true }).toSorted((a, b) =>
      compareTexts(a.name, b.name),
    )) {
      const here = join(place, entry.name);
      const path = relative(root, here).split(sep).join('/');
      if (entry.name === '.git') continue;
      if (entry.isDirectory()) {
        walk(here);
        continue;
      }
      if (!entry.isFile()) throw new Error(`contains "${path}", which is not a regular file`);
      const size = lstatSync(here).size;
      bytes += size;
      count += 1;
      if (bytes > maxBytes || count > maxFiles)
        throw new Error('contains more than 16 MiB or 5,000 files, the limits of a seed');
      files[path] = readText(here, path);
    }
  };
  walk(root);
  if (count === 0) throw new Error('has no file');
  return files;
}

function inside(base: string, folder: string): string {
  const from = realpathSync(base);
  let real: string;
  try {
    real = realpathSync(resolve(from, folder));
  } catch {
    throw new Error(`names "${folder}", which does not exist`);
  }
  if (real !== from && !real.startsWith(`${from}${sep}`))
    throw new Error(`names "${folder}", which is outside the folder of the seed`);
  if (!lstatSync(real).isDirectory()) throw new Error(`names "${folder}", which is not a folder`);
  return real;
}

function readText(place: string, path: string): string {
  const wrong = wrongPath(path, defaultLimits.pathBytes);
  if (wrong !== undefined) throw new Error(`contains "${path}", which ${wrong}`);
  const content = readFileSync(place);
  if (isArchive(path, content)) throw new Error(`contains "${path}", which is an archive`);
  const { text, fault } = decodeText(content);
  if (fault !== undefined) throw new Error(`contains "${path}", which cannot be read: ${fault.reason}`);
  return text;
}
