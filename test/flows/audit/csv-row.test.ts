import { expect, test } from 'vitest';
import { auditColumns, csvRow } from '../../../flows/audit/csv-row.ts';

const entry = { eventId: 'e', eventTimestamp: '2031-01-01T00:00:00Z' };
const nameCell = (eventName: unknown) =>
  csvRow({ ...entry, eventName }).slice('e,'.length, -',,,2031-01-01T00:00:00Z,,,,,,,,'.length);

test('a row has the columns of §2.10, empty where nothing came', () => {
  expect(csvRow(entry)).toBe('e,,,,2031-01-01T00:00:00Z,,,,,,,,');
  expect(csvRow(entry).split(',')).toHaveLength(auditColumns.length);
});

test.each([
  ['a, b', '"a, b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['+1', "'+1"],
  ['@sum', "'@sum"],
  ['plain', 'plain'],
  [null, ''],
])('%j becomes %s: quoted where it must be, and never a formula', (given, cell) => {
  expect(nameCell(given)).toBe(cell);
});
