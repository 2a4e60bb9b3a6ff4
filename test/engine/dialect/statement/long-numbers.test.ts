import { expect, test } from 'vitest';
import { openOrders, rowsOf } from '../write/orders.ts';

const digits = '12345678901234567890123456789012345678';

test.each([digits, `-${digits}`, `0.${digits.slice(1)}`, '0.10000000000000000000000000000000000000000'])(
  'a number of up to 38 digits in JSON keeps them: %s',
  async (number) => {
    await using warehouse = await openOrders('WAREHOUSE_ONE');
    const kept = number.replace(/(\.\d*?)0+$/, '$1');
    const sql = `select parse_json('${number}')::varchar`;
    expect(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).toBe(JSON.stringify([[kept]]));
  },
);

test.each([`${digits}9`, `${digits}.5`, `-${digits}9`, `0.0000${digits}`])(
  'a number of more than 38 digits in JSON is refused: %s',
  async (number) => {
    await using warehouse = await openOrders('WAREHOUSE_ONE');
    for (const json of [number, `{"a": [${number}]}`])
      await expect(rowsOf(`select parse_json('${json}')`, 'WAREHOUSE_ONE', warehouse)).rejects.toThrow(
        /more than 38 digits in semi-structured data/,
      );
  },
);
