import type { ComponentType } from './component-type.ts';
import { aggregate } from './aggregate.ts';
import { calculator } from './calculator.ts';
import { convertType } from './convert-type.ts';
import { detectChanges } from './detect-changes.ts';
import { distinct } from './distinct.ts';
import { firstLast } from './first-last.ts';
import { leadLag } from './lead-lag.ts';
import { pivot } from './pivot.ts';
import { rank } from './rank.ts';
import { constructVariant } from './construct-variant.ts';
import {
  cortexCompletions,
  cortexExtractAnswer,
  cortexSentiment,
  cortexSummarize,
  cortexTranslate,
} from './cortex.ts';
import { createView } from './create-view.ts';
import { fixedFlow } from './fixed-flow.ts';
import { generateSequence } from './generate-sequence.ts';
import { multiTableInput } from './multi-table-input.ts';
import { streamInput } from './stream-input.ts';
import { extractNestedData } from './extract-nested-data.ts';
import { filter } from './filter.ts';
import { flattenVariant } from './flatten-variant.ts';
import { join } from './join.ts';
import { mapValues } from './map-values.ts';
import { rename } from './rename.ts';
import { splitField } from './split-field.ts';
import { sql } from './sql.ts';
import { rewriteTable, rewriteTableOfCatalog } from './rewrite-table.ts';
import { tableInput } from './table-input.ts';
import { tableOutput } from './table-output.ts';
import { tableUpdate } from './table-update.ts';
import { transposeColumns } from './transpose-columns.ts';
import { transposeRows } from './transpose-rows.ts';
import { unite } from './unite.ts';
import { unpivot } from './unpivot.ts';
import { windowCalculation } from './window-calculation.ts';

/** All component types of transformations that the engine runs, in the order of `docs/engine.md`. */
export const componentTypes: readonly ComponentType[] = [
  tableInput,
  multiTableInput,
  streamInput,
  fixedFlow,
  generateSequence,
  filter,
  join,
  unite,
  detectChanges,
  distinct,
  calculator,
  rename,
  convertType,
  mapValues,
  splitField,
  unpivot,
  aggregate,
  pivot,
  transposeColumns,
  windowCalculation,
  transposeRows,
  rank,
  leadLag,
  firstLast,
  sql,
  extractNestedData,
  flattenVariant,
  constructVariant,
  rewriteTable,
  rewriteTableOfCatalog,
  tableOutput,
  tableUpdate,
  createView,
  cortexCompletions,
  cortexSentiment,
  cortexTranslate,
  cortexSummarize,
  cortexExtractAnswer,
];

const byName = new Map(
  componentTypes.flatMap((type) => [type.type, ...(type.aliases ?? [])].map((name) => [name, type])),
);

/** Finds the component type by its name in pipeline files. Undefined if the engine does not know the type. */
export function componentType(name: string): ComponentType | undefined {
  return byName.get(name);
}
