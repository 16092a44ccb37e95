// Shortens the path of a glyph. Pages contain the glyphs that they show, and digits hardly compress.

import svgpath from 'svgpath'

/** Decimals of coordinates in a box of 24 units: a hundredth of a unit is a sixtieth of a pixel in the largest tiles. */
const DECIMALS = 2
/**
 * Decimals for paths with sensitive arcs. If the ends of an arc are nearly a diameter apart, or nearly meet, a small change
 * of them turns it into another arc.
 */
const DECIMALS_OF_SENSITIVE_ARCS = 3
/** The distance of the ends of an arc, in radii, beyond which the arc is sensitive, and below which a large arc is. */
const MAX_CHORD = 1.9
const MIN_CHORD = 0.3

/**
 * The same shape with fewer digits. Rounding errors do not add up: `svgpath` carries each into the next coordinate.
 *
 * @param {string} path the `d` of a path in a box of 24 units
 */
export function shorterPath(path) {
  const decimals = hasSensitiveArc(path) ? DECIMALS_OF_SENSITIVE_ARCS : DECIMALS
  const rounded = svgpath(path).round(decimals).toString()
  const shorter = withoutSpaces(rounded.replace(/(?<![\d.])0\./g, '.'))
  return shorter.length < path.length ? shorter : path
}

/** Without the spaces that separate nothing: beside commands, before a minus, and before a point that can only begin a number. */
function withoutSpaces(path) {
  return path.replace(/ (?=[-a-z])|(?<=[a-z]) |(?<=\.\d+) (?=\.)/gi, '')
}

function hasSensitiveArc(path) {
  let found = false
  svgpath(path).abs().iterate(([command, rx, ry, , isLarge, , toX, toY], _, fromX, fromY) => {
    if (command !== 'A') return
    const chord = Math.hypot(toX - fromX, toY - fromY)
    found ||= chord > MAX_CHORD * Math.min(rx, ry) || Boolean(isLarge) && chord < MIN_CHORD * Math.max(rx, ry)
  })
  return found
}
