import { expect, test } from 'vitest';
import { streaming } from '../../../tools/demo/chapters/streaming.ts';
import type { Demo } from '../../../tools/demo/demo.ts';
import type { DemoServers } from '../../../tools/demo/demo-servers.ts';
import { createNarrator } from '../../../tools/demo/narrator.ts';

test('without PostgreSQL, the demo says that streaming is left out, and why', async () => {
  let output = '';
  const demo: Demo = {
    servers: { source: { reason: 'PostgreSQL is not available (no package)' } } as DemoServers,
    narrator: createNarrator((text) => (output += text), false),
    rows: [],
    signal: new AbortController().signal,
  };
  await streaming(demo, 'project');
  expect(output).toContain('Left out: PostgreSQL is not available (no package).');
  expect(demo.rows).toEqual([['orders streamed into dev', 'platform', 'left out: see above']]);
});
