import path from 'node:path';

export const pipelineKinds = ['orchestration', 'transformation'] as const;

export type PipelineKind = (typeof pipelineKinds)[number];

const suffixes = {
  orchestration: '.orch.yaml',
  transformation: '.tran.yaml',
} as const satisfies Record<PipelineKind, string>;

/** The suffix of pipeline files of this kind. */
export function suffixOf(kind: PipelineKind): string {
  return suffixes[kind];
}

/**
 * The kind of a pipeline by its path's suffix; undefined for any other file. The `type` in the file does not count
 * (unknowns §4).
 */
export function kindOf(file: string): PipelineKind | undefined {
  if (file.endsWith(suffixes.orchestration)) return 'orchestration';
  if (file.endsWith(suffixes.transformation)) return 'transformation';
  return undefined;
}

/**
 * The right name for a file that was certainly meant as a pipeline but does not have its suffix: `load.orch.yaml`
 * for `load.orch.yml` and `load.ORCH.YAML`. Undefined for any other file.
 */
export function intendedName(file: string): string | undefined {
  const [ending, kind = ''] = /\.(orch|tran)\.ya?ml\s*$/i.exec(file) ?? [];
  if (ending === undefined || kindOf(file) !== undefined) return undefined;
  return `${file.slice(0, -ending.length)}.${kind.toLowerCase()}.yaml`;
}

/** The name of a pipeline in executions: the path without its suffix. */
export function withoutSuffix(file: string): string {
  const kind = kindOf(file);
  return kind === undefined ? file : file.slice(0, -suffixes[kind].length);
}

/**
 * The canonical form of a pipeline's path, for comparing different spellings: from the project's root, with `/`,
 * without suffix. `daily/load.orch.yaml` and `daily/load.tran.yaml` have the same one, as both have the name
 * `daily/load` (unknowns §2).
 */
export function canonicalName(file: string): string {
  const slashed = path.posix.normalize(file.normalize('NFC').replaceAll('\\', '/'));
  return withoutSuffix(slashed.replace(/^\/+/, ''));
}
