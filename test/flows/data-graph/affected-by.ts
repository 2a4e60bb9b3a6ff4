import { affected } from '../../../flows/data-graph/affected/affected.ts';
import { bindProject } from '../../../flows/data-graph/bind/bind-project.ts';
import { openTestProject, projectOptions } from '../../../flows/pipeline-tests/files/test-project.ts';
import { readProjectConfig } from '../../../lib/config/project/read-project-config.ts';
import { testFolder } from '../../cli/tests/test-project.ts';
import type { Files } from './small-projects.ts';

const signal = new AbortController().signal;

function open(directory: string, files: Files) {
  const config = readProjectConfig(files['millrace.yaml'] ?? 'version: 1', 'millrace.yaml');
  return openTestProject(directory, config.engine.warehouse, projectOptions(config));
}

/** What a change affects, as texts. `renamed`: old paths by new ones; `unknown`: reasons by paths. */
export async function affectedBy(
  before: Files,
  after: Files,
  { renamed = {}, unknown = {} }: { readonly renamed?: Files; readonly unknown?: Files } = {},
) {
  using folder = testFolder(after);
  using old = testFolder(before);
  const [now, base] = [open(folder.directory, after), open(old.directory, before)];
  const oldPaths = new Set(Object.values(renamed));
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = new Map(
    names
      .filter((name) => before[name] !== after[name] && !oldPaths.has(name))
      .map((name) => [name, 'changed']),
  );
  const graph = await bindProject(now, { signal });
  const report = affected(graph, await bindProject(base, { signal, after: graph }), {
    project: base,
    changed,
    renamed: new Map(Object.entries(renamed)),
    unknown: new Map(Object.entries(unknown)),
  });
  return {
    changed: report.changed.map(({ pipeline, what }) => `${pipeline} ${what}`),
    affected: report.affected.map(
      ({ pipeline, line, because }) => `${pipeline}:${line} ${because.join('; ')}`,
    ),
    entryPoints: report.entryPoints,
    tests: report.tests.map(({ test: name, because }) => `${name} ${because.join('; ')}`),
    edges: report.edges,
  };
}
