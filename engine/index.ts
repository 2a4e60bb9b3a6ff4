/** Runs pipelines. See `README.md`. */
export { bindPipeline } from './binding/bind-pipeline.ts';
export type { BindingContext } from './binding/binder-types.ts';
export { tablesOfProject } from './binding/tables-of-project.ts';
export type {
  CreatedTable,
  ProjectTable,
  ProjectUnknown,
  ProjectUse,
  TablesOfProject,
} from './binding/tables-of-project.ts';
export { nameWarehouse } from './binding/name-warehouse.ts';
export { nothingBound } from './binding/bound-pipeline.ts';
export type {
  BindingProblem,
  BoundPipeline,
  Certainty,
  ColumnLineage,
  ColumnName,
  KnownTable,
  OpenUse,
  TableRead,
  TableUse,
  TableWrite,
  UnknownComponent,
  WriteLineage,
  WriteMode,
} from './binding/bound-pipeline.ts';
export * from './execution/index.ts';
export type { ValueUse } from './lineage/relation.ts';
export { type Place, Refusal, SqlError, type SqlErrorCode } from './core/refusal.ts';
export type { Column, Table, TableName } from './core/relation.ts';
export { type SourceText, sourceText } from './core/source-text.ts';
export type { SqlType, WarehouseKind } from './core/sql-type.ts';
export { readTypeText } from './dialect/read-type-text.ts';
export { storedName } from './components/find-column.ts';
export { describeType } from './duckdb/catalog/column-types.ts';
export { columnTexts, ValueError } from './duckdb/fill-table.ts';
export { WarehouseUnavailable } from './duckdb/connection/load-duckdb.ts';
export { hasDuckdb, installedDuckdb } from './duckdb/connection/load-duckdb.ts';
export { notOpened, WarehouseNotOpened } from './duckdb/connection/not-opened.ts';
export { openWarehouse } from './duckdb/open-warehouse.ts';
export { expectReadable } from './duckdb/catalog/readable-view.ts';
export { JsonNull, jsonNull } from './core/json-null.ts';
export { LongDecimal } from './core/long-decimal.ts';
export { WrittenJson } from './core/written-json.ts';
export { parseJson, writeJson } from './duckdb/values/read-value.ts';
export { physicalTable, quoteName, quoteText } from './duckdb/catalog/physical-name.ts';
export type {
  CompletedRows,
  RowChanges,
  RowValue,
  Rows,
  Value,
  Warehouse,
} from './duckdb/connection/warehouse.ts';
export { declaredColumns } from './orchestration/task/declared-columns.ts';
export { inferColumns } from './orchestration/mocks/infer-columns.ts';
export { unkept, writtenText } from './duckdb/values/written-value.ts';
export { cellValue, changedNumber, plainValue } from './tables/cell-value.ts';
export { type FileProblem, FileProblems, problemAt, textOfFile } from './tables/file-problem.ts';
export {
  type FixtureReadOptions,
  requireFixtureFile,
  type FixtureFile,
  type FindFixtureFile,
  readFixture,
  readTextFixture,
} from './tables/read-fixture.ts';
export {
  type ImportedColumn,
  importParquet,
  type Misfit,
  type ParquetColumn,
  parquetColumns,
} from './tables/import-parquet.ts';
export { readCsv } from './tables/read-csv.ts';
export {
  changeLogColumns,
  columnName,
  DELETED,
  foldName,
  type PrefixType,
  targetName,
  type Transformation,
} from './tables/streamed-table.ts';
export { noRows, rowsOf } from './tables/read-rows.ts';
export {
  type KnownColumns,
  readColumnType,
  tableOfRows,
  type TableRows,
  typeOfScalar,
} from './tables/table-columns.ts';
export type {
  Located,
  PlaceOf,
  WrittenColumn,
  WrittenRow,
  WrittenRows,
  WrittenTable,
} from './tables/written-rows.ts';
export { isOutOfMemory } from './duckdb/connection/statement-guard.ts';
export { isMissingMock, linesOfMock } from './orchestration/mocks/missing-mock.ts';
export {
  type Mock,
  type MockFault,
  type MockRow,
  type MockRows,
  WrittenCell,
} from './orchestration/mocks/mock.ts';
export type { ConnectorRows } from './orchestration/mocks/load-from-connector.ts';
export { readTableText } from './orchestration/task/read-table-text.ts';
export { openPython, type PythonOptions } from './python/open-python.ts';
export type { Python } from './python/python.ts';
export { ParameterError } from './parameters/parameter-error.ts';
export type { PipelineVariable } from './parameters/expression-scope.ts';
export type { EnvironmentDefaults } from './parameters/read-table.ts';
export { readType } from './parameters/read-typed-rows.ts';
export { sqlMeaning } from './parameters/sql-meaning.ts';
export { writtenSpans } from './parameters/scalar-text.ts';
export { expressionTokens } from './expressions/tokenize.ts';
export { type WrittenToken, writtenTokens } from './parameters/written-tokens.ts';
export { runOrder } from './execution/walk/source-order.ts';
