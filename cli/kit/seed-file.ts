import path from 'node:path';

/** How a seed is called in errors, and what its folders are relative to: the folder one is in, for standard input. */
export function seedFile(cwd: string, file: string): { readonly file: string; readonly folder: string } {
  return { file, folder: file === '-' ? cwd : path.dirname(path.resolve(cwd, file)) };
}
