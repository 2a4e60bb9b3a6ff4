import { isAbsolute, relative } from 'node:path';
import type { WorkflowCommand } from './workflow-command.ts';

export type AnnotationLevel = 'error' | 'warning' | 'notice';

/** An annotation as GitHub shows it. */
export interface Annotation {
  readonly level: AnnotationLevel;
  readonly message: string;
  readonly title?: string;
  readonly file?: string;
  readonly line?: number;
  readonly endLine?: number;
  readonly column?: number;
  readonly endColumn?: number;
}

/** Keeps at most ten of each level for one step; the rest vanish without a word, as on GitHub. */
export interface AnnotationCollector {
  readonly annotations: readonly Annotation[];
  /** How many the cap swallowed. */
  readonly dropped: number;
  add(command: WorkflowCommand): void;
}

const maximumPerLevel = 10;
const maximumMessage = 4096;

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/u.test(text) ? Number(text) : undefined;
}

export function collectAnnotations(workspace: string, mask: (text: string) => string): AnnotationCollector {
  const annotations: Annotation[] = [];
  let dropped = 0;
  return {
    annotations,
    get dropped() {
      return dropped;
    },
    add({ name, properties, message }) {
      if (name !== 'error' && name !== 'warning' && name !== 'notice') return;
      if (annotations.filter(({ level }) => level === name).length >= maximumPerLevel) {
        dropped += 1;
        return;
      }
      const { file, title } = properties;
      const line = wholeNumber(properties['line']);
      const endLine = wholeNumber(properties['endLine']) ?? line;
      const column = wholeNumber(properties['col']);
      const endColumn = wholeNumber(properties['endColumn']);
      // Columns count on one line only, and in order.
      const columns = line !== undefined && line === endLine && (endColumn ?? Infinity) >= (column ?? 0);
      annotations.push({
        level: name,
        message: mask(message).slice(0, maximumMessage),
        ...(title === undefined || title === '' ? {} : { title: mask(title) }),
        ...(file === undefined || file === ''
          ? {}
          : { file: isAbsolute(file) ? relative(workspace, file) : file }),
        ...(line === undefined ? {} : { line }),
        ...(endLine === undefined ? {} : { endLine }),
        ...(columns && column !== undefined ? { column } : {}),
        ...(columns && endColumn !== undefined ? { endColumn } : {}),
      });
    },
  };
}
