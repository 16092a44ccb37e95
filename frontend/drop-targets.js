// Where something that is dragged in edit mode would go. Part of `gestures.js`.

/** @typedef {'item' | 'part' | 'widget' | 'section'} Kind A part is a sub-item of a group. */
/** @typedef {{ kind: Kind, element: HTMLElement, id: string }} Draggable An element that can be dragged, with its id in commands. */
/**
 * Where a dragged element would go.
 *
 * @typedef {object} DropTarget
 * @property {number | string} list The position of the section, or the id of the group.
 * @property {number | undefined} before The position of the next element in its list; undefined for the end.
 * @property {number} [column] The column of the page, counted from 1, if a section gets another one.
 * @property {DOMRect} rect The box that the line is drawn at.
 * @property {'start' | 'end' | 'top' | 'bottom' | 'all'} edge The edge of the box.
 */

const root = document.documentElement

/** The position at the end of the id of an element. @param {Element} element */
export const number = (element) => Number(element.id.split('-').at(-1) || 0)

/** The position of an element in its list in the file. @param {Element} element @param {Kind} kind */
function indexOf(element, kind) {
  return kind === 'widget' ? Number(/** @type {HTMLElement} */ (element).dataset.widget?.split('-')[1]) : number(element)
}

/** Where something would go if it were dropped at a point. @param {Draggable} source @param {number} x @param {number} y @returns {DropTarget | undefined} */
export function targetAt({ kind, element }, x, y) {
  const under = document.elementFromPoint(x, y)
  const content = document.getElementById('content')
  if (!content || under?.closest('#editor')) return undefined
  if (kind === 'section') {
    const columns = [...content.querySelectorAll(':scope > .page-column')]
    return columns.length ? inColumn(columns, element, x, y) : besideNearest([...content.querySelectorAll('.collapsable')], kind, x, y, 0)
  }
  if (kind === 'part') return inGroup(under, [...content.querySelectorAll('.sub-items-group')].filter((one) => one.getClientRects().length), x, y)
  const section = under?.closest('#content .collapsable') ?? nearest([...content.querySelectorAll('.collapsable')], x, y)
  if (!section) return undefined
  const list = [...section.querySelectorAll(kind === 'item' ? '.items > *' : '.widgets > *')].filter((one) => one.getClientRects().length)
  const isHeading = under?.closest('.section-heading, [data-edit^=section]')
  if (isHeading || !list.length) return { list: number(section), before: undefined, rect: section.getBoundingClientRect(), edge: 'all' }
  return besideNearest(list, kind, x, y, number(section))
}

/** The place of a sub-item in the nearest group. @param {Element | null} under @param {Element[]} groups @param {number} x @param {number} y @returns {DropTarget | undefined} */
function inGroup(under, groups, x, y) {
  const group = nearest(groups, x, y)
  if (!group) return undefined
  if (under?.matches('.group-title')) return { list: group.id, before: undefined, rect: group.getBoundingClientRect(), edge: 'all' }
  return besideNearest([...group.querySelectorAll('.sub-item')], 'part', x, y, group.id)
}

/** The place of a section in the nearest column of the page. @param {Element[]} columns @param {Element} section @param {number} x @param {number} y @returns {DropTarget | undefined} */
function inColumn(columns, section, x, y) {
  const near = nearest(columns, x, y)
  if (!near) return undefined
  // A section that stays in its column keeps what the file says about it.
  const column = near === section.parentElement ? undefined : columns.indexOf(near) + 1
  const list = [...near.children]
  const last = list.at(-1)
  if (!last) return { list: 0, before: undefined, column, rect: near.getBoundingClientRect(), edge: 'all' }
  const target = besideNearest(list, 'section', x, y, 0)
  return target && { ...target, before: target.before ?? number(last) + 1, column }
}

/** Before or after the nearest element of a list. @param {Element[]} list @param {Kind} kind @param {number} x @param {number} y @param {number | string} owner The section or group of the list. @returns {DropTarget | undefined} */
function besideNearest(list, kind, x, y, owner) {
  const near = nearest(list, x, y)
  if (!near) return undefined
  const rect = near.getBoundingClientRect()
  const inRow = list.some((other) => {
    const { top, bottom } = other.getBoundingClientRect()
    return other !== near && top < rect.bottom - 1 && bottom > rect.top + 1
  })
  const isFirstHalf = inRow ? (x <= rect.left + rect.width / 2) === (root.dir !== 'rtl') : y <= rect.top + rect.height / 2
  const next = isFirstHalf ? near : list[list.indexOf(near) + 1]
  const edge = inRow ? (isFirstHalf ? 'start' : 'end') : isFirstHalf ? 'top' : 'bottom'
  return { list: owner, before: next && indexOf(next, kind), rect, edge }
}

/** @param {Element[]} list @param {number} x @param {number} y */
function nearest(list, x, y) {
  const distance = (/** @type {Element} */ element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))
  }
  let best = list[0]
  for (const one of list) if (best && distance(one) < distance(best)) best = one
  return best
}
