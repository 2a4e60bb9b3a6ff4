import { type Located, type PlaceOf, problemAt } from '../../../engine/index.ts';
import { type Decimal, parseDecimal } from '../../../lib/core/values/decimal.ts';
import { childOf, itemsOf, type YamlMap, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { contentOf, type Reading } from './read-content.ts';
import { entriesOf } from '../outside/schema-parts.ts';
import { located, variablesOf } from './read-parts.ts';
import type { ExpectedOutcome, ExpectedTable, Expectations } from './test-file.ts';

/** Reads the part `expect` of a test. */
export async function readExpectations(
  node: YamlNode | undefined,
  test: YamlMap,
  reading: Reading,
): Promise<Expectations> {
  const { placeOf } = reading;
  const names = (key: string): readonly Located[] =>
    itemsOf(childOf(node, key)).flatMap((item) => located(item, placeOf) ?? []);
  const tables: ExpectedTable[] = [];
  for (const [name, key, value] of entriesOf(childOf(node, 'tables'))) {
    tables.push(await tableOf({ text: name, place: placeOf(key) }, value, reading));
  }
  return {
    outcome: outcomeOf(childOf(node, 'outcome'), test, placeOf),
    tables,
    variables: variablesOf(childOf(node, 'variables'), placeOf),
    ran: names('ran'),
    notRan: names('not-ran'),
  };
}

function outcomeOf(node: YamlNode | undefined, test: YamlMap, placeOf: PlaceOf): ExpectedOutcome {
  const expect = test.entries.get('expect');
  const place = placeOf(node ?? expect?.key ?? test);
  const failure = childOf(node, 'failure');
  if (failure === undefined) return { isSuccess: true, place, component: undefined, message: undefined };
  const part = (key: string) => located(childOf(failure, key), placeOf);
  return { isSuccess: false, place, component: part('component'), message: part('message') };
}

async function tableOf(name: Located, node: YamlNode, reading: Reading): Promise<ExpectedTable> {
  const { placeOf } = reading;
  const count = childOf(node, 'count');
  const rows = await contentOf(node, reading);
  const file = childOf(node, 'file');
  // The rows of the test file itself are checked with its other values.
  if (file !== undefined && rows !== undefined && rows.rows.length > 0 && rows.columns.length === 0)
    throw problemAt(
      placeOf(file),
      'this file has rows without columns: name at least one column, or use `count`',
    );
  return {
    name,
    isAbsent: node.kind === 'scalar',
    rows,
    count: count?.kind === 'scalar' ? { value: Number(count.value), place: placeOf(count) } : undefined,
    isOrdered: valueOf(childOf(node, 'ordered')) === true,
    tolerance: toleranceOf(childOf(node, 'tolerance')),
  };
}

/** With all the digits that are written; 0 if there is none. */
function toleranceOf(node: YamlNode | undefined): Decimal {
  const written = node?.kind === 'scalar' ? parseDecimal(node.text) : undefined;
  // Hexadecimal numbers have no decimal text.
  return written ?? parseDecimal(String(valueOf(node) ?? 0)) ?? { units: 0n, scale: 0 };
}

function valueOf(node: YamlNode | undefined): string | number | boolean | null | undefined {
  return node?.kind === 'scalar' ? node.value : undefined;
}
