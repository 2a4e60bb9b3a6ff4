import {
  describeType,
  ParameterError,
  readTypeText,
  Refusal,
  sourceText,
  SqlError,
  type WarehouseKind,
} from '../../engine/index.ts';

/** The type of a column in an export. Numbers are texts of digits, empty if the export has none. */
export interface ExportedType {
  readonly type: string;
  readonly length: string;
  readonly precision: string;
  readonly scale: string;
}

const numbers = /^(?:number|numeric|decimal)$/i;
const texts = /^(?:text|string|n?varchar|n?char|character(?: varying)?|bpchar)$/i;
/** In this length, a warehouse of kind 1 reports a text without a limit. */
const longest = '16777216';

/** A type as a file of schemas has it; undefined if the engine does not know the type. */
export function typeText(exported: ExportedType, kind: WarehouseKind): string | undefined {
  const written = writtenType(exported, kind);
  const known = typeOf(written, kind);
  if (known === undefined) return undefined;
  const usual = describeType(known, kind);
  // One spelling for each type, if it has the same meaning.
  return JSON.stringify(typeOf(usual, kind)) === JSON.stringify(known) ? usual : written;
}

function writtenType({ type, length, precision, scale }: ExportedType, kind: WarehouseKind): string {
  if (numbers.test(type) && precision !== '') return `${type}(${precision},${scale === '' ? '0' : scale})`;
  const isLimited = length !== '' && !(kind === 'WAREHOUSE_ONE' && length === longest);
  return texts.test(type) && isLimited ? `${type}(${length})` : type;
}

function typeOf(text: string, kind: WarehouseKind) {
  try {
    return readTypeText(sourceText(text, ''), kind);
  } catch (error) {
    if (error instanceof Refusal || error instanceof SqlError || error instanceof ParameterError)
      return undefined;
    throw error;
  }
}
