import { createHash } from 'node:crypto';
import { readWorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import type { WorkerConfig } from '../../../../lib/config/worker/read-worker-config.ts';
import { projectId, workerFile } from '../../../environment/worker/worker-environment.ts';

/** Tokens of the people below. */
export const tokens = {
  ada: 'ada-may-approve',
  vera: 'vera-may-look',
  root: 'root-may-everything',
  sam: 'sam-looks-after-another-repository',
} as const;

const hash = (token: string): string => `sha256:${createHash('sha256').update(token).digest('hex')}`;

/** ada approves, vera looks, root does everything, sam has another repository. Promotions need an approval where asked. `repositories`: further entries of worker.yaml. */
export function withOperators(gates = '', repositories = ''): WorkerConfig {
  const file = workerFile(`
    branches: [main]
    tags: ["v*"]
    environments: [test, prod]
    pipelines: ["**"]
    approvers: [ada, grace]${gates}
`);
  return readWorkerConfig(
    `${file}  - id: 42
    name: example/another
    projects: [${projectId}]
    credential: platform
    branches: [main]
    tags: []
    environments: [test]
    pipelines: []${repositories}
operators:
  - { name: ada, role: approver, repositories: all, token-hash: "${hash(tokens.ada)}" }
  - { name: vera, role: viewer, repositories: all, token-hash: "${hash(tokens.vera)}" }
  - { name: root, role: admin, repositories: all, token-hash: "${hash(tokens.root)}" }
  - { name: sam, role: admin, repositories: [42], token-hash: "${hash(tokens.sam)}" }
`,
    'worker.yaml',
  );
}
