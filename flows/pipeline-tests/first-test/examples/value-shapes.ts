import type { Component } from '../../../../lib/pipelines/model/component.ts';
import { gridOf } from '../../../../lib/pipelines/model/grid.ts';
import type { PipelineDocument } from '../../../../lib/pipelines/model/read-pipeline.ts';
import { childOf, itemsOf, textOf, type YamlNode } from '../../../../lib/yaml/yaml-node.ts';
import type { TestProject } from '../../files/test-project.ts';
import { calledPipelines } from './called-pipelines.ts';
import { type NamedShapes, readValuePaths, stepsOf, withColons } from './value-paths.ts';
import { emptyShape, hasParts, itemsOfShape, partAt, type ValueShape } from './value-shape.ts';

/**
 * The parts of a semi-structured column that pipelines read: the tested pipeline or one that it calls, or else the
 * first pipeline of the project that reads parts of it. Undefined if none does.
 */
export function shapeOfColumn(
  column: string,
  project: TestProject,
  tested: string | undefined,
): ValueShape | undefined {
  const calledFiles = tested === undefined ? [] : calledPipelines(tested, project);
  const files = new Set([...calledFiles, ...project.pipelines]);
  for (const file of files) {
    const document = project.pipeline(file);
    const shape =
      document === undefined ? undefined : shapesIn(document, project.kind).get(column.toLowerCase());
    if (shape !== undefined && hasParts(shape)) return shape;
  }
  return undefined;
}

const shapesByDocument = new WeakMap<PipelineDocument, ReadonlyMap<string, ValueShape>>();

/** The shapes of all columns of a pipeline that are read in parts, by name in lower case. */
function shapesIn(document: PipelineDocument, kind: TestProject['kind']): ReadonlyMap<string, ValueShape> {
  const before = shapesByDocument.get(document);
  if (before !== undefined) return before;
  const current = new Map<string, ValueShape>();
  /** The first meaning of each name: a later column may have the name of the one from which it comes. */
  const first = new Map<string, ValueShape>();
  const shapes: NamedShapes = {
    of(name) {
      const key = name.toLowerCase();
      const shape = current.get(key) ?? emptyShape();
      current.set(key, shape);
      if (!first.has(key)) first.set(key, shape);
      return shape;
    },
    bind(name, shape) {
      const key = name.toLowerCase();
      current.set(key, shape);
      if (!first.has(key)) first.set(key, shape);
    },
  };
  for (const component of document.components.values()) readComponent(component, shapes, kind);
  shapesByDocument.set(document, first);
  return first;
}

function readComponent(component: Component, shapes: NamedShapes, kind: TestProject['kind']): void {
  const written = (sql: string) => (kind === 'WAREHOUSE_TWO' ? withColons(sql) : sql);
  const grid = (key: string) => gridOf(component.parameter(key));
  switch (component.type) {
    case 'extract-nested-data-sf':
      for (const element of itemsOf(component.parameter('columns'))) {
        const column = textOf(childOf(element, 'columnName')) ?? '';
        if (column !== '') readElement(element, shapes.of(column), shapes);
      }
      return;
    case 'flatten-variant':
      readFlattening(grid('columnFlattens'), grid('columnMapping'), shapes);
      return;
    case 'rename':
      for (const [old = '', name = ''] of grid('columnMapping')) shapes.bind(name, shapes.of(old));
      return;
    case 'join':
      for (const [old = '', name = ''] of grid('columnMappings'))
        shapes.bind(name, shapes.of(old.slice(old.indexOf('.') + 1)));
      return;
    case 'calculator':
      for (const [expression = '', name = ''] of grid('calculations'))
        readValuePaths(written(expression), shapes, name);
      return;
    default:
      for (const key of ['query', 'sqlScript', 'sqlQuery']) {
        const sql = component.text(key);
        if (sql !== undefined) readValuePaths(written(sql), shapes);
      }
  }
}

function readElement(element: YamlNode, parent: ValueShape, shapes: NamedShapes, array?: string): void {
  const field = (key: string) => textOf(childOf(element, key)) ?? '';
  const name = field('name');
  const isItem = array !== undefined && [`${array}-element`, 'element'].includes(name);
  const shape = isItem ? parent : partAt(parent, [name]);
  if (isYes(field('include'))) give(shape, field('aliasName'), field('datatype'), shapes);
  const isArray = isYes(field('isArray'));
  const inner = isArray ? itemsOfShape(shape) : shape;
  for (const child of itemsOf(childOf(element, 'childElements')))
    readElement(child, inner, shapes, isArray ? name : undefined);
}

function isYes(text: string): boolean {
  return /^(?:true|yes)$/i.test(text);
}

function readFlattening(
  flattens: readonly (readonly string[])[],
  mappings: readonly (readonly string[])[],
  shapes: NamedShapes,
): void {
  const items = new Map<string, ValueShape>();
  const valueOf = (name: string, path: string) => partAt(items.get(name) ?? shapes.of(name), stepsOf(path));
  for (const [column = '', path = '', alias = '', , , mode = ''] of flattens) {
    const list = valueOf(column, path);
    list.isObject ||= mode.toLowerCase() === 'object';
    items.set(alias, itemsOfShape(list));
  }
  for (const [column = '', path = '', type = '', alias = ''] of mappings) {
    if (path === '' && !items.has(column)) continue;
    const output = [alias, path, column].find((text) => text !== '') ?? '';
    give(valueOf(column, path), output, type, shapes);
  }
}

function give(part: ValueShape, output: string, type: string, shapes: NamedShapes): void {
  part.names.add(output);
  if (/^(?:VARIANT|OBJECT|ARRAY)?$/i.test(type)) shapes.bind(output, part);
  else part.type ??= type;
}
