import { FUNCTIONS } from '../../../duckdb/values/functions.ts';
import { inBatches } from '../sql/in-batches.ts';
import { quoteText, TEXT, type Typed, VARIANT } from '../sql/typed.ts';
import { elementText, toVariant } from '../casts/variant.ts';
import { type FunctionRule, type TypedCall, integer, type Rules, text } from './rule.ts';

function xmlRule(
  least: number,
  most: number,
  write: (call: TypedCall, value: Typed) => Typed | undefined,
): FunctionRule {
  const written = (call: TypedCall) => {
    const [value] = call.values;
    return value && write(call, value);
  };
  return { arguments: [least, most], only: 'WAREHOUSE_ONE', write: written };
}

/** An element, or NULL. Any other value has no children. */
function json({ type, sql }: Typed): string | undefined {
  if (type.name === 'NULL') return 'CAST(NULL AS VARCHAR)';
  return type.name === 'VARIANT' ? `CAST(${sql} AS VARCHAR)` : undefined;
}

function parse(call: TypedCall): Typed | undefined {
  const keepsTexts = call.values[1];
  if (keepsTexts !== undefined && keepsTexts.type.name !== 'BOOLEAN') return undefined;
  const flag = keepsTexts === undefined ? '0' : `CAST(${keepsTexts.sql} AS INTEGER)`;
  const element = inBatches(text(call, 0), (value) => `${FUNCTIONS.xml}(${value}, ${flag})`);
  return { sql: `CAST(${element} AS JSON)`, type: VARIANT };
}

/** The content of an element is an item or a list of items. */
function child(call: TypedCall, element: Typed): Typed | undefined {
  if (json(element) === undefined) return undefined;
  const index = call.values.length > 2 ? integer(call, 2) : '0';
  const content = `millrace_element -> '$."$"'`;
  const items = `CASE WHEN json_type(${content}) = 'ARRAY' THEN json_extract(${content}, '$[*]') ELSE [${content}] END`;
  const named = `list_filter(${items}, lambda millrace_item: (millrace_item ->> '$."@"') = ${text(call, 1)})`;
  const isElement = `${elementText('millrace_element')} IS NOT NULL`;
  const childSql = `CASE WHEN ${index} >= 0 AND ${isElement} THEN ${named}[${index} + 1] END`;
  return {
    sql: `list_transform([${toVariant(element, call.at, call.writing).sql}], lambda millrace_element: ${childSql})[1]`,
    type: VARIANT,
  };
}

export const XML: Rules = {
  PARSE_XML: xmlRule(1, 2, parse),
  CHECK_XML: xmlRule(1, 2, (call) => ({
    sql: inBatches(text(call, 0), (value) => `${FUNCTIONS.xmlFault}(${value})`),
    type: TEXT,
  })),
  XMLGET: xmlRule(2, 3, child),
  TO_XML: xmlRule(1, 1, (_given, value) => {
    const from = json(value);
    const sql = from && inBatches(from, (element) => `${FUNCTIONS.xmlText}(${element})`);
    return sql === undefined ? undefined : { sql, type: TEXT };
  }),
};

/**
 * The SQL of a value that fails if the value is an XML element. The engine leaves out some members of an element's
 * object, so a function that reads the members would give a wrong result. `what` is the name of that function.
 */
export function refuseElement(value: string, what: string): string {
  const message = quoteText(
    `Millrace does not support ${what} of an XML element. Apply TO_ARRAY to the content of the element, which is its field "$".`,
  );
  return `CASE WHEN ${elementText(value)} IS NOT NULL THEN CAST(error(${message}) AS JSON) ELSE ${value} END`;
}
