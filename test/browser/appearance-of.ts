import type { Page } from 'playwright-core';

export interface Appearance {
  /** The lowest contrast of any text to its background; nearly everybody can read 4.5 and more. */
  readonly contrast: number;
  /** The element that has it. */
  readonly text: string;
  /** By how many pixels the page is wider than its window. */
  readonly over: number;
}

/** Measures a page as it is shown now. */
export function appearanceOf(page: Page): Promise<Appearance> {
  return page.evaluate<Appearance>(script);
}

// As text: the rest of the house has no browser's types.
const script = `(() => {
  const channel = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
  const ground = (element) => {
    if (element === null) return [255, 255, 255];
    const color = rgb(getComputedStyle(element).backgroundColor);
    return color.length === 4 && color[3] === 0 ? ground(element.parentElement) : color;
  };
  let least = { contrast: 21, text: '' };
  for (const element of document.querySelectorAll('body *')) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '')) continue;
    const ink = light(rgb(getComputedStyle(element).color));
    const paper = light(ground(element));
    const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    if (contrast < least.contrast) least = { contrast, text: element.outerHTML.slice(0, 100) };
  }
  return { ...least, over: document.documentElement.scrollWidth - window.innerWidth };
})()`;
