import { type EvidenceRule, strictestEvidence } from '../../lib/config/project/evidence-rules-schema.ts';
import { fitsAny } from '../../lib/config/worker/effective-policy.ts';
import { trustFor } from '../../lib/config/worker/evidence-trust.ts';
import { meantClause } from '../../lib/core/text/did-you-mean.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { readPublicKey } from '../../lib/evidence/keys.ts';
import type { Trust } from '../../lib/evidence/trust.ts';
import type { Session } from '../kit/session.ts';
import { readWorkerFile } from '../worker/worker-file.ts';

export interface TrustOptions {
  readonly workerConfig?: string | undefined;
  readonly repository?: string | undefined;
  readonly environment?: string | undefined;
  readonly publicKey?: readonly string[] | undefined;
}

/** The keys that the user trusts, and the rules that the evidence must meet. */
export interface VerifyTrust {
  readonly trust: Trust;
  readonly repository: string;
  readonly repositoryId?: number;
  /** Undefined: any ref, unless the version has a tag. */
  readonly isRefAllowed?: (ref: string) => boolean;
  readonly rules: readonly EvidenceRule[];
}

/** A version of which nothing else is demanded must at least come from its commit. */
const least: EvidenceRule = { kind: 'provenance', mode: 'require', maxAgeMs: Number.MAX_SAFE_INTEGER };

/**
 * Reads from worker.yaml, or from the options, which keys are trusted and which rules apply. Throws Failure 'usage', and what
 * reading worker.yaml throws.
 */
export async function resolveTrust(session: Session, options: TrustOptions): Promise<VerifyTrust> {
  const { workerConfig, publicKey = [], repository } = options;
  if (workerConfig !== undefined) return fromWorkerFile(session, workerConfig, options);
  if (publicKey.length === 0 || repository === undefined)
    throw new Failure('usage', {
      message: 'No trusted keys were given, so the evidence cannot be verified.',
      where: { input: '--worker-config' },
      hint: 'Give --worker-config with the worker.yaml of your worker. Or give --repository, and --public-key for each key that you trust.',
    });
  const keys = publicKey.map((text, index) => {
    const key = readPublicKey(text);
    if (key !== undefined) return { ...key, name: `key ${index + 1}` };
    throw new Failure('usage', {
      message: 'The value of --public-key is not a public key.',
      where: { input: '--public-key' },
      hint: 'Give the line that `millrace evidence keygen` printed as public-key.',
    });
  });
  return { trust: { keys }, repository, rules: [least] };
}

async function fromWorkerFile(
  session: Session,
  file: string,
  { repository: named, environment }: TrustOptions,
): Promise<VerifyTrust> {
  const { repositories } = await readWorkerFile(session, file, '--worker-config');
  const names = repositories.map(({ name }) => name);
  const policy =
    named === undefined && repositories.length === 1
      ? repositories[0]
      : repositories.find(({ name }) => name.toLowerCase() === named?.toLowerCase());
  if (policy === undefined)
    throw new Failure('usage', {
      message:
        named === undefined
          ? `${file} lists several repositories.`
          : `${file} does not list the repository ${named}${meantClause(named, names)}.`,
      where: { input: '--repository' },
      hint: `Give --repository with one of ${names.join(', ')}.`,
    });
  const { id, name, tags, branches, gates, environments } = policy;
  if (environment !== undefined && !environments.includes(environment))
    throw new Failure('usage', {
      message: `${file} does not list the environment ${environment} of ${name}${meantClause(environment, environments)}.`,
      where: { input: '--environment' },
    });
  const applying = Object.entries(gates).filter(
    ([target]) => environment === undefined || target === '*' || target === environment,
  );
  const rules = applying
    .map(([, { evidence }]) => evidence)
    .reduce<readonly EvidenceRule[]>(strictestEvidence, []);
  return {
    trust: trustFor(repositories, id),
    repository: name,
    repositoryId: id,
    isRefAllowed: (ref) =>
      (ref.startsWith('refs/tags/') && fitsAny(tags, ref.slice('refs/tags/'.length))) ||
      (ref.startsWith('refs/heads/') && fitsAny(branches, ref.slice('refs/heads/'.length))),
    rules: rules.length === 0 ? [least] : rules,
  };
}
