import { xmlText } from '../core/text/escape-xml.ts';
import type { Markup } from '../html/markup.ts';
import { type Box, groupPadding, groupTitle, type Layout, type Point } from './boxes.ts';
import { fittingTitle } from './label.ts';
import { legendOf, legendHeight, legendWidth } from './legend.ts';
import type { Picture, PictureEdge, PictureNode } from './picture.ts';
import { outlineOf } from './shapes.ts';
import { xml } from './xml.ts';

export interface SvgTexts {
  /** What the picture shows, in a few words. */
  readonly title: string;
  /** The same at more length, for a reader who does not see it. */
  readonly description: string;
  /** A sentence below the picture. */
  readonly note?: string | undefined;
}

/**
 * A laid-out picture as an `svg` element. It needs the style of `style.ts` around it or in `style`, and nothing from a network: no script, no
 * font, no image.
 */
export function svgOf(
  picture: Picture,
  layout: Layout,
  { title, description, note, style }: SvgTexts & { readonly style?: Markup | undefined },
): Markup {
  const { nodes, edges, groupName } = picture;
  const width = Math.ceil(Math.max(layout.width, legendWidth(picture, note)));
  const height = Math.ceil(layout.height + legendHeight(note));
  // Elements in a picture that is one image are hidden from a screen reader, links as well.
  const role = nodes.some(({ href }) => href !== undefined) ? 'group' : 'img';
  const boxes = [...layout.groups].flatMap(([group, box]) => {
    const name = groupName(group);
    return name === undefined ? [] : [groupBox(name, box)];
  });
  // In a page, the element needs no namespace.
  const namespace = style === undefined ? null : xml` xmlns="http://www.w3.org/2000/svg"`;
  return xml`<svg${namespace} class="graph" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="${role}" aria-labelledby="graph-title graph-text"><title id="graph-title">${xmlText(title)}</title><desc id="graph-text">${xmlText(description)}</desc>${style}<defs>${edgeKinds(edges).map(arrowHead)}</defs>
<rect class="ground" width="${width}" height="${height}"/>
${boxes}${edges.map((edge, index) => edgePath(edge, layout.edges[index] ?? []))}${nodes.map((node) => nodeMark(node, layout.nodes.get(node.id)))}${legendOf(picture, { top: layout.height, note })}</svg>`;
}

function edgeKinds(edges: readonly PictureEdge[]): readonly string[] {
  return [...new Set(edges.map(({ kind }) => kind))].toSorted();
}

function arrowHead(kind: string): Markup {
  return xml`<marker id="head-${kind}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="head-${kind}" d="M0 0.5 8 4 0 7.5Z"/></marker>`;
}

function groupBox(name: string, { x, y, width, height }: Box): Markup {
  const shown = fittingTitle(name, width - 2 * groupPadding);
  return xml`<g class="group"><title>${xmlText(name)}</title><rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="8"/><text x="${round(x + groupPadding)}" y="${round(y + groupTitle / 2 + 1)}">${xmlText(shown)}</text></g>
`;
}

function nodeMark({ lines, title, classes, shape, href }: PictureNode, box: Box | undefined): Markup | null {
  if (box === undefined) return null;
  const { x, y, width, height } = box;
  const [first = '', second] = lines;
  const centre = round(x + width / 2);
  const middle = y + height / 2 + (shape === 'table' ? 2 : 0);
  const [outline, lid] = outlineOf(shape, box);
  const upper = xml`<text x="${centre}" y="${round(second === undefined ? middle : middle - 8)}">${xmlText(first)}</text>`;
  const lower =
    second === undefined
      ? null
      : xml`<text class="second" x="${centre}" y="${round(middle + 10)}">${xmlText(second)}</text>`;
  const mark = xml`<title>${xmlText(title)}</title><path d="${outline}"/>${lid === undefined ? null : xml`<path class="lid" d="${lid}"/>`}${upper}${lower}`;
  return xml`<g class="node ${classes.join(' ')}">${href === undefined ? mark : xml`<a href="${href}">${mark}</a>`}</g>
`;
}

function edgePath({ kind, isBoth, title }: PictureEdge, points: readonly Point[]): Markup {
  const start = isBoth ? xml` marker-start="url(#head-${kind})"` : null;
  return xml`<path class="edge ${kind}" d="${lineOf(points)}" marker-end="url(#head-${kind})"${start}><title>${xmlText(title)}</title></path>
`;
}

/** How far a line turns to the side if it comes back to the column that it leaves. */
const turn = 24;

/** Straight lines where an edge passes a column, and curves between two columns. */
function lineOf(points: readonly Point[]): string {
  return points
    .map(({ x, y }, index) => {
      const last = points[index - 1];
      if (last === undefined) return `M${round(x)} ${round(y)}`;
      if (index % 2 === 1) return last.x === x ? '' : `H${round(x)}`;
      const side = index === 2 ? turn : -turn;
      const middle = last.x === x ? round(x + side) : round((last.x + x) / 2);
      return `C${middle} ${round(last.y)} ${middle} ${round(y)} ${round(x)} ${round(y)}`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value);
}
