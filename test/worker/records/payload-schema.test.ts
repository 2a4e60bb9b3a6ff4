import { expect, test } from 'vitest';
import { z } from 'zod';
import { payloadSchema } from '../../../worker/records/payload-schema.ts';

// The compiler is the test: a line below `@ts-expect-error` that compiles is an error.
test('a schema of a webhook compiles only with fields that GitHub sends, and with their types', () => {
  const read = z.object({ ref: z.string(), repository: z.object({ id: z.int() }) });
  expect(payloadSchema<'push'>()(read)).toBe(read);
  // @ts-expect-error GitHub sends no `refs`
  payloadSchema<'push'>()(z.object({ refs: z.string() }));
  // @ts-expect-error the repository has a `full_name`
  payloadSchema<'push'>()(z.object({ repository: z.object({ fullname: z.string() }) }));
  // @ts-expect-error a commit has an author, but no reviewer
  payloadSchema<'push'>()(z.object({ commits: z.array(z.object({ reviewer: z.string() })) }));
  // @ts-expect-error `created` is a boolean
  payloadSchema<'push'>()(z.object({ created: z.string() }));
  // @ts-expect-error a push has no comment
  payloadSchema<'push'>()(z.object({ comment: z.object({ id: z.int() }) }));
  payloadSchema<'push' | 'issue_comment'>()(z.object({ comment: z.object({ id: z.int() }) }));
});
