import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import { baselinePath, readBaseline } from '../../findings/baseline.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import type { CompileSettings } from './conclude-compile.ts';

/** The path of the baseline of `millrace compile`, relative to the project. */
export function compileBaseline({ compile, configDir }: ProjectConfig): string {
  return compile.baseline ?? baselinePath(configDir, 'compile');
}

/**
 * Reads the settings of a project about findings of compile: severities, accepted findings and baseline. Throws
 * Failure 'config-invalid' for a baseline that cannot be read.
 */
export function compileSettings(project: TestProject, config: ProjectConfig, clock: Clock): CompileSettings {
  const file = compileBaseline(config);
  const text = project.text(file);
  const { rules, accept } = config.compile;
  const baseline = text === undefined ? [] : readBaseline(text, file, 'compile');
  return { rules, accept, baseline, now: clock.now() };
}
