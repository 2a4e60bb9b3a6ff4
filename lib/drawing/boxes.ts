/** A box to place. Sizes are in pixels. */
export interface LayoutNode {
  readonly id: string;
  /** Nodes with the same group are in one box with this name; undefined: in no box. */
  readonly group: string | undefined;
  readonly width: number;
  readonly height: number;
}

/** An arrow between two nodes, by their ids. */
export interface LayoutEdge {
  readonly from: string;
  readonly to: string;
  /** Edges of different kinds do not share a line. */
  readonly kind?: string;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** By id. */
  readonly nodes: ReadonlyMap<string, Box>;
  /** By name: a box around all nodes of the group, and around no others. */
  readonly groups: ReadonlyMap<string, Box>;
  /**
   * One line for each edge, in their order: the points from the right border of one node to the left border of the other. The parts between
   * points 0 and 1, 2 and 3 and so on are horizontal, and touch no other node; the others lie between two columns and may be curved.
   */
  readonly edges: readonly (readonly Point[])[];
}

/** The space inside a group, in pixels: at each side, and above for its name. */
export const groupPadding = 12;
export const groupTitle = 22;
