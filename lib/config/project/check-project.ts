import { meantClause } from '../../core/text/did-you-mean.ts';
import type { Lane } from './lane-schema.ts';
import type { ConfigValidator } from '../fields/read-config.ts';
import type { ProjectConfig } from './project-schema.ts';

/** Validates what the schema cannot express: known and unique names, and the order of lanes. */
export const validateProject: ConfigValidator<ProjectConfig> = (config, report) => {
  const { environments, lanes, release } = config;
  const requireEnvironment = (name: string | undefined, path: (string | number)[]): void => {
    if (name === undefined || environments.length === 0 || environments.includes(name)) return;
    const hint = meantClause(name, environments) || `; \`environments\` has ${environments.join(', ')}`;
    report(path, `environment "${name}" is not in \`environments\`${hint}`);
  };

  for (const [i, name] of environments.entries()) {
    if (environments.indexOf(name) < i)
      report(['environments', i], `environment "${name}" is listed twice; remove one of the two`);
  }
  requireEnvironment(release.environment, ['release', 'environment']);
  for (const [i, lane] of lanes.entries()) {
    requireEnvironment(lane.from, ['lanes', i, 'from']);
    requireEnvironment(lane.to, ['lanes', i, 'to']);
    if (lane.from === lane.to)
      report(
        ['lanes', i, 'to'],
        `lane "${lane.name}" has the environment "${lane.to}" in both \`from\` and \`to\`; name two different ones`,
      );
    if (lanes.findIndex(({ name }) => name === lane.name) < i) {
      report(
        ['lanes', i, 'name'],
        `the name "${lane.name}" belongs to an earlier lane of this file; give each lane a name of its own`,
      );
    }
    validatePredecessor(config, i, report);
  }
};

/** A lane that follows another must start where the other ends, and lanes must not form a cycle. */
function validatePredecessor(
  { lanes }: ProjectConfig,
  i: number,
  report: Parameters<ConfigValidator<ProjectConfig>>[1],
): void {
  const lane = lanes[i];
  if (lane?.after === undefined) return;
  const names = lanes.map(({ name }) => name);
  const before = lanes.find(({ name }) => name === lane.after);
  if (before === undefined) {
    report(
      ['lanes', i, 'after'],
      `no lane of this file has the name "${lane.after}"${meantClause(lane.after, names)}`,
    );
    return;
  }
  if (before !== lane && before.to !== lane.from) {
    report(
      ['lanes', i, 'from'],
      `lane "${lane.name}" comes after "${before.name}", which ends in "${before.to}"; write \`from: ${before.to}\``,
    );
  }
  const chain = [lane.name];
  let next: Lane | undefined = before;
  while (next !== undefined && next !== lane && !chain.includes(next.name)) {
    chain.push(next.name);
    const { after }: Lane = next;
    next = lanes.find(({ name }) => name === after);
  }
  if (next === lane)
    report(
      ['lanes', i, 'after'],
      `lane "${lane.name}" waits for itself, because \`after\` forms a cycle: ${[...chain, lane.name].join(' ← ')}; remove one of these \`after\``,
    );
}
