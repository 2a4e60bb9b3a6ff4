import type { WarehouseKind } from '../../../engine/index.ts';

const sources = `    Orders: { type: table-input, parameters: { targetTable: orders, columnNames: [id, customer, amount, note] } }
    Customers: { type: table-input, parameters: { targetTable: customers, columnNames: [cid, name] } }
`;

/** A pipeline over orders and customers; `last` is the component before the one that writes. */
function pipeline(components: string, last: string): string {
  return `pipeline:\n  components:\n${sources}${components}    Write: { type: rewrite-table, sources: [${last}], parameters: { targetTable: result } }\n`;
}

const join = `    Joined:
      type: join
      sources: [Orders, Customers]
      parameters:
        mainTable: Orders
        mainTableAlias: o
        joins: [[Customers, c, Left]]
        joinExpressions: [['"o"."customer" = "c"."cid"', o_Left_c]]
        columnMappings: [[o.id, id], [c.name, name], [o.amount, amount]]
`;

const given = `    given:
      orders: { rows: [{ id: 1, customer: 1, amount: 20.5, note: large }, { id: 2, customer: 2, amount: 5, note: small }] }
      customers: { rows: [{ cid: 1, name: Ann }, { cid: 2, name: Bob }] }
`;

const cases: Readonly<Record<string, string>> = {
  'the border of a filter': pipeline(
    `    F: { type: filter, sources: [Orders], parameters: { filterConditions: [[amount, Is, Greater than, '10']], combineCondition: And } }\n`,
    'F',
  ),
  'nulls and blanks': pipeline(
    `    F: { type: filter, sources: [Orders], parameters: { filterConditions: [[note, Not, 'Null', ''], [amount, Is, Less than, '100']], combineCondition: And } }\n`,
    'F',
  ),
  'an unmatched key': pipeline(join, 'Joined'),
  'branches, equal rows and a sum': pipeline(
    `    Case: { type: calculator, sources: [Orders], parameters: { includeInputColumns: 'No', calculations: [["CASE WHEN \\"note\\" = 'vip' THEN \\"amount\\" * 2 ELSE COALESCE(\\"amount\\", 0) END", price], ['"customer"', customer]] } }
    Sum: { type: aggregate, sources: [Case], parameters: { groupings: [customer], aggregations: [[price, Sum]], groupingType: Group By } }\n`,
    'Sum',
  ),
};

/** Pipelines with one test each, which expects only that they run. */
export function rowProject(kind: WarehouseKind) {
  const all = Object.values(cases).flatMap((text, index) => [
    [`p${index}.tran.yaml`, text] as const,
    [
      `p${index}.test.yaml`,
      `pipeline: p${index}\ntests:\n  - name: runs # keep\n${given}    expect: { ran: [Write] }\n`,
    ] as const,
  ]);
  return { ...Object.fromEntries(all), 'millrace.yaml': `version: 1\nengine: { warehouse: ${kind} }\n` };
}
