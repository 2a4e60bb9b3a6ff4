import { isSameSql } from '../../../engine/index.ts';
import { scriptFacts, scriptParameters } from '../../../lib/pipelines/checks/missing-file.ts';
import {
  type Call,
  calledPath,
  callsOf,
  isOwnCall,
  sharedReferenceOf,
} from '../../../lib/pipelines/model/calls.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { readText } from '../texts/read-text.ts';

/** A project before a change. */
export interface ProjectBefore {
  readonly project: TestProject;
  /** Files that differ, by their paths now; a deleted one by its old path. */
  readonly changed: ReadonlyMap<string, unknown>;
  /** The old path of each renamed file, by its path now. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Files of which git does not know what they were, each with the reason: the end of a sentence. Default: none. */
  readonly unknown?: ReadonlyMap<string, string>;
}

/** Something that a pipeline names and that is not as it was, at the line of the component. */
export interface ChangedReference {
  readonly line: number;
  /** The end of a sentence that begins with the pipeline. */
  readonly what: string;
}

/**
 * How a file that a project names is not as it was: the end of a sentence that begins with the file. Undefined if nothing is different. A
 * renamed file is gone from its old path.
 */
export function fileDifference(
  path: string,
  project: TestProject,
  before: ProjectBefore,
): string | undefined {
  const unknown = before.unknown?.get(path);
  if (unknown !== undefined) return unknown;
  const [has, had] = [project.has(path), before.project.has(path)];
  if (has !== had) return has ? 'is new' : goneText(path, before);
  return has && before.changed.has(path) ? 'changed' : undefined;
}

function goneText(path: string, { renamed }: ProjectBefore): string {
  const now = [...renamed].find(([, old]) => old === path)?.[0];
  return now === undefined ? 'is deleted' : `is now ${now}`;
}

/** As `fileDifference`, but a script of SQL that differs only in its form is the same. */
export function scriptDifference(
  path: string,
  isSql: boolean,
  project: TestProject,
  before: ProjectBefore,
): string | undefined {
  const difference = fileDifference(path, project, before);
  if (difference !== 'changed' || !isSql) return difference;
  const [now, old] = [readText(path, project), readText(path, before.project)];
  const isSame = now !== undefined && old !== undefined && isSameSql(now, old, project.kind);
  return isSame ? undefined : difference;
}

/** The first script of a pipeline that is not as it was. A name with a variable may mean each file that fits. */
export function changedScript(
  document: PipelineDocument,
  project: TestProject,
  before: ProjectBefore,
): ChangedReference | undefined {
  for (const { path, isSql = false, range } of scriptFacts(document)) {
    const difference = path && scriptDifference(path, isSql, project, before);
    if (difference !== undefined && difference !== '')
      return { line: range.line, what: `runs ${path}, which ${difference}` };
  }
  for (const component of document.components.values())
    for (const parameter of scriptParameters) {
      const written = component.text(parameter) ?? '';
      if (!written.includes('${')) continue;
      const isSql = component.type === 'sql-executor';
      const fits = nameWithVariables(written.trim().replace(/^(?:\.?\/)+/, ''));
      const path = differentFiles(before).find(
        (file) => fits.test(file) && scriptDifference(file, isSql, project, before) !== undefined,
      );
      if (path !== undefined)
        return {
          line: component.range.line,
          what: `runs a file that is known only at run time: ${path}, which ${scriptDifference(path, isSql, project, before)}, may be it`,
        };
    }
  return undefined;
}

function differentFiles({ changed, renamed, unknown = new Map() }: ProjectBefore): readonly string[] {
  return [...new Set([...changed.keys(), ...renamed.values(), ...unknown.keys()])];
}

function nameWithVariables(written: string): RegExp {
  const parts = written.split(/\$\{[^}]*\}/).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

/**
 * The first call of a pipeline that leads to another pipeline than before, although the pipeline itself is the same. A call whose
 * pipeline is new, deleted or renamed is left out: its pipeline is what changed.
 */
export function changedCall(
  document: PipelineDocument,
  project: TestProject,
  before: ProjectBefore,
): ChangedReference | undefined {
  for (const call of callsOf(document)) {
    const what = call.dynamic ? otherList(call, project, before) : otherTarget(call, project, before);
    if (what !== undefined) return { line: call.component.range.line, what };
  }
  return undefined;
}

function otherTarget(call: Call, project: TestProject, before: ProjectBefore): string | undefined {
  const [now, old] = [project, before.project].map((side) => calledPath(call, side));
  const [isOwn, wasOwn] = [project, before.project].map((side) => isOwnCall(call, side));
  if (now === old && isOwn === wasOwn) return undefined;
  if (now === undefined && old !== undefined && !project.has(old)) return undefined;
  if (old === undefined && now !== undefined && !before.project.has(now)) return undefined;
  if (now === undefined)
    return old === undefined
      ? `calls ${call.target}, which is ${isOwn === true ? 'now' : 'no longer'} a shared pipeline of this project`
      : `calls ${call.target}, which no longer leads to ${withoutSuffix(old)}`;
  return `calls ${call.target}, which now leads to ${now}${old === undefined ? '' : ` instead of ${old}`}`;
}

/** A shared pipeline whose id is known only at run time may be any of the list. */
function otherList(call: Call, project: TestProject, before: ProjectBefore): string | undefined {
  if (call.kind !== 'shared') return undefined;
  const lists = [project.shared, before.project.shared];
  const prefix = sharedReferenceOf(call.target)?.prefix ?? '';
  if (!prefix.includes('${') && lists.every((list) => list?.prefix !== prefix)) return undefined;
  const [now, old] = lists.map((list) => JSON.stringify([list?.prefix, ...(list?.pipelines ?? [])]));
  return now === old
    ? undefined
    : 'calls a shared pipeline that is known only at run time, and the list of shared pipelines changed';
}
