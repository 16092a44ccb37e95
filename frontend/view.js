// Starts the bundle of the minimal and the workspace view (`frontend/views`), on pages in these views.

import viewsModule from 'built:views_bg.wasm'

const module = fetch(new URL(viewsModule, import.meta.url))
// Its failure is that of the start.
module.catch(() => {})
const bundle = await import('built:views.js')
await bundle.default({ module_or_path: module })
