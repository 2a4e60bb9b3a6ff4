import { readFolder } from './read-folder.ts';
import type { ReadySeed } from '../seed/seed-schema.ts';

type Complain = (message: string, path: readonly (string | number)[]) => Error;

/** Replaces every folder of the seed by its texts, so that the folders are no longer needed. */
export function withFolders(seed: ReadySeed, base: string, complain: Complain): ReadySeed {
  const filled = <Item extends { readonly folder?: string | undefined }>(
    { folder, ...item }: Item,
    path: readonly (string | number)[],
  ) => {
    if (folder === undefined) return item;
    try {
      return { ...item, files: readFolder(base, folder) };
    } catch (error) {
      throw complain(error instanceof Error ? error.message : String(error), [...path, 'folder']);
    }
  };
  return {
    ...seed,
    projects: seed.projects.map((project, at) => ({
      ...project,
      artifacts: project.artifacts.map((artifact, index) =>
        filled(artifact, ['projects', at, 'artifacts', index]),
      ),
    })),
    shared: seed.shared.map((shared, at) => filled(shared, ['shared', at])),
  };
}
