import { overlayProject } from './overlay-project.ts';
import { openTestProject, type ProjectRecipe, type TestProject } from './test-project.ts';

/** How to open a project, as JSON data for a message to another process. */
export type WrittenRecipe = Omit<ProjectRecipe, 'contents'> & {
  /** By path: the content in base64, or null for a file that does not exist. */
  readonly contents: readonly (readonly (readonly [path: string, content: string | null])[])[];
};

export function writeRecipe({ contents, ...recipe }: ProjectRecipe): WrittenRecipe {
  const written = contents.map((overlay) =>
    [...overlay].map(
      ([path, bytes]) => [path, bytes === undefined ? null : Buffer.from(bytes).toString('base64')] as const,
    ),
  );
  return { ...recipe, contents: written };
}

/** Opens a project by its recipe. Files on disk are read again. */
export function reopenProject({ directory, kind, options, contents }: WrittenRecipe): TestProject {
  let project = openTestProject(directory, kind, options);
  for (const overlay of contents)
    project = overlayProject(project, {
      contents: new Map(
        overlay.map(([path, text]) => [path, text === null ? undefined : Buffer.from(text, 'base64')]),
      ),
    });
  return project;
}
