/** The bundle of the editor (`frontend/editor/src/lib.rs`). */
declare module 'built:editor.js' {
  const start: any
  export = start
}

/** The bundle of dialogs and menus (`frontend/dialogs/src/lib.rs`). */
declare module 'built:dialogs.js' {
  const start: any
  export = start
}

/** The bundle of the minimal and the workspace view (`frontend/views/src/lib.rs`). */
declare module 'built:views.js' {
  const start: any
  export = start
}

/** The name of a file that was built before the scripts, with its hash (`tools/browser-scripts.mjs`). */
declare module 'built:*' {
  const name: string
  export default name
}
