import { expect, test } from 'vitest';
import { operationExamples } from '../../../lib/contract/examples.ts';
import { asOperation, operations } from '../../../lib/contract/operations.ts';
import { referenceOf } from '../../../lib/contract/reference.ts';

const text = referenceOf(operations.map(asOperation), operationExamples);

test('the reference has a section for each operation', () => {
  expect([...text.matchAll(/^### (\S+)$/gm)].map(([, id]) => id)).toEqual(operations.map(({ id }) => id));
});

test('a section shows the call, the request, both names of each header and the errors', () => {
  const section = text.slice(text.indexOf('### reviews.create'), text.indexOf('## variables'));
  expect(section).toContain(
    'await client.reviews.create({ projectId, agentVersion, branchName, commitId, pipelines })',
  );
  expect(section).toContain(
    '`POST /v1/projects/{projectId}/reviews` · §4.5 · role `member` · retry `repeatable`',
  );
  expect(section).toContain('| `agentVersion` | header `Agent-Version` | `string, not empty` | yes |  |');
  expect(section).toContain(
    '- 404: The project has no linked repository, or the branch or commit does not exist. (unknowns §4)',
  );
});

test('a paged list is shown as a loop', () => {
  expect(text).toContain('for await (const item of client.projects.list({ page?, size? })) …');
});

test.each([
  [
    'closed values',
    '| `defaultUserAccessLevel` | body | `"default" or "admin" or "runner" or "readOnly" or "noAccess"` |',
  ],
  ['known values', '| `result.status` | `string` | yes | Known values: QUEUED, RUNNING,'],
  ['bounds', '| `size` | query | `integer, 1 to 100` | no |'],
  [
    'members of a list',
    '| `streamingSource.tables` | body | `list of { schema: string; table: string }` | yes |',
  ],
  ['members of a map', '| `results.*[].status` | `string` | yes | Known values: PASSED, FAILED, ERROR.'],
  [
    'one of several shapes',
    '| `connectionOverrides[].connectionProperties.account` | body | `{ value: string }` | yes | Only for a key pair. |',
  ],
  ['a choice of types', '| `value` | body | `string or number` | no |'],
  ['the command that sends the example', 'millrace api artifacts.create --param versionName=1.4.0'],
])('the reference shows %s', (_, row) => {
  expect(text).toContain(row);
});
