import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { oneLine } from '../../../lib/core/text/sanitize-text.ts';

/** The settings that may change the result of a run, by name. Only those that differ from the default. */
export type RunSettings = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** A key is a part of the name of a check run, which people read. */
const maxLength = 60;

/**
 * The key of a run's check run and comment: `review finance (files: a.orch.yaml)`. Runs of other projects, or with
 * other settings, have other keys, so that no run replaces the result of another.
 * @param folder the project's folder in the repository
 */
export function reportKey(
  about: 'review' | 'data' | 'variables' | 'pull request',
  folder: string,
  settings: RunSettings = {},
): string {
  const directory = quotedFolder(projectFolder(folder));
  const partly = describeSettings(settings);
  return [about, ...(directory === '' ? [] : [directory]), ...(partly === '' ? [] : [`(${partly})`])].join(
    ' ',
  );
}

/** The settings as text: `files: a.orch.yaml; fail-on: never`; empty for a run with the defaults. */
export function describeSettings(settings: RunSettings): string {
  return Object.entries(settings)
    .flatMap(([name, value]) => {
      if (value === undefined || value === false || value === '') return [];
      if (value === true) return [name];
      const values = typeof value === 'string' ? [value] : [...new Set(value)].toSorted();
      return values.length === 0 ? [] : [`${name}: ${shortened(values)}`];
    })
    .join('; ');
}

/** Values as they are; their number and a digest if they are long, or if two lists of values would look the same. */
function shortened(values: readonly string[]): string {
  const text = values.join(', ');
  const isPlain = values.every((value) => oneLine(value) === value && !/[,;]/u.test(value));
  return isPlain && text.length <= maxLength
    ? text
    : `${numberOf(values.length, 'value')} ${digestOf(values)}`;
}

/** Eight hexadecimal digits that are the same for the same values. */
export function digestOf(values: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 8);
}

/** A folder of the repository without dots and slashes around it; empty for the root. */
function projectFolder(folder: string): string {
  return posix.normalize(folder).replace(/^\.?\/*|\/+$/gu, '');
}

/** In quotes where it could be read as settings: a folder `finance (local)`. */
function quotedFolder(folder: string): string {
  return /[("\p{Cc}]/u.test(folder) ? JSON.stringify(folder) : folder;
}
