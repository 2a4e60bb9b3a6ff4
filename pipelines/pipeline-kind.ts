export type PipelineKind = 'orchestration' | 'transformation';

const suffixes = {
  orchestration: '.orch.yaml',
  transformation: '.tran.yaml',
} as const satisfies Record<PipelineKind, string>;

/** The suffix that a pipeline file of this kind has. */
export function suffixOf(kind: PipelineKind): string {
  return suffixes[kind];
}

/** What a path is by its suffix; nothing for any other file. The `type` in the file does not count (unknowns §4). */
export function kindOf(path: string): PipelineKind | undefined {
  if (path.endsWith(suffixes.orchestration)) return 'orchestration';
  if (path.endsWith(suffixes.transformation)) return 'transformation';
  return undefined;
}

/** The name of a pipeline as executions may give it: the path without its suffix. */
export function withoutSuffix(path: string): string {
  const kind = kindOf(path);
  return kind === undefined ? path : path.slice(0, -suffixes[kind].length);
}
