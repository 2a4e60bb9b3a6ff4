import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';

/** Answers of one kind that are remembered. */
const maxAnswers = 500;
/** The longest text that is remembered. */
const maxTextLength = 65_536;
/** Milliseconds to wait for a read of another push: GitHub may not answer it, but answer the next one. */
const maxWaitMs = 1_000;

/**
 * Wraps GitHub for the ingest of many pushes at once. Facts that can change (a repository, its branches, a ref) are
 * read once for all callers that wait for the read to begin, so that nobody gets an answer from before their push.
 * Facts that a commit's id determines (its parent, files, ancestors) are cached once GitHub has shown them. A "not
 * found" is never cached, because GitHub's replicas lag.
 */
export function shareReads(github: GitHubPort, clock: Pick<Clock, 'sleep'>): GitHubPort {
  const shareNext = sharesNext(clock);
  const rememberFinal = remembersFinal(clock);
  const ancestry = createAncestry();
  const readParent = rememberFinal(
    async (fullName: string, commit: string) => ({ parent: await github.parentOf(fullName, commit) }),
    () => true,
  );
  const readRelation = rememberFinal(
    async (fullName: string, base: string, head: string) => github.relation(fullName, base, head),
    (relation) => relation !== 'unrelated',
  );
  return {
    ...github,
    repository: shareNext(async (id: number) => github.repository(id)),
    branches: shareNext(async (fullName: string) => github.branches(fullName)),
    head: shareNext(async (fullName: string, ref: string) => github.head(fullName, ref)),
    async parentOf(fullName, commit) {
      const { parent } = await readParent(fullName, commit);
      if (parent !== undefined) ancestry.note(fullName, parent, commit);
      return parent;
    },
    textAt: rememberFinal(
      async (fullName: string, path: string, commit: string) => github.textAt(fullName, path, commit),
      (text) => text !== undefined && text.length <= maxTextLength,
    ),
    committedAt: rememberFinal(
      async (fullName: string, commit: string) => github.committedAt(fullName, commit),
      (time) => time !== undefined,
    ),
    async relation(fullName, base, head) {
      if (ancestry.isAncestor(fullName, base, head)) return 'ahead';
      if (ancestry.isAncestor(fullName, head, base)) return 'behind';
      const relation = await readRelation(fullName, base, head);
      if (relation === 'ahead') ancestry.note(fullName, base, head);
      if (relation === 'behind') ancestry.note(fullName, head, base);
      return relation;
    },
  };
}

type Read<Given extends readonly unknown[], Answer> = (...parameters: Given) => Promise<Answer>;

/** Waits until a read has ended, but not for long. */
async function waitFor(running: Promise<unknown>, { sleep }: Pick<Clock, 'sleep'>): Promise<void> {
  const over = new AbortController();
  const late = sleep(maxWaitMs, over.signal).catch(() => undefined);
  await Promise.race([running.catch(() => undefined), late]);
  over.abort();
}

/** Callers with the same arguments wait for a read that runs, and share the next one. */
const sharesNext = (clock: Pick<Clock, 'sleep'>) =>
  function shareNext<Given extends readonly unknown[], Answer>(
    read: Read<Given, Answer>,
  ): Read<Given, Answer> {
    interface Reading {
      readonly running: Promise<Answer>;
      next?: Promise<Answer>;
    }
    const readings = new Map<string, Reading>();

    async function begin(key: string, parameters: Given): Promise<Answer> {
      const reading: Reading = { running: read(...parameters) };
      readings.set(key, reading);
      try {
        return await reading.running;
      } finally {
        if (readings.get(key) === reading && reading.next === undefined) readings.delete(key);
      }
    }

    return (...parameters) => {
      const key = JSON.stringify(parameters);
      const reading = readings.get(key);
      if (reading === undefined) return begin(key, parameters);
      reading.next ??= waitFor(reading.running, clock).then(async () => begin(key, parameters));
      return reading.next;
    };
  };

/** Remembers answers that never change. Callers with the same arguments share a read that runs, if its answer is final. */
const remembersFinal = (clock: Pick<Clock, 'sleep'>) =>
  function rememberFinal<Given extends readonly unknown[], Answer>(
    read: Read<Given, Answer>,
    isFinal: (answer: Answer) => boolean,
  ): Read<Given, Answer> {
    const remembered = new Map<string, { readonly answer: Answer }>();
    const readings = new Map<string, Promise<Answer>>();

    async function readNow(key: string, parameters: Given): Promise<Answer> {
      const running = read(...parameters);
      readings.set(key, running);
      try {
        const answer = await running;
        if (isFinal(answer)) remembered.set(key, { answer });
        const [oldest] = remembered.keys();
        if (remembered.size > maxAnswers && oldest !== undefined) remembered.delete(oldest);
        return answer;
      } finally {
        if (readings.get(key) === running) readings.delete(key);
      }
    }

    return async (...parameters) => {
      const key = JSON.stringify(parameters);
      const running = readings.get(key);
      if (running !== undefined && !remembered.has(key)) await waitFor(running, clock);
      const stored = remembered.get(key);
      return stored === undefined ? readNow(key, parameters) : stored.answer;
    };
  };

/** Which commits are known to be ancestors of others. That never changes, because a commit's id depends on its parents. */
interface Ancestry {
  /** Notes that a commit is an ancestor of another one. */
  note(fullName: string, ancestor: string, commit: string): void;
  /** Whether a commit is an ancestor of another one, by what was noted; false if that is not known. */
  isAncestor(fullName: string, ancestor: string, commit: string): boolean;
}

/** Remembers the ancestors of at most `max` commits. */
function createAncestry(max = 5_000): Ancestry {
  const ancestorsOf = new Map<string, Set<string>>();
  const keyOf = (fullName: string, commit: string): string => `${fullName} ${commit}`;
  return {
    note(fullName, ancestor, commit) {
      const key = keyOf(fullName, commit);
      const ancestors = ancestorsOf.get(key) ?? new Set();
      ancestorsOf.set(key, ancestors.add(ancestor));
      const [oldest] = ancestorsOf.keys();
      if (ancestorsOf.size > max && oldest !== undefined) ancestorsOf.delete(oldest);
    },
    isAncestor(fullName, ancestor, commit) {
      const reached = new Set([commit]);
      // The loop also visits what is added to the set during it.
      for (const place of reached) {
        for (const earlier of ancestorsOf.get(keyOf(fullName, place)) ?? []) {
          if (earlier === ancestor) return true;
          reached.add(earlier);
        }
      }
      return false;
    },
  };
}
