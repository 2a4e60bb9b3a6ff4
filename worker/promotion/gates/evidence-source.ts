import { evidenceBranch } from '../../../lib/evidence/evidence-branch.ts';
import {
  evidenceFolder,
  type EvidenceSource,
  maxStatements,
  type StoredStatement,
} from '../../../flows/evidence/evidence-files.ts';
import { maxEnvelopeBytes } from '../../../lib/evidence/envelope.ts';
import type { TreeFile } from '../../../lib/evidence/manifest.ts';
import type { EvidenceReads } from '../context/ports.ts';

/** GitHub’s limit for the list of a folder. It does not say that it left files out. */
const maxListed = 1_000;

/** What is kept of objects that never change, so that a promotion that waits costs one request for each look. */
interface Kept {
  readonly trees: Map<string, string>;
  readonly texts: Map<string, string | undefined>;
  readonly files: Map<string, readonly TreeFile[]>;
}

const maxKept = { trees: 1_000, texts: 300, files: 20 } as const;
const maxKeptText = 1_000_000;
const maxKeptFiles = 10_000;

const keptFor = new WeakMap<object, Kept>();

/** The tree of a commit; undefined if GitHub does not show the commit. Throws Failure 'github-failed'. */
export async function treeOfCommit(
  github: EvidenceReads,
  fullName: string,
  commit: string,
): Promise<string | undefined> {
  const { trees } = keptOf(github);
  const tree = trees.get(commit) ?? (await github.treeOf(fullName, commit));
  if (tree !== undefined) keep(trees, commit, tree, maxKept.trees);
  return tree;
}

/** Reads statements and files from GitHub. Its methods throw Failure 'github-failed'. */
export function gitHubSource(github: EvidenceReads, fullName: string): EvidenceSource {
  const { texts, files } = keptOf(github);
  return {
    async statements(tree) {
      const listed = await github.filesIn(fullName, evidenceFolder(tree), evidenceBranch);
      if (listed === undefined) return [];
      if (listed.length >= maxListed || listed.length > maxStatements) return 'truncated';
      const stored: StoredStatement[] = [];
      for (const { name, oid } of listed) {
        if (!texts.has(oid)) {
          const bytes = await github.trees.blob(fullName, oid, maxEnvelopeBytes);
          const text = bytes?.toString('utf8');
          if ((text?.length ?? 0) > maxKeptText) {
            stored.push({ name, text });
            continue;
          }
          keep(texts, oid, text, maxKept.texts);
        }
        stored.push({ name, text: texts.get(oid) });
      }
      return stored;
    },
    async files(tree) {
      const known = files.get(tree);
      if (known !== undefined) return known;
      const listed = await github.trees.filesOf(fullName, tree);
      if (listed === undefined || listed.isTruncated) return 'truncated';
      if (listed.files.length <= maxKeptFiles) keep(files, tree, listed.files, maxKept.files);
      return listed.files;
    },
  };
}

function keptOf(github: EvidenceReads): Kept {
  const existing = keptFor.get(github);
  if (existing !== undefined) return existing;
  const kept: Kept = { trees: new Map(), texts: new Map(), files: new Map() };
  keptFor.set(github, kept);
  return kept;
}

/** Keeps a value, and forgets the oldest one of too many. */
function keep<Value>(values: Map<string, Value>, key: string, value: Value, limit: number): void {
  values.set(key, value);
  const [oldest] = values.keys();
  if (values.size > limit && oldest !== undefined) values.delete(oldest);
}
