import type { Box } from './boxes.ts';
import type { Shape } from './picture.ts';

/** The outline of a node, and the lid of a table, as paths. */
export function outlineOf(
  shape: Shape,
  { x, y, width, height }: Box,
): readonly [outline: string, lid?: string] {
  const [right, bottom] = [number(x + width), number(y + height)];
  const [left, top] = [number(x), number(y)];
  const middle = number(y + height / 2);
  switch (shape) {
    case 'box':
      return [rounded(4)];
    case 'entry':
      return [rounded(height / 2)];
    case 'slanted':
      return [`M${number(x + 9)} ${top}H${right}L${number(x + width - 9)} ${bottom}H${left}Z`];
    case 'hexagon':
      return [
        `M${number(x + 10)} ${top}H${number(x + width - 10)}L${right} ${middle}L${number(x + width - 10)} ${bottom}H${number(x + 10)}L${left} ${middle}Z`,
      ];
    case 'table': {
      const arc = `${number(width / 2)} 5 0 0`;
      const [upper, lower] = [number(y + 5), number(y + height - 5)];
      return [
        `M${left} ${upper}A${arc} 1 ${right} ${upper}V${lower}A${arc} 1 ${left} ${lower}Z`,
        `M${left} ${upper}A${arc} 0 ${right} ${upper}`,
      ];
    }
  }

  function rounded(radius: number): string {
    const r = number(radius);
    const [from, to] = [number(x + radius), number(x + width - radius)];
    const arc = (toX: number, toY: number) => `A${r} ${r} 0 0 1 ${toX} ${toY}`;
    return `M${from} ${top}H${to}${arc(right, number(y + radius))}V${number(y + height - radius)}${arc(to, bottom)}H${from}${arc(left, number(y + height - radius))}V${number(y + radius)}${arc(from, top)}Z`;
  }
}

function number(value: number): number {
  return Math.round(value * 10) / 10;
}
