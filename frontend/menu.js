// The context menus (`frontend/dialogs/src/context_menu`). Loaded with the first event that may open one.

import { withDialogs } from './dialogs.js'

/**
 * Handles an event that may open a menu.
 *
 * @param {Event | { type: 'press', clientX: number, clientY: number }} event A context menu, a key, a finger that comes down,
 *   or a press that has lasted long enough.
 * @param {Element} element The target: a link, a tile, a heading, or a control of the editor.
 */
export default (event, element) => void withDialogs((bundle) => bundle.handle_menu_event(event, element))
