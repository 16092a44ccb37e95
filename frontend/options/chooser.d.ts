/** Opens the dialog for the theme of this browser. On closing, the focus returns to `button`. */
export default function open(button: HTMLElement): Promise<void>
/** Opens the same dialog for a field of the editor, whose theme is that of everybody. */
export function chooseFor(field: HTMLInputElement): Promise<void>
