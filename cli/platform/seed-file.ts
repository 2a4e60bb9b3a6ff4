import path from 'node:path';

/** The name of a seed in errors, and the folder that its paths are relative to: the current one for standard input. */
export function seedFile(cwd: string, file: string): { readonly file: string; readonly folder: string } {
  return { file, folder: file === '-' ? cwd : path.dirname(path.resolve(cwd, file)) };
}
