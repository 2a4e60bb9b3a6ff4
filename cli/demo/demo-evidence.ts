import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { signFacts } from '../../flows/evidence/sign-facts.ts';
import type { ProjectConfig } from '../../lib/config/project/project-schema.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { JsonValue } from '../../lib/core/values/canonical-json.ts';
import {
  createSigningKey,
  privateKeyText,
  publicKeyText,
  readSigningKey,
  type SigningKey,
} from '../../lib/evidence/keys.ts';
import type { Repository } from '../../lib/git/repository.ts';
import type { RepositoryBuilder } from '../../local-github/index.ts';

/** A published version. */
export interface PublishedVersion {
  readonly repository: Repository;
  readonly config: ProjectConfig;
  readonly tag: string;
  /** Full id. */
  readonly commit: string;
  readonly version: string;
}

/** Signs what versions contain, so that the plan of an approval says what changes. */
export interface DemoEvidence {
  /** The public key, as worker.yaml has it. */
  readonly publicKey: string;
  /** Stores the signed snapshot of a version in the branch of the statements. Returns what it did, one sentence each. */
  sign(published: PublishedVersion): Promise<readonly string[]>;
}

interface Parts {
  /** The folder of the demo. It keeps the private key, so that versions of an earlier start stay known. */
  readonly data: string;
  readonly repository: { readonly id: number; readonly name: string };
  readonly builder: Pick<RepositoryBuilder, 'commit'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Opens the demo's key, or creates it. Throws Failure 'evidence-key-invalid'. */
export async function openDemoEvidence(parts: Parts): Promise<DemoEvidence> {
  const key = await openKey(path.join(parts.data, 'evidence.key'));
  return {
    publicKey: publicKeyText(key),
    async sign(published) {
      try {
        return await signSnapshot(published, key, parts);
      } catch (error) {
        if (!(error instanceof Failure) || parts.signal.aborted) throw error;
        return [
          `No snapshot was signed, so the plan cannot say what changes. ${error.message} ${error.hint}`,
        ];
      }
    },
  };
}

async function openKey(file: string): Promise<SigningKey> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) return readSigningKey(text, { file });
  const key = createSigningKey();
  await writeFile(file, privateKeyText(key), { mode: 0o600, flag: 'wx' });
  return key;
}

async function signSnapshot(
  { repository, config, tag, commit, version }: PublishedVersion,
  key: SigningKey,
  { repository: { id, name }, builder, now, signal }: Parts,
): Promise<readonly string[]> {
  const { projectOfCommit } = await import('../../flows/pipeline-tests/files/project-of-commit.ts');
  const { canonicalSnapshot } = await import('../../flows/snapshot/canonical-snapshot.ts');
  const opened = await projectOfCommit({ repository, directory: '', commit, fallback: config, signal });
  const snapshot = canonicalSnapshot(await takeSnapshotOf(opened, signal));
  const predicate = snapshot as unknown as JsonValue;
  const tree = await repository.treeOf(commit, { signal });
  const { branch, files, message } = signFacts(
    [{ kind: 'snapshot', version, predicate }],
    { repository: name, repositoryId: id, commit, tree, ref: `refs/tags/${tag}`, pullRequest: undefined },
    { key, now: now() },
  );
  await builder.commit(branch, files, { message: `${message}\n` });
  return [`Signed what ${version} contains, so that an approver sees what changes.`];
}

/** With columns, if DuckDB is installed. */
async function takeSnapshotOf(
  {
    project,
    unread,
  }: Awaited<
    ReturnType<typeof import('../../flows/pipeline-tests/files/project-of-commit.ts').projectOfCommit>
  >,
  signal: AbortSignal,
) {
  const { takeSnapshot } = await import('../../flows/data-graph/snapshot/take-snapshot.ts');
  const options = { isLenient: true, unread, signal };
  try {
    return await takeSnapshot(project, { ...options, columns: true });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'engine-missing') throw error;
    return takeSnapshot(project, { ...options, columns: false });
  }
}
