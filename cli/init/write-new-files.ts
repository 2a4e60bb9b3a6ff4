import { chmod, copyFile, constants, link, mkdir, realpath, rm, rmdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../lib/core/errors/failure.ts';

/** A file that must not exist yet. */
interface NewFile {
  readonly location: string;
  /** The path as messages show it. */
  readonly path: string;
  readonly text: string;
  readonly executable: boolean;
}

/**
 * Writes all files or none. Each file is complete before the first one gets its name; after an error, the files
 * that have their names are removed. Never replaces a file, even if another program creates it at the same time.
 * `roots`: folders that no symbolic link may lead out of. Throws Failure 'storage-failed'; rejects with the file
 * system's error.
 */
export async function writeNewFiles(files: readonly NewFile[], roots: readonly string[]): Promise<void> {
  const undo: (() => Promise<void>)[] = [];
  try {
    const staged: (NewFile & { readonly temporary: string })[] = [];
    for (const file of files) {
      const folder = path.dirname(file.location);
      await refuseOutside(file, roots);
      await makeFolder(folder, undo);
      const temporary = `${file.location}.${process.pid}.tmp`;
      await writeFile(temporary, file.text, { flag: 'wx' });
      undo.push(() => rm(temporary, { force: true }));
      // The umask may not take the permission away from its owner.
      if (file.executable) await chmod(temporary, 0o755);
      staged.push({ ...file, temporary });
    }
    for (const file of staged) {
      await nameFile(file);
      undo.push(() => rm(file.location, { force: true }));
    }
    for (const { temporary } of staged) await rm(temporary, { force: true });
  } catch (error) {
    for (const step of undo.toReversed()) await step().catch(() => {});
    throw error;
  }
}

/** Gives a complete file its name. Unlike a rename, a link fails if the name is taken. */
async function nameFile({
  temporary,
  location,
  path: shown,
}: NewFile & { readonly temporary: string }): Promise<void> {
  try {
    await link(temporary, location).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      // Some file systems have no links.
      await copyFile(temporary, location, constants.COPYFILE_EXCL);
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Failure('storage-failed', {
      message: `${shown} was created by another program at the same time, so no file was written.`,
      where: { file: shown },
      hint: 'Run the command again.',
      cause: error,
    });
  }
}

/** Creates a folder with its parents, and remembers to remove what it created. */
async function makeFolder(folder: string, undo: (() => Promise<void>)[]): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  const up = path.relative(path.dirname(first), folder).split(path.sep);
  for (const [index] of up.entries()) {
    const created = path.join(path.dirname(first), ...up.slice(0, index + 1));
    undo.push(() => rmdir(created));
  }
}

async function refuseOutside({ location, path: shown }: NewFile, roots: readonly string[]): Promise<void> {
  let folder = path.dirname(location);
  while (!existsSync(folder)) folder = path.dirname(folder);
  const real = await realpath(folder);
  const allowed = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  if (allowed.some((root) => real === root || real.startsWith(`${root}${path.sep}`))) return;
  if (allowed.some((root) => root.startsWith(`${real}${path.sep}`))) return;
  throw new Failure('storage-failed', {
    message: `A folder of ${shown} is a link that leads out of the repository, so no file was written.`,
    where: { file: shown },
    hint: 'Replace the symbolic link by a folder.',
  });
}
