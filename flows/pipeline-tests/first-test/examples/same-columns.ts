import type { Component } from '../../../../lib/pipelines/model/component.ts';
import type { PipelineDocument } from '../../../../lib/pipelines/model/read-pipeline.ts';
import { gridOf } from '../../../../lib/pipelines/model/grid.ts';

const pairsByDocument = new WeakMap<PipelineDocument, ReadonlyMap<string, ReadonlySet<string>>>();

/**
 * A column and all columns of a pipeline with the same values, because joins compare them with it or components
 * rename it.
 */
export function sameColumns(column: string, document: PipelineDocument): readonly string[] {
  const pairs = pairsByDocument.get(document) ?? readPairs(document);
  pairsByDocument.set(document, pairs);
  const columns = new Set([column]);
  // The loop over a set also visits what the loop adds.
  for (const name of columns) for (const other of pairs.get(name.toLowerCase()) ?? []) columns.add(other);
  return [...columns];
}

const name = String.raw`(?:"((?:[^"]|"")+)"|([A-Za-z_][\w$]*))`;
const equation = new RegExp(String.raw`${name}\s*\.\s*${name}\s*=\s*${name}\s*\.\s*${name}`, 'g');

function readPairs({ components }: PipelineDocument): ReadonlyMap<string, ReadonlySet<string>> {
  const pairs = new Map<string, Set<string>>();
  const add = (from: string, to: string) => {
    const key = from.toLowerCase();
    pairs.set(key, (pairs.get(key) ?? new Set()).add(to));
  };
  for (const component of components.values()) {
    const texts = [
      ...gridOf(component.parameter('joinExpressions')).flat(),
      ...gridOf(component.parameter('joinExpression')).flat(),
      ...['joinExpression', 'query', 'sqlScript', 'sqlQuery'].flatMap((key) => component.text(key) ?? []),
    ];
    for (const [from, to] of renamedBy(component)) {
      add(from, to);
      add(to, from);
    }
    for (const text of texts) {
      for (const [, , , left, plainLeft, , , right, plainRight] of text.matchAll(equation)) {
        const [a = '', b = ''] = [left ?? plainLeft, right ?? plainRight];
        add(a, b);
        add(b, a);
      }
    }
  }
  return pairs;
}

/** Old and new names of columns. */
function renamedBy(component: Component): readonly (readonly [from: string, to: string])[] {
  const rows = (key: string) => gridOf(component.parameter(key));
  switch (component.type) {
    case 'rename':
      return rows('columnMapping').map(([from = '', to = '']) => [from, to]);
    case 'join':
      return rows('columnMappings').map(([from = '', to = '']) => [from.slice(from.indexOf('.') + 1), to]);
    case 'calculator':
      return rows('calculations').flatMap(([expression = '', to = '']) => {
        const [, from] = /^\s*"((?:[^"]|"")+)"\s*$/.exec(expression) ?? [];
        return from === undefined ? [] : [[from, to] as const];
      });
    default:
      return [];
  }
}
