import { writtenTokens } from '../../../engine/index.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import type { YamlPath } from '../../../lib/yaml/read-yaml.ts';
import { itemsOf, textOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { type FindFaults, otherWord, otherWords, type Part, type PartFault } from './part-faults.ts';
import { shownWords } from './sql-fault.ts';
import type { YamlChange } from './yaml-change.ts';

const words = {
  Sum: ['Max'],
  Average: ['Sum'],
  Count: ['Count Distinct'],
  'Count Distinct': ['Count'],
  Max: ['Min'],
  Min: ['Max'],
};

/** Replaces the function of a pivot. */
export const pivotWords = otherWord('aggregate', words);

const otherFunctions = otherWords('aggregate', 1, words);

/** How the name of the output column begins. */
const prefixes: Readonly<Record<string, string>> = {
  sum: 'sum',
  average: 'avg',
  count: 'count',
  'count distinct': 'count_distinct',
  max: 'max',
  min: 'min',
};

/**
 * Replaces the function of an aggregate. The name of its output column contains the function, so readers of the
 * column are changed too; otherwise the pipeline would always fail.
 */
export const aggregateWords: FindFaults = (part) =>
  otherFunctions(part).map((fault): PartFault => {
    const [change] = fault.changes;
    const row = change === undefined ? undefined : itemsOf(part.node)[Number(change.path.at(-2))];
    const column = textOf(itemsOf(row)[0]) ?? '';
    const nameOf = (word: string) => `${prefixes[word.trim().toLowerCase()] ?? word}_${column}`;
    const uses = usesOf(part, nameOf(fault.before), nameOf(fault.after));
    return { ...fault, changes: [...fault.changes, ...uses] };
  });

/** Parameters whose rows end with the name of an output column. */
const withOutput: ReadonlySet<string> = new Set([
  'columnMapping',
  'columnMappings',
  'updateMapping',
  'insertMapping',
  'outputColumnMapping',
  'calculations',
  'functions',
  'outputColumns',
]);

/** Renames a column in everything that reads the component, also through others. */
function usesOf(part: Part, name: string, newName: string): readonly YamlChange[] {
  const { document, component, kind } = part;
  return readersOf(component, [...document.components.values()]).flatMap((reader) => {
    const parameters = reader.node('parameters');
    if (parameters?.kind !== 'map') return [];
    return [...parameters.entries].flatMap(([key, { value }]) =>
      cellsOf(value, withOutput.has(key)).flatMap(({ path, text }): readonly YamlChange[] => {
        if (!text.toLowerCase().includes(name.toLowerCase())) return [];
        const parts = (writtenTokens(text, kind) ?? []).flatMap((token) => {
          const isName = token.kind === 'quoted' || token.kind === 'word';
          const written = token.kind === 'quoted' ? token.value : token.raw;
          if (!isName || written.toLowerCase() !== name.toLowerCase()) return [];
          const isUpper = written === written.toUpperCase() && written !== written.toLowerCase();
          const renamed = isUpper ? newName.toUpperCase() : newName;
          return [
            { start: token.start, end: token.end, text: token.kind === 'quoted' ? `"${renamed}"` : renamed },
          ];
        });
        const at: YamlPath = ['pipeline', 'components', reader.name, 'parameters', key, ...path];
        return parts.length === 0 ? [] : [{ path: at, parts }];
      }),
    );
  });
}

function readersOf(component: Component, all: readonly Component[]): readonly Component[] {
  const found = new Set<Component>();
  const names = new Set([component.name]);
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const other of all)
      if (other.sources.some((source) => names.has(source))) {
        found.add(other);
        names.add(other.name);
      }
  }
  return [...found];
}

function cellsOf(
  node: YamlNode,
  hasOutput: boolean,
): readonly { readonly path: YamlPath; readonly text: string }[] {
  if (node.kind === 'scalar') return node.value === null ? [] : [{ path: [], text: node.text }];
  if (node.kind === 'map') return [];
  return node.items.flatMap((row, index) => {
    if (row.kind !== 'list') return cellsOf(row, false).map(({ text }) => ({ path: [index], text }));
    const cells = hasOutput && row.items.length > 1 ? row.items.slice(0, -1) : row.items;
    return cells.flatMap((cell, place) =>
      cellsOf(cell, false).map(({ path, text }) => ({ path: [index, place, ...path], text })),
    );
  });
}

/** Uses the other of two compared tables as the master. */
export const swappedMaster: FindFaults = ({ component, node, path }) => {
  const [other, ...more] = component.sources.filter((source) => source !== textOf(node));
  if (node.kind !== 'scalar' || other === undefined || more.length > 0) return [];
  const shown = { before: shownWords(node.text), after: shownWords(other) };
  return [{ kind: 'swapped-inputs', ...shown, changes: [{ path, text: other }], at: node, context: '' }];
};

/** Uses the column of the other compared table. */
export const swappedSide: FindFaults = ({ node, path }) =>
  itemsOf(node).flatMap((row, index): readonly PartFault[] => {
    const cell = itemsOf(row)[0];
    const [, side, column] = /^(master|compare)_(.+)$/is.exec(textOf(cell) ?? '') ?? [];
    if (cell?.kind !== 'scalar' || side === undefined || column === undefined) return [];
    const text = `${side.toLowerCase() === 'master' ? 'compare' : 'master'}_${column}`;
    const shown = { before: shownWords(cell.text), after: shownWords(text) };
    const changes = [{ path: [...path, index, 0], text }];
    return [{ kind: 'swapped-inputs', ...shown, changes, at: cell, context: textOf(itemsOf(row)[1]) ?? '' }];
  });

/** Replaces a `distinct` by a `rename` that keeps all names, so that all rows are kept. */
export const keptDuplicates: FindFaults = ({ component, node, path }) => {
  const type = component.node('type');
  const items = node.kind === 'list' ? node.items : [];
  const names = items.flatMap((item) => textOf(itemsOf(item)[0]) ?? []);
  if (type === undefined || names.length === 0 || names.length !== items.length) return [];
  return [
    {
      kind: 'distinct',
      before: component.type,
      after: '',
      changes: [
        { path: [...path.slice(0, -2), 'type'], text: 'rename' },
        ...names.map((name, index) => ({ path: [...path, index], list: [name, name] })),
        { path, key: 'columnMapping' },
      ],
      at: type,
      context: names.join(', '),
    },
  ];
};
