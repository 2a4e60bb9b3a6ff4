import { childOf, itemsOf, type YamlMap, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import { entriesOf, located, variablesOf } from './read-parts.ts';
import { rowsOf } from './read-rows.ts';
import type { ExpectedOutcome, ExpectedTable, Expectations, Located, PlaceOf } from './test-file.ts';

/** The part `expect` of a test. */
export function readExpectations(node: YamlNode | undefined, test: YamlMap, placeOf: PlaceOf): Expectations {
  const names = (key: string): readonly Located[] =>
    itemsOf(childOf(node, key)).flatMap((item) => located(item, placeOf) ?? []);
  return {
    outcome: outcomeOf(childOf(node, 'outcome'), test, placeOf),
    tables: entriesOf(childOf(node, 'tables')).map(([name, key, value]) =>
      tableOf({ text: name, place: placeOf(key) }, value, placeOf),
    ),
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

function tableOf(name: Located, node: YamlNode, placeOf: PlaceOf): ExpectedTable {
  const rows = childOf(node, 'rows');
  const count = childOf(node, 'count');
  return {
    name,
    isAbsent: node.kind === 'scalar',
    rows: rows?.kind === 'list' ? rowsOf(rows, placeOf) : undefined,
    count: count?.kind === 'scalar' ? { value: Number(count.value), place: placeOf(count) } : undefined,
    isOrdered: valueOf(childOf(node, 'ordered')) === true,
    tolerance: Number(valueOf(childOf(node, 'tolerance')) ?? 0),
  };
}

function valueOf(node: YamlNode | undefined): string | number | boolean | null | undefined {
  return node?.kind === 'scalar' ? node.value : undefined;
}
