import type { Seed } from '../../platform/index.ts';

/** The project that the demo shows, and the environments and pipelines that its worker may use. */
export interface DemoSource {
  /** The repository on the stand-in for GitHub. */
  readonly repository: { readonly id: number; readonly name: string };
  readonly projectId: string;
  readonly seed: () => Promise<Seed>;
  /** The branch that releases are on. */
  readonly branch: string;
  readonly tags: readonly string[];
  /** Targets of promotions. */
  readonly environments: readonly string[];
  readonly pipelines: readonly string[];
  /** Targets that need an approval. */
  readonly gated: readonly string[];
  /** The user's repository, which the demo copies and never changes; undefined for the example project. */
  readonly copyOf?: string;
}
