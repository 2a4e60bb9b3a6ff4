import { createClient } from '../../client/index.ts';
import { startPlatform } from '../../platform/index.ts';
import { copyPipeline } from '../cli/tests/test-project.ts';

// The platform publishes an artifact, and its answer is lost: the client reads back whether it was published.
await using platform = await startPlatform();
const { baseUrl, projectId, tokens } = platform;
platform.faults.set([{ operation: 'artifacts.create', wire: 'reset-after', times: 1 }]);
await using client = createClient({ baseUrl, auth: { token: tokens.superAdmin } });
await client.artifacts.create({
  projectId,
  environmentName: 'dev',
  versionName: 'v1.0.0',
  commitHash: 'a'.repeat(40),
  files: [
    { path: 'daily/copy.tran.yaml', bytes: copyPipeline.length, open: () => Buffer.from(copyPipeline) },
  ],
});
