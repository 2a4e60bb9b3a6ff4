import type { LayoutEdge, LayoutNode } from './boxes.ts';

export type Shape = 'box' | 'entry' | 'slanted' | 'hexagon' | 'table';

/** A node with everything that is drawn of it. Its texts come from outside, and are escaped when they are written. */
export interface PictureNode extends LayoutNode {
  readonly shape: Shape;
  /** The name, and a smaller line below it. */
  readonly lines: readonly string[];
  /** What a pointer and a screen reader show. */
  readonly title: string;
  /** Words of the style. */
  readonly classes: readonly string[];
  /** Where a click leads. */
  readonly href: string | undefined;
}

/** The kinds of edges, which the style sheet uses. */
export type EdgeKind = 'call' | 'read' | 'write' | 'drop';

export interface PictureEdge extends LayoutEdge {
  readonly kind: EdgeKind;
  /** Whether there are two of them, one in each direction. */
  readonly isBoth: boolean;
  readonly title: string;
}

/** A graph with everything that is drawn of it. */
export interface Picture {
  /** In the order of their groups from top to bottom. */
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  /** The name of a group that is drawn as a box; undefined for one without a box. */
  readonly groupName: (group: string) => string | undefined;
}
