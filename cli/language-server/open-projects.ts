import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { EditorProject } from '../../flows/editor/editor-project.ts';
import { unsavedSnapshot } from '../../flows/editor/unsaved-snapshot.ts';
import { type ProjectConfig, projectSchema } from '../../lib/config/project/project-schema.ts';
import { readProjectConfig } from '../../lib/config/project/read-project-config.ts';
import { readPlainFile } from '../../lib/core/files/read-plain-file.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import { inRepository } from '../../lib/git/in-repository.ts';
import { projectFolder } from '../kit/project-folder.ts';
import { refuseOtherProject, settingsInIndex } from '../kit/read-settings.ts';
import { reviewRequest } from '../review/review-request.ts';
import { openSession } from '../kit/session.ts';
import type { Io } from '../terminal/io.ts';
import type { OpenDocuments } from './open-documents.ts';

/** A project with the texts that its documents have in the editor. */
export interface OpenedProject extends EditorProject {
  /** The folder of the project. */
  readonly folder: string;
  /** Why `millrace.yaml` does not apply: the defaults are in use. */
  readonly configFailure: Failure | undefined;
}

export interface OpenProjects {
  /** The folder of the project that a file belongs to. */
  folderOf(file: string): string;
  /** Opens a project with the texts of the editor. Throws Failure 'git-failed' outside of a git repository. */
  open(folder: string, signal: AbortSignal): Promise<OpenedProject>;
  /** Forgets what was read from git: files may have changed on disk. */
  refresh(): void;
}

interface Saved extends Omit<OpenedProject, 'request'> {
  readonly request: EditorProject['request'];
  readonly configText: string | Failure | undefined;
}

/**
 * Opens the projects to which the open documents belong. Reads git once, and keeps the result while only documents
 * in the editor change.
 */
export function createOpenProjects(io: Io, documents: OpenDocuments): OpenProjects {
  const savedByFolder = new Map<string, Promise<Saved>>();
  const leftOut = new Map<string, Promise<string | Failure | undefined>>();
  const saved = async (folder: string): Promise<Saved> => {
    const configText = (await textOfConfig(folder, documents)) ?? (await textInIndex(folder, io, leftOut));
    const before = await savedByFolder.get(folder)?.catch(() => undefined);
    if (before !== undefined && before.configText === configText) return before;
    const opening = openSaved(io, folder, configText);
    savedByFolder.set(folder, opening);
    opening.catch(() => savedByFolder.delete(folder));
    return opening;
  };
  return {
    folderOf: (file) => projectFolder(existingFolder(path.dirname(file))),
    async open(folder, signal) {
      const { configText: _, ...project } = await saved(folder);
      const { request } = project;
      const snapshot = unsavedSnapshot(request.snapshot, documents.filesIn(request.repository.root), signal);
      return { ...project, request: { ...request, snapshot } };
    },
    refresh: () => {
      savedByFolder.clear();
      leftOut.clear();
    },
  };
}

/** A new file may be in a folder that does not exist yet. */
function existingFolder(folder: string): string {
  return existsSync(folder) ? folder : existingFolder(path.dirname(folder));
}

async function openSaved(io: Io, folder: string, configText: string | Failure | undefined): Promise<Saved> {
  const { config, configFailure } = configOf(configText);
  const session = openSession(io, { workingDirectory: folder });
  const request = await reviewRequest(
    { ...session, projectConfig: () => Promise.resolve(config) },
    { local: true, workingTree: true, commit: 'HEAD' },
    [],
  );
  if (request.snapshot === undefined) throw new Error('a review of the work tree without a snapshot');
  return {
    folder,
    config,
    configFailure,
    configFile: inRepository(request.directory, 'millrace.yaml'),
    configText,
    request: { ...request, snapshot: remembered(request.snapshot) },
  };
}

/** A snapshot that asks git for the changes since a commit only once. */
function remembered(snapshot: Snapshot): Snapshot {
  const changes = new Map<string, ReturnType<Snapshot['changedSince']>>();
  return {
    ...snapshot,
    changedSince(base) {
      const asked = changes.get(base) ?? snapshot.changedSince(base);
      changes.set(base, asked);
      return asked;
    },
  };
}

function configOf(text: string | Failure | undefined): {
  readonly config: ProjectConfig;
  readonly configFailure: Failure | undefined;
} {
  const defaults = projectSchema.parse({ version: 1 });
  if (text === undefined) return { config: defaults, configFailure: undefined };
  if (text instanceof Failure) return { config: defaults, configFailure: text };
  try {
    return { config: readProjectConfig(text, 'millrace.yaml'), configFailure: undefined };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { config: defaults, configFailure: error };
  }
}

/** The text in the editor, or else on disk; a Failure for a file that is not text. */
async function textOfConfig(folder: string, documents: OpenDocuments): Promise<string | Failure | undefined> {
  const file = path.join(folder, 'millrace.yaml');
  const open = documents.all().find((document) => document.path === file);
  if (open !== undefined) return open.text?.getText() ?? '';
  // A pipe or a device in its place would never end.
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile) return undefined;
  return readPlainFile(file, 'millrace.yaml').catch((error: unknown) =>
    error instanceof Failure ? error : undefined,
  );
}

/** The text in git's index, if a sparse check-out leaves the file out or may leave it out. Read once until the next `refresh`. */
async function textInIndex(
  folder: string,
  io: Io,
  textsByFolder: Map<string, Promise<string | Failure | undefined>>,
): Promise<string | Failure | undefined> {
  const reading = textsByFolder.get(folder) ?? settingsOrFailure(folder, io);
  textsByFolder.set(folder, reading);
  return reading;
}

async function settingsOrFailure(folder: string, io: Io): Promise<string | Failure | undefined> {
  try {
    await refuseOtherProject(folder, undefined, io);
    return await settingsInIndex(folder, 'millrace.yaml', io);
  } catch (error) {
    if (error instanceof Failure && error.code === 'config-invalid') return error;
    throw error;
  }
}
