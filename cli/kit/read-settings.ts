import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type ProjectConfig, projectSchema } from '../../lib/config/project/project-schema.ts';
import { readProjectConfig } from '../../lib/config/project/read-project-config.ts';
import { refuseSettingsElsewhereOnDisk } from '../../lib/config/project/settings-elsewhere.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { readPlainFile } from '../../lib/core/files/read-plain-file.ts';
import { visibleText } from '../../lib/core/text/visible-text.ts';
import { firstLeftOut, leftOutText } from '../../lib/git/work-tree/left-out-text.ts';
import { highestFolder } from './project-folder.ts';
import type { Io } from '../terminal/io.ts';

const usualName = 'millrace.yaml';

type Git = Pick<Io, 'env' | 'signal'>;

interface SettingsPlace {
  /** Where the user is. */
  readonly here: string;
  /** The project's folder. */
  readonly directory: string;
  /** The file of `--config`. */
  readonly named: string | undefined;
  /** The user named the folder of the project, so no folder above it is one. */
  readonly isChosen: boolean;
  /** The folder may become a project: then the settings of a folder above do not count. */
  readonly isNew: boolean;
}

/**
 * Reads the settings from disk, or from git's index if a sparse check-out leaves the file out. The defaults apply
 * without a `millrace.yaml`; a file that `--config` names must exist. Throws Failure 'config-missing' and
 * 'config-invalid'.
 */
export async function readSettings(
  { here, directory, named, isChosen, isNew }: SettingsPlace,
  git: Git,
): Promise<ProjectConfig> {
  const name = named ?? usualName;
  const folder = named === undefined ? directory : here;
  const read = await readPlainFile(path.resolve(folder, name), name).catch(
    (error: NodeJS.ErrnoException) => error,
  );
  const isMissing = !(typeof read === 'string' || read instanceof Failure) && read.code === 'ENOENT';
  if (named === undefined && !isChosen)
    await refuseOtherProject(here, isMissing ? undefined : directory, git);
  if (typeof read === 'string') return readProjectConfig(read, name);
  if (read instanceof Failure) throw read;
  const where = { file: name };
  if (!isMissing)
    throw new Failure('config-invalid', {
      message: `"${name}" cannot be read (${read.code ?? read.message}).`,
      where,
      hint: `Check that ${name} is a file, and that you have permission to read it.`,
    });
  const leftOut = await settingsInIndex(folder, path.relative(folder, path.resolve(folder, name)), git);
  if (leftOut !== undefined) return readProjectConfig(leftOut, name);
  if (named === undefined) {
    if (!isNew) await refuseElsewhere(directory);
    return projectSchema.parse({ version: 1 });
  }
  throw new Failure('config-missing', {
    message: `The file ${name}, which --config names, does not exist.`,
    hint:
      path.basename(name) === 'worker.yaml'
        ? 'Here --config names the settings of the project. `millrace doctor --worker-config <file>` and `millrace worker --config <file>` read the settings of the worker.'
        : 'Correct the path, or omit --config to use millrace.yaml.',
    where,
  });
}

/**
 * Calls `refuseSettingsElsewhereOnDisk` for a folder as it is written and, if it is a link, for the folder that it
 * leads to.
 */
async function refuseElsewhere(directory: string): Promise<void> {
  for (const folder of new Set([directory, await realpath(directory)]))
    refuseSettingsElsewhereOnDisk(highestFolder(folder), folder, '--working-directory');
}

/** Reads from git's index a file of settings that a sparse check-out leaves out. Throws Failure 'config-invalid'. */
export async function settingsInIndex(
  folder: string,
  name: string,
  { env: environment, signal }: Git,
): Promise<string | undefined> {
  return leftOutText(folder, name, { environment, signal });
}

/**
 * Throws Failure 'config-invalid' if a sparse check-out leaves out a `millrace.yaml` that is nearer than
 * `foundFolder`, so that the search on disk found the wrong project. `foundFolder`: the folder in which that search
 * found a `millrace.yaml`.
 */
export async function refuseOtherProject(
  here: string,
  foundFolder: string | undefined,
  { env: environment, signal }: Git,
): Promise<void> {
  const folders: string[] = [];
  for (
    let folder = here;
    folder !== foundFolder && path.dirname(folder) !== folder;
    folder = path.dirname(folder)
  )
    folders.push(folder);
  // The file in the folder itself is read from the index, if no other one was found.
  const searched = foundFolder === undefined ? folders.slice(1) : folders;
  const names = searched.map((folder) => path.relative(here, path.join(folder, usualName)));
  if (names.length === 0) return;
  const file = await firstLeftOut(here, names, { environment, signal });
  if (file === undefined) return;
  throw new Failure('config-invalid', {
    message: `The sparse check-out leaves out "${visibleText(file)}", the settings of the project that this folder may belong to.`,
    where: { file },
    hint: 'Give --working-directory the folder of the project. To have the file on disk, run `git sparse-checkout disable`, or change the patterns of `git sparse-checkout set`.',
  });
}
