import { xmlText } from '../core/text/escape-xml.ts';
import type { Markup } from '../html/markup.ts';
import { textWidth } from './label.ts';
import type { Picture, PictureNode, Shape } from './picture.ts';
import { outlineOf } from './shapes.ts';
import { xml } from './xml.ts';

const lineHeight = 24;

export function legendHeight(note: string | undefined): number {
  return 12 + (note === undefined ? lineHeight : 2 * lineHeight);
}

interface Entry {
  readonly text: string;
  readonly classes: string;
  /** Undefined for an arrow. */
  readonly shape?: Shape | undefined;
  isIn(picture: Picture): boolean;
}

const hasNode = (test: (node: PictureNode) => boolean) => (picture: Picture) => picture.nodes.some(test);
const hasEdge = (kind: string) => (picture: Picture) => picture.edges.some((edge) => edge.kind === kind);

const entries: readonly Entry[] = [
  {
    text: 'pipeline that no pipeline calls',
    classes: 'pipeline',
    shape: 'entry',
    isIn: hasNode(({ shape }) => shape === 'entry'),
  },
  { text: 'orchestration', classes: 'pipeline', shape: 'box', isIn: hasNode(({ shape }) => shape === 'box') },
  {
    text: 'transformation',
    classes: 'pipeline',
    shape: 'slanted',
    isIn: hasNode(({ shape }) => shape === 'slanted'),
  },
  {
    text: 'shared pipeline',
    classes: 'pipeline',
    shape: 'hexagon',
    isIn: hasNode(({ shape }) => shape === 'hexagon'),
  },
  {
    text: 'table or view',
    classes: 'table',
    shape: 'table',
    isIn: hasNode(({ shape, classes }) => shape === 'table' && !classes.includes('outside')),
  },
  {
    text: 'table that no pipeline creates',
    classes: 'table outside',
    shape: 'table',
    isIn: hasNode(({ classes }) => classes.includes('outside')),
  },
  { text: 'calls', classes: 'call', isIn: hasEdge('call') },
  { text: 'reads', classes: 'read', isIn: hasEdge('read') },
  { text: 'writes', classes: 'write', isIn: hasEdge('write') },
  { text: 'drops', classes: 'drop', isIn: hasEdge('drop') },
];

const signWidth = 26;
const widthOf = ({ text }: Entry) => signWidth + 8 + textWidth(text, 12) + 20;

function shown(picture: Picture): readonly Entry[] {
  return entries.filter((entry) => entry.isIn(picture));
}

export function legendWidth(picture: Picture, note = ''): number {
  return Math.max(
    shown(picture).reduce((sum, entry) => sum + widthOf(entry), 32),
    textWidth(note, 12) + 32,
  );
}

/** The legend of a picture: what its shapes and lines mean, and the note below. */
export function legendOf(
  picture: Picture,
  { top, note }: { readonly top: number; readonly note: string | undefined },
): Markup {
  let x = 16;
  const y = Math.round(top + 10);
  const marks = shown(picture).map(({ shape, classes, text, ...entry }) => {
    const left = Math.round(x);
    x += widthOf({ shape, classes, text, ...entry });
    const label = xml`<text x="${left + signWidth + 8}" y="${y}">${text}</text>`;
    if (shape === undefined)
      return xml`<path class="edge ${classes}" d="M${left} ${y}H${left + signWidth}" marker-end="url(#head-${classes})"/>${label}`;
    const [outline, lid] = outlineOf(shape, { x: left, y: y - 8, width: signWidth, height: 16 });
    return xml`<g class="node ${classes}"><path d="${outline}"/>${lid === undefined ? null : xml`<path class="lid" d="${lid}"/>`}</g>${label}`;
  });
  const below = note === undefined ? null : xml`<text x="16" y="${y + lineHeight}">${xmlText(note)}</text>`;
  return xml`<g class="legend">${marks}${below}</g>`;
}
