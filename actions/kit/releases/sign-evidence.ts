import { evidenceBranch } from '../../../lib/evidence/evidence-branch.ts';
import { approvalFacts } from '../../../flows/evidence/approval-facts.ts';
import { type Fact, signFacts } from '../../../flows/evidence/sign-facts.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { readSigningKey } from '../../../lib/evidence/keys.ts';
import { annotationCommand } from '../../../lib/report/annotations.ts';
import type { Repository } from '../../../lib/git/repository.ts';
import { connectToGitHub } from '../step/connect-to-github.ts';
import type { Step } from '../step/step.ts';

/** The commit and version that facts are about. */
export interface FactsAbout {
  readonly repository: Pick<Repository, 'treeOf'>;
  readonly commit: string;
  /** The pull request whose head or merge commit was checked. */
  readonly pullRequest?: number | undefined;
}

/** Signs facts, and stores them in the statements' branch. */
export interface EvidenceSigner {
  /** Throws Failure 'github-failed' if the statements cannot be stored. The note says what was signed. */
  add(facts: readonly Fact[], about: FactsAbout): Promise<string>;
  /** Like `add`, but what cannot be stored becomes a warning and a note. */
  addOrNote(fact: Fact, about: FactsAbout): Promise<readonly string[]>;
  /** Who approved the pull request whose merge the commit is; empty if it is none, with a note. */
  approvals(commit: string): Promise<{ readonly facts: readonly Fact[]; readonly notes: readonly string[] }>;
}

/** `storeToken` stores the statements, and `token` reads approvals. Throws Failure 'evidence-key-invalid' and 'usage'. */
export async function createSigner(
  keyText: string,
  { token, storeToken }: { readonly token: string | undefined; readonly storeToken: string | undefined },
  step: Step,
): Promise<EvidenceSigner> {
  const key = readSigningKey(keyText, { input: 'evidence-key' });
  const connection = await connectToGitHub(token, step);
  const store = token === storeToken ? connection : await connectToGitHub(storeToken, step);
  const { repository, ref } = step.facts;
  if (connection === undefined || store === undefined || ref === '')
    throw new Failure('usage', {
      message: `Evidence cannot be signed: ${ref === '' ? 'the event names no branch or tag' : 'the input github-token is empty'}.`,
      where: { input: ref === '' ? 'GITHUB_REF' : 'github-token' },
      hint: 'Remove the input evidence-key from this step, or correct what the message names.',
    });
  const id = Number(step.environment['GITHUB_REPOSITORY_ID'] ?? '');
  const signer: EvidenceSigner = {
    async addOrNote(fact, about) {
      try {
        return [await signer.add([fact], about)];
      } catch (error) {
        if (!(error instanceof Failure) || step.context.signal.aborted) throw error;
        const note = `No evidence was signed. ${error.message} ${error.hint}`;
        step.command(annotationCommand('warning', note, { title: 'Millrace: evidence' }));
        return [note];
      }
    },
    async add(facts, { repository: git, commit, pullRequest }) {
      const { signal, clock } = step.context;
      const tree = await git.treeOf(commit, { signal });
      const repositoryId = Number.isSafeInteger(id) && id > 0 ? id : undefined;
      const about = { repository, repositoryId, commit, tree, ref, pullRequest };
      await store.branchFiles.addFiles(repository, signFacts(facts, about, { key, now: clock.now() }));
      const kinds = facts.map(({ kind }) => kind).join(', ');
      return `Signed evidence with the key ${key.id.slice(0, 12)}: ${kinds} of ${commit.slice(0, 12)}, in the branch ${evidenceBranch}.`;
    },
    async approvals(commit) {
      try {
        const [pull] = await connection.pulls.mergedAs(repository, commit);
        if (pull === undefined)
          return {
            facts: [],
            notes: ['The commit is not the merge of a pull request, so no approvals were signed.'],
          };
        const reviews = await connection.pulls.reviews(repository, pull.number);
        return { facts: [{ kind: 'approvals', predicate: approvalFacts(pull, reviews) }], notes: [] };
      } catch (error) {
        if (!(error instanceof Failure) || step.context.signal.aborted) throw error;
        return { facts: [], notes: [`No approvals were signed. ${error.message} ${error.hint}`] };
      }
    },
  };
  return signer;
}
