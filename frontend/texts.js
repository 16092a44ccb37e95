// The texts of scripts in the language of the page. The settings element has those of the page; the editor adds its own
// (`frontend/editor/src/texts.rs`). In English, a text is its own key.

const settings = /** @type {{ texts?: Record<string, string> } | null} */ (/** @type {unknown} */ (document.getElementById('settings')))

/** @param {string} text */
export const t = (text) => settings?.texts?.[text] ?? text
