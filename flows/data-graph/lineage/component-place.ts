import type { ColumnGraph, ColumnWrite, NamingPart, UnnamedWrite } from './column-graph.ts';
import type { ComponentPlace } from './lineage-report.ts';

export function partPlace(
  columns: ColumnGraph,
  { file, line, pipeline, component }: NamingPart,
): ComponentPlace {
  const { column = 1 } = columns.graph.project.pipeline(pipeline)?.components.get(component)?.range ?? {};
  return { file, line, column, pipeline, component };
}

export function placeOf({
  place: { file, line, column },
  pipeline,
  component,
}: Pick<UnnamedWrite, 'place' | 'pipeline' | 'component'>): ComponentPlace {
  return { file, line, column, pipeline, component };
}

export function componentPlace(
  { graph }: ColumnGraph,
  { pipeline, place }: ColumnWrite,
  component: string,
): ComponentPlace {
  const range = graph.project.pipeline(pipeline)?.components.get(component)?.range;
  const { line, column } = range ?? place;
  return { file: place.file, line, column, pipeline, component };
}
