import type { Component } from '../../../lib/pipelines/model/component.ts';
import { Refusal } from '../../core/refusal.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import { readText } from '../../parameters/parameter-reader.ts';
import type { Task } from './task.ts';

const noticeTypes: ReadonlySet<string> = new Set([
  'send-email',
  'send-email-v2',
  'sns-message',
  'webhook-post',
]);

/** The other parameters of these types may hold credentials. */
const shown = ['subject', 'message', 'payload'] as const;

/**
 * The texts that a component such as an e-mail component would have sent if it were not mocked, with variables
 * replaced. The step shows them.
 */
export function noticeTexts(component: Component, { reader }: Task): readonly string[] {
  if (!noticeTypes.has(component.type)) return [];
  return shown.flatMap((name) => {
    const node = component.parameter(name);
    if (node?.kind !== 'scalar') return [];
    try {
      const text = readText(node, reader)?.text;
      return text === undefined ? [] : [`${name}: ${text}`];
    } catch (error) {
      if (!(error instanceof ParameterError) && !(error instanceof Refusal)) throw error;
      return [`${name}: ${error.message}`];
    }
  });
}
