import { mkdtempSync } from 'node:fs';
import { expect, test } from 'vitest';
import { asFailure } from '../../../cli/kit/as-failure.ts';

test('a folder for temporary files that does not exist is named, with the variable that sets it', () => {
  let error: unknown;
  try {
    mkdtempSync('/no/such/folder/millrace-platform-');
  } catch (caught) {
    error = caught;
  }
  expect(asFailure(error, new AbortController().signal)).toMatchObject({
    code: 'storage-failed',
    message: 'The folder for temporary files, "/no/such/folder", does not exist.',
    hint: expect.stringContaining('TMPDIR'),
  });
});
