import { errorOf } from '../../lib/core/errors/message-of.ts';
import type { Component } from '../../lib/pipelines/model/component.ts';
import type { PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';
import { checkParameters } from '../components/check-parameters.ts';
import type { Binding, ComponentType, Input, RowsOutput, WriteOutput } from '../components/component-type.ts';
import { componentType } from '../components/component-types.ts';
import { atPlace, Refusal, SqlError } from '../core/refusal.ts';
import type { Column, Table } from '../core/relation.ts';
import type { WarehouseKind } from '../core/sql-type.ts';
import type { DialectContext } from '../core/dialect.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { type Warehouse, WarehouseStopped } from '../duckdb/connection/warehouse.ts';
import type { ParameterReader } from '../parameters/parameter-reader.ts';
import type { EnvironmentDefaults } from '../parameters/read-table.ts';
import { type BoundRows, composeQuery } from './compose-query.ts';
import { errorOfPart, findCulprit } from './find-culprit.ts';

export interface TransformationContext {
  readonly document: PipelineDocument;
  readonly warehouse: Warehouse;
  readonly kind: WarehouseKind;
  readonly defaults: EnvironmentDefaults;
  /** The time that `CURRENT_TIMESTAMP` returns, in milliseconds since the epoch. */
  readonly now: number;
  /** Reads the parameters of this pipeline, with the values of its variables. */
  readonly reader: ParameterReader;
  /** Components whose output is given instead of computed, by name. */
  readonly outputs: ReadonlyMap<string, RowsOutput>;
  /** Whether to count the rows of the tables that components read. */
  readonly countsReads: boolean;
  readonly noteColumn?: DialectContext['noteColumn'];
  readonly missingColumn?: DialectContext['missingColumn'];
  readonly searchTables?: DialectContext['searchTables'];
}

/** The result of a component of a transformation, such as the number of rows that it wrote. */
export interface ComponentResult {
  readonly message: string;
  readonly notices: readonly string[];
  /** The number of rows in the tables that the component reads. Undefined if they are not counted. */
  readonly rowsRead: number | undefined;
  /** The number of rows that were written. Undefined for a component that returns rows, and for a view. */
  readonly rowsWritten: number | undefined;
  /** DuckDB's SQL, for display. */
  readonly sql: readonly string[];
}

/**
 * Thrown if a component failed. `component` is the name of the component that caused the failure. It may be an
 * earlier component.
 */
export class ComponentFailure extends Error {
  override readonly name = 'ComponentFailure';
  readonly component: string;

  constructor(component: string, cause: Error) {
    super(cause.message, { cause });
    this.component = component;
  }
}

export interface Transformation {
  /**
   * Runs one component. Its sources must have run before. A component that returns rows is only translated. A
   * component that writes runs in one transaction together with everything that it reads. If no component of the
   * transformation writes, the rows of components that no other component reads are computed, so that errors are
   * found. Throws ComponentFailure and WarehouseStopped.
   */
  run(component: Component): Promise<ComponentResult>;
  /**
   * Returns the output columns of a component that has run. Undefined if it has none, for example because it inserts
   * rows.
   */
  readonly columnsOf: (component: string) => readonly Column[] | undefined;
  /** Returns the component whose rows have this name in SQL. */
  readonly componentOf: (sqlName: string) => string | undefined;
}

export function openTransformation(context: TransformationContext): Transformation {
  const { document, warehouse } = context;
  const bound = new Map<string, BoundRows>();
  const readers = countReaders(document);
  const stored = storedComponents(document);
  const hasWriters = [...document.components.values()].some(({ type }) => isWriter(type));

  function bind(component: Component, notices: string[]): RowsOutput | WriteOutput {
    const output = context.outputs.get(component.name);
    if (output !== undefined) return output;
    const isStored = stored.has(component.name);
    const binding = bindingOf(component, bound, { ...context, isStored }, notices);
    const type = knownType(component, binding);
    checkSources(component, type);
    checkParameters(binding, type);
    return type.bind(binding);
  }

  async function run(component: Component): Promise<ComponentResult> {
    const notices: string[] = [];
    const output = bind(component, notices);
    const sources = component.sources.flatMap((name) => bound.get(name) ?? []);
    const named = {
      component: component.name,
      // A component that is run again keeps its name: no other one may have it.
      sqlName: bound.get(component.name)?.sqlName ?? `component_${bound.size + 1}`,
      readers: readers.get(component.name) ?? 0,
    };
    if (output.kind === 'write') {
      const result = await write(output, sources);
      // A table or view that a component defines has exactly its rows: others may read it.
      const table = output.definesTables ? warehouse.catalog.find(output.target) : undefined;
      if (table !== undefined) bound.set(component.name, { ...named, ...rowsOf(table), sources: [] });
      return { ...result, notices };
    }
    const isGiven = context.outputs.has(component.name);
    const rows: BoundRows = { ...named, ...output, sources: isGiven ? [] : sources };
    bound.set(component.name, rows);
    if (!hasWriters && rows.readers === 0) await throwCulprit([rows]);
    await addNotices(output, warehouse, notices);
    const message = `${output.columns.length} ${output.columns.length === 1 ? 'column' : 'columns'}.`;
    const rowsRead = context.countsReads ? await countRows(output, warehouse) : undefined;
    return { message, notices, rowsRead, rowsWritten: undefined, sql: [output.sql] };
  }

  /** Adds the component's position to an error that has no position. */
  function failureAt({ name, range }: Pick<Component, 'name' | 'range'>, error: unknown): ComponentFailure {
    const place = { file: context.reader.source.file, line: range.line, column: range.column };
    const located = atPlace(error, place);
    return new ComponentFailure(name, errorOf(located));
  }

  /** Throws the failure of the component whose rows cannot be computed, if there is one. */
  async function throwCulprit(sources: readonly BoundRows[]): Promise<void> {
    for (const source of sources) {
      const culprit = await findCulprit(source, warehouse);
      const component = culprit && document.components.get(culprit.component);
      if (component !== undefined) throw failureAt(component, culprit?.error);
    }
  }

  async function write(
    output: WriteOutput,
    sources: readonly BoundRows[],
  ): Promise<Omit<ComponentResult, 'notices'>> {
    try {
      const written = await warehouse.transaction(async () => {
        const done = await output.write(warehouse);
        // Inside: other executions must not see the old catalog after the commit.
        if (output.definesTables) await warehouse.refresh();
        return done;
      });
      const { message, rows } = written;
      return { message, rowsRead: undefined, rowsWritten: rows, sql: output.statements };
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      await throwCulprit(sources);
      if (error.place !== undefined) throw error;
      throw await errorOfPart(error, output.written ?? [], warehouse, ({ sql }) => sql);
    }
  }

  return {
    columnsOf: (component) => bound.get(component)?.columns,
    componentOf: (sqlName) => bound.values().find((rows) => rows.sqlName === sqlName)?.component,
    async run(component) {
      try {
        return await run(component);
      } catch (error) {
        if (error instanceof ComponentFailure || error instanceof WarehouseStopped) throw error;
        throw failureAt(component, error);
      }
    },
  };
}

function rowsOf({ columns, sql }: Table): RowsOutput {
  const list = columns.map(({ name }) => quoteName(name)).join(', ');
  return { kind: 'rows', sql: `SELECT ${list} FROM ${sql}`, columns };
}

async function addNotices(
  { checks = [] }: RowsOutput,
  warehouse: Warehouse,
  notices: string[],
): Promise<void> {
  for (const { sql, notice } of checks) {
    try {
      const { rows } = await warehouse.query(sql, { maxRows: 1 });
      const text = notice(Number(rows[0]?.[0]));
      if (text !== undefined) notices.push(text);
    } catch (error) {
      // Rows that cannot be computed are reported by the component that writes them.
      if (!(error instanceof SqlError)) throw error;
    }
  }
}

/** DuckDB keeps the number of rows of a table; a view would be computed once more. */
async function countRows({ sql, isOfTables }: RowsOutput, warehouse: Warehouse): Promise<number | undefined> {
  if (isOfTables !== true) return undefined;
  const { rows } = await warehouse.query(`SELECT count(*) FROM (${sql})`, { maxRows: 1 });
  return Number(rows[0]?.[0]);
}

function bindingOf(
  component: Component,
  bound: ReadonlyMap<string, BoundRows>,
  context: TransformationContext & Pick<DialectContext, 'isStored'>,
  notices: string[],
): Binding {
  const {
    reader,
    warehouse,
    kind,
    defaults,
    now,
    isStored,
    document,
    noteColumn,
    missingColumn,
    searchTables,
  } = context;
  const inputs = component.sources.map((name): Input => {
    const rows = bound.get(name);
    if (rows !== undefined)
      return { name, sql: rows.sqlName, columns: rows.columns, query: composeQuery(rows) };
    const source = document.components.get(name);
    const why =
      source === undefined
        ? 'does not exist'
        : source.skipped
          ? 'is skipped, so it returns no rows'
          : 'does not return rows';
    throw new SqlError(`the source "${name}" of the component "${component.name}" ${why}`);
  });
  const dialect: DialectContext = {
    warehouse: kind,
    catalog: warehouse.catalog,
    defaults,
    now,
    ...(isStored !== undefined && { isStored }),
    noteColumn,
    missingColumn,
    searchTables,
    components: new Map(inputs.map((input) => [input.name, input])),
  };
  const parameters = component.node('parameters') ?? { kind: 'map', entries: new Map(), ...component.span };
  const notice = (message: string) => void notices.push(message);
  return { component, parameters, reader, inputs, dialect, notice };
}

function knownType(component: Component, { reader }: Binding): ComponentType {
  const type = componentType(component.type);
  if (type !== undefined) return type;
  const { line, column } = component.range;
  const place = { file: reader.source.file, line, column };
  const what = component.type === '' ? 'a component without a type' : `the component type ${component.type}`;
  throw new Refusal(what, place, 'mock the component');
}

function checkSources(component: Component, { inputs: [least, most] }: ComponentType): void {
  const count = component.sources.length;
  if (count >= least && count <= most) return;
  const expected = least === most ? String(least) : `${least} to ${most}`;
  const hint = count < least ? ': list the components that it reads from in `sources`' : '';
  throw new SqlError(
    `the component "${component.name}" has ${count} sources, but the type ${component.type} needs ${expected}${hint}`,
  );
}

function countReaders({ components }: PipelineDocument): ReadonlyMap<string, number> {
  const readers = new Map<string, number>();
  for (const { sources } of components.values())
    for (const name of sources) readers.set(name, (readers.get(name) ?? 0) + 1);
  return readers;
}

function isWriter(type: string): boolean {
  return componentType(type)?.group === 'write';
}

/** The components whose SQL becomes part of a view, directly or through others. */
function storedComponents({ components }: PipelineDocument): ReadonlySet<string> {
  const stored = new Set<string>();
  const add = (name: string): void => {
    if (stored.has(name)) return;
    stored.add(name);
    for (const source of components.get(name)?.sources ?? []) add(source);
  };
  for (const { name, type } of components.values()) if (componentType(type)?.storesSql === true) add(name);
  return stored;
}
