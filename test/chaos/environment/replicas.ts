import type { Fault } from '../../environment/github/start-github.ts';
import type { Seeded } from './seeded.ts';

/** A GitHub whose replicas show a push only later, each at its own time; each request gets one of them. */
export interface Replicas {
  /** Moves a ref. `maxLagMs`: how much later a replica shows it at most; infinite: none ever does. */
  push(ref: string, commit: string, maxLagMs: number): void;
  /** Answers all questions about refs. */
  readonly fault: Fault;
  /** Requests that were answered with less than what had been pushed. */
  readonly stale: number;
}

interface Shown {
  readonly commit: string;
  /** By replica, in milliseconds since the epoch. */
  readonly from: readonly number[];
}

const replicaCount = 3;

export function createReplicas(random: Seeded): Replicas {
  const refs = new Map<string, Shown[]>();
  let stale = 0;

  /** The last push that the replica has. */
  function shownBy(replica: number): (pushes: readonly Shown[]) => string | undefined {
    const now = Date.now();
    return (pushes) => {
      const found = pushes.findLast(({ from }) => (from[replica] ?? Infinity) <= now);
      if (found !== pushes.at(-1)) stale += 1;
      return found?.commit;
    };
  }

  return {
    push(ref, commit, maxLagMs) {
      const lag = (): number => (Number.isFinite(maxLagMs) ? random.next() * maxLagMs : Infinity);
      const from = Array.from({ length: replicaCount }, () => Date.now() + lag());
      refs.set(ref, [...(refs.get(ref) ?? []), { commit, from }]);
    },
    fault({ method, path }) {
      if (method !== 'GET') return undefined;
      const shown = shownBy(random.below(replicaCount));
      const rest = decodeURIComponent(path).replace(/^\/repos\/[^/]+\/[^/]+/u, '');
      const tips = (prefix: string) =>
        [...refs].flatMap(([ref, pushes]) => {
          const sha = ref.startsWith(prefix) ? shown(pushes) : undefined;
          return sha === undefined ? [] : [{ ref, sha }];
        });
      if (rest.startsWith('/git/ref/')) {
        const ref = `refs/${rest.slice('/git/ref/'.length)}`;
        const sha = shown(refs.get(ref) ?? []);
        if (sha === undefined) return { status: 404, body: { message: 'Not Found' } };
        return { status: 200, body: { ref, object: { type: 'commit', sha } } };
      }
      if (rest.startsWith('/git/matching-refs/tags')) {
        const tags = tips('refs/tags/').map(({ ref, sha }) => ({ ref, object: { type: 'commit', sha } }));
        return { status: 200, body: tags };
      }
      if (rest !== '/branches') return undefined;
      const branches = tips('refs/heads/').map(({ ref, sha }) => ({
        name: ref.slice('refs/heads/'.length),
        commit: { sha },
      }));
      return { status: 200, body: branches };
    },
    get stale() {
      return stale;
    },
  };
}
