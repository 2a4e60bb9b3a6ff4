import type { PipelineDocument } from './read-pipeline.ts';

/** Names of the start components; several are all roots (unknowns §4). */
export function startsOf(document: PipelineDocument): readonly string[] {
  return [...document.components.values()].filter(({ type }) => type === 'start').map(({ name }) => name);
}
