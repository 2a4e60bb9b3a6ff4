import type { Catalog, TableName, Unreadable } from '../core/relation.ts';
import { physicalTable } from '../duckdb/catalog/physical-name.ts';
import { unreadable } from '../duckdb/catalog/readable-view.ts';
import type { TableWrite } from './bound-pipeline.ts';
import type { ChangedTable } from './changed-tables.ts';

/** Keeps track of the views that a pipeline has created, and finds those that can no longer be read. */
export interface BrokenViews {
  /** Notes the tables that a part of a component has changed. */
  update(component: string, changed: readonly ChangedTable[]): void;
  /** Returns the writes of the pipeline. A view that can no longer be read is marked as unreadable. */
  applyTo(writes: readonly TableWrite[]): readonly TableWrite[];
}

interface Broken {
  readonly component: string;
  readonly found: Unreadable;
  /**
   * Whether the component itself broke the view. If not, the view may stay readable if the components run in another
   * order.
   */
  readonly isOwn: boolean;
}

/**
 * Finds the views of a pipeline that can no longer be read, because the pipeline later changed a table that they
 * read.
 */
export function createBrokenViews(catalog: Pick<Catalog, 'find'>): BrokenViews {
  const views = new Map<string, { readonly name: TableName; readonly component: string }>();
  const broken = new Map<string, Broken>();

  return {
    update(component, changed) {
      if (changed.every(({ mode }) => mode === 'insert' || mode === 'change')) return;
      for (const { table: name, mode } of changed) {
        if (mode !== 'define') continue;
        broken.delete(physicalTable(name));
        if (catalog.find(name)?.kind === 'view') views.set(physicalTable(name), { name, component });
        else views.delete(physicalTable(name));
      }
      for (const [sql, view] of views) {
        const table = catalog.find(view.name);
        const found = table && unreadable(table, catalog);
        if (found === undefined) broken.delete(sql);
        else {
          const isOwn = broken.get(sql)?.isOwn ?? view.component === component;
          broken.set(sql, { component: view.component, found, isOwn });
        }
      }
    },
    applyTo(writes) {
      if (broken.size === 0) return writes;
      const defines = ({ found, component }: Broken): boolean =>
        writes.some(
          (write) =>
            write.mode === 'define' &&
            write.component === component &&
            physicalTable(write.table) === physicalTable(found.table),
        );
      return writes.map((write): TableWrite => {
        const view = broken.get(physicalTable(write.table));
        const { columns } = write;
        if (view === undefined || columns === undefined) return write;
        const isSure = view.isOwn && defines(view) && columns.areNamesComplete && columns.areTypesKnown;
        return {
          ...write,
          columns: isSure ? { ...columns, columns: [], unreadable: view.found } : undefined,
        };
      });
    },
  };
}
