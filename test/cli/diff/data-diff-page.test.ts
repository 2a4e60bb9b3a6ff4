import { expect, test } from 'vitest';
import { temporaryRepository } from '../../lib/git/temporary-repository.ts';
import { codeBlocks } from '../code-blocks.ts';
import { inProcess } from '../in-process.ts';

test('the first diff of docs/data-diff.md is what the command prints', async () => {
  const [pipeline = '', first = ''] = codeBlocks('testing.md', 'yaml');
  using repository = temporaryRepository();
  repository.write('build-orders.tran.yaml', pipeline);
  repository.write('build-orders.test.yaml', first);
  const commit = repository.commit('orders of more than 10');
  repository.write('build-orders.tran.yaml', pipeline.replace('Greater than', 'Greater than or equal to'));
  const { code, stdout } = await inProcess(['diff'], { cwd: repository.directory });
  const [shown = ''] = codeBlocks('data-diff.md', '');
  expect(code).toBe(0);
  expect(stdout.replace(commit.slice(0, 12), '0123456789ab')).toBe(
    shown.replace('$ npx millrace diff\n', ''),
  );
});
