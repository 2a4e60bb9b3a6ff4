import { FUNCTIONS } from '../../../duckdb/functions.ts';
import { ELEMENT_START } from '../convert.ts';
import { quoteText, TEXT, type Typed, VARIANT } from '../typed.ts';
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
  return { sql: `CAST(${FUNCTIONS.xml}(${text(given, 0)}, ${flag}) AS JSON)`, type: VARIANT };
}

function child(given: Given, element: Typed): Typed | undefined {
  const from = json(element);
  if (from === undefined) return undefined;
  const index = given.values.length > 2 ? integer(given, 2) : '0';
  const called = `${FUNCTIONS.xmlChild}(${from}, ${text(given, 1)}, CAST(${index} AS INTEGER))`;
  return { sql: `CAST(${called} AS JSON)`, type: VARIANT };
}

export const XML: Rules = {
  PARSE_XML: one(1, 2, parse),
  CHECK_XML: one(1, 2, (given) => ({ sql: `${FUNCTIONS.xmlFault}(${text(given, 0)})`, type: TEXT })),
  XMLGET: one(2, 3, child),
  TO_XML: one(1, 1, (_given, value) => {
    const from = json(value);
    return from === undefined ? undefined : { sql: `${FUNCTIONS.xmlText}(${from})`, type: TEXT };
  }),
};

/**
 * The value, which fails where it is an XML element: its object has members that the engine leaves out. `what`: what
 * reads the members.
 */
export function refuseElement(value: string, what: string): string {
  const isElement = `starts_with(CAST(${value} AS VARCHAR), ${ELEMENT_START}) AND json_exists(${value}, '$."@"')`;
  const message = quoteText(`${what} of an XML element is not supported: use TO_ARRAY of its "$"`);
  return `CASE WHEN ${isElement} THEN CAST(error(${message}) AS JSON) ELSE ${value} END`;
}
