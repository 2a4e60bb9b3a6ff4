import { compareTexts } from '../core/text/compare-texts.ts';
import type { DrawnGraph, DrawnPipeline, DrawnTable, DrawnUse } from './drawn-graph.ts';
import { shortLabel, textWidth } from './label.ts';
import type { EdgeKind, Picture, PictureEdge, PictureNode, Shape } from './picture.ts';

/** The address to which a click on a node leads; undefined for none. */
export interface Links {
  readonly pipeline: (name: string) => string | undefined;
  readonly table: (name: string) => string | undefined;
  /** The pipeline or table whose page this is. */
  readonly current?: string;
}

const noLinks: Links = { pipeline: () => undefined, table: () => undefined };
/** Of tables that no pipeline writes, and of pipelines of other projects. No folder has this name. */
const outside = '\0outside';
const root = '';
/** The places that the title of an arrow lists. */
const maxPlaces = 10;

/**
 * Decides how each pipeline, table and use is drawn. Each folder is a group. A table is in the folder of the
 * pipeline that creates or writes it. A table that nothing writes is in the folder of its only reader, or among the
 * tables from outside.
 */
export function pictureOf(graph: DrawnGraph, links: Links = noLinks): Picture {
  const byTable = Map.groupBy(graph.uses, ({ table }) => table);
  const pipelines = graph.nodes.map((node) => pipelineNode(node, links));
  const tables = graph.tables.map((table) => tableNode(table, byTable.get(table.name) ?? [], links));
  const nodes = [...pipelines, ...tables].toSorted(
    (a, b) => compareTexts(rankOf(a.group), rankOf(b.group)) || compareTexts(a.id, b.id),
  );
  const groups = new Set(nodes.map(({ group }) => group));
  return {
    nodes,
    edges: [...callEdges(graph), ...useEdges(graph)],
    groupName(group) {
      if (group === outside) return 'Outside';
      if (group !== root) return group;
      return groups.size === 1 ? undefined : 'Root folder';
    },
  };
}

/** What is from outside comes first, then the root of the project. */
function rankOf(group: string | undefined): string {
  return group === outside ? '' : `1${group ?? ''}`;
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : root;
}

const pipelineId = (name: string) => `pipeline ${name}`;
const tableId = (name: string) => `table ${name}`;

const abouts: Readonly<Record<DrawnPipeline['kind'], string>> = {
  orchestration: 'orchestration',
  transformation: 'transformation',
  streaming: 'streaming pipeline',
  foreign: 'shared pipeline of another project',
  missing: 'does not exist',
};

function pipelineNode(node: DrawnPipeline, links: Links): PictureNode {
  const { name, kind, entry, sharedId, worst } = node;
  const short = name.replace(/\.(?:orch|tran)\.yaml$/, '');
  const group = kind === 'foreign' ? outside : folderOf(name);
  const label = group === outside || group === root ? short : short.slice(group.length + 1);
  const about = [
    abouts[kind],
    ...(entry ? ['no pipeline calls it'] : []),
    ...(sharedId === undefined ? [] : [`shared as ${sharedId}`]),
    ...(worst === undefined ? [] : [`worst finding: ${worst}`]),
  ];
  const isShown = kind === 'missing' || kind === 'streaming';
  const second = isShown ? [abouts[kind]] : sharedId === undefined ? [] : [`shared as ${sharedId}`];
  return {
    id: pipelineId(name),
    group,
    shape: shapeOf(node),
    title: `${name}: ${about.join(', ')}`,
    classes: ['pipeline', kind, ...(worst === undefined ? [] : [worst]), ...currentClass(name, links)],
    href: isShown || kind === 'foreign' ? undefined : links.pipeline(name),
    ...sized([label, ...second]),
  };
}

function currentClass(name: string, { current }: Links): readonly string[] {
  return name === current ? ['current'] : [];
}

function shapeOf({ kind, entry, sharedId }: DrawnPipeline): Shape {
  if (sharedId !== undefined || kind === 'foreign') return 'hexagon';
  if (entry) return 'entry';
  return kind === 'transformation' ? 'slanted' : 'box';
}

function tableNode({ name, label }: DrawnTable, uses: readonly DrawnUse[], links: Links): PictureNode {
  const writers = uses.filter(({ effect }) => effect !== 'reads' && effect !== 'drops');
  const creators = writers.filter(({ effect }) => effect === 'creates');
  const folders = new Set(
    (creators.length > 0 ? creators : writers.length > 0 ? writers : uses).map(({ pipeline }) =>
      folderOf(pipeline),
    ),
  );
  const [first = root, ...others] = [...folders].toSorted(compareTexts);
  const isOutside = creators.length === 0;
  const about = isOutside ? 'no pipeline creates it' : 'table or view';
  return {
    id: tableId(name),
    group: writers.length === 0 && others.length > 0 ? outside : first,
    shape: 'table',
    title: `${name}: ${about}`,
    classes: ['table', ...(isOutside ? ['outside'] : []), ...currentClass(name, links)],
    href: links.table(name),
    ...sized([label]),
  };
}

/** The lines of a node, and the size that they need with the slants of its shape. */
function sized(texts: readonly string[]): Pick<PictureNode, 'lines' | 'width' | 'height'> {
  const lines = texts.map(shortLabel);
  const width = Math.max(...lines.map((line, index) => textWidth(line, index === 0 ? 13 : 11)));
  return { lines, width: Math.ceil(width) + 32, height: lines.length > 1 ? 46 : 32 };
}

function callEdges({ calls }: DrawnGraph): readonly PictureEdge[] {
  const pairs = new Set(calls.map(({ from, to }) => JSON.stringify([from, to])));
  return calls.flatMap(({ from, to }): readonly PictureEdge[] => {
    const isBoth = from !== to && pairs.has(JSON.stringify([to, from]));
    if (isBoth && compareTexts(from, to) > 0) return [];
    const title = isBoth ? `${from} and ${to} call each other` : `${from} calls ${to}`;
    return [{ from: pipelineId(from), to: pipelineId(to), kind: 'call', isBoth, title }];
  });
}

/** One arrow for each pipeline and table, or two in one line if the pipeline reads and writes the table. */
function useEdges({ uses }: DrawnGraph): readonly PictureEdge[] {
  const groups = Map.groupBy(uses, ({ pipeline, table }) => JSON.stringify([pipeline, table]));
  return [...groups.values()].flatMap((list): readonly PictureEdge[] => {
    const [first] = list;
    if (first === undefined) return [];
    const [pipeline, table] = [pipelineId(first.pipeline), tableId(first.table)];
    const reads = list.filter(({ effect }) => effect === 'reads');
    const writes = list.filter(({ effect }) => effect !== 'reads');
    const title = titleOf(list);
    if (writes.length === 0) return [{ from: table, to: pipeline, kind: 'read', isBoth: false, title }];
    const kind: EdgeKind = writes.every(({ effect }) => effect === 'drops') ? 'drop' : 'write';
    return [{ from: pipeline, to: table, kind, isBoth: reads.length > 0, title }];
  });
}

function titleOf(uses: readonly DrawnUse[]): string {
  const lines = uses
    .slice(0, maxPlaces)
    .map(
      ({ pipeline, effect, table, component, file, line }) =>
        `${pipeline} ${effect} ${table}: component "${component}", ${file === pipeline ? '' : `${file} `}line ${line}`,
    );
  return [...lines, ...(uses.length > maxPlaces ? [`and ${uses.length - maxPlaces} more`] : [])].join('\n');
}
