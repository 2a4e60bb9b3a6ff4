import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type {
  EngineSettings,
  EnvironmentDefaults,
  Python,
  Warehouse,
  WarehouseKind,
} from '../../engine/index.ts';
import { notOpened, openWarehouse } from '../../engine/index.ts';
import * as z from 'zod';
import { connectionOverride } from '../../lib/contract/resources/environment.ts';
import type { ReadySeed } from '../seed/seed-schema.ts';
import type { Store } from '../store/store.ts';
import { connectorRows } from './connector-rows.ts';
import { plantTables } from './plant-tables.ts';

/** The warehouses, one for each environment. Each is opened when it is first needed. */
export interface Warehouses {
  /** What the executions of an environment run on; undefined if they are simulated. */
  engineOf(projectId: string, environment: string): (() => Promise<EngineSettings>) | undefined;
  /** The warehouse of an environment; undefined if executions are simulated. */
  open(projectId: string, environment: string): Promise<Warehouse> | undefined;
  /** The warehouse that streaming pipelines write into, whether executions are simulated or not. */
  target(
    projectId: string,
    environment: string,
  ): Promise<{ readonly warehouse: Warehouse; readonly kind: WarehouseKind }>;
  /** The account and the database of an environment's connection, where the seed or the API names them. */
  connectionOf(
    projectId: string,
    environment: string,
  ): { readonly account: string | undefined; readonly database: string };
  /** What names of tables mean in an environment. Nothing is opened. */
  namesIn(
    projectId: string,
    environment: string,
  ): { readonly kind: WarehouseKind; readonly defaults: EnvironmentDefaults };
  /** Removes the data of all environments; the next execution starts with the tables of the seed. */
  reset(): void;
  close(): Promise<void>;
}

interface WarehousesOptions {
  readonly store: Store;
  readonly seed: ReadySeed;
  /** The folder of the platform's state, or `:memory:`. */
  readonly data: string;
  readonly now: () => number;
  /** Undefined if Python is not allowed. */
  readonly python?: Python | undefined;
}

interface Row {
  readonly name: string;
  readonly warehouse: string;
  readonly definition: string;
}

export function createWarehouses({ store, seed, data, now, python }: WarehousesOptions): Warehouses {
  const open = new Map<string, Promise<Warehouse>>();
  const folder = data === ':memory:' ? undefined : join(data, 'warehouses');
  /** Ends when the warehouses from before the last reset are closed. */
  let cleared: Promise<void> = Promise.resolve();

  const closeAll = async () => {
    const closing = [...open.values()];
    open.clear();
    // A warehouse that could not be opened has nothing to close.
    await Promise.allSettled(closing.map(async (opening) => (await opening)[Symbol.asyncDispose]()));
  };

  async function openOne(projectId: string, environment: string, facts: Facts): Promise<Warehouse> {
    await cleared;
    const file = folder === undefined ? undefined : databaseFile(folder, projectId, environment);
    if (file !== undefined) createFolder(file);
    const fileLimit = { size: seed.settings.databaseLimit, setting: 'settings.databaseLimit of the seed' };
    const place = file && { file, fileLimit };
    const { memoryLimit } = seed.settings;
    const warehouse = await openWarehouse({ kind: facts.kind, memoryLimit, now, ...place });
    try {
      await plantTables(warehouse, seed.tables, { ...facts, environment });
      return warehouse;
    } catch (error) {
      await warehouse[Symbol.asyncDispose]();
      throw error;
    }
  }

  async function openEngine(projectId: string, environment: string): Promise<EngineSettings> {
    const facts = factsOf(store, seed, projectId, environment);
    const key = JSON.stringify([projectId, environment]);
    const openAgain = async (warehouse: Warehouse) => {
      if (!warehouse.isInvalid) return warehouse;
      await warehouse[Symbol.asyncDispose]();
      return openOne(projectId, environment, facts);
    };
    const opening = open.get(key)?.then(openAgain) ?? openOne(projectId, environment, facts);
    open.set(key, opening);
    try {
      return {
        warehouse: await opening,
        kind: facts.kind,
        defaults: facts.defaults,
        countsReads: true,
        connectors,
        python,
      };
    } catch (error) {
      // The next execution tries again.
      if (open.get(key) === opening) open.delete(key);
      throw error;
    }
  }

  const connectors = connectorRows(seed.connectors);
  const isSimulated = seed.settings.execution === 'simulate';
  return {
    engineOf: (projectId, environment) =>
      isSimulated ? undefined : () => openEngine(projectId, environment),
    open: (projectId, environment) =>
      isSimulated ? undefined : openEngine(projectId, environment).then(({ warehouse }) => warehouse),
    target: (projectId, environment) => openEngine(projectId, environment),
    connectionOf: (projectId, environment) => {
      const { account, defaults } = factsOf(store, seed, projectId, environment);
      return { account, database: defaults.database };
    },
    namesIn(projectId, environment) {
      const { kind, defaults } = factsOf(store, seed, projectId, environment);
      return { kind, defaults };
    },
    reset() {
      const closing = closeAll();
      cleared = cleared
        .then(() => closing)
        .then(() => void (folder && rmSync(folder, { recursive: true, force: true })));
    },
    async close() {
      await Promise.all([cleared, closeAll()]);
    },
  };
}

interface Facts {
  /** The project's name. */
  readonly project: string;
  readonly kind: WarehouseKind;
  readonly defaults: EnvironmentDefaults;
  /** Of the connection, where it is known. */
  readonly account: string | undefined;
}

function factsOf(store: Store, seed: ReadySeed, projectId: string, environment: string): Facts {
  const row = store.get<Row>(
    `SELECT p.name, p.warehouse, e.definition FROM environment e JOIN project p ON p.id = e.project_id
     WHERE e.project_id = ? AND e.name = ?`,
    projectId,
    environment,
  );
  const { keyPair, password } = seed.settings.warehouseKinds;
  const kind = row?.warehouse === password && password !== keyPair ? 'WAREHOUSE_TWO' : 'WAREHOUSE_ONE';
  const properties = propertiesOf(row);
  const account = properties !== undefined && 'account' in properties ? properties.account.value : undefined;
  return { project: row?.name ?? '', kind, defaults: defaultsOf(properties, environment, kind), account };
}

const overrides = z.object({ connectionOverrides: z.array(connectionOverride).default([]) });

type Properties = z.output<typeof connectionOverride>['connectionProperties'];

/** The properties of the environment's connection; undefined without an override. */
function propertiesOf(row: Row | undefined): Properties | undefined {
  const read = overrides.safeParse(row === undefined ? {} : JSON.parse(row.definition));
  return read.data?.connectionOverrides[0]?.connectionProperties;
}

/** The database and schema of the environment's connection; without an override, a database with its own name. */
function defaultsOf(
  properties: Properties | undefined,
  environment: string,
  kind: WarehouseKind,
): EnvironmentDefaults {
  const configured = { database: properties?.defaultDatabase.value, schema: properties?.defaultSchema.value };
  const fold = (name: string) => (kind === 'WAREHOUSE_ONE' ? name.toUpperCase() : name.toLowerCase());
  return { database: configured.database || fold(environment), schema: configured.schema || fold('public') };
}

function createFolder(file: string): void {
  try {
    mkdirSync(join(file, '..'), { recursive: true });
  } catch (error) {
    throw notOpened(basename(file), error);
  }
}

/** The file's name is a hash: environments may have any name. */
function databaseFile(folder: string, projectId: string, environment: string): string {
  const name = createHash('sha256').update(environment).digest('hex').slice(0, 32);
  return join(folder, projectId, `${name}.duckdb`);
}
