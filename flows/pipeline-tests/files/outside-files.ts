import type { FileProblem, Place } from '../../../engine/index.ts';
import { compileGlob } from '../../../lib/core/files/glob.ts';
import { selectFiles } from '../../../lib/git/select-files.ts';
import { readYaml } from '../../../lib/yaml/read-yaml.ts';

/** The files that say what is outside of a project, as millrace.yaml names them. */
export interface OutsideFiles {
  /** Globs. */
  readonly schemas: readonly string[];
}

/** The part of a project that names and has them. */
interface ProjectFiles {
  readonly outside: OutsideFiles;
  readonly paths: readonly string[];
  text(path: string): string | undefined;
}

export const noOutsideFiles: OutsideFiles = { schemas: [] };

/** Whether a path is one of these files. */
export function isOutsideFile({ schemas }: OutsideFiles): (path: string) => boolean {
  const matchers = schemas.map(compileGlob);
  return (path) => matchers.some((matches) => matches(path));
}

/** The files of a key of millrace.yaml, and the patterns that no file has. */
export function outsideFiles(
  key: keyof OutsideFiles,
  project: ProjectFiles,
): { readonly paths: readonly string[]; readonly problems: readonly FileProblem[] } {
  const entries = project.paths.map((path) => ({ path }));
  const paths = new Set<string>();
  const problems: FileProblem[] = [];
  for (const [index, glob] of project.outside[key].entries()) {
    const selected = selectFiles(entries, { include: [glob] });
    for (const { path } of selected) paths.add(path);
    if (selected.length === 0)
      problems.push({
        ...placeOfPattern(key, index, project),
        message: `\`${key}\` names "${glob}", but the project has no such file: correct the name, or remove it`,
      });
  }
  return { paths: [...paths], problems };
}

const settings = 'millrace.yaml';

/** Where the settings have a pattern; the first line if they are in another file. */
function placeOfPattern(key: keyof OutsideFiles, index: number, project: ProjectFiles): Place {
  const range = readYaml(project.text(settings) ?? '', { file: settings }).rangeOf([key, index]);
  return { file: settings, line: range?.line ?? 1, column: range?.column ?? 1 };
}
