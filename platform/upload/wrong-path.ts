// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const control = /[\u0000-\u001f\u007f]/;

/**
 * The error in the key of a part, which must be a path relative to the project's root (spec §4.3); undefined if it
 * is valid.
 */
export function wrongPath(path: string, maxBytes: number): string | undefined {
  if (path === '') return 'has no path as its key';
  if (Buffer.byteLength(path) > maxBytes) return `has a path of more than ${String(maxBytes)} bytes`;
  if (control.test(path)) return 'has a control character in its path';
  if (path.startsWith('/') || path.startsWith('\\') || /^[a-z]:[\\/]/i.test(path))
    return 'has an absolute path';
  const steps = path.split(/[\\/]/);
  if (steps.includes('..') || steps.includes('.')) return 'has a path with "." or ".." in it';
  if (steps.includes('')) return 'has a path with an empty part';
  return undefined;
}
