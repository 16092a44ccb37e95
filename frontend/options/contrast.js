// The contrast of the page's colors, as the browser resolves them.

const root = document.documentElement;
const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });

/** The value of a variable on the page, with references to other variables replaced. */
export const resolved = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();

/** Whether a value is a color. */
export const isColor = (value) => value !== '' && CSS.supports('color', value);

/** Colors as shown on the screen, by their values: red, green, blue and opacity from 0 to 255. The styles are computed once for all. */
function pixels(values) {
  // In the page's color scheme, light or dark.
  const probes = document.createElement('i');
  for (const value of values) {
    const probe = document.createElement('i');
    probe.style.color = value;
    probes.append(probe);
  }
  root.append(probes);
  const colors = [...probes.children].map((probe) => getComputedStyle(probe).color);
  probes.remove();
  const found = colors.map((color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  });
  return new Map([...values].map((value, at) => [value, found[at]]));
}

/** A color over an opaque one. @param {number[]} color @param {number[]} ground */
const over = ([red, green, blue, alpha], ground) => [red, green, blue].map((part, at) => (part * alpha + ground[at] * (255 - alpha)) / 255);

/** @param {number[]} color */
const hex = ([red, green, blue]) => `#${[red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** The relative luminance of WCAG 2. @param {number[]} color */
function luminance(color) {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two opaque colors, as WCAG 2 defines it: from 1 to 21. */
export function ratio(one, other) {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const PARTNERS = {
  foreground: 'background',
  primary: 'background',
  background: 'foreground',
  'background-darker': 'foreground',
  surface: 'foreground',
  raised: 'foreground',
  muted: 'background',
  link: 'background',
  info: 'background',
  success: 'background',
  warning: 'background',
  danger: 'background',
  error: 'background',
  'on-primary': 'primary',
  'bar-text': 'bar',
  bar: 'bar-text',
  'outline-color': 'background',
  'item-text-color': 'item-background',
  'item-background': 'item-text-color',
  'heading-text-color': 'background',
  'nav-link-text-color': 'background',
  'item-group-heading-text-color': 'background',
};
/** Lines and shapes, which need less contrast. */
const SHAPES = ['primary', 'outline-color'];

/** The variable that a color is seen against; undefined if unknown. */
export function partner(name) {
  if (name in PARTNERS) return PARTNERS[name];
  const exists = (other) => isColor(resolved(other));
  const others = [name.replace(/-background$/, '-color'), name.replace(/-background$/, '-text-color'), name.replace(/-(text-)?color$/, '-background')];
  return others.find((other) => other !== name && exists(other));
}

/**
 * The colors of variables, by their names: each as `hex`, its contrast with its partner as `ratio`, and the minimum for its `kind` as
 * `least`.
 */
export function contrasts(names) {
  const colors = new Map(['background', ...names].flatMap((name) => [name, partner(name)]).filter(Boolean).map((name) => [name, resolved(name)]));
  const shown = pixels(new Set(colors.values()));
  const pixel = (name) => shown.get(colors.get(name));
  const page = over(pixel('background'), [255, 255, 255]);
  return new Map(names.map((name) => [name, contrast(name, pixel, page)]));
}

function contrast(name, pixel, page) {
  const own = pixel(name);
  const other = partner(name);
  if (!other) return { hex: hex(over(own, page)) };
  const isBackground = name.includes('background') || ['surface', 'raised', 'bar'].includes(name);
  const ground = over(isBackground ? own : pixel(other), page);
  const text = over(isBackground ? pixel(other) : own, ground);
  const isShape = SHAPES.includes(name);
  return { hex: hex(over(own, page)), ratio: ratio(text, ground), least: isShape ? 3 : 4.5, kind: isShape ? 'a line' : 'text' };
}
