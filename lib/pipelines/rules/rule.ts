import type { YamlMap, YamlNode } from '../../yaml/yaml-node.ts';
import type { Component } from '../model/component.ts';
import type { ComponentGraph } from '../model/graph.ts';
import type { PipelineKind } from '../model/pipeline-kind.ts';
import type { PipelineDocument } from '../model/read-pipeline.ts';

/** The reasons why a rule could not be evaluated: the ten types in spec §2.8. */
export const errorDetailTypes = [
  'designer/rules-file-retrieval-error',
  'designer/rules-file-parse-error',
  'designer/document-parse-error',
  'designer/validator-not-found',
  'designer/invalid-enforcement-level',
  'designer/empty-regex-pattern',
  'designer/invalid-regex-pattern',
  'designer/no-start-component',
  'designer/invalid-rule-configuration',
  'designer/duplicate-enabled-rule',
] as const;

export type ErrorDetailType = (typeof errorDetailTypes)[number];

/** The reason why a rule cannot be applied, with the position of the error in the rules file, if there is one. */
export interface Refusal {
  readonly type: ErrorDetailType;
  readonly reason: string;
  readonly node?: YamlNode;
}

/** A violation of a rule. Without a component, it is about the whole file. */
export interface Breach {
  readonly component?: Component;
  readonly message: string;
  /** The number that a counting rule found. */
  readonly count?: number;
}

/** What a rule checks: one file. */
export interface Subject {
  readonly document: PipelineDocument;
  readonly graph: ComponentGraph;
}

/** Applies a configured rule to one file. */
export type Check = (subject: Subject) => readonly Breach[] | Refusal;

export interface RuleOptions {
  /** Component types that count as outputs in addition to the known ones. */
  readonly outputTypes?: readonly string[];
}

/** One quality rule. */
export interface Rule {
  readonly id: string;
  readonly appliesTo: readonly PipelineKind[];
  /** The worse direction of the count, for a counting rule. */
  readonly worse?: 'more' | 'fewer';
  /** Parses the rule's configuration once for all files. */
  prepare(config: YamlMap | undefined, options: RuleOptions): Check | Refusal | Promise<Check | Refusal>;
}

export function isRefusal(result: unknown): result is Refusal {
  return typeof result === 'object' && result !== null && 'type' in result && 'reason' in result;
}
