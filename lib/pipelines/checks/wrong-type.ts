import { wholeFile } from '../../core/outcomes/finding.ts';
import { closestWord } from '../../core/text/closest-word.ts';
import { onlyLooksLike } from '../../core/text/look-alike.ts';
import { visibleText } from '../../core/text/visible-text.ts';
import { childOf, textOf } from '../../yaml/yaml-node.ts';
import { knownTypes } from '../model/component-types.ts';
import type { Component } from '../model/component.ts';
import { kindOf, type PipelineKind, pipelineKinds, suffixOf } from '../model/pipeline-kind.ts';
import type { PipelineDocument } from '../model/read-pipeline.ts';
import { defaultTypeFault } from '../model/variable.ts';
import type { CheckSteps } from './breach.ts';

/**
 * Finds types that are certainly wrong: the type of a file that contradicts its name; a component's type that is
 * missing, exists only in the other kind of pipeline, or is misspelled; and a variable's type that does not match
 * its default. Any other unknown type may exist on a platform.
 */
export function* wrongTypes({ path, source, components, variables, kind }: PipelineDocument): CheckSteps {
  const written = textOf(childOf(source.root, 'type'));
  const isOther = written !== undefined && written !== kind && kindOf(path) !== undefined;
  if (isOther) {
    const [suffix, other] = [suffixOf(kind), suffixOf(otherKind(kind))];
    yield {
      check: 'wrong-type',
      file: path,
      subject: 'file',
      message: `The type of the file is "${written}", but its name ends in ${suffix}, and the name decides: it is read as ${articled(kind)}. Correct the type, or rename the file so that it ends in ${other}.`,
      range: source.rangeOf(['type']) ?? wholeFile,
    };
    // Types of components of the other kind follow from the name.
  }
  for (const component of components.values()) {
    yield undefined;
    const problem = typeProblem(component, kind, isOther);
    if (problem === undefined) continue;
    yield {
      check: 'wrong-type',
      file: path,
      component: component.name,
      subject: component.type,
      message: problem,
      range: source.rangeOf(['pipeline', 'components', component.name, 'type']) ?? component.range,
    };
  }
  for (const variable of variables.values()) {
    yield undefined;
    const fault = defaultTypeFault(variable);
    if (fault === undefined) continue;
    const { name, range, defaultValue } = variable;
    const reason = typeof defaultValue === 'object' ? fault : `it ${fault}`;
    yield {
      check: 'wrong-type',
      file: path,
      subject: `variable ${name}`,
      message: `The variable "${visibleText(name)}" cannot have its default: ${visibleText(reason)}.`,
      range: source.rangeOf(['pipeline', 'variables', name, 'defaultValue']) ?? range,
    };
  }
}

function typeProblem({ name, type }: Component, kind: PipelineKind, isOther: boolean): string | undefined {
  const subject = `The component "${visibleText(name)}"`;
  if (type.trim() === '') return `${subject} has no type, so it cannot run.`;
  if (knownTypes[kind].includes(type)) return undefined;
  const other = otherKind(kind);
  if (knownTypes[other].includes(type))
    return isOther
      ? undefined
      : `${subject} has the type "${type}", which only ${other}s have (${suffixOf(other)} files).`;
  const meant = slipOf(type, knownTypes[kind]);
  return meant === undefined
    ? undefined
    : `${subject} has the type "${visibleText(type)}", which is not known. Did you mean "${meant}"?`;
}

function otherKind(kind: PipelineKind): PipelineKind {
  return pipelineKinds.find((candidate) => candidate !== kind) ?? kind;
}

function articled(kind: PipelineKind): string {
  return kind === 'orchestration' ? 'an orchestration' : 'a transformation';
}

/** The only known type that a text can mean, for texts such as `sql_executor`, `SQL-Executor` or `sql-exectuor`, but not `send-email-v3`. */
function slipOf(type: string, types: readonly string[]): string | undefined {
  const meant = closestWord(type, types);
  if (meant === undefined) return undefined;
  if (onlyLooksLike(type, meant)) return meant;
  const [a, b] = [plain(type), plain(meant)];
  return a === b || isOneSlip(a, b) ? meant : undefined;
}

function plain(type: string): string {
  return type.toLowerCase().replaceAll(/[^a-z\d]/g, '');
}

/** Whether one letter is missing, added or replaced, or two letters are exchanged. A number, or an "s" at the end, may be intended. */
function isOneSlip(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  if (shorter < 6) return false;
  let begin = 0;
  while (begin < shorter && a[begin] === b[begin]) begin += 1;
  let end = 0;
  while (end < shorter - begin && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [left, right] = [a.slice(begin, a.length - end), b.slice(begin, b.length - end)];
  const parts = left + right;
  if (/\d/.test(parts) || (end === 0 && parts === 's')) return false;
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right === `${left[1]}${left[0]}`;
}
