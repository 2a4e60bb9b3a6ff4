import { expect, test } from 'vitest';
import { createReceipts } from '../../../../platform/streaming/source/receipts.ts';
import { wire } from './wire.ts';

const insert = wire.change('I', 7, wire.row('N', '1'));

/** Receipts after messages of a stream that began at position 100. */
function receiptsAfter(...messages: readonly Buffer[]) {
  const receipts = createReceipts(100n);
  for (const message of messages) receipts.message(message, 0);
  return receipts;
}

test('while nothing is published, the position of a keep-alive is acknowledged', () => {
  const receipts = receiptsAfter();
  expect(receipts.keepAlive(200n)).toBe(true);
  expect(receipts).toMatchObject({ acknowledged: 200n, serverEnd: 200n });
  expect(receipts.keepAlive(200n)).toBe(false);
});

test('a keep-alive acknowledges nothing inside of a transaction, nor before its rows are safe', () => {
  const receipts = receiptsAfter(wire.begin(110n, 0n, 1), insert);
  expect(receipts.keepAlive(200n)).toBe(false);
  receipts.message(wire.commit(110n, 150n, 0n), 0);
  expect(receipts.keepAlive(210n)).toBe(false);
  expect(receipts).toMatchObject({ acknowledged: 100n, serverEnd: 210n });
  expect(receipts.acknowledge(150n)).toBe(true);
  expect(receipts.keepAlive(220n)).toBe(true);
  expect(receipts.acknowledged).toBe(220n);
});

test('a transaction without changes needs no acknowledgement', () => {
  const receipts = receiptsAfter(
    wire.begin(110n, 0n, 1),
    wire.relation(7, 'items', ['id']),
    wire.commit(110n, 150n, 0n),
  );
  expect(receipts.keepAlive(200n)).toBe(true);
});

test('an acknowledgement does not move back', () => {
  const receipts = receiptsAfter();
  expect(receipts.acknowledge(150n)).toBe(true);
  expect(receipts.acknowledge(120n)).toBe(false);
  expect(receipts.acknowledged).toBe(150n);
});
