import {
  type BindingProblem,
  describeType,
  type TableName,
  type TableRead,
  type UnknownComponent,
} from '../../../engine/index.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import {
  type BoundSide,
  type ComponentRead,
  isChangedMaker,
  listedOnce,
  type LostColumn,
  lostColumnMessage,
  lostColumns,
  type LostTable,
  lostTables,
  type TableMaker,
  type UnboundComponent,
} from '../../snapshot/difference/lost-readers.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { tableKey } from '../bind/table-definitions.ts';
import type { Definition } from '../bind/table-definitions.ts';
import type { CompileFinding } from './compile-report.ts';

/**
 * The findings about what a change removes or alters, and what readers therefore cannot use. `covered`: the
 * problems of readers that these findings already name.
 */
export function breakingChanges(
  graph: DataGraph,
  base: DataGraph,
): { readonly findings: readonly CompileFinding[]; readonly covered: ReadonlySet<BindingProblem> } {
  const sides = [boundSide(graph), boundSide(base)] as const;
  const areColumnsKnown = graph.areColumnsKnown && base.areColumnsKnown;
  const changes = areColumnsKnown ? lostColumns(...sides) : [];
  const problems = changes.flatMap(({ readers }) => readers.map((reader) => problemOf(reader, graph)));
  return {
    findings: [
      ...changes.map((change) => breakingFinding(change, graph)),
      ...lostTables(...sides).map(lostTableFinding),
    ],
    covered: new Set(problems.filter((problem) => problem !== undefined)),
  };
}

interface Maker extends TableMaker {
  readonly definition: Definition;
}

interface Unbound extends UnboundComponent {
  readonly place: UnknownComponent['place'];
}

interface Read extends ComponentRead {
  readonly use: TableRead;
}

type Reader = Unbound & { readonly pipeline: string };

function boundSide({
  pipelines,
  tables,
  project,
  areColumnsKnown,
}: DataGraph): BoundSide<Maker, Unbound, Read> {
  return {
    pipelines: new Map(
      [...pipelines].map(([path, { unknown, reads }]) => [
        path,
        {
          // Without columns, no component is bound: what counts is whether its tables are all known.
          unknown: unknown
            .filter(({ others, unnamed }) => areColumnsKnown || others !== 'none' || unnamed !== undefined)
            .map((each) => ({ ...each, tables: each.tables.map(tableKey) })),
          reads: reads.map((use) => ({ ...use, table: tableKey(use.table), use })),
          isUnreadable: (project.pipeline(path)?.problems.length ?? 0) > 0,
        },
      ]),
    ),
    makersOf: listedOnce((key) => tables.definitionsOf(tableOf(key)).map(makerOf)),
    columnsOf: (key) =>
      new Map(tables.find(tableOf(key))?.columns.map(({ name, type }) => [name, describeType(type)])),
    nameOf: (key) => tableOf(key).table,
    isMentioned: (key) => tables.isMentioned(tableOf(key)),
  };
}

function makerOf(definition: Definition): Maker {
  const { pipeline, component, mode, columns } = definition;
  return {
    pipeline,
    component,
    isCreator: mode === 'define',
    content: JSON.stringify(columns?.columns) ?? '',
    definition,
  };
}

function tableOf(key: string): TableName {
  const [database = '', schema = '', table = ''] = JSON.parse(key) as readonly string[];
  return { database, schema, table };
}

/** Whether a component defines other columns than at the base. */
export function isChanged(definition: Definition, base: DataGraph): boolean {
  return isChangedMaker(tableKey(definition.table), makerOf(definition), {
    makersOf: (key) => base.tables.definitionsOf(tableOf(key)).map(makerOf),
  });
}

/** The problem of a reader, if it certainly fails. */
function problemOf({ pipeline, component, reason }: Reader, graph: DataGraph): BindingProblem | undefined {
  return graph.pipelines
    .get(pipeline)
    ?.problems.find((each) => each.component === component && each.message === reason);
}

function breakingFinding(change: LostColumn<Maker, Reader>, graph: DataGraph): CompileFinding {
  const { maker, column, what, readers } = change;
  const { pipeline, component, place, table } = maker.definition;
  const names = readers.map(
    ({ pipeline: reader, place: { file, line } }) => `${withoutSuffix(reader)} (${file}:${line})`,
  );
  const isSure = readers.some((reader) => problemOf(reader, graph) !== undefined);
  return {
    ...place,
    rule: 'breaking-change',
    severity: isSure ? 'error' : 'warning',
    pipeline,
    component,
    tables: [table],
    columnName: column,
    subject: what,
    message: lostColumnMessage(change, names, readers[0]?.reason ?? ''),
    related: readers.map((reader) => ({
      ...reader.place,
      pipeline: reader.pipeline,
      component: reader.component,
    })),
  };
}

function lostTableFinding({ pipeline, read: { use }, message }: LostTable<Read>): CompileFinding {
  return {
    ...use.place,
    rule: 'missing-table',
    severity: 'error',
    pipeline,
    component: use.component,
    tables: [use.table],
    subject: use.table.table,
    message,
    related: [],
  };
}
