import { FUNCTIONS } from '../../../duckdb/values/functions.ts';
import { inBatches } from '../sql/in-batches.ts';
import { quoteText, TEXT, type Typed, VARIANT } from '../sql/typed.ts';
import { ELEMENT_START, toVariant } from '../casts/variant.ts';
import { type FunctionRule, type Given, integer, type Rules, text } from './rule.ts';

function one(
  least: number,
  most: number,
  write: (given: Given, value: Typed) => Typed | undefined,
): FunctionRule {
  const written = (given: Given) => {
    const [value] = given.values;
    return value && write(given, value);
  };
  return { arguments: [least, most], only: 'WAREHOUSE_ONE', write: written };
}

/** An element, or NULL. Any other value has no children. */
function json({ type, sql }: Typed): string | undefined {
  if (type.name === 'NULL') return 'CAST(NULL AS VARCHAR)';
  return type.name === 'VARIANT' ? `CAST(${sql} AS VARCHAR)` : undefined;
}

function parse(given: Given): Typed | undefined {
  const keepsTexts = given.values[1];
  if (keepsTexts !== undefined && keepsTexts.type.name !== 'BOOLEAN') return undefined;
  const flag = keepsTexts === undefined ? '0' : `CAST(${keepsTexts.sql} AS INTEGER)`;
  const element = inBatches(text(given, 0), (value) => `${FUNCTIONS.xml}(${value}, ${flag})`);
  return { sql: `CAST(${element} AS JSON)`, type: VARIANT };
}

/** The content of an element is an item or a list of items. */
function child(given: Given, element: Typed): Typed | undefined {
  if (json(element) === undefined) return undefined;
  const index = given.values.length > 2 ? integer(given, 2) : '0';
  const content = `millrace_element -> '$."$"'`;
  const items = `CASE WHEN json_type(${content}) = 'ARRAY' THEN json_extract(${content}, '$[*]') ELSE [${content}] END`;
  const named = `list_filter(${items}, lambda millrace_item: (millrace_item ->> '$."@"') = ${text(given, 1)})`;
  const found = `CASE WHEN ${index} >= 0 THEN ${named}[${index} + 1] END`;
  return {
    sql: `list_transform([${toVariant(element, given.at, given.writing).sql}], lambda millrace_element: ${found})[1]`,
    type: VARIANT,
  };
}

export const XML: Rules = {
  PARSE_XML: one(1, 2, parse),
  CHECK_XML: one(1, 2, (given) => ({
    sql: inBatches(text(given, 0), (value) => `${FUNCTIONS.xmlFault}(${value})`),
    type: TEXT,
  })),
  XMLGET: one(2, 3, child),
  TO_XML: one(1, 1, (_given, value) => {
    const from = json(value);
    const sql = from && inBatches(from, (element) => `${FUNCTIONS.xmlText}(${element})`);
    return sql === undefined ? undefined : { sql, type: TEXT };
  }),
};

/**
 * The value, which fails where it is an XML element: its object has members that the engine leaves out. `what`: what
 * reads the members.
 */
export function refuseElement(value: string, what: string): string {
  const isElement = `starts_with(CAST(${value} AS VARCHAR), ${ELEMENT_START}) AND json_exists(${value}, '$."@"')`;
  const message = quoteText(`Millrace does not support ${what} of an XML element; use TO_ARRAY of its "$"`);
  return `CASE WHEN ${isElement} THEN CAST(error(${message}) AS JSON) ELSE ${value} END`;
}
