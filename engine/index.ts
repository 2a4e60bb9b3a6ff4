/** Runs pipelines. See `README.md`. */
export * from './execution/index.ts';
export { type Place, Refusal, SqlError } from './core/refusal.ts';
export type { Column, Table, TableName } from './core/relation.ts';
export { type SourceText, sourceText } from './core/source-text.ts';
export type { SqlType, WarehouseKind } from './core/sql-type.ts';
export { readTypeText } from './dialect/read-type-text.ts';
export { describeType } from './duckdb/column-types.ts';
export { openWarehouse } from './duckdb/open-warehouse.ts';
export { type Rows, type Value, type Warehouse, WarehouseStopped } from './duckdb/warehouse.ts';
export { inferColumns } from './orchestration/infer-columns.ts';
export type { Mock, MockRow, MockRows } from './orchestration/mock.ts';
export { readTableText } from './orchestration/read-table-text.ts';
export { ParameterError } from './parameters/parameter-error.ts';
export type { PipelineVariable } from './parameters/expression-scope.ts';
export type { EnvironmentDefaults } from './parameters/read-table.ts';
export { readType } from './parameters/read-typed-rows.ts';
