import type { TableName } from '../../core/relation.ts';
import type { WarehouseKind } from '../../core/sql-type.ts';
import type { Warehouse } from '../../duckdb/connection/warehouse.ts';
import type { ConnectorRows } from '../../orchestration/mocks/load-from-connector.ts';
import type { Mock } from '../../orchestration/mocks/mock.ts';
import type { Python } from '../../python/python.ts';
import type { FailedComponent } from './execution-state.ts';
import type { EnvironmentDefaults } from '../../parameters/read-table.ts';

/**
 * The warehouse and the interpreter of Python with which an execution runs its components. Without these settings,
 * everything that a component does outside of the control flow is simulated.
 */
export interface EngineSettings {
  readonly warehouse: Warehouse;
  readonly kind: WarehouseKind;
  readonly defaults: EnvironmentDefaults;
  /**
   * By the name of a component of the requested pipeline, or by `pipeline path#Component` for a called one; the path
   * with or without suffix. A component without a mock runs.
   */
  readonly mocks?: ReadonlyMap<string, Mock> | undefined;
  /** Rows of connectors (spec §2.6), for components that read one of them. */
  readonly connectors?: ConnectorRows | undefined;
  /**
   * Whether a component that needs a mock and has none counts as successful after its failure is recorded, so that one
   * execution finds them all. What such an execution leaves means nothing.
   */
  readonly passesUnmocked?: boolean | undefined;
  /**
   * Gets each failure before it counts, and may create what the component lacked, such as a table or a mock. Resolves to
   * whether the component should run again. What such an execution leaves means nothing.
   */
  readonly repair?: ((failed: FailedComponent) => Promise<boolean>) | undefined;
  /**
   * Fills the target table of a component that loads rows from outside, in place of the component. Resolves to the message of its
   * step; undefined if there are no rows for the table, so that the component needs a mock.
   */
  readonly loadRows?: ((target: TableName, warehouse: Warehouse) => Promise<string | undefined>) | undefined;
  /** Whether steps say how many rows components read: a short query for each component that reads a table. */
  readonly countsReads?: boolean | undefined;
  /** Runs Python components, if the operator of this machine allows it. Without it, they need a mock. */
  readonly python?: Python | undefined;
}
