import * as z from 'zod';
import {
  describeType,
  type Rows,
  type Table,
  type Value,
  type Warehouse,
  WarehouseNotOpened,
  WarehouseUnavailable,
} from '../../../engine/index.ts';
import { html, type Markup } from '../../../lib/html/markup.ts';
import { check } from '../../refusal/guard.ts';
import { refuse } from '../../refusal/refusal.ts';
import type { World } from '../../world/world.ts';
import { definePage } from '../parts/page.ts';
import { table } from '../parts/parts.ts';

interface Environment {
  readonly id: number;
  readonly projectId: string;
  readonly project: string;
  readonly environment: string;
}

const environmentSql = `SELECT e.seq AS id, p.id AS projectId, p.name AS project, e.name AS environment
  FROM environment e JOIN project p ON p.id = e.project_id`;

/** The environments, each with its own warehouse. */
export const tablesPage = definePage<{
  readonly isSimulated: boolean;
  readonly environments: readonly Environment[];
}>({
  path: '/tables',
  read: ({ store, settings }) => ({
    isSimulated: settings.execution === 'simulate',
    environments: store.all<Environment>(`${environmentSql} ORDER BY p.seq, e.seq`),
  }),
  title: () => 'Tables',
  show: ({ isSimulated, environments }) => html`
    <p class="lead">
      ${
        isSimulated
          ? html`Executions are simulated: there are no tables. Set <code>settings.execution: engine</code> in
              the seed to run pipelines on embedded DuckDB.`
          : 'Each environment has a warehouse of its own, in which its pipelines run.'
      }
    </p>
    ${table(
      'Environments',
      environments,
      [
        { name: 'Project', show: ({ project }) => project },
        {
          name: 'Environment',
          show: ({ id, environment }) =>
            isSimulated ? environment : html`<a href="/_platform/tables/${id}">${environment}</a>`,
        },
      ],
      'There is no environment.',
    )}
  `,
});

interface ShownTable {
  /** `DB.SCHEMA.orders` */
  readonly name: string;
  readonly kind: Table['kind'];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Null for a view: its rows are counted only when it is shown. */
  readonly rows: number | null;
}

interface ShownRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly isCut: boolean;
}

interface EnvironmentTables extends Environment {
  readonly tables: readonly ShownTable[];
  /** The first rows of the requested table. */
  readonly sample: ShownRows | null;
}

const sampleSize = 50;

const asked = z.strictObject({ table: z.string().optional() });

/** The tables of one environment, and the first rows of one of them (`?table=`). */
export const environmentTablesPage = definePage<EnvironmentTables>({
  path: '/tables/:id',
  async read(world, question) {
    const { id } = question;
    const { table: name } = check(question, asked, question.query);
    const environment = world.store.get<Environment>(`${environmentSql} WHERE e.seq = ?`, id);
    if (environment === undefined) throw refuse(404, `There is no environment ${id.slice(0, 100)}.`);
    const warehouse = await openFor(world, environment);
    const all = warehouse.catalog.all();
    const selected = all.find((each) => nameOf(each) === name);
    if (selected === undefined && name !== undefined)
      throw refuse(404, `There is no table "${name.slice(0, 200)}" in ${environment.environment}.`);
    const tables = await Promise.all(all.map((each) => shown(each, warehouse)));
    return {
      ...environment,
      tables,
      sample: selected === undefined ? null : await sampleOf(selected, warehouse),
    };
  },
  title: ({ project, environment }) => `Tables of ${environment}, ${project}`,
  show: ({ id, tables, sample }) => html`
    ${table(
      'Tables and views',
      tables,
      [
        {
          name: 'Table',
          show: ({ name }) =>
            html`<a href="/_platform/tables/${id}?table=${encodeURIComponent(name)}">${name}</a>`,
        },
        { name: 'Kind', show: ({ kind }) => kind },
        { name: 'Rows', kind: 'number', show: ({ rows }) => rows ?? '–' },
        {
          name: 'Columns',
          kind: 'wide',
          show: ({ columns }) => columns.map((column) => `${column.name} ${column.type}`).join(', '),
        },
      ],
      'No pipeline has created a table here yet.',
    )}
    ${sample === null ? null : sampleTable(sample)}
  `,
});

async function openFor({ warehouses }: World, { projectId, environment }: Environment): Promise<Warehouse> {
  const opening = warehouses.open(projectId, environment);
  if (opening === undefined) throw refuse(404, 'Executions are simulated here: there are no tables.');
  try {
    return await opening;
  } catch (error) {
    if (!(error instanceof WarehouseNotOpened || error instanceof WarehouseUnavailable)) throw error;
    throw refuse(
      409,
      `The warehouse of the environment "${environment}" could not be opened: ${error.message}.`,
    );
  }
}

async function shown(listed: Table, warehouse: Warehouse): Promise<ShownTable> {
  const columns = listed.columns.map(({ name, type }) => ({ name, type: describeType(type) }));
  return { name: nameOf(listed), kind: listed.kind, columns, rows: await countOf(listed, warehouse) };
}

async function countOf({ kind, sql }: Table, warehouse: Warehouse): Promise<number | null> {
  if (kind === 'view') return null;
  const { rows } = await warehouse.query(`SELECT count(*) FROM ${sql}`, { maxRows: 1 });
  return Number(rows[0]?.[0]);
}

async function sampleOf(listed: Table, warehouse: Warehouse): Promise<ShownRows> {
  const { columns, rows, isCut }: Rows = await warehouse.query(`SELECT * FROM ${listed.sql}`, {
    maxRows: sampleSize,
  });
  return {
    table: nameOf(listed),
    columns: columns.map(({ name }) => name),
    rows: rows.map((row) => row.map(textOf)),
    isCut,
  };
}

function sampleTable({ table: name, columns, rows, isCut }: ShownRows): Markup {
  return html`<h2>${name}</h2>
    <div class="sample">
      ${table(
        isCut ? `The first ${sampleSize} rows` : 'All rows',
        rows,
        columns.map((column, index) => ({
          name: column,
          show: (row: readonly string[]) => html`<span class="value">${row[index] ?? ''}</span>`,
        })),
        'The table has no rows.',
      )}
    </div>`;
}

function nameOf({ database, schema, table: name }: Table): string {
  return `${database}.${schema}.${name}`;
}

function textOf(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value !== 'object') return String(value);
  // An item of a list that is an SQL NULL.
  return JSON.stringify(value, (_key, part: unknown) => part ?? (part === null ? null : 'undefined'));
}
