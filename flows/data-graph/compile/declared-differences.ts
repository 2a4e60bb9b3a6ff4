import { type Column, describeType, type KnownTable } from '../../../engine/index.ts';
import { listText } from '../../../lib/core/text/list-text.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { type CompileFinding, definitionPlace } from './compile-report.ts';

/**
 * The findings about tables that `schemas` in millrace.yaml declares with other columns than the pipelines that
 * create them.
 */
export function declaredDifferences({ schemas, tables, project }: DataGraph): readonly CompileFinding[] {
  return schemas.all.flatMap(({ table, place }): CompileFinding[] => {
    const definitions = tables.definitionsOf(table);
    const [creator] = definitions.filter(({ mode }) => mode === 'define');
    const created = tables.find(table);
    const declared = tables.declared(table);
    if (creator === undefined || created?.areNamesComplete !== true || declared === undefined) return [];
    if (definitions.every(({ columns }) => columns === undefined)) return [];
    const what = differenceOf(declared, created, project.kind);
    if (what === undefined) return [];
    const writers = [...new Set(definitions.map(({ pipeline }) => withoutSuffix(pipeline)))];
    return [
      {
        ...place,
        rule: 'declared-table',
        severity: 'notice',
        pipeline: creator.pipeline,
        component: creator.component,
        tables: [table],
        subject: table.table,
        message: `"${table.table}" is declared ${what}. ${writers.length === 1 ? 'The pipeline' : 'The pipelines'} ${listText(writers)} ${writers.length === 1 ? 'creates' : 'create'} this table, so Millrace uses the columns of the created table and ignores the declaration: remove it`,
        related: definitions.map(definitionPlace),
      },
    ];
  });
}

/** How a declaration differs from what is created; undefined if it does not. */
function differenceOf(
  declared: KnownTable,
  created: KnownTable,
  kind: Parameters<typeof describeType>[1],
): string | undefined {
  const lacks = namesOf(created).difference(namesOf(declared));
  if (lacks.size > 0) return `without ${namedColumns([...lacks])}`;
  const more = namesOf(declared).difference(namesOf(created));
  if (more.size > 0) return `with ${namedColumns([...more])} too`;
  if (!declared.areTypesKnown || !created.areTypesKnown) return undefined;
  const types = new Map(created.columns.map(({ name, type }) => [name, describeType(type, kind)]));
  const other = declared.columns.find(({ name, type }) => types.get(name) !== describeType(type, kind));
  return (
    other &&
    `with the column "${other.name}" as ${describeType(other.type, kind)} instead of ${types.get(other.name)}`
  );
}

function namesOf({ columns }: { readonly columns: readonly Column[] }): Set<string> {
  return new Set(columns.map(({ name }) => name));
}

function namedColumns(names: readonly string[]): string {
  const [first, ...others] = names;
  const one = `the column "${first}"`;
  return others.length === 0 ? one : `${one} and ${others.length} more`;
}
