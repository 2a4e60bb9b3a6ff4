import type { PipelineDocument } from './read-pipeline.ts';

/** The names of the start components. If there are several, all are starting points (unknowns §4). */
export function startsOf(document: PipelineDocument): readonly string[] {
  return [...document.components.values()].filter(({ type }) => type === 'start').map(({ name }) => name);
}
