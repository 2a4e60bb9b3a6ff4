import { expect, test } from 'vitest';
import { asOperation, operations } from '../../../lib/contract/operations.ts';
import { referenceOf } from '../../../lib/contract/reference.ts';

const text = referenceOf(operations.map(asOperation));

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
  expect(section).toContain('| `agentVersion` | header `Agent-Version` | yes |');
  expect(section).toContain('- 404: No linked repository, or branch or commit unknown. (unknowns §4)');
});

test('a paged list is shown as a loop', () => {
  expect(text).toContain('for await (const item of client.projects.list({ page?, size? })) …');
});
