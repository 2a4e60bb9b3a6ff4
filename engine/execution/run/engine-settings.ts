import type { TableName } from '../../core/relation.ts';
import type { WarehouseKind } from '../../core/sql-type.ts';
import type { Warehouse } from '../../duckdb/connection/warehouse.ts';
import type { ConnectorRows } from '../../orchestration/mocks/load-from-connector.ts';
import type { Mock } from '../../orchestration/mocks/mock.ts';
import type { Python } from '../../python/python.ts';
import type { FailedComponent } from './execution-state.ts';
import type { EnvironmentDefaults } from '../../parameters/read-table.ts';

/**
 * What an execution runs its components with: a warehouse, a Python interpreter and mocks. Without these settings,
 * everything that a component does outside of the control flow is simulated.
 */
export interface EngineSettings {
  readonly warehouse: Warehouse;
  readonly kind: WarehouseKind;
  readonly defaults: EnvironmentDefaults;
  /**
   * Mocks by the name of a component of the requested pipeline, or by `pipeline path#Component` for a component of a
   * called pipeline. The path may be with or without its suffix. A component without a mock runs.
   */
  readonly mocks?: ReadonlyMap<string, Mock> | undefined;
  /** The rows of connectors (spec §2.6), for components that read from a connector. */
  readonly connectors?: ConnectorRows | undefined;
  /**
   * Whether a component that needs a mock but has none counts as successful after its failure was recorded. A single
   * execution then finds all such components. The data that such an execution writes has no meaning.
   */
  readonly passesUnmocked?: boolean | undefined;
  /**
   * Called with each failure before it counts. The function may create what the component lacked, such as a table or
   * a mock. It resolves to whether the component should run again. The data that such an execution writes has no
   * meaning.
   */
  readonly repair?: ((failed: FailedComponent) => Promise<boolean>) | undefined;
  /**
   * Fills the target table of a component that loads rows from outside, instead of running the component. Resolves to
   * the message of the component's step. Undefined if there are no rows for the table, so that the component needs a
   * mock.
   */
  readonly loadRows?: ((target: TableName, warehouse: Warehouse) => Promise<string | undefined>) | undefined;
  /**
   * Whether steps say how many rows components read. This takes a short query for each component that reads a table.
   */
  readonly countsReads?: boolean | undefined;
  /**
   * Runs Python components. Undefined if the operator of this machine does not allow it; Python components then need
   * a mock.
   */
  readonly python?: Python | undefined;
}
