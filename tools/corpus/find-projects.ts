import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import {
  openTestProject,
  projectOptions,
  type TestProject,
} from '../../flows/pipeline-tests/files/test-project.ts';
import { readProjectConfig } from '../../lib/config/project/read-project-config.ts';
import { type ProjectConfig, projectSchema } from '../../lib/config/project/project-schema.ts';
import { readFileSync } from 'node:fs';

const configName = 'millrace.yaml';

/** A project as its folder is now. Throws Failure 'config-invalid'. */
export function openProject(directory: string): TestProject {
  const config = configOf(directory);
  return openTestProject(directory, config.engine.warehouse, projectOptions(config));
}

function configOf(directory: string): ProjectConfig {
  const file = path.join(directory, configName);
  return existsSync(file)
    ? readProjectConfig(readFileSync(file, 'utf8'), configName)
    : projectSchema.parse({ version: 1 });
}

/**
 * The folders of projects, relative to the given one: itself if it has a `millrace.yaml` or a pipeline, or else each of its
 * folders with pipelines; and every folder with a `millrace.yaml` below these.
 */
export function findProjects(folder: string): readonly string[] {
  const { pipelines } = openTestProject(folder, 'WAREHOUSE_ONE');
  const isProject =
    existsSync(path.join(folder, configName)) || pipelines.some((pipeline) => !pipeline.includes('/'));
  return (isProject ? [''] : foldersIn(folder)).flatMap((name) => withInner(folder, name)).toSorted();
}

function foldersIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
}

function withInner(folder: string, name: string): readonly string[] {
  const { pipelines, otherProjects } = openTestProject(path.join(folder, name), 'WAREHOUSE_ONE');
  const inner = otherProjects.flatMap((other) => withInner(folder, path.posix.join(name, other)));
  return pipelines.length === 0 ? inner : [name, ...inner];
}
