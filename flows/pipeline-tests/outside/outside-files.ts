import type { EnvironmentDefaults, FileProblem, Place, WarehouseKind } from '../../../engine/index.ts';
import { compileGlob } from '../../../lib/core/files/glob.ts';
import { selectFiles } from '../../../lib/git/select-files.ts';
import { readYaml, type YamlPath } from '../../../lib/yaml/read-yaml.ts';

/** The files about tables from outside a project, as millrace.yaml names them. */
export interface OutsideFiles {
  /** Globs of files with the columns of tables. */
  readonly schemas: readonly string[];
  /** Globs of files that define streaming pipelines. */
  readonly streaming: readonly string[];
  /** The file of `millrace provision`, whose connections say what `[Environment Default]` means. */
  readonly provision: string | undefined;
}

export const noOutsideFiles: OutsideFiles = { schemas: [], streaming: [], provision: undefined };

/** The parts of a project that are needed to find these files. */
export interface OutsideProject {
  readonly kind: WarehouseKind;
  readonly defaults: EnvironmentDefaults;
  readonly outside: OutsideFiles;
  readonly paths: readonly string[];
  text(path: string): string | undefined;
}

/** Whether a path is one of these files. */
export function isOutsideFile({ schemas, streaming, provision }: OutsideFiles): (path: string) => boolean {
  const matchers = [...schemas, ...streaming].map(compileGlob);
  return (path) => path === provision || matchers.some((matches) => matches(path));
}

/** The files that a key of millrace.yaml names, and the patterns that match no file. */
export function outsideFiles(
  key: 'schemas' | 'streaming',
  project: OutsideProject,
): { readonly paths: readonly string[]; readonly problems: readonly FileProblem[] } {
  const entries = project.paths.map((path) => ({ path }));
  const paths = new Set<string>();
  const problems: FileProblem[] = [];
  for (const [index, glob] of project.outside[key].entries()) {
    const selected = selectFiles(entries, { include: [glob] });
    for (const { path } of selected) paths.add(path);
    if (selected.length === 0) problems.push(missingFile([key, index], glob, project));
  }
  return { paths: [...paths], problems };
}

const settings = 'millrace.yaml';

/**
 * The problem of a pattern in millrace.yaml that matches no file. It is at the first line if the settings come from
 * another file.
 */
export function missingFile(path: YamlPath, name: string, project: OutsideProject): FileProblem {
  const range = readYaml(project.text(settings) ?? '', { file: settings }).rangeOf(path);
  const place: Place = { file: settings, line: range?.line ?? 1, column: range?.column ?? 1 };
  return {
    ...place,
    message: `\`${path[0]}\` names "${name}", but the project has no such file: correct the name, or remove it`,
  };
}
