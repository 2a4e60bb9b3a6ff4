import type { Component } from '../model/component.ts';
import type { RuleOptions } from './rule.ts';

/** Transformation components that write (unknowns §4). */
const knownTypes = ['rewrite-table', 'table-output', 'table-update', 'create-view', 'rewrite-table-dl'];

/** Returns a function that tells whether a component is an output component. A setting can add types. */
export function outputTest({ outputTypes = [] }: RuleOptions): (component: Component) => boolean {
  const types = new Set([...knownTypes, ...outputTypes]);
  return ({ type }) => types.has(type);
}
