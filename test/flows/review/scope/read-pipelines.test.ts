import { expect, test } from 'vitest';
import { readPipelines } from '../../../../flows/review/scope/read-pipelines.ts';
import type { Snapshot } from '../../../../lib/git/snapshot.ts';

const paths = Array.from({ length: 250 }, (_, index) => `pipeline-${index}.orch.yaml`);

/** A snapshot of these paths that records the first path of each read. The last read fails if wanted. */
function recordingSnapshot({ fails = false } = {}) {
  const reads: (string | undefined)[] = [];
  const snapshot: Snapshot = {
    kind: 'staged',
    commit: '',
    unread: new Map(),
    links: new Set(),
    list: async () => [],
    changedSince: async () => [],
    async readFiles(asked) {
      if (asked.length > 0) reads.push(asked[0]);
      if (fails && asked.includes('pipeline-249.orch.yaml')) throw new Error('git stopped');
      return new Map(asked.map((path) => [path, Buffer.from('type: "orchestration"\n')]));
    },
  };
  return { snapshot, reads };
}

async function pathsOf(documents: ReturnType<typeof readPipelines>): Promise<string[]> {
  const found: string[] = [];
  for await (const { path } of documents) found.push(path);
  return found;
}

test('pipelines of several batches come in the order of their paths', async () => {
  const { snapshot } = recordingSnapshot();
  const read = await pathsOf(readPipelines(snapshot, paths));
  expect(read).toEqual(paths);
});

test('the first batch is read at once, and the second one while the first one is used', async () => {
  const { snapshot, reads } = recordingSnapshot();
  const documents = readPipelines(snapshot, paths);
  expect(reads).toEqual(['pipeline-0.orch.yaml']);
  await documents.next();
  expect(reads).toEqual(['pipeline-0.orch.yaml', 'pipeline-100.orch.yaml']);
});

test('a batch that cannot be read fails the reader when it gets there, and no reader that stops before', async () => {
  const { snapshot } = recordingSnapshot({ fails: true });
  const documents = readPipelines(snapshot, paths);
  for (let nth = 0; nth < 150; nth += 1) await documents.next();
  await documents.return();
  await expect(pathsOf(readPipelines(snapshot, paths))).rejects.toThrow('git stopped');
});

test('no paths give no pipelines', async () => {
  const { snapshot, reads } = recordingSnapshot();
  expect(await pathsOf(readPipelines(snapshot, []))).toEqual([]);
  expect(reads).toEqual([]);
});
