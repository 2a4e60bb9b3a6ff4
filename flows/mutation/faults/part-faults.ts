import type { WarehouseKind } from '../../../engine/index.ts';
import type { Component, TransitionKind } from '../../../lib/pipelines/model/component.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { YamlPath } from '../../../lib/yaml/read-yaml.ts';
import {
  childOf,
  itemsOf,
  scalarsOf,
  type Span,
  textOf,
  type YamlNode,
} from '../../../lib/yaml/yaml-node.ts';
import type { FaultKind } from './fault-kinds.ts';
import type { FaultWords } from './fault.ts';
import { nextConstant } from './next-constant.ts';
import { shownWords } from './sql-fault.ts';
import { sqlFaults } from './sql-faults.ts';
import { readSql } from './sql-structure.ts';
import type { YamlChange } from './yaml-change.ts';

/** A part of a component that can be changed: a parameter, the sources or the transitions. */
export interface Part {
  readonly document: PipelineDocument;
  readonly component: Component;
  readonly kind: WarehouseKind;
  /** From the root of the file. */
  readonly path: YamlPath;
  readonly node: YamlNode;
}

/** A change of a part, without its place in the file. */
export interface PartFault extends FaultWords {
  readonly changes: readonly YamlChange[];
  /** What a person looks at, in the file or in the text of the value at the path. */
  readonly at: Span | { readonly path: YamlPath; readonly start: number; readonly end: number };
  /** What is around the change, so that a change of one row differs from the same change of another row. */
  readonly context: string;
  readonly transition?: { readonly on: TransitionKind; readonly to: string };
}

/** Finds all changes of one kind in a part. */
export type FindFaults = (part: Part) => readonly PartFault[];

/** The words of a parameter, as files spell them, each with its replacements. */
export type OtherWords = Readonly<Record<string, readonly string[]>>;

interface Cell {
  readonly row: YamlNode;
  readonly rowIndex: number;
  readonly path: YamlPath;
  readonly node: Extract<YamlNode, { kind: 'scalar' }>;
}

/** The cells of a column of the rows of a part; a row that is one value has one cell. */
function cellsAt({ node, path }: Part, index: number): readonly Cell[] {
  if (node.kind !== 'list') return [];
  return node.items.flatMap((row, rowIndex): readonly Cell[] => {
    const cell = row.kind === 'list' ? row.items[index] : index === 0 ? row : undefined;
    if (cell?.kind !== 'scalar' || cell.value === null) return [];
    const cellPath = [...path, rowIndex, ...(row.kind === 'list' ? [index] : [])];
    return [{ row, rowIndex, path: cellPath, node: cell }];
  });
}

/** A row as one text. */
function rowText(row: YamlNode): string {
  return itemsOf(row)
    .map((cell) => textOf(cell) ?? '')
    .join(', ');
}

/** Replaces words in the cells of a column. */
export function otherWords(
  kind: FaultKind | ((word: string) => FaultKind),
  index: number,
  words: OtherWords,
  isChanged: (row: YamlNode) => boolean = () => true,
): FindFaults {
  return (part) =>
    cellsAt(part, index).flatMap(({ row, path, node }) =>
      isChanged(row) ? wordFaults(kind, words, { path, node, context: rowText(row) }) : [],
    );
}

/** Replaces a parameter that is one word. */
export function otherWord(kind: FaultKind, words: OtherWords): FindFaults {
  return ({ node, path }) =>
    node.kind === 'scalar' ? wordFaults(kind, words, { path, node, context: '' }) : [];
}

function wordFaults(
  kind: FaultKind | ((word: string) => FaultKind),
  words: OtherWords,
  { path, node, context }: { path: YamlPath; node: Extract<YamlNode, { kind: 'scalar' }>; context: string },
): readonly PartFault[] {
  const written = node.text.trim().toLowerCase();
  const known = Object.keys(words).find((word) => word.toLowerCase() === written);
  return (known === undefined ? [] : (words[known] ?? [])).map((text) => ({
    kind: typeof kind === 'function' ? kind(text) : kind,
    before: shownWords(node.text),
    after: text,
    changes: [{ path, text }],
    at: node,
    context,
  }));
}

/** Swaps `Yes` and `No`, also spelled `True` and `False`. */
export function otherAnswer(kind: FaultKind): FindFaults {
  return otherWord(kind, { Yes: ['No'], No: ['Yes'], True: ['False'], False: ['True'] });
}

/**
 * Replaces values in the cells of a column by the next constant. Values with a variable and names of columns are
 * left alone.
 */
export function nextInCells(index: number, isChanged: (row: YamlNode) => boolean = () => true): FindFaults {
  return (part) =>
    cellsAt(part, index).flatMap(({ row, path, node }) =>
      isChanged(row) && !isName(node, part) ? constantFaults(node, path, rowText(row)) : [],
    );
}

/** Whether a text is written elsewhere in the components too, as the names of columns are. */
function isName(node: Extract<YamlNode, { kind: 'scalar' }>, { document }: Part): boolean {
  if (!/^[A-Z_]\w*$/i.test(node.text)) return false;
  const components = childOf(childOf(document.source.root, 'pipeline'), 'components');
  for (const scalar of scalarsOf(components, node)) if (scalar.text === node.text) return true;
  return false;
}

/** Replaces a parameter by the next constant. */
export const nextValue: FindFaults = ({ node, path }) =>
  node.kind === 'scalar' ? constantFaults(node, path, '') : [];

function constantFaults(
  node: Extract<YamlNode, { kind: 'scalar' }>,
  path: YamlPath,
  context: string,
): readonly PartFault[] {
  if (node.text.includes('${')) return [];
  const quoted = /^'([^'\\]*)'$/.exec(node.text.trim())?.[1];
  const next = nextConstant(quoted ?? node.text);
  if (next === undefined) return [];
  const text = quoted === undefined ? next : `'${next}'`;
  const shown = { before: shownWords(node.text), after: shownWords(text) };
  return [{ kind: 'constant', ...shown, changes: [{ path, text }], at: node, context }];
}

/** Replaces numbers in the cells of a column by zero. */
export function zeroInCells(kind: FaultKind, index: number): FindFaults {
  return (part) =>
    cellsAt(part, index).flatMap(({ row, path, node }) =>
      /^[1-9]\d*$/.test(node.text)
        ? [
            {
              kind,
              before: node.text,
              after: '0',
              changes: [{ path, text: '0' }],
              at: node,
              context: rowText(row),
            },
          ]
        : [],
    );
}

/** Finds the changes that leave out one row of a list each. Gives none if the list has fewer than `min` rows. */
export function withoutRow(
  kind: FaultKind,
  {
    min = 1,
    isLeftOut = () => true,
  }: {
    readonly min?: number;
    readonly isLeftOut?: (row: YamlNode, index: number, count: number) => boolean;
  } = {},
): FindFaults {
  return ({ node, path }) => {
    if (node.kind !== 'list' || node.items.length < min) return [];
    const count = node.items.length;
    return node.items.flatMap((row, index): readonly PartFault[] => {
      if (!isLeftOut(row, index, count)) return [];
      const text = rowText(row);
      const shown = { before: shownWords(text), after: '' };
      return [{ kind, ...shown, changes: [{ path, without: index }], at: row, context: text }];
    });
  };
}

/** Swaps the cells of a column between neighbouring rows. */
export function swappedRows(kind: FaultKind, index: number): FindFaults {
  return (part) => {
    const cells = cellsAt(part, index);
    return cells.slice(0, -1).flatMap((cell, at): readonly PartFault[] => {
      const next = cells[at + 1];
      if (next === undefined || next.node.text === cell.node.text) return [];
      return [
        {
          kind,
          before: shownWords(`${cell.node.text}, ${next.node.text}`),
          after: shownWords(`${next.node.text}, ${cell.node.text}`),
          changes: [
            { path: cell.path, text: next.node.text },
            { path: next.path, text: cell.node.text },
          ],
          at: cell.node,
          context: `${rowText(cell.row)}; ${rowText(next.row)}`,
        },
      ];
    });
  };
}

/** Changes SQL in the cells of a column. */
export function sqlInCells(index: number): FindFaults {
  return (part) =>
    cellsAt(part, index).flatMap(({ path, node, row }) => sqlFaultsAt(part, path, node, true, rowText(row)));
}

/** Changes SQL in a parameter. */
export const sqlInText: FindFaults = (part) =>
  part.node.kind === 'scalar' ? sqlFaultsAt(part, part.path, part.node, false, '') : [];

function sqlFaultsAt(
  { kind: warehouse }: Part,
  path: YamlPath,
  node: Extract<YamlNode, { kind: 'scalar' }>,
  isExpression: boolean,
  row: string,
): readonly PartFault[] {
  // Converted pipelines have this in place of a condition.
  const isNone = node.text.trim().toLowerCase() === '<none>';
  const script = isNone ? undefined : readSql(node.text, warehouse, { isExpression });
  if (script === undefined) return [];
  return sqlFaults(script).map(({ kind, before, after, edits, at }) => ({
    kind,
    before,
    after,
    changes: [{ path, parts: edits }],
    at: { path, ...at },
    // In one expression, the column that it makes; in SQL, what is just around.
    context: `${isExpression ? row.slice(-80) : ''} ${aroundOf(script.text, at)}`,
  }));
}

/** The text around a place, without surrounding blanks and other statements. */
export function aroundOf(text: string, { start, end }: Span): string {
  const near = (part: string) => part.replaceAll(/\s+/g, '');
  const before = text.slice(Math.max(0, start - 120), start);
  const [after = ''] = text.slice(end, end + 120).split(';', 1);
  return `${near(before.slice(before.lastIndexOf(';') + 1)).slice(-24)}|${near(after).slice(0, 24)}`;
}
