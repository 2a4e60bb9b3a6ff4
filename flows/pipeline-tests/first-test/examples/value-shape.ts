/** The parts of a semi-structured value that pipelines read: keys of an object, items of a list, or a leaf. */
export interface ValueShape {
  readonly keys: Map<string, ValueShape>;
  items: ValueShape | undefined;
  /** The list has at least this many items. */
  minItems: number;
  /** It is flattened as an object: its items have keys of their own. */
  isObject: boolean;
  /** It is read with PARSE_JSON, so it is a text that contains the value. */
  isText: boolean;
  /** Names of the columns that get the value. */
  readonly names: Set<string>;
  /** The type to which it is converted, as SQL writes it. */
  type: string | undefined;
  /** A value with which SQL compares it. */
  literal: string | undefined;
}

export type PathStep = string | number;

export function emptyShape(): ValueShape {
  return {
    keys: new Map(),
    items: undefined,
    minItems: 1,
    isObject: false,
    isText: false,
    names: new Set(),
    type: undefined,
    literal: undefined,
  };
}

/** The shape of the items of a list. */
export function itemsOfShape(shape: ValueShape): ValueShape {
  return (shape.items ??= emptyShape());
}

/** The shape of the part at a path. The path is added if the shape does not have it. */
export function partAt(shape: ValueShape, steps: readonly PathStep[]): ValueShape {
  let part = shape;
  for (const step of steps) {
    if (typeof step === 'number') {
      part.minItems = Math.min(10, Math.max(part.minItems, step + 1));
      part = itemsOfShape(part);
      continue;
    }
    const next = part.keys.get(step) ?? emptyShape();
    part.keys.set(step, next);
    part = next;
  }
  return part;
}

/** Whether any parts of the value are known. */
export function hasParts({ keys, items }: ValueShape): boolean {
  return keys.size > 0 || items !== undefined;
}
