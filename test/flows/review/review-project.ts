import { reviewLocally } from '../../../flows/review/review-locally.ts';
import type { ReviewReport, ReviewRequest } from '../../../flows/review/scope/review-request.ts';
import { openRepository } from '../../../lib/git/repository.ts';
import { silentLogger, silentProgress } from '../../../lib/core/ports/ports.ts';
import { type TemporaryRepository, temporaryRepository } from '../../lib/git/temporary-repository.ts';

export const rulesPath = '.platform/config/pipeline_quality_rules.yaml';
export const baselineFile = '.platform/review-baseline.json';

/** A repository whose reviews are evaluated here. */
export interface ReviewProject extends TemporaryRepository {
  review(more?: Partial<ReviewRequest>, signal?: AbortSignal): Promise<ReviewReport>;
}

/** Names must begin with a capital letter, on pain of an error. */
export const namingRule = `rules:
  - id: component-naming-convention
    enabled: true
    enforcementLevel: error
    config: { regexMatchPattern: "[A-Z].*" }
`;

export function reviewProject(): ReviewProject {
  const work = temporaryRepository();
  work.write(rulesPath, namingRule);
  return {
    ...work,
    [Symbol.dispose]: () => work[Symbol.dispose](),
    async review(more = {}, signal = new AbortController().signal) {
      const request: ReviewRequest = {
        repository: await openRepository(work.directory),
        directory: '',
        branch: 'main',
        commit: 'HEAD',
        scope: 'all',
        include: ['**/*'],
        configDir: '.platform',
        agentVersion: '',
        failOn: 'error',
        baseline: baselineFile,
        ...more,
      };
      return reviewLocally(request, {
        clock: { now: () => Date.UTC(2026, 5, 15), sleep: () => Promise.resolve() },
        random: () => 0,
        logger: silentLogger,
        progress: silentProgress,
        signal,
      });
    },
  };
}

/** An orchestration of scripts with these names, one after the other. */
export function pipelineOf(...names: string[]): string {
  const lines = ['type: "orchestration"', 'version: "1.0"', 'pipeline:', '  components:'];
  for (const [index, name] of names.entries()) {
    const next = names[index + 1];
    lines.push(`    ${name}:`, `      type: "${index === 0 ? 'start' : 'sql-executor'}"`);
    if (next !== undefined) lines.push('      transitions:', `        success: ["${next}"]`);
  }
  return `${lines.join('\n')}\n`;
}
