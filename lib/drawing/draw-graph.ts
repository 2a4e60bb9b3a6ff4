import { numberOf } from '../core/text/number-of.ts';
import type { Markup } from '../html/markup.ts';
import type { DrawnGraph } from './drawn-graph.ts';
import { titleWidth } from './label.ts';
import { layoutGraph } from './layout.ts';
import { type Links, pictureOf } from './picture-of.ts';
import { drawingStyle } from './style.ts';
import { svgOf } from './svg.ts';
import { xml } from './xml.ts';

export interface DrawingOptions {
  /** What the picture shows, in a few words. */
  readonly title: string;
  /** A sentence below the picture: what it does not show. */
  readonly note?: string | undefined;
  readonly links?: Links;
  /** Whether the page around it has the style of `style.ts`. */
  readonly isStyled?: boolean;
}

/**
 * Draws a graph as an `svg` element. Without `isStyled`, the text is also a complete file. The same graph always
 * gives the same text.
 */
export function drawGraph(
  graph: DrawnGraph,
  { title, note, links, isStyled = false }: DrawingOptions,
): Markup {
  const picture = pictureOf(graph, links);
  const layout = layoutGraph(picture.nodes, picture.edges, (group) =>
    titleWidth(picture.groupName(group) ?? ''),
  );
  const style = isStyled ? undefined : xml`<style>${drawingStyle}</style>`;
  return svgOf(picture, layout, { title, note, description: describe(graph), style });
}

function describe({ nodes, calls, tables, uses }: DrawnGraph): string {
  const pipelines = nodes.filter(({ kind }) => kind === 'orchestration' || kind === 'transformation');
  const counts = `${numberOf(pipelines.length, 'pipeline')} with ${numberOf(calls.length, 'call')}`;
  const calling = `${counts}. Dashed arrows lead from a pipeline to the pipelines that it calls.`;
  if (tables.length === 0) return calling;
  return `${calling} ${numberOf(tables.length, 'table')}, used in ${numberOf(uses.length, 'place')}. Other arrows lead from a table to the pipelines that read it, and from a pipeline to the tables that it writes.`;
}
