import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '../../client/index.ts';
import { defaultSeed, type Platform, type Seed, startPlatform } from '../../platform/index.ts';
import { type TemporaryRepository, temporaryRepository } from '../lib/git/temporary-repository.ts';

/** A local platform, and a repository whose remote it reviews: what flows and commands run against. */
export interface ProjectPlatform extends AsyncDisposable {
  readonly platform: Platform;
  readonly work: TemporaryRepository;
  /** Pushes what is committed to the remote that the platform reviews: `demo/warehouse`. */
  push(): void;
  /** Versions in an environment with their state, as the platform lists them to this client. */
  versions(client: Client, environment: string): Promise<Record<string, boolean>>;
}

/** @param seed what the platform has beside its default seed */
export async function startProjectPlatform(seed: Partial<Seed>): Promise<ProjectPlatform> {
  const work = temporaryRepository();
  const gitRoot = mkdtempSync(path.join(tmpdir(), 'millrace remote '));
  const platform = await startPlatform({
    gitRoot,
    seed: { ...defaultSeed, settings: { componentTime: '5ms' }, ...seed },
    checkAnswers: true,
  });
  return {
    platform,
    work,
    push() {
      const remote = path.join(gitRoot, 'demo', 'warehouse');
      if (!existsSync(remote)) work.git('clone', '-q', '--bare', '.', remote);
      else work.git('push', '-q', '--force', '--all', remote);
    },
    async versions(client, environmentName) {
      const found: Record<string, boolean> = {};
      const list = client.artifacts.list({
        projectId: platform.projectId,
        environmentName,
        includeDisabled: true,
      });
      for await (const { versionName, enabled } of list) found[versionName] = enabled;
      return found;
    },
    async [Symbol.asyncDispose]() {
      await platform.close();
      work[Symbol.dispose]();
      rmSync(gitRoot, { recursive: true, force: true });
    },
  };
}
