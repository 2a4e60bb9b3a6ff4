import path from 'node:path';

/**
 * The name of a seed in error messages, and the folder that paths in the seed are relative to. For standard input,
 * it is the current folder.
 */
export function seedFile(cwd: string, file: string): { readonly file: string; readonly folder: string } {
  return { file, folder: file === '-' ? cwd : path.dirname(path.resolve(cwd, file)) };
}
