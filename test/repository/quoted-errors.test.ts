import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDefinition } from '../../flows/streaming/read-definition.ts';
import { describeFailure, type Failure } from '../../lib/core/errors/failure.ts';
import { root } from './repository-files.ts';

test.each([
  ['host: db.example.com', "host: ''"],
  ['host: db.example.com', 'host: ""'],
])('the error that docs/streaming.md quotes is printed for its own example with %s as %s', (good, bad) => {
  const page = readFileSync(join(root, 'docs', 'streaming.md'), 'utf8');
  const example = /```yaml\n(.*?)```/su.exec(page)?.[1] ?? '';
  const quoted = /`(orders\.yaml:\d+:\d+: [^`]+)`/u.exec(page)?.[1];
  expect(() => readDefinition(example, 'orders.yaml')).not.toThrow();
  let message = '';
  try {
    readDefinition(example.replace(good, bad), 'orders.yaml');
  } catch (error) {
    message = describeFailure(error as Failure);
  }
  expect(message.split('\n')[0]).toBe(quoted);
});
