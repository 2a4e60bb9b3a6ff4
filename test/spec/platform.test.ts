import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../../platform/index.ts';
import { manualClock } from '../clock.ts';
import type { Example } from './example.ts';
import { examples } from './examples/index.ts';
import { agentId, commitHash } from './examples/identifiers.ts';
import { literalForm } from './literal-form.ts';
import { differencesOf, learnIdentifiers } from './same-shape.ts';

/** What the reviews' literal answer speaks of: one pipeline that breaks a rule, one that cannot be read. */
const repositoryFiles = {
  '.platform/config/pipeline_quality_rules.yaml': `rules:
  - { id: minimum-components, enabled: true, enforcementLevel: error, config: { minComponents: 1 } }
  - { id: maximum-components, enabled: true, enforcementLevel: error, config: { maxComponents: 1 } }
`,
  'daily/load.orch.yaml': `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start: { type: "start", transitions: { unconditional: ["Done"] } }
    Done: { type: "end-success" }
`,
  'daily/broken.tran.yaml': 'pipeline: [',
  'sql/clean.sql': 'select 1;\n',
};

describe('the local platform, walked through the literal examples', () => {
  const gitRoot = mkdtempSync(path.join(tmpdir(), 'millrace-walk-'));
  /** Literal identifiers and what the platform made in their place. */
  const identifiers = new Map<string, string>();
  let platform: Platform;

  beforeAll(async () => {
    identifiers.set(commitHash, commitTo(path.join(gitRoot, 'acme/sales-warehouse')));
    platform = await startPlatform({
      gitRoot,
      clock: manualClock(Date.UTC(2026, 10, 21)),
      checkAnswers: true,
      seed: {
        agents: { [agentId]: 'runner-one' },
        credentials: [
          { name: 'super', role: 'superAdmin', token: 'token-of-superAdmin' },
          { name: 'admin', role: 'admin', token: 'token-of-admin' },
          { name: 'member', role: 'member', token: 'token-of-member' },
        ],
        connectors: {
          custom: [{ id: '17', name: 'Weather service' }],
          flex: [{ id: '4', alternateId: 'ticket-system', name: 'Ticket system' }],
        },
      },
    });
  });

  afterAll(async () => {
    await platform.close();
    rmSync(gitRoot, { recursive: true, force: true });
  });

  // In order: each example may stand on what the ones before it made.
  const walked = examples.filter(({ notOnPlatform }) => notOnPlatform === undefined);

  test('the walk asks for each of the 34 operations', () => {
    expect(new Set(walked.map(({ operation }) => operation)).size).toBe(34);
  });

  for (const example of walked) {
    test(`${example.operation}: ${example.title}`, async () => {
      const response = await send(example, platform.baseUrl, identifiers);
      const text = await response.text();
      expect(response.status, text).toBe(example.answer.status);
      const { json } = example.answer;
      if (json === undefined) return;
      const actual: unknown = JSON.parse(text);
      learnIdentifiers(json, actual, identifiers);
      expect(differencesOf(replaced(json, identifiers), actual)).toEqual([]);
    });
  }
});

async function send(example: Example, baseUrl: string, identifiers: Map<string, string>): Promise<Response> {
  const { method, target, headers, json, form } = replaced(example.request, identifiers);
  const boundary = 'literal-boundary';
  const body =
    form === undefined ? (json === undefined ? null : JSON.stringify(json)) : literalForm(form, boundary);
  return fetch(baseUrl + target, {
    method,
    body,
    headers: {
      ...headers,
      authorization: `Bearer token-of-${example.as}`,
      ...(form === undefined ? {} : { 'content-type': `multipart/form-data; boundary=${boundary}` }),
    },
  });
}

function replaced<Value>(value: Value, identifiers: Map<string, string>): Value {
  let text = JSON.stringify(value);
  for (const [literal, actual] of identifiers) text = text.replaceAll(literal, actual);
  return JSON.parse(text) as Value;
}

function commitTo(directory: string): string {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: directory,
      encoding: 'utf8',
    }).trim();
  for (const [file, content] of Object.entries(repositoryFiles)) {
    mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
    writeFileSync(path.join(directory, file), content);
  }
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'A project');
  return git('rev-parse', 'HEAD');
}
