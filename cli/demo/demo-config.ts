import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DemoSource } from './demo-source.ts';

export const demoRepository = { id: 1001, name: 'demo/warehouse' } as const;

/** The person who tries the demo: an admin of the worker, who may also approve by a comment. */
export const demoOperator = { id: 4001, login: 'demo-operator' } as const;

/** The author of the pull requests and pushes of the demo. */
export const demoAuthor = { id: 4002, login: 'octo', email: 'octo@example.com' } as const;

export const demoApp = { id: 5001, installation: 6001 } as const;

export interface DemoConfig {
  readonly platformUrl: string;
  readonly platformToken: string;
  readonly githubApiUrl: string;
  /** PEM. */
  readonly appKey: string;
  readonly webhookSecret: string;
  /** Of the operator's token, for worker.yaml. */
  readonly tokenHash: string;
  /** The public key of the signed snapshots, as worker.yaml has it. */
  readonly evidenceKey: string;
  readonly source: DemoSource;
}

/**
 * Writes `worker.yaml` and the files with secrets that it names. The secrets are new for each start, and only the
 * user can read the files. Returns the path of worker.yaml.
 */
export function writeDemoConfig(data: string, config: DemoConfig): string {
  const folder = path.join(data, 'secrets');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, `${text.trim()}\n`, { mode: 0o600, flag: 'wx' });
    return file;
  };
  const files = {
    platformToken: write('platform-token', config.platformToken),
    appKey: write('github-app.pem', config.appKey),
    webhookSecret: write('webhook-secret', config.webhookSecret),
  };
  const file = path.join(data, 'worker.yaml');
  rmSync(file, { force: true });
  writeFileSync(file, workerFile(config, files), { mode: 0o600, flag: 'wx' });
  return file;
}

function workerFile(
  { platformUrl, githubApiUrl, tokenHash, evidenceKey, source }: DemoConfig,
  files: Readonly<Record<'platformToken' | 'appKey' | 'webhookSecret', string>>,
): string {
  // A path may contain spaces, so it is quoted. A string of JSON is valid YAML.
  const text = (value: string): string => JSON.stringify(value);
  const list = (values: readonly string[]): string => `[${values.map(text).join(', ')}]`;
  return `# The configuration of the demo's worker. Change it: the worker uses it within five seconds. The next start of the demo writes a new one.
version: 1
credentials:
  demo:
    base-url: ${platformUrl}
    token-file: ${text(files.platformToken)}
    execution-url: ${text(`${platformUrl}/_platform/executions/{execution}`)}
github:
  api-url: ${githubApiUrl}
  app-id: ${String(demoApp.id)}
  app-key-file: ${text(files.appKey)}
  webhook-secret-file: ${text(files.webhookSecret)}
  answer-comments: true
repositories:
  - id: ${String(source.repository.id)}
    name: ${text(source.repository.name)}
    projects: [${source.projectId}]
    branches: ${list([source.branch])}
    tags: ${list(source.tags)}
    environments: ${list(source.environments)}
    pipelines: ${list(source.pipelines)}
    credential: demo
    approvers: [${demoOperator.login}]
    evidence:
      keys: [{ name: demo, public-key: ${text(evidenceKey)} }]
    gates:
${source.gated.map((name) => `      ${text(name)}: { approvals: 1 }`).join('\n')}
operators:
  - name: ${demoOperator.login}
    token-hash: ${tokenHash}
    role: admin
    repositories: all
drain: 0s
`;
}
