import { type ColumnName, describeType, type TableName } from '../../../engine/index.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { type ColumnGraph, columnKey, type ColumnWrite } from './column-graph.ts';
import type { LineageReport } from './lineage-report.ts';
import { tableKey } from '../bind/table-definitions.ts';

const specification = 'https://openlineage.io/spec';
const schemaUrl = `${specification}/2-0-2/OpenLineage.json#/$defs/JobEvent`;
const facetUrls = {
  schema: `${specification}/facets/1-1-1/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet`,
  columnLineage: `${specification}/facets/1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet`,
};
const producer = 'urn:millrace:lineage';

/** How the use of a value is called there. */
const subtypes = { copied: 'IDENTITY', computed: 'TRANSFORMATION', aggregated: 'AGGREGATION' } as const;

export interface OpenLineageOptions {
  /** The namespace of the jobs and of the datasets. */
  readonly namespace: string;
  /** In milliseconds since the epoch. */
  readonly now: number;
  /** Only pipelines that have a part in this lineage. */
  readonly report?: LineageReport | undefined;
}

/** One JobEvent of OpenLineage for each pipeline that writes a table, in the order of the paths; streaming pipelines come last. */
export function openLineageEvents(
  columns: ColumnGraph,
  { namespace, now, report }: OpenLineageOptions,
): readonly object[] {
  const { pipelines, streamed } = columns.graph;
  const writers = new Set([...pipelines.keys(), ...streamed.map(({ pipeline }) => pipeline)]);
  const parts =
    report && new Set([...report.links, ...report.decisions].map(({ writer }) => writer.pipeline));
  return [...writers].flatMap((pipeline) => {
    if (parts?.has(pipeline) === false) return [];
    const writes = columns.writesIn(pipeline);
    if (writes.length === 0) return [];
    const byTarget = [...Map.groupBy(writes, ({ table }) => tableKey(table)).values()];
    // An UPDATE reads the table that it changes.
    const reads = writes.flatMap((write) =>
      write.tables.filter((table) => tableKey(table) !== tableKey(write.table)),
    );
    const inputs = distinctBy(reads, tableKey);
    return {
      eventTime: new Date(now).toISOString(),
      producer,
      schemaURL: schemaUrl,
      job: { namespace, name: withoutSuffix(pipeline) },
      inputs: inputs.map((table) => dataset(columns, table, namespace)),
      outputs: byTarget.flatMap((list) => outputOf(columns, list, namespace)),
    };
  });
}

function dataset(columns: ColumnGraph, table: TableName, namespace: string) {
  const known = columns.graph.tables.find(table)?.columns ?? [];
  const fields = known.map(({ name, type }) => ({ name, type: describeType(type) }));
  return {
    namespace,
    name: datasetName(table),
    facets:
      fields.length === 0 ? {} : { schema: { _producer: producer, _schemaURL: facetUrls.schema, fields } },
  };
}

/** The part of a pipeline in one table. A column of which not all sources are known has those that are known. */
function outputOf(
  columns: ColumnGraph,
  writes: readonly ColumnWrite[],
  namespace: string,
): readonly object[] {
  const [first] = writes;
  if (first === undefined) return [];
  const { facets, ...others } = dataset(columns, first.table, namespace);
  const written = Map.groupBy(
    writes.flatMap((write) => write.columns),
    ({ name }) => name,
  );
  const field = ({ table, column }: ColumnName) => ({ namespace, name: datasetName(table), field: column });
  const fields = [...written].map(([name, list]): [string, object] => {
    const values = distinctBy(
      list.flatMap((column) => column.values),
      (value) => `${columnKey(value)} ${value.use}`,
    ).map((value) => ({
      ...field(value),
      transformations: [{ type: 'DIRECT', subtype: subtypes[value.use] }],
    }));
    const choices = distinctBy(
      list.flatMap((column) => column.choices),
      columnKey,
    ).map((choice) => ({ ...field(choice), transformations: [{ type: 'INDIRECT' }] }));
    return [name, { inputFields: [...values, ...choices] }];
  });
  const rows = distinctBy(
    writes.flatMap((write) => write.rows),
    columnKey,
  ).map((column) => ({ ...field(column), transformations: [{ type: 'INDIRECT' }] }));
  const columnLineage = {
    _producer: producer,
    _schemaURL: facetUrls.columnLineage,
    fields: Object.fromEntries(fields),
    ...(rows.length > 0 && { dataset: rows }),
  };
  return [{ ...others, facets: { ...facets, columnLineage } }];
}

function datasetName({ database, schema, table }: TableName): string {
  return `${database}.${schema}.${table}`;
}

function distinctBy<Item>(items: readonly Item[], key: (item: Item) => string): readonly Item[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}
