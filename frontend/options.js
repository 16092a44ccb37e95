// The controls of the options, and of notices and hints. Loaded at its first use.

import { withDialogs } from './dialogs.js'

/** Does what a control is for. @param {HTMLElement} control */
export default (control) => withDialogs((bundle) => bundle.use_control(control))
