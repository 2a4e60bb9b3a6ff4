import { expect, test } from 'vitest';
import { notOpened, WarehouseNotOpened } from '../../../../engine/duckdb/connection/not-opened.ts';

const damaged =
  'it is damaged, or it is not a database; restore it from a backup, or delete the file to begin with an empty database';
const folder =
  'its folder is missing, or there is a folder with the name of the file; check the folder of the file';

test.each([
  [
    'Trying to read a database file with version number 31, but we can only read versions between 64 and 67.',
    'another version of DuckDB wrote it; install that version, or delete the file to begin with an empty database',
  ],
  ['The file "…/a.duckdb" exists, but it is not a valid DuckDB database file!', damaged],
  [
    'Corrupt database file: computed checksum 1 does not match stored checksum 2 in block at location 0',
    damaged,
  ],
  ['Could not read enough bytes from file "…/a.duckdb": attempted to read 10 bytes from location 5', damaged],
  [
    'Cannot open file "…/a.duckdb": Permission denied',
    'permission is denied; the user that runs Millrace must be able to read and write it and its folder',
  ],
  [
    "EACCES: permission denied, mkdir '/data/warehouses'",
    'permission is denied; the user that runs Millrace must be able to read and write it and its folder',
  ],
  ['Could not write file "…/a.duckdb": No space left on device', 'the disk is full; free some space'],
  [
    'Could not set lock on file "…/a.duckdb": Conflicting lock is held in PID 7',
    'another process has opened it; end that process, or use another folder',
  ],
  ["EEXIST: file already exists, mkdir '/data/warehouses'", folder],
  ['Could not read from file "…/a.duckdb": Is a directory', folder],
  ['something else', 'something else'],
])('%s', (text, reason) => {
  const failure = notOpened('a.duckdb', new Error(text));
  expect(failure).toBeInstanceOf(WarehouseNotOpened);
  expect(failure.message).toBe(`the database file a.duckdb cannot be opened: ${reason}`);
});
